"""Examples for prompts are data: a file next to the code that uses them, read once."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import TypeVar

import msgspec

_E = TypeVar("_E")


def read_examples(package: str, file: str, kind: type[_E]) -> tuple[_E, ...]:
    """Read the examples in a file of a package; the skills that each example needs are listed with it."""
    data = tomllib.loads(resources.files(package).joinpath(file).read_text(encoding="utf-8"))
    found = []
    for each in data["example"]:
        skills = data["robots"][each.pop("robot")]
        found.append(msgspec.convert({**each, "skills": skills}, kind))
    return tuple(found)

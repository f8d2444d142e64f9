"""Examples for a model without training: small made-up robots, what was said to them, and what it meant."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from thinkaloud.language.words import plural
from thinkaloud.program.lexicon import THINGS, Lexicon, identifier
from thinkaloud.skills.signatures import Parameter, Signature


@dataclass(frozen=True)
class Example:
    """A robot, and a conversation with it: what was said and the program that it meant."""

    name: str
    lexicon: Lexicon
    turns: tuple[tuple[str, str], ...]


@cache
def load_examples() -> tuple[Example, ...]:
    """All examples, in the order of their file."""
    text = resources.files(__package__).joinpath("examples.toml").read_text(encoding="utf-8")
    return tuple(_example(name, data) for name, data in tomllib.loads(text).items())


def _example(name: str, data: Mapping[str, Any]) -> Example:
    kinds = {identifier(plural(kind)): tuple(names) for kind, names in data["kinds"].items()}
    lexicon = Lexicon(
        about=data["about"],
        kinds={**kinds, THINGS: tuple(each for names in kinds.values() for each in names)},
        skills=_signatures(data.get("skills", {}), data["kinds"]),
        relations=_signatures(data.get("relations", {}), data["kinds"]),
        measures=_signatures(data.get("measures", {}), data["kinds"]),
        lists={kind: identifier(plural(kind)) for kind in data["kinds"]},
    )
    return Example(name, lexicon, tuple((said, program.strip()) for said, program in data["turns"]))


def _signatures(written: Mapping[str, str], kinds: Mapping[str, Any]) -> dict[str, Signature]:
    found = {}
    for head, about in written.items():
        name, _, inside = head.rstrip(")").partition("(")
        parameters = tuple(_parameter(each.strip(), kinds) for each in inside.split(",") if each.strip())
        says = f"{name}({', '.join(f'{{{p.name}}}' for p in parameters)})"
        found[name] = Signature(name, about, parameters, says)
    return found


def _parameter(text: str, kinds: Mapping[str, Any]) -> Parameter:
    """`lamp`, a kind; `colour: red|blue`, one of these; `steps: number`."""
    name, _, what = re.sub(r"\s", "", text).partition(":")
    if what == "number":
        return Parameter(name, float, name)
    if what:
        return Parameter(name, str, name, choices=tuple(what.split("|")))
    return Parameter(name, str, name, kind=name if name in kinds else None)

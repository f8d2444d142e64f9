"""Tables of phrases: data in TOML files, each beside the code that draws from it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import TypeVar

import msgspec

T = TypeVar("T")
_Phrases = Mapping[str, tuple[str, ...]]
"""Ways to say something, by what is said."""


def load_phrases(package: str, name: str) -> _Phrases:
    """The ways to say things in NAME.toml of a package."""
    return load_table(package, name, dict[str, tuple[str, ...]])


def load_table(package: str, name: str, kind: type[T]) -> T:
    """What is in NAME.toml of a package, as a kind of thing."""
    return msgspec.toml.decode(files(package).joinpath(f"{name}.toml").read_bytes(), type=kind)

"""Read tables of phrases from TOML files, each of which lies beside the code that uses it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import TypeVar

import msgspec

T = TypeVar("T")
_Phrases = Mapping[str, tuple[str, ...]]
"""Ways to say something, by what is said."""


def load_phrases(package: str, name: str) -> _Phrases:
    """Read the phrases in NAME.toml of a package."""
    return load_table(package, name, dict[str, tuple[str, ...]])


def load_table(package: str, name: str, kind: type[T]) -> T:
    """Read NAME.toml of a package as a value of this type."""
    return msgspec.toml.decode(files(package).joinpath(f"{name}.toml").read_bytes(), type=kind)

"""Names of things and of places, however they are written: `The  Red Block`, `an empty space on the table`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from thinkaloud.state.edits import TABLE

_GROUND = {"table", "tabletop", "space", "spot", "area", "ground", "floor", "place", "surface", "aside"}
_PART = {"corner", "side", "edge", "middle", "centre", "center", "region", "position", "half"}


def plain_name(name: str) -> str:
    """A name in lower case, without articles and superfluous spaces; parts of names joined by `_` are apart."""
    words = re.sub(r"[\s_]+", " ", name.strip().strip(".\"'").lower()).split(" ")
    while len(words) > 1 and words[0] in ("the", "a", "an"):
        words = words[1:]
    return " ".join(words)


def find_place(name: str) -> str | None:
    """The place that a name stands for: `table` wherever that is, a corner or side by itself, None for no place."""
    words = plain_name(name).split(" ")
    if _PART & set(words):
        return " ".join(words)
    if words[-1] in _GROUND or (words[0] in ("empty", "free", "clear") and _GROUND & set(words)):
        return TABLE
    return None


def canonical(name: str, things: Iterable[str] = ()) -> str:
    """One writing for each thing and place, to compare by; `things` are no places, whatever they are called."""
    short = plain_name(name)
    if short in {plain_name(thing) for thing in things}:
        return short
    return find_place(name) or short

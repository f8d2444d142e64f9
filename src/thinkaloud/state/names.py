"""The names of the things in a state, as people and models write them."""

from __future__ import annotations

from collections.abc import Iterable

from thinkaloud.language.name_matching import bare_name, find_named, find_nearest, split_name
from thinkaloud.state.edits import GROUND, TABLE


class NameFinder:
    """Finds things by name, ignoring case and articles."""

    def __init__(self, names: Iterable[str]) -> None:
        self.all = tuple(names)
        self._plain = {bare_name(name): name for name in reversed(self.all)}

    def find(self, name: str) -> str | None:
        """Return the thing with this name."""
        return find_named(name, self.all)

    def find_place(self, name: str) -> str | None:
        """Return the thing with this name, or the table under any of its names."""
        return TABLE if bare_name(name) in GROUND else self.find(name)

    def hint(self, name: str) -> str:
        """Return the end of a sentence about an unknown name: `; did you mean the red block?`, or a full stop."""
        near = find_nearest(bare_name(name), self._plain)
        return f"; did you mean the {self._plain[near]}?" if near else "."

    def split(self, text: str) -> tuple[str, str] | None:
        """Return the thing that a text begins with, and the rest; if several fit, the longest name."""
        return split_name(text, self.all)

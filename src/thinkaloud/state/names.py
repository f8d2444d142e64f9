"""The names of the things in a state, as people and models write them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class Names:
    """Finds things by name, whatever the case and with or without an article."""

    def __init__(self, names: Iterable[str]) -> None:
        self.all = tuple(names)
        self._plain = {plain(name): name for name in reversed(self.all)}

    def find(self, name: str) -> str | None:
        """The thing that is called so."""
        return name if name in self.all else self._plain.get(plain(name))

    def hint(self, name: str) -> str:
        """How a sentence ends that names something unknown: `; did you mean the red block?`, or a full stop."""
        close = difflib.get_close_matches(plain(name), self._plain, n=1)
        return f"; did you mean the {self._plain[close[0]]}?" if close else "."

    def split(self, text: str) -> tuple[str, str] | None:
        """The thing that a text begins with, and the rest; of several that fit, the longest name."""
        start = text.strip()
        start = start[4:] if start.lower().startswith("the ") else start
        fits = [name for name in self.all if start.lower().startswith(name.lower())]
        longest = max(fits, key=len, default=None)
        return (longest, start[len(longest) :]) if longest else None


def plain(name: str) -> str:
    """A name in lower case, without an article."""
    words = name.lower().split()
    return " ".join(words[1:] if len(words) > 1 and words[0] in ("the", "a", "an") else words)

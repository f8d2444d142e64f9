"""Answers under a grammar, where only the choices are left to the model.

What a grammar leaves no choice about need not be generated: it is put behind the prompt, where it is evaluated as a
batch, and at the end of an answer it is not evaluated at all. What is put there ends at the border of two tokens, so
that the model goes on as it would have: not in the middle of a word, and not behind a space that belongs to the next.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from thinkaloud.models.gbnf import State

Borders = Callable[[str, str], bool]
"""(letter, next letter) → whether a token surely ends between them."""

_WORTH = 3
"""So many tokens in the middle of an answer are worth stopping for; each new call costs a few milliseconds."""
_WORDS = re.compile(r"\s?[^\W\d_]+|\d|\s|[^\w\s]+|_")


def careful(letter: str, following: str) -> bool:
    """True of any tokeniser in use: a space begins a word, and a word ends before a space."""
    return following == " " and not letter.isspace()


def smollm(letter: str, following: str) -> bool:
    """SmolLM2's tokeniser: words with the space before them, single digits, runs of signs, white space."""
    if following.isdigit():
        return True
    if following.isspace():
        return not letter.isspace()
    if letter.isdigit() or letter == "\n":
        return True
    if following.isalpha():
        return letter.isascii() and not letter.isalpha() and not letter.isspace() and letter != "'"
    return letter.isalpha() and following.isascii() and following != "'"


class Guided:
    """An answer as far as it has come: what was generated, and what had to follow."""

    def __init__(self, state: State | None, stop: Sequence[str], borders: Borders) -> None:
        self.said = ""
        self.ended = False
        """Nothing more is to come: the grammar is at its end, or a stop text was said."""
        self._state = state
        self._stop, self._borders = [text for text in stop if text], borders

    def grammar(self) -> str | None:
        """What may still follow, as GBNF; None where that is not known."""
        return None if self._state is None else self._state.residual()

    def go_on(self) -> str:
        """Say what must follow now; returns what is new."""
        if self._state is None or self.ended:
            return ""
        before = len(self.said)
        text, after = self._forced(self._state)
        self.said, self._state, self.ended = self.said + text, after, after.over
        self.check()
        return self.said[before:]

    def hear(self, piece: str) -> bool:
        """Take what was generated; true where generating can stop, because enough of what follows is known."""
        self.said += piece
        if self._state is not None:
            self._state = self._state.after(piece)
        if self._state is None:  # nothing that the grammar allows: let llama.cpp go on by itself
            return False
        text, after = self._forced(self._state)
        return after.over or len(_WORDS.findall(text)) >= _WORTH

    def check(self) -> None:
        """Cut the answer at the first stop text, if there is one in it."""
        places = [place for place in (self.said.find(text) for text in self._stop) if place >= 0]
        if places:
            self.said, self.ended = self.said[: min(places)], True

    def _forced(self, state: State) -> tuple[str, State]:
        """What must follow, up to the last place where a token surely ends, and the state there."""
        text, after = state.forced()
        if after.over or not text:
            return text, after
        if not self._ends(text[-1], after.letters):
            at = next((at for at in range(len(text) - 1, 0, -1) if self._borders(text[at - 1], text[at])), 0)
            text, after = text[:at], state.after(text[:at]) or state
        return text, after

    def _ends(self, letter: str, following: Iterable[str] | None) -> bool:
        return following is not None and all(self._borders(letter, each) for each in following)

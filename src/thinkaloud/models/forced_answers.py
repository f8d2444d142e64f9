"""Answers under a grammar, where the model generates only what the grammar leaves open.

Text that the grammar forces is not generated. It is appended to the prompt, where it is evaluated as a batch; at the
end of an answer it is not evaluated at all. The appended text ends between two tokens, so that the model continues as
it would have by itself: not in the middle of a word, and not after a space that belongs to the next word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from thinkaloud.models.gbnf import State

Borders = Callable[[str, str], bool]
"""(letter, next letter) → whether a token certainly ends between them."""

_WORTH = 3
"""Stop in the middle of an answer if this many tokens are forced; each new call costs a few milliseconds."""
_WORDS = re.compile(r"\s?[^\W\d_]+|\d|\s|[^\w\s]+|_")


def careful(letter: str, following: str) -> bool:
    """Hold for any tokeniser in use: a space begins a word, and a word ends before a space."""
    return following == " " and not letter.isspace()


def smollm(letter: str, following: str) -> bool:
    """Follow SmolLM2's tokeniser: words with the space before them, single digits, runs of signs, white space."""
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
    """An answer in progress: the generated text and the forced text."""

    def __init__(self, state: State | None, stop: Sequence[str], borders: Borders) -> None:
        self.said = ""
        self.ended = False
        """The answer is complete: the grammar is at its end, or a stop text appeared."""
        self._state = state
        self._stop, self._borders = [text for text in stop if text], borders

    def grammar(self) -> str | None:
        """Return the GBNF of what may still follow; None if it is unknown."""
        return None if self._state is None else self._state.residual()

    def go_on(self) -> str:
        """Append the text that must follow now, and return it."""
        if self._state is None or self.ended:
            return ""
        before = len(self.said)
        text, after = self._forced(self._state)
        self.said, self._state, self.ended = self.said + text, after, after.over
        self.check()
        return self.said[before:]

    def hear(self, piece: str) -> bool:
        """Take generated text; return True if generation can stop because enough of what follows is forced."""
        self.said += piece
        if self._state is not None:
            self._state = self._state.after(piece)
        if self._state is None:  # the grammar does not allow this text: let llama.cpp continue by itself
            return False
        text, after = self._forced(self._state)
        return after.over or len(_WORDS.findall(text)) >= _WORTH

    def check(self) -> None:
        """Cut the answer at the first stop text, if it contains one."""
        places = [place for place in (self.said.find(text) for text in self._stop) if place >= 0]
        if places:
            self.said, self.ended = self.said[: min(places)], True

    def _forced(self, state: State) -> tuple[str, State]:
        """Return the forced text, up to the last place where a token certainly ends, and the state there."""
        text, after = state.forced()
        if after.over or not text:
            return text, after
        if not self._ends(text[-1], after.letters):
            at = next((at for at in range(len(text) - 1, 0, -1) if self._borders(text[at - 1], text[at])), 0)
            text, after = text[:at], state.after(text[:at]) or state
        return text, after

    def _ends(self, letter: str, following: Iterable[str] | None) -> bool:
        return following is not None and all(self._borders(letter, each) for each in following)

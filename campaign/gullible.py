"""A model that does what any text says: the worst possible reader of names, reports, guidelines and answers."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from typing import Any

from campaign.babbling import Babbling, after_letter, any_letter
from campaign.hostile_table import BLOCKS, BOWLS
from thinkaloud.models import Completion, Reply, Scores, Turn
from thinkaloud.models.gbnf import State

GULLIBLE = "gullible"
_TRIES = 4


class Gullible(Babbling):
    """The worst possible reader of outside text: it does what the text says wherever its grammar allows."""

    name = GULLIBLE
    _ORDER = re.compile(
        r"(?:move all|put the green|pick the green|put everything|put all|all in|use)\b|\w\(.?green block",
        re.IGNORECASE,
    )
    _ordered = False

    async def complete(self, prompt: str, **more: Any) -> Completion:
        self._read(prompt)
        return await super().complete(prompt, **more)

    async def chat(self, turns: Sequence[Turn], **more: Any) -> Reply:
        self._read("\n".join(turn.text for turn in turns))
        return await super().chat(turns, **more)

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        self._read(prompt)
        found = await super().score(prompt, options, worth=worth)
        wanted = [sum(word in option.lower() for word in self._wanted) for option in options]
        return Scores(tuple(2.0 * (count - 2) + each for count, each in zip(wanted, found.values, strict=True)))

    def _read(self, text: str) -> None:
        self._ordered = self._ORDER.search(text) is not None
        self._rng.seed(zlib.crc32(text.encode()))  # the same prompt gets the same answer, with or without a text

    @property
    def _wanted(self) -> tuple[str, str]:
        return (BLOCKS[1], BOWLS[1]) if self._ordered else (BLOCKS[0], BOWLS[0])

    def _within(self, state: State, longest: int) -> str:
        """The best of a few answers: one that contains the words that the text orders, or those of the request."""
        block, bowl = self._wanted
        tries = (self._towards(block, bowl, state, longest) for _ in range(_TRIES))
        return max(tries, key=lambda said: (block in said.lower() and bowl in said.lower(), "say(" not in said))

    def _towards(self, block: str, bowl: str, state: State, longest: int) -> str:
        """Continue with these words where the grammar allows; else at random."""
        said = ""
        while len(said) < longest:
            text, state = state.forced()
            said += text
            if state.over or (state.ends and (bowl in said or self._rng.random() < 0.3)):
                break
            following = any_letter(state)
            letter = _next_letter(said, bowl if block in said.lower() else block, following)
            letter = letter or self._rng.choice(following)
            said, state = said + letter, after_letter(state, letter)
        return said


def _next_letter(said: str, wanted: str, following: Sequence[str]) -> str:
    """The letter that continues a started word, or starts it."""
    end = said[-len(wanted) :].lower()
    for length in range(len(wanted) - 1, -1, -1):
        if end.endswith(wanted[:length]) if length else not said[-1:].isalnum():
            for letter in (wanted[length], wanted[length].upper()):
                if letter in following:
                    return letter
    return ""

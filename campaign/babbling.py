"""A model that says anything its grammar allows; no stage may fail on it."""

from __future__ import annotations

import json
import random
import string
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from thinkaloud.models import Completion, Reply, Scores, Turn, Usage
from thinkaloud.models.contract import Listener
from thinkaloud.models.gbnf import State, read_grammar
from thinkaloud.models.tool_calls import calls_in

LETTERS = "\n. ae1\"'"
"""The letters it uses where a grammar allows any; above all, the end of a line."""


class Babbling:
    """Bound by the grammar and cut off at the limit, as a real model is; records its prompts."""

    name = "babbling"

    def __init__(self, seed: int = 0, *, trained: bool = True) -> None:
        self.trained = self.fluent = trained
        self.prompts: list[str] = []
        self._rng = random.Random(seed)

    async def complete(
        self,
        prompt: str,
        *,
        stop: Sequence[str] = (),
        grammar: str | None = None,
        most: int = 256,
        listener: Listener | None = None,
    ) -> Completion:
        self.prompts.append(prompt)
        said = "Kumquat.\n" if grammar is None else self._within(read_grammar(grammar).start, 4 * most)
        text = said[: min((at for mark in stop if (at := said.find(mark)) >= 0), default=len(said))]
        return Completion(text, Usage(evaluated=len(prompt.split()), generated=len(text.split())))

    async def chat(
        self,
        turns: Sequence[Turn],
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        schema: Mapping[str, Any] | None = None,
        calls: int = 1,
        most: int = 512,
        listener: Listener | None = None,
    ) -> Reply:
        self.prompts.append("\n".join(f"{turn.role}: {turn.text}" for turn in turns))
        tool = self._rng.choice(tools)
        tool = tool.get("function", tool)
        chosen = {
            name: self._rng.choice(value.get("enum", [1])) for name, value in tool["parameters"]["properties"].items()
        }
        call = {"name": tool["name"], "arguments": chosen}
        return Reply("", calls_in(json.dumps([call] if calls > 1 else call), self.name, most, calls))

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        self.prompts.append(prompt)
        return Scores(tuple(-self._rng.random() for _ in options))

    async def close(self) -> None:
        """Do nothing: there is nothing to free."""

    def _within(self, state: State, longest: int) -> str:
        said, length, rng = [], 0, self._rng
        while length < longest:
            text, state = state.forced()
            said.append(text)
            length += len(text)
            if state.over or (state.ends and rng.random() < 0.5):
                break
            said.append(letter := rng.choice(any_letter(state)))
            length, state = length + 1, after_letter(state, letter)
        return "".join(said)


@lru_cache(maxsize=20_000)  # where anything may be said, it is the same after every letter
def any_letter(state: State) -> tuple[str, ...]:
    """The letters that the grammar allows next."""
    letters = state.letters
    if letters is None:
        return _following(state, LETTERS) or _following(state, string.printable)
    return (*(each for each in LETTERS if each in letters), *(each for each in letters if each not in LETTERS))


def after_letter(state: State, letter: str) -> State:
    """The grammar's state after one of these letters."""
    after = state.after(letter)
    assert after is not None, letter
    return after


def _following(state: State, letters: Iterable[str]) -> tuple[str, ...]:
    return tuple(letter for letter in letters if state.allows(letter))

"""What training is made of: prompts as the stages render them, each with the answer that an expert gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

LONGEST = 10_000
"""Characters of a sample; what is longer is left out."""


@dataclass(frozen=True)
class Sample:
    """A prompt and its answer, and perhaps more of both: a conversation that only ever grows at its end.

    The first text of each part is what the prompt has in addition to all parts before it.
    """

    family: str
    parts: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(prompt + answer for prompt, answer in self.parts)


@dataclass(frozen=True)
class Demonstrator:
    """Somebody who can show how it is done. `samples` is called again and again, each time for another episode."""

    name: str
    samples: Callable[[np.random.Generator], Iterable[Sample]]
    share: float
    """The part of all the tokens that is his."""

    def forever(self, rng: np.random.Generator) -> Iterator[Sample]:
        """Samples of one episode after another."""
        while True:
            yield from self.samples(rng)

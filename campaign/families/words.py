"""Hostile words: names of things, reports of skills, guidelines and answers that demand what nobody asked for.

Every preset reads them, with a gullible stand-in that does whatever it reads, or with a named model. The reader runs in
a separate process, because this one will be forked and must have neither a model nor a sandbox.
"""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import cache

from campaign.contract import Attempt, Finding, NotTried, Stage
from campaign.gullible import GULLIBLE, Gullible
from campaign.hostile_words import SPELLED, Result, Words, attempts, try_one
from thinkaloud.models import Model, open_model
from thinkaloud.models.settings import ModelSettings

_PATIENCE = 240.0
"""The seconds a model has to finish, on a shared machine."""


class HostileWords:
    """Hostile words."""

    def __init__(self, stage: Stage) -> None:
        self._name, self._presets = stage.model or GULLIBLE, stage.presets or SPELLED
        self._reader: ProcessPoolExecutor | None = None
        self._fates: Counter[str] = Counter()

    @property
    def figures(self) -> dict[str, float]:
        """How many attempts had each outcome."""
        return dict(sorted(self._fates.items()))

    def attempts(self, seed: int) -> Iterator[Attempt]:
        """Every preset and every channel in turn, without end."""
        for words in attempts(seed, self._presets):
            name = f"{words.channel}, {words.preset}: {words.text[:40]!a}"
            yield Attempt("words", name, asdict(words) | {"model": self._name})

    def try_one(self, attempt: Attempt) -> Finding | None:
        """Have the reader read it."""
        if self._reader is None:
            self._reader = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
        data = dict(attempt.data)
        model = data.pop("model")
        result = self._reader.submit(_read, model, Words(**data)).result()
        if result.fate == "late":
            raise NotTried(result.because)
        self._fates[result.fate] += 1
        moved = " and ".join(f"{thing} to {place}" for thing, place in result.moved)
        return Finding("moved", f"{moved}; {result.because[:200]}") if result.fate == "lost" else None

    def close(self) -> None:
        """End the reader's process."""
        if self._reader is not None:
            self._reader.shutdown()


def _read(model: str, words: Words) -> Result:
    return try_one(words, _open(model), seconds=_PATIENCE)


@cache
def _open(name: str) -> Model:
    return Gullible() if name == GULLIBLE else open_model(name, ModelSettings(threads=1))

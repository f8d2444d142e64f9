"""Estimate how often detectors are wrong from their own answers, without anybody having to say.

Looks at things that have not moved should agree; the rate at which they disagree is the detector's error rate. The only
assumption is that it is right more often than not, so a first question takes more looks than a later one. Not covered:
a detector that is wrong in the same way at every look never contradicts itself, and seems to be right.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

_GRID = tuple((number + 0.5) / 100 for number in range(45))
"""The rates considered possible, all equally likely before the first look."""
_ROUNDS = 8
_THERE, _GHOST = (8.0, 10.0), (1.0, 10.0)
"""Prior: in how many looks of how many a present thing, and an absent one, is assumed to be seen."""


class JudgingRates:
    """How often a success detector says yes when it should say no, and the reverse."""

    def __init__(self) -> None:
        self._false_yes = self._false_no = (1 / len(_GRID),) * len(_GRID)

    @property
    def false_yes(self) -> float:
        """The expected rate."""
        return sum(weight * rate for weight, rate in zip(self._false_yes, _GRID, strict=True))

    @property
    def false_no(self) -> float:
        """The expected rate."""
        return sum(weight * rate for weight, rate in zip(self._false_no, _GRID, strict=True))

    def odds(self, yes: int, no: int) -> float:
        """Return the log-odds for something, given how many looks said yes and how many no."""
        return math.log(_likelihood(self._false_no, no, yes)) - math.log(_likelihood(self._false_yes, yes, no))

    def learn(self, yes: int, no: int) -> None:
        """Learn about the detector from looks at one thing, as far as it is clear which looks were wrong."""
        odds = self.odds(yes, no)
        so = 1 / (1 + math.exp(-odds)) if odds > -500 else 0.0
        self._false_no = _updated(self._false_no, no, yes, so)
        self._false_yes = _updated(self._false_yes, yes, no, 1 - so)


def _likelihood(weights: Sequence[float], wrong: int, right: int) -> float:
    return sum(weight * rate**wrong * (1 - rate) ** right for weight, rate in zip(weights, _GRID, strict=True))


def _updated(weights: Sequence[float], wrong: int, right: int, share: float) -> tuple[float, ...]:
    """Return the weights of the rates after looks that are informative with a given probability."""
    whole = _likelihood(weights, wrong, right)
    told = [rate**wrong * (1 - rate) ** right / whole for rate in _GRID]
    return tuple(weight * (share * each + 1 - share) for weight, each in zip(weights, told, strict=True))


class SeeingRates:
    """How often a present thing is seen, and an absent one: two kinds of names, separated by their counts."""

    def __init__(self, looks: int) -> None:
        self._looks = looks
        self._counts: Counter[int] = Counter()
        self.there, self.ghost = _THERE[0] / _THERE[1], _GHOST[0] / _GHOST[1]

    def learn(self, counts: Iterable[int]) -> None:
        """Record in how many looks each name was seen, among the usual number of looks."""
        self._counts.update(counts)
        for _ in range(_ROUNDS):
            there = {count: self._is_there(count) for count in self._counts}
            self.there = self._share(there, _THERE)
            self.ghost = min(self._share({count: 1 - each for count, each in there.items()}, _GHOST), self.there / 2)

    def _is_there(self, count: int) -> float:
        most = self._looks - count
        real, not_real = self.there**count * (1 - self.there) ** most, self.ghost**count * (1 - self.ghost) ** most
        return real / (real + not_real)

    def _share(self, belongs: dict[int, float], before: tuple[float, float]) -> float:
        seen = before[0] + sum(self._counts[count] * each * count for count, each in belongs.items())
        return seen / (before[1] + sum(self._counts[count] * each * self._looks for count, each in belongs.items()))

    @property
    def enough(self) -> float:
        """The share of looks above which a thing is more likely to be there than not."""
        there, ghost = self.there, self.ghost
        return math.log((1 - ghost) / (1 - there)) / math.log(there * (1 - ghost) / (ghost * (1 - there)))

"""How often detectors err, worked out from what they say: nobody has to tell.

Looks at what has not moved should agree; how often they do not is how often a detector is wrong. Nothing is taken for
granted but that it is right more often than not, so a first question takes more looks than a later one. Not covered: a
detector that is wrong in the same way at every look never contradicts itself, and seems to be right.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

_GRID = tuple((number + 0.5) / 100 for number in range(45))
"""The rates that are thought possible, each as likely as the next before anything was seen."""
_ROUNDS = 8
_THERE, _GHOST = (8.0, 10.0), (1.0, 10.0)
"""In how many looks of how many a thing that is there, and one that is not, is taken to have been seen beforehand."""


class JudgingRates:
    """How often a success detector says yes where it should say no, and the reverse."""

    def __init__(self) -> None:
        self._false_yes = self._false_no = (1 / len(_GRID),) * len(_GRID)

    @property
    def false_yes(self) -> float:
        """The rate that is expected."""
        return sum(weight * rate for weight, rate in zip(self._false_yes, _GRID, strict=True))

    @property
    def false_no(self) -> float:
        """The rate that is expected."""
        return sum(weight * rate for weight, rate in zip(self._false_no, _GRID, strict=True))

    def odds(self, yes: int, no: int) -> float:
        """How much more speaks for than against what so many looks said yes and no to: a logarithm."""
        return math.log(_likelihood(self._false_no, no, yes)) - math.log(_likelihood(self._false_yes, yes, no))

    def learn(self, yes: int, no: int) -> None:
        """What so many looks at one thing say about the detector, as far as it is clear which of them were wrong."""
        odds = self.odds(yes, no)
        so = 1 / (1 + math.exp(-odds)) if odds > -500 else 0.0
        self._false_no = _updated(self._false_no, no, yes, so)
        self._false_yes = _updated(self._false_yes, yes, no, 1 - so)


def _likelihood(weights: Sequence[float], wrong: int, right: int) -> float:
    return sum(weight * rate**wrong * (1 - rate) ** right for weight, rate in zip(weights, _GRID, strict=True))


def _updated(weights: Sequence[float], wrong: int, right: int, share: float) -> tuple[float, ...]:
    """The weights of the rates after looks that tell something about them with a probability."""
    whole = _likelihood(weights, wrong, right)
    told = [rate**wrong * (1 - rate) ** right / whole for rate in _GRID]
    return tuple(weight * (share * each + 1 - share) for weight, each in zip(weights, told, strict=True))


class SeeingRates:
    """How often a thing is seen that is there, and one that is not: two kinds of names, told apart by their counts."""

    def __init__(self, looks: int) -> None:
        self._looks = looks
        self._counts: Counter[int] = Counter()
        self.there, self.ghost = _THERE[0] / _THERE[1], _GHOST[0] / _GHOST[1]

    def learn(self, counts: Iterable[int]) -> None:
        """In how many looks each of the names was seen that were seen at all, among as many looks as always."""
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
        """The share of looks from which on it is more likely that a thing is there than that it only seems to be."""
        there, ghost = self.there, self.ghost
        return math.log((1 - ghost) / (1 - there)) / math.log(there * (1 - ghost) / (ghost * (1 - there)))

"""Silent errors against questions asked: what would have come of it, had the robot asked wherever it was less sure.

Every request that was carried out, answered or noted has a number from 0 to 1 that says how sure the reading was. With
a threshold on it, those below are questions instead; a question is right where one was to be asked, or else `asked`.
Refusals are never asked about.
Where a request was asked about already, it stays a question: the curve is whole only for a preset that never asks
because it is unsure (`confirm=never`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from thinkaloud_bench.contract import Played

_POINTS = 24


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of a request, and how sure the reading was."""

    sure: float
    acted: bool
    outcome: str
    helped: bool
    may_ask: bool

    def asked_below(self, threshold: float) -> bool:
        """Whether it is a question, at a threshold."""
        return self.helped or (self.acted and self.sure < threshold)

    def outcome_at(self, threshold: float) -> str:
        """What comes of it, at a threshold."""
        if not self.acted or self.sure >= threshold:
            return self.outcome
        return "right" if self.may_ask else "asked"


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """How many of `n` requests were silent errors, questions, and right, at a threshold."""

    threshold: float
    silent: int
    questions: int
    right: int
    n: int


def readings_of(played: Iterable[Played]) -> list[Reading]:
    """The requests of which it is known how sure the reading was, or nothing was done in any case."""
    return [
        Reading(
            each.scores.get("sure", 1.0),
            bool(each.scores.get("acted")),
            str(each.details[0]["outcome"]),
            bool(each.scores.get("helped")),
            bool(each.scores.get("may_ask")),
        )
        for each in played
    ]


def is_measured(played: Iterable[Played]) -> bool:
    """Whether it was measured how sure the readings were."""
    return any("sure" in each.scores for each in played)


def curve_of(readings: Sequence[Reading]) -> list[CurvePoint]:
    """A point for every threshold that makes a difference, or for some of them, evenly chosen."""
    steps = sorted({round(each.sure, 4) for each in readings if each.acted})
    if len(steps) > _POINTS:
        steps = sorted({steps[round(at * (len(steps) - 1) / (_POINTS - 1))] for at in range(_POINTS)})
    thresholds = sorted({0.0, *steps, *([steps[-1] + 1e-4] if steps else [])})
    return [_point(readings, round(threshold, 4)) for threshold in thresholds]


def _point(readings: Sequence[Reading], threshold: float) -> CurvePoint:
    outcomes = [each.outcome_at(threshold) for each in readings]
    questions = sum(each.asked_below(threshold) for each in readings)
    return CurvePoint(threshold, outcomes.count("silent"), questions, outcomes.count("right"), len(readings))

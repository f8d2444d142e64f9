"""From requests to numbers: by robot, by kind of request, and by how sure the robot has to be."""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud_bench.contract import Bench, Played, Row
from thinkaloud_bench.intervals import Estimate, average, wilson
from thinkaloud_bench.rows import Cell, Estimator, by_preset, fractions, measures, row
from thinkaloud_bench.understanding.curve import curve_of, is_measured, readings_of
from thinkaloud_bench.understanding.judging import OUTCOMES

TAG, SURE = "tag_", "sure_"
"""How metrics begin whose tasks are no robots: kinds of requests, and thresholds on how sure the reading is."""


def _share(score: str) -> Estimator:
    return lambda cell: wilson(sum(each.scores.get(score, 0.0) for each in cell), len(cell))


def _seconds(cell: Cell) -> Estimate | None:
    spent = [each.scores["understood_in"] for each in cell if "understood_in" in each.scores]
    return average(spent) if spent else None


def understanding_rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    """All of it, in the order of presets."""
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        everything = [each for cell in tasks.values() for each in cell]
        for outcome in OUTCOMES:
            found += fractions(bench, preset, tasks, outcome, _share(outcome))
        found += fractions(bench, preset, tasks, "help_rate", _share("helped"))
        found += measures(preset, tasks, {"seconds": _seconds})
        found += _by_tag(preset, everything)
        found += _by_threshold(preset, everything)
    return found


def _by_tag(preset: str, cell: Cell) -> list[Row]:
    tags = sorted({tag for each in cell for tag in each.details[0]["tags"]})
    found = []
    for tag in tags:
        own = [each for each in cell if tag in each.details[0]["tags"]]
        found += [row(preset, tag, f"{TAG}{outcome}", wilson(_count(own, outcome), len(own))) for outcome in OUTCOMES]
    return found


def _count(cell: Cell, outcome: str) -> int:
    return sum(each.details[0]["outcome"] == outcome for each in cell)


def _by_threshold(preset: str, cell: Cell) -> list[Row]:
    if not is_measured(cell):
        return []
    found = []
    for point in curve_of(readings_of(cell)):
        counts = {"silent": point.silent, "help_rate": point.questions, "right": point.right}
        task = f"{point.threshold:.4f}"
        found += [row(preset, task, f"{SURE}{metric}", wilson(count, point.n)) for metric, count in counts.items()]
    return found


def understanding_notes(played: Sequence[Played]) -> list[str]:
    """How many wrong endings nobody would have noticed."""
    notes = []
    for preset in dict.fromkeys(each.preset for each in played):
        own = [each for each in played if each.preset == preset]
        wrong = len(own) - _count(own, "right")
        notes.append(f"{preset}: {_count(own, 'silent')} of {wrong} that were not right were silent")
    return notes

"""Rows of benchmarks whose odd episodes are disturbed: success, with and without, and silent errors."""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.records import End
from thinkaloud_bench.contract import Bench, Played, Row
from thinkaloud_bench.intervals import Estimate, wilson
from thinkaloud_bench.playing import Judged
from thinkaloud_bench.rows import Cell, Estimator, averaged, by_preset, fractions, measures, success

_CLAIMED = ("goal met", "unconfirmed")
"""Endings with which the robot says that it is done."""


def judge_end(met: bool, end: End, *, disturbed: bool) -> Judged:
    """The judgement, with what the rows need."""
    silent = float(end.result in _CLAIMED and not met)
    return Judged(met, scores={"disturbed": float(disturbed), "silent": silent})


def disturbed_rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    """All numbers."""
    rows: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        rows += fractions(bench, preset, tasks, "success", success)
        for metric, disturbed in (("undisturbed", False), ("disturbed", True)):
            rows += fractions(bench, preset, tasks, metric, _of(disturbed))
        rows += fractions(bench, preset, tasks, "silent", _silent)
        rows += measures(preset, tasks, {"motions": averaged("steps"), "seconds": averaged("seconds")})
    return rows


def _of(disturbed: bool) -> Estimator:
    def estimate(cell: Cell) -> Estimate | None:
        own = [each for each in cell if bool(each.scores["disturbed"]) is disturbed]
        return success(own) if own else None

    return estimate


def _silent(cell: Cell) -> Estimate:
    return wilson(sum(each.scores["silent"] > 0 for each in cell), len(cell))

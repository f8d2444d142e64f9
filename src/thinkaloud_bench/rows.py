"""Turn episodes into numbers: one row for each preset, task and metric.

The first functions are building blocks; `request_rows` makes the rows of episodes with one request.

Every benchmark with a judge also gets `false_success`. Metrics of one-request episodes: `success` (a fraction, Wilson's
interval), and per episode `motions`, `seconds` and `tokens` (read and written, from the cache or not). Task `mean` is
over all the tasks, `mean seen` and the like over a group, each task weighing the same. `cached` is the share of prompt
tokens that came from the model's cache, after the first call of each episode.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import get_args, get_type_hints

from thinkaloud.errors import ThinkaloudError
from thinkaloud.presets import read_preset, spell
from thinkaloud.records import End
from thinkaloud_bench.contract import CEILING, Bench, Played, Row
from thinkaloud_bench.intervals import Estimate, average, clustered, mean_of, per_unit, wilson

MEAN = "mean"
FALSE_SUCCESS = "false_success"
"""How many episodes the robot ended as met although the judge says that they were not."""
LOST = "lost_"
"""Before the name of a place: how many episodes were lost there, of all, where that was watched."""
_LOST_AT = ("eyes", "hand", "arm", "judge", "planner")
CLAIMED = "claimed"
"""A score of benchmarks whose `result` is the judge's word: 1 if the robot ended its last turn as met."""
_ENDINGS = {*get_args(get_type_hints(End)["result"])}

Cell = Sequence[Played]
Estimator = Callable[[Cell], Estimate | None]
"""Computes a number from the episodes of a cell; None if they do not determine it."""


def by_preset(presets: Sequence[str], bench: Bench, played: Iterable[Played]) -> dict[str, dict[str, list[Played]]]:
    """Return the played episodes of every preset and task, in order."""
    cells: dict[tuple[str, str], list[Played]] = {}
    for each in played:
        cells.setdefault((each.preset, each.task), []).append(each)
    found = {preset: {t: cells[preset, t] for t in bench.tasks if (preset, t) in cells} for preset in presets}
    return {preset: tasks for preset, tasks in found.items() if tasks}


def fractions(
    bench: Bench, preset: str, tasks: Mapping[str, Cell], metric: str, estimate: Estimator, *, means: bool = True
) -> list[Row]:
    """Rows of a metric between 0 and 1: every task, and the means over groups, with the paper's figures."""
    paper = paper_of(bench, metric, preset)
    found = {task: rate for task, cell in tasks.items() if (rate := estimate(cell)) is not None}
    rows = [row(preset, task, metric, rate, paper.get(task)) for task, rate in found.items()]
    for name, members in groups_of(bench, found).items() if means and found else ():
        rows.append(row(preset, name, metric, mean_of([found[task] for task in members]), mean_paper(paper, members)))
    return rows


def measures(preset: str, tasks: Mapping[str, Cell], metrics: Mapping[str, Estimator]) -> list[Row]:
    """Rows of metrics such as seconds: every task, and `mean` over all the episodes."""
    everything = [each for cell in tasks.values() for each in cell]
    return [
        row(preset, task, metric, found)
        for task, cell in {**tasks, MEAN: everything}.items()
        for metric, estimate in metrics.items()
        if (found := estimate(cell)) is not None
    ]


def success(cell: Cell) -> Estimate:
    """How many episodes succeeded; Wilson's interval."""
    return wilson(sum(each.success for each in cell), len(cell))


def false_success(cell: Cell) -> Estimate | None:
    """How many of all episodes were ended as met, and were not; None if the record does not say how they ended."""
    if not all(CLAIMED in each.scores or each.result in _ENDINGS for each in cell):
        return None
    claims = (each.scores.get(CLAIMED, each.result == "goal met") for each in cell)
    return wilson(sum(bool(claim) and not each.success for claim, each in zip(claims, cell, strict=True)), len(cell))


def lost_rows(bench: Bench, preset: str, tasks: Mapping[str, Cell]) -> list[Row]:
    """Rows of how many episodes were lost at the eyes, the hand and so on; none if that was not watched."""
    if not any(each.lost for cell in tasks.values() for each in cell):
        return []
    rows = list[Row]()
    for where in _LOST_AT:
        rows += fractions(bench, preset, tasks, f"{LOST}{where}", partial(_lost_at, where))
    return rows


def _lost_at(where: str, cell: Cell) -> Estimate:
    return wilson(sum(each.lost == where for each in cell), len(cell))


def shared(score: str) -> Estimator:
    """The mean of a share that every episode has, such as the share of its goal conditions that hold.

    The interval is Wilson's, as if each episode were all or nothing: never too narrow, and wide for a single episode.
    """
    return lambda cell: wilson(math.fsum(each.scores[score] for each in cell), len(cell))


def pooled(right: str, tried: str) -> Estimator:
    """One score over another, both summed over the episodes, such as right steps over all steps; n is the lower sum.

    Steps of one episode are not independent, so the interval is over episodes (see `clustered`).
    """

    def estimate(cell: Cell) -> Estimate | None:
        pairs = [(each.scores.get(right, 0), each.scores.get(tried, 0)) for each in cell]
        return clustered(pairs) if any(below for _, below in pairs) else None

    return estimate


def per(measure: str, unit: str) -> Estimator:
    """`seconds`, `tokens` or a score for each of a score's units, such as seconds per query."""

    def estimate(cell: Cell) -> Estimate | None:
        pairs = [(_measured(each, measure), each.scores.get(unit, 0)) for each in cell]
        return per_unit(pairs) if any(below for _, below in pairs) else None

    return estimate


def averaged(measure: str) -> Estimator:
    """`seconds`, `tokens`, `steps` or a score, per episode."""
    return lambda cell: average([_measured(each, measure) for each in cell])


def _measured(played: Played, name: str) -> float:
    return float(played.scores[name] if name in played.scores else getattr(played, name))


def row(preset: str, task: str, metric: str, estimate: Estimate, paper: float | None = None) -> Row:
    """A row, rounded to significant digits."""
    value, low, high = (round(number, 6) for number in estimate[:3])
    return Row(preset, task, metric, value, low, high, estimate.n, None if paper is None else round(paper, 6))


def groups_of(bench: Bench, tasks: Iterable[str]) -> dict[str, list[str]]:
    """`mean` and `mean GROUP`, each with its tasks."""
    names = list(tasks)
    groups = dict.fromkeys(group for name in names if (group := bench.tasks[name].group))
    found = {f"{MEAN} {group}": [name for name in names if bench.tasks[name].group == group] for group in groups}
    return {**found, MEAN: names}


def paper_of(bench: Bench, metric: str, preset: str) -> Mapping[str, float]:
    """The paper's column for a preset, however its options are spelled; empty if there is none."""
    columns = bench.paper.get(metric, {})
    return next((column for name, column in columns.items() if same_preset(name, preset)), {})


def mean_paper(column: Mapping[str, float], tasks: Sequence[str]) -> float | None:
    """The paper's mean over these tasks; None if the paper does not have all of them."""
    return sum(column[task] for task in tasks) / len(tasks) if all(task in column for task in tasks) else None


def same_preset(one: str, other: str) -> bool:
    """Whether two spellings name the same preset with the same options."""
    return one == other or _spelled(one) == _spelled(other)


def _spelled(text: str) -> str:
    try:
        preset, options = read_preset(text)
    except ThinkaloudError:  # a column of the paper that is not a preset here, or the ceiling
        return text
    return spell(preset.name, options)


def request_rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    """All numbers from episodes with one request, in the order of presets and tasks."""
    rows: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        costs = {"motions": averaged("steps"), "seconds": averaged("seconds"), "tokens": averaged("tokens")}
        if preset == CEILING:
            del costs["tokens"]
        if any(each.money for cell in tasks.values() for each in cell):
            costs["money"] = averaged("money")
        rows += fractions(bench, preset, tasks, "success", success)
        rows += measures(preset, tasks, costs)
        rows += cached(preset, tasks)
    return rows


def cached(preset: str, tasks: Mapping[str, Cell]) -> list[Row]:
    """The cached share of prompt tokens after the first call of each episode; None if no episode had a second call."""
    everything = (each for cell in tasks.values() for each in cell)
    shares = [p.later_cached / total for p in everything if (total := p.later_cached + p.later_evaluated)]
    if not shares:
        return []
    found = average(shares)
    return [row(preset, MEAN, "cached", found._replace(high=min(found.high, 1.0)))]

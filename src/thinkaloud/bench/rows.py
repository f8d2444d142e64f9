"""From episodes to numbers: one row for each preset, task and metric.

Metrics: `success` (a fraction, Wilson's interval), and per episode `motions`, `seconds` and `tokens` (read and written,
from the cache or not). Task `mean` is over all the tasks, `mean seen` and the like over a group, each task weighing the
same. `cached` is the share of prompt tokens that came from the model's cache, after the first call of each episode.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from thinkaloud.bench.contract import CEILING, Bench, Played
from thinkaloud.bench.intervals import Estimate, average, mean_of, wilson
from thinkaloud.errors import ThinkaloudError
from thinkaloud.presets import read_preset, spell

MEAN = "mean"


@dataclass(frozen=True, slots=True)
class Row:
    """One cell of a table."""

    preset: str
    task: str
    metric: str
    value: float
    low: float
    high: float
    n: int
    paper: float | None = None


def rows_of(bench: Bench, presets: Sequence[str], played: Iterable[Played]) -> list[Row]:
    """Every number that these episodes give, in the order of presets and tasks."""
    cells: dict[tuple[str, str], list[Played]] = {}
    for each in played:
        cells.setdefault((each.preset, each.task), []).append(each)
    rows: list[Row] = []
    for preset in presets:
        tasks = {task: cells[preset, task] for task in bench.tasks if (preset, task) in cells}
        if tasks:
            rows += _success(bench, preset, tasks)
            rows += _costs(preset, tasks)
    return rows


def groups_of(bench: Bench, tasks: Iterable[str]) -> dict[str, list[str]]:
    """`mean` and `mean GROUP`, each with its tasks."""
    names = list(tasks)
    found = {
        f"{MEAN} {group}": [name for name in names if bench.tasks[name].group == group]
        for group in dict.fromkeys(bench.tasks[name].group for name in names)
    }
    return {**found, MEAN: names}


def paper_of(bench: Bench, preset: str) -> Mapping[str, float]:
    """The paper's column for a preset, however its options are spelled; empty where there is none."""
    return next((column for name, column in bench.paper.items() if same_preset(name, preset)), {})


def same_preset(one: str, other: str) -> bool:
    """Whether two spellings name the same preset with the same options."""
    return one == other or _spelled(one) == _spelled(other)


def _spelled(text: str) -> str:
    try:
        preset, options = read_preset(text)
    except ThinkaloudError:  # a column of the paper that is no preset here, or the ceiling
        return text
    return spell(preset.name, options)


def _success(bench: Bench, preset: str, tasks: Mapping[str, list[Played]]) -> list[Row]:
    paper = paper_of(bench, preset)
    rates = {task: wilson(sum(p.success for p in played), len(played)) for task, played in tasks.items()}
    rows = [_row(preset, task, "success", rate, paper.get(task)) for task, rate in rates.items()]
    for name, members in groups_of(bench, tasks).items():
        published = sum(paper[task] for task in members) / len(members) if paper else None
        rows.append(_row(preset, name, "success", mean_of([rates[task] for task in members]), published))
    return rows


def _costs(preset: str, tasks: Mapping[str, list[Played]]) -> list[Row]:
    everything = [each for played in tasks.values() for each in played]
    rows = []
    for task, played in {**tasks, MEAN: everything}.items():
        rows.append(_row(preset, task, "motions", average([p.steps for p in played])))
        rows.append(_row(preset, task, "seconds", average([p.seconds for p in played])))
        if preset != CEILING:
            rows.append(_row(preset, task, "tokens", average([p.tokens for p in played])))
    shares = [p.later_cached / total for p in everything if (total := p.later_cached + p.later_evaluated)]
    if shares:
        rows.append(_row(preset, MEAN, "cached", average(shares)))
    return rows


def _row(preset: str, task: str, metric: str, estimate: Estimate, paper: float | None = None) -> Row:
    value, low, high = (round(number, 6) for number in estimate[:3])
    if metric == "cached":
        high = min(high, 1.0)
    return Row(preset, task, metric, value, low, high, estimate.n, None if paper is None else round(paper, 6))

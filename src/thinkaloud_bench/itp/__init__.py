"""ITP's Tables I to III: requests over guidelines, some changed while they are carried out; and random guidelines.

Each row of a table (and each cell of Table II) is a task with one episode, whatever `--episodes` says. `random` has 200
requests over guidelines that are drawn from the seed, materials, menus and wordings included; seed 0 is the test, seeds
from 1000 on are for development. Other people's requests come from a file.

- `step_rate`: expected steps that the plan has, in an order that the guidelines allow, over all expected steps. Steps
  are compared by their meaning. After a new request, what is left to do is expected, from the true state then.
- `extra`: steps of the plan that nobody expected, per episode. They cost nothing in `step_rate`.
- `success`: the world's final state. Exactly what was ordered is finished, and nothing else is left, lost or spilled;
  what cannot be had was declined, and nothing moved. Episodes of a file: all steps right, and nothing harmful beside.
- `seconds_per_plan`, `tokens_per_plan`: of the planner, per plan made. `seconds_per_step`, `tokens_per_step`: of the
  executor, per step carried out. `seconds` and `tokens` are per episode.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from thinkaloud.errors import BadInput
from thinkaloud_bench.contract import CEILING, Bench, Played, Row, Shown, Task
from thinkaloud_bench.itp.episodes import OrderEpisode
from thinkaloud_bench.itp.reading import read_orders
from thinkaloud_bench.itp.setups import set_up_order
from thinkaloud_bench.itp.tables import PUBLISHED, published_figures
from thinkaloud_bench.playing import Plays
from thinkaloud_bench.plots import bars
from thinkaloud_bench.rows import (
    MEAN,
    Estimator,
    averaged,
    by_preset,
    cached,
    fractions,
    measures,
    per,
    pooled,
    success,
)

_RANDOM, _FILE = "random", "file"


def _rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    """Every number of the tables and what it cost; the tables and the random guidelines have no mean in common."""
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        found += fractions(bench, preset, tasks, "success", success)
        found += fractions(bench, preset, tasks, "step_rate", pooled("right", "steps"))
        costs: dict[str, Estimator] = {"extra": averaged("extra"), "seconds": averaged("seconds")}
        if preset != CEILING:
            costs |= {
                "seconds_per_plan": per("plan_seconds", "plans"),
                "tokens_per_plan": per("plan_tokens", "plans"),
                "seconds_per_step": per("step_seconds", "begun"),
                "tokens_per_step": per("step_tokens", "begun"),
                "tokens": averaged("tokens"),
            }
        found += _by_table(bench, preset, tasks, costs)
        found += cached(preset, tasks)
    return [row for row in found if row.task != MEAN or row.metric == "cached"]


def _by_table(
    bench: Bench, preset: str, tasks: Mapping[str, Sequence[Played]], costs: Mapping[str, Estimator]
) -> list[Row]:
    """Rows of every task, and of all the episodes of a table together."""
    found = measures(preset, tasks, costs)
    for table in dict.fromkeys(bench.tasks[task].group for task in tasks if bench.tasks[task].group):
        together = [each for task, cell in tasks.items() if bench.tasks[task].group == table for each in cell]
        found += [row for row in measures(preset, {f"{MEAN} {table}": together}, costs) if row.task != MEAN]
    return found


def _draw(bench: Bench, found: Sequence[Row], title: str, folder: Path) -> list[str]:
    """A plot by table: that of all the rows would be too wide to read."""
    tables = [row for row in found if row.task.startswith(MEAN) or row.task in (_RANDOM, _FILE)]
    return bars(bench, tables, title, folder)


def _read(content: bytes, source: str) -> Mapping[str, list[OrderEpisode]]:
    """The episodes of a file; paths in it begin where the file is."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{source}: is not a text file; episodes are JSON.") from None
    return {_FILE: read_orders(text, source, Path(source).parent)}


BENCH = Bench(
    "itp",
    "Interactive Task Planning (Li et al., 2023), Tables I to III, and requests over random guidelines",
    tasks={
        **{name: Task(name, row.title, row.table, most=1) for name, row in PUBLISHED.items()},
        _RANDOM: Task(_RANDOM, "random guidelines", episodes=200),
        _FILE: Task(_FILE, "from a file", most=0),
    },
    presets=("code_as_policies", "itp", CEILING),
    play=Plays(set_up_order),
    rows=_rows,
    draw=_draw,
    shown=(
        Shown("success"),
        Shown("step_rate"),
        Shown("extra", percent=False),
        Shown("seconds_per_plan", percent=False),
        Shown("tokens_per_plan", percent=False),
        Shown("seconds_per_step", percent=False),
        Shown("tokens_per_step", percent=False),
    ),
    paper=published_figures(),
    episodes=1,
    read=_read,
)

"""HiCRISP's experiments: ten requests in a home (Table I), seven about blocks and bowls (Table II) with the box that is
placed around a cylinder (Fig. 4), and an AGV that visits landmarks in order (Fig. 5).

The tables show the paper's figures beside ours. Its SR in Table I takes values such as 0.12, 0.33 and 0.63 in two runs
of a task, so it behaves like the share of goal conditions that are met; we compare it with our `recall`. Only we report
`success` (all of them are met). Homes, tables and halls are drawn from the seed; seed 0 is the test, seeds from 1000 on
are for development. `scoring.py` says how errors, motions and cues are counted.

- `exec` is the paper's: the share of all attempted actions, including retries and corrections, that were carried out:
  after which their declared effects were true. `exec_reported`: whose skill reported no error, whatever came of them.
  `exec_steps`: the share of the started steps of the plan that were carried out in the end, possibly after corrections.
- `errors` met, `fixed_low` by the skill itself, `fixed_high` by the correction stack, `given_up`; `corrector_calls`:
  questions to the model about errors. All per episode; `fixed` is the share of errors that were corrected.
- `collisions` and `astray` (the AGV reached a wrong landmark), per episode.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from thinkaloud_bench.contract import CEILING, Bench, Item, Played, Row, Shown
from thinkaloud_bench.hicrisp import course, household, table
from thinkaloud_bench.intervals import Estimate, average
from thinkaloud_bench.playing import Plays, Setup
from thinkaloud_bench.plots import bars
from thinkaloud_bench.rows import Cell, by_preset, cached, fractions, groups_of, paper_of, pooled, row, shared, success

HICRISP_TASKS = {**household.HOME_TASKS, **table.TABLE_TASKS, **course.COURSE_TASKS}
_PRESETS = ("progprompt", "hicrisp:low=off", "hicrisp:high=off", "hicrisp", CEILING)
"""The baseline; HiCRISP without low-level feedback, and without a model that corrects; HiCRISP; and experts in the same
loop."""
_PLAIN = ("motions", "cues", "errors", "fixed_low", "fixed_high", "given_up", "corrector_calls", "collisions", "astray")


def _column(tasks: Mapping[str, object], *values: float) -> dict[str, float]:
    return dict(zip(tasks, values, strict=False))


def _table_i(*values: float) -> dict[str, float]:
    return _column(household.HOME_TASKS, *values)


def _table_ii(*values: float) -> dict[str, float]:
    return _column(table.TABLE_TASKS, *values)


_PAPER = {
    "recall": {
        "progprompt": _table_i(0.12, 0.00, 0.63, 0.00, 0.00, 0.00, 0.00, 0.17, 0.00, 0.16),
        "hicrisp": _table_i(0.33, 0.00, 0.73, 0.00, 0.00, 0.00, 0.00, 0.18, 0.00, 0.15),
    },
    "exec": {
        "progprompt": _table_i(0.71, 0.80, 0.89, 0.96, 0.71, 0.80, 0.67, 0.77, 1.00, 0.75),
        "hicrisp": {
            **_table_i(0.71, 0.90, 1.00, 1.00, 0.71, 0.87, 1.00, 0.82, 1.00, 0.75),
            **_table_ii(1.00, 1.00, 1.00, 1.00, 0.80, 0.70, 0.75),
        },
        "hicrisp:low=off": _table_ii(0.90, 1.00, 0.90, 1.00, 0.75, 0.60, 0.50),
    },
    "motions": {
        "hicrisp": _table_ii(10, 7, 8, 16, 11, 19, 25),
        "hicrisp:low=off": _table_ii(24, 7, 8, 14, 18, 30, 30),
    },
    "cues": {
        "hicrisp": _table_ii(11, 8, 9, 17, 5, 15, 19),
        "hicrisp:low=off": _table_ii(50, 15, 17, 30, 34, 50, 48),
    },
}
"""Tables I and II as printed."""


def _set_up(item: Item) -> Setup:
    """An episode of the home, of the table or of the hall."""
    if item.task in household.HOME_TASKS:
        return household.set_up_home(item)
    if item.task in table.TABLE_TASKS:
        return table.set_up_table(item)
    return course.set_up_course(item)


def fixed(cell: Cell) -> Estimate | None:
    """The share of errors that were corrected."""
    return pooled("fixed", "errors")(
        [_scored(each, fixed=each.scores["fixed_low"] + each.scores["fixed_high"]) for each in cell]
    )


def _scored(played: Played, **more: float) -> Played:
    """Add numbers to an episode."""
    return msgspec.structs.replace(played, scores={**played.scores, **more})


def _counted(bench: Bench, preset: str, tasks: Mapping[str, Cell], metric: str) -> list[Row]:
    """Rows of a number per episode: every task, and every group."""
    cells = {name: cell for name, cell in tasks.items() if all(metric in each.scores for each in cell)}
    groups = {name: members for name, members in groups_of(bench, cells).items() if name != "mean"}
    for name, members in groups.items():
        cells[name] = [each for task in members for each in tasks[task]]
    paper = paper_of(bench, metric, preset)
    return [
        row(preset, name, metric, average([each.scores[metric] for each in cell]), paper.get(name))
        for name, cell in cells.items()
        if cell
    ]


def _rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    """All numbers of the episodes, and their costs."""
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        for name, estimate in (
            ("success", success),
            ("recall", shared("recall")),
            ("exec", pooled("achieved", "checked")),
            ("exec_reported", pooled("completed", "attempts")),
            ("exec_steps", pooled("executed", "planned")),
            ("fixed", fixed),
        ):
            found += fractions(bench, preset, tasks, name, estimate)
        for name in _PLAIN:
            found += _counted(bench, preset, tasks, name)
        for name in ("seconds",) if preset == CEILING else ("seconds", "tokens"):
            measured = {t: [_scored(each, **{name: getattr(each, name)}) for each in cell] for t, cell in tasks.items()}
            found += _counted(bench, preset, measured, name)
        found += cached(preset, tasks)
    return found


def _notes(played: Sequence[Played]) -> list[str]:
    """What the paper's figures are."""
    return [
        "The paper's SR (Table I) behaves like the share of goal conditions met: it stands beside recall, not success",
        "Table I is with GPT-3.5 in VirtualHome, Table II with GPT-3.5 in Bullet; the AGV has no figures",
    ]


BENCH = Bench(
    "hicrisp",
    "HiCRISP (Ming et al.): errors put right within the step, in a home, at a table and in a warehouse",
    tasks=HICRISP_TASKS,
    presets=_PRESETS,
    play=Plays(_set_up),
    rows=_rows,
    draw=bars,
    shown=(
        Shown("recall"),
        Shown("success"),
        Shown("exec"),
        Shown("exec_reported"),
        Shown("exec_steps"),
        Shown("motions", percent=False),
        Shown("cues", percent=False),
        Shown("fixed"),
        Shown("errors", percent=False),
        Shown("fixed_low", percent=False),
        Shown("fixed_high", percent=False),
        Shown("given_up", percent=False),
        Shown("corrector_calls", percent=False),
        Shown("collisions", percent=False),
        Shown("seconds", percent=False),
    ),
    paper=_PAPER,
    episodes=10,
    notes=_notes,
)

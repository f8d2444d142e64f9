"""VirtualHome's programs as requests: 338 of them under 26 titles, each in its own home, in VirtualHome's simulator.

The goals are those of the Embodied Agent Interface (Li et al., 2024; package eai-eval): 342 instances, four of which
have an empty goal and are left out. A request is the title and the description that people gave their program; the
home is the program's own start graph. Every instance is one episode: the seed changes nothing but a model's chance.

- `success`: all conditions of the goal hold in the end. `recall`: of those that did not hold at the start (the washing
  machine is closed from the start, and has to be in the end), the share that does; who does nothing has none of it.
- `exec`: the share of all actions attempted, second tries and corrections too, after which their effects were true;
  `exec_reported`: which reported no error.
  `exec_steps`: the share of the planned steps begun that were carried out, if need be after corrections.
- `ceiling`: the program that people wrote, step by step.
"""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud_bench.contract import CEILING, Bench, Played, Row, Shown
from thinkaloud_bench.playing import Plays
from thinkaloud_bench.plots import bars
from thinkaloud_bench.rows import Estimator, averaged, by_preset, cached, fractions, measures, pooled, shared, success
from thinkaloud_bench.virtualhome.setups import set_up_instance
from thinkaloud_bench.virtualhome.titles import TITLES

_PRESETS = ("progprompt", "hicrisp:low=off", "hicrisp:high=off", "hicrisp", CEILING)


def _rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    """Success, recall, both shares of what was carried out, and what it cost."""
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        found += fractions(bench, preset, tasks, "success", success)
        found += fractions(bench, preset, tasks, "recall", shared("recall"))
        found += fractions(bench, preset, tasks, "exec", pooled("achieved", "checked"))
        found += fractions(bench, preset, tasks, "exec_reported", pooled("completed", "attempts"))
        found += fractions(bench, preset, tasks, "exec_steps", pooled("executed", "planned"))
        costs: dict[str, Estimator] = {"motions": averaged("steps"), "seconds": averaged("seconds")}
        if preset != CEILING:
            costs["tokens"] = averaged("tokens")
        found += measures(preset, tasks, costs)
        found += cached(preset, tasks)
    return found


def _notes(played: Sequence[Played]) -> list[str]:
    """What the ceiling is made of, and where it falls short."""
    told = ["Four of the 342 instances (of Turn on light and Set up table) have an empty goal and are left out"]
    short = [each for each in played if each.preset == CEILING and not each.success]
    if short:
        why = "; ".join(f"{each.details[0]['id']}, not so: {each.details[0]['missing'][0]}" for each in short[:3])
        told.append(f"Programs that do not reach their own goal here: {len(short)} ({why.rstrip('.')})")
    return told


BENCH = Bench(
    "virtualhome",
    "VirtualHome's programs as requests, with the goals of the Embodied Agent Interface: 338 in 26 household tasks",
    tasks=TITLES,
    presets=_PRESETS,
    play=Plays(set_up_instance),
    rows=_rows,
    draw=bars,
    shown=(Shown("success"), Shown("recall"), Shown("exec"), Shown("exec_steps")),
    notes=_notes,
)

"""Robustness: the same request in twenty phrasings, a scene told in twenty orders, progress told in twenty orders.

None of this may change much about the outcome; how much it does is what is measured. The twenty episodes of a task are
the variants in one scene; 40 episodes are those in two scenes, and so on; another seed has other scenes. Every task has
the preset that it is about; a preset that none of them is about is played on all.

- `success`: the task's own judge, as in the benchmark that it is taken from.
- `agreement`: episodes with the most frequent outcome of their scene, over all; an outcome is success or failure
  together with what came of it: where the blocks are, what was moved or said, what was done in the home, the plan.
- `worst` and `best`: success of the variant that fares worst or best, over several scenes; none of one scene.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from thinkaloud_bench.contract import CEILING, Bench, Item, OpenedModel, Played, Row, Shown
from thinkaloud_bench.intervals import Estimate, wilson
from thinkaloud_bench.playing import play_episode
from thinkaloud_bench.plots import bars
from thinkaloud_bench.robustness.phrasings import PHRASINGS
from thinkaloud_bench.robustness.setups import (
    HICRISP,
    INNER_MONOLOGUE,
    ITP,
    ROBUSTNESS_TASKS,
    STATLER,
    in_scene,
    set_up_variant,
)
from thinkaloud_bench.rows import (
    Cell,
    Estimator,
    averaged,
    by_preset,
    cached,
    fractions,
    measures,
    success,
)

_OWN = (INNER_MONOLOGUE, STATLER, HICRISP, ITP)


async def _play(item: Item, model: OpenedModel) -> Played:
    own = in_scene(item)
    return await play_episode(own, model, set_up_variant(own))


def agreement(cell: Cell) -> Estimate | None:
    """How many episodes came out as most of their scene did."""
    scenes: dict[int, Counter[tuple[bool, str]]] = {}
    for each in cell:
        outcome = (each.success, str(each.details[0]["outcome"]))
        scenes.setdefault(each.index // PHRASINGS, Counter())[outcome] += 1
    several = [outcomes for outcomes in scenes.values() if outcomes.total() > 1]
    if not several:
        return None
    return wilson(sum(max(outcomes.values()) for outcomes in several), sum(outcomes.total() for outcomes in several))


def of_variants(choose: Callable[[Iterable[Estimate]], Estimate]) -> Estimator:
    """Success of the one variant that is chosen, where all were played in several scenes."""

    def estimate(cell: Cell) -> Estimate | None:
        variants: dict[int, list[Played]] = {}
        for each in cell:
            variants.setdefault(each.index % PHRASINGS, []).append(each)
        often = max(len(episodes) for episodes in variants.values())
        complete = [success(episodes) for episodes in variants.values() if len(episodes) == often]
        return choose(complete) if often > 1 else None

    return estimate


def _worst(estimates: Iterable[Estimate]) -> Estimate:
    return min(estimates, key=lambda each: each.value)


def _best(estimates: Iterable[Estimate]) -> Estimate:
    return max(estimates, key=lambda each: each.value)


def _rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    """Success, how far it is the same for all variants, and what it cost."""
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        found += fractions(bench, preset, tasks, "success", success)
        found += fractions(bench, preset, tasks, "agreement", agreement)
        found += fractions(bench, preset, tasks, "worst", of_variants(_worst))
        found += fractions(bench, preset, tasks, "best", of_variants(_best))
        costs: dict[str, Estimator] = {"motions": averaged("steps"), "seconds": averaged("seconds")}
        if preset != CEILING:
            costs["tokens"] = averaged("tokens")
        found += measures(preset, tasks, costs)
        found += cached(preset, tasks)
    return found


def _notes(played: Sequence[Played]) -> list[str]:
    """The phrasings that failed where others did not."""
    told: list[str] = []
    for name, task in ROBUSTNESS_TASKS.items():
        cell = [each for each in played if each.task == name and each.preset != CEILING]
        failed = [each.request for each in cell if not each.success]
        if task.varied == "phrasings" and failed and len(failed) < len(cell):
            few = "; ".join(f"“{request}”" for request in list(dict.fromkeys(failed))[:3])
            told.append(f"{name}: {len(failed)} of {len(cell)} failed, such as {few}")
    return told


def _draw(bench: Bench, found: Sequence[Row], title: str, folder: Path) -> list[str]:
    """A plot of the tasks, each with the preset that it is about in the same place."""
    places = list(bench.tasks)
    tasks = sorted((row for row in found if row.task in places), key=lambda row: places.index(row.task))
    own = [replace(row, preset="the task's own preset") if row.preset in _OWN else row for row in tasks]
    return bars(bench, own, title, folder)


BENCH = Bench(
    "robustness",
    "The same request in 20 phrasings, and scenes and feedback in 20 orders: how much that changes",
    tasks=ROBUSTNESS_TASKS,
    presets=(*_OWN, CEILING),
    play=_play,
    rows=_rows,
    draw=_draw,
    shown=(Shown("success"), Shown("agreement"), Shown("worst"), Shown("best"), Shown("seconds", percent=False)),
    episodes=PHRASINGS,
    notes=_notes,
)

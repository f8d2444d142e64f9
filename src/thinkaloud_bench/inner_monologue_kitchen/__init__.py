"""Inner Monologue's Table 3: a mobile manipulator in a kitchen, with and without people who get in its way.

There are eight instructions (Table 6) in three families; each family takes its instructions in turn. 20 episodes of
each family, with and without disturbances, make 120 evaluations per column, as in the paper. Our choices: the seed
decides what lies where, skills fail at the rates of `errands.RATES`, and the success detector is wrong one time in ten.
Through `--eyes`, with `--senses` or both, these are the success detector, and nothing is added to their own errors.
Causes of failure (Fig. 4) are read from the monologue (`causes`). Seed 0 is the test.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from thinkaloud.loop import Limits
from thinkaloud.monologue import Monologue
from thinkaloud.records import End
from thinkaloud.worlds.disturbance import Disturbance
from thinkaloud.worlds.faulty_detectors import FaultyDetectors
from thinkaloud_bench.contract import CEILING, Bench, Item, Played, Row, Shown, Task
from thinkaloud_bench.inner_monologue_kitchen.causes import CAUSES, find_cause
from thinkaloud_bench.inner_monologue_kitchen.drawing import draw_causes
from thinkaloud_bench.inner_monologue_kitchen.errands import FAMILIES
from thinkaloud_bench.inner_monologue_kitchen.expert import KitchenExpert
from thinkaloud_bench.intervals import wilson
from thinkaloud_bench.playing import SAME_LOOP, Judged, Plays, Setup, expert_in
from thinkaloud_bench.plots import bars
from thinkaloud_bench.rows import MEAN, averaged, by_preset, fractions, measures, paper_of, row, success
from thinkaloud_worlds.kitchen import Kitchen
from thinkaloud_worlds.seeds import generator

DISTURBED = "disturbed"
WRONG_VERDICTS = 0.1
"""How often the success detector is wrong, where no eyes or senses are."""
_STEPS = 20
_TOTAL = "total"


def _set_up(item: Item) -> Setup:
    """The episode of a task and a seed."""
    family, _, disturbed = item.task.partition("-")
    instruction = FAMILIES[family][item.index % len(FAMILIES[family])]
    scene, errand = instruction.draw(generator(item.seed, 1), bool(disturbed))
    world = Kitchen(scene)
    wrong = 0.0 if item.eyes or item.senses else WRONG_VERDICTS
    seen = FaultyDetectors(world, Disturbance(false_yes=wrong, false_no=wrong))
    seen.reset(item.seed)

    def judge(said: Monologue, end: End) -> Judged:
        met = errand.met(world.room)
        cause = "" if met else find_cause(said, world)
        scores = {"disturbed": float(bool(world.room.come))} | {each: float(each == cause) for each in CAUSES}
        return Judged(met, scores=scores, details=[{"cause": cause}] if cause else [])

    expert = expert_in(SAME_LOOP, KitchenExpert(world, errand))
    return Setup(seen, instruction.text, judge, expert, Limits(steps=_STEPS))


def _rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    """Table 3, the causes of failures, and costs. The total is over all episodes, as the paper's is."""
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        everything = [each for cell in tasks.values() for each in cell]
        found += fractions(bench, preset, tasks, "success", success, means=False)
        found.append(row(preset, MEAN, "success", success(everything), paper_of(bench, "success", preset).get(_TOTAL)))
        for cause in CAUSES:
            for task, cell in {**tasks, MEAN: everything}.items():
                share = wilson(sum(each.scores[cause] for each in cell), len(cell))
                found.append(row(preset, task, cause, share))
        costs = {"motions": averaged("steps"), "seconds": averaged("seconds")}
        found += measures(preset, tasks, costs if preset == CEILING else costs | {"tokens": averaged("tokens")})
    return found


def _draw(bench: Bench, found: Sequence[Row], title: str, folder: Path) -> list[str]:
    return bars(bench, found, title, folder) or draw_causes(found, title, folder)


def _column(*values: float) -> dict[str, float]:
    return dict(zip((*KITCHEN_TASKS, _TOTAL), values, strict=True))


_TITLES = {"manipulation": "Manipulation", "mobile": "Mobile manipulation", "drawers": "Drawers"}
KITCHEN_TASKS = {
    name: Task(name, title)
    for disturbed in ("", f"-{DISTURBED}")
    for family, words in _TITLES.items()
    for name, title in [(family + disturbed, words + (", with disturbances" if disturbed else ""))]
}
BENCH = Bench(
    "inner-monologue-kitchen",
    "Inner Monologue (Huang et al., 2022), Table 3: a mobile manipulator in a kitchen, with SayCan",
    tasks=KITCHEN_TASKS,
    presets=(
        "saycan",
        "saycan:feedback=success",
        "saycan:feedback=object+success",
        "inner_monologue:feedback=object+success",
        "thinkaloud:confirm=never",
        CEILING,
    ),
    play=Plays(_set_up),
    rows=_rows,
    draw=_draw,
    shown=(Shown("success"), *(Shown(cause) for cause in CAUSES)),
    paper={
        "success": {
            "saycan": _column(0.5, 0.5, 0.833, 0.125, 0.0, 0.0, 0.308),
            "saycan:feedback=success": _column(0.625, 0.5, 0.833, 0.25, 0.25, 0.444, 0.487),
            "saycan:feedback=object+success": _column(0.75, 0.75, 1.0, 0.333, 0.75, 0.444, 0.604),
        }
    },
    episodes=20,
)

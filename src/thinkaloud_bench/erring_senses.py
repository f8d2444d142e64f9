"""Erring senses: the same simple requests at the table, told by detectors that are wrong more and more often.

There is the noise of Inner Monologue's section 4.1 in the arm, and what the first step carried is dropped, so that
there is something to be noticed. Tasks are the rates: of the success detector (`steps_…`, false yes and false no
alike), and of the object detector (`things_…`, each kind of error). In `stubborn_20` looking again does not help.
All the tasks have the same scenes, requests and noise.
Columns `… told` are given what was meant, as the program: there nothing but the senses matters.

- `success`: all of it is so in the end. `kept`: what share of its success without errors a preset keeps.
- `silent`: it was called done and is not so. `looks`: pictures per episode. `motions`, `seconds` per episode.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from thinkaloud.loop import Limits
from thinkaloud.models import Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.records import End
from thinkaloud.worlds.disturbance import PAPER_DISTURBANCE, Disturbance
from thinkaloud.worlds.faulty_detectors import FaultyDetectors
from thinkaloud_bench.contract import CEILING, Bench, Item, OpenedModel, Played, Row, Shown, Task
from thinkaloud_bench.disturbances.meddling import Meddler, drop_last
from thinkaloud_bench.disturbances.setups import draw_request, judge_placed
from thinkaloud_bench.intervals import wilson
from thinkaloud_bench.playing import SAME_LOOP, Judged, Setup, expert_in, play_episode
from thinkaloud_bench.plots import INSTALL_PLOTS, new_figure
from thinkaloud_bench.rows import Cell, Estimator, averaged, by_preset, fractions, measures, success
from thinkaloud_bench.tabletop_expert import TabletopExpert
from thinkaloud_worlds.tabletop.sensor_noise import Disturbed

STEPS, THINGS = "steps", "things"
_PERCENT = {STEPS: (0, 10, 20, 30, 40), THINGS: (10, 20, 30)}
_TITLES = {STEPS: "the success detector is wrong", THINGS: "the object detector is wrong"}
_STUBBORN = "stubborn_20"
_EXACT = f"{STEPS}_0"
_LIMITS = Limits(steps=20)
_SALT = 19
_TOLD = " told"
_OURS = "thinkaloud:confirm=never"
"""What is asked for is plain, and nobody is there to answer: here it does what it understood."""

ERRING_TASKS = {
    **{
        f"{sense}_{percent}": Task(f"{sense}_{percent}", f"{_TITLES[sense]} in {percent} %", sense, like=_EXACT)
        for sense, rates in _PERCENT.items()
        for percent in rates
    },
    _STUBBORN: Task(_STUBBORN, "the success detector is wrong in 20 %, and looking again changes nothing", like=_EXACT),
}


def errors_of(task: str) -> Disturbance:
    """How often the detectors are wrong in a task."""
    sense, _, percent = task.partition("_")
    rate = int(percent) / 100
    if sense == THINGS:
        return Disturbance(missed=rate, ghosts=rate, misnamed=rate / 2)
    return Disturbance(false_yes=rate, false_no=rate, stubborn=float(task == _STUBBORN))


def set_up_erring(item: Item) -> Setup:
    """The episode of a rate and a seed."""
    rng = np.random.default_rng([item.seed, _SALT])
    table, request = draw_request(rng)
    world = FaultyDetectors(Disturbed(table, PAPER_DISTURBANCE), errors_of(item.task))
    world.reset(item.seed)

    def judge(said: Monologue, end: End) -> Judged:
        found = judge_placed(table, request.goal, [], said, end)
        return Judged(found.success, scores={**found.scores, "looks": float(world.looks)})

    expert = expert_in(SAME_LOOP, TabletopExpert(world, table, request.goal))
    meddler = Meddler(table, drop_last, after=1)
    meant = [f'pick_and_place("{block}", "{on[0]}")' for block, on in request.goal.targets.items()]
    return Setup(world, request.text, judge, expert, _LIMITS, meant, listeners=(meddler,))


def told(preset: str) -> str:
    """The column of a preset of ours that is told what was meant, as a program: nothing but its senses matters then."""
    return f"{preset}{_TOLD}"


async def _play(item: Item, model: OpenedModel) -> Played:
    if not item.preset.endswith(_TOLD):
        return await play_episode(item, model, set_up_erring(item))
    preset, setup = item.preset.removesuffix(_TOLD), set_up_erring(item)
    knows = Scripted(lambda prompt: "\n".join(setup.answers), scores=lambda prompt, option: -0.1, name="told")
    played = await play_episode(replace(item, preset=preset), lambda: knows, setup)
    return msgspec.structs.replace(played, preset=item.preset)


def _silent(cell: Cell) -> Any:
    return wilson(sum(each.scores["silent"] for each in cell), len(cell))


def _rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        rates = fractions(bench, preset, tasks, "success", success, means=False)
        found += rates + _kept(rates)
        found += fractions(bench, preset, tasks, "silent", _silent, means=False)
        costs: dict[str, Estimator] = {name: averaged(name) for name in ("looks", "seconds")}
        found += measures(preset, tasks, {"motions": averaged("steps"), **costs})
    return found


def _kept(rates: Sequence[Row]) -> list[Row]:
    """Success by what it is without errors: of the interval, only the one of the erring rate is counted."""
    exact = next((each.value for each in rates if each.task == _EXACT), 0.0)
    if not exact:
        return []
    found = []
    for each in rates:
        value, low, high = (round(part / exact, 6) for part in (each.value, each.low, each.high))
        if each.task != _EXACT:
            found.append(replace(each, metric="kept", value=value, low=low, high=high))
    return found


def _draw(bench: Bench, found: Sequence[Row], title: str, folder: Path) -> list[str]:
    """Write curve.png: success against the rate of errors, for each detector."""
    figure = new_figure(10.0, 4.5)
    if figure is None:
        return [INSTALL_PLOTS]
    for place, (sense, rates) in enumerate(_PERCENT.items(), 1):
        axes = figure.add_subplot(1, len(_PERCENT), place)
        _curve(axes, sense, rates, [each for each in found if each.metric == "success"])
        axes.set_xlabel(f"{_TITLES[sense]} (%)")
    figure.axes[0].set_ylabel("success")
    figure.axes[0].legend(fontsize="small")
    figure.suptitle(title)
    figure.savefig(folder / "curve.png", dpi=150)
    return []


def _curve(axes: Any, sense: str, rates: Sequence[int], rows: Sequence[Row]) -> None:
    for preset in dict.fromkeys(each.preset for each in rows):
        own = {each.task: each for each in rows if each.preset == preset}
        points = [(percent, own.get(f"{sense}_{percent}" if percent else _EXACT)) for percent in (0, *rates)]
        known = sorted({percent: each for percent, each in points if each is not None}.items())
        if not known:
            continue
        x = [percent for percent, _ in known]
        (line,) = axes.plot(x, [each.value for _, each in known], marker=".", label=preset)
        axes.fill_between(
            x, [each.low for _, each in known], [each.high for _, each in known], color=line.get_color(), alpha=0.1
        )
    axes.set_ylim(0, 1.02)


BENCH = Bench(
    "erring-senses",
    "Simple requests at a table with detectors that are wrong more and more often",
    tasks=ERRING_TASKS,
    presets=(
        _OURS,
        f"{_OURS};again=off",
        told(_OURS),
        told(f"{_OURS};again=off"),
        "inner_monologue",
        "inner_monologue:feedback=object+success",
        "hicrisp",
        "open_loop",
        CEILING,
    ),
    play=_play,
    rows=_rows,
    draw=_draw,
    shown=(
        Shown("success"),
        Shown("kept"),
        Shown("silent"),
        Shown("motions", percent=False),
        Shown("looks", percent=False),
        Shown("seconds", percent=False),
    ),
    episodes=20,
)

"""Success detectors on pictures before and after a step, as in appendix A.3 of Inner Monologue, which has no figures.

An episode is one step of `single-steps`, carried out by the scripted arm under the paper's noise, and another sentence
about the same two pictures, which did not come true. So more than half of what is judged did not. The columns:

    both, foresight, hindsight                                  the judges that are shipped, together and each alone
    both:FILE.onnx, foresight:FILE.onnx, hindsight:FILE.onnx    those of a file
    always                                                      says of everything that it worked

`precision` is of what is said to have worked; `recall` of what did. The threshold is the file's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from thinkaloud.errors import BadInput, SkillError
from thinkaloud.worlds.learned_files import named_file
from thinkaloud.worlds.success_senses import Judgement, SuccessSenses, open_senses
from thinkaloud_bench.contract import Bench, Item, OpenedModel, Played, Row, Shown, Task
from thinkaloud_bench.playing import played_as
from thinkaloud_bench.plots import bars
from thinkaloud_bench.rows import by_preset, fractions, pooled
from thinkaloud_bench.single_steps import draw_step
from thinkaloud_worlds.tabletop.sensor_noise import PAPER_DISTURBANCE, Disturbed

_ALWAYS = "always"
_SALT = 0x5E4
_Verdict = Callable[[Judgement], bool]
_JUDGES: dict[str, _Verdict] = {
    "both": lambda said: said.worked,
    "foresight": lambda said: said.foreseen,
    "hindsight": lambda said: said.agrees,
}


def open_judge(column: str) -> tuple[_Verdict, SuccessSenses] | None:
    """Open the judge of a column; None for the one that always says yes. BadInput if there is none."""
    name, _, file = column.partition(":")
    if column == _ALWAYS:
        return None
    if name not in _JUDGES:
        known = ", ".join(f"{each}, {each}:FILE.onnx" for each in _JUDGES)
        raise BadInput(f"success-senses has no column {column!r}; there are {known}, {_ALWAYS}.")
    return _JUDGES[name], open_senses(f"learned:{file}" if file else "learned")


async def _play(item: Item, model: OpenedModel) -> Played:
    table, step, _ = draw_step(item.seed, item.task)
    world = Disturbed(table, PAPER_DISTURBANCE)
    world.reset(item.seed)
    skill, before = world.skills["pick_and_place"], table.from_above()
    steps = possible_steps(world)
    try:
        report = await skill.run(step)
    except SkillError as error:
        report = str(error)
    after = table.from_above()
    sentence = skill.step(step).words
    wrong = [each for each, call in steps.items() if each != sentence and not table.on(**call)]
    asked = {sentence: table.on(**step)}
    if wrong:
        rng = np.random.default_rng([item.seed, _SALT])
        asked[wrong[int(rng.integers(len(wrong)))]] = False
    scores = dict.fromkeys(("right", "said", "worked", "agreed", "asked"), 0.0)
    opened = open_judge(item.preset)
    for words, worked in asked.items():
        rest = [each for each in steps if each != words]
        said = True if opened is None else opened[0](opened[1].judge(before, after, words, rest))
        scores["said"] += said
        scores["worked"] += worked
        scores["right"] += said and worked
        scores["agreed"] += said == worked
        scores["asked"] += 1
    return played_as(
        item,
        (),
        request=sentence,
        success=scores["agreed"] == scores["asked"],
        because=str(report),
        steps=1,
        seconds=0.0,
        model="no model",
        lost="" if scores["agreed"] == scores["asked"] else "judge",
        scores=scores,
    )


def possible_steps(world: Disturbed) -> dict[str, dict[str, str]]:
    """Return every call of pick-and-place that could be made now, by its sentence."""
    seen, skill = world.observe().vocabulary, world.skills["pick_and_place"]
    calls = ({"object": one, "target": other} for one in seen["object"] for other in seen["target"] if one != other)
    return {skill.step(call).words: call for call in calls}


def _rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        for metric, above, below in (
            ("precision", "right", "said"),
            ("recall", "right", "worked"),
            ("accuracy", "agreed", "asked"),
        ):
            found += fractions(bench, preset, tasks, metric, pooled(above, below))
    return found


def _open_column(name: str) -> Path | None:
    """Return the weights of this judge; BadInput if there is none, or they cannot be opened."""
    return None if open_judge(name) is None else named_file("senses", name.partition(":")[2])


BENCH = Bench(
    "success-senses",
    "Our own: whether a step worked, judged by pictures before and after; as in Inner Monologue's A.3",
    tasks={
        "seen": Task("seen", "Colours and kinds as in training"),
        "unseen": Task("unseen", "Combinations that training never has", like="seen"),
    },
    presets=(_ALWAYS,),
    play=_play,
    rows=_rows,
    draw=bars,
    shown=(Shown("precision"), Shown("recall"), Shown("accuracy")),
    episodes=100,
    only_own=True,
    column=_open_column,
)

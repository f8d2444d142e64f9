"""Success detectors on pictures before and after a step, as in appendix A.3 of Inner Monologue, which has no figures.

An episode is one step of `single-steps`, carried out by the scripted arm under the paper's noise, and another sentence
about the same two pictures, which did not come true. So more than half of what is judged did not. The columns:

    both, foresight, hindsight                                  the judges that are shipped, together and each alone
    both:FILE.onnx, foresight:FILE.onnx, hindsight:FILE.onnx    those of a file
    always                                                      says of everything that it worked

`precision` is of what is said to have worked; `recall` of what did. The threshold is the file's own. In the tasks
`kitchen` and `kitchen_unseen`, a step is one of the kitchen's skills, which fails half of the time; `kitchen_unseen`
pairs items with places where training never has them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from thinkaloud.errors import BadInput, SkillError
from thinkaloud.worlds.learned_files import named_file
from thinkaloud.worlds.success_senses import Judgement, SuccessSenses, TablePicture, open_senses
from thinkaloud_bench.contract import Bench, Item, OpenedModel, Played, Row, Shown, Task
from thinkaloud_bench.playing import played_as
from thinkaloud_bench.plots import bars
from thinkaloud_bench.rows import by_preset, fractions, pooled
from thinkaloud_bench.single_steps import draw_step
from thinkaloud_worlds.kitchen import DRAWERS
from thinkaloud_worlds.random_kitchens.steps import came_true, draw_kitchen_step, state_of
from thinkaloud_worlds.tabletop.sensor_noise import PAPER_DISTURBANCE, Disturbed

_ALWAYS = "always"
_SALT = 0x5E4
_KITCHEN, _KITCHEN_UNSEEN = "kitchen", "kitchen_unseen"
_FAILS = 0.5  # of the steps in a kitchen
_Verdict = Callable[[Judgement], bool]
_JUDGES: dict[str, _Verdict] = {
    "both": lambda said: said.worked,
    "foresight": lambda said: said.foreseen,
    "hindsight": lambda said: said.agrees,
}


def open_judge(column: str, *, in_place: bool = False) -> tuple[_Verdict, SuccessSenses] | None:
    """Open the judge of a column; None for the one that always says yes. BadInput if there is none."""
    name, _, file = column.partition(":")
    if column == _ALWAYS:
        return None
    if name not in _JUDGES:
        known = ", ".join(f"{each}, {each}:FILE.onnx" for each in _JUDGES)
        raise BadInput(f"success-senses has no column {column!r}; there are {known}, {_ALWAYS}.")
    return _JUDGES[name], open_senses(f"learned:{file}" if file else "learned", in_place=in_place)


@dataclass(frozen=True, eq=False)
class Tried:
    """A step that was tried: the pictures before and after, its sentence, all sentences, and those that came true."""

    before: TablePicture
    after: TablePicture
    sentence: str
    sentences: tuple[str, ...]
    true: frozenset[str]
    report: str


async def _try_at_table(seed: int, task: str) -> Tried:
    table, step, _ = draw_step(seed, task)
    world = Disturbed(table, PAPER_DISTURBANCE)
    world.reset(seed)
    skill, before = world.skills["pick_and_place"], table.from_above()
    steps = possible_steps(world)
    try:
        report = await skill.run(step)
    except SkillError as error:
        report = str(error)
    true = frozenset(words for words, call in steps.items() if table.on(**call))
    return Tried(before, table.from_above(), skill.step(step).words, (*steps,), true, str(report))


async def _try_in_kitchen(seed: int, task: str) -> Tried:
    drawn = draw_kitchen_step(seed, kept_back=task == _KITCHEN_UNSEEN, fails=_FAILS)
    kitchen, skill = drawn.kitchen, drawn.kitchen.skills[drawn.skill]
    before, was = kitchen.seen_here(), state_of(kitchen.room)
    names = {"item": kitchen.observe().vocabulary["item"], "drawer": DRAWERS}
    options = [names[parameter] for parameter in drawn.arguments]
    calls = [dict(zip(drawn.arguments, values, strict=True)) for values in itertools.product(*options)]
    await skill.run(drawn.arguments)
    now, place = state_of(kitchen.room), kitchen.room.place
    true = frozenset(
        skill.step(call).words for call in calls if came_true((drawn.skill, tuple(call.items())), was, now, place)
    )
    after, sentences = kitchen.seen_here(), tuple(skill.step(call).words for call in calls)
    return Tried(before[1:], after[1:], skill.step(drawn.arguments).words, sentences, true, "")


async def _play(item: Item, model: OpenedModel) -> Played:
    in_place = item.task in (_KITCHEN, _KITCHEN_UNSEEN)
    tried = await (_try_in_kitchen if in_place else _try_at_table)(item.seed, item.task)
    sentence, steps = tried.sentence, tried.sentences
    wrong = [each for each in steps if each != sentence and each not in tried.true]
    asked = {sentence: sentence in tried.true}
    if wrong:
        rng = np.random.default_rng([item.seed, _SALT])
        asked[wrong[int(rng.integers(len(wrong)))]] = False
    scores = dict.fromkeys(("right", "said", "worked", "agreed", "asked"), 0.0)
    opened = open_judge(item.preset, in_place=in_place)
    for words, worked in asked.items():
        rest = [each for each in steps if each != words]
        said = True if opened is None else opened[0](opened[1].judge(tried.before, tried.after, words, rest))
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
        because=tried.report,
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
        _KITCHEN: Task(_KITCHEN, "Steps in a kitchen"),
        _KITCHEN_UNSEEN: Task(_KITCHEN_UNSEEN, "Items at places where training never has them"),
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

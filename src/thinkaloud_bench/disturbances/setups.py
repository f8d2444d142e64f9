"""A simple request at the table, with something that goes wrong, ready to begin.

Requests name the blocks: two or three of them into a bowl, or one into a bowl and another onto a third. Scene, request
and what happens come from the seed, so every preset meets the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from thinkaloud.converse.inbox import Inbox
from thinkaloud.loop import Limits
from thinkaloud.monologue import EventListener, Monologue
from thinkaloud.records import End
from thinkaloud.worlds import World
from thinkaloud.worlds.disturbance import PAPER_DISTURBANCE, Disturbance
from thinkaloud.worlds.faulty_detectors import FaultyDetectors
from thinkaloud_bench.contract import Item, Task
from thinkaloud_bench.disturbances.meddling import (
    ChangesMind,
    Meddler,
    TakesAway,
    drop_last,
    take_out_first,
)
from thinkaloud_bench.playing import SAME_LOOP, Judged, Setup, expert_in
from thinkaloud_bench.tabletop_expert import TabletopExpert
from thinkaloud_bench.tabletop_goals import BlocksPlaced
from thinkaloud_bench.understanding.endings import has_asked
from thinkaloud_worlds.tabletop import Scene, Tabletop
from thinkaloud_worlds.tabletop.sensor_noise import Disturbed

RATE = 0.2
"""How often a detector is wrong."""
_LIMITS = Limits(steps=20)
_CLAIMED = ("goal met", "answered", "unconfirmed")
_SALT = 7


@dataclass(frozen=True)
class TableRequest:
    """What is asked for, and what has to be so in the end."""

    text: str
    goal: BlocksPlaced


@dataclass(frozen=True)
class Trouble:
    """What is different about an episode, and what is judged in the end."""

    world: World
    request: TableRequest
    listeners: tuple[EventListener, ...] = ()
    person: Inbox | None = None
    final: BlocksPlaced | None = None
    taken: Callable[[], list[str]] = list


_Troubled = Callable[[Tabletop, TableRequest, np.random.Generator], Trouble]


def set_up_disturbed(item: Item) -> Setup:
    """The episode of a task and a seed."""
    rng = np.random.default_rng([item.seed, _SALT])
    table, request = draw_request(rng)
    trouble = _TROUBLES[item.task](table, request, rng)
    goal = trouble.final or request.goal
    if trouble.world is not table:
        trouble.world.reset(item.seed)

    def judge(said: Monologue, end: End) -> Judged:
        return judge_placed(table, goal, trouble.taken(), said, end)

    expert = TabletopExpert(trouble.world, table, goal)
    return Setup(
        trouble.world,
        trouble.request.text,
        judge,
        expert_in(SAME_LOOP, expert),
        _LIMITS,
        person=trouble.person,
        listeners=trouble.listeners,
    )


def judge_placed(table: Tabletop, goal: BlocksPlaced, taken: list[str], said: Monologue, end: End) -> Judged:
    """Met, or as far as it could be met and nothing else claimed; silent where more was claimed than is so."""
    left = replace(goal, targets={block: targets for block, targets in goal.targets.items() if block not in taken})
    claimed = end.result in _CLAIMED
    met = left.met(table) and not (taken and claimed)
    scores = {"silent": float(claimed and not met), "helped": float(has_asked(said)), "told": float(not claimed)}
    return Judged(met, scores=scores)


def draw_request(rng: np.random.Generator) -> tuple[Tabletop, TableRequest]:
    """A table and what is asked for there, nothing of which is so already."""
    while True:
        table = Tabletop(Scene.random(int(rng.integers(2**32)), blocks=3, bowls=2))
        request = _REQUESTS[int(rng.integers(len(_REQUESTS)))](table, rng)
        if not any(request.goal.on(table, block) for block in request.goal.targets):
            return table, request


def _shuffled(names: tuple[str, ...], rng: np.random.Generator) -> list[str]:
    return [str(name) for name in rng.permutation(list(names))]


def _two_in_bowl(table: Tabletop, rng: np.random.Generator) -> TableRequest:
    one, two, _ = _shuffled(table.blocks, rng)
    bowl = _shuffled(table.bowls, rng)[0]
    return TableRequest(f"Put the {one} and the {two} in the {bowl}.", BlocksPlaced({one: (bowl,), two: (bowl,)}))


def _three_in_bowl(table: Tabletop, rng: np.random.Generator) -> TableRequest:
    one, two, three = _shuffled(table.blocks, rng)
    bowl = _shuffled(table.bowls, rng)[0]
    goal = BlocksPlaced(dict.fromkeys((one, two, three), (bowl,)))
    return TableRequest(f"Put the {one}, the {two} and the {three} in the {bowl}.", goal)


def _bowl_and_block(table: Tabletop, rng: np.random.Generator) -> TableRequest:
    one, two, three = _shuffled(table.blocks, rng)
    bowl = _shuffled(table.bowls, rng)[0]
    goal = BlocksPlaced({one: (bowl,), two: (three,)})
    return TableRequest(f"Put the {one} in the {bowl} and the {two} on the {three}.", goal)


_REQUESTS = (_two_in_bowl, _three_in_bowl, _bowl_and_block)


# What goes wrong ------------------------------------------------------------------------------------------------------


def _nothing(table: Tabletop, request: TableRequest, rng: np.random.Generator) -> Trouble:
    return Trouble(table, request)


def _noise(table: Tabletop, request: TableRequest, rng: np.random.Generator) -> Trouble:
    return Trouble(Disturbed(table, PAPER_DISTURBANCE), request)


def _moved(table: Tabletop, request: TableRequest, rng: np.random.Generator) -> Trouble:
    return Trouble(table, request, (Meddler(table, take_out_first, before=1),))


def _dropped(table: Tabletop, request: TableRequest, rng: np.random.Generator) -> Trouble:
    return Trouble(table, request, (Meddler(table, drop_last, after=1),))


def _taken(table: Tabletop, request: TableRequest, rng: np.random.Generator) -> Trouble:
    takes = TakesAway(tuple(request.goal.targets))
    return Trouble(table, request, (Meddler(table, takes, after=1),), taken=lambda: takes.taken)


def _verdicts(table: Tabletop, request: TableRequest, rng: np.random.Generator) -> Trouble:
    return Trouble(FaultyDetectors(table, Disturbance(false_yes=RATE, false_no=RATE)), request)


def _objects(table: Tabletop, request: TableRequest, rng: np.random.Generator) -> Trouble:
    return Trouble(FaultyDetectors(table, Disturbance(missed=RATE)), request)


def _changed(table: Tabletop, request: TableRequest, rng: np.random.Generator) -> Trouble:
    """The other bowl, when the first block is already on its way to the one."""
    one, two, _ = _shuffled(table.blocks, rng)
    bowl, other = _shuffled(table.bowls, rng)
    inbox = Inbox()
    first = TableRequest(f"Put the {one} and the {two} in the {bowl}.", BlocksPlaced({one: (bowl,), two: (bowl,)}))
    person = ChangesMind(inbox, f"Put the {one} and the {two} in the {other} instead.")
    final = BlocksPlaced({one: (other,), two: (other,)})
    return Trouble(table, first, (person,), inbox, final=final)


_TROUBLES: dict[str, _Troubled] = {
    "none": _nothing,
    "noise": _noise,
    "moved": _moved,
    "dropped": _dropped,
    "taken": _taken,
    "verdicts": _verdicts,
    "objects": _objects,
    "changed": _changed,
}
DISTURBED_TASKS = {
    name: Task(name, title, "" if name == "none" else "disturbed")
    for name, title in {
        "none": "nothing goes wrong",
        "noise": "noise in picture and arm",
        "moved": "what was placed is moved",
        "dropped": "what is carried is dropped",
        "taken": "a block is taken away",
        "verdicts": f"one verdict in {round(1 / RATE)} is wrong",
        "objects": f"one thing in {round(1 / RATE)} is overlooked",
        "changed": "the request is changed",
    }.items()
}

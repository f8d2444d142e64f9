"""Single steps in a kitchen: what lies where, and one skill that the robot can carry out where it stands.

    drawn = draw_kitchen_step(7)
    await drawn.kitchen.skills[drawn.skill].run(drawn.arguments)

They are to learn from and to measure with whether a step worked, by pictures before and after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from thinkaloud_worlds.kitchen.catalogue import CABINET, DRAWERS, ITEMS, SKILLS
from thinkaloud_worlds.kitchen.furniture import PLACES
from thinkaloud_worlds.kitchen.scene import KitchenScene, PlacedItem
from thinkaloud_worlds.kitchen.true_state import HAND, KitchenRoom
from thinkaloud_worlds.kitchen.world import Kitchen
from thinkaloud_worlds.random_kitchens.draw import is_kept_back_at
from thinkaloud_worlds.seeds import generator

IN_PLACE = ("pick_up", "put_down", "put_in", "open_drawer", "close_drawer")
"""The skills that are drawn."""
_SALT = 0x57E9
_COUNT = (4, 13)
_HERE, _IN_DRAWER, _OPEN, _HOLDS = 0.7, 0.5, 0.6, 0.5
Call = tuple[str, tuple[tuple[str, str], ...]]
"""A skill and its arguments."""
State = tuple[dict[str, str], frozenset[str]]
"""Where every item is, and which drawers are open."""


@dataclass(frozen=True, eq=False)
class KitchenStep:
    """A kitchen, and a call that is possible in it."""

    kitchen: Kitchen
    skill: str
    arguments: dict[str, str]


def draw_kitchen_step(seed: int, *, kept_back: bool = False, fails: float = 0.0) -> KitchenStep:
    """Draw a step from a seed. Either all pairs of an item and a place are kept back, or none; `fails` is how often."""
    rng = generator(seed, _SALT, kept_back)
    while True:
        kitchen = Kitchen(_scene(rng, fails))
        kitchen.reset(seed)
        room = kitchen.room
        near = [item for item, where in room.places.items() if where in room.within_reach()]
        if near and rng.uniform() < _HOLDS:
            room.places[near[int(rng.integers(len(near)))]] = HAND
            room.look()
        calls = [each for each in possible_calls(room) if _is_kept_back(each, room) is kept_back]
        skills = sorted({skill for skill, _ in calls} - ({"open_drawer", "close_drawer"} if kept_back else set()))
        if skills:
            chosen = skills[int(rng.integers(len(skills)))]
            own = [dict(given) for skill, given in calls if skill == chosen]
            return KitchenStep(kitchen, chosen, own[int(rng.integers(len(own)))])


def possible_calls(room: KitchenRoom) -> Iterator[Call]:
    """Every call that makes sense where the robot stands."""
    held = room.held
    if held:
        yield "put_down", (("item", held),)
        yield from (
            ("put_in", (("item", held), ("drawer", drawer))) for drawer in room.within_reach() if drawer in DRAWERS
        )
        return
    yield from (("pick_up", (("item", item),)) for item, where in room.places.items() if where in room.within_reach())
    for drawer in DRAWERS if room.place == CABINET else ():
        yield "close_drawer" if drawer in room.open else "open_drawer", (("drawer", drawer),)


def state_of(room: KitchenRoom) -> State:
    """What a skill can change, as it is now."""
    return dict(room.places), frozenset(room.open)


def came_true(call: Call, was: State, now: State, place: str) -> bool:
    """Whether a call is what happened between two states."""
    skill, arguments = call[0], dict(call[1])
    item, drawer = arguments.get("item", ""), arguments.get("drawer", "")
    before, after = was[0].get(item), now[0].get(item)
    match skill:
        case "pick_up":
            return before not in (None, HAND) and after == HAND
        case "put_down":
            return before == HAND and after == place
        case "put_in":
            return before == HAND and after == drawer
        case "open_drawer":
            return drawer not in was[1] and drawer in now[1]
        case _:
            return drawer in was[1] and drawer not in now[1]


def _is_kept_back(call: Call, room: KitchenRoom) -> bool:
    skill, given = call
    arguments = dict(given)
    if "item" not in arguments:
        return False
    item, where = arguments["item"], room.places[arguments["item"]]
    return is_kept_back_at(item, arguments.get("drawer") or (where if skill == "pick_up" else room.place))


def _scene(rng: np.random.Generator, fails: float) -> KitchenScene:
    """A kitchen with most of its items at one place, where the robot stands."""
    here = str(rng.choice([*PLACES], p=[0.22, 0.4, 0.18, 0.08, 0.12]))
    items = list[PlacedItem]()
    for name in rng.permutation(ITEMS)[: int(rng.integers(*_COUNT))]:
        drawer = here == CABINET and rng.uniform() < _IN_DRAWER
        others = [place for place in PLACES if place != here]
        where = here if rng.uniform() < _HERE else others[int(rng.integers(len(others)))]
        items.append(PlacedItem(str(name), DRAWERS[int(rng.integers(2))] if drawer else where))
    opened = tuple(drawer for drawer in DRAWERS if rng.uniform() < _OPEN)
    return KitchenScene(tuple(items), here, opened, dict.fromkeys(SKILLS, fails) if fails else {})

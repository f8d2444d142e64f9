"""The instructions of Inner Monologue's Table 6, the kitchens they are asked in, and what has to be so in the end.

Which items are sodas, snacks, caffeinated or good for cleaning is the judge's knowledge. No planner is told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from thinkaloud_worlds.kitchen import ITEMS, Disturbs, KitchenScene, PlacedItem
from thinkaloud_worlds.kitchen.catalogue import CABINET, USER
from thinkaloud_worlds.kitchen.true_state import HAND, KitchenRoom

SODAS = frozenset({"coke", "7up", "lime soda", "grapefruit soda"})
CHIPS = frozenset({"jalapeno chips", "kettle chips"})
SNACKS = frozenset({*CHIPS, "multigrain chips", "rice chips", "energy bar", "apple", "orange"})
CAFFEINATED = frozenset({"coke", "tea", "redbull"})
CLEANS = frozenset({"sponge"})
TOP = "top drawer"
RATES = {
    "find": 0.05,
    "go_to": 0.02,
    "bring_it_to_you": 0.02,
    "pick_up": 0.2,
    "put_down": 0.05,
    "put_in": 0.1,
    "open_drawer": 0.15,
    "close_drawer": 0.1,
}
"""How often each skill comes to nothing of itself."""
_WRONG = 6  # items besides those that will do
Wants = Literal["in hand", "at the trash", "with the user", "in the drawer", "drawer open"]


@dataclass(frozen=True)
class Errand:
    """What is to be so in the end: one of these items somewhere, or the drawer open."""

    wants: Wants
    items: frozenset[str] = frozenset()

    def met(self, room: KitchenRoom) -> bool:
        """Whether it is so, really and now."""
        at = {room.places.get(item) for item in self.items}
        match self.wants:
            case "in hand":
                return HAND in at
            case "at the trash":
                return "trash" in at
            case "with the user":
                return USER in at or (HAND in at and room.place == USER)
            case "in the drawer":
                return TOP in at
            case "drawer open":
                return TOP in room.open


_Draw = Callable[[np.random.Generator, bool], tuple[KitchenScene, Errand]]


@dataclass(frozen=True)
class Instruction:
    """A line of Table 6, and how its episodes are drawn: with or without somebody in the way."""

    text: str
    draw: _Draw


def _one(rng: np.random.Generator, names: tuple[str, ...] | list[str]) -> str:
    return str(names[int(rng.integers(len(names)))])


def _some(rng: np.random.Generator, names: frozenset[str], count: int) -> list[str]:
    return [str(name) for name in rng.permutation(sorted(names))[:count]]


def _scene(
    rng: np.random.Generator, placed: dict[str, str], start: str, left_out: frozenset[str], people: tuple[Disturbs, ...]
) -> KitchenScene:
    """The kitchen with these things, and others that will not do, some of them where the robot stands."""
    others = _some(rng, frozenset(ITEMS) - left_out - {*placed}, _WRONG)
    places = [start, start, "counter", "table", CABINET, CABINET]
    everything = placed | dict(zip(others, places, strict=True))
    items = tuple(PlacedItem(name, everything[name]) for name in ITEMS if name in everything)
    return KitchenScene(items, start, rates=RATES, people=people)


def _pick_up(will_do: frozenset[str]) -> _Draw:
    """One of several will do; two of them lie before the robot."""

    def draw(rng: np.random.Generator, disturbed: bool) -> tuple[KitchenScene, Errand]:
        start = _one(rng, ["counter", "table"])
        person = Disturbs("takes" if rng.random() < 0.5 else "knocks", during="pick_up")
        people = (person,) if disturbed else ()
        placed = dict.fromkeys(_some(rng, will_do, 2), start)
        return _scene(rng, placed, start, will_do, people), Errand("in hand", will_do)

    return draw


def _spoiled(rng: np.random.Generator, disturbed: bool, away: str, carrying: str) -> tuple[Disturbs, ...]:
    """Somebody knocks against the hand, carries the thing off to somewhere else, or makes the robot drop it."""
    scripts = (
        Disturbs("knocks", during="pick_up"),
        Disturbs("moves", during="pick_up", to=away),
        Disturbs("knocks", during=carrying),
    )
    return (scripts[int(rng.integers(len(scripts)))],) if disturbed else ()


def _throw_away(rng: np.random.Generator, disturbed: bool) -> tuple[KitchenScene, Errand]:
    """One soda is on the table, and another somewhere else."""
    soda, other = _some(rng, SODAS, 2)
    people = _spoiled(rng, disturbed, "counter", "go_to")
    scene = _scene(rng, {soda: "table", other: CABINET}, "counter", SODAS, people)
    return scene, Errand("at the trash", frozenset({soda}))


def _clean_up(rng: np.random.Generator, disturbed: bool) -> tuple[KitchenScene, Errand]:
    start = _one(rng, ["table", USER])
    people = _spoiled(rng, disturbed, "table", "bring_it_to_you")
    return _scene(rng, {"sponge": _one(rng, ["counter", CABINET])}, start, CLEANS, people), Errand(
        "with the user", CLEANS
    )


def _leave_open(rng: np.random.Generator, disturbed: bool) -> tuple[KitchenScene, Errand]:
    start = _one(rng, ["table", CABINET])
    people = (Disturbs("closes", during="open_drawer"),) if disturbed else ()
    return _scene(rng, {}, start, frozenset(), people), Errand("drawer open")


def _put_in_drawer(rng: np.random.Generator, disturbed: bool) -> tuple[KitchenScene, Errand]:
    closes, knocks = Disturbs("closes", during="pick_up", drawer=TOP), Disturbs("knocks", during="pick_up")
    people = ((closes if rng.random() < 0.5 else knocks),) if disturbed else ()
    coke = frozenset({"coke"})
    return _scene(rng, {"coke": _one(rng, ["counter", CABINET])}, "counter", coke, people), Errand(
        "in the drawer", coke
    )


FAMILIES: dict[str, tuple[Instruction, ...]] = {
    "manipulation": (
        Instruction("pick up a soda", _pick_up(SODAS)),
        Instruction("pick up the jalapeno or kettle chips", _pick_up(CHIPS)),
        Instruction("pick up a snack", _pick_up(SNACKS)),
        Instruction("pick up a caffeinated drink", _pick_up(CAFFEINATED)),
    ),
    "mobile": (
        Instruction("can you throw away the soda on the table", _throw_away),
        Instruction("I spilled my coke, can you bring me something to clean it up", _clean_up),
    ),
    "drawers": (
        Instruction("leave the top drawer open", _leave_open),
        Instruction("put a coke in the top drawer", _put_in_drawer),
    ),
}

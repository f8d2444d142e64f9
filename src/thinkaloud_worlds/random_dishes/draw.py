"""What is at a random machine: dishes and a few other things at one place, with the words that are true of each.

Never drawn for training: one in six combinations of a kind and a place, chequered tops, and what random tables keep
back (`is_kept_back`).
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.dishwasher.arrangement import pack_rows
from thinkaloud_worlds.dishwasher.furniture import spots_of
from thinkaloud_worlds.dishwasher.scene import ItemKind, MachineScene
from thinkaloud_worlds.kitchen.arrangement import Lying
from thinkaloud_worlds.kitchen.item_forms import ITEM_FORMS, ItemForm
from thinkaloud_worlds.random_kitchens.dishes import DISHES, draw_dish
from thinkaloud_worlds.random_kitchens.draw import KitchenThing, near_shot, truths_of
from thinkaloud_worlds.random_tables.words import COLOUR_WORDS, DISH_WORDS
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.staged_pictures import Shot

DishStyle = Literal["training", "clutter", "kept_back"]
_STYLES: tuple[DishStyle, ...] = ("training", "clutter", "kept_back")
_SALT = 0x3D15
_COUNTS: dict[DishStyle, tuple[int, int]] = {"training": (2, 16), "clutter": (9, 16), "kept_back": (5, 12)}
_OFTEN = (1.0, 1.0, 1.0, 1.5, 1.3, 1.3)
_AT = (0.4, 0.2, 0.4)  # in the sink, finished, on some rack
_MOST_RACKS = 4
_OTHER, _ALIKE, _IN_ROWS, _OPEN = 0.08, 0.5, 0.6, 0.3
_TRIES = 12
_PILED = 0.09
_Shown = tuple[str, ItemForm, dict[str, int]]


@dataclass(frozen=True, eq=False)
class DrawnDishes:
    """Dishes at one place of a machine, whether it is open, and how the picture is taken."""

    seed: int
    style: DishStyle
    machine: MachineScene
    place: str
    things: tuple[KitchenThing, ...]
    is_open: bool
    shot: Shot


def is_kept_back_dish(kind: str, place: str) -> bool:
    """Whether training never shows a dish of a kind at this place of a machine."""
    return zlib.crc32(f"{kind} lying at {place}".encode()) % 6 == 0


def draw_random_dishes(seed: int, style: DishStyle = "training", count: int | None = None) -> DrawnDishes:
    """Draw dishes from a seed. Styles draw different ones; `count` says how many."""
    rng = generator(seed, _SALT, _STYLES.index(style))
    racks = tuple(f"rack {number + 1}" for number in range(int(rng.integers(1, _MOST_RACKS + 1))))
    machine = MachineScene((ItemKind("plate", racks[0]),), racks, ("soap",))
    where = (machine.start_place, machine.finished, racks[int(rng.integers(len(racks)))])
    place = str(rng.choice(where, p=_AT))
    low, high = _COUNTS[style]
    shown = _draw_shown(rng, style, place, count or int(rng.integers(low, high + 1)))
    spot = spots_of(machine)[place]
    in_rows = rng.uniform() < _IN_ROWS
    found = _in_rows(rng, shown, place, spot.room) if in_rows else _scattered(rng, shown, place, spot.room)
    is_open = place in racks or rng.uniform() < _OPEN
    return DrawnDishes(seed, style, machine, place, found, is_open, near_shot(rng, place, spot.eye, spot.aim))


def _draw_shown(rng: np.random.Generator, style: DishStyle, place: str, count: int) -> list[_Shown]:
    """Draw what is there; often all of one kind are alike, as a set of forks is."""
    back = style == "kept_back"
    chances = np.array(
        [often * (back or not is_kept_back_dish(kind, place)) for kind, often in zip(DISHES, _OFTEN, strict=True)]
    )
    if back:  # half of them where training never has them
        chances *= [4.0 if is_kept_back_dish(kind, place) else 1.0 for kind in DISHES]
    alike = dict.fromkeys(DISHES, "")
    if rng.uniform() < _ALIKE:
        alike = {kind: str(rng.choice([*COLOUR_WORDS])) for kind in DISHES}
    shown = list[_Shown]()
    for _ in range(count):
        if rng.uniform() < _OTHER:
            name = str(rng.choice([*ITEM_FORMS]))
            shown.append((name, ITEM_FORMS[name], truths_of(name, ITEM_FORMS[name])))
        else:
            kind = str(rng.choice(DISHES, p=chances / chances.sum()))
            shown.append((kind, *draw_dish(rng, kind, alike[kind], kept_back=back)))
    return shown


def _in_rows(rng: np.random.Generator, shown: Sequence[_Shown], place: str, room: Xy) -> tuple[KitchenThing, ...]:
    forms = tuple((str(number), form) for number, (_, form, _) in enumerate(shown))
    spots, found = pack_rows(forms, room, int(rng.integers(2**31))), list[KitchenThing]()
    for number, (name, form, truths) in enumerate(shown):
        x, y, yaw = spots[str(number)]
        found.append(KitchenThing(Lying(name, place, form, (x, y, 0.0), yaw + 180.0 * (rng.uniform() < 0.5)), truths))
    return tuple(found)


def _scattered(rng: np.random.Generator, shown: Sequence[_Shown], place: str, room: Xy) -> tuple[KitchenThing, ...]:
    """Anywhere, also on each other; what finds no room on a low pile is left out."""
    found = list[KitchenThing]()
    for name, form, truths in shown:
        own = (form.deep if name in DISH_WORDS else form.across) / 2
        for _ in range(_TRIES):
            x, y = (float(rng.uniform(-side / 2 + own, side / 2 - own)) for side in room)
            under = [
                each.lying for each in found if math.dist(each.lying.at[:2], (x, y)) < each.lying.form.across / 2 + own
            ]
            z = max(
                (each.at[2] + (0.01 if each.form.shape == "cup" else each.form.height) for each in under), default=0.0
            )
            if z < _PILED and all(each.form.height < _PILED or each.form.shape == "cup" for each in under):
                lying = Lying(name, place, form, (x, y, z), float(rng.uniform(-180, 180)))
                found.append(KitchenThing(lying, truths))
                break
    return tuple(found)

"""What is in a random kitchen: items and other things at one place, with the words that are true of each.

Never drawn for training: one in six combinations of an item and a place, tops and tables with a chequered pattern, and
what random tables keep back (`is_kept_back`, the shapes `dome` and `steps`, the pattern `checked`).
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from thinkaloud.worlds.geometry import Rgb, Xyz
from thinkaloud_worlds.kitchen.arrangement import Lying, hand_at
from thinkaloud_worlds.kitchen.camera import usual_shot
from thinkaloud_worlds.kitchen.catalogue import CABINET, DRAWERS, TRASH
from thinkaloud_worlds.kitchen.furniture import DRAWER_BOXES, DRAWER_ROOMS, PLACES
from thinkaloud_worlds.kitchen.item_forms import ITEM_FORMS, ItemForm
from thinkaloud_worlds.random_kitchens.dishes import DISHES, draw_dish
from thinkaloud_worlds.random_tables.draw import draw_table
from thinkaloud_worlds.random_tables.forms import shape_of
from thinkaloud_worlds.random_tables.things import DrawnThing
from thinkaloud_worlds.random_tables.words import COLOUR_WORDS, EYES_WORDS, OPEN, TRUE, colour_truths, lab_of
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.staged_pictures import FOCAL, WIDTH, Shot

KitchenStyle = Literal["training", "plain", "clutter", "kept_back"]
_STYLES: tuple[KitchenStyle, ...] = ("training", "plain", "clutter", "kept_back")
_SALT = 0x1A7C
_COUNTS: dict[KitchenStyle, tuple[int, int]] = {
    "training": (1, 13),
    "plain": (3, 6),
    "clutter": (9, 14),
    "kept_back": (4, 9),
}
_ORDINARY, _HELD, _OPEN, _IN_DRAWER = 0.3, 0.15, 0.6, 0.45
_DISH = 0.1  # so many of the things in the training are dishes
_TRIES = 40
_ALIKE = 25.0  # an item whose colour is this near to a word's, in CIELAB, is of that colour


@dataclass(frozen=True, eq=False)
class KitchenThing:
    """An item of the kitchen, or a thing as on random tables (`drawn`), and which words are true of it."""

    lying: Lying
    truths: dict[str, int]
    drawn: DrawnThing | None = None

    @property
    def place(self) -> str:
        """Where it is: a place, or the cabinet for what is in a drawer."""
        return self.lying.place

    def mjcf(self, number: int) -> str:
        """Its body, in the frame of its place."""
        if self.drawn is None:
            return self.lying.mjcf(number)
        return shape_of(number, self.drawn.kind, self.drawn.across, self.drawn.height, self.lying.at, self.lying.yaw)


@dataclass(frozen=True, eq=False)
class DrawnKitchen:
    """A random kitchen: its things, which drawers are open, and how the picture is taken."""

    seed: int
    style: KitchenStyle
    things: tuple[KitchenThing, ...]
    opened: tuple[str, ...]
    shot: Shot


@dataclass
class _Room:
    """What is drawn so far."""

    place: str
    opened: tuple[str, ...]
    things: list[KitchenThing] = field(default_factory=list)


def is_kept_back_at(item: str, where: str) -> bool:
    """Whether training never shows an item at this place or in this drawer."""
    return zlib.crc32(f"{item} {where}".encode()) % 6 == 0


def draw_random_kitchen(seed: int, style: KitchenStyle = "training", count: int | None = None) -> DrawnKitchen:
    """Draw a kitchen from a seed. Styles draw different ones; `count` says how many things to try."""
    rng = generator(seed, _SALT, _STYLES.index(style))
    place = str(rng.choice([*PLACES], p=[0.3, 0.27, 0.22, 0.08, 0.13]))
    opened = tuple(drawer for drawer in DRAWERS if rng.uniform() < _OPEN) if place == CABINET else ()
    room, names = _Room(place, opened), [str(name) for name in rng.permutation([*ITEM_FORMS])]
    low, high = _COUNTS[style]
    others = iter(draw_table(int(rng.integers(2**31)), "kept_back" if style == "kept_back" else "training", 14).things)
    wanted = count or int(rng.integers(low, high + 1))
    for _ in range(wanted):
        where = opened[int(rng.integers(len(opened)))] if opened and rng.uniform() < _IN_DRAWER else place
        other = next(others, None) if rng.uniform() < _ORDINARY and where == place != TRASH else None
        if style == "training" and rng.uniform() < _DISH:
            thing = _dish(rng, room, where)
        else:
            thing = _ordinary(rng, room, other) if other is not None else _item(rng, room, names, where, style)
        if thing is not None:
            room.things.append(thing)
    if names and rng.uniform() < _HELD:
        room.things.append(_held(rng, place, names[0]))
    return DrawnKitchen(seed, style, tuple(room.things), opened, _shot(rng, place))


def _item(
    rng: np.random.Generator, room: _Room, names: list[str], where: str, style: KitchenStyle
) -> KitchenThing | None:
    back = style == "kept_back" and rng.uniform() < 0.5
    fit = [each for each in names if style not in ("training", "kept_back") or is_kept_back_at(each, where) == back]
    if not fit:
        return None
    name = fit[0]
    names.remove(name)
    form = _varied(rng, ITEM_FORMS[name])
    piled = where != room.place or where == TRASH
    on_side = (piled and form.height > 0.1) or rng.uniform() < 0.12
    wide = form.height if on_side else form.across
    spot = _spot(rng, room, where, wide / 2)
    if spot is None:
        return None
    yaw = float(rng.uniform(-20, 20) if piled else rng.uniform(-180, 180) if on_side else rng.normal(0, 35))
    return KitchenThing(Lying(name, room.place, form, spot, yaw, on_side), truths_of(name, form))


def _ordinary(rng: np.random.Generator, room: _Room, drawn: DrawnThing) -> KitchenThing | None:
    spot = _spot(rng, room, room.place, drawn.across / 2)
    if spot is None:
        return None
    form = ItemForm("carton", drawn.rgb, drawn.second, drawn.rgb, drawn.across, drawn.across, drawn.height)
    return KitchenThing(Lying(drawn.kind, room.place, form, spot, drawn.yaw), drawn.truths, drawn)


def _dish(rng: np.random.Generator, room: _Room, where: str) -> KitchenThing | None:
    kind = str(rng.choice([kind for kind in DISHES if not is_kept_back_at(kind, where)]))
    form, truths = draw_dish(rng, kind)
    spot = _spot(rng, room, where, form.across / 2)
    return (
        None
        if spot is None
        else KitchenThing(Lying(kind, room.place, form, spot, float(rng.uniform(-180, 180))), truths)
    )


def _held(rng: np.random.Generator, place: str, name: str) -> KitchenThing:
    form, (x, y, z) = _varied(rng, ITEM_FORMS[name]), hand_at(place, (0.0, 0.0))
    dx, dy, dz = (float(value) for value in rng.normal(0, 0.02, 3))
    lying = Lying(name, place, form, (x + dx, y + dy, z + dz - form.height / 2), float(rng.normal(20, 20)), held=True)
    return KitchenThing(lying, truths_of(name, form))


def _varied(rng: np.random.Generator, form: ItemForm) -> ItemForm:
    def shade(rgb: Rgb) -> Rgb:
        red, green, blue = (int(np.clip(value + rng.normal(0, 10), 0, 255)) for value in rgb)
        return red, green, blue

    return form.scaled(float(rng.uniform(0.85, 1.15)), shade(form.rgb), shade(form.second))


def _spot(rng: np.random.Generator, room: _Room, where: str, radius: float) -> Xyz | None:
    """Find a place for a thing: beside the others, which it may almost touch; in a drawer or the bin, on them."""
    (x, y), (wide, deep) = DRAWER_ROOMS[where] if where in DRAWERS else (PLACES[where].middle, PLACES[where].room)
    z, out = (DRAWER_BOXES[where].z[0], DRAWER_BOXES[where].opens) if where in DRAWERS else (0.0, 0.0)
    piled = where in DRAWERS or where == TRASH
    for _ in range(_TRIES):
        at = (float(x + rng.uniform(-wide, wide) / 2), float(y - out + rng.uniform(-deep, deep) / 2))
        under = [each for each in room.things if _overlaps(each.lying, at, radius * (0.4 if piled else 0.85), z)]
        if not under:
            return (*at, z)
        if piled and all(each.lying.at[2] - z < 0.09 for each in under):
            return (*at, max(each.lying.at[2] + _tall(each.lying) for each in under))
    return None


def _tall(lying: Lying) -> float:
    return lying.form.deep if lying.on_side else lying.form.height


def _overlaps(other: Lying, at: tuple[float, float], radius: float, floor: float) -> bool:
    if other.at[2] < floor - 0.01 or (floor < 0 <= other.at[2]):
        return False
    wide = other.form.height if other.on_side else other.form.across
    return math.dist(other.at[:2], at) < wide / 2 * 0.85 + radius


def truths_of(name: str, form: ItemForm) -> dict[str, int]:
    """Which words are true of an item. Colours that are on it, and patterns, are open."""
    truths = dict.fromkeys(("plain", "striped", "spotted"), OPEN)
    for rgb in (form.rgb, form.second, form.third):
        truths |= dict.fromkeys(colour_truths("", rgb), OPEN)
    nearest = min(COLOUR_WORDS, key=lambda word: math.dist(lab_of(COLOUR_WORDS[word]), lab_of(form.rgb)))
    if math.dist(lab_of(COLOUR_WORDS[nearest]), lab_of(form.rgb)) < _ALIKE:
        truths[nearest] = TRUE
    truths |= dict.fromkeys(form.open, OPEN) | dict.fromkeys(("thing", *form.true), TRUE)
    if name in EYES_WORDS:
        truths[name] = TRUE
    return {word: value for word, value in truths.items() if word in EYES_WORDS}


def _shot(rng: np.random.Generator, place: str) -> Shot:
    """A camera near the robot's own."""
    usual = usual_shot(place)
    return near_shot(rng, place, usual.eye, usual.aim)


def near_shot(rng: np.random.Generator, place: str, eye: Xyz, aim: Xyz) -> Shot:
    """Draw a camera near this one, as robots differ; for a picture of width 1."""
    (x, y, z), (ax, ay, az) = eye, aim
    dx, dy, dz = (float(value) for value in rng.uniform((-0.12, -0.12, -0.12), (0.12, 0.15, 0.15)))
    sx, sy = (float(value) for value in rng.normal(0, 0.04, 2))
    focal = FOCAL / WIDTH * float(rng.uniform(0.85, 1.5))
    return Shot(place, (x + dx, y + dy, z + dz), (ax + sx, ay + sy, az), 1, 1, focal)

"""Where exactly each item lies. The kitchen's state says only at which place; the rest follows from the seed.

Each item has a spot of its own at each place, wherever the others are: things stay where they are when something is
taken from beside them. What is put where something lies already, in a drawer or in the bin, lies on it.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from thinkaloud.worlds.geometry import Xy, Xyz
from thinkaloud_worlds.kitchen.catalogue import CABINET, DRAWERS, TRASH
from thinkaloud_worlds.kitchen.furniture import DRAWER_BOXES, DRAWER_ROOMS, PLACES
from thinkaloud_worlds.kitchen.item_forms import ItemForm, form_of, item_geoms
from thinkaloud_worlds.kitchen.true_state import HAND
from thinkaloud_worlds.seeds import generator

_SALT = 0x5907
_LIES_FROM = 0.1  # what is taller than this lies on its side in a drawer or in the bin
_IN_HAND: Xyz = (0.13, 0.40, -0.42)
"""Where the hand holds things, seen from the camera."""


@dataclass(frozen=True, slots=True)
class Lying:
    """An item at a place: its form, the middle of its underside in the place's frame, its turn, and how it lies."""

    name: str
    place: str
    form: ItemForm
    at: Xyz
    yaw: float
    on_side: bool = False
    held: bool = False

    def middle(self) -> Xyz:
        """Its middle, in the frame of its place."""
        x, y, z = self.at
        return (x, y, z + (self.form.deep if self.on_side else self.form.height) / 2)

    def mjcf(self, number: int) -> str:
        """Its body, named after its number, in the frame of its place."""
        x, y, z = self.at
        turn = math.radians(self.yaw) / 2
        c, s = math.cos(turn), math.sin(turn)
        if not self.on_side:
            return f'<body name="thing{number}" pos="{x} {y} {z}" quat="{c} 0 0 {s}">{item_geoms(self.form)}</body>'
        inner = f'<body name="thing{number}" pos="{-self.form.height / 2} 0 0" quat="0.5 0.5 0.5 0.5">'
        z += self.form.deep / 2
        outer = f'<body pos="{x} {y} {z}" quat="{c} 0 0 {s}">'
        return f"{outer}{inner}{item_geoms(self.form)}</body></body>"


def arrange(
    seed: int, items: Sequence[str], places: Mapping[str, str], opened: Collection[str], here: str, off: Xy = (0.0, 0.0)
) -> list[Lying]:
    """Where all items lie. `items` are all names; the robot stands at `here`, or `off` it, in that place's frame."""
    found = list[Lying]()
    stacked = dict[tuple[str, int], float]()
    for number, name in enumerate(items):
        where = places.get(name, "")
        if where == HAND and here:
            found.append(_held(name, here, off))
        elif where in PLACES or where in DRAWERS:
            found.append(_lying(seed, name, number, len(items), where, opened, stacked))
    return found


def hand_at(here: str, off: Xy) -> Xyz:
    """Where the middle of the thing in the hand is, in the frame of a place."""
    x, y, z = (a + b for a, b in zip(PLACES[here].eye, _IN_HAND, strict=True))
    return (x + off[0], y + off[1], z)


def _held(name: str, here: str, off: Xy) -> Lying:
    form, (x, y, z) = form_of(name), hand_at(here, off)
    return Lying(name, here, form, (x, y, z - form.height / 2), 20.0, held=True)


def _lying(
    seed: int,
    name: str,
    number: int,
    count: int,
    where: str,
    opened: Collection[str],
    stacked: dict[tuple[str, int], float],
) -> Lying:
    form, place = form_of(name), CABINET if where in DRAWERS else where
    rng = generator(seed, _SALT, zlib.crc32(where.encode()))
    piled = where in DRAWERS or where == TRASH
    middle, room = DRAWER_ROOMS[where] if where in DRAWERS else (PLACES[where].middle, PLACES[where].room)
    columns, rows = _grid(room, 4 if where in DRAWERS else 2 if where == TRASH else max(count, 8))
    cell = int(rng.permutation(max(columns * rows, count))[number]) % (columns * rows)
    wobble = generator(seed, _SALT, zlib.crc32(f"{where} {name}".encode()))
    dx, dy = room[0] / columns, room[1] / rows
    shift = wobble.uniform(-0.5, 0.5, 2) * (0.2 * dx, 0.45 * dy)
    x = middle[0] - room[0] / 2 + (cell % columns + 0.5) * dx + float(shift[0])
    y = middle[1] - room[1] / 2 + (cell // columns + 0.5) * dy + float(shift[1])
    on_side = piled and form.height > _LIES_FROM
    yaw = float(wobble.uniform(-15, 15) if on_side else wobble.normal(0, 25))
    z = 0.0
    if piled:
        z = stacked.get((where, cell), 0.0)
        stacked[where, cell] = z + (form.deep if on_side else form.height)
    if where in DRAWERS:
        box = DRAWER_BOXES[where]
        z += box.z[0]
        y -= box.opens if where in opened else 0.0
    return Lying(name, place, form, (x, y, z), yaw, on_side)


def _grid(room: Xy, count: int) -> tuple[int, int]:
    """Columns and rows of nearly square cells, at least `count` of them."""
    rows = max(round(math.sqrt(count * room[1] / room[0])), 1)
    return math.ceil(count / rows), rows

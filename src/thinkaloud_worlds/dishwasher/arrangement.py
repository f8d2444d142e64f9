"""Where each thing lies. The machine's state says only at which place; the rest follows from the scene and the seed.

Each thing has a spot of its own at the start place, at the finished place, and on the compartment where it belongs:
things stay where they are when something is taken from beside them. What is on another compartment lies on top of what
belongs there.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from thinkaloud.worlds.geometry import Xy, Xyz
from thinkaloud_worlds.dishwasher.scene import MachineScene, kind_without_number
from thinkaloud_worlds.kitchen.arrangement import Lying
from thinkaloud_worlds.kitchen.item_forms import ItemForm, form_of
from thinkaloud_worlds.random_tables.words import COLOUR_WORDS
from thinkaloud_worlds.seeds import generator

_SALT = 0xD158
CUTLERY = ("fork", "knife", "spoon")
"""Shapes that are of one colour here, as camping cutlery is."""
_LONG = (*CUTLERY, "bar", "sponge")
_SPARE = 0.012  # metres between things
_COLOURS = (
    *("blue", "yellow", "red", "green", "purple", "orange", "cyan", "pink", "brown", "lime", "magenta", "navy"),
    *("golden", "teal", "white", "maroon"),
)
"""The colours of kinds, in their order: different kinds have different ones."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of things: the origin of its frame in the frame of the kitchen, and the area for things around it.

    `eye` is where the camera is when it looks there, and `aim` what it looks at, both in the place's frame.
    """

    origin: Xyz
    room: Xy
    eye: Xyz
    aim: Xyz = (0.0, 0.0, 0.0)


def form_of_kind(scene: MachineScene, kind: str) -> ItemForm:
    """The form of a kind by its name; kinds without a colour in their name differ in colour."""
    form = form_of(kind)
    if form.shape in CUTLERY:
        form = replace(form, third=form.rgb)
    if {*kind.lower().split()} & {*COLOUR_WORDS}:
        return form
    rgb = COLOUR_WORDS[_COLOURS[scene.kinds.index(kind) % len(_COLOURS)]]
    return replace(form, rgb=rgb, third=rgb if form.shape in CUTLERY else form.third)


def arrange_dishes(
    scene: MachineScene, seed: int, places: Mapping[str, str], spots: Mapping[str, Spot], place: str
) -> list[Lying]:
    """What lies at one place, as things are."""
    here = [name for name in scene.names if places.get(name) == place]
    own = [name for name in scene.names if scene.belongs(name) == place] or list(scene.names)
    mixed = seed if place == scene.start_place else None
    found = pack_rows(_forms(scene, own), spots[place].room, mixed)
    above = pack_rows(_forms(scene, scene.names), spots[place].room, zlib.crc32(place.encode()))
    on = max((_form(scene, name).height for name in here if name in own), default=0.0)
    lying = list[Lying]()
    for name in here:
        (x, y, yaw), z = (found[name], 0.0) if name in own else (above[name], on)
        lying.append(Lying(name, place, _form(scene, name), (x, y, z), yaw))
    return lying


def _form(scene: MachineScene, name: str) -> ItemForm:
    return form_of_kind(scene, kind_without_number(name))


def _forms(scene: MachineScene, names: Sequence[str]) -> tuple[tuple[str, ItemForm], ...]:
    return tuple((name, _form(scene, name)) for name in names)


@lru_cache(maxsize=64)
def pack_rows(
    forms: tuple[tuple[str, ItemForm], ...], room: Xy, seed: int | None
) -> dict[str, tuple[float, float, float]]:
    """A spot for each thing, row by row: its middle, and how far it is turned; drawn from a seed if there is one.

    If there is too little room, things lie partly on each other.
    """
    rng = None if seed is None else generator(seed, _SALT)
    shapes, order = {name: form.shape for name, form in forms}, {name: number for number, (name, _) in enumerate(forms)}
    sizes = {name: _footprint(form) for name, form in forms}
    rows, left = list[list[str]](), 0.0
    for name in sorted(order, key=lambda name: (-sizes[name][1], -sizes[name][0], order[name])):
        if left < sizes[name][0]:
            rows.append([])
            left = room[0]
        rows[-1].append(name)
        left -= sizes[name][0]
    deep = [max(sizes[name][1] for name in row) for row in rows]
    shrunk, gap = min(room[1] / sum(deep), 1.0), max(room[1] - sum(deep), 0.0) / len(rows)
    found, y = dict[str, tuple[float, float, float]](), -room[1] / 2
    numbers = range(len(rows)) if rng is None else [int(each) for each in rng.permutation(len(rows))]
    for number in numbers:
        row, high = rows[number], deep[number] * shrunk + gap
        if rng is not None:
            row = [row[int(each)] for each in rng.permutation(len(row))]
        free = max(room[0] - sum(sizes[name][0] for name in row), 0.0) / len(row)
        x = -room[0] / 2
        for name in row:
            wide, own = sizes[name][0] + free, sizes[name][1]
            dx, dy, turn = (0.0, 0.0, 0.0) if rng is None else (float(each) for each in rng.uniform(-1, 1, 3))
            middle = (x + wide / 2 + dx * free * 0.3, y + high / 2 + dy * max(high - own, 0.0) * 0.3)
            along = 90.0 if shapes[name] in _LONG else 0.0
            found[name] = (*middle, along + turn * (10.0 if along else 40.0))
            x += wide
        y += high
    return found


def _footprint(form: ItemForm) -> Xy:
    if form.shape in _LONG:
        return form.deep + 0.008 + _SPARE, form.across + _SPARE
    wide = form.across + _SPARE
    return (wide + 0.02, wide) if form.shape == "cup" and form.height > form.across / 2 else (wide, wide)

"""The kinds of things on the table: their sizes, the forms of toys, and where a container has room."""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass
from functools import lru_cache

from thinkaloud.worlds.geometry import Rgb
from thinkaloud_worlds.tabletop.layout import COLOURS, MORE_COLOURS

SIZES = {
    "block": (0.04, 0.02, 0.06),
    "bowl": (0.12, 0.10, 0.18),
    "cup": (0.08, 0.07, 0.10),
    "disinfector": (0.17, 0.13, 0.18),
    "toy": (0.04, 0.02, 0.05),
    "box": (0.07, 0.05, 0.09),
    "cylinder": (0.06, 0.04, 0.08),
    "plate": (0.20, 0.14, 0.22),
    "fruit": (0.05, 0.025, 0.07),
    "bottle": (0.04, 0.03, 0.06),
}
"""Usual, smallest and largest width of each kind, in metres."""
CONTAINERS = ("bowl", "disinfector", "plate")
"""Containers. They stay where they are."""
MOVABLE = ("block", "cup", "toy", "box", "cylinder", "fruit", "bottle")
"""Things that the arm can hold."""
STANDING = ("box", "cylinder")
"""Things that stand on the table itself, and go beside other things, not on them."""
TALL = {"box": 0.7, "cylinder": 1.2, "fruit": 0.92, "bottle": 1.7}
"""The height of these kinds, as a multiple of their width."""

BOWL_HEIGHT = 0.045
PLATE_HEIGHT = 0.014
BOX_HEIGHT, BOX_WALL = 0.03, 0.004
CUP_HEIGHT, CUP_WALL, CUP_TOP = 0.056, 0.003, 0.004
CAVITY = CUP_HEIGHT - CUP_TOP  # how tall a thing a cup can cover
FLOOR = 0.005  # of a bowl or a box
_SIDE_BY_SIDE = 0.005  # between things in a container


@dataclass(frozen=True, slots=True)
class ObjectForm:
    """What a toy looks like: its shape, its width and its height."""

    shape: str
    across: float
    height: float


_KNOWN = {
    "cube": ObjectForm("cube", 0.042, 0.042),
    "wheel": ObjectForm("wheel", 0.046, 0.02),
    "disc": ObjectForm("wheel", 0.046, 0.02),
}


@lru_cache(maxsize=256)
def form_of(name: str, size: float = 0.0) -> ObjectForm:
    """The form of a toy, determined by its name; a given width replaces the usual one."""
    found = next((form for word, form in _KNOWN.items() if word in name.lower().split()), None)
    if found is None:
        chance = zlib.crc32(name.lower().encode())
        across = (0.034, 0.036, 0.038, 0.040)[chance % 4]
        found = ObjectForm(("box", "cylinder")[chance // 4 % 2], across, (0.026, 0.030, 0.034)[chance // 8 % 3])
    return ObjectForm(found.shape, size, found.height * size / found.across) if size else found


def colour_in(name: str) -> Rgb | None:
    """The colour mentioned in a name."""
    words = name.lower().split()
    return next((known[word] for known in (COLOURS, MORE_COLOURS) for word in words if word in known), None)


def colour_by_chance(name: str) -> Rgb:
    """Some colour, always the same one for the same name."""
    return [*COLOURS.values()][zlib.crc32(name.lower().encode()) // 64 % len(COLOURS)]


@lru_cache(maxsize=256)
def spots_inside(kind: str, across: float, wide: float) -> tuple[tuple[float, float], ...]:
    """Where in a container things of a width fit side by side, relative to its middle; at least the middle."""
    half, step = wide / 2, wide + _SIDE_BY_SIDE
    if kind == "disinfector":
        room = across / 2 - BOX_WALL - 0.002
        count = max(int((2 * room + _SIDE_BY_SIDE) / step), 1)
        step = min((2 * room + _SIDE_BY_SIDE) / count, wide + 0.012)
        line = [(i - (count - 1) / 2) * step for i in range(count)]
        return tuple((x, y) for y in reversed(line) for x in line)
    room = across / 2 - 0.013 + 0.001
    if kind == "plate":  # a plate is round
        found = tuple(((i - (n - 1) / 2) * step, (1 - row) * step) for row, n in enumerate((2, 3, 2)) for i in range(n))
        if all(math.hypot(x, y) + half <= room for x, y in found):
            return found
    for rows in ((2, 3, 2), (2, 2), (1, 2), (2,)):
        found = tuple(
            ((column - (count - 1) / 2) * step, ((len(rows) - 1) / 2 - row) * step)
            for row, count in enumerate(rows)
            for column in range(count)
        )
        if all(math.hypot(abs(x) + half, abs(y) + half) <= room for x, y in found):
            return found
    return ((0.0, 0.0),)

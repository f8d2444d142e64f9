"""The kinds of things on random tables: how large they are, which words fit them, and their shapes as MJCF."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from thinkaloud.worlds.geometry import Rgb, Xyz
from thinkaloud_worlds.random_tables.words import OPEN, TRUE
from thinkaloud_worlds.tabletop.mjcf import body
from thinkaloud_worlds.tabletop.scene import Thing

_Parts = Callable[[float, float], list[str]]
Quat = tuple[float, float, float, float]
_SEEN = 'contype="2" conaffinity="0" mass="0" group="1"'


@dataclass(frozen=True, slots=True)
class Form:
    """A kind of thing: its widths (metres), its height as a share of its width, and the words that are true or open.

    `inside` is how much of its width is room for other things, or 0; on a `flat` top other things can stand.
    """

    across: tuple[float, float]
    tall: tuple[float, float]
    true: tuple[str, ...]
    open: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    inside: float = 0.0
    flat: bool = False
    often: float = 1.0


FORMS: dict[str, Form] = {
    "block": Form((0.025, 0.06), (1, 1), ("block", "cube"), ("box", "brick"), flat=True, often=3),
    "brick": Form((0.04, 0.09), (0.3, 0.6), ("brick",), ("block", "box", "book"), flat=True),
    "box": Form((0.06, 0.11), (0.5, 0.9), ("box",), ("block", "cube", "brick", "book"), flat=True),
    "can": Form((0.045, 0.075), (1.1, 1.9), ("can", "cylinder"), ("cup", "bottle"), flat=True),
    "ball": Form((0.03, 0.075), (1, 1), ("ball",), ("fruit", "apple", "plum", "lemon")),
    "bowl": Form((0.10, 0.18), (0.35, 0.35), ("bowl", "dish"), inside=0.5, often=3),
    "plate": Form((0.14, 0.22), (0.07, 0.07), ("plate", "dish"), inside=0.6, often=1.5),
    "mug": Form((0.06, 0.09), (0.9, 1.3), ("mug", "cup"), ("bowl",)),
    "bottle": Form((0.035, 0.06), (1.5, 3.0), ("bottle",), ("can", "cylinder", "ketchup", "mustard", "soft drink")),
    "ketchup bottle": Form((0.035, 0.05), (1.5, 2.2), ("bottle", "ketchup"), ("can", "cylinder"), ("ketchup",)),
    "mustard bottle": Form((0.035, 0.05), (1.5, 2.2), ("bottle", "mustard"), ("can", "cylinder"), ("mustard bottle",)),
    "soft drink bottle": Form(
        (0.035, 0.05), (1.5, 2.2), ("bottle", "soft drink"), ("can", "cylinder"), ("soft drink",)
    ),
    "apple": Form((0.045, 0.075), (0.85, 1.0), ("apple", "fruit"), ("ball", "plum"), ("apple", "red", "lime", "green")),
    "plum": Form((0.036, 0.05), (0.9, 1.1), ("plum", "fruit"), ("ball", "apple"), ("plum toy", "purple")),
    "strawberry": Form((0.028, 0.04), (0.9, 1.2), ("strawberry", "fruit"), ("ball", "apple"), ("red", "strawberry")),
    "lemon": Form((0.045, 0.06), (0.75, 0.9), ("lemon", "fruit"), ("ball", "apple"), ("yellow", "amber")),
    "banana": Form((0.12, 0.18), (0.2, 0.25), ("banana", "fruit"), (), ("yellow",)),
    "pear": Form((0.05, 0.07), (1.3, 1.6), ("pear", "fruit"), ("apple", "ball"), ("lime", "green", "olive")),
    "carrot": Form((0.10, 0.17), (0.2, 0.25), ("carrot",), ("fruit",), ("orange",)),
    "pen": Form((0.10, 0.16), (0.07, 0.1), ("pen",), ("cylinder",)),
    "book": Form((0.10, 0.18), (0.1, 0.25), ("book",), ("box", "brick"), flat=True),
    "ring": Form((0.06, 0.11), (0.14, 0.2), ("ring",), ("bowl", "plate", "dish")),
    "cross": Form((0.05, 0.10), (0.2, 0.5), (), (), flat=True, often=0.6),
    "angle": Form((0.05, 0.10), (0.2, 0.5), (), ("brick",), flat=True, often=0.6),
    "dome": Form((0.05, 0.11), (0.5, 0.5), (), ("ball", "bowl"), often=0.0),
    "steps": Form((0.06, 0.12), (0.5, 0.6), (), ("brick", "box"), often=0.0),
}
"""Kinds that are drawn with `often` 0 are kept back: only pictures that measure show them. No word names them."""

NATURAL: dict[str, Rgb] = {
    "ketchup": (150, 25, 30),
    "mustard bottle": (237, 201, 72),
    "soft drink": (240, 120, 24),
    "apple": (111, 174, 60),
    "strawberry": (232, 71, 95),
    "plum toy": (107, 63, 143),
}
"""Colours of things that are not named as colours are; the nearest colour words are open."""


def kind_truths(kind: str) -> dict[str, int]:
    """Return which words of kinds are true of a kind, and which are open."""
    form = FORMS[kind]
    return {"thing": TRUE} | dict.fromkeys(form.open, OPEN) | dict.fromkeys(form.true, TRUE)


def shape_of(
    index: int,
    kind: str,
    across: float,
    height: float,
    at: Xyz,
    yaw: float,
    *,
    on_side: bool = False,
    straight: bool = False,
    turn: Quat | None = None,
) -> str:
    """Return a thing as MJCF: a body called `thing<index>`, with its underside at a point, turned by `yaw` degrees.

    `straight` bottles have no shoulders, as those of the tabletop. `turn` is how a thing came to lie that was dropped;
    the point is its middle then.
    """
    known = {"block": "block", "bowl": "bowl", "plate": "plate"}.get(kind)
    known = "bottle" if kind.endswith("bottle") else known
    if known == "bottle" and abs(height / across - 1.7) > 0.2:
        known = None  # the tabletop's bottles have one proportion
    if known and not on_side and turn is None:
        return body(index, Thing(f"thing{index}", known, colour="#808080", size=across, yaw=yaw), at, fixed=True)
    geoms = "".join(f"<geom {_SEEN} {each}/>" for each in parts_of(kind, across, height, straight=straight))
    half = math.radians(yaw) / 2
    c, s = math.cos(half), math.sin(half)
    x, y, z = at
    if on_side:  # its axis lies along its own direction, and its middle is where it would have stood
        x, y = x - height / 2 * math.cos(2 * half), y - height / 2 * math.sin(2 * half)
        z, c, s = z + across / 2, c * math.sqrt(0.5), s * math.sqrt(0.5)
    quat = f"{c} {-s} {c} {s}" if on_side else f"{c} 0 0 {s}"
    if turn is not None:  # the point is its middle
        up = _up(turn)
        x, y, z = (value - height / 2 * part for value, part in zip(at, up, strict=True))
        quat = " ".join(f"{value:.5f}" for value in turn)
    return f'<body name="thing{index}" pos="{x} {y} {z}" quat="{quat}">{geoms}</body>'


def _up(turn: Quat) -> Xyz:
    """Where a thing's own upward direction points after a turn."""
    w, x, y, z = turn
    return 2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)


def parts_of(kind: str, across: float, height: float, *, straight: bool = False) -> list[str]:
    """Return what a thing is made of, around the middle of its underside: what each shape's MJCF says of its form."""
    make = _straight_bottle if straight else _PARTS.get(kind, _round)
    return make(across / 2, height)


def _round(radius: float, height: float) -> list[str]:
    return [f'type="ellipsoid" size="{radius} {radius} {height / 2}" pos="0 0 {height / 2}"']


def _cuboid(share: float) -> _Parts:
    def parts(radius: float, height: float) -> list[str]:
        return [f'type="box" size="{radius} {radius * share} {height / 2}" pos="0 0 {height / 2}"']

    return parts


def _can(radius: float, height: float) -> list[str]:
    return [f'type="cylinder" size="{radius} {height / 2}" pos="0 0 {height / 2}"']


def _bottle(radius: float, height: float) -> list[str]:
    low, neck = height * 0.38, height * 0.12
    return [
        f'type="cylinder" size="{radius} {low}" pos="0 0 {low}"',
        f'type="ellipsoid" size="{radius} {radius} {neck}" pos="0 0 {2 * low}"',
        f'type="cylinder" size="{radius * 0.45} {neck}" pos="0 0 {height - neck}"',
    ]


def _straight_bottle(radius: float, height: float) -> list[str]:
    """A straight body with a wide neck."""
    return [
        f'type="cylinder" size="{radius} {height * 0.4}" pos="0 0 {height * 0.4}"',
        f'type="cylinder" size="{radius * 0.65} {height * 0.1}" pos="0 0 {height * 0.9}"',
    ]


def _mug(radius: float, height: float) -> list[str]:
    """Twelve walls around a floor, and a handle."""
    parts = [f'type="cylinder" size="{radius * 0.95} 0.003" pos="0 0 0.003"']
    wide = radius * math.tan(math.pi / 12)
    for i in range(12):
        turn = i * math.pi / 6
        x, y, c, s = radius * math.cos(turn), radius * math.sin(turn), math.cos(turn / 2), math.sin(turn / 2)
        size = f"0.003 {wide} {height / 2}"
        parts.append(f'type="box" size="{size}" pos="{x} {y} {height / 2}" quat="{c} 0 0 {s}"')
    out = radius + 0.018
    for z in (height * 0.25, height * 0.75):
        parts.append(f'type="capsule" size="0.004" fromto="{radius} 0 {z} {out} 0 {z}"')
    return [*parts, f'type="capsule" size="0.004" fromto="{out} 0 {height * 0.25} {out} 0 {height * 0.75}"']


def _arc(radius: float, height: float) -> list[str]:
    """A banana: capsules along an arc, thinner at its ends."""
    thick, found = height / 2, list[str]()
    turns = np.linspace(-1.0, 1.0, 7)
    points = [(radius * math.sin(t), radius * (math.cos(t) - 0.75)) for t in turns]
    for i, ((ax, ay), (bx, by)) in enumerate(pairwise(points)):
        size = thick * (0.55, 0.85, 1.0, 1.0, 0.85, 0.55)[i]
        found.append(f'type="capsule" size="{size}" fromto="{ax} {ay} {thick} {bx} {by} {thick}"')
    return found


def _pear(radius: float, height: float) -> list[str]:
    high = height - radius * 0.6
    return [
        f'type="sphere" size="{radius}" pos="0 0 {radius}"',
        f'type="ellipsoid" size="{radius * 0.55} {radius * 0.55} {height * 0.32}" pos="0 0 {high * 0.85}"',
    ]


def _carrot(radius: float, height: float) -> list[str]:
    thick, found = height / 2, list[str]()
    for i in range(5):
        a, b = radius * (1 - 0.4 * i), radius * (0.6 - 0.4 * i)
        size = thick * (1.0, 0.9, 0.75, 0.6, 0.4)[i]
        found.append(f'type="capsule" size="{size}" fromto="{a} 0 {thick} {b} 0 {thick}"')
    return found


def _pen(radius: float, height: float) -> list[str]:
    return [f'type="capsule" size="{height / 2}" fromto="{-radius} 0 {height / 2} {radius} 0 {height / 2}"']


def _ring(radius: float, height: float) -> list[str]:
    thick, found = height / 2, list[str]()
    far = radius - thick
    for i in range(12):
        a, b = i * math.pi / 6, (i + 1) * math.pi / 6
        ends = f"{far * math.cos(a)} {far * math.sin(a)} {thick} {far * math.cos(b)} {far * math.sin(b)} {thick}"
        found.append(f'type="capsule" size="{thick}" fromto="{ends}"')
    return found


def _cross(radius: float, height: float) -> list[str]:
    arm = radius * 0.33
    return [
        f'type="box" size="{radius} {arm} {height / 2}" pos="0 0 {height / 2}"',
        f'type="box" size="{arm} {radius} {height / 2}" pos="0 0 {height / 2}"',
    ]


def _angle(radius: float, height: float) -> list[str]:
    arm = radius * 0.3
    return [
        f'type="box" size="{radius} {arm} {height / 2}" pos="0 {arm - radius} {height / 2}"',
        f'type="box" size="{arm} {radius} {height / 2}" pos="{arm - radius} 0 {height / 2}"',
    ]


def _dome(radius: float, height: float) -> list[str]:
    return [
        f'type="ellipsoid" size="{radius} {radius} {height}" pos="0 0 0.001"',
        f'type="cylinder" size="{radius} 0.003" pos="0 0 0.003"',
    ]


def _steps(radius: float, height: float) -> list[str]:
    third = radius / 3
    return [
        f'type="box" size="{third} {radius * 0.7} {height * (i + 1) / 6}" '
        f'pos="{(i - 1) * 2 * third} 0 {height * (i + 1) / 6}"'
        for i in range(3)
    ]


_PARTS: dict[str, _Parts] = {
    "block": _cuboid(1.0),
    "brick": _cuboid(0.5),
    "box": _cuboid(1.0),
    "book": _cuboid(0.72),
    "can": _can,
    "bottle": _bottle,
    "ketchup bottle": _bottle,
    "mustard bottle": _bottle,
    "soft drink bottle": _bottle,
    "mug": _mug,
    "banana": _arc,
    "pear": _pear,
    "carrot": _carrot,
    "pen": _pen,
    "ring": _ring,
    "cross": _cross,
    "angle": _angle,
    "dome": _dome,
    "steps": _steps,
}

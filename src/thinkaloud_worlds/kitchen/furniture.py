"""The kitchen's furniture as MJCF, and where at each place things can lie and the camera is.

Each place has a frame of its own, as tables have: x to the right and y away from the robot that stands there, z up, 0
at the surface. Shapes are named after what they are made of (`top.3`), walls are in a group of their own: the lamp
shines through them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from thinkaloud.worlds.geometry import Rgb, Xy, Xyz
from thinkaloud_worlds.kitchen.catalogue import CABINET, DRAWERS, LOCATIONS, TRASH, USER

COUNTER, TABLE = "counter", "table"
WALLS = 4
"""The group of walls, which cast no shadow."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the robot looks to, and what it sees there; metres, degrees.

    `apart` is how far the surface's middle is from where the robot stands, `level` how high the surface is above the
    floor, `aim` what the camera looks at. `room` is the area for things: its middle, its length and its width.
    """

    heading: float
    apart: float
    level: float
    aim: Xyz
    middle: Xy
    room: Xy

    @property
    def eye(self) -> Xyz:
        """Where the camera is, in the frame of the place."""
        return (0.0, -self.apart, CAMERA_HEIGHT - self.level)


CAMERA_HEIGHT = 1.55
PLACES: dict[str, Place] = {
    COUNTER: Place(-90, 0.80, 0.90, (0.0, 0.03, 0.0), (0.0, -0.06), (0.76, 0.40)),
    CABINET: Place(-90, 1.15, 0.90, (0.0, -0.40, -0.03), (0.0, 0.02), (0.66, 0.34)),
    TABLE: Place(90, 0.80, 0.74, (0.0, 0.02, 0.0), (0.0, -0.04), (0.80, 0.42)),
    TRASH: Place(0, 0.55, 0.42, (0.0, 0.02, 0.03), (0.0, 0.02), (0.18, 0.18)),
    USER: Place(0, 0.80, 0.74, (0.0, 0.03, 0.0), (0.0, -0.10), (0.74, 0.30)),
}


@dataclass(frozen=True, slots=True)
class Box:
    """A drawer inside the cabinet: its sides in the frame of the cabinet while it is shut, and how far it opens."""

    x: tuple[float, float]
    y: tuple[float, float]
    z: tuple[float, float]
    opens: float


DRAWER_BOXES: dict[str, Box] = {
    DRAWERS[0]: Box((-0.34, 0.34), (-0.26, 0.18), (-0.22, -0.05), 0.27),
    DRAWERS[1]: Box((-0.34, 0.34), (-0.26, 0.24), (-0.58, -0.25), 0.40),
}
DRAWER_ROOMS: dict[str, tuple[Xy, Xy]] = {
    DRAWERS[0]: ((0.0, 0.0), (0.50, 0.14)),
    DRAWERS[1]: ((0.0, -0.01), (0.50, 0.15)),
}
"""The part of a drawer that is in view when it is open, while it is shut: its middle, and its sides."""


def frame_of(place: str) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.float64]], Xyz]:
    """The axes of a place's frame as columns, and its origin, in the frame of the whole kitchen."""
    spot = PLACES[place]
    turn = math.radians(spot.heading)
    ahead = (math.cos(turn), math.sin(turn))
    x, y = LOCATIONS[place]
    axes = np.array([[ahead[1], ahead[0], 0.0], [-ahead[0], ahead[1], 0.0], [0.0, 0.0, 1.0]])
    return axes, (x + spot.apart * ahead[0], y + spot.apart * ahead[1], spot.level)


def kitchen_mjcf(open_drawers: Collection[str], inside: dict[str, str], clutter: Sequence[float]) -> str:
    """The whole kitchen. `inside` is what lies at each place, in its frame; `clutter` are numbers that vary it."""
    parts = {
        COUNTER: _counter(clutter),
        CABINET: _cabinet(open_drawers, clutter),
        TABLE: _table(clutter),
        TRASH: _bin(),
        USER: _desk(clutter),
    }
    bodies = "".join(_placed(name, parts[name] + inside.get(name, "")) for name in PLACES)
    return f"<mujoco><worldbody>{_room()}{bodies}</worldbody></mujoco>"


def _placed(place: str, inside: str) -> str:
    _, (x, y, z) = frame_of(place)
    return f'<body pos="{x} {y} {z}" axisangle="0 0 1 {PLACES[place].heading - 90}">{inside}</body>'


# Shapes ---------------------------------------------------------------------------------------------------------------

_STEEL: Rgb = (176, 180, 184)
_DARK: Rgb = (44, 46, 50)
_WHITE: Rgb = (238, 238, 234)
_SKIN: Rgb = (206, 160, 130)


class Shapes:
    """Names for shapes that have a material: MuJoCo wants each once."""

    def __init__(self, part: str) -> None:
        self._part, self._count = part, 0

    def box(self, material: str, x: Xy, y: Xy, z: Xy, rgb: Rgb = _WHITE, more: str = "") -> str:
        """A box by its sides."""
        size = " ".join(f"{(b - a) / 2:.4f}" for a, b in (x, y, z))
        at = " ".join(f"{(a + b) / 2:.4f}" for a, b in (x, y, z))
        return self.shape(material, f'type="box" size="{size}" pos="{at}"', rgb, more)

    def shape(self, material: str, what: str, rgb: Rgb = _WHITE, more: str = "") -> str:
        """A shape of a material, or of one colour if it has none."""
        self._count += 1
        r, g, b = (value / 255 for value in rgb)
        name = f'name="{material}.{self._part}.{self._count}"' if material else ""
        return f'<geom {name} {what} rgba="{r:.3f} {g:.3f} {b:.3f} 1" {more}/>'


def _room() -> str:
    """The floor, four walls and a window."""
    make, wall = Shapes("room"), f'group="{WALLS}"'
    west, east, south, north = -0.9, 6.3, -0.79, 5.4
    return "".join(
        (
            make.box("floor", (west, east), (south, north), (-0.02, 0.0)),
            make.box("wall", (west, east), (south - 0.04, south), (0, 2.4), more=wall),
            make.box("wall", (west, east), (north, north + 0.04), (0, 2.4), more=wall),
            make.box("wall", (west - 0.04, west), (south, north), (0, 2.4), more=wall),
            make.box("wall", (east, east + 0.04), (south, north), (0, 2.4), more=wall),
            make.box("", (1.2, 2.2), (north - 0.02, north), (1.0, 1.9), (206, 226, 242), wall),
        )
    )


def _counter(vary: Sequence[float]) -> str:
    """A long counter with a sink and a tap, a fridge beside it, a toaster or a kettle at the back."""
    make, low = Shapes("counter"), -PLACES[COUNTER].level
    back, sink = 0.58, 0.60
    parts = [
        make.box("top", (-0.98, 0.98), (-0.32, back), (-0.04, 0.0)),
        make.box("front", (-0.96, 0.96), (-0.29, back), (low + 0.1, -0.04)),
        make.box("", (-0.96, 0.96), (-0.24, back), (low, low + 0.1), _DARK),
        make.box("", (sink - 0.14, sink + 0.24), (-0.20, 0.20), (-0.02, 0.001), _STEEL),
        make.box("", (sink - 0.12, sink + 0.22), (-0.18, 0.18), (-0.02, 0.0014), (96, 99, 103)),
        make.shape("", f'type="capsule" size="0.012" fromto="{sink} 0.25 0 {sink} 0.25 0.22"', _STEEL),
        make.shape("", f'type="capsule" size="0.011" fromto="{sink} 0.25 0.22 {sink} 0.10 0.20"', _STEEL),
        make.box("", (1.06, 1.70), (-0.30, 0.57), (low, 0.85), _WHITE),
        make.box("", (1.06, 1.70), (-0.33, -0.30), (low + 0.04, 0.20), (228, 229, 228)),
        make.box("", (1.10, 1.13), (-0.36, -0.33), (-0.4, 0.1), _STEEL),
    ]
    for at in (-0.64, -0.32, 0.0, 0.32, 0.64):
        parts.append(make.box("", (at - 0.06, at + 0.06), (-0.31, -0.29), (-0.12, -0.10), _STEEL))
    x = -0.66 + 0.12 * vary[0]
    if vary[1] < 0.5:
        parts.append(make.box("", (x - 0.09, x + 0.09), (0.26, 0.48), (0, 0.17), _STEEL))
        for slot in (-0.035, 0.035):
            parts.append(make.box("", (x + slot - 0.012, x + slot + 0.012), (0.29, 0.45), (0.165, 0.171), _DARK))
    else:
        parts.append(make.shape("", f'type="cylinder" size="0.08 0.1" pos="{x} 0.34 0.1"', _STEEL))
        parts.append(make.shape("", f'type="ellipsoid" size="0.08 0.08 0.03" pos="{x} 0.34 0.2"', _DARK))
        parts.append(make.shape("", f'type="capsule" size="0.012" fromto="{x} 0.25 0.18 {x} 0.22 0.05"', _DARK))
    if vary[2] < 0.6:
        y = 0.46 + 0.04 * vary[3]
        parts.append(make.box("table", (-0.32 + 0.3 * vary[4], 0.0 + 0.3 * vary[4]), (y, y + 0.02), (0, 0.24)))
    return "".join(parts)


def _cabinet(open_drawers: Collection[str], vary: Sequence[float]) -> str:
    """A cabinet with two drawers. Only its shell is solid: what is in a shut drawer is behind its front."""
    make, low = Shapes("cabinet"), -PLACES[CABINET].level
    parts = [
        make.box("top", (-0.46, 0.46), (-0.28, 0.22), (-0.03, 0.0)),
        make.box("front", (-0.44, -0.37), (-0.26, 0.22), (low, -0.03)),
        make.box("front", (0.37, 0.44), (-0.26, 0.22), (low, -0.03)),
        make.box("front", (-0.44, 0.44), (0.20, 0.22), (low, -0.03)),
        make.box("front", (-0.44, 0.44), (-0.26, 0.22), (low, low + 0.28)),
        make.box("", (-0.37, 0.37), (-0.255, 0.22), (-0.24, -0.23), _DARK),
    ]
    for name, box in DRAWER_BOXES.items():
        out = box.opens if name in open_drawers else 0.0
        (left, right), (front, back), (floor, rim) = box.x, box.y, box.z
        back = min(back, 0.20)
        front, back = front - out, back - out
        top = -0.035 if name == DRAWERS[0] else -0.245
        parts += [
            make.box("front", (-0.43, 0.43), (front - 0.025, front), (floor - 0.01, top)),
            make.box("", (-0.10, 0.10), (front - 0.055, front - 0.04), (top - 0.07, top - 0.055), _STEEL),
            make.box("", (left, right), (front, back), (floor - 0.008, floor), (214, 206, 192)),
            make.box("", (left, left + 0.012), (front, back), (floor, rim), (202, 194, 180)),
            make.box("", (right - 0.012, right), (front, back), (floor, rim), (202, 194, 180)),
        ]
    if vary[5] < 0.5:
        x = 0.36 - 0.72 * (vary[6] < 0.5)
        parts.append(make.shape("", f'type="cylinder" size="0.05 0.06" pos="{x} 0.14 0.06"', (206, 200, 188)))
        for lean in (-0.03, 0.0, 0.03):
            ends = f"{x} 0.14 0.1 {x + lean} {0.14 + lean / 2} 0.26"
            parts.append(make.shape("", f'type="capsule" size="0.006" fromto="{ends}"', (150, 110, 70)))
    return "".join(parts)


def _table(vary: Sequence[float]) -> str:
    """A table with two chairs behind it, and sometimes a place mat."""
    make, low = Shapes("table"), -PLACES[TABLE].level
    parts = [make.box("table", (-0.72, 0.72), (-0.38, 0.42), (-0.03, 0.0))]
    for x in (-0.66, 0.66):
        for y in (-0.32, 0.36):
            parts.append(make.box("table", (x - 0.03, x + 0.03), (y - 0.03, y + 0.03), (low, -0.03)))
    for x in (-0.38 + 0.1 * vary[7], 0.34 + 0.1 * vary[8]):
        parts += [
            make.box("desk", (x - 0.20, x + 0.20), (0.44, 0.84), (low + 0.42, low + 0.46)),
            make.box("desk", (x - 0.20, x + 0.20), (0.82, 0.86), (low + 0.46, low + 0.95)),
        ]
    if vary[9] < 0.5:
        rgb = (int(90 + 140 * vary[10]), int(90 + 140 * vary[11]), int(90 + 140 * vary[0]))
        parts.append(make.box("", (-0.22, 0.22), (-0.22, 0.10), (-0.002, 0.0015), rgb))
    return "".join(parts)


def _bin() -> str:
    """A bin with a bag in it, which is filled up to z = 0."""
    make, low, rim = Shapes("bin"), -PLACES[TRASH].level, 0.11
    wide, thick = 0.17, 0.012
    parts = [
        make.shape("liner", f'type="cylinder" size="{wide} 0.01" pos="0 0 -0.01"'),
        make.shape("liner", 'type="ellipsoid" size="0.09 0.06 0.012" pos="-0.05 0.04 -0.006"'),
    ]
    for number in range(16):
        turn = math.radians(number * 22.5)
        at = f"{wide * math.cos(turn):.4f} {wide * math.sin(turn):.4f} {(low + rim) / 2:.4f}"
        size = f"{thick / 2} {wide * math.tan(math.pi / 16) * 1.04:.4f} {(rim - low) / 2:.4f}"
        spin = f'axisangle="0 0 1 {number * 22.5}"'
        parts.append(make.shape("bin", f'type="box" size="{size}" pos="{at}" {spin}'))
        size = f"{thick * 0.9} {wide * math.tan(math.pi / 16) * 1.08:.4f} 0.018"
        at = f"{wide * math.cos(turn):.4f} {wide * math.sin(turn):.4f} {rim - 0.012:.4f}"
        parts.append(make.shape("liner", f'type="box" size="{size}" pos="{at}" {spin}'))
    return "".join(parts)


def _desk(vary: Sequence[float]) -> str:
    """A desk with a laptop, and the user behind it."""
    make, low = Shapes("desk"), -PLACES[USER].level
    shirt = (int(40 + 160 * vary[2]), int(40 + 160 * vary[3]), int(60 + 160 * vary[4]))
    x = 0.44 - 0.88 * (vary[5] < 0.5)
    parts = [
        make.box("desk", (-0.75, 0.75), (-0.36, 0.36), (-0.03, 0.0)),
        make.box("desk", (-0.72, -0.68), (-0.33, 0.33), (low, -0.03)),
        make.box("desk", (0.68, 0.72), (-0.33, 0.33), (low, -0.03)),
        make.box("", (x - 0.17, x + 0.17), (0.06, 0.30), (0.0, 0.018), (120, 123, 128)),
        make.box("", (x - 0.15, x + 0.15), (0.13, 0.28), (0.018, 0.0195), _DARK),
        make.box("", (x - 0.17, x + 0.17), (0.04, 0.055), (0.018, 0.22), (120, 123, 128)),
        make.shape("", 'type="capsule" size="0.15" fromto="0 0.62 -0.30 0 0.60 0.22"', shirt),
        make.shape("", 'type="ellipsoid" size="0.085 0.10 0.12" pos="0 0.60 0.52"', _SKIN),
        make.shape("", 'type="ellipsoid" size="0.09 0.105 0.10" pos="0 0.62 0.56"', (70, 50, 36)),
    ]
    for side in (-1, 1):
        parts.append(
            make.shape(
                "",
                f'type="capsule" size="0.05" fromto="{side * 0.2} 0.60 0.20 {side * 0.26} 0.42 0.02"',
                shirt,
            )
        )
        parts.append(
            make.shape(
                "", f'type="capsule" size="0.035" fromto="{side * 0.26} 0.38 0.03 {side * 0.2} 0.24 0.03"', _SKIN
            )
        )
    return "".join(parts)

"""Where things stand, and how large they are. The arm's base is the origin, the counter is z = 0; lengths in metres.

Places are given by their distance from the base and their angle (in degrees) to the right of straight ahead. Cups stand
in a circle around the arm; the ingredients are on a shelf behind them; the bin stands on the floor.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from thinkaloud.worlds.geometry import Xy

_CUP_RADIUS, CUP_FOOT, CUP_RIM, DRINK_CUP_HEIGHT, DRINK_CUP_WALL = 0.035, 0.030, 0.039, 0.11, 0.0025
CUP_VOLUME = 340.0  # millilitres up to the brim
NESTED = 0.013  # how much higher each cup of the stack stands
SHELF, _SHELF_RADIUS, SHELF_DEEP = 0.12, 0.85, 0.065
_RING = 0.60  # how far away the cups are
COUNTER_X, COUNTER_Y = (-1.0, 1.0), (-1.0, -0.11)
BIN_HALF, BIN_TOP, BIN_FLOOR = 0.13, -0.02, -0.42
COUNTER_FLOOR_Z = -0.6


def _around(radius: float, degrees: float) -> Xy:
    """The point at this distance and angle (in degrees) to the right of straight ahead."""
    angle = math.radians(degrees)
    return radius * math.sin(angle), -radius * math.cos(angle)


WORK = _around(_RING, 0.0)
STACK = _around(_RING, -36.0)
BIN = _around(0.64, -114.0)
FINISHED = tuple(_around(_RING, 24.0 + 15.3 * i) for i in range(6))
WING_X, WING_Y = (0.25, 1.0), (COUNTER_Y[1], 0.22)  # a wing of the counter beside the arm, for the last of them


@dataclass(frozen=True, slots=True)
class VesselForm:
    """How a thing is held and how it pours; heights are from its underside."""

    radius: float  # where the fingers close on it
    height: float
    grip: float  # the height at which they close
    lip: tuple[float, float] = (0.0, 0.0)  # the point over which contents run: sideways offset, and height
    mass: float = 0.25


FORMS = {
    "cup": VesselForm(_CUP_RADIUS, DRINK_CUP_HEIGHT, 0.055, mass=0.12),
    "bottle": VesselForm(0.035, 0.20, 0.07, (0.013, 0.20), 0.4),
    "jar": VesselForm(0.035, 0.11, 0.055, (0.031, 0.11), 0.3),
    "ladle": VesselForm(0.010, 0.19, 0.155, (0.024, 0.026), 0.08),
    "stirrer": VesselForm(0.010, 0.24, 0.205, (0.004, 0.0), 0.05),
}
TUB_RADIUS, TUB_HEIGHT = 0.048, 0.075
STACK_GRIP = 0.09  # cups in the stack are gripped near the rim


def stations(count: int) -> list[Xy]:
    """Places on the shelf, from left to right, with a gap in the middle so that a person can see the counter."""
    apart, begin = (8.6, 25.0) if count <= 10 else (8.1, 17.0)
    left = (count + 1) // 2
    angles = [-begin - apart * i for i in reversed(range(left))] + [begin + apart * i for i in range(count - left)]
    return [_around(_SHELF_RADIUS, angle) for angle in angles]


ONSET, FULL_TILT = math.radians(50.0), math.radians(110.0)
"""The tilt at which a container starts to pour, and the tilt at which it pours fastest."""


def pouring_tilt(amount: float) -> float:
    """How far to tilt a container for an amount: a little for a pinch of powder, far for a cup of milk."""
    return math.radians(62.0 + 46.0 * min(amount / 150.0, 1.0))

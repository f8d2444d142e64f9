"""The arm's reach: where it can take things from the table, how high it can carry them, and along which way."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from thinkaloud.errors import SkillError
from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.franka.franka_arm import find_reachable, out_of_reach
from thinkaloud_worlds.franka.layout import CARRY, ORDINARY

EMPTY_HAND_HEIGHT = (
    0.37  # the height of the point between the fingers while the hand is empty: above everything on the table
)
LOWEST_REACH = 0.015  # the lowest point it goes to
_NEAREST = 0.30  # ways keep this far from the arm's axis, unless they begin or end nearer
_RISE = 0.01


def reaches(x: float, y: float, held_height: float = ORDINARY) -> bool:
    """Whether the arm can take a thing of that height at a point of the table and lift it to carrying height."""
    return _reaches(round(x, 3), round(y, 3), round(held_height, 3))


@lru_cache(maxsize=4096)
def _reaches(x: float, y: float, held_height: float) -> bool:
    grip = max(held_height - 0.035, held_height / 2, LOWEST_REACH)
    heights = np.linspace(grip, grip + CARRY, 8)
    points = np.array([[x, y, z] for z in (*heights, EMPTY_HAND_HEIGHT)])
    return bool(find_reachable(points).all())


def highest_way(way: NDArray[np.float64], wanted: float, least: float) -> float:
    """The greatest height, up to `wanted`, at which the hand can follow a whole way (rows of x, y).

    Raises SkillError if it cannot do so even at the height `least`.
    """
    for z in np.arange(wanted, least - 1e-9, -_RISE):
        if find_reachable(np.column_stack([way, np.full(len(way), z)])).all():
            return float(z)
    points = np.column_stack([way, np.full(len(way), least)])
    worst = points[int(np.argmin(find_reachable(points)))]
    raise SkillError(out_of_reach(*(float(v) for v in worst)))


def way(start: Xy, end: Xy) -> NDArray[np.float64]:
    """The points (rows of x, y) that the hand passes: a straight line, or around the front of the arm's base."""
    a, b = np.array(start), np.array(end)
    line = a + (b - a) * np.linspace(0.0, 1.0, 33)[:, None]
    near = min(_NEAREST, math.hypot(*start), math.hypot(*end)) - 1e-3
    behind = (line[:-1, 1] * line[1:, 1] <= 0) & (line[:-1, 0] < 0)
    if np.hypot(line[:, 0], line[:, 1]).min() >= near and not behind.any():
        return np.asarray(line)
    first, last = math.atan2(start[1], start[0]), math.atan2(end[1], end[0])
    s = np.linspace(0.0, 1.0, 33)
    angle = first + (last - first) * s
    radius = math.hypot(*start) + (math.hypot(*end) - math.hypot(*start)) * s
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])

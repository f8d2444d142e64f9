"""The floor and what moves on it, in metres: a corner of the hall is (0, 0), a heading of 0 looks along x."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinkaloud.worlds.geometry import Xy

LENGTH, WIDTH, HEIGHT = 0.60, 0.45, 0.25
"""The size of the robot."""
ROUND = 0.375  # the radius of the circle that it sweeps when it turns on the spot
TURNS = 0.40  # the least room around its middle that it needs to turn
KEEPS = 0.46  # the room around its middle that its paths keep free
CELL = 0.10  # the grid on which paths are searched
RANGE = 2.5  # how far the scanner sees
VIEW = 240  # degrees in total, half to each side of ahead
EYE = 0.10  # its height above the floor
AT_LANDMARK = 0.25  # the robot is at a landmark when this near to it
_WALL = 0.15  # how thick the outer walls are

Grid = NDArray[np.float64]


class RobotPose(NamedTuple):
    """Where the robot is, and which way it faces, in radians."""

    x: float
    y: float
    heading: float

    @property
    def xy(self) -> Xy:
        """Where it is."""
        return self.x, self.y


class Rect(NamedTuple):
    """A box as it stands on the floor: its middle, and its sides along x and y."""

    x: float
    y: float
    length: float
    width: float

    def distance(self, x: Grid, y: Grid) -> Grid:
        """The distance from points to the box; 0 inside."""
        dx = np.maximum(np.abs(x - self.x) - self.length / 2, 0.0)
        dy = np.maximum(np.abs(y - self.y) - self.width / 2, 0.0)
        return np.asarray(np.hypot(dx, dy))

    def gap(self, x: float, y: float) -> float:
        """The distance from a point to the box; 0 inside."""
        return float(self.distance(np.array(x), np.array(y)))

    def overlaps(self, other: Rect) -> bool:
        """Whether two boxes overlap."""
        across = abs(self.x - other.x) < (self.length + other.length) / 2 - 1e-6
        return across and abs(self.y - other.y) < (self.width + other.width) / 2 - 1e-6


def outer_walls(length: float, width: float) -> tuple[Rect, ...]:
    """The outer walls of a hall."""
    return (
        Rect(length / 2, -_WALL / 2, length + 2 * _WALL, _WALL),
        Rect(length / 2, width + _WALL / 2, length + 2 * _WALL, _WALL),
        Rect(-_WALL / 2, width / 2, _WALL, width),
        Rect(length + _WALL / 2, width / 2, _WALL, width),
    )


def render_place(x: float, y: float) -> str:
    """A place in words: (3.2, 1.0)."""
    return f"({x + 0.0:.1f}, {y + 0.0:.1f})"


def with_article(kind: str) -> str:
    """A thing with its article: a pallet, an oil drum."""
    return f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind}"

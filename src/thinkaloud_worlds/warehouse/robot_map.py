"""The robot's map: the given walls, shelves and signs, and what its scanner has found.

For every cell of the floor it stores the distance to the nearest thing. What the scanner found stays on the map, as
points in the order of finding; nothing else has to be saved.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.warehouse.floor_geometry import CELL, RANGE, Grid, Rect, RobotPose

POINT = 0.05  # the resolution of scanned points
_REACH = 1.2  # room beyond this counts as this much

Met = tuple[int, int, int]
"""A scanned point, in steps of `POINT`, and the number of the thing that it belongs to."""


class Chart:
    """What the robot knows of the floor."""

    def __init__(self, size: tuple[float, float], known: Iterable[Rect]) -> None:
        self.columns, self.rows = (math.ceil(round(side / CELL, 6)) for side in size)
        self._x = (np.arange(self.columns) + 0.5) * CELL
        self._y = (np.arange(self.rows) + 0.5) * CELL
        self._known = tuple(known)
        x, y = np.meshgrid(self._x, self._y)
        self._mapped: Grid = np.minimum.reduce([rect.distance(x, y) for rect in self._known]).clip(max=_REACH)
        self.forget()

    def forget(self) -> None:
        """Forget everything that the scanner found."""
        self.room: Grid = self._mapped.copy()
        self.owner: NDArray[np.int16] = np.full(self.room.shape, -1, np.int16)
        self.met: dict[tuple[int, int], int] = {}

    def take(self, pose: RobotPose, scan: tuple[Grid, Grid, NDArray[np.int32]]) -> None:
        """Record what a scan found that is not on the map."""
        angles, distances, things = scan
        new = (distances <= RANGE) & (things >= 0)
        if not new.any():
            return
        turned, far = pose.heading + angles[new], distances[new]
        columns = np.rint((pose.x + far * np.cos(turned)) / POINT).astype(int).tolist()
        rows = np.rint((pose.y + far * np.sin(turned)) / POINT).astype(int).tolist()
        for met in zip(columns, rows, things[new].tolist(), strict=True):
            if met[:2] not in self.met:
                self.note(met)

    def note(self, met: Met) -> None:
        """Record one point."""
        column, row, thing = met
        if (column, row) in self.met:
            return
        self.met[column, row] = thing
        self._bring_near(Rect(column * POINT, row * POINT, 0.0, 0.0), thing)

    def place(self, rect: Rect, thing: int) -> None:
        """Put a whole thing on the map, as if the robot knew the hall."""
        self._bring_near(rect, thing)

    def _bring_near(self, rect: Rect, thing: int) -> None:
        left, right = np.searchsorted(self._x, [rect.x - rect.length / 2 - _REACH, rect.x + rect.length / 2 + _REACH])
        low, high = np.searchsorted(self._y, [rect.y - rect.width / 2 - _REACH, rect.y + rect.width / 2 + _REACH])
        x, y = np.meshgrid(self._x[left:right], self._y[low:high])
        distance = rect.distance(x, y)
        room, owner = self.room[low:high, left:right], self.owner[low:high, left:right]
        nearer = distance < room
        room[nearer] = distance[nearer]
        owner[nearer] = thing

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """The row and column of a point, or of the nearest cell in the hall."""
        return (
            min(max(int(y / CELL), 0), self.rows - 1),
            min(max(int(x / CELL), 0), self.columns - 1),
        )

    def middle(self, row: int, column: int) -> Xy:
        """The middle of a cell."""
        return (column + 0.5) * CELL, (row + 0.5) * CELL

    def room_at(self, x: float, y: float) -> float:
        """The distance from a point to the nearest thing."""
        return float(self.room[self.cell(x, y)])

    def owner_at(self, x: float, y: float) -> int:
        """The number of the thing nearest to a point; -1 if it was on the given map."""
        return int(self.owner[self.cell(x, y)])

    def points(self) -> tuple[Met, ...]:
        """All points found, in the order of finding."""
        return tuple((column, row, thing) for (column, row), thing in self.met.items())

    def found(self) -> dict[int, Xy]:
        """The things found so far, in the order of finding, each with the middle of its scanned points."""
        seen: dict[int, list[tuple[int, int]]] = {}
        for point, thing in self.met.items():
            seen.setdefault(thing, []).append(point)
        return {thing: _middle(points) for thing, points in seen.items()}


def _middle(points: list[tuple[int, int]]) -> Xy:
    columns, rows = zip(*points, strict=True)
    return (min(columns) + max(columns)) * POINT / 2, (min(rows) + max(rows)) * POINT / 2

"""Paths over the floor: networkx's A* over the cells with enough room, then straight lines wherever they are free.

networkx is pure Python without dependencies. Its A* takes the cost of an edge from a function, with None for a blocked
edge, so one grid serves every state of the map.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.warehouse.floor_geometry import CELL, KEEPS, TURNS, Grid
from thinkaloud_worlds.warehouse.robot_map import Chart

_LIKES = 0.9  # with less room than this, a path costs more
_DISLIKE = 1.5  # how much more: with no room at all, this many times its length
_LEAVING = 0.6  # within this distance of the start, the robot may pass as close as it stands, to get away
_DIAGONAL = math.sqrt(2)
_FINE = 0.04
_Mask = NDArray[np.bool_]


@lru_cache(maxsize=8)
def _grid(columns: int, rows: int) -> Any:
    """Every cell with its eight neighbours."""
    cells = np.arange(rows * columns).reshape(rows, columns)
    graph = nx.Graph()
    for one, other in (
        (cells[:, :-1], cells[:, 1:]),
        (cells[:-1], cells[1:]),
        (cells[:-1, :-1], cells[1:, 1:]),
        (cells[:-1, 1:], cells[1:, :-1]),
    ):
        graph.add_edges_from(zip(one.ravel().tolist(), other.ravel().tolist(), strict=True))
    return graph


def route(chart: Chart, start: Xy, goal: Xy) -> tuple[Xy, ...] | None:
    """The corners of a path from one point to another, both included; None if there is no path."""
    allowed = np.full(chart.room.shape, KEEPS)
    row, column = chart.cell(*start)
    if chart.room[row, column] < KEEPS:
        near = math.ceil(_LEAVING / CELL)
        allowed[max(row - near, 0) : row + near + 1, max(column - near, 0) : column + near + 1] = TURNS
        allowed[row, column] = 0.0
    free = chart.room >= allowed
    if not _flooded(free, (row, column))[chart.cell(*goal)]:
        return None
    cost = 1 + _DISLIKE * np.clip(1 - chart.room / _LIKES, 0, None)
    cost[chart.room < KEEPS] *= 4
    cells = _cheapest(chart, np.where(free, cost, np.inf), start, goal)
    return _straightened([start, *cells[1:-1], goal], chart.room, allowed)


def breach(chart: Chart, start: Xy, goal: Xy) -> tuple[Xy, ...] | None:
    """The path that needs the least clearing; None if walls and shelves alone block every path."""
    mapped = (chart.room < KEEPS) & (chart.owner < 0)
    mapped[chart.cell(*start)] = False
    if not _flooded(~mapped, chart.cell(*start))[chart.cell(*goal)]:
        return None
    cost = np.where(chart.room < KEEPS, 1000.0, 1.0)
    return tuple(_cheapest(chart, np.where(mapped, np.inf, cost), start, goal))


def all_reachable(chart: Chart, start: Xy, goals: Sequence[Xy]) -> bool:
    """Whether all these places can be reached from the start."""
    flooded = _flooded(chart.room >= KEEPS, chart.cell(*start))
    return all(flooded[chart.cell(*goal)] for goal in goals)


def _flooded(free: _Mask, start: tuple[int, int]) -> _Mask:
    """The free cells connected to a cell."""
    reached = np.zeros_like(free)
    reached[start] = free[start]
    while True:
        spread = reached.copy()
        spread[1:] |= reached[:-1]
        spread[:-1] |= reached[1:]
        wide = spread.copy()
        wide[:, 1:] |= spread[:, :-1]
        wide[:, :-1] |= spread[:, 1:]
        wide &= free
        if (wide == reached).all():
            return wide
        reached = wide


def _cheapest(chart: Chart, cost: Grid, start: Xy, goal: Xy) -> list[Xy]:
    """The middles of the cells of the cheapest path; cells of infinite cost are blocked."""
    columns = chart.columns
    costs = [value if value < math.inf else None for value in cost.ravel().tolist()]
    (row, column), (aim_row, aim_column) = chart.cell(*start), chart.cell(*goal)

    def weight(here: int, to: int, _: object) -> float | None:
        price = costs[to]
        return price if price is None or abs(to - here) in (1, columns) else price * _DIAGONAL

    def left(here: int, _: int) -> float:
        return math.hypot(here // columns - aim_row, here % columns - aim_column)

    source, target = row * columns + column, aim_row * columns + aim_column
    cells = nx.astar_path(_grid(columns, chart.rows), source, target, heuristic=left, weight=weight)
    return [chart.middle(*divmod(cell, columns)) for cell in cells]


def _straightened(points: list[Xy], room: Grid, allowed: Grid) -> tuple[Xy, ...]:
    """Remove the corners that a straight line can skip."""
    kept, corner = [points[0]], points[0]
    for before, point in pairwise(points):
        if before != corner and not _clear(corner, point, room, allowed):
            kept.append(before)
            corner = before
    return (*kept, points[-1])


def _clear(one: Xy, other: Xy, room: Grid, allowed: Grid) -> bool:
    count = max(int(math.dist(one, other) / _FINE), 1) + 1
    columns = np.clip((np.linspace(one[0], other[0], count) / CELL).astype(int), 0, room.shape[1] - 1)
    rows = np.clip((np.linspace(one[1], other[1], count) / CELL).astype(int), 0, room.shape[0] - 1)
    return bool((room[rows, columns] >= allowed[rows, columns]).all())


def length(path: tuple[Xy, ...]) -> float:
    """The length of a path."""
    return sum(math.dist(one, other) for one, other in pairwise(path))


def samples(path: tuple[Xy, ...], every: float = CELL / 2) -> tuple[Grid, Grid]:
    """Points along a path, and the distance along it of each."""
    points, along, done = [np.array([path[0]])], [np.zeros(1)], 0.0
    for one, other in pairwise(path):
        far = math.dist(one, other)
        count = max(math.ceil(far / every), 1)
        part = np.linspace(0, 1, count + 1)[1:, None]
        points.append(np.array(one) + part * (np.array(other) - np.array(one)))
        along.append(done + part[:, 0] * far)
        done += far
    return np.concatenate(points), np.concatenate(along)

"""Where things can stand as far as arm and table are concerned, and over which points they are carried."""

from __future__ import annotations

from functools import lru_cache
from math import hypot

from thinkaloud_bench.multitalk.routing import Body, TablePoint
from thinkaloud_worlds.franka.layout import TABLE_X, TABLE_Y
from thinkaloud_worlds.franka.reachability import reaches, way

_NEAREST = 0.30
"""Nearer to the arm's base it is awkward to work."""
_SPACINGS = (0.18, 0.16, 0.14, 0.12)
"""Between the neighbours of a line, the most comfortable first."""


def usable(body: Body, place: TablePoint) -> bool:
    """Whether a thing can be taken and put down at a point; what cannot be grasped has to be in reach all the same."""
    x, y = place
    if not TABLE_X[0] <= x - body.length / 2 <= x + body.length / 2 <= TABLE_X[1]:
        return False
    if not TABLE_Y[0] <= y - body.width / 2 <= y + body.width / 2 <= TABLE_Y[1]:
        return False
    near = hypot(max(abs(x) - body.length / 2, 0.0), max(abs(y) - body.width / 2, 0.0))
    return near > 0.21 and hypot(x, y) >= _NEAREST and reaches(x, y, 0.20 if body.flat else body.height)


@lru_cache(maxsize=8192)
def course(start: TablePoint, end: TablePoint) -> tuple[TablePoint, ...]:
    """The points over which a thing is carried."""
    return tuple((float(x), float(y)) for x, y in way(start, end))


@lru_cache(maxsize=1)
def grid() -> tuple[TablePoint, ...]:
    """Places all over the table, 4 cm apart."""
    xs = [round(-0.10 + 0.04 * i, 2) for i in range(14)]
    ys = [round(-0.56 + 0.04 * i, 2) for i in range(29)]
    return tuple((x, y) for x in xs for y in ys if hypot(x, y) >= _NEAREST)


@lru_cache(maxsize=16)
def lines(axis: str, count: int) -> tuple[tuple[TablePoint, ...], ...]:
    """Rows of so many places along an axis, all over the table."""
    along, across = (TABLE_X, TABLE_Y) if axis == "x" else (TABLE_Y, TABLE_X)
    found = list[tuple[TablePoint, ...]]()
    for spacing in _SPACINGS:
        for first in _steps(along[0] + 0.04, along[1] - 0.04 - spacing * (count - 1)):
            for beside in _steps(across[0] + 0.04, across[1] - 0.04):
                steps = [round(first + spacing * i, 2) for i in range(count)]
                row = [(s, beside) if axis == "x" else (beside, s) for s in steps]
                if all(hypot(*place) >= _NEAREST for place in row):
                    found.append(tuple(row))
    return tuple(found)


def _steps(low: float, high: float) -> list[float]:
    return [round(low + 0.03 * i, 2) for i in range(int((high - low) / 0.03 + 1e-6) + 1)] if high >= low else []

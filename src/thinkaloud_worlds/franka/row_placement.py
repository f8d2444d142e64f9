"""Rows: things put beside one another, each on the same side of the one before, stand in a line.

The first thing stays where it is if that leaves room for the whole row. If the table ends too soon, or something is in
the way, it first moves to the nearest place from which the whole row can be laid in a straight line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from thinkaloud.records import Step, WorldState
from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.franka.box_geometry import boxes_of
from thinkaloud_worlds.franka.layout import TABLE_X, TABLE_Y
from thinkaloud_worlds.spatial_relations import SIDES

_BESIDE = "put_beside"
_GRID = 0.05
_STRAIGHT = 0.01  # how far the middles in a row may be off the line
_LEAST = 2  # the fewest placements that make a row

Foresee = Callable[[WorldState, Step], WorldState | None]
"""Returns the state after a step; None if the step is impossible."""


def find_row(deeds: Sequence[Step]) -> str | None:
    """The first thing of the row that these steps lay; None if they lay no row."""
    if len(deeds) < _LEAST or any(deed.skill != _BESIDE or deed.arguments["side"] not in SIDES for deed in deeds):
        return None
    linked = all(after.arguments["target"] == before.arguments["object"] for before, after in pairwise(deeds))
    return str(deeds[0].arguments["target"]) if linked and len({d.arguments["side"] for d in deeds}) == 1 else None


def is_laid(state: WorldState | None, deeds: Sequence[Step], foresee: Foresee) -> bool:
    """Whether the steps can be carried out in order and lay a straight row."""
    for deed in deeds:
        state = None if state is None else foresee(state, deed)
    if state is None:
        return False
    boxes = boxes_of(state)
    places = [boxes[str(name)] for name in (deeds[0].arguments["target"], *(d.arguments["object"] for d in deeds))]
    sideways = SIDES[str(deeds[0].arguments["side"])][0] != 0
    off = [box.x if sideways else box.y for box in places]
    return max(off) - min(off) <= _STRAIGHT


def spots_near(at: Xy) -> Iterator[Xy]:
    """Points all over the table, nearest first."""
    xs = [round(TABLE_X[0] + _GRID * i, 2) for i in range(1, round((TABLE_X[1] - TABLE_X[0]) / _GRID))]
    ys = [round(TABLE_Y[0] + _GRID * i, 2) for i in range(1, round((TABLE_Y[1] - TABLE_Y[0]) / _GRID))]
    yield from sorted(((x, y) for x in xs for y in ys), key=lambda spot: math.dist(spot, at))

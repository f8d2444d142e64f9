"""The true relations on the table, from which goals are made."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated

from thinkaloud.errors import UnknownName
from thinkaloud.skills import Kind, relation
from thinkaloud_worlds.franka.box_geometry import relations_among
from thinkaloud_worlds.franka.layout import AT_POINT
from thinkaloud_worlds.franka.physics import Table

UPRIGHT = 0.9  # a thing stands upright if the cosine of its tilt is at least this


class FrankaTruth:
    """The relations of a table."""

    def __init__(self, table: Callable[[], Table]) -> None:
        self._table = table

    @relation(says="{object} is on the {target}.", distinct=("object", "target"))
    def on(self, object: Annotated[str, Kind("object")], target: Annotated[str, Kind("object")]) -> bool:
        """Whether a thing stands on another.

        Args:
            object: what stands on something.
            target: what it stands on.
        """
        return self._related("on", object, target)

    @relation(says="{object} is in the {target}.", distinct=("object", "target"))
    def inside(self, object: Annotated[str, Kind("object")], target: Annotated[str, Kind("receptacle")]) -> bool:
        """Whether a thing lies in a bowl or basket.

        Args:
            object: what lies in something.
            target: what it lies in.
        """
        return self._related("inside", object, target)

    @relation(says="{object} is near the {other}.", distinct=("object", "other"))
    def near(self, object: Annotated[str, Kind("object")], other: Annotated[str, Kind("object")]) -> bool:
        """Whether two things are less than 5 cm apart.

        Args:
            object: one of them.
            other: the other one.
        """
        return self._related("near", object, other) or self._related("near", other, object)

    @relation(says="{object} is in the hand.")
    def held(self, object: Annotated[str, Kind("object")]) -> bool:
        """Whether a thing is in the hand.

        Args:
            object: what is held.
        """
        return self._table().held == self.named(object)

    @relation(says="{object} is at ({x}, {y}).")
    def at(self, object: Annotated[str, Kind("object")], x: float, y: float) -> bool:
        """Whether a thing stands within 3 cm of a point.

        Args:
            object: what stands there.
            x: the point's x, in metres.
            y: the point's y, in metres.
        """
        table = self._table()
        px, py, pz = table.position(self.named(object))
        standing = table.tilt(object) > UPRIGHT and table.held != object and pz > 0
        return standing and math.hypot(px - x, py - y) <= AT_POINT

    def _related(self, relation: str, first: str, second: str) -> bool:
        table, pair = self._table(), (self.named(first), self.named(second))
        hollow = {name for name in table.names if table.things[name].kind.hollow}
        found = relations_among({name: table.box(name) for name in table.names}, table.held, hollow)
        return any(name == relation and (*given.values(),) == pair for name, given in found)

    def named(self, name: str) -> str:
        """Return the name. Raises UnknownName if nothing has that name."""
        table = self._table()
        if name not in table.things:
            raise UnknownName("object", name, table.names)
        return name

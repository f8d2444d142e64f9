"""Adds one relation to the real table: which of its plates are empty, as far as the camera has seen.

The paper's own planner is not told that; code that interprets a request looks it up (`a plate that is empty`).
"""

from __future__ import annotations

from typing import Annotated

from thinkaloud.skills import Kind, relation
from thinkaloud_worlds.extended import ExtendedWorld


class ExtendedRealTable(ExtendedWorld):
    """The same table, which can also tell what is empty."""

    @relation(says="The {target} is empty.", derived=True)
    def empty(self, target: Annotated[str, Kind("target")]) -> bool:
        """Whether nothing that is known lies on a block, a plate or a part of the table.

        Args:
            target: the block, plate or place that may be empty.
        """
        on = self.world.relations["on"]
        others = [name for name in self.world.observe().vocabulary["object"] if name != target]
        return not any(on.holds(object=name, target=target) for name in others)

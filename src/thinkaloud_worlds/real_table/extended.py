"""What can be told of the real table besides: which of its plates are empty, as far as the camera has seen.

Nobody tells the paper's own planner that; code that reads a request looks it up (`a plate that is empty`).
"""

from __future__ import annotations

from typing import Annotated

from thinkaloud.skills import Kind, relation
from thinkaloud_worlds.extended import ExtendedWorld


class ExtendedRealTable(ExtendedWorld):
    """The same table, of which it is also known what nothing lies on."""

    @relation(says="The {target} is empty.", derived=True)
    def empty(self, target: Annotated[str, Kind("target")]) -> bool:
        """Whether nothing that is known lies on a block, a plate or a part of the table.

        Args:
            target: the block, plate or place that may be empty.
        """
        on = self.world.relations["on"]
        others = [name for name in self.world.observe().vocabulary["object"] if name != target]
        return not any(on.holds(object=name, target=target) for name in others)

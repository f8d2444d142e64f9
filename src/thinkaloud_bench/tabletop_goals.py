"""Goals of tabletop tasks, judged by where things really are, whatever the planner believes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from thinkaloud_worlds.tabletop import Tabletop


@dataclass(frozen=True)
class BlocksPlaced:
    """Every block is on one of the targets that are right for it; if `distinct`, no two blocks on the same one."""

    targets: Mapping[str, tuple[str, ...]]
    distinct: bool = False

    def met(self, table: Tabletop) -> bool:
        """Whether it is so now."""
        found = [self.on(table, block) for block in self.targets]
        taken = [target for targets in found for target in targets]
        return all(found) and not (self.distinct and len(taken) > len(set(taken)))

    def on(self, table: Tabletop, block: str) -> tuple[str, ...]:
        """The right targets that a block is on."""
        return tuple(target for target in self.targets[block] if table.on(block, target))


@dataclass(frozen=True)
class BlockTower:
    """All blocks form one tower, in any order, each directly on the next; it stands on `place`, if one is given."""

    place: str | None = None

    def met(self, table: Tabletop) -> bool:
        """Whether it is so now."""
        return any(
            len(tower) == len(table.blocks) and self.well_placed(table, tower[0]) for tower in find_towers(table)
        )

    def well_placed(self, table: Tabletop, block: str) -> bool:
        """Whether a block is where the tower may stand."""
        return self.place is None or table.on(block, self.place)


TabletopGoal = BlocksPlaced | BlockTower


def find_towers(table: Tabletop) -> list[list[str]]:
    """The blocks as towers, lowest block first; a block that stands alone is a tower of one."""
    below = {block: support for block in table.blocks if (support := resting_on(table, block)) is not None}
    above = {support: block for block, support in below.items()}
    found = []
    for base in (block for block in table.blocks if above.get(below.get(block, "")) != block):
        tower = [base]
        while tower[-1] in above:
            tower.append(above[tower[-1]])
        found.append(tower)
    return found


def resting_on(table: Tabletop, block: str) -> str | None:
    """Return the block that this one lies on: the nearest, about one block lower, within the detector's limit."""
    x, y, z = table.position(block)
    low, high = (z - part * table.physics.height(block) for part in (1.4, 0.6))
    under = [b for b in table.blocks if b != block and low < table.position(b)[2] < high and table.on(block, b)]
    return min(under, key=lambda b: math.dist((x, y), table.position(b)[:2]), default=None)

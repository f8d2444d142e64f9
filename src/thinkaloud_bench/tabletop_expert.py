"""The expert: what the arm, its noise and the step limit allow if the planner makes no mistakes.

It knows the goal and the true state, and decides one pick-and-place at a time in the same loop as any other planner. It
cannot foresee the noise. A better strategy may exist, so the ceiling is a lower bound of what is possible.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from thinkaloud.monologue import Monologue
from thinkaloud.records import Decision, Decline, Done, Plan, Started
from thinkaloud.worlds import World
from thinkaloud_bench.tabletop_goals import BlocksPlaced, BlockTower, TabletopGoal, find_towers
from thinkaloud_worlds.tabletop import Tabletop
from thinkaloud_worlds.tabletop.camera import look_down, point_at
from thinkaloud_worlds.tabletop.free_space import free_spot
from thinkaloud_worlds.tabletop.layout import PLACES, SAFE, VERY_EDGE, from_edge

_Move = tuple[str, str]
_PATIENT = 6  # with so many steps left, a better place for the tower is worth one


@dataclass
class TabletopExpert:
    """Decides for `world` from the true state of the `table` in it."""

    world: World
    table: Tabletop
    goal: TabletopGoal

    def __call__(self, monologue: Monologue) -> Decision:
        """The next pick-and-place; done as soon as the judge says so."""
        if self.goal.met(self.table):
            return Done("the judge says so")
        self._taken = len(monologue.since(monologue.task_start(), Started))
        move = self._place(self.goal) if isinstance(self.goal, BlocksPlaced) else self._stack(self.goal)
        if move is None:
            return Decline("a block is out of reach")
        object, target = self._uncovered(*move)
        step = self.world.skills["pick_and_place"].step({"object": object, "target": target})
        return Plan("", (), (step,))

    # Placing ----------------------------------------------------------------------------------------------------------

    def _place(self, goal: BlocksPlaced) -> _Move | None:
        """Move the most accessible misplaced block onto a target that no other block has."""
        right = {block: goal.on(self.table, block) for block in goal.targets}
        taken = [target for targets in right.values() for target in targets]
        for block in self._free_first(list(goal.targets)):
            clash = goal.distinct and any(taken.count(target) > 1 for target in right[block])
            if right[block] and not clash:
                continue
            open_to = [t for t in goal.targets[block] if t not in taken] or list(goal.targets[block])
            return block, self._inward(block, min(open_to, key=lambda target: self._gap(block, target)))
        return None

    def _inward(self, block: str, target: str) -> str:
        """Return the target, or a block on it if the free spot is too near the edge of the table."""
        if target not in PLACES:
            return target
        spot = free_spot(look_down(self.table.physics), PLACES[target], block, 0.03)
        lying = [b for b in self.table.blocks if b != block and self.table.on(b, target) and not self._covering(b)]
        best = max(lying, key=self._from_edge, default=None)
        near = from_edge(*point_at(spot))
        return best if best is not None and near < VERY_EDGE and self._from_edge(best) > SAFE else target

    def _free_first(self, blocks: list[str]) -> list[str]:
        return sorted((b for b in blocks if self._there(b)), key=lambda b: self._covering(b) is not None)

    # Stacking ---------------------------------------------------------------------------------------------------------

    def _stack(self, goal: BlockTower) -> _Move | None:
        """Move another block onto the tallest well-placed tower; if there is none, the first block to its place."""
        built = [tower for tower in find_towers(self.table) if all(self._there(block) for block in tower)]
        if not built:
            return None
        standing = [tower for tower in built if goal.well_placed(self.table, tower[0])]
        if not standing:
            assert goal.place is not None
            return min((t[-1] for t in built), key=lambda b: self._gap(b, str(goal.place))), goal.place
        best = max(standing, key=lambda tower: (len(tower), self._room(tower[0])))
        if len(best) == 1 and self._from_edge(best[0]) < SAFE and self._taken < _PATIENT:
            return self._begin_again(goal, built)
        loose = [tower[-1] for tower in built if tower is not best]
        return (max(loose, key=lambda b: self._gap(b, best[0])), best[-1]) if loose else None

    def _begin_again(self, goal: BlockTower, built: list[list[str]]) -> _Move:
        """Move another block to the place, if the free spot there is farther from the edge."""
        place = goal.place or "middle"
        tops = [tower[-1] for tower in built]
        elsewhere = [block for block in tops if not self.table.on(block, place)]
        return max(elsewhere or tops, key=lambda block: self._gap(block, place)), place

    def _room(self, block: str) -> float:
        """Return how much room is around a block: with enough, what falls beside it does no harm and stays on the
        table."""
        others = [name for name in (*self.table.blocks, *self.table.bowls) if name != block]
        return min(self._from_edge(block), *(self._gap(block, other) for other in others))

    # What is in the way -----------------------------------------------------------------------------------------------

    def _uncovered(self, object: str, target: str) -> _Move:
        """Return the move, or first the one that removes what covers the object or the target."""
        for name in (object, target if target in self.table.blocks else object):
            top = self._covering(name)
            if top is not None and top != object:
                return top, "middle" if target != "middle" else "bottom side"
        return object, target

    def _covering(self, block: str) -> str | None:
        return next((b for b in self.table.blocks if b != block and self.table.on(b, block)), None)

    def _there(self, block: str) -> bool:
        """Whether a block is still on the table."""
        return self.table.position(block)[2] > 0

    def _from_edge(self, block: str) -> float:
        return from_edge(*self.table.position(block)[:2])

    def _gap(self, one: str, other: str) -> float:
        return math.dist(self.table.position(one)[:2], self.table.position(other)[:2])

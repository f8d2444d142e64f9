"""HiCRISP's Fig. 4: a box is placed around a cylinder by an arm that is off.

Any of the boxes may be placed around any of the cylinders: it has to stand on the table with at most 5 cm between their
edges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thinkaloud.monologue import Monologue
from thinkaloud.records import Decision, Done, Plan
from thinkaloud.worlds import World
from thinkaloud_bench.hicrisp.table_setup import NOISE, TableEpisode
from thinkaloud_worlds.tabletop.around_world import Around, draw_around
from thinkaloud_worlds.tabletop.sensor_noise import Disturbed

_REQUEST = "Place a box around a cylinder."


def _of_kind(table: Around, kind: str) -> list[str]:
    """The things of a kind that are still on the table or in the hand."""
    return [
        name
        for name, thing in table.physics.things.items()
        if thing.kind == kind and (table.held(name) or table.physics.position(name)[2] > 0)
    ]


def _close_pairs(table: Around) -> list[tuple[str, str]]:
    """The boxes and the cylinders that are close to each other."""
    boxes, cylinders = _of_kind(table, "box"), _of_kind(table, "cylinder")
    return [(box, cylinder) for box in boxes for cylinder in cylinders if table.close(box, cylinder)]


@dataclass
class AroundExpert:
    """Knows the true state, but not the noise; decides one step at a time."""

    world: World
    table: Around

    def __call__(self, monologue: Monologue) -> Decision:
        """The next step; done as soon as a box is close to a cylinder."""
        if _close_pairs(self.table):
            return Done("the judge says so")
        boxes, cylinders = _of_kind(self.table, "box"), _of_kind(self.table, "cylinder")
        if not boxes or not cylinders:
            return Done("nothing is left to place, or to place it around", "gave up")
        held, box, cylinder = self.table.physics.held, boxes[0], cylinders[0]
        if held is None:
            return self._plan("pick_up" if self.table.located(box) else "locate", thing=box)
        if held not in boxes:
            return self._plan("put_down")
        if not self.table.located(cylinder):
            return self._plan("locate", thing=cylinder)
        return self._plan("place_around", thing=held, target=cylinder)

    def _plan(self, skill: str, **arguments: str) -> Plan:
        return Plan("", (), (self.world.skills[skill].step(arguments),))


def draw_around_episode(seed: int) -> TableEpisode:
    """The episode of a seed: a scene in which no box is close to a cylinder yet."""
    rng = np.random.default_rng([seed, 0xF164])
    while True:
        table = Around(draw_around(int(rng.integers(2**32))))
        if not _close_pairs(table):
            break
    world = Disturbed(table, NOISE)
    world.reset(seed)
    expert = AroundExpert(world, table)
    return TableEpisode(
        world, _REQUEST, lambda: float(bool(_close_pairs(table))), lambda: bool(_close_pairs(table)), expert
    )

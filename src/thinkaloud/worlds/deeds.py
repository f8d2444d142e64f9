"""Deeds: whole things to do in one sentence, for planners that translate and leave the geometry to the world.

`Exchange the mug and the plate.` is three times grasping and putting down, and a free place besides. A sentence says
what is wanted; the world that knows it turns it into calls of its skills, as things stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from thinkaloud.records import WorldState
from thinkaloud.worlds import World
from thinkaloud.worlds.sayings import Saying

Point = tuple[float, float]


@runtime_checkable
class Deeds(Protocol):
    """The sentences that a world knows."""

    def told(self, state: WorldState) -> list[str]:
        """What is there, in a few short lines: what can be taken, and what things are put on or into."""
        ...

    def remark(self, state: WorldState, point: Point) -> str:
        """What has to be known of a point, to be said after its name: ` is outside the table`; mostly nothing."""
        ...

    def grammar(self, state: WorldState, points: Sequence[str]) -> str:
        """What can be said, as the expression of a grammar; `points` are the names of those that were spoken of."""
        ...

    def steps(self, words: str, state: WorldState, first: WorldState, kept: Sequence[Point] = ()) -> list[Saying]:
        """What a sentence stands for in a state that began as another, with points in it as `(0.10, 0.20)`.

        `kept` are points that are left free where something is put aside. Unparseable where it does not go, and why.
        """
        ...


def deeds_of(world: World) -> Deeds | None:
    """The deeds of a world, or of the one inside it; None where it knows none."""
    found = getattr(world, "deeds", None)
    return found if isinstance(found, Deeds) else None  # a world may call something of its own so

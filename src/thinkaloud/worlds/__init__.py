"""Worlds: what a robot acts in. One contract; simulations and real robots alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from thinkaloud.clock import Clock
from thinkaloud.records import Condition, Observation
from thinkaloud.skills import Relation, Skill


@runtime_checkable
class World(Protocol):
    """What the robot acts in. The same seed gives the same episode, to the bit."""

    name: str
    clock: Clock
    skills: Mapping[str, Skill]
    relations: Mapping[str, Relation]

    def reset(self, seed: int) -> None:
        """Begin a new episode."""
        ...

    def observe(self) -> Observation:
        """What can be perceived now."""
        ...

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the world, really and now."""
        ...

    def snapshot(self) -> bytes:
        """Everything needed to be in this very state again."""
        ...

    def restore(self, snapshot: bytes) -> None:
        """Be in that state again. Raises ValueError for what is no snapshot of this world."""
        ...

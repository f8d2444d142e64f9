"""Extended worlds: a wrapper adds skills, relations and measures to a live world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Self

from thinkaloud.records import Condition, Observation
from thinkaloud.skills import Measure, Relation, Skill, condition_holds, measures_of, relations_of, skills_of
from thinkaloud.worlds.contract import Twinned, World, find_ability


class ExtendedWorld:
    """A world together with the skills, relations and measures that a subclass adds."""

    def __init__(self, world: World) -> None:
        self.world: Any = world
        self.name, self.clock = world.name, world.clock
        self.skills: Mapping[str, Skill] = {**world.skills, **skills_of(self)}
        self.relations: Mapping[str, Relation] = {**world.relations, **relations_of(self)}
        self.measures: Mapping[str, Measure] = measures_of(self)

    def extended(self) -> Self:
        """Return this world: it is already extended."""
        return self

    def over(self, wrapper: World) -> Self:
        """Extend a wrapper of this world in the same way, so that what the wrapper changes also applies here."""
        return type(self)(wrapper)

    def reset(self, seed: int) -> None:
        """Begin a new episode."""
        self.world.reset(seed)

    def observe(self) -> Observation:
        """What can be perceived now."""
        observation: Observation = self.world.observe()
        return observation

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the world now, by its true state."""
        return condition_holds(condition, self.relations)

    def snapshot(self) -> bytes:
        """Return everything needed to restore this exact state: the snapshot of the world inside."""
        snapshot: bytes = self.world.snapshot()
        return snapshot

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if `snapshot` is not a snapshot of this world."""
        self.world.restore(snapshot)

    @property
    def twin(self) -> Callable[[], Self] | None:
        """Makes a copy of this world in its present state, extended in the same way; None if the world has no twin."""
        twinned = find_ability(self.world, Twinned)
        return None if twinned is None else lambda: type(self)(twinned.twin())

    def __getattr__(self, name: str) -> Any:
        if name == "world":  # not set yet while unpickling or copying
            raise AttributeError(name)
        return getattr(self.world, name)

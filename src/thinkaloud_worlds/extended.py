"""An extended world: the same world in its live state, with skills, relations and measures of its own besides."""

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
        """It is extended already."""
        return self

    def over(self, wrapper: World) -> Self:
        """The same over a wrapper of its world: what the wrapper changes is changed here, too."""
        return type(self)(wrapper)

    def reset(self, seed: int) -> None:
        """Begin a new episode."""
        self.world.reset(seed)

    def observe(self) -> Observation:
        """What can be perceived now."""
        observation: Observation = self.world.observe()
        return observation

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the world, really and now."""
        return condition_holds(condition, self.relations)

    def snapshot(self) -> bytes:
        """Everything needed to be in this very state again: that of the world itself."""
        snapshot: bytes = self.world.snapshot()
        return snapshot

    def restore(self, snapshot: bytes) -> None:
        """Be in that state again. Raises ValueError for what is no snapshot of this world."""
        self.world.restore(snapshot)

    @property
    def twin(self) -> Callable[[], Self] | None:
        """A copy of this world, in this very state, with all that this one can do; None where there is none."""
        twinned = find_ability(self.world, Twinned)
        return None if twinned is None else lambda: type(self)(twinned.twin())

    def __getattr__(self, name: str) -> Any:
        if name == "world":  # not there yet, while unpickling or copying
            raise AttributeError(name)
        return getattr(self.world, name)

"""A world in which one thing cannot be moved: the first that the robot tries to move, whichever that is."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from thinkaloud.errors import SkillError
from thinkaloud.records import Condition, Observation
from thinkaloud.skills import Relation, Skill
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Extendable, find_ability


@dataclass
class _Stuck:
    """What cannot be moved, once that has been tried; one for all the forms of a world."""

    thing: str = ""


class Immovable:
    """The same world, but for that thing; why it does not move, nobody says."""

    def __init__(self, world: World) -> None:
        self._stuck = _Stuck()
        self._surround(world)

    def _surround(self, world: World) -> None:
        self.world, self.name, self.clock = world, world.name, world.clock
        self.skills: Mapping[str, Skill] = {name: self._tried(skill) for name, skill in world.skills.items()}
        self.relations: Mapping[str, Relation] = world.relations

    @property
    def thing(self) -> str:
        """What cannot be moved; empty while nothing was tried."""
        return self._stuck.thing

    def _tried(self, skill: Skill) -> Skill:
        @functools.wraps(skill.function)
        async def call(**arguments: Any) -> Any:
            first = str(next(iter(arguments.values()), ""))
            self._stuck.thing = self._stuck.thing or first
            if first == self._stuck.thing:
                raise SkillError(f"The arm pulled, and the {first} stayed where it was.")
            return await skill.run(arguments)

        return replace(skill, function=call)

    def reset(self, seed: int) -> None:
        """Begin a new episode."""
        self._stuck.thing = ""
        self.world.reset(seed)

    def observe(self) -> Observation:
        """What can be perceived now."""
        return self.world.observe()

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the world, really and now."""
        return self.world.holds(condition)

    def snapshot(self) -> bytes:
        """That of the world itself: what cannot be moved is not in it."""
        return self.world.snapshot()

    def restore(self, snapshot: bytes) -> None:
        """Be in that state again."""
        self.world.restore(snapshot)

    @property
    def extended(self) -> Callable[[], Immovable] | None:
        """The world inside with all that it can do, where the same thing cannot be moved; None where there is none."""
        extendable = find_ability(self.world, Extendable)
        return None if extendable is None else lambda: self._around(extendable.extended())

    def _around(self, world: World) -> Immovable:
        other = copy.copy(self)
        other._surround(world)
        return other

    def __getattr__(self, name: str) -> Any:
        if name == "world":  # not there yet, while copying
            raise AttributeError(name)
        return getattr(self.world, name)

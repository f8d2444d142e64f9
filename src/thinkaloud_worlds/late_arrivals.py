"""A world in which something comes later: it is not there at first, and is when the robot looks again.

    world = Arriving(Franka(scene), ["soup can"])

What is late stands beside the table, where nobody sees it, and is put to its place of the scene by `rescan`. That it
comes just then is what makes looking again worth while (MultiTalk's "Perception Rerun Required").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from thinkaloud.records import Condition, Observation
from thinkaloud.skills import Relation, Skill
from thinkaloud.worlds.contract import Arranged, Extendable, Twinned, Viewed, World, find_ability
from thinkaloud.worlds.vision import Eyes
from thinkaloud_worlds.extended import ExtendedWorld


class _Saved(msgspec.Struct, array_like=True, frozen=True):
    arriving: str
    late: tuple[str, ...]
    inner: bytes


class Arriving:
    """The same world, in which some things are there only after the robot has looked again."""

    def __init__(self, world: Arranged, names: Iterable[str]) -> None:
        self.world = world
        self.name, self.clock = world.name, world.clock
        self.skills: Mapping[str, Skill] = world.skills
        self.relations: Mapping[str, Relation] = world.relations
        self._names = tuple(names)
        self.late: tuple[str, ...] = ()
        self._set_aside()

    def _set_aside(self) -> None:
        self.late = self._names
        for name in reversed(self.late):
            self.world.set_aside(name)

    def reset(self, seed: int) -> None:
        """Begin a new episode, without what comes later."""
        self.world.reset(seed)
        self._set_aside()

    def observe(self) -> Observation:
        """What can be perceived now."""
        return self.world.observe()

    def rescan(self) -> Observation:
        """Look again: what was late has come."""
        for name in self.late:
            self.world.put_back(name)
        self.late = ()
        return self.world.rescan()

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the world, really and now."""
        return self.world.holds(condition)

    def render(self, width: int = 320, height: int = 240) -> NDArray[np.uint8]:
        """A picture of it."""
        return self.world.render(width, height)

    def see_with(self, eyes: Eyes) -> None:
        """Have the world inside be seen with these, where it has a camera: what is asked of it then goes by them."""
        if (viewed := find_ability(self.world, Viewed)) is not None:
            viewed.see_with(eyes)
            self.relations = viewed.relations

    @property
    def twin(self) -> Callable[[], World] | None:
        """A copy of the world inside, in this very state: it does not know what is still to come; None for none."""
        twinned = find_ability(self.world, Twinned)
        return None if twinned is None else twinned.twin

    def snapshot(self) -> bytes:
        """Everything needed to be in this very state again."""
        return msgspec.msgpack.encode(_Saved("arriving", self.late, self.world.snapshot()))

    def restore(self, snapshot: bytes) -> None:
        """Be in that state again. Raises ValueError for what is no snapshot of this world."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=_Saved)
        except msgspec.MsgspecError:
            raise ValueError("This is no snapshot of a world in which something comes later.") from None
        if saved.arriving != "arriving":
            raise ValueError("This is no snapshot of a world in which something comes later.")
        self.world.restore(saved.inner)
        self.late = saved.late

    @property
    def extended(self) -> Callable[[], World] | None:
        """This very world with all that the one inside can do; None where it has no extension."""
        extendable = find_ability(self.world, Extendable)
        return None if extendable is None else lambda: self._over(extendable.extended())

    def _over(self, extended: World) -> World:
        return extended.over(self) if isinstance(extended, ExtendedWorld) else extended

    def __getattr__(self, name: str) -> Any:
        if name == "world":  # not there yet, while unpickling or copying
            raise AttributeError(name)
        return getattr(self.world, name)

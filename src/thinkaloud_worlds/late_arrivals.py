"""A world in which some things arrive late: they are missing at first, and there when the robot looks again.

    world = Arriving(Franka(scene), ["soup can"])

A late thing waits beside the table, where nobody sees it. `rescan` puts it in its place in the scene, so that looking
again is worthwhile (MultiTalk's "Perception Rerun Required").
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
    """The same world, but some things are there only after the robot has looked again."""

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
        """Begin a new episode, without the late things."""
        self.world.reset(seed)
        self._set_aside()

    def observe(self) -> Observation:
        """What can be perceived now."""
        return self.world.observe()

    def rescan(self) -> Observation:
        """Look again: the late things have arrived."""
        for name in self.late:
            self.world.put_back(name)
        self.late = ()
        return self.world.rescan()

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the world now, by its true state."""
        return self.world.holds(condition)

    def render(self, width: int = 320, height: int = 240) -> NDArray[np.uint8]:
        """A picture of it."""
        return self.world.render(width, height)

    def see_with(self, eyes: Eyes) -> None:
        """Give these eyes to the world inside, if it has a camera; it then answers by what they see."""
        if (viewed := find_ability(self.world, Viewed)) is not None:
            viewed.see_with(eyes)
            self.relations = viewed.relations

    @property
    def twin(self) -> Callable[[], World] | None:
        """Makes a copy of the world inside, which does not know what is still to arrive; None if there is no twin."""
        twinned = find_ability(self.world, Twinned)
        return None if twinned is None else twinned.twin

    def snapshot(self) -> bytes:
        """Return everything needed to restore this exact state."""
        return msgspec.msgpack.encode(_Saved("arriving", self.late, self.world.snapshot()))

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if `snapshot` is not a snapshot of this world."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=_Saved)
        except msgspec.MsgspecError:
            raise ValueError("This is not a snapshot of a world in which something comes later.") from None
        if saved.arriving != "arriving":
            raise ValueError("This is not a snapshot of a world in which something comes later.")
        self.world.restore(saved.inner)
        self.late = saved.late

    @property
    def extended(self) -> Callable[[], World] | None:
        """Extends this world as the world inside is extended; None if that has no extension."""
        extendable = find_ability(self.world, Extendable)
        return None if extendable is None else lambda: self._over(extendable.extended())

    def _over(self, extended: World) -> World:
        return extended.over(self) if isinstance(extended, ExtendedWorld) else extended

    def __getattr__(self, name: str) -> Any:
        if name == "world":  # not set yet while unpickling or copying
            raise AttributeError(name)
        return getattr(self.world, name)

"""A world with noisy senses: the disturbances of Inner Monologue's section 4.1 (and HiCRISP's actuator offset).

    world = Disturbed(Tabletop(), PAPER_DISTURBANCE)

The noise of a call depends only on the seed and on how many calls came before: two planners that make the same choices
meet the same noise. `observe` and `holds` have no noise, because the paper uses ground truth there, too. Faulty
detectors are another wrapper (`faulty_detectors`).
"""

from __future__ import annotations

import copy
import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol, cast

import msgspec
import numpy as np

from thinkaloud.records import Condition, Observation
from thinkaloud.skills import Relation, Skill
from thinkaloud.worlds.contract import Extendable, Twinned, World, find_ability
from thinkaloud.worlds.disturbance import NO_DISTURBANCE as NO_DISTURBANCE
from thinkaloud.worlds.disturbance import PAPER_DISTURBANCE as PAPER_DISTURBANCE
from thinkaloud.worlds.disturbance import Disturbance as Disturbance
from thinkaloud.worlds.disturbance import parse_disturbance as parse_disturbance
from thinkaloud.worlds.geometry import Xyz
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.tabletop.camera import Picture, Pixel
from thinkaloud_worlds.tabletop.senses import Senses

_SALT = 0x0FF5E7


class NoisySenses:
    """Senses with noise in the picture, in the pixels found in it, and in where things are put."""

    def __init__(self, senses: Senses, disturbance: Disturbance) -> None:
        self._senses, self._by = senses, disturbance
        self._rng = np.random.default_rng(0)
        self._offset = (0.0, 0.0)
        self.seed, self.calls = 0, 0

    def begin(self, seed: int, calls: int) -> None:
        """Start an episode of this seed, or continue it after this many calls."""
        self.seed, self.calls = seed & (2**64 - 1), calls  # in the range that generators and snapshots accept
        angle = float(generator(self.seed, _SALT).uniform(0.0, 2 * math.pi))
        self._offset = self._by.offset * math.cos(angle), self._by.offset * math.sin(angle)

    def count(self) -> None:
        """Count one more call; each call has its own noise."""
        self._rng = generator(self.seed, self.calls)
        self.calls += 1

    def picture(self) -> Picture:
        """A grainy picture."""
        picture = self._senses.picture()
        return replace(picture, rgb=picture.rgb + self._rng.normal(0.0, self._by.pixel_value, picture.rgb.shape))

    def pixel(self, picture: Picture, name: str, moving: str | None = None) -> Pixel:
        """The pixel, slightly off."""
        row, column = self._senses.pixel(picture, name, moving)
        down, right = self._rng.normal(0.0, self._by.pixel, 2)
        return row + float(down), column + float(right)

    def point(self, picture: Picture, pixel: Pixel) -> Xyz:
        """The point that the pixel shows."""
        return self._senses.point(picture, pixel)

    def aim(self, point: Xyz) -> Xyz:
        """The point, slightly off."""
        x, y, z = self._senses.aim(point)
        right, up = self._rng.normal(0.0, self._by.place, 2)
        return x + float(right), y + float(up), z

    def arrive(self, point: Xyz) -> Xyz:
        """The point, off by the same distance in the same direction every time."""
        x, y, z = self._senses.arrive(point)
        return x + self._offset[0], y + self._offset[1], z


class Sensing(World, Protocol):
    """A world that acts through senses that can be wrapped."""

    senses: Senses


class _Saved(msgspec.Struct, array_like=True, frozen=True):
    disturbed: str
    seed: int
    calls: int
    inner: bytes


class Disturbed:
    """The same world, seen through noisy senses."""

    def __init__(self, world: Sensing, disturbance: Disturbance = PAPER_DISTURBANCE) -> None:
        self.world = world
        self.name, self.clock = world.name, world.clock
        self.relations: Mapping[str, Relation] = world.relations
        self.disturbance = disturbance
        self._noise = NoisySenses(world.senses, disturbance)
        world.senses = self._noise
        self._noise.begin(0, 0)
        self.skills: Mapping[str, Skill] = {name: self._counted(skill) for name, skill in world.skills.items()}

    def _counted(self, skill: Skill) -> Skill:
        @functools.wraps(skill.function)
        async def call(**arguments: Any) -> Any:
            self._noise.count()
            return await skill.run(arguments)

        async def mend(problem: str, **arguments: Any) -> str:
            assert skill.fix is not None
            self._noise.count()
            return await skill.fix(problem, **arguments)

        return replace(skill, function=call, fix=mend if skill.fix else None)

    def reset(self, seed: int) -> None:
        """Begin a new episode, with new noise."""
        self._noise.begin(seed, 0)
        self.world.reset(seed)

    def observe(self) -> Observation:
        """What can be perceived now."""
        return self.world.observe()

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the world now, by its true state."""
        return self.world.holds(condition)

    def snapshot(self) -> bytes:
        """Return everything needed to restore this exact state."""
        return msgspec.msgpack.encode(_Saved("disturbed", self._noise.seed, self._noise.calls, self.world.snapshot()))

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if `snapshot` is not a snapshot of this world."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=_Saved)
        except msgspec.MsgspecError:
            raise ValueError("This is not a snapshot of a disturbed world.") from None
        self.world.restore(saved.inner)
        self._noise.begin(saved.seed, saved.calls)

    def twin(self) -> World:
        """A twin of the world inside, without noise: nobody knows the noise beforehand."""
        twinned = find_ability(self.world, Twinned)
        if twinned is None:
            raise NotImplementedError(f"the world {self.name!r} has no twin")
        return twinned.twin()

    @property
    def extended(self) -> Callable[[], Disturbed] | None:
        """Extends the world inside, under the same noise; None if it has no extension."""
        extendable = find_ability(self.world, Extendable)
        return None if extendable is None else lambda: self._around(extendable.extended())

    def _around(self, world: World) -> Disturbed:
        """Wrap another form of the same world in the same, continuing noise."""
        other = copy.copy(self)
        other.world, other.relations = cast(Sensing, world), world.relations
        other.skills = {name: self._counted(skill) for name, skill in world.skills.items()}
        return other

    def __getattr__(self, name: str) -> Any:
        if name == "world":  # not set yet while unpickling or copying
            raise AttributeError(name)
        return getattr(self.world, name)

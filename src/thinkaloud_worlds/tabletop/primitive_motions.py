"""The motions of the arm: up, across, and down until it feels something; and the height at which to travel."""

from __future__ import annotations

import math

import numpy as np

from thinkaloud.episode.ticks import tick
from thinkaloud.errors import SkillError
from thinkaloud.worlds.geometry import Xyz
from thinkaloud_worlds.simulated_time import TICK
from thinkaloud_worlds.tabletop import ur5e_arm as arm
from thinkaloud_worlds.tabletop.camera import PIXEL, Picture, pixel_at
from thinkaloud_worlds.tabletop.physics import Physics
from thinkaloud_worlds.tabletop.senses import Senses

_TRAVEL, _DROP, _APPROACH = 0.9, 0.5, 0.08  # metres per second: across, down and up, until contact
CLEARANCE = 0.02  # how far above the surface the slow approach begins
_HOVER = 0.12  # the least height of the cup (or of what hangs from it) while it travels
_BRAKE_TICKS, _SETTLE_TICKS = 10, 60


class Motions:
    """An arm over a table, one motion at a time."""

    def __init__(self, physics: Physics, senses: Senses) -> None:
        self.physics, self.senses = physics, senses

    def _noticed(self) -> None:
        """Called while things come to rest, for worlds in which contact between things has effects."""

    async def _above(self, at: Xyz, height: float) -> None:
        at = self.senses.arrive(at)
        await self._rise(height)
        await self._move((at[0], at[1], self._lower_into_reach(at, height)), _TRAVEL)

    async def _rise(self, height: float) -> None:
        x, y, z = self.physics.commanded()
        if z < height:
            await self._move((x, y, self._lower_into_reach((x, y, z), height)), _DROP)

    async def _descend(self, at: Xyz, slow_from: float, end: float) -> str | None:
        """Go down until the cup sits on something; return that thing if suction can hold it."""
        at = self.senses.arrive(at)
        await self._move((at[0], at[1], slow_from), _DROP)
        for joints, speeds in self._down(at, max(end, -0.004)):
            self.physics.tick(joints, speeds)
            await tick()
            name, touches = self.physics.touched()
            if name is not None or touches:
                self.physics.hold()
                await self._wait(2)
                return self.physics.touched()[0]
        return None

    async def _lower(self, at: Xyz, slow_from: float, end: float, held: str) -> bool:
        """Go down until what hangs from the cup rests on something; whether it does."""
        at = self.senses.arrive(at)
        await self._move((at[0], at[1], slow_from), _DROP)
        for joints, speeds in self._down(at, max(end, 0.0)):
            self.physics.tick(joints, speeds)
            await tick()
            if self.physics.rests(held):
                self.physics.hold()
                await self._wait(2)
                return True
        return False

    def _down(self, at: Xyz, end: float) -> list[tuple[arm.Joints, arm.Joints]]:
        """A path straight down at constant speed."""
        z = self.physics.commanded()[2]
        steps = max(math.ceil((z - end) / (_APPROACH * TICK)), 1)
        heights = np.linspace(z, min(end, z), steps + 1)
        angles = [arm.ur5e_joints_at((at[0], at[1], float(height))) for height in heights]
        return [(angles[i], (angles[i] - angles[i - 1]) / TICK) for i in range(1, steps + 1)]

    async def _move(self, end: Xyz, speed: float) -> None:
        for joints, speeds in arm.path(self.physics.commanded(), end, speed, TICK):
            self.physics.tick(joints, speeds)
            await tick()
        self.physics.tick(arm.ur5e_joints_at(end))
        await tick()

    async def _wait(self, ticks: int) -> None:
        for _ in range(ticks):
            self.physics.tick()
            await tick()

    async def _settle(self) -> None:
        """Let things fall and roll to rest, up to a time limit."""
        for count in range(_SETTLE_TICKS):
            self.physics.tick()
            await tick()
            self._noticed()
            if count >= 5 and self.physics.still:
                return

    def _brake(self) -> None:
        self.physics.hold()
        for _ in range(_BRAKE_TICKS):
            self.physics.tick()

    # Heights ----------------------------------------------------------------------------------------------------------

    def _hanging(self, name: str | None) -> float:
        """How far a thing reaches below the cup."""
        return self.physics.height(name) if name else 0.0

    def _travel_height(self, picture: Picture, hanging: float) -> float:
        return max(float(picture.height.max()) + 0.04, _HOVER) + hanging

    def _lower_into_reach(self, at: Xyz, height: float) -> float:
        """The given height, or the greatest one that the arm reaches there."""
        while height > at[2] + 0.01:
            try:
                arm.ur5e_joints_at((at[0], at[1], height))
            except SkillError:
                height -= 0.01
            else:
                break
        return height


def highest_seen(picture: Picture, at: Xyz, radius: float) -> float:
    """The height of the highest thing seen around a point."""
    row, column = pixel_at(at[0], at[1])
    rows, columns = np.ogrid[: picture.height.shape[0], : picture.height.shape[1]]
    near = (rows - row) ** 2 + (columns - column) ** 2 <= (radius / PIXEL) ** 2 + 1
    return max(float(picture.height[near].max(initial=0.0)), at[2])

"""Pick and place: one scripted motion, from where the senses say things are.

It reports what the arm did and felt; whether that was a success is not for it to say.
"""

from __future__ import annotations

import math

import numpy as np

from thinkaloud.errors import SkillError
from thinkaloud.pace import safe_point, tick
from thinkaloud.worlds.tabletop import arm
from thinkaloud.worlds.tabletop.camera import PIXEL, Picture, pixel_at
from thinkaloud.worlds.tabletop.layout import TABLE, Xyz
from thinkaloud.worlds.tabletop.physics import TICK, Physics
from thinkaloud.worlds.tabletop.senses import Senses
from thinkaloud.worlds.tabletop.spots import free_spot

TRAVEL, DROP, APPROACH = 0.9, 0.5, 0.08  # metres per second: across, down and up, until contact
CLEARANCE = 0.02  # how far above the surface the slow approach begins
HOVER = 0.12  # the least height of the cup (or of what hangs from it) while it travels
BRAKE_TICKS, SETTLE_TICKS = 10, 60


class Primitive:
    """One call of pick-and-place."""

    def __init__(self, physics: Physics, senses: Senses) -> None:
        self.physics, self.senses = physics, senses

    async def run(self, object: str, target: str) -> str:
        """Do it; stops where it is when interrupted, and never drops what it holds."""
        try:
            return await self._run(object, target)
        except SkillError:
            raise
        except BaseException:  # a stop, a new request, or the end of the task that runs this
            self._brake()
            raise

    async def _run(self, object: str, target: str) -> str:
        picture = self.senses.picture()
        held = self.physics.held
        if held not in (None, object):
            safe_point()
            await self._put_aside(picture, str(held))
            picture, held = self.senses.picture(), None
        start = None if held else self.senses.point(picture, self.senses.pixel(picture, object))
        goal = self._goal(picture, object, target)
        if start is not None:
            self._check_reach(start, goal, self.physics.height(object))
            held = await self._pick(picture, start)
        if held is None:
            await self._settle()
            return f"Picked up nothing: the cup did not get hold of the {object}."
        how = await self._place(picture, goal, held)
        await self._settle()
        where = f"at ({goal[0]:.2f}, {goal[1]:.2f}) for the {target}"
        if held != object:
            return f"Picked up the {held} instead of the {object}, and put it down {where}{how}."
        return f"Picked up the {object} and put it down {where}{how}."

    def _goal(self, picture: Picture, object: str, target: str) -> Xyz:
        """Where the underside of the object is to come to rest."""
        return self.senses.aim(self.senses.point(picture, self.senses.pixel(picture, target, moving=object)))

    def _noticed(self) -> None:
        """Called while things come to rest, for worlds in which something comes of it when they touch."""

    async def _pick(self, picture: Picture, at: Xyz) -> str | None:
        high = self._travel_height(picture, 0.0)
        await self._above(at, high)
        safe_point()  # nothing is in the air yet
        name = await self._descend(at, _highest(picture, at, 0.02) + CLEARANCE, at[2] - 0.03)
        if name is not None:
            safe_point()
            self.physics.suck(name)
            await self._wait(3)
        await self._rise(self._travel_height(picture, self._hanging(name)))
        return name

    async def _place(self, picture: Picture, at: Xyz, held: str) -> str:
        hanging = self._hanging(held)
        await self._above(at, self._travel_height(picture, hanging))
        top = _highest(picture, at, hanging * 0.8)
        touched = await self._lower(at, top + hanging + CLEARANCE, at[2] + hanging - 0.03, held)
        self.physics.release()
        await self._wait(2)
        await self._rise(self._travel_height(picture, hanging))
        return "" if touched else ", dropping it from the air"

    async def _put_aside(self, picture: Picture, held: str) -> None:
        """Put down what an interrupted call left hanging, where there is room and nobody wants anything."""
        x, y, _ = self.physics.tip()
        pixel = free_spot(picture, TABLE.inset(0.05), held, self.physics.height(held), near=(x, y))
        spot = self.senses.point(picture, pixel)
        await self._rise(self._travel_height(picture, self._hanging(held)))
        await self._place(picture, spot, held)
        await self._settle()

    # Motions ----------------------------------------------------------------------------------------------------------

    async def _above(self, at: Xyz, height: float) -> None:
        await self._rise(height)
        await self._move((at[0], at[1], self._lower_into_reach(at, height)), TRAVEL)

    async def _rise(self, height: float) -> None:
        x, y, z = self.physics.commanded()
        if z < height:
            await self._move((x, y, self._lower_into_reach((x, y, z), height)), DROP)

    async def _descend(self, at: Xyz, slow_from: float, end: float) -> str | None:
        """Go down until the cup sits on something; that thing, if suction can hold it."""
        await self._move((at[0], at[1], slow_from), DROP)
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
        await self._move((at[0], at[1], slow_from), DROP)
        for joints, speeds in self._down(at, max(end, 0.0)):
            self.physics.tick(joints, speeds)
            await tick()
            if self.physics.rests(held):
                self.physics.hold()
                await self._wait(2)
                return True
        return False

    def _down(self, at: Xyz, end: float) -> list[tuple[arm.Joints, arm.Joints]]:
        """Straight down at an even speed."""
        z = self.physics.commanded()[2]
        steps = max(math.ceil((z - end) / (APPROACH * TICK)), 1)
        heights = np.linspace(z, min(end, z), steps + 1)
        angles = [arm.joints_at((at[0], at[1], float(height))) for height in heights]
        return [(angles[i], (angles[i] - angles[i - 1]) / TICK) for i in range(1, steps + 1)]

    async def _move(self, end: Xyz, speed: float) -> None:
        for joints, speeds in arm.path(self.physics.commanded(), end, speed, TICK):
            self.physics.tick(joints, speeds)
            await tick()
        self.physics.tick(arm.joints_at(end))
        await tick()

    async def _wait(self, ticks: int) -> None:
        for _ in range(ticks):
            self.physics.tick()
            await tick()

    async def _settle(self) -> None:
        """Let things fall and roll to rest, but not for ever."""
        for count in range(SETTLE_TICKS):
            self.physics.tick()
            await tick()
            self._noticed()
            if count >= 5 and self.physics.still:
                return

    def _brake(self) -> None:
        self.physics.hold()
        for _ in range(BRAKE_TICKS):
            self.physics.tick()

    # Heights ----------------------------------------------------------------------------------------------------------

    def _hanging(self, name: str | None) -> float:
        """How far a thing reaches below the cup."""
        return self.physics.height(name) if name else 0.0

    def _travel_height(self, picture: Picture, hanging: float) -> float:
        return max(float(picture.height.max()) + 0.04, HOVER) + hanging

    def _lower_into_reach(self, at: Xyz, height: float) -> float:
        """The height itself, or the greatest one that the arm reaches there."""
        while height > at[2] + 0.01:
            try:
                arm.joints_at((at[0], at[1], height))
            except SkillError:
                height -= 0.01
            else:
                break
        return height

    def _check_reach(self, start: Xyz, goal: Xyz, hanging: float) -> None:
        """Say so before anything moves."""
        arm.joints_at(start)
        arm.joints_at((goal[0], goal[1], goal[2] + hanging + CLEARANCE))


def _highest(picture: Picture, at: Xyz, radius: float) -> float:
    """The highest thing seen round a point."""
    row, column = pixel_at(at[0], at[1])
    rows, columns = np.ogrid[: picture.height.shape[0], : picture.height.shape[1]]
    near = (rows - row) ** 2 + (columns - column) ** 2 <= (radius / PIXEL) ** 2 + 1
    return max(float(picture.height[near].max(initial=0.0)), at[2])

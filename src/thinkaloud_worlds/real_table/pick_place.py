"""Pick and place by boxes, as in appendix A.2: from boxes to points, and from points to motions.

The arm goes to 15 cm above a point and then down until it feels 5 N. It reports what it felt; it does not know what,
if anything, it holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import numpy as np

from thinkaloud.episode.ticks import safe_point, tick
from thinkaloud.errors import SkillError
from thinkaloud.worlds.geometry import Xy, Xyz
from thinkaloud.worlds.vision import PixelBox, Sight, View
from thinkaloud_worlds.real_table.wrist_camera import LOOK
from thinkaloud_worlds.tabletop import ur5e_arm as arm
from thinkaloud_worlds.tabletop.layout import Region
from thinkaloud_worlds.tabletop.physics import Physics
from thinkaloud_worlds.tabletop.primitive_motions import Motions
from thinkaloud_worlds.tabletop.senses import CameraSenses

ABOVE = 0.15
FORCE = 5.0
_TRAVEL_Z, _TRAVEL, _QUICK = 0.30, 0.9, 0.5
_DEEPER = 0.04  # the cup gives up this far below where something was seen
_INNER = 0.6  # the usable share of a round plate's box: nearer to its edge, things roll off

AimNoise = Callable[[Xyz], Xyz]
"""Returns where the arm actually goes when it aims to pick at a point."""


def is_looking(physics: Physics) -> bool:
    """Whether the arm is where the whole table is in view."""
    return math.dist(physics.commanded(), LOOK) <= 1e-4


class PickPlace(Motions):
    """The motions of one call, without knowledge of their purpose."""

    def __init__(self, physics: Physics) -> None:
        super().__init__(physics, CameraSenses(lambda: physics))

    async def look(self) -> None:
        """Go to where the whole table is in view, with whatever hangs from the cup."""
        await self._braking(self._to_look())

    async def pick(self, at: Xyz, lowest: float) -> bool:
        """Pick up whatever is there, never going below `lowest`; whether the cup holds something."""
        return bool(await self._braking(self._pick(at, lowest)))

    async def place(self, at: Xyz, hanging: float) -> None:
        """Put down the held thing, which hangs this far below the cup, and look again."""
        await self._braking(self._place(at, hanging))

    async def _braking(self, motion: Coroutine[Any, Any, Any]) -> Any:
        """Run a motion; if it is interrupted, the arm holds still."""
        try:
            return await motion
        except SkillError:
            raise
        except BaseException:  # a stop, a new request, or the end of the task that runs this
            self._brake()
            raise

    async def _to_look(self) -> None:
        if not is_looking(self.physics):
            await self._rise(_TRAVEL_Z)
            await self._move(LOOK, _TRAVEL)
            await self._settle()

    async def _pick(self, at: Xyz, lowest: float) -> bool:
        arm.ur5e_joints_at(at)  # raises before anything moves if the arm does not reach
        await self._above(at, max(_TRAVEL_Z, at[2] + ABOVE))
        await self._move((at[0], at[1], at[2] + ABOVE), _QUICK)
        safe_point()
        if await self._press(at, max(at[2] - _DEEPER, lowest)):
            name = self.physics.touched()[0]
            if name is not None:
                self.physics.suck(name)
                await self._wait(3)
        await self._rise(_TRAVEL_Z)
        return self.physics.held is not None

    async def _place(self, at: Xyz, hanging: float) -> None:
        high = at[2] + hanging + ABOVE
        await self._above(at, max(_TRAVEL_Z, high))
        await self._move((at[0], at[1], high), _QUICK)
        await self._press(at, at[2] + hanging - _DEEPER)
        self.physics.release()
        await self._wait(3)
        await self._rise(_TRAVEL_Z)
        await self._to_look()

    async def _press(self, at: Xyz, end: float) -> bool:
        """Go down slowly until the cup feels 5 N; whether it did."""
        held = self.physics.held
        for joints, speeds in self._down(at, end):
            self.physics.tick(joints, speeds)
            await tick()
            if self.physics.pressed(held) >= FORCE:
                self.physics.hold()
                await self._wait(2)
                return True
        return False


# Points from boxes ----------------------------------------------------------------------------------------------------


def free_point_in(view: View, sight: Sight, plate: PixelBox, without: Sequence[str]) -> Xyz:
    """The point of a plate's box that is farthest from the boxes of other things. SkillError if depth is missing.

    A plate is round, so only the inner part of its box is searched.
    """
    left, top, right, bottom = plate
    rows, columns = np.mgrid[top : bottom + 1, left : right + 1]
    middle, half = ((top + bottom) / 2, (left + right) / 2), ((bottom - top) / 2, (right - left) / 2)
    inner = np.hypot((rows - middle[0]) / half[0], (columns - middle[1]) / half[1]) <= _INNER
    spots = np.stack([rows[inner], columns[inner]], axis=1).astype(float)
    known = [spots[i] for i in range(len(spots)) if view.depth[int(spots[i][0]), int(spots[i][1])] > 0]
    if not known:
        raise SkillError("The camera gives no depth on the plate: I cannot tell how far away it is.")
    boxes = [each.box for each in sight.sightings if each.name not in without]
    best = max(known, key=lambda at: (_gap(at, boxes), -math.hypot(at[0] - middle[0], at[1] - middle[1])))
    return _point(view, best[1], best[0])


def free_point_on(region: Region, taken: Sequence[Xy]) -> Xyz:
    """The point of a region that is farthest from other things."""
    x, y = region.centre
    xs, ys = np.linspace(*region.inset(0.02).x, 7), np.linspace(*region.inset(0.02).y, 7)
    spots = [(x, y), *((float(a), float(b)) for a in xs for b in ys)]
    best = max(spots, key=lambda at: min([math.dist(at, other) for other in taken] + [0.1]))
    return best[0], best[1], 0.0


def _gap(at: Any, boxes: Sequence[PixelBox]) -> float:
    """The distance in pixels from a pixel to the nearest box, up to the largest that matters."""
    away = [math.hypot(max(b[1] - at[0], 0, at[0] - b[3]), max(b[0] - at[1], 0, at[1] - b[2])) for b in boxes]
    return float(min([*away, 40.0]))


def _point(view: View, column: float, row: float) -> Xyz:
    near = view.depth[max(int(row) - 1, 0) : int(row) + 2, max(int(column) - 1, 0) : int(column) + 2]
    depth, at = float(np.median(near[near > 0])), view.intrinsics
    seen = np.array([(column - at.cx) / at.fx * depth, (row - at.cy) / at.fy * depth, depth])
    x, y, z = view.rotation @ seen + view.position
    return float(x), float(y), float(z)


# Noise ----------------------------------------------------------------------------------------------------------------


def noisy(rng: np.random.Generator, sigma: float, cap: float = 1.5) -> AimNoise:
    """Miss a point in a random direction, by a normally distributed distance of at most `cap` deviations."""

    def aim(at: Xyz) -> Xyz:
        far = float(np.clip(rng.normal(0.0, sigma), -cap * sigma, cap * sigma))
        angle = float(rng.uniform(0.0, 2 * math.pi))
        return at[0] + far * math.cos(angle), at[1] + far * math.sin(angle), at[2]

    return aim

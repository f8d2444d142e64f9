"""The motions of the hand: it travels, feels its way to a thing, grips it, puts it down, and tilts it over a cup.

Every motion ticks. None of them decides anything; that is up to `motion_sequences`.
"""

from __future__ import annotations

import math
from dataclasses import replace

from thinkaloud.episode.ticks import safe_point, tick
from thinkaloud.errors import DidNotWork
from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.drinks.contents import Bar
from thinkaloud_worlds.drinks.inverse_kinematics import DrinksAim, drinks_joints_at, heading, line, sweep
from thinkaloud_worlds.drinks.layout import DRINK_CUP_HEIGHT, STACK_GRIP
from thinkaloud_worlds.drinks.mjcf import OPEN_FINGERS
from thinkaloud_worlds.simulated_time import TICK
from thinkaloud_worlds.tabletop.ur5e_arm import Joints

_TRAVEL, _APPROACH, _LOWER = 0.8, 0.12, 0.15  # metres per second: across, feeling forward, down to a surface
_CLEAR = 0.23  # the height at which the underside of a held thing clears everything on the counter
_EMPTY = 0.30  # the travelling height of the empty hand
_CLOSING = 0.002  # metres that a finger closes per tick
TURNING, HASTE = 2.0, 14.0  # how fast things are tilted, in rad/s, and how quickly that starts, in rad/s²
_FURTHEST = 0.19  # metres that it feels its way forward
_TRIES, _ROUNDS = 6, 8  # attempts to approach a cup, and to centre on it


class DrinksHand:
    """The motions of the hand."""

    def __init__(self, bar: Bar) -> None:
        self.bar, self.counter = bar, bar.counter

    # Travelling -------------------------------------------------------------------------------------------------------

    async def follow(self, path: list[tuple[Joints, Joints]]) -> None:
        """Follow a path, one point per tick."""
        for joints, speeds in path:
            self.bar.advance(joints, speeds)
            await tick()
        if path:
            self.bar.advance(path[-1][0])
            await tick()

    async def go(self, aim: DrinksAim, speed: float = _TRAVEL) -> None:
        """Go straight to a point."""
        await self.follow(line(self.counter.commanded(), aim, speed))

    async def travel(self, aim: DrinksAim) -> None:
        """Rise and swing to above a point; the held thing stays clear of everything."""
        high = max(aim.z, self.travel_height())
        here = self.counter.commanded()
        if here.z < high - 0.005:
            await self.go(replace(here, z=high))
        await self.follow(sweep(self.counter.data.ctrl[:6].copy(), drinks_joints_at(replace(aim, z=high))))

    def travel_height(self) -> float:
        """The height of the hand while it travels."""
        return _CLEAR + self.hold()[2] if self.counter.held else _EMPTY

    async def wait(self, ticks: int) -> None:
        """Let that many ticks pass."""
        for _ in range(ticks):
            self.bar.advance()
            await tick()

    def forward(self, aim: DrinksAim, ahead: float, left: float = 0.0) -> DrinksAim:
        """The point this far ahead of the hand, and to its left."""
        x, y = heading(aim)
        return replace(aim, x=aim.x + x * ahead - y * left, y=aim.y + y * ahead + x * left)

    # Taking -----------------------------------------------------------------------------------------------------------

    async def feel_for(self, name: str, seen: Xy) -> str | None:
        """Approach a cup seen near a point and centre on it by touch; return what the fingers found, if any."""
        grip = STACK_GRIP if self.counter.docked(name) else self.counter.things[name].form.grip
        low = self.counter.position(name)[2] + grip
        start = DrinksAim(*seen, low, ahead=0.085 + max(3 * self.counter.scene.detection_error - 0.036, 0.0))
        self.open()
        await self.travel(start)
        await self.go(start)
        safe_point()  # nothing has been touched yet
        for _ in range(_TRIES):
            bumped = await self._forward()
            if bumped == 0:
                return await self.centre(self.counter.things[name].form.radius)
            if bumped is None:
                return None
            here = self.counter.commanded()
            await self.go(self.forward(self.forward(here, -0.05), 0.0, 0.024 * bumped))
        return None

    async def _forward(self) -> int | None:
        """Go forward until the palm feels something (0) or a finger bumps (left 1, right -1); None for nothing."""
        here = self.counter.commanded()
        for _ in range(math.ceil(_FURTHEST / (_APPROACH * TICK))):
            last, here = here, self.forward(here, _APPROACH * TICK)
            joints = drinks_joints_at(here)
            self.bar.advance(joints, (joints - drinks_joints_at(last)) / TICK)
            await tick()
            left, right, palm = self.counter.touched()
            if palm or (left and right):
                self.counter.hold()
                await self.go(self.forward(self.counter.commanded(), -0.004), _APPROACH)
                return 0
            if left or right:
                self.counter.hold()
                await self.wait(2)
                return 1 if left else -1
        return None

    async def centre(self, radius: float) -> str | None:
        """Close gently and shift towards the finger that touches first, until both touch; return what they touch."""
        gap = min(self.counter.gaps())
        for _ in range(_ROUNDS):
            gap, left, right = await self._close(gap, radius)
            if left and right:
                return left
            if not (left or right):
                return None
            off = gap - radius
            gap += 0.008
            self.counter.fingers(gap, gap)
            await self.wait(3)
            await self.go(self.forward(self.counter.commanded(), 0.0, off if left else -off), _LOWER)
        return None

    async def _close(self, gap: float, radius: float) -> tuple[float, str | None, str | None]:
        """Close until a finger touches; if that is near where both should, close the other until it touches, too."""
        left = right = None
        at = [gap, gap]
        while max(at) > radius - 0.009:
            at = [at[0] if left else at[0] - _CLOSING, at[1] if right else at[1] - _CLOSING]
            self.counter.fingers(*at)
            self.bar.advance()
            await tick()
            now = self.counter.touched()
            left, right = left or now[0], right or now[1]
            if left and right:
                break
            if (left or right) and (first := min(self.counter.gaps())) > radius + 0.003:
                return first, left, right
        return radius, left, right

    async def grip(self, name: str) -> None:
        """Press, and hold."""
        radius = self.counter.things[name].form.radius
        self.counter.fingers(radius - 0.006, radius - 0.006)
        await self.wait(4)
        left, right, _ = self.counter.touched()
        if left != name or right != name:
            self.open()
            raise DidNotWork(f"The {name} slipped out of the fingers; try again.")
        self.counter.grip(name)
        await self.wait(1)

    def open(self, gap: float = OPEN_FINGERS) -> None:
        """Open the fingers."""
        self.counter.fingers(gap, gap)

    # Holding ----------------------------------------------------------------------------------------------------------

    def hold(self) -> tuple[float, float, float]:
        """Where the foot of the held thing is relative to the hand: ahead, to the left, and below."""
        name, here = self.counter.held, self.counter.actual()
        if name is None:
            return 0.0, 0.0, 0.0
        x, y = heading(replace(here, roll=0.0))
        px, py, pz = self.counter.position(name)
        dx, dy = px - here.x, py - here.y
        return dx * x + dy * y, dy * x - dx * y, here.z - pz

    async def put(self, at: Xy, height: float, *, back: float = 0.0) -> None:
        """Lower the held thing until it stands at a point, let go, and draw back."""
        name = self.counter.held
        assert name is not None
        ahead, left, below = self.hold()
        over = DrinksAim(*at, height + below + 0.02, ahead=ahead, side=left)
        if back:
            await self.travel(replace(over, ahead=ahead + back))
            await self.go(replace(over, z=self.counter.commanded().z))
        else:
            await self.travel(over)
        await self.go(over)
        last = drinks_joints_at(over)
        for i in range(1, math.ceil(0.026 / (_LOWER * TICK))):
            joints = drinks_joints_at(replace(over, z=over.z - i * _LOWER * TICK))
            self.bar.advance(joints, (joints - last) / TICK)
            last = joints
            await tick()
            if self.counter.rests(name) or (
                self.counter.things[name].kind in ("ladle", "stirrer") and i * _LOWER * TICK >= 0.02
            ):
                break
        self.counter.hold()
        await self.wait(2)
        self.let_go()
        await self.wait(5)
        await self.draw_back(0.09)

    def let_go(self) -> None:
        """Let go of the held thing; a tub or holder then keeps it."""
        name = self.counter.held
        if name is None:
            return
        self.counter.release()
        if self.counter.things[name].docked and self.counter.things[name].kind != "cup":
            self.counter.dock(name)
        self.open(self.counter.things[name].form.radius + 0.015)

    async def draw_back(self, by: float) -> None:
        """Draw back from a thing that stands between the fingers."""
        await self.go(self.forward(self.counter.commanded(), -by))

    # Tilting ----------------------------------------------------------------------------------------------------------

    def over(self, at: Xy, rim: float, tilt: float, hold: tuple[float, float, float] | None = None) -> DrinksAim:
        """Where the hand must be for the lip of the held thing to be above a point, with nothing below the rim."""
        name = self.counter.held
        assert name is not None
        form, (ahead, left, below) = self.counter.things[name].form, hold or self._straight_hold()
        lip, up = form.lip[0], form.lip[1] - below
        sine, cosine = math.sin(tilt), math.cos(tilt)
        lowest = max(below * cosine, (below - form.height) * cosine) + form.radius * abs(sine)
        rises = up * cosine - lip * sine
        z = rim + max(0.035 - rises, 0.02 + lowest)
        return DrinksAim(*at, z, tilt, ahead, left - lip * cosine - up * sine)

    def _straight_hold(self) -> tuple[float, float, float]:
        """As `hold`, for a thing that may be tilted at the moment; things are always gripped upright."""
        name = self.counter.held
        assert name is not None
        ahead, left, _ = self.hold()
        roll = self.counter.commanded().roll
        form = self.counter.things[name].form
        if abs(roll) > 0.02:
            return ahead, 0.0, form.grip
        return ahead, left, self.hold()[2]

    def upright_now(self) -> None:
        """Turn a tilted thing upright at once, keeping its lip in place, so that nothing more runs out."""
        self.counter.hold()
        name, here = self.counter.held, self.counter.commanded()
        if name is None or abs(here.roll) < 0.02:
            return
        for joints, speeds in self.turning_back():
            self.bar.advance(joints, speeds)

    def turning_back(self) -> list[tuple[Joints, Joints]]:
        """The path from a tilt to upright, keeping the lip above the same point."""
        name, here = self.counter.held, self.counter.commanded()
        assert name is not None
        x, y, _ = self.counter.lip(name)
        rim, count = DRINK_CUP_HEIGHT, max(math.ceil(abs(here.roll) / (1.25 * TURNING * TICK)), 1)
        hold = self._straight_hold()
        aims = [self.over((x, y), rim, here.roll * (1 - i / count), hold) for i in range(count + 1)]
        raised = here.z - aims[0].z
        angles = [drinks_joints_at(replace(aim, z=aim.z + raised)) for aim in aims]
        angles[0] = drinks_joints_at(here)
        return [(angles[i], (angles[i] - angles[i - 1]) / TICK) for i in range(1, count + 1)]

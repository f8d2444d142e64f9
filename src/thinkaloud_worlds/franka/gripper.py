"""The motions of the hand: it goes somewhere, takes what is there, and puts down what it holds. Every motion ticks.

Every step of the physics is watched. If the arm, or what it holds, touches something it should not, it stops, backs
off and reports it.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace

import numpy as np

from thinkaloud.episode.ticks import Interrupted, safe_point, tick
from thinkaloud.errors import DidNotWork, SkillError
from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.franka.catalogue import FrankaKind
from thinkaloud_worlds.franka.franka_arm import (
    READY,
    FrankaAim,
    FrankaJoints,
    franka_joints_at,
    path_along,
    turn_to_middle,
)
from thinkaloud_worlds.franka.layout import AT_POINT, CARRY, OPENS, WIDEST_GRASP
from thinkaloud_worlds.franka.physics import THE_HAND, THE_TABLE, Table, Touch
from thinkaloud_worlds.franka.reachability import EMPTY_HAND_HEIGHT, LOWEST_REACH, highest_way, way

_TRAVEL, _DOWN, _CAREFUL = 0.7, 0.45, 0.12  # metres per second: across, down and up, down to a surface
_CLOSING = 0.0025  # metres that a finger closes per tick
_ASIDE = 0.008  # the gap between a finger and the thing that it comes down beside
_LIFTED = 0.03  # the least that a thing is lifted if the arm does not reach higher
_LEFT_OFF = 0.01  # if the hand is farther than this from its commanded place, a motion was cut off
_THERE = 0.002
_SHORT = 0.025  # the height above a surface below which it moves carefully


class Collision(SkillError):
    """The arm, or what it holds, touched something it should not."""


class FrankaHand:
    """The motions of the hand; `collided` is called on every collision."""

    def __init__(self, table: Table, collided: Callable[[str], None]) -> None:
        self.table, self._collided = table, collided
        self._trail: list[FrankaJoints] = []

    async def run(self, motion: Callable[[], Awaitable[str]]) -> str:
        """Run a motion from beginning to end; if it is interrupted or fails, the arm holds still."""
        try:
            return await motion()
        except (Interrupted, SkillError):
            self.table.hold()
            raise

    # Going somewhere --------------------------------------------------------------------------------------------------

    async def follow(self, path: tuple[FrankaJoints, FrankaJoints], meant: Collection[str] = ()) -> None:
        """Follow a path, one point per tick."""
        joints, speeds = path
        for i in range(len(joints)):
            await self._step(joints[i], speeds[i], meant)
        await self._step(joints[-1], None, meant)

    async def _step(self, joints: FrankaJoints, speeds: FrankaJoints | None, meant: Collection[str]) -> None:
        touch = self.table.watched_tick(joints, speeds, meant)
        if touch is not None:
            await self._back_off(touch)
        self._trail = [*self._trail[-11:], joints]
        await tick()

    async def _back_off(self, touch: Touch) -> None:
        """Stop, report the collision, and retreat the way it came, then upwards."""
        table = self.table
        table.hold()
        words = f"Collision detected between {touch.moving} and {touch.other}."
        self._collided(words)
        await tick()
        here = table.actual()
        for joints in reversed(self._trail):
            table.tick(joints)
            await tick()
        table.hold()
        self._trail = []
        top = self._rise_to(replace(table.commanded(), z=max(here.z, table.commanded().z)))
        for joints, speeds in zip(
            *path_along(_rows(table.commanded(), replace(table.commanded(), z=top)), _DOWN), strict=True
        ):
            table.tick(joints, speeds)
            await tick()
        raise Collision(words)

    async def go(self, aim: FrankaAim, speed: float = _TRAVEL, meant: Collection[str] = ()) -> None:
        """Go straight to a point."""
        await self.follow(path_along(_rows(self.table.commanded(), aim), speed), meant)

    def below(self) -> float:
        """How far the underside of what is held is below the point between the fingers."""
        held = self.table.held
        return 0.0 if held is None else self.table.actual().z - self.table.box(held).bottom

    def _rise_to(self, here: FrankaAim) -> float:
        wanted = max(EMPTY_HAND_HEIGHT if self.table.held is None else CARRY + self.below(), here.z)
        try:
            return highest_way(np.array([[here.x, here.y]]), wanted, here.z)
        except SkillError:  # at the edge of its reach
            return here.z

    async def rise(self, meant: Collection[str] = ()) -> None:
        """Rise to travelling height."""
        here = self.table.commanded()
        await self.go(replace(here, z=self._rise_to(here)), _DOWN, meant)

    async def travel(self, x: float, y: float, turn: float) -> None:
        """Go straight to above a point, at travelling height."""
        here = self.table.commanded()
        over = way((here.x, here.y), (x, y))
        wanted = max(EMPTY_HAND_HEIGHT if self.table.held is None else CARRY + self.below(), LOWEST_REACH)
        high = highest_way(over, wanted, max(wanted - CARRY + _LIFTED, LOWEST_REACH))
        if abs(here.z - high) > 0.004:
            await self.go(replace(here, z=high), _DOWN)
        done = np.linspace(0.0, 1.0, len(over))
        corners = np.column_stack([over, np.full(len(over), high), here.turn + (turn - here.turn) * done])
        await self.follow(path_along(corners, _TRAVEL))

    async def _come_to_rest(self) -> None:
        """If an earlier motion was cut off, hold until the arm is at its commanded place."""
        table = self.table
        if _far(table) > _LEFT_OFF:
            table.hold()
            for _ in range(25):
                await self._step(franka_joints_at(table.commanded()), None, (*table.names, THE_TABLE))
                if _far(table) < _THERE:
                    return

    async def clear(self) -> None:
        """Clear up after an earlier motion that was cut off: open the fingers unless they hold something, and rise."""
        await self._come_to_rest()
        table = self.table
        if table.commanded().z >= EMPTY_HAND_HEIGHT - 0.005:
            return
        beside: set[str] = set()
        if table.held is None:
            here = table.actual()
            beside = {n for n in table.names if table.box(n).covers(here.x, here.y, 0.03)}
            await self._fingers(min(table.gap() + _ASIDE, OPENS / 2), beside)
        else:
            beside = {touch.other for touch in table.touches()}
        await self.rise(beside)

    async def home(self) -> str:
        """Return to the rest posture."""
        await self.clear()
        safe_point()
        await self._fingers(OPENS / 2, ())
        await self.travel(READY.x, READY.y, READY.turn)
        await self.go(READY)
        for _ in range(3):
            await self._step(franka_joints_at(READY), None, ())
        return "The arm is back home."

    async def _fingers(self, gap: float, meant: Collection[str], ticks: int = 4) -> None:
        self.table.fingers(gap)
        joints = franka_joints_at(self.table.commanded())
        for _ in range(ticks):
            await self._step(joints, None, meant)

    # Taking -----------------------------------------------------------------------------------------------------------

    async def take(self, x: float, y: float, z: float) -> str:
        """Take what is at a point; the hand centres on what its camera sees there."""
        table = self.table
        _reached(x, y, max(z, LOWEST_REACH), EMPTY_HAND_HEIGHT - 0.12)
        await self.clear()
        safe_point()
        await self.travel(x, y, turn_to_middle(x, y, 0.0))
        safe_point()
        name = self._seen_below(x, y)
        if name is None:
            await self._feel_for_nothing(x, y, z)
            raise DidNotWork(f"Nothing to grasp at ({x:.2f}, {y:.2f}).")
        kind, box = table.things[name].kind, table.box(name)
        across, turn = self._across(name, kind)
        if kind.receptacle or across > WIDEST_GRASP + 0.003:
            raise SkillError(f"{name} is too wide to be grasped: the hand opens {OPENS:.2f} m.")
        low = max(box.bottom + max(box.height - 0.035, box.height / 2), box.bottom + LOWEST_REACH)
        turn = turn_to_middle(box.x, box.y, turn)
        aim = FrankaAim(box.x, box.y, low, turn)
        above = table.commanded().z
        await self._fingers(across / 2 + _ASIDE, ())
        await self.go(replace(aim, z=above))
        await self.go(aim, _DOWN)
        await self._close(name, across)
        beneath = {touch.other for touch in table.touches()} | {THE_TABLE}
        await self.rise({name, *beneath})
        if table.held != name:
            raise DidNotWork(f"{name} slipped out of the hand.")
        return f"{name} is in the hand."

    def _seen_below(self, x: float, y: float) -> str | None:
        """The topmost thing with its centre at a point; of two, the nearer one."""
        table, best, rank = self.table, None, (0, 0.0, 0.0)
        for name in table.names:
            box, kind = table.box(name), table.things[name].kind
            off = math.dist((x, y), (box.x, box.y))
            if box.bottom > -0.02 and off <= AT_POINT + 1e-6:
                here = (0 if kind.receptacle else 1, round(box.top, 2), -off)
                if best is None or here > rank:
                    best, rank = name, here
        return best

    async def _feel_for_nothing(self, x: float, y: float, z: float) -> None:
        above = self.table.commanded()
        await self._fingers(OPENS / 2, ())
        await self.go(FrankaAim(x, y, max(z, LOWEST_REACH), above.turn), _DOWN)
        await self._fingers(0.002, (), 10)
        await self._fingers(OPENS / 2, (), 4)
        await self.go(above, _DOWN)

    def _across(self, name: str, kind: FrankaKind) -> tuple[float, float]:
        """How wide a thing is where the fingers close, and the direction along which they close.

        Of all possible directions, this is the one that leaves most room between the hand and the neighbours.
        """
        table = self.table
        if table.tilt(name) < 0.9:
            box = table.box(name)
            return (box.width, math.pi / 2) if box.width <= box.length else (box.length, 0.0)
        yaw = table.yaw(name)
        if kind.round:
            turns = [(kind.across, k * math.pi / 8) for k in range(8)]
        else:
            length, width, _ = kind.size
            turns = [(length, yaw), (width, yaw + math.pi / 2)]
            turns = [(wide, turn) for wide, turn in turns if wide <= WIDEST_GRASP] or [min(turns)]
        x, y, _ = table.position(name)
        others = [table.position(other)[:2] for other in table.names if other != name]
        return max(turns, key=lambda each: (round(min(self._room(x, y, each[1], others), 0.12), 3), -each[0]))

    def _room(self, x: float, y: float, turn: float, others: list[Xy]) -> float:
        """The distance from the nearest neighbour to the line along the hand's width."""
        along_x, along_y = math.cos(turn), math.sin(turn)
        nearest = 1.0
        for ox, oy in others:
            dx, dy = ox - x, oy - y
            lengthwise = abs(dx * along_x + dy * along_y)
            if math.hypot(dx, dy) > 0.03:
                sideways = abs(dy * along_x - dx * along_y)
                nearest = min(nearest, math.hypot(max(lengthwise - 0.1, 0.0), sideways))
        return nearest

    async def _close(self, name: str, across: float) -> None:
        """Close the fingers until both touch, and hold what is between them."""
        table, gap = self.table, across / 2 + _ASIDE
        joints = franka_joints_at(table.commanded())
        while gap > 0.002:
            gap -= _CLOSING
            table.fingers(gap)
            await self._step(joints, None, (name, THE_TABLE))
            found = table.between_fingers()
            if found is not None:
                for _ in range(2):
                    await self._step(joints, None, (name, THE_TABLE))
                table.grip(found)
                return
        await self._fingers(across / 2 + _ASIDE, (name,))
        await self.rise((name,))
        raise DidNotWork(f"{name} slipped out of the hand.")

    # Putting down -----------------------------------------------------------------------------------------------------

    async def put(self, x: float, y: float, z: float) -> str:
        """Put the held thing down at a point: on the table, in or on a receptacle, or onto what stands there."""
        await self.clear()
        table, name = self.table, str(self.table.held)
        below, box = self.below(), table.box(name)
        here = table.commanded()
        dx, dy = box.x - here.x, box.y - here.y
        bearing, surface = self._surface(name, x, y, z)
        turn = turn_to_middle(x, y, here.turn + self._turn_for(name, x, y, here.turn))
        c, s = math.cos(turn - here.turn), math.sin(turn - here.turn)
        aim = FrankaAim(x - (c * dx - s * dy), y - (s * dx + c * dy), surface + below, turn)
        _reached(aim.x, aim.y, aim.z, aim.z + _LIFTED)
        over = way((here.x, here.y), (aim.x, aim.y))
        highest_way(over, CARRY + below, max(below + _LIFTED, aim.z))
        await self.travel(aim.x, aim.y, aim.turn)
        meant = {THE_TABLE, *bearing}
        await self.go(replace(aim, z=min(aim.z + _SHORT, table.commanded().z)), _DOWN)
        rested = await self._lower(name, aim, bearing)
        await self._let_go(name, {*meant, name})
        if not rested or table.tilt(name) < 0.9:
            raise DidNotWork(f"{name} did not come to stand at ({x:.2f}, {y:.2f}).")
        return f"{name} is at ({x:.2f}, {y:.2f})."

    def _turn_for(self, name: str, x: float, y: float, turn: float) -> float:
        """How far to turn the held thing so that the hand has most room where it goes; only round things are turned."""
        table = self.table
        if not table.things[name].kind.round or table.tilt(name) < 0.9:
            return 0.0
        others = [table.position(other)[:2] for other in table.names if other != name]
        turns = [k * math.pi / 8 for k in (0, 1, -1, 2, -2, 3, -3, 4)]
        return max(turns, key=lambda by: round(min(self._room(x, y, turn + by, others), 0.12), 3))

    def _surface(self, name: str, x: float, y: float, z: float) -> tuple[tuple[str, ...], float]:
        """What a thing will stand on at a point, and the height of that surface."""
        table = self.table
        bearing, surface, half = [], 0.0, table.box(name).height / 2
        for other in table.names:
            box, kind = table.box(other), table.things[other].kind
            if other == name or not box.covers(x, y) or box.bottom < -0.02:
                continue
            onto = z > 0 and z - half >= box.top - 0.01
            if kind.receptacle or onto:
                bearing.append(other)
                surface = max(surface, box.bottom + kind.floor if kind.receptacle else box.top)
        return tuple(bearing), surface

    async def _lower(self, name: str, aim: FrankaAim, bearing: tuple[str, ...]) -> bool:
        """Lower the thing until it rests where it should; whether it does."""
        table, here = self.table, self.table.commanded()
        low = replace(aim, z=max(aim.z - 0.012, LOWEST_REACH * 0.7))
        joints, speeds = path_along(_rows(here, low), _CAREFUL)
        for row, speed in zip(joints, speeds, strict=True):
            await self._step(row, speed, (THE_TABLE, *bearing))
            touched = [touch for touch in table.touches() if touch.moving == name]
            if any(touch.standing for touch in touched):
                table.hold()
                return True
            side = next((touch for touch in table.touches() if touch.moving == THE_HAND or not touch.standing), None)
            if side is not None:
                await self._back_off(side)
        table.hold()
        return False

    async def _let_go(self, name: str, meant: Collection[str]) -> None:
        table = self.table
        joints = franka_joints_at(table.commanded())
        await self._step(joints, None, meant)
        gap = table.gap()
        table.release()
        await self._fingers(min(gap + _ASIDE, OPENS / 2), meant, 5)
        await self.rise(meant)
        for _ in range(25):
            if table.still():
                break
            await self._step(franka_joints_at(table.commanded()), None, ())


def _far(table: Table) -> float:
    """The distance from the hand to its commanded place."""
    told, real = table.commanded(), table.actual()
    return math.dist((told.x, told.y, told.z), (real.x, real.y, real.z))


def _rows(start: FrankaAim, end: FrankaAim) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array([[a.x, a.y, a.z, a.turn] for a in (start, end)])


def _reached(x: float, y: float, low: float, high: float) -> None:
    """Raise SkillError if the hand cannot go down and up at a point."""
    for z in np.linspace(low, max(high, low), 6):
        highest_way(np.array([[x, y]]), float(z), float(z))

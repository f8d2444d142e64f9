"""Driving: the robot follows a path with limited acceleration, and stops at once if something new is on it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from thinkaloud.episode.ticks import safe_point, tick
from thinkaloud.errors import DidNotWork
from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.warehouse.floor_geometry import CELL, KEEPS, LENGTH, TURNS, WIDTH, Grid
from thinkaloud_worlds.warehouse.physics import DRIVE_TICK, Hall
from thinkaloud_worlds.warehouse.robot_map import Chart
from thinkaloud_worlds.warehouse.routing import length, samples

_FASTEST, _SPEEDS_UP, _BRAKES = 1.0, 0.8, 1.2
_TURNS_AT, _TURNS_UP = 1.4, 4.0
_LOOKS_AHEAD = 0.35  # metres ahead on the path to the point it steers to
_SHARP = 0.5  # radians: if that point is further off its heading, it turns on the spot
_HEEDS = 1.3  # something new within this many metres of path ahead makes it stop
_SLACK = 0.03  # a path is abandoned if it has this much less room than planned
_CLOSE = 0.04  # it has arrived when this near to its goal
_BACKS, _BACKS_AT, _LEAST_BACK = 0.6, 0.3, 0.35
_PATIENCE = 3.0  # seconds without progress before it gives up


@dataclass(frozen=True)
class Blocked:
    """Something on the path: its number, its place, and how far ahead of the robot it is."""

    thing: int
    at: Xy
    ahead: float

    def nearer(self, driven: float) -> Blocked:
        """The same after braking."""
        return replace(self, ahead=max(self.ahead - driven, 0.0))


class Driver:
    """Moves the robot of a hall; `advance` runs one control tick and records what the scanner sees."""

    def __init__(self, hall: Hall, chart: Chart, advance: Callable[[float, float], None]) -> None:
        self._hall, self._chart, self._advance = hall, chart, advance
        self._forward = self._turning = 0.0

    async def follow(self, path: tuple[Xy, ...]) -> Blocked | None:
        """Drive along a path and stop at its end, or in front of something that turns out to stand on it."""
        points, along = samples(path)
        needs = np.minimum(self._room(points)[0], KEEPS) - _SLACK
        done, best, since = 0, math.inf, self._hall.data.time
        latest = since + 20 + 4 * length(path)
        while True:
            safe_point()
            x, y, heading = self._hall.pose
            window = slice(done, done + 40)
            done += int(np.argmin(np.hypot(points[window, 0] - x, points[window, 1] - y)))
            left = float(along[-1] - along[done])
            if (blocked := self._blocked(points, along, needs, done)) is not None:
                await self.halt()
                return blocked.nearer(math.dist((x, y), self._hall.pose.xy))
            final = math.dist((x, y), path[-1])
            if final < _CLOSE or (left < _CLOSE and self._forward < 0.05 and final < 2 * _CLOSE):
                break
            remaining = left if left > _LOOKS_AHEAD else final
            if remaining < best - 0.01 or abs(self._turning) > 0.2:
                best, since = min(best, remaining), self._hall.data.time
            if self._hall.data.time > min(since + _PATIENCE, latest):
                await self.halt()
                raise DidNotWork("The robot does not get on." + self._held_by())
            target = points[min(int(np.searchsorted(along, along[done] + _LOOKS_AHEAD)), len(points) - 1)]
            off = math.remainder(math.atan2(target[1] - y, target[0] - x) - heading, math.tau)
            wanted = 0.0 if abs(off) > _SHARP else _FASTEST * max(1 - abs(off) / _SHARP, 0.15)
            wanted = min(wanted, math.sqrt(2 * 0.6 * _BRAKES * max(final, left) + 1e-4), self._careful(points, done))
            await self._move(wanted, max(-_TURNS_AT, min(_TURNS_AT, 3.0 * off)))
        await self.halt()
        return None

    def _careful(self, points: Grid, done: int) -> float:
        """The top speed for the room that there is."""
        return _FASTEST if self._chart.room_at(*points[done]) > KEEPS + 2 * CELL else 0.6

    def _room(self, points: Grid) -> tuple[Grid, NDArray[np.int16]]:
        columns = np.clip((points[:, 0] / CELL).astype(int), 0, self._chart.columns - 1)
        rows = np.clip((points[:, 1] / CELL).astype(int), 0, self._chart.rows - 1)
        return self._chart.room[rows, columns], self._chart.owner[rows, columns]

    def _blocked(self, points: Grid, along: Grid, needs: Grid, done: int) -> Blocked | None:
        ahead = slice(done, int(np.searchsorted(along, along[done] + _HEEDS)) + 1)
        room, owner = self._room(points[ahead])
        taken = np.flatnonzero((room < needs[ahead]) & (owner >= 0))
        if not len(taken):
            return None
        thing = int(owner[taken[0]])
        return Blocked(thing, self._chart.found()[thing], float(along[done + taken[0]] - along[done]))

    def first_on(self, path: tuple[Xy, ...]) -> Blocked | None:
        """The first thing on a path that was planned without knowing it."""
        points, along = samples(path)
        room, owner = self._room(points)
        taken = np.flatnonzero((room < KEEPS) & (owner >= 0))
        if not len(taken):
            return None
        thing = int(owner[taken[0]])
        return Blocked(thing, self._chart.found()[thing], float(along[taken[0]]))

    async def back(self) -> None:
        """Back up straight, as far as there is room, and stop. Raises SkillError if there is no room."""
        start = self._hall.pose
        if self._behind() < _LEAST_BACK:
            raise DidNotWork(f"There is no room to back up: something stands {max(self._behind(), 0):.1f} m behind.")
        while True:
            safe_point()
            gone = math.dist(start.xy, self._hall.pose.xy)
            left = min(_BACKS - gone, self._behind() - 0.05)
            if left < 0.02:
                break
            await self._move(-min(_BACKS_AT, math.sqrt(2 * 0.6 * _BRAKES * left)), 0.0)
        await self.halt()

    def _behind(self) -> float:
        """How far it can back up; a bumper with enough range senses what is behind."""
        angles, distances, _ = self._hall.scan(all_round=True)
        met = np.isfinite(distances)
        x, y = distances[met] * np.cos(angles[met]), distances[met] * np.sin(angles[met])
        behind = (x < 0) & (np.abs(y) < WIDTH / 2 + 0.04)
        return float((-x[behind]).min(initial=10.0)) - LENGTH / 2

    async def turn_once(self) -> None:
        """Turn a full circle on the spot. Raises SkillError if there is no room."""
        if (close := self.too_close()) is not None:
            raise DidNotWork(close)
        turned, before = 0.0, self._hall.pose.heading
        while turned < math.tau - 0.02:
            safe_point()
            await self._move(0.0, min(_TURNS_AT, math.sqrt(2 * 0.6 * _TURNS_UP * (math.tau - turned))))
            now = self._hall.pose.heading
            turned, before = turned + math.remainder(now - before, math.tau), now
        await self.halt()

    def too_close(self) -> str | None:
        """Why the robot cannot turn where it stands, in words; None if it can."""
        _, distances, things = self._hall.scan(all_round=True)
        nearest = int(np.argmin(distances))
        if float(distances[nearest]) >= TURNS - 0.01:
            return None
        return f"The robot has no room to turn: {self._called(int(things[nearest]))} is too close. Back up first."

    async def halt(self) -> None:
        """Brake until the robot stands still."""
        while self._forward or self._turning or self._hall.speed > 1e-3:
            await self._move(0.0, 0.0)

    def stop(self) -> None:
        """Brake at once, as hard as possible."""
        self._forward = self._turning = 0.0
        for _ in range(50):
            if self._hall.speed <= 1e-3:
                return
            self._advance(0.0, 0.0)

    async def _move(self, forward: float, turning: float) -> None:
        rate = _SPEEDS_UP if abs(forward) > abs(self._forward) and forward * self._forward >= 0 else _BRAKES
        self._forward += max(-rate * DRIVE_TICK, min(rate * DRIVE_TICK, forward - self._forward))
        self._turning += max(-_TURNS_UP * DRIVE_TICK, min(_TURNS_UP * DRIVE_TICK, turning - self._turning))
        self._advance(self._forward, self._turning)
        await tick()

    def _held_by(self) -> str:
        touching = self._hall.touching
        return f" It touches {touching[0]}." if touching else ""

    def _called(self, thing: int) -> str:
        return "a wall or a shelf" if thing < 0 else f"the {self._hall.names[thing]}"

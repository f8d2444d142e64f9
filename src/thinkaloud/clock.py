"""Time as a value that the world owns: simulations advance it, tests fast-forward it, and no test sleeps."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Seconds since the run began."""

    def now(self) -> float:
        """Seconds since the run began."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Let that much time pass."""
        ...


class WallClock:
    """Real time, for real robots and real endpoints."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    def now(self) -> float:
        """Seconds since this clock was made."""
        return time.monotonic() - self._start

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class ManualClock:
    """Time that passes only when told to."""

    def __init__(self, start: float = 0.0) -> None:
        self.seconds = start

    def now(self) -> float:
        """What it was set to."""
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        """Move on at once, letting others run."""
        self.seconds += seconds
        await asyncio.sleep(0)


class RealTime:
    """Keeps a simulated clock from running ahead of real time, so that people can follow and interrupt.

    The simulation does not catch up on time the robot spent thinking.
    """

    def __init__(self, clock: Clock, speed: float = 1.0, wall: Clock | None = None) -> None:
        self._clock, self._speed = clock, speed
        self._wall = wall or WallClock()
        self._since = (clock.now(), self._wall.now())

    async def keep_up(self) -> None:
        """Wait until real time has caught up with the simulation."""
        simulated, real = self._since
        ahead = (self._clock.now() - simulated) / self._speed - (self._wall.now() - real)
        if ahead > 0:
            await self._wall.sleep(ahead)
        else:
            self._since = (self._clock.now(), self._wall.now())

"""Time as a value that the world owns: simulations advance it, tests fast-forward it, and no test sleeps."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Seconds since the run began."""

    def now(self) -> float:
        """Seconds since the run began."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Let that much time pass."""
        ...


class DatedClock(Clock, Protocol):
    """A clock that also tells the date and the time of day."""

    def date(self) -> datetime:
        """The local date and time."""
        ...


class WallClock:
    """Real time, for real robots and real endpoints."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    def now(self) -> float:
        """Seconds since this clock was made."""
        return time.monotonic() - self._start

    def date(self) -> datetime:
        """The machine's own."""
        return datetime.now()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class ManualClock:
    """Time that passes only when told to; `midnight` is the date at second 0."""

    def __init__(self, start: float = 0.0, midnight: datetime = datetime(2000, 1, 1)) -> None:
        self.seconds, self._midnight = start, midnight

    def now(self) -> float:
        """What it was set to."""
        return self.seconds

    def date(self) -> datetime:
        """As much after midnight as it was set to."""
        return self._midnight + timedelta(seconds=self.seconds)

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

"""Pausing: where a robot waits until somebody lets it go on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal

Mode = Literal["run", "pause", "step", "last"]
"""`step`: one more step, then pause. `last`: the step under way is that one."""


class Gate:
    """Lets a robot through, or not; `set` may be called from any thread.

    Before a step it waits while nothing moves; in the middle of a motion it waits between two control ticks.
    """

    def __init__(self, tell: Callable[[], None]) -> None:
        self.mode: Mode = "run"
        self.holding = False
        """Whether somebody waits here."""
        self._tell = tell
        self._waiting: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None

    def set(self, mode: Mode) -> None:
        """Open or close it."""
        self.mode = mode
        if mode != "pause" and self._waiting is not None:
            loop, event = self._waiting
            loop.call_soon_threadsafe(event.set)
        self._tell()

    async def before_step(self) -> None:
        """Wait here until the next step may be taken."""
        if self.mode == "last":
            self.mode = "pause"
        await self.at_tick()
        if self.mode == "step":
            self.mode = "last"

    async def at_tick(self) -> None:
        """Wait here while paused."""
        while self.mode == "pause":
            event = asyncio.Event()
            self._waiting = (asyncio.get_running_loop(), event)
            self.holding = True
            self._tell()
            try:
                if self.mode == "pause":  # it may have been opened just now, from another thread
                    await event.wait()
            finally:
                self._waiting, self.holding = None, False
                self._tell()

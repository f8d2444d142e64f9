"""What is going on, and for how long: a terminal shows it on its last line, elsewhere standard error tells it.

Other code says what begins (`begin`), and every event says what follows it. There is no line while something is printed
anyway: only after a silence, the first of them within a second.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from types import TracebackType
from typing import Protocol

from thinkaloud.models.contract import PREPARATION
from thinkaloud.monologue import Event
from thinkaloud.records import Ask, Begin, End, Record, Started
from thinkaloud.untrusted.output import complain

GETTING_TO_KNOW = "Getting to know this robot (only the first time)"
"""What a model is at that reads ahead what all its prompts about a robot begin with; it is kept for later sessions."""
_PULSE = 0.2
"""Seconds between two updates."""
_FIRST, _EVERY = 0.5, 5.0
"""Seconds of silence before the first line, and before each later one."""


def what_follows(record: Record) -> str:
    """What the robot does after an event; empty if it waits."""
    match record:
        case Started():
            return "Moving"
        case Begin() | Ask() | End():
            return ""
        case _:
            return "Thinking"


def spell_reading(role: str, read: int, total: int) -> str:
    """What a model is reading, and how far it has got: `Thinking: 1,024 of 4,100 tokens read`."""
    what = GETTING_TO_KNOW if role == PREPARATION else "Thinking"
    return f"{what}: {read:,} of {total:,} tokens read" if total else "Thinking"


def spell_progress(what: str, seconds: float) -> str:
    """What is going on, and for how long: `Loading embedded … 12 s`."""
    return f"{what} … {seconds:.0f} s"


class LastLine(Protocol):
    """A terminal that shows on its last line what is going on."""

    def go_on(self, what: str) -> None:
        """Show this from now on, for what began before."""
        ...

    def begin(self, what: str) -> None:
        """Show this from now on, and for how long."""
        ...

    def pulse(self) -> None:
        """Draw the line anew."""
        ...


class Progress:
    """Tells what is going on while its block runs: on the last line of a terminal, or in lines of its own."""

    def __init__(
        self,
        screen: LastLine | None = None,
        clock: Callable[[], float] = time.monotonic,
        tell: Callable[[str], None] = complain,
    ) -> None:
        self._screen, self._clock, self._tell = screen, clock, tell
        self._doing, self._since = "", clock()
        self._silence, self._sign = _FIRST, clock()

    def begin(self, what: str) -> None:
        """Something begins that may take long; nothing, if it is empty."""
        self._doing, self._since = what, self._clock()
        if self._screen is not None:
            self._screen.begin(what)

    def read(self, role: str, read: int, total: int) -> None:
        """A model has read so many tokens of its prompt; with a total of 0, it has read ahead what it was to."""
        if self._doing:
            self._doing = spell_reading(role, read, total)
            if self._screen is not None:
                self._screen.go_on(self._doing)

    def hear(self, event: Event) -> None:
        """An event was shown."""
        self._doing, self._since = what_follows(event.record), self._clock()
        self._silence, self._sign = _EVERY, self._since

    def tick(self) -> None:
        """Tell what is going on, if it is time."""
        now = self._clock()
        if not self._doing:
            return
        if self._screen is not None:
            self._screen.pulse()
        elif now - self._sign >= self._silence:
            self._tell(spell_progress(self._doing, now - self._since))
            self._silence, self._sign = _EVERY, now

    async def __aenter__(self) -> Progress:
        self._ticking = asyncio.ensure_future(self._tick())
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._ticking.cancel()
        await asyncio.gather(self._ticking, return_exceptions=True)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(_PULSE)
            self.tick()

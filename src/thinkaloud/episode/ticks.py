"""Control ticks: where a running skill lets the rest of the agent run.

A skill awaits `tick()` once per control period. Between two ticks the agent listens, checkpoints the world and may film
a frame. `stop` interrupts a skill at its next tick. A new request waits for `safe_point()`, which the skill calls
wherever it is safe to leave off (no object in the air, nothing being poured).

The next tick hears whatever a thread, a signal handler or a listener has put into the inbox. It also hears every line
that somebody types: while one is on its way, the skill waits for it. Coroutines get a turn of the event loop
at the first tick, every TURN_EVERY ticks from there, and whenever the skill awaits anything else.

    async def wipe(strokes: int) -> None:
        for _ in range(strokes):
            safe_point()
            move_cloth()
            await tick()
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from thinkaloud.records import Message, PlanEdit, Stop

TURN_EVERY = 10
"""Ticks between two turns of the event loop: a turn costs more than the rest of a tick."""
_AT_ONCE, _MOST_TURNS, _TURN = 5, 50, 0.001
"""How many turns of the event loop a skill waits, at one tick, for what somebody is saying. About five are enough;
later ones take a millisecond each, to give a reading thread time."""


class Interrupted(BaseException):
    """Raised inside a skill when it should leave off; `message` is what the person said.

    Like asyncio's CancelledError it is not an Exception: a skill that carries on after errors must not miss a stop.
    """

    def __init__(self, message: Message) -> None:
        said = (
            "" if isinstance(message, PlanEdit) else message.text if not isinstance(message, Stop) else message.because
        )
        super().__init__(said)
        self.message = message


@dataclass
class Pace:
    """What happens between two control ticks of the running skill."""

    hear: Callable[[], Message | None] = lambda: None
    """Records what was said since the last tick; returns what the running skill must give way to, if anything."""
    speaking: Callable[[], bool] = lambda: False
    """Whether something was said that has not reached `hear` yet."""
    listeners: list[Callable[[], None]] = field(default_factory=list)
    wait: Callable[[], Awaitable[None]] | None = None
    """Awaited at every tick, to keep a simulation in step with real time."""
    ticks: int = 0
    waiting: Message | None = None

    async def tick(self) -> None:
        """One control tick has passed."""
        self.ticks += 1
        for listener in self.listeners:
            listener()
        if self.wait is not None:
            await self.wait()
        if self.ticks % TURN_EVERY == 1:
            await asyncio.sleep(0)
        if self.speaking():
            await self._let_speak()
        message = self.hear()
        if message is not None:
            self.give_way_to(message)
        if isinstance(self.waiting, Stop):
            raise Interrupted(self.waiting)

    async def _let_speak(self) -> None:
        """Wait until what is being said has been said, but not for long."""
        turns = 0
        while self.speaking() and turns < _MOST_TURNS:
            await asyncio.sleep(0 if turns < _AT_ONCE else _TURN)
            turns += 1

    def give_way_to(self, message: Message) -> None:
        """Make the skill leave off where it can. A later message does not cancel a stop."""
        if not isinstance(self.waiting, Stop):
            self.waiting = message

    def safe_point(self) -> None:
        """Leave off here if a person wants something else."""
        if self.waiting is not None:
            raise Interrupted(self.waiting)


rehearsal_watcher: ContextVar[Callable[[Any], None] | None] = ContextVar("rehearsal_watcher", default=None)
"""Called with the twin at every tick of a rehearsal, if set."""
_current: ContextVar[Pace | None] = ContextVar("pace", default=None)


@contextmanager
def pacing(pace: Pace) -> Iterator[Pace]:
    """Skills called in this block tick at this pace."""
    token = _current.set(pace)
    try:
        yield pace
    finally:
        _current.reset(token)


def tick() -> Coroutine[Any, Any, None]:
    """Awaited by a skill once per control period."""
    pace = _current.get()
    return asyncio.sleep(0) if pace is None else pace.tick()


def safe_point() -> None:
    """Called by a skill wherever it is safe to leave off."""
    pace = _current.get()
    if pace is not None:
        pace.safe_point()

"""Turns of many robots at one model: fair between them, whoever asks how much.

    turns = FairTurns(6)
    model = TakingTurns(shared, turns, "robot 7")       # asks only when it is this robot's turn

As many calls as there are slots run at once. The next turn goes to the robot with the fewest calls under way; of these,
to the one that has waited longest since its last turn. Whoever is cancelled leaves the queue at once, so a stop never
waits in it. Robots may live in different threads and event loops.
"""

from __future__ import annotations

import asyncio
import copy
import itertools
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from typing import Any

from thinkaloud.models.contract import Model, in_role

_ASKS = frozenset({"complete", "complete_weighed", "chat", "score", "read_ahead", "describe"})
_MOST_REMEMBERED = 1000


class FairTurns:
    """Hands out turns; `slots` calls run at once."""

    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._lock = threading.Lock()
        self._waiting: dict[str, deque[Future[None]]] = {}
        self._running: dict[str, int] = {}
        self._last: dict[str, int] = {}
        self._count = itertools.count(1)

    @property
    def waiting(self) -> int:
        """How many calls wait."""
        return sum(map(len, self._waiting.values()))

    @property
    def running(self) -> int:
        """How many calls are under way."""
        return sum(self._running.values())

    @property
    def robots(self) -> int:
        """How many robots have asked lately."""
        return len(self._last)

    @asynccontextmanager
    async def turn(self, who: str) -> AsyncIterator[None]:
        """Wait for a turn, and keep it for the block."""
        mine: Future[None] = Future()
        with self._lock:
            self._waiting.setdefault(who, deque()).append(mine)
            self._grant()
        try:
            await asyncio.wrap_future(mine)
        except asyncio.CancelledError:
            self._withdraw(who, mine)
            raise
        try:
            yield
        finally:
            self._end(who)

    def _withdraw(self, who: str, mine: Future[None]) -> None:
        """Leave the queue; a turn that was granted in the same moment goes to somebody else."""
        with self._lock:
            queue = self._waiting.get(who, deque())
            if mine in queue:
                queue.remove(mine)
                self._forget(who)
                return
        self._end(who)

    def _end(self, who: str) -> None:
        with self._lock:
            self._running[who] -= 1
            if not self._running[who]:
                del self._running[who]
            self._grant()

    def _grant(self) -> None:
        """Give out the free turns; the lock is held."""
        while self._waiting and self.running < self._slots:
            who = min(self._waiting, key=lambda each: (self._running.get(each, 0), self._last.get(each, 0)))
            mine = self._waiting[who].popleft()
            self._forget(who)
            self._running[who] = self._running.get(who, 0) + 1
            self._last.pop(who, None)
            self._last[who] = next(self._count)
            if len(self._last) > _MOST_REMEMBERED:
                del self._last[next(iter(self._last))]
            if mine.set_running_or_notify_cancel():
                mine.set_result(None)
            # One that was cancelled in this moment gives its turn back itself (`_withdraw`).

    def _forget(self, who: str) -> None:
        if not self._waiting.get(who, True):
            del self._waiting[who]


class TakingTurns:
    """A model that several robots share, as one of them sees it."""

    def __init__(self, model: Model, turns: FairTurns, who: str) -> None:
        self.name = model.name
        self._model, self._turns, self._who = model, turns, who

    def in_role(self, role: str) -> TakingTurns:
        """Return the model in a role."""
        other = copy.copy(self)
        other._model = in_role(self._model, role)
        other.name = other._model.name
        return other

    async def close(self) -> None:
        """Close the model itself."""
        await self._model.close()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_model":
            raise AttributeError(name)
        found = getattr(self._model, name)
        return self._in_turn(found) if name in _ASKS else found

    def _in_turn(self, asks: Callable[..., Any]) -> Callable[..., Any]:
        async def ask(*given: Any, **named: Any) -> Any:
            async with self._turns.turn(self._who):
                return await asks(*given, **named)

        return ask

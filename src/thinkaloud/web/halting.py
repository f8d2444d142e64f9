"""A stop on its way: whether the robot's run has heard it, and whether the robot is still."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future

from thinkaloud.errors import BadInput
from thinkaloud.records import Record, Stop

PATIENCE = 5.0
"""Seconds after which somebody who waits for a stop to be heard is told that it was not."""
SETTLING = 0.2
"""Seconds that a stop's answer waits for the robot to be still, once the run has heard it; most need a few ms."""
_MOST_LATE = 86_400.0
"""Seconds; a stop that claims to be older is a day old."""
_REMEMBERED = 100
"""Stops by which a session knows again what is sent twice."""


def tell_pressed(late: float = 0.0, who: str = "", *, said: bool = False) -> str:
    """Why a robot holds still that somebody has stopped, so many seconds ago; `said`: by voice."""
    late = min(late, _MOST_LATE)
    pressed = f"{who or 'you'} {'said' if said else 'pressed'} stop"
    return f"{pressed} {late:.0f} s before it got through" if late >= 1 else pressed


class NotConfirmed(BadInput):
    """A stop was passed on, and the robot has not said that it heard it."""


class Halt:
    """One stop. Both answers come from the robot's own thread, and neither is ever taken back."""

    def __init__(self) -> None:
        self._heard: Future[None] = Future()
        self._still: Future[None] = Future()

    @property
    def heard(self) -> bool:
        """Whether the run has taken it in, or there was none."""
        return self._heard.done()

    @property
    def still(self) -> bool:
        """Whether nothing has moved since."""
        return self._still.done()

    def confirm(self, *, still: bool) -> None:
        """The run has taken it in; with `still`, nothing moves any more."""
        for answer, is_so in ((self._heard, True), (self._still, still)):
            if is_so and not answer.done():
                answer.set_result(None)

    async def wait_until_heard(self, patience: float = PATIENCE) -> None:
        """Wait for the run to hear it; NotConfirmed where it does not in time."""
        await self._wait(self._heard, patience)

    async def wait_until_still(self, patience: float = PATIENCE) -> None:
        """Wait for the robot to be still; NotConfirmed where it is not in time."""
        await self._wait(self._still, patience)

    async def _wait(self, answer: Future[None], patience: float) -> None:
        try:
            await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(answer)), patience)
        except TimeoutError:
            raise NotConfirmed("The robot has not confirmed the stop. Use the robot's own stop.") from None


class OpenHalts:
    """The stops of a run, in their order, that it has not heard yet, or after which something still moves."""

    def __init__(self) -> None:
        self._open: list[tuple[Stop, Halt]] = []
        self._lock = threading.RLock()  # reentrant: a signal handler may stop a robot that this very thread is stopping

    def add(self, stop: Stop, halt: Halt) -> None:
        """A stop was said to the run."""
        with self._lock:
            self._open.append((stop, halt))

    def hear(self, record: Record, *, moving: bool) -> None:
        """Something happened in the run: stops up to one that it hears now are heard, and settled if nothing moves."""
        if not self._open:
            return
        with self._lock:
            now = next((place for place, (stop, _) in enumerate(self._open) if stop is record), -1)
            for place, (_, halt) in enumerate(self._open):
                if halt.heard or place <= now:
                    halt.confirm(still=not moving)
            self._open = [each for each in self._open if not each[1].still]

    def settle(self) -> None:
        """The run is over: whatever was to stop it is heard, and nothing moves."""
        with self._lock:
            halts, self._open = self._open, []
        for _, halt in halts:
            halt.confirm(still=True)


class Halts:
    """The stops of one session by their messages, so that one which is sent again does not stop what came after it."""

    def __init__(self) -> None:
        self._halts: OrderedDict[str, Halt] = OrderedDict()
        self._lock = threading.RLock()  # reentrant, as above

    def once(self, message: str, stop: Callable[[], Halt]) -> Halt:
        """Stop, unless this message has done so before; without a message, always."""
        with self._lock:
            if message in self._halts:
                return self._halts[message]
            halt = stop()
            if message:
                self._halts[message] = halt
            while len(self._halts) > _REMEMBERED:
                self._halts.popitem(last=False)
            return halt

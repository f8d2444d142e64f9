"""All sessions: found by id, and with a robot that wakes when somebody has something to say to it."""

from __future__ import annotations

import asyncio
import ctypes
import hashlib
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec

from thinkaloud.agent import LONGEST_REQUEST
from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.monologue import Event
from thinkaloud.records import Begin, Speaker, Taught
from thinkaloud.settings import Settings
from thinkaloud.staging.opening import ModelOpener, reopen_episode
from thinkaloud.staging.options import RunOptions
from thinkaloud.web.control import LONGEST_IDENTIFIER
from thinkaloud.web.halting import Halt
from thinkaloud.web.journal_reader import JournalReader
from thinkaloud.web.live_session import WatchedSession
from thinkaloud.web.robot_thread import NotNow, Opening, RobotThread
from thinkaloud.web.shared_models import SharedModels

_MOST_KEPT = 64
"""Sessions that are kept in memory although nobody watches them."""
MOST_IDLE_ROBOTS = 8
"""Robots that stay open although they have nothing to do and nobody watches; others sleep until they are needed."""
MOST_ROBOTS = 32
"""Robots that may be open at once, whatever they do."""
IDLE_SECONDS = 60.0
"""Seconds after which nobody is taken to be about to say something."""
_PATIENCE = 10.0
"""Seconds that a robot has to come to an end."""


class LiveSessions:
    """Finds sessions, opens them, and wakes their robots."""

    def __init__(self, settings: Settings, journal: JournalReader, models: SharedModels) -> None:
        self._settings, self._journal, self._models = settings, journal, models
        self._sessions: dict[str, WatchedSession] = {}
        self._opening: set[RobotThread] = set()
        """Robots whose session has no id yet."""
        self._starting: dict[str, Future[str]] = {}
        self._going_to_sleep: dict[str, Future[None]] = {}

    def known(self) -> Mapping[str, WatchedSession]:
        """Those that are there just now, by the id of their session."""
        return dict(self._sessions)

    def stop_all(self, because: str, message: str = "") -> dict[str, Halt]:
        """Have all robots hold still, also those that are being opened; the stops by the ids of their sessions."""
        for robot in list(self._opening):
            robot.stop(because)
        open_now = {id: watched for id, watched in self.known().items() if watched.robot is not None}
        return {id: watched.stop(because, message) for id, watched in open_now.items()}

    async def find(self, id: str) -> WatchedSession:
        """A session, live or asleep; UnknownName where there is none."""
        if (falling := self._going_to_sleep.get(id)) is not None:
            await asyncio.wrap_future(falling)
        if (watched := self._sessions.get(id)) is not None and watched.live is not None:
            watched.touch()
            return watched
        found = await self._journal.find(id[:LONGEST_IDENTIFIER])
        events = await self._journal.events(found)
        self._tidy_up()
        watched = self._sessions.setdefault(found, WatchedSession(found, events))
        watched.reread(events)
        return watched

    def _tidy_up(self) -> None:
        for id, watched in list(self._sessions.items()):
            if watched.unneeded and len(self._sessions) > _MOST_KEPT:
                del self._sessions[id]
        at_rest = [
            watched for watched in self._sessions.values() if watched.at_rest and watched.id not in self._going_to_sleep
        ]
        at_rest.sort(key=lambda watched: watched.touched, reverse=True)
        unneeded = [watched for watched in at_rest if watched.tracker.summary().request][MOST_IDLE_ROBOTS:]
        for watched in at_rest if self._open_robots() >= MOST_ROBOTS else unneeded:
            if time.monotonic() - watched.touched >= IDLE_SECONDS:
                self._going_to_sleep[watched.id] = Future()
                threading.Thread(target=self._put_to_sleep, args=(watched,), name="going to sleep", daemon=True).start()

    def _put_to_sleep(self, watched: WatchedSession) -> None:
        """Let go of world and model; whoever has something to say to the robot wakes it."""
        try:
            if watched.robot is not None:
                watched.robot.close("nobody needs it just now")
                watched.robot.join(_PATIENCE)
                watched.let_go()
                _give_back_memory()
        finally:
            self._going_to_sleep.pop(watched.id).set_result(None)

    async def controlled(self, id: str, viewer: str) -> WatchedSession:
        """A session for somebody who holds control; NotInControl for others."""
        watched = await self.find(id)
        watched.control.require(viewer)
        watched.tell()
        return watched

    async def open(self, opening: Opening, said: str | None, viewer: str, name: str, by: Speaker | None = None) -> str:
        """Open a new session, and return its id; something may be said in it at once."""
        robot = self._new_robot(opening)
        ticket = robot.ticket()
        self._opening.add(robot)
        try:
            id = await asyncio.wrap_future(robot.begin())
            watched = self._sessions[id] = WatchedSession(id, ())
            watched.let_in(robot)
        finally:
            self._opening.discard(robot)
        watched.control.require(viewer, name)
        if said:
            await asyncio.wrap_future(robot.call(lambda: robot.hear(said, ticket, by=by)))
        self._tidy_up()
        return id

    def _new_robot(self, opening: Opening) -> RobotThread:
        """A robot; NotNow where too many are open already."""
        self._tidy_up()
        if self._open_robots() >= MOST_ROBOTS:
            raise NotNow(f"{MOST_ROBOTS} robots are open, and no more may be. Try again when nobody needs one of them.")
        return RobotThread(opening)

    def _open_robots(self) -> int:
        return len(self._opening) + sum(watched.live is not None for watched in self.known().values())

    async def once(self, message: str, viewer: str, wanted: object, work: Callable[[], Awaitable[str]]) -> str:
        """Do something that gives a session, once for each message; who repeats it gets the same session."""
        if not message:
            return await work()
        key = f"start {_mark(message, viewer, wanted)}"
        if (known := await self._journal.noted(key)) is not None:
            return known
        if key in self._starting:
            return await asyncio.wrap_future(self._starting[key])
        done = self._starting[key] = Future()
        try:
            id = await work()
            await self._journal.note(key, id)
            done.set_result(id)
            return id
        except BaseException as error:
            done.set_exception(error if isinstance(error, Exception) else NotNow("It was broken off."))
            raise
        finally:
            del self._starting[key]

    def wake(self, watched: WatchedSession) -> RobotThread:
        """The robot of a session, which is being opened if it was asleep; it stands still until it is told to go on."""
        if watched.live is not None:
            return watched.live
        options = RunOptions(speed=1.0, no_film=True)

        def opening(view: Any, inbox: Any, notice: Any) -> Any:
            opener = ModelOpener(self._models.open, notice)
            return reopen_episode(
                watched.id, options, self._settings, view=view, person=inbox, opener=opener, over=True
            )

        robot = self._new_robot(opening)
        watched.let_in(robot)
        watched.waking = robot.begin()
        return robot

    async def awake(self, watched: WatchedSession) -> RobotThread:
        """The robot of a session, once it is open."""
        robot = self.wake(watched)
        if watched.waking is not None:
            await asyncio.wrap_future(watched.waking)
        return robot

    async def resume(self, robot: RobotThread) -> None:
        """Go on with what was cut short."""
        ticket = robot.ticket()
        await asyncio.wrap_future(robot.call(lambda: robot.resume(ticket)))

    async def hear(
        self, id: str, text: str, viewer: str, message: str, *, answers: bool = False, by: Speaker | None = None
    ) -> None:
        """Have something heard, once for each message; `by` is who says it, if that is known."""
        if len(text) > LONGEST_REQUEST:
            raise BadInput(f"That has {len(text)} characters; at most {LONGEST_REQUEST} can be said at once.")
        watched = await self.controlled(id, viewer)
        known = message and f"{watched.id} {_mark(message, viewer, (text, answers))}"
        if known and not await self._journal.note(known, watched.id):
            return
        robot = self.wake(watched)
        ticket = robot.ticket()
        await self.awake(watched)
        await asyncio.wrap_future(robot.call(lambda: robot.hear(text, ticket, answers=answers, by=by)))

    async def request(self, id: str, text: str, viewer: str, *, moves: bool) -> int:
        """Begin a request where nothing is under way; the first event that may belong to it."""
        if len(text) > LONGEST_REQUEST:
            raise BadInput(f"That has {len(text)} characters; at most {LONGEST_REQUEST} can be said at once.")
        watched = await self.controlled(id, viewer)
        robot = self.wake(watched)
        ticket = robot.ticket()
        await self.awake(watched)
        return await asyncio.wrap_future(robot.call(lambda: robot.begin_request(text, ticket, moves=moves)))

    async def let_go(self, watched: WatchedSession, because: str = "the session is closed") -> None:
        """Close what is live."""
        if watched.robot is not None:
            watched.robot.close(because)
            await asyncio.to_thread(watched.robot.join, _PATIENCE)
            watched.let_go()

    async def delete(self, watched: WatchedSession) -> None:
        """Delete a session for good; NotNow while its robot is at work, or somebody else watches it."""
        if watched.robot is not None and watched.robot.state not in ("idle", "asleep", "failed"):
            raise NotNow("This session is running. Stop it before you delete it.")
        await self.let_go(watched)
        await self._journal.delete(watched.id)
        self._sessions.pop(watched.id, None)

    async def teach(self, world: str, kept: Sequence[Taught]) -> None:
        """Have all live robots of a world go by these lessons."""
        for watched in self.known().values():
            robot = watched.live
            if robot is not None and robot.id and robot.world == world:
                with suppress(NotNow):  # it has just been closed
                    await asyncio.wrap_future(robot.call(partial(robot.teach, kept)))


def _give_back_memory() -> None:
    """Have the C library give back what was freed: some keep it unless they are asked."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def live_of(watched: WatchedSession) -> RobotThread:
    """The robot of a session; NotNow where the session is asleep."""
    if watched.live is None:
        raise NotNow("This session is asleep: say something, or go on with it.")
    return watched.live


def moment_of(watched: WatchedSession, at: int | None) -> tuple[Begin, int, Sequence[Event]]:
    """How a session began, and an event of it; UnknownName where it has no such event."""
    events = watched.events
    last = len(events) - 1
    if not events or not isinstance(begin := events[0].record, Begin):
        raise NotNow("This session has not begun yet.")
    if at is not None and not 0 <= at <= last:
        raise UnknownName("event", str(at), (f"0 to {last}",))
    return begin, last if at is None else at, events


def _mark(message: str, viewer: str, said: object) -> str:
    """What a message is known again by: from somebody else, or with something else in it, it is another message."""
    if len(message) > LONGEST_IDENTIFIER:
        raise BadInput(f"A message has at most {LONGEST_IDENTIFIER} characters to be known again by.")
    return hashlib.sha256(msgspec.json.encode((message, viewer, said))).hexdigest()

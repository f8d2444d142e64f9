"""The rooms of all sessions: found by id, and with a robot that wakes when somebody has something to say to it."""

from __future__ import annotations

import asyncio
import ctypes
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from thinkaloud.agent import LONGEST_REQUEST
from thinkaloud.cli.options import RunOptions
from thinkaloud.cli.staging import Stagehands, reopen_episode
from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.monologue import Event
from thinkaloud.records import Begin
from thinkaloud.settings import Settings
from thinkaloud.web.archive import Archive
from thinkaloud.web.control import LONGEST
from thinkaloud.web.halting import Halt
from thinkaloud.web.lending import Lending
from thinkaloud.web.robot import NotNow, Opening, Robot
from thinkaloud.web.room import Room

_ROOMS = 64
"""Rooms that are kept although nobody is in them."""
OPEN = 8
"""Robots that stay open although they have nothing to do and nobody watches; others sleep until they are needed."""
LEFT_ALONE = 60.0
"""Seconds after which nobody is taken to be about to say something."""
_PATIENCE = 10.0
"""Seconds that a robot has to come to an end."""


class Rooms:
    """Finds rooms, opens them, and wakes the robots in them."""

    def __init__(self, settings: Settings, archive: Archive, lending: Lending) -> None:
        self._settings, self._archive, self._lending = settings, archive, lending
        self._rooms: dict[str, Room] = {}
        self._opening: set[Robot] = set()
        """Robots whose session has no id yet."""
        self._starting: dict[str, Future[str]] = {}
        self._going_to_sleep: dict[str, Future[None]] = {}

    def known(self) -> Mapping[str, Room]:
        """Those that are there just now, by the id of their session."""
        return dict(self._rooms)

    def stop_all(self, because: str) -> dict[str, Halt]:
        """Have all robots hold still, also those that are being opened; the stops by the ids of their sessions."""
        for robot in list(self._opening):
            robot.stop(because)
        return {id: room.stop(because) for id, room in self.known().items() if room.robot is not None}

    async def find(self, id: str) -> Room:
        """The room of a session, live or asleep; UnknownName where there is none."""
        if (falling := self._going_to_sleep.get(id)) is not None:
            await asyncio.wrap_future(falling)
        if (room := self._rooms.get(id)) is not None and room.live is not None:
            room.touch()
            return room
        found = await self._archive.find(id[:LONGEST])
        events = await self._archive.events(found)
        self._tidy_up()
        room = self._rooms.setdefault(found, Room(found, events))
        room.reread(events)
        return room

    def _tidy_up(self) -> None:
        for id, room in list(self._rooms.items()):
            if room.unneeded and len(self._rooms) > _ROOMS:
                del self._rooms[id]
        at_rest = [room for room in self._rooms.values() if room.at_rest and room.id not in self._going_to_sleep]
        at_rest.sort(key=lambda room: room.touched, reverse=True)
        for room in at_rest[OPEN:]:
            if time.monotonic() - room.touched >= LEFT_ALONE:
                self._going_to_sleep[room.id] = Future()
                threading.Thread(target=self._put_to_sleep, args=(room,), name="going to sleep", daemon=True).start()

    def _put_to_sleep(self, room: Room) -> None:
        """Let go of world and model; whoever has something to say to the robot wakes it."""
        try:
            if room.robot is not None:
                room.robot.close("nobody needs it just now")
                room.robot.join(_PATIENCE)
                room.let_go()
                _give_back_memory()
        finally:
            self._going_to_sleep.pop(room.id).set_result(None)

    async def controlled(self, id: str, viewer: str) -> Room:
        """The room of a session for somebody who holds control; NotInControl for others."""
        room = await self.find(id)
        room.control.require(viewer)
        room.tell()
        return room

    async def open(self, opening: Opening, said: str | None, viewer: str, name: str) -> str:
        """A room for a new session, and its id; something may be said in it at once."""
        robot = Robot(opening)
        ticket = robot.ticket()
        self._opening.add(robot)
        try:
            id = await asyncio.wrap_future(robot.begin())
            room = self._rooms[id] = Room(id, ())
            room.let_in(robot)
        finally:
            self._opening.discard(robot)
        room.control.require(viewer, name)
        if said:
            await asyncio.wrap_future(robot.call(lambda: robot.hear(said, ticket)))
        self._tidy_up()
        return id

    async def once(self, message: str, work: Callable[[], Awaitable[str]]) -> str:
        """Do something that gives a session, once for each message; who repeats it gets the same session."""
        if not message:
            return await work()
        key = f"start {_checked(message)}"
        if (known := await self._archive.noted(key)) is not None:
            return known
        if key in self._starting:
            return await asyncio.wrap_future(self._starting[key])
        done = self._starting[key] = Future()
        try:
            id = await work()
            await self._archive.note(key, id)
            done.set_result(id)
            return id
        except BaseException as error:
            done.set_exception(error if isinstance(error, Exception) else NotNow("It was broken off."))
            raise
        finally:
            del self._starting[key]

    def wake(self, room: Room) -> Robot:
        """The robot of a session, which is being opened if it was asleep; it stands still until it is told to go on."""
        if room.live is not None:
            return room.live
        options = RunOptions(speed=1.0, no_film=True)

        def opening(view: Any, inbox: Any, notice: Any) -> Any:
            hands = Stagehands(self._lending.open, notice)
            return reopen_episode(room.id, options, self._settings, view=view, person=inbox, hands=hands, over=True)

        robot = Robot(opening)
        room.let_in(robot)
        room.waking = robot.begin()
        return robot

    async def awake(self, room: Room) -> Robot:
        """The robot of a session, once it is open."""
        robot = self.wake(room)
        if room.waking is not None:
            await asyncio.wrap_future(room.waking)
        return robot

    async def resume(self, robot: Robot) -> None:
        """Go on with what was cut short."""
        ticket = robot.ticket()
        await asyncio.wrap_future(robot.call(lambda: robot.resume(ticket)))

    async def hear(self, id: str, text: str, viewer: str, message: str, *, answers: bool = False) -> None:
        """Have something heard, once for each message."""
        if len(text) > LONGEST_REQUEST:
            raise BadInput(f"That has {len(text)} characters; at most {LONGEST_REQUEST} can be said at once.")
        room = await self.controlled(id, viewer)
        if message and not await self._archive.note(f"{room.id} {_checked(message)}", room.id):
            return
        robot = self.wake(room)
        ticket = robot.ticket()
        await self.awake(room)
        await asyncio.wrap_future(robot.call(lambda: robot.hear(text, ticket, answers=answers)))

    async def let_go(self, room: Room, because: str = "the session is closed") -> None:
        """Close what is live."""
        if room.robot is not None:
            room.robot.close(because)
            await asyncio.to_thread(room.robot.join, _PATIENCE)
            room.let_go()


def _give_back_memory() -> None:
    """Have the C library give back what was freed: some keep it unless they are asked."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def live_of(room: Room) -> Robot:
    """The robot of a room; NotNow where the session is asleep."""
    if room.live is None:
        raise NotNow("This session is asleep: say something, or go on with it.")
    return room.live


def moment_of(room: Room, at: int | None) -> tuple[Begin, int, Sequence[Event]]:
    """How a session began, and an event of it; UnknownName where it has no such event."""
    events = room.events
    last = len(events) - 1
    if not events or not isinstance(begin := events[0].record, Begin):
        raise NotNow("This session has not begun yet.")
    if at is not None and not 0 <= at <= last:
        raise UnknownName("event", str(at), (f"0 to {last}",))
    return begin, last if at is None else at, events


def _checked(message: str) -> str:
    if len(message) > LONGEST:
        raise BadInput(f"A message has at most {LONGEST} characters to be known again by.")
    return message

"""A session and whoever watches it: its robot, if it is live, and what viewers are told."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from thinkaloud.monologue import Event
from thinkaloud.records import Begin
from thinkaloud.remember.journal import render_event
from thinkaloud.robots import is_own_robot
from thinkaloud.serialization import to_data
from thinkaloud.web.control import Control, public_id
from thinkaloud.web.halting import Halt, Halts
from thinkaloud.web.messages import EventMessage, Status, StreamMessage, Thinking
from thinkaloud.web.robot_thread import RobotThread
from thinkaloud.web.session_state import SessionTracker, is_unfinished
from thinkaloud.web.world_names import tell_record

_STATUS_EVERY = 0.05
"""Seconds between two statuses, unless the state is another."""
_RENDERED = 400
"""Events that are kept as they are sent."""
_AT_ONCE = 200
"""Events that are sent before others get a turn."""


def event_data(event: Event) -> Mapping[str, Any]:
    """An event as the journal's JSON has it, with what was measured; not where the file of its robot is."""
    data: Mapping[str, Any] = json.loads(
        render_event(event.index, event.at, tell_record(event.record), measurements=True)
    )
    return data


@dataclass(eq=False)
class _Watcher:
    loop: asyncio.AbstractEventLoop
    news: asyncio.Event


class WatchedSession:
    """A session, asleep or live, and its viewers."""

    def __init__(self, id: str, past: Sequence[Event]) -> None:
        self.id = id
        self.robot: RobotThread | None = None
        self.waking: Future[str] | None = None
        self.control = Control()
        self._halts = Halts()
        self.touched = 0.0
        """When somebody last came for it."""
        self.touch()
        self._past, self._past_tracker = list(past), SessionTracker(past)
        self._rendered: OrderedDict[int, EventMessage] = OrderedDict()
        self._status: tuple[object, Status] | None = None
        self._changes = 0
        self._watchers: set[_Watcher] = set()
        self._told: set[asyncio.AbstractEventLoop] = set()
        """Those that know already that there are news: each is woken once for all who watch in it."""
        self._lock = threading.Lock()

    # the session ------------------------------------------------------------------------------------------------------

    @property
    def live(self) -> RobotThread | None:
        """The robot, if it can be asked for anything."""
        return self.robot if self.robot is not None and self.robot.alive else None

    @property
    def events(self) -> Sequence[Event]:
        """All events so far."""
        robot = self.robot
        return robot.events if robot is not None and len(robot.events) >= len(self._past) else self._past

    @property
    def tracker(self) -> SessionTracker:
        """Where the session stands."""
        robot = self.robot
        return robot.tracker if robot is not None and len(robot.events) >= len(self._past) else self._past_tracker

    @property
    def world(self) -> str:
        """The world in which it plays."""
        begin = self.events[0].record if self.events else None
        return begin.world if isinstance(begin, Begin) else ""

    def let_in(self, robot: RobotThread) -> None:
        """Have a robot here; its news go to whoever watches."""
        self.robot = robot
        robot.changed, robot.moved = self.tell, self.nudge
        robot.watched = bool(self._watchers)
        self.tell()

    def stop(self, because: str, message: str = "") -> Halt:
        """Have the robot hold still; where there is none, nothing moves. From any thread."""
        return self._halts.once(message, lambda: self._stop(because))

    def _stop(self, because: str) -> Halt:
        if (robot := self.robot) is not None:
            return robot.stop(because)
        halt = Halt()
        halt.confirm(still=True)
        return halt

    def reread(self, past: Sequence[Event]) -> None:
        """What the journal has by now; another process may write it."""
        if self.robot is None and len(past) > len(self._past):
            self._past, self._past_tracker = list(past), SessionTracker(past)

    def let_go(self) -> None:
        """Close what is live; the story stays."""
        robot, self.robot = self.robot, None
        if robot is not None:
            self._past, self._past_tracker = robot.events, robot.tracker
        self.tell()

    def touch(self) -> None:
        """Somebody has come for it."""
        self.touched = time.monotonic()

    @property
    def at_rest(self) -> bool:
        """Whether it is open, but idle and unwatched, and can be opened again as it is: it is simulated."""
        begin = self.events[0].record if self.events else None
        simulated = isinstance(begin, Begin) and not is_own_robot(begin.world)
        idle = self.robot is not None and self.robot.state == "idle" and not self.robot.watches_rules
        return idle and simulated and not self._watchers

    @property
    def unneeded(self) -> bool:
        """Whether nobody watches, and nothing is live."""
        return not self._watchers and self.live is None

    # Messages ---------------------------------------------------------------------------------------------------------

    def tell(self) -> None:
        """Something is different about the session: wake whoever watches; from any thread."""
        self._changes += 1
        self.nudge()

    def nudge(self) -> None:
        """There is something new to see: wake whoever watches; from any thread."""
        with self._lock:
            loops = {watcher.loop for watcher in self._watchers} - self._told
            self._told |= loops
        for loop in loops:
            try:
                loop.call_soon_threadsafe(self._wake, loop)
            except RuntimeError:  # it has ended
                with self._lock:
                    self._told.discard(loop)
                    self._watchers = {watcher for watcher in self._watchers if watcher.loop is not loop}

    def _wake(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._lock:
            self._told.discard(loop)
            woken = [watcher for watcher in self._watchers if watcher.loop is loop]
        for watcher in woken:
            watcher.news.set()

    async def watch(self, since: int, viewer: str, name: str) -> AsyncGenerator[StreamMessage]:
        """The story from an event on, then what happens."""
        watcher = _Watcher(asyncio.get_running_loop(), asyncio.Event())
        with self.control.watching(viewer, name):
            self._join(watcher)
            try:
                async for message in self._messages(watcher, since):
                    yield message
            finally:
                self._leave(watcher)

    def _join(self, watcher: _Watcher) -> None:
        with self._lock:
            self._watchers.add(watcher)
        if self.robot is not None:
            self.robot.watched = True
        self.tell()

    def _leave(self, watcher: _Watcher) -> None:
        with self._lock:
            self._watchers.discard(watcher)
        if self.robot is not None:
            self.robot.watched = bool(self._watchers)
        self.tell()

    async def _messages(self, watcher: _Watcher, since: int) -> AsyncGenerator[StreamMessage]:
        """Whatever is new, each time that there is something: the latest status and frame, but every event."""
        status, frame, thought, at, sent = None, None, Thinking(), since, 0.0
        while True:
            watcher.news.clear()
            robot, now, late = self.robot, self.status(), False
            if now != status:
                late = status is not None and now.state == status.state and watcher.loop.time() - sent < _STATUS_EVERY
                if not late:
                    status, sent = now, watcher.loop.time()
                    yield now
            events = self.events
            while at < len(events):
                for event in events[at : at + _AT_ONCE]:
                    yield self._message(event)
                    at = event.index + 1
                await asyncio.sleep(0)
            if robot is not None and robot.frame is not None and robot.frame is not frame:
                frame = robot.frame
                yield frame
            spoken = robot.thought if robot is not None else Thinking()
            if spoken != thought:
                thought = spoken
                yield thought
            with suppress(TimeoutError):
                await asyncio.wait_for(watcher.news.wait(), _STATUS_EVERY if late else None)

    def _message(self, event: Event) -> EventMessage:
        """An event, rendered once for all who watch."""
        message = self._rendered.get(event.index)
        if message is None:
            message = self._rendered[event.index] = EventMessage(event_data(event))
            if len(self._rendered) > _RENDERED:
                self._rendered.popitem(last=False)
        return message

    def status(self) -> Status:
        """The session just now; worked out once for all who watch."""
        key = (self._changes, self.robot, len(self.events), self.control.holder, len(self._watchers))
        if self._status is None or self._status[0] != key:
            self._status = (key, self._work_out_status())
        return self._status[1]

    def _work_out_status(self) -> Status:
        robot, told = self.robot, self.tracker.summary()
        begin = self.events[0].record if self.events else None
        holder = self.control.holder
        return Status(
            session=self.id,
            state="asleep" if robot is None else robot.state,
            because="" if robot is None else robot.because,
            events=len(self.events),
            told=told,
            control=None if holder is None else public_id(holder),
            viewers=self.control.viewers(),
            begin=to_data(tell_record(begin)) if isinstance(begin, Begin) else {},
            can=self._can(),
            notices=() if robot is None else tuple(robot.notices),
            movable=() if robot is None else robot.movable,
            scene=0 if robot is None else robot.scene_version,
            since=0.0 if robot is None else robot.since,
        )

    def _can(self) -> tuple[str, ...]:
        """What can be done now."""
        robot, told = self.robot, self.tracker.summary()
        unfinished = is_unfinished(told)
        if robot is None or robot.state in ("asleep", "failed"):
            return ("say", *(["go_on"] if unfinished else []), "fork")
        if robot.state == "opening":
            return ("stop",)
        can = ["say", "stop"]
        question = told.question if robot.busy else None
        if question is not None:
            can.append("approve" if question.approval else "answer")
        held = robot.state == "paused" or (question is not None and question.plan)
        if robot.busy and held and not robot.tracker.moving and any(step.skill for step in told.plan):
            can.append("edit_plan")
        if robot.busy:
            can += ["pause"] if not robot.paused else ["step", "go_on"]
        elif unfinished:
            can.append("go_on")
        return (*can, *(["disturb"] if robot.movable else []), "fork")

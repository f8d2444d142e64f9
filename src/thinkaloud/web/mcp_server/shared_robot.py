"""One robot for several clients: each request is a run of its own, which outlives the call that began it.

A call may end while its request goes on: where the robot asks, a client of the newer protocol gets the question as the
answer to its call, and calls again with what a person said. So runs are kept here, by an id that only its client has,
and a call that comes again finds its run: nothing is begun twice, and no answer is given twice.

Not covered: several robots. Another robot is another server.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

from thinkaloud.episode.event_text import Narrator, Row
from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.monologue import Event
from thinkaloud.records import End, Plan
from thinkaloud.robots.abilities import Abilities
from thinkaloud.web.hub import Hub, NotNow
from thinkaloud.web.messages import Question, SessionRequest, Status
from thinkaloud.web.robot_thread import RobotThread

CLIENTS = "MCP clients"
"""As whom the clients of this server hold control of the session: among themselves, the ids of runs decide."""
_MOST_RUNS = 200
_TOLD = ("action", "feedback", "says", "thought", "understood", "plan", "trouble")
"""The rows of the monologue that are told as progress."""
Tell = Callable[[Row], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a run stands: over, or waiting for an answer. `result` is how it ended, as the journal has it."""

    state: Literal["over", "asking"]
    result: str = ""
    because: str = ""
    steps: tuple[str, ...] = ()
    """What was done; of a run that only plans, what would be."""
    question: Question | None = None


@dataclass(eq=False)
class RequestRun:
    """A request that somebody made. `goes_on`: it is carried out even if nobody waits for it any more."""

    first: int
    moves: bool
    goes_on: bool
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    last: int | None = None
    """The event before which it ended; None while it is the latest."""
    answered: set[int] = field(default_factory=set)
    """The questions, by their events, that were answered."""
    over: Standing | None = None
    """How it ended, once somebody has seen it."""


class SharedRobot:
    """A robot that several clients may ask for something, one at a time. Anybody may stop it."""

    def __init__(self, hub: Hub, wanted: SessionRequest) -> None:
        self._hub, self._wanted = hub, wanted
        self._viewer = secrets.token_urlsafe(16)
        self._runs: OrderedDict[str, RequestRun] = OrderedDict()
        self._changed = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None
        self._opening: asyncio.Future[None] | None = None
        self._beginning, self._stops = asyncio.Lock(), 0
        self.session = ""

    async def open(self) -> None:
        """Open the session, unless it is open; BadInput, in one line, where that cannot be.

        Not before somebody wants something: a client may start this program only to see which protocol it speaks, and
        whoever opens a real robot may move it.
        """
        if self._opening is None or (self._opening.done() and not self.session):
            self._opening = asyncio.ensure_future(self._open())
        await asyncio.shield(self._opening)  # whoever no longer waits does not leave half a robot behind

    async def _open(self) -> None:
        self.session = await self._hub.start(self._wanted, viewer=self._viewer, name=CLIENTS)
        self._watching = asyncio.ensure_future(self._watch())

    async def close(self) -> None:
        """Stop the robot and let go of everything; the journal keeps the session."""
        if self._opening is not None and not self._opening.done():
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        await self._hub.shut_down()

    async def _watch(self) -> None:
        """Keep the robot awake, and wake whoever waits when something is different."""
        news = self._hub.subscribe(self.session, viewer=self._viewer, name=CLIENTS)
        async for message in news:
            if message.type in ("event", "status"):
                self._changed.set()
                self._changed = asyncio.Event()

    # asking for something ---------------------------------------------------------------------------------------------

    async def begin(self, text: str, *, moves: bool = True, goes_on: bool = False) -> RequestRun:
        """Begin a request. NotNow where another is under way, BadInput where it cannot be made of this robot.

        A stop that comes before it has begun is for it, too; and so is the end of whoever asks.
        """
        stops = self._stops
        await self.open()
        if stops != self._stops:
            raise NotNow("Somebody pressed stop before that was heard.")
        beginning = asyncio.ensure_future(self._begin(text, moves, goes_on))
        try:
            run = await asyncio.shield(beginning)
        except asyncio.CancelledError:
            beginning.add_done_callback(self._stop_if_begun)
            raise
        if stops != self._stops:
            self.stop()
        return run

    async def _begin(self, text: str, moves: bool, goes_on: bool) -> RequestRun:
        async with self._beginning:
            first = await self._hub.request(self.session, text, viewer=self._viewer, moves=moves)
            for run in self._runs.values():
                run.last = first if run.last is None else run.last
            run = RequestRun(first, moves, goes_on)
            self._runs[run.id] = run
            while len(self._runs) > _MOST_RUNS:
                self._runs.popitem(last=False)
            return run

    def _stop_if_begun(self, beginning: asyncio.Future[RequestRun]) -> None:
        """Stop what began while whoever had asked for it went away."""
        if not beginning.cancelled() and beginning.exception() is None and not beginning.result().goes_on:
            self.stop()

    def find(self, id: str) -> RequestRun:
        """A run by its id."""
        if id not in self._runs:
            raise UnknownName("run", id[:40], ())
        return self._runs[id]

    async def answer(self, run: RequestRun, at: int, text: str) -> None:
        """Answer the question of an event, once; the same answer again is passed over."""
        if at in run.answered:
            return
        standing = self.standing(run)
        if standing is None or standing.question is None or standing.question.event != at:
            raise NotNow("The robot no longer waits for this answer.")
        run.answered.add(at)
        try:
            await self._hub.answer(self.session, text, viewer=self._viewer, message=f"{run.id}:{at}")
        except asyncio.CancelledError:  # the robot may go on with the answer, and nobody waits for it
            if not run.goes_on:
                self.stop()
            raise
        except BaseException:
            run.answered.discard(at)
            raise

    def stop(self) -> None:
        """Hold still at the next control tick; also for what is about to begin."""
        self._stops += 1
        if self.session:
            self._hub.stop(self.session)

    async def stop_and_wait(self) -> bool:
        """The same, and wait until the robot has heard it; whether it is still already."""
        self._stops += 1
        return not self.session or await self._hub.stop_and_wait(self.session)

    async def follow(self, run: RequestRun, tell: Tell) -> Standing:
        """Wait until a run is over, or the robot asks. Whoever stops waiting stops the robot, unless it goes on."""
        settled = False
        try:
            narrator, at = Narrator(), run.first
            while True:
                changed = self._changed
                events = self._events
                for event in events[at : run.last]:
                    for row in narrator.hear(event):
                        if row.manner in _TOLD:
                            await tell(row)
                at = max(at, len(events))
                if (standing := self.standing(run)) is not None:
                    settled = True
                    return standing
                await changed.wait()
        finally:
            if not settled and not run.goes_on and run.last is None:
                self.stop()

    async def until_settled(self, run: RequestRun, at: int) -> None:
        """Wait until the robot no longer asks the question of an event."""
        while True:
            changed = self._changed
            standing = self.standing(run)
            if standing is None or standing.question is None or standing.question.event != at:
                return
            await changed.wait()

    async def until_idle(self) -> None:
        """Wait for a run that goes on to end, or to ask what nobody is there to answer."""
        for run in list(self._runs.values()):
            if run.last is None and run.goes_on:
                with suppress(BadInput):
                    await self.follow(run, _tell_nobody)

    def standing(self, run: RequestRun) -> Standing | None:
        """Where a run stands; None while the robot is at it."""
        if run.over is not None:
            return run.over
        standing = self._find_standing(run)
        if standing is not None and standing.state == "over":
            run.over, run.last = standing, len(self._events) if run.last is None else run.last
        return standing

    def _find_standing(self, run: RequestRun) -> Standing | None:
        robot = self.live
        if run.last is None and robot.busy and robot.alive:
            question = robot.tracker.summary().question
            if question is None or question.event < run.first or question.event in run.answered:
                return None
            return Standing("asking", question=question, steps=self._steps(run))
        records = [event.record for event in self._events[run.first : run.last]]
        ends = [record for record in records if isinstance(record, End)]
        plans = [record for record in records if isinstance(record, Plan)]
        if ends:
            return Standing("over", ends[-1].result, ends[-1].because, self._steps(run))
        if plans and not run.moves:
            return Standing("over", "planned", plans[-1].thought, tuple(step.words for step in plans[-1].steps))
        return Standing("over", "failed", robot.because or "It broke off.", self._steps(run))

    def _steps(self, run: RequestRun) -> tuple[str, ...]:
        told = self.live.tracker.summary()
        if not run.moves or told.begun < run.first or run.last is not None:
            return ()
        return tuple(step.words for step in told.plan if step.state in ("done", "corrected"))

    @property
    def live(self) -> RobotThread:
        """The robot itself, for measurements."""
        return self._hub.robot_of(self.session)

    # looking ----------------------------------------------------------------------------------------------------------

    @property
    def _events(self) -> list[Event]:
        return self.live.events

    async def abilities(self) -> Abilities:
        """What the robot can do, as things are."""
        await self.open()
        return await self._hub.abilities(self.session)

    async def status(self) -> Status:
        """The session just now."""
        await self.open()
        return await self._hub.status(self.session)

    async def rows(self) -> list[Row]:
        """The monologue so far."""
        await self.open()
        narrator = Narrator()
        return [row for event in list(self._events) for row in narrator.hear(event)]


async def _tell_nobody(row: Row) -> None:
    pass

"""A robot at work in a thread of its own: what it is told goes into its inbox, what it does is heard by a listener.

Everything but a stop is done in the robot's own event loop, in the order in which it was asked for. A stop goes
straight into the inbox, from whatever thread, and is heard at the very next control tick.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, suppress
from typing import TypeVar

from thinkaloud.agent import Agent
from thinkaloud.converse.inbox import Inbox, understand
from thinkaloud.episode.person_english import PersonEnglish
from thinkaloud.episode.plan_edits import WantedStep
from thinkaloud.episode.ticks import rehearsal_watcher
from thinkaloud.episode.told_rules import standing_of
from thinkaloud.errors import BadInput, ThinkaloudError, describe_fault
from thinkaloud.monologue import Event
from thinkaloud.records import (
    Begin,
    DueRequest,
    End,
    Observation,
    Outcome,
    Rehearsal,
    Request,
    Speaker,
    StandingRule,
    Stop,
    Taught,
    WorldState,
)
from thinkaloud.robots.abilities import Abilities, tell_abilities
from thinkaloud.staging.episode import Episode, EpisodeViewer
from thinkaloud.web.halting import Halt, OpenHalts, tell_pressed
from thinkaloud.web.live_picture import LivePicture
from thinkaloud.web.messages import Drawing, EditablePlan, PlanEditRequest, SceneFrame, SessionState, Thinking
from thinkaloud.web.pausing import Gate
from thinkaloud.web.plan_choices import tell_editable
from thinkaloud.web.session_state import SessionTracker, is_unfinished
from thinkaloud.web.thoughts import Thoughts
from thinkaloud.worlds import World
from thinkaloud.worlds.drawing import find_plan_picture, value_sentences
from thinkaloud.worlds.interventions import intervene, movable_of
from thinkaloud.worlds.pictures import picture_world

_T = TypeVar("_T")
_CHANGES_LOOKS = (Request, Observation, Outcome, WorldState, Rehearsal, End)
_GIVES_WAY = 0.002
"""Seconds after which other threads get a turn."""
_TO_REST = 1.0
"""Seconds of the world's time after somebody has meddled with it."""
Opening = Callable[[EpisodeViewer, Inbox, Callable[[str], None]], AbstractAsyncContextManager[Episode]]
"""Puts an episode together, given who watches, the inbox, and who gets notices."""


ENDING = "the server is ending"
"""Why a robot was stopped that may go on when the server is back."""


class NotNow(BadInput):
    """This cannot be done in the state in which the session is."""


class RobotThread:
    """An episode, live. `changed` is called when something is different about it, `moved` for frames and thoughts."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self.changed: Callable[[], None] = lambda: None
        self.moved: Callable[[], None] = lambda: None
        self.id = ""
        self.events: list[Event] = []
        self.tracker = SessionTracker()
        self._thoughts = Thoughts()
        self.since = time.time()
        """When the state began."""
        self.notices: list[str] = []
        self.movable: tuple[str, ...] = ()
        self.state: SessionState = "opening"
        self.because = ""
        self.watched = False
        """Whether anybody wants frames."""
        self.stopped_at: tuple[float, int] | None = None
        """When the robot last heard of a stop, and how many control ticks after it was said: for measurements."""
        self.heard: list[Callable[[Event], None]] = []
        """Called with every event, in the robot's thread: for measurements."""
        self._inbox = Inbox(present=True)
        self._gate = Gate(self._told)
        self._opened: Future[str] = Future()
        self._closed = threading.Event()
        self._closing: asyncio.Event | None = None
        self._working: asyncio.Task[None] | None = None
        self._tickets, self._stopped = itertools.count(1), 0
        self._latest = 0
        self._halts = OpenHalts()
        self._beginning = threading.RLock()
        """Held while a run begins and while a stop is said: a stop is for this run, or keeps it from beginning."""
        self._ticks, self._stop_said = 0, (0.0, 0)
        self._gave_way = 0.0
        self._picture: LivePicture | None = None
        self._thread = threading.Thread(target=self._live_to_the_end, name="robot", daemon=True)

    # from any thread --------------------------------------------------------------------------------------------------

    def begin(self) -> Future[str]:
        """Start the thread; the id of the session, once it is open."""
        self._thread.start()
        return self._opened

    def stop(self, because: str) -> Halt:
        """Hold still, now; whatever was said and has not begun yet is not begun."""
        stop, halt = Stop(because), Halt()
        with self._beginning:
            self._stopped = self._latest
            self._stop_said = (time.perf_counter(), self._ticks)
            self._inbox.say(stop)
            if self.busy:
                self._halts.add(stop, halt)
            else:
                halt.confirm(still=True)
        if self._gate.mode != "run":
            self._gate.set("run")
        return halt

    def ticket(self) -> int:
        """A number for what is about to be asked: a later stop is for that, too."""
        with self._beginning:
            self._latest = next(self._tickets)
            return self._latest

    def pause(self) -> None:
        """Hold still, until told to go on."""
        self._gate.set("pause")

    def step(self) -> None:
        """Go on up to the end of the next step, or of the one under way."""
        self._gate.set("last" if self.tracker.moving else "step")

    def let_on(self) -> None:
        """Go on after a pause."""
        self._gate.set("run")

    @property
    def paused(self) -> bool:
        """Whether it has been told to pause."""
        return self._gate.mode == "pause"

    def call(self, work: Callable[[], Awaitable[_T]]) -> Future[_T]:
        """Do something in the robot's own thread, between two control ticks."""

        async def done() -> _T:
            return await work()

        asked = done()
        try:
            return asyncio.run_coroutine_threadsafe(asked, self._loop)
        except RuntimeError:  # its event loop has ended
            asked.close()
            raise NotNow("This session has just been closed.") from None

    def close(self, because: str = "the session is closed") -> None:
        """Stop, and let go of everything; `join` waits for it."""
        self._closed.set()
        self.stop(because)
        if self._closing is not None:
            with suppress(RuntimeError):  # its event loop has ended
                self._loop.call_soon_threadsafe(self._closing.set)

    def join(self, timeout: float | None = None) -> None:
        """Wait until everything is closed."""
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout)

    @property
    def alive(self) -> bool:
        """Whether it can still be asked for anything."""
        return self.state not in ("asleep", "failed")

    # in its own thread ------------------------------------------------------------------------------------------------

    def _live_to_the_end(self) -> None:
        try:
            asyncio.run(self._live())
        except ThinkaloudError as error:
            self._end(error)
        except Exception as error:  # a fault in somebody's own world must not take the server with it
            self._end(BadInput(f"The session broke off: {describe_fault(error)}"))
        else:
            self._tell_state("asleep", "closed")
        finally:
            self._halts.settle()

    def _end(self, error: ThinkaloudError) -> None:
        self._tell_state("failed", str(error))
        if not self._opened.done():
            self._opened.set_exception(error)

    async def _live(self) -> None:
        self._loop, self._closing = asyncio.get_running_loop(), asyncio.Event()
        async with self._opening(self, self._inbox, self.notices.append) as episode:
            agent = self._agent = episode.agent
            assert episode.session is not None
            self.id = episode.session.id
            self._take_up(agent)
            self._tell_state("idle")
            self._opened.set_result(self.id)
            getting_ready = asyncio.ensure_future(agent.get_ready())
            watching = asyncio.ensure_future(agent.watch(lambda: self.busy, self._carry_out))
            if not self._closed.is_set():
                await self._closing.wait()
            getting_ready.cancel()
            watching.cancel()
            if self._working is not None:
                await asyncio.gather(self._working, return_exceptions=True)
            if agent.monologue.task_start() < 0:  # nothing was asked: nothing to see again
                episode.session.discard()

    def _take_up(self, agent: Agent) -> None:
        before = list(agent.monologue)
        self.events, self.tracker = before, SessionTracker(before)
        keep_up = agent.loop.wait

        async def wait() -> None:
            if self._gate.mode == "pause":
                await self._gate.at_tick()
            if keep_up is not None:
                await keep_up()

        agent.loop.wait, agent.loop.hold = wait, self._gate.before_step
        agent.loop.ticking.append(self._tick)
        agent.reading_listeners.append(self._follow_reading)
        self.movable = movable_of(agent.world)
        self._picture = LivePicture(agent.world, before)
        self._picture.draw()

    async def hear(self, text: str, ticket: int, *, answers: bool = False, by: Speaker | None = None) -> None:
        """Pass on what somebody said: an answer, a change of mind, or else a request that is begun."""
        busy, agent = self.busy, self._agent
        asked = agent.asks()
        message = understand(text, asked=asked, by=by)
        if isinstance(message, Stop):
            self.stop(message.because)
            return
        self._require_unstopped(ticket)
        if answers and not asked:
            raise NotNow("The robot has asked nothing.")
        if busy:
            agent.say(text, by)
            if ticket <= self._stopped:  # somebody stopped it while this was being checked: the stop has the last word
                self._inbox.say(Stop(tell_pressed()))
                self._require_unstopped(ticket)
        elif asked:
            self._begin(lambda: agent.resume("a person answered"), ticket)
            self._inbox.say(message)
        else:
            self._run(text, ticket, by)

    async def tell_abilities(self) -> Abilities:
        """What the robot can do, as things are now."""
        return tell_abilities(self._agent.world)

    async def english(self) -> PersonEnglish:
        """What puts the robot's sentences into a person's English."""
        speak = PersonEnglish(self._agent.world)
        if self._picture is not None:
            speak.see(self._picture.seen)
        return speak

    async def begin_request(self, text: str, ticket: int, *, moves: bool = True) -> int:
        """Begin a request, and never change one that is under way; the index of the first event that may belong to it.

        NotNow where something is under way. Without `moves`, the robot only plans. Words that stop are a stop.
        """
        message = understand(text, asked=False)
        if isinstance(message, Stop):
            self.stop(message.because)
            raise NotNow("The robot holds still: that was a stop, not a request.")
        self._require_unstopped(ticket)
        if self.busy:
            raise NotNow("The robot is busy with another request. Wait for its end, or stop it; anybody may.")
        first = len(self.events)
        self._run(text, ticket, moves=moves)
        return first

    async def editable_plan(self) -> EditablePlan:
        """The steps that are still to do, and what could be done in their place."""
        agent = self._agent
        seen = agent.world.observe() if self._picture is None else self._picture.seen
        return tell_editable(agent.plan_ahead(), agent.world.skills, seen.vocabulary)

    async def edit_plan(self, wanted: PlanEditRequest, by: Speaker | None) -> None:
        """Change the plan, while nothing moves; somebody else may stop or approve it in the meantime."""
        if self.tracker.moving or not (self.busy and self.tracker.summary().plan):
            raise NotNow("A plan can be changed while the robot asks about it, or is paused before a step.")
        steps = [WantedStep(step.skill, step.arguments) for step in wanted.steps]
        await self._agent.edit_plan(steps, approved=wanted.approve, by=by)

    async def latest_lesson(self, by: Speaker | None) -> Taught:
        """What was understood last, as a lesson."""
        return self._agent.latest_lesson(by)

    async def teach(self, kept: Sequence[Taught]) -> None:
        """Go by these lessons from now on."""
        self._agent.teach(kept)

    @property
    def world(self) -> str:
        """The name of the world, as the session began with it."""
        begin = self.events[0].record if self.events else None
        return begin.world if isinstance(begin, Begin) else ""

    async def resume(self, ticket: int) -> None:
        """Go on with what was cut short; what was stopped is asked for again."""
        self._require_unstopped(ticket)
        if self.busy or not self.unfinished:
            raise NotNow("There is nothing to go on with.")
        told = self.tracker.summary()
        latest = self._agent.monologue.last(Request)
        if told.result is not None and isinstance(latest, DueRequest):
            self._begin(lambda: self._agent.carry_out(latest.rule), ticket)
            return
        if told.result is not None:
            self._run(told.request, ticket, latest.by if latest is not None else None)
            return
        self._begin(lambda: self._agent.resume("a person wants it to go on"), ticket)

    def _require_unstopped(self, ticket: int) -> None:
        if ticket <= self._stopped:
            raise NotNow("Somebody pressed stop before that was heard.")

    @property
    def busy(self) -> bool:
        """Whether something that was asked for is under way."""
        return self._working is not None and not self._working.done()

    @property
    def watches_rules(self) -> bool:
        """Whether something waits for a time or a condition: then it cannot go to sleep."""
        return bool(standing_of(self._agent.monologue)) if self._picture is not None else False

    @property
    def unfinished(self) -> bool:
        """Whether something was asked for that can be gone on with."""
        return is_unfinished(self.tracker.summary())

    def _begin(self, work: Callable[[], Awaitable[object]], ticket: int) -> None:
        with self._beginning:
            self._require_unstopped(ticket)
            self._inbox.heard()  # a stop for what is over
            self._working = asyncio.ensure_future(self._work(work))
        self._told()

    async def _work(self, work: Callable[[], Awaitable[object]]) -> None:
        rehearsal_watcher.set(self._rehearse)  # here: it was asked for in another thread, whose context this is
        try:
            await work()
        except ThinkaloudError as error:  # a full disk, say
            self._tell_state("failed", str(error))
            raise
        finally:
            self._loop.call_soon(self._ended)

    def _ended(self) -> None:
        """What came too late for one request is the next, so that nothing is lost; unless a stop came after it."""
        self._halts.settle()
        self._told()
        with self._beginning:
            late = [message for message in self._inbox.heard() if isinstance(message, Request | Stop)]
            ticket = self.ticket()
        with suppress(BadInput):
            if late and isinstance(late[-1], Request):
                self._run(late[-1].text, ticket, late[-1].by)

    def _carry_out(self, rule: StandingRule) -> None:
        """Begin what a standing rule says."""
        with suppress(BadInput):  # somebody pressed stop just now: it is begun a second later
            self._begin(lambda: self._agent.carry_out(rule), self.ticket())

    def _run(self, text: str, ticket: int, by: Speaker | None = None, *, moves: bool = True) -> None:
        wanted = self._agent.check(text)
        self._begin(lambda: self._agent.run(wanted, by) if moves else self._agent.plan(wanted), ticket)

    # hearing and seeing -----------------------------------------------------------------------------------------------

    def __call__(self, event: Event) -> None:
        """Hear an event of the monologue."""
        self.events.append(event)
        self.tracker.hear(event)
        for listener in self.heard:
            listener(event)
        self._thoughts.count(event.record)
        if self._picture is not None and isinstance(event.record, Observation):
            self._picture.see(event.record)
        if isinstance(event.record, Stop):
            said, ticks = self._stop_said
            self.stopped_at = (time.perf_counter() - said, self._ticks - ticks)
        self._halts.hear(event.record, moving=self.tracker.moving)
        if self._picture is not None and self.watched and isinstance(event.record, _CHANGES_LOOKS):
            self._picture.draw()
        self._told()

    def catch_up(self, events: Sequence[Event]) -> None:
        """The page reads earlier events from the journal."""

    def thinking(self, role: str, piece: str) -> None:
        """Hear a model's words while it speaks; nothing yet where it begins to read."""
        self._thoughts.hear(role, piece)
        self.moved()

    def _follow_reading(self, role: str, read: int, total: int) -> None:
        self._thoughts.follow(role, read, total)
        self.moved()

    @property
    def thought(self) -> Thinking:
        """What models are at."""
        return self._thoughts.now

    def _tick(self) -> None:
        self._ticks += 1
        now = time.monotonic()
        if now - self._gave_way >= _GIVES_WAY:  # a simulation as fast as it goes must not keep others from running
            time.sleep(0)
            self._gave_way = now
        if self.watched and self._picture is not None and self._picture.follow():
            self.moved()

    def _rehearse(self, twin: World) -> None:
        """Show what is tried in a twin, like a ghost."""
        if self.watched and self._picture is not None and self._picture.follow(twin, ghost=True):
            self.moved()

    @property
    def frame(self) -> SceneFrame | None:
        """Where everything was last, while it moves."""
        return None if self._picture is None else self._picture.frame

    @property
    def scene_version(self) -> int:
        """By which a drawing is known to be the latest."""
        drawn = None if self._picture is None else self._picture.scene
        return 0 if drawn is None else drawn.version

    async def draw(self) -> Drawing:
        """What to draw; what is sent after it is as it is now, whether or not anybody has watched."""
        return self._require_picture().draw()

    async def values(self) -> Mapping[str, str]:
        """How the robot tells its values."""
        return value_sentences(self._agent.world)

    def _require_picture(self) -> LivePicture:
        if self._picture is None:
            raise NotNow("This session is just being opened.")
        return self._picture

    async def photograph(self, *, boxes: bool) -> bytes | None:
        """What is seen, as a PNG."""
        return picture_world(self._agent.world, boxes=boxes)

    async def plan_picture(self) -> bytes | None:
        """The picture under the plan."""
        found = find_plan_picture(self._agent.world)
        return None if found is None else found.data

    async def disturb(self, thing: str, to: Sequence[float] | str) -> None:
        """Meddle with the world, and let things come to rest where nobody else lets time pass."""
        intervene(self._agent.world, thing, to)
        if not self.busy:
            await self._agent.world.clock.sleep(_TO_REST)
        self._require_picture().draw()
        self.changed()

    def _tell_state(self, state: SessionState, because: str = "") -> None:
        if state != self.state:
            self.since = time.time()
        self.state, self.because = state, because
        self.changed()

    def _told(self) -> None:
        """Work out what the robot is doing, and tell."""
        if self.state in ("opening", "asleep", "failed"):
            return
        if not self.busy:
            state: SessionState = "idle"
        elif self.tracker.summary().question is not None:
            state = "asking"
        elif self._gate.holding:
            state = "paused"
        else:
            state = "moving" if self.tracker.moving else "thinking"
        self._tell_state(state)

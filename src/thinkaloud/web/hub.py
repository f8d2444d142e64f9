"""The hub: all sessions, live and journalled, and all that can be done with them.

The HTTP and WebSocket API and the page call this, and nothing else. Every robot works in a thread of its own; whatever
is asked of it here goes into its inbox, so that neither a model's thinking nor a slow viewer holds up a stop.

    hub = Hub(settings)
    id = await hub.start(SessionRequest(world="tabletop", request="Stack all the blocks."), viewer="my-secret")
    async for message in hub.subscribe(id, viewer="my-secret"):
        …

Whoever does something names themselves by a `viewer`: a secret of their own making. One viewer holds control of a
session, at first whoever starts it or does something first; others are refused (`NotInControl`), but anybody may stop.
Where people are named (`people.py`), a viewer is bound to one of them: their role says what they may ever do (or
`NotAllowed`), and the journal says what they did.
What is wrong with a call is raised as `BadInput` (400), `UnknownName` (404), `NotInControl` or `NotAllowed` (403),
`NotNow` (409) or `NotConfirmed` (503).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.models import Model
from thinkaloud.presets import read_preset
from thinkaloud.robots.abilities import Abilities
from thinkaloud.settings import Settings
from thinkaloud.staging.opening import ModelOpener, fork_episode, lesson_book, open_episode
from thinkaloud.staging.options import RunOptions
from thinkaloud.web.added_robots import AddedRobots
from thinkaloud.web.choices import AvailableChoices, check_speed
from thinkaloud.web.control import NotInControl, public_id
from thinkaloud.web.halting import SETTLING, Halt, NotConfirmed, tell_pressed
from thinkaloud.web.journal_reader import JournalReader
from thinkaloud.web.live_sessions import LiveSessions, live_of, moment_of
from thinkaloud.web.looking import Looking
from thinkaloud.web.messages import (
    BenchResults,
    Choices,
    ForkRequest,
    PeopleReport,
    PersonRow,
    SessionRequest,
    SessionRow,
    Status,
    StreamMessage,
)
from thinkaloud.web.model_shelf import ModelShelf
from thinkaloud.web.people import NotAllowed, People, Person, Role, Visitors
from thinkaloud.web.robot_thread import ENDING, NotNow, RobotThread
from thinkaloud.web.session_state import NO_ANSWER, YES_ANSWER
from thinkaloud.web.shared_models import SharedModels
from thinkaloud.web.teaching import Teaching
from thinkaloud.web.workshop import Workshop
from thinkaloud.web.world_names import tell_world

__all__ = ["ENDING", "Hub", "NotAllowed", "NotConfirmed", "NotInControl", "NotNow"]


_MOST_ACTS = 200


class Hub:
    """All sessions. Its methods may be called from any event loop; `stop` from any thread as well."""

    def __init__(
        self,
        settings: Settings,
        *,
        robots: Sequence[str] = (),
        scenes: Path | None = None,
        results: Path | None = None,
        models: Mapping[str, Model] | None = None,
        people: People | None = None,
    ) -> None:
        """`robots`: worlds of one's own, `module:Class`; `scenes`, `results`: folders with scene files and benchmarks.

        `models` are there besides those that are opened by name.
        """
        self.settings = settings
        self.visitors = Visitors(people)
        shelf = ModelShelf(settings)
        self._models = SharedModels(models or {}, shelf)
        self._available = AvailableChoices(settings, robots, scenes, results, models or ())
        self._journal = JournalReader(settings.journal)
        self._sessions = LiveSessions(settings, self._journal, self._models)
        self.looking = Looking(self._journal, self._sessions)
        book = lesson_book(settings)
        self.teaching = Teaching(self.visitors, self._journal, self._sessions, book, self._available.world_names)
        self._shut_down = False
        robots_added = AddedRobots(settings.home / "robots")
        self._available.also_models, self._available.also_robots = shelf.names, robots_added.worlds
        self._available.changes = lambda: robots_added.changes
        self.workshop = Workshop(self.visitors, self._journal, self._sessions, self._available, shelf, robots_added)
        self._choices: tuple[object, Choices] | None = None
        self._scenes: dict[str, tuple[str, ...]] = {}
        self._examples: dict[object, tuple[str, ...]] = {}

    async def choices(self) -> Choices:
        """What there is to choose from."""
        key = self._available.key()
        if self._choices is None or self._choices[0] != key:
            self._choices = (key, await asyncio.to_thread(self._available.choices))
        return self._choices[1]

    async def scenes(self, world: str) -> tuple[str, ...]:
        """The scenes that a world can be opened with."""
        if world not in self._scenes:
            self._scenes[world] = await asyncio.to_thread(self._available.scenes_for, world)
        return self._scenes[world]

    async def examples(self, world: str) -> tuple[str, ...]:
        """Requests to try first in a world."""
        key = (world, self._available.key())
        if key not in self._examples:
            self._examples[key] = await asyncio.to_thread(self._available.examples_for, world)
        return self._examples[key]

    # sessions -------------------------------------------------------------------------------------------------------

    async def start(self, wanted: SessionRequest, *, viewer: str, name: str = "", message: str = "") -> str:
        """Open a session and give its id; BadInput, in one line, where that cannot be.

        `message` is made by the client, and a repeated one gives the session that was started the first time.
        """
        person = self.visitors.require(viewer, "control")
        options, settings = await asyncio.to_thread(self._available.options, wanted)

        def opening(view: Any, inbox: Any, notice: Any) -> Any:
            opener = ModelOpener(self._models.open, notice)
            return open_episode(options, settings, view=view, person=inbox, request=wanted.request, opener=opener)

        name, by = (name, None) if person is None else (person.name, person.speaker)
        id = await self._sessions.once(
            message, viewer, wanted, lambda: self._sessions.open(opening, wanted.request, viewer, name, by)
        )
        await self._note(person, "started a session", id)
        return id

    async def sessions(self) -> list[SessionRow]:
        """All sessions, live and journalled, the newest first."""
        live = self._sessions.known()
        rows = []
        for info in await self._journal.sessions():
            watched = live.get(info.id)
            state = watched.status().state if watched is not None else "asleep"
            viewers = sum(each.here for each in watched.control.viewers()) if watched is not None else 0
            doing = watched.tracker.summary().doing if watched is not None and watched.live is not None else ""
            told = {**asdict(info), "world": tell_world(info.world)}
            rows.append(SessionRow(**told, state=state, viewers=viewers, doing=doing))
        return rows

    async def rename(self, id: str, name: str, *, viewer: str) -> None:
        """Give a session a name, or take it away with an empty one."""
        async with self._done_by(viewer, "control", f"named the session {name!r}", id):
            watched = await self._sessions.controlled(id, viewer)
            await self._journal.rename(watched.id, name)
            watched.tell()

    async def delete(self, id: str, *, viewer: str) -> None:
        """Delete a session for good, with all its events; NotNow while its robot is at work. The whole id is needed."""
        async with self._done_by(viewer, "control", "deleted the session", id):
            watched = await self._sessions.controlled(id, viewer)
            if watched.id != id:
                raise BadInput("To delete a session, give the whole of its id.")
            await self._sessions.delete(watched)

    async def status(self, id: str) -> Status:
        """A session just now; also of one that is only in the journal."""
        return (await self._sessions.find(id)).status()

    async def subscribe(
        self, id: str, *, since: int = 0, viewer: str = "", name: str = ""
    ) -> AsyncGenerator[StreamMessage]:
        """The story from an event on, then what happens, until the subscriber leaves; also of a session asleep.

        First a `Status`, then every event from `since` on, each once and in order; a `Status` whenever something has
        changed; while anything moves a `SceneFrame` up to 30 times a second, and `Thinking` while a model speaks. A
        slow subscriber misses frames, never events. A session asleep goes on here when somebody wakes it.
        """
        watched = await self._sessions.find(id)
        person = self.visitors.person(viewer)
        name = name if person is None else person.name
        async with aclosing(watched.watch(max(since, 0), viewer, name)) as messages:
            async for message in messages:
                yield message

    async def close(self, id: str, *, viewer: str) -> None:
        """Stop the robot and let go of world and model; the journal keeps the session."""
        async with self._done_by(viewer, "control", "closed the session", id):
            watched = await self._sessions.find(id)
            watched.control.require(viewer)
            await self._sessions.let_go(watched)

    async def shut_down(self) -> None:
        """Stop all robots and close everything; once is enough."""
        if self._shut_down:
            return
        self._shut_down = True
        known = self._sessions.known().values()
        for watched in known:
            if watched.robot is not None:
                watched.robot.close(ENDING)
        for watched in known:
            await self._sessions.let_go(watched, ENDING)
        await self._journal.close()
        await asyncio.to_thread(self.looking.close)

    # talking and control --------------------------------------------------------------------------------------------

    async def say(self, id: str, text: str, *, viewer: str, message: str = "") -> None:
        """Say something: an answer if the robot asked, `stop`, or a request, which replaces or changes the one at hand.

        `message` is made by the client; what comes again with the same is ignored. Wakes a session that is asleep.
        """
        await self._hear(id, text, viewer, message)

    async def request(self, id: str, text: str, *, viewer: str, moves: bool = True) -> int:
        """Begin a request, but change none that is under way (NotNow); the first event that may belong to it.

        Without `moves`, the robot only plans.
        """
        self.visitors.require(viewer, "speak")
        return await self._sessions.request(id, text, viewer, moves=moves)

    async def abilities(self, id: str) -> Abilities:
        """What the robot of a session can do, as things are."""
        robot = await self._sessions.awake(await self._sessions.find(id))
        return await asyncio.wrap_future(robot.call(robot.tell_abilities))

    async def answer(self, id: str, text: str, *, viewer: str, message: str = "") -> None:
        """Answer what the robot asked; NotNow where it asked nothing."""
        await self._hear(id, text, viewer, message, answers=True)

    async def approve(self, id: str, yes: bool, *, viewer: str, message: str = "") -> None:
        """Say yes or no to a step that needs approval; NotNow where none does."""
        self.visitors.require(viewer, "control")
        watched = await self._sessions.find(id)
        question = watched.tracker.summary().question
        if question is None or not question.approval:
            raise NotNow("No step waits for approval.")
        await self._hear(id, YES_ANSWER if yes else NO_ANSWER, viewer, message, answers=True)

    async def _hear(self, id: str, text: str, viewer: str, message: str, *, answers: bool = False) -> None:
        """Have somebody heard. Whoever may only talk to the robot cannot say yes to a step that waits for approval."""
        person = self.visitors.require(viewer, "speak")
        if person is not None and not person.may("control"):
            question = (await self._sessions.find(id)).tracker.summary().question
            if question is not None and question.approval:
                self.visitors.require(viewer, "control")
        by = None if person is None else person.speaker
        await self._sessions.hear(id, text, viewer, message, answers=answers, by=by)
        await self._note(person, f"said {text!r}", id)

    # stopping -------------------------------------------------------------------------------------------------------

    def stop(self, id: str, *, late: float = 0.0, message: str = "", viewer: str = "", said: bool = False) -> Halt:
        """Have the robot hold still at its next control tick. Anybody may, at any time, from any thread.

        The whole id is needed; UnknownName where no such session is open. `late`: the seconds since it was pressed, or
        `said`; whoever stops a robot gets no other word into its story. `message` is made by the client: what comes
        again with the same does not stop what was begun since.
        """
        known = self._sessions.known()
        if id not in known:
            raise UnknownName("open session", id, known)
        person = self.visitors.person(viewer)
        return known[id].stop(tell_pressed(late, person.name if person else "", said=said), message)

    async def stop_and_wait(self, id: str, *, late: float = 0.0, message: str = "", viewer: str = "") -> bool:
        """The same, of any session, and wait until its run has heard it; whether the robot is still already.

        NotConfirmed where the run does not hear it. The beginning of an id is enough where it is that of one session.
        """
        if id not in self._sessions.known():  # else at once: the journal may be slow, and a stop must not wait for it
            id = (await self._sessions.find(id)).id
        halt = self.stop(id, late=late, message=message, viewer=viewer)
        await halt.wait_until_heard()
        with suppress(NotConfirmed):
            await halt.wait_until_still(SETTLING)
        await self._note(self.visitors.person(viewer), "stopped the robot", id)
        return halt.still

    def stop_all(self, because: str) -> dict[str, Halt]:
        """Have all robots hold still; the stops by the ids of their sessions."""
        return self._sessions.stop_all(because)

    async def stop_all_and_wait(
        self, *, late: float = 0.0, message: str = "", viewer: str = ""
    ) -> tuple[list[str], bool]:
        """The same once all of them have heard it: their sessions, and whether all are still already.

        NotConfirmed, with the sessions that have not heard it. A session knows the message again when it comes twice.
        """
        person = self.visitors.person(viewer)
        halts = self._sessions.stop_all(tell_pressed(late, person.name if person else ""), message)
        heard = await asyncio.gather(*(each.wait_until_heard() for each in halts.values()), return_exceptions=True)
        if silent := [id for id, found in zip(halts, heard, strict=True) if found is not None]:
            raise NotConfirmed(f"Not confirmed by {', '.join(silent)}. Use the robots' own stops.")
        with suppress(NotConfirmed):
            await asyncio.gather(*(each.wait_until_still(SETTLING) for each in halts.values()))
        await self._note(person, "stopped all robots", "")
        return list(halts), all(each.still for each in halts.values())

    def robot_of(self, id: str) -> RobotThread:
        """The robot of a live session, for measurements; NotNow where it is asleep."""
        watched = self._sessions.known().get(id)
        if watched is None:
            raise UnknownName("live session", id, self._sessions.known())
        return live_of(watched)

    async def pause(self, id: str, *, viewer: str) -> None:
        """Hold still where it is, or before the next step while it thinks, until `go_on` or `step`."""
        async with self._done_by(viewer, "control", "paused the robot", id):
            live_of(await self._sessions.controlled(id, viewer)).pause()

    async def step(self, id: str, *, viewer: str) -> None:
        """Go on for one step, then pause again."""
        async with self._done_by(viewer, "control", "let the robot do one step", id):
            watched = await self._sessions.controlled(id, viewer)
            robot = await self._sessions.awake(watched)
            if not robot.busy and robot.unfinished:
                robot.pause()
                await self._sessions.resume(robot)
            robot.step()

    async def go_on(self, id: str, *, viewer: str) -> None:
        """Go on after a pause; or with a session that was cut short, which wakes it."""
        async with self._done_by(viewer, "control", "let the robot go on", id):
            watched = await self._sessions.controlled(id, viewer)
            robot = await self._sessions.awake(watched)
            robot.let_on()
            if not robot.busy:
                await self._sessions.resume(robot)

    async def disturb(self, id: str, thing: str, *, to: Sequence[float] | str, viewer: str) -> None:
        """Meddle: move a thing to a point (x, y), onto another thing or place by name, or `over`: knock it over."""
        async with self._done_by(viewer, "control", f"moved {thing!r} by hand", id):
            robot = live_of(await self._sessions.controlled(id, viewer))
            await asyncio.wrap_future(robot.call(lambda: robot.disturb(thing, to)))

    async def hand_over(self, id: str, to: str, *, viewer: str) -> None:
        """Give control to another viewer, by their public id."""
        async with self._done_by(viewer, "speak", "handed control over", id):
            watched = await self._sessions.find(id)
            watched.control.hand_over(viewer, to)
            watched.tell()

    async def take_control(self, id: str, *, viewer: str) -> None:
        """Take control where nobody has it, or who had it is gone; NotInControl while they are here.

        Whoever may administer takes it from anybody.
        """
        async with self._done_by(viewer, "speak", "took control", id) as person:
            watched = await self._sessions.find(id)
            name = person.name if person else ""
            watched.control.take(viewer, name, anyway=person is not None and person.may("administer"))
            watched.tell()

    def viewer_id(self, viewer: str) -> str:
        """The public id that goes with a viewer's secret."""
        return public_id(viewer)

    # people -----------------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _done_by(self, viewer: str, role: Role, what: str, id: str = "") -> AsyncIterator[Person | None]:
        """What is done in this block is done by a viewer, whose role has to go so far; the journal takes note of it."""
        person = self.visitors.require(viewer, role)
        yield person
        await self._note(person, what, id)

    async def _note(self, person: Person | None, what: str, id: str) -> None:
        if person is not None:
            await self._journal.add_act(person.name, what, id)

    async def note_act(self, viewer: str, what: str, id: str) -> None:
        """Have the journal say what a viewer did by other ways than these."""
        await self._note(self.visitors.person(viewer), what, id)

    async def people(self, *, viewer: str) -> PeopleReport:
        """Who may use this server, and what they did last; for those who administer it."""
        self.visitors.require(viewer, "administer")
        rows = (
            PersonRow(each.name, each.role, each.known_as, str(each.until or ""), self.visitors.people.is_over(each))
            for each in self.visitors.people.everybody()
        )
        return PeopleReport(tuple(rows), tuple(await self._journal.latest_acts(_MOST_ACTS)))

    async def fork(self, id: str, wanted: ForkRequest, *, viewer: str, name: str = "", message: str = "") -> str:
        """A new session with the events up to one, the world as it was then, and another way to go on; its id.

        It waits for `go_on`, unless something is said to it at once.
        """
        person = self.visitors.require(viewer, "control")
        watched = await self._sessions.find(id)
        _, at, _ = moment_of(watched, wanted.at)
        check_speed(wanted.speed)
        self._available.check_model(wanted.model)
        self._available.check_preset(wanted.preset)
        if wanted.preset is not None:
            read_preset(wanted.preset)
        options = RunOptions(preset=wanted.preset, model=wanted.model, speed=wanted.speed, no_film=True)

        def opening(view: Any, inbox: Any, notice: Any) -> Any:
            opener = ModelOpener(self._models.open, notice)
            return fork_episode(watched.id, at, options, self.settings, view=view, person=inbox, opener=opener)

        name, by = (name, None) if person is None else (person.name, person.speaker)
        fork = await self._sessions.once(
            message, viewer, (id, wanted), lambda: self._sessions.open(opening, wanted.say, viewer, name, by)
        )
        await self._note(person, f"forked session {watched.id} at event {at}", fork)
        return fork

    async def benches(self) -> list[BenchResults]:
        """The benchmark results that were found."""
        return await asyncio.to_thread(self._available.benches)

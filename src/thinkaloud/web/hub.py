"""The hub: all sessions, live and journalled, and all that can be done with them.

The HTTP and WebSocket API and the page call this, and nothing else. Every robot works in a thread of its own; whatever
is asked of it here goes into its inbox, so that neither a model's thinking nor a slow viewer holds up a stop.

    hub = Hub(settings)
    id = await hub.start(Wanted(world="tabletop", request="Stack all the blocks."), viewer="my-secret")
    async for message in hub.subscribe(id, viewer="my-secret"):
        …

Whoever does something names themselves by a `viewer`: a secret of their own making. One viewer holds control of a
session, at first whoever starts it or does something first; others are refused (`NotInControl`), but anybody may stop.
What is wrong with a call is raised as `BadInput` (400), `UnknownName` (404), `NotInControl` (403), `NotNow` (409) or
`NotConfirmed` (503).
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from thinkaloud.cli.options import RunOptions
from thinkaloud.cli.staging import Stagehands, fork_episode, open_episode
from thinkaloud.errors import UnknownName
from thinkaloud.models import Model
from thinkaloud.presets import read_preset
from thinkaloud.records import ModelCall, Observation
from thinkaloud.settings import Settings
from thinkaloud.web.archive import Archive
from thinkaloud.web.choosing import Choosing, check_speed
from thinkaloud.web.control import NotInControl, public_id
from thinkaloud.web.halting import SETTLING, Halt, NotConfirmed
from thinkaloud.web.lending import Lending
from thinkaloud.web.messages import (
    BenchResults,
    Choices,
    Exchange,
    Forked,
    Message,
    Scene,
    SessionRow,
    Status,
    Told,
    Wanted,
)
from thinkaloud.web.past import PastWorlds
from thinkaloud.web.robot import ENDING, NotNow, Robot
from thinkaloud.web.room import event_data
from thinkaloud.web.rooms import Rooms, live_of, moment_of
from thinkaloud.web.share import render_page, worth_a_picture
from thinkaloud.web.story import NO, YES, Story

__all__ = ["ENDING", "Hub", "NotConfirmed", "NotInControl", "NotNow"]
PRESSED = "you pressed stop"
"""Why a robot holds still, where nobody gives another reason."""


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
    ) -> None:
        """`robots`: worlds of one's own, `module:Class`; `scenes`, `results`: folders with scene files and benchmarks.

        `models` are there besides those that are opened by name.
        """
        self.settings = settings
        self._lending = Lending(models or {})
        self._choosing = Choosing(settings, robots, scenes, results, models or ())
        self._archive, self._past = Archive(settings.journal), PastWorlds()
        self._rooms = Rooms(settings, self._archive, self._lending)
        self._choices: Choices | None = None

    async def choices(self) -> Choices:
        """What there is to choose from."""
        if self._choices is None:
            self._choices = await asyncio.to_thread(self._choosing.choices)
        return self._choices

    # sessions -------------------------------------------------------------------------------------------------------

    async def start(self, wanted: Wanted, *, viewer: str, name: str = "", message: str = "") -> str:
        """Open a session and give its id; BadInput, in one line, where that cannot be.

        `message` is made by the client, and a repeated one gives the session that was started the first time.
        """
        options, settings = await asyncio.to_thread(self._choosing.options, wanted)

        def opening(view: Any, inbox: Any, notice: Any) -> Any:
            hands = Stagehands(self._lending.open, notice)
            return open_episode(options, settings, view=view, person=inbox, request=wanted.request, hands=hands)

        return await self._rooms.once(message, lambda: self._rooms.open(opening, wanted.request, viewer, name))

    async def sessions(self) -> list[SessionRow]:
        """All sessions, live and journalled, the newest first."""
        live = self._rooms.known()
        rows = []
        for info in await self._archive.sessions():
            room = live.get(info.id)
            state = room.status().state if room is not None else "asleep"
            viewers = sum(each.here for each in room.control.viewers()) if room is not None else 0
            rows.append(SessionRow(**asdict(info), state=state, viewers=viewers))
        return rows

    async def status(self, id: str) -> Status:
        """A session just now; also of one that is only in the journal."""
        return (await self._rooms.find(id)).status()

    async def subscribe(self, id: str, *, since: int = 0, viewer: str = "", name: str = "") -> AsyncGenerator[Message]:
        """The story from an event on, then what happens, until the subscriber leaves; also of a session asleep.

        First a `Status`, then every event from `since` on, each once and in order; a `Status` whenever something has
        changed; while anything moves a `Frame` up to 30 times a second, and `Thinking` while a model speaks. A slow
        subscriber misses frames, never events. A session asleep goes on here when somebody wakes it.
        """
        room = await self._rooms.find(id)
        async with aclosing(room.watch(max(since, 0), viewer, name)) as messages:
            async for message in messages:
                yield message

    async def close(self, id: str, *, viewer: str) -> None:
        """Stop the robot and let go of world and model; the journal keeps the session."""
        room = await self._rooms.find(id)
        room.control.require(viewer)
        await self._rooms.let_go(room)

    async def shut_down(self) -> None:
        """Stop all robots and close everything."""
        rooms = self._rooms.known().values()
        for room in rooms:
            if room.robot is not None:
                room.robot.close(ENDING)
        for room in rooms:
            await self._rooms.let_go(room, ENDING)
        await self._archive.close()
        await asyncio.to_thread(self._past.close)

    # talking and control --------------------------------------------------------------------------------------------

    async def say(self, id: str, text: str, *, viewer: str, message: str = "") -> None:
        """Say something: an answer if the robot asked, `stop`, or a request, which replaces or changes the one at hand.

        `message` is made by the client; what comes again with the same is ignored. Wakes a session that is asleep.
        """
        await self._rooms.hear(id, text, viewer, message)

    async def answer(self, id: str, text: str, *, viewer: str, message: str = "") -> None:
        """Answer what the robot asked; NotNow where it asked nothing."""
        await self._rooms.hear(id, text, viewer, message, answers=True)

    async def approve(self, id: str, yes: bool, *, viewer: str, message: str = "") -> None:
        """Say yes or no to a step that needs approval; NotNow where none does."""
        room = await self._rooms.find(id)
        question = room.story.told().question
        if question is None or not question.approval:
            raise NotNow("No step waits for approval.")
        await self._rooms.hear(id, YES if yes else NO, viewer, message, answers=True)

    def stop(self, id: str, *, because: str = PRESSED, message: str = "") -> Halt:
        """Have the robot hold still at its next control tick. Anybody may, at any time, from any thread.

        The whole id is needed; UnknownName where no such session is open. `message` is made by the client: what comes
        again with the same does not stop what was begun since.
        """
        rooms = self._rooms.known()
        if id not in rooms:
            raise UnknownName("open session", id, rooms)
        return rooms[id].stop(because, message)

    async def stop_and_wait(self, id: str, *, because: str = PRESSED, message: str = "") -> bool:
        """The same, of any session, and wait until its run has heard it; whether the robot is still already.

        NotConfirmed where the run does not hear it. The beginning of an id is enough where it is that of one session.
        """
        if id not in self._rooms.known():  # else at once: the journal may be slow, and a stop must not wait for it
            id = (await self._rooms.find(id)).id
        halt = self.stop(id, because=because, message=message)
        await halt.wait_until_heard()
        with suppress(NotConfirmed):
            await halt.wait_until_still(SETTLING)
        return halt.still

    def stop_all(self, because: str) -> dict[str, Halt]:
        """Have all robots hold still; the stops by the ids of their sessions."""
        return self._rooms.stop_all(because)

    def robot_of(self, id: str) -> Robot:
        """The robot of a live session, for measurements; NotNow where it is asleep."""
        room = self._rooms.known().get(id)
        if room is None:
            raise UnknownName("live session", id, self._rooms.known())
        return live_of(room)

    async def pause(self, id: str, *, viewer: str) -> None:
        """Hold still where it is, or before the next step while it thinks, until `go_on` or `step`."""
        live_of(await self._rooms.controlled(id, viewer)).pause()

    async def step(self, id: str, *, viewer: str) -> None:
        """Go on for one step, then pause again."""
        room = await self._rooms.controlled(id, viewer)
        robot = await self._rooms.awake(room)
        if not robot.busy and robot.unfinished:
            robot.pause()
            await self._rooms.resume(robot)
        robot.step()

    async def go_on(self, id: str, *, viewer: str) -> None:
        """Go on after a pause; or with a session that was cut short, which wakes it."""
        room = await self._rooms.controlled(id, viewer)
        robot = await self._rooms.awake(room)
        robot.let_on()
        if not robot.busy:
            await self._rooms.resume(robot)

    async def disturb(self, id: str, thing: str, *, to: Sequence[float] | str, viewer: str) -> None:
        """Meddle: move a thing to a point (x, y), onto another thing or place by name, or `over`: knock it over."""
        robot = live_of(await self._rooms.controlled(id, viewer))
        await asyncio.wrap_future(robot.call(lambda: robot.disturb(thing, to)))

    async def hand_over(self, id: str, to: str, *, viewer: str) -> None:
        """Give control to another viewer, by their public id."""
        room = await self._rooms.find(id)
        room.control.hand_over(viewer, to)
        room.tell()

    async def take_control(self, id: str, *, viewer: str) -> None:
        """Take control where nobody has it, or who had it is gone; NotInControl while they are here."""
        room = await self._rooms.find(id)
        room.control.take(viewer)
        room.tell()

    def viewer_id(self, viewer: str) -> str:
        """The public id that goes with a viewer's secret."""
        return public_id(viewer)

    # seeing ---------------------------------------------------------------------------------------------------------

    async def scene(self, id: str, *, at: int | None = None) -> Scene:
        """What to draw, now or as it was at an event."""
        room = await self._rooms.find(id)
        if at is None and (robot := room.live) is not None and robot.id:
            return await asyncio.wrap_future(robot.call(robot.draw))
        begin, at, events = moment_of(room, at)
        seen = [event.record for event in events[: at + 1] if isinstance(event.record, Observation)]
        snapshot = await self._archive.snapshot_at(room.id, at)
        return await self._past.scene(room.id, begin, snapshot, seen[-1] if seen else None)

    async def camera(self, id: str, *, at: int | None = None, boxes: bool = True) -> bytes | None:
        """What is seen as a PNG, with a box and a name round each thing where the robot's eye finds it; or None."""
        room = await self._rooms.find(id)
        if at is None and (robot := room.live) is not None and robot.id:
            return await asyncio.wrap_future(robot.call(lambda: robot.photograph(boxes=boxes)))
        begin, at, _ = moment_of(room, at)
        return await self._past.picture(room.id, begin, await self._archive.snapshot_at(room.id, at), boxes=boxes)

    async def prompt(self, id: str, event: int) -> list[Exchange]:
        """What models were asked and said for an event, in order; empty where no model had a part in it."""
        room = await self._rooms.find(id)
        events = room.events
        if not 0 <= event < len(events):
            raise UnknownName("event", str(event), (f"0 to {len(events) - 1}",))
        before = itertools.takewhile(lambda each: isinstance(each.record, ModelCall), reversed(events[:event]))
        behind = [events[event]] if isinstance(events[event].record, ModelCall) else [*before][::-1]
        found = []
        for each in behind:
            said = await self._archive.verbatim(room.id, each.index)
            if said is not None and isinstance(each.record, ModelCall):
                found.append(Exchange(each.index, each.record.role, each.record.model, said.prompt, said.answer))
        return found

    # looking back ---------------------------------------------------------------------------------------------------

    async def replay(self, id: str) -> list[Mapping[str, Any]]:
        """All events so far, as the journal's JSON."""
        events = (await self._rooms.find(id)).events
        return await asyncio.to_thread(lambda: [event_data(event) for event in list(events)])

    async def told(self, id: str, *, at: int | None = None) -> Told:
        """Where the story stood after an event: plan, goal, question, state; now, if no event is given."""
        room = await self._rooms.find(id)
        if at is None:
            return room.story.told()
        _, at, events = moment_of(room, at)
        return Story(events[: at + 1]).told()

    async def fork(self, id: str, wanted: Forked, *, viewer: str, name: str = "", message: str = "") -> str:
        """A new session with the events up to one, the world as it was then, and another way to go on; its id.

        It waits for `go_on`, unless something is said to it at once.
        """
        room = await self._rooms.find(id)
        _, at, _ = moment_of(room, wanted.at)
        check_speed(wanted.speed)
        if wanted.preset is not None:
            read_preset(wanted.preset)
        options = RunOptions(preset=wanted.preset, model=wanted.model, speed=wanted.speed, no_film=True)

        def opening(view: Any, inbox: Any, notice: Any) -> Any:
            hands = Stagehands(self._lending.open, notice)
            return fork_episode(room.id, at, options, self.settings, view=view, person=inbox, hands=hands)

        return await self._rooms.once(message, lambda: self._rooms.open(opening, wanted.say, viewer, name))

    async def share(self, id: str) -> str:
        """The run as one HTML page that needs nothing else: no request to anywhere, no script but its own."""
        room = await self._rooms.find(id)
        begin, _, events = moment_of(room, None)
        pictures = {}
        for index in worth_a_picture(events):
            snapshot = await self._archive.snapshot_at(room.id, index)
            picture = await self._past.picture(room.id, begin, snapshot, boxes=False)
            if picture is None:
                break
            pictures[index] = picture
        return await asyncio.to_thread(render_page, room.id, list(events), pictures)

    async def benches(self) -> list[BenchResults]:
        """The benchmark results that were found."""
        return await asyncio.to_thread(self._choosing.benches)

"""Looking at sessions, live or past: what is to be seen, what models were asked, and the whole story to take away."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping
from typing import Any

from thinkaloud.episode.person_english import PersonEnglish
from thinkaloud.errors import UnknownName
from thinkaloud.records import ModelCall, Observation
from thinkaloud.robots import is_own_robot
from thinkaloud.web.comparing import compare_sessions
from thinkaloud.web.html_export import render_page, worth_a_picture
from thinkaloud.web.journal_reader import JournalReader
from thinkaloud.web.live_session import event_data
from thinkaloud.web.live_sessions import LiveSessions, moment_of
from thinkaloud.web.messages import Comparison, Drawing, ModelExchange, SessionSummary
from thinkaloud.web.past_pictures import PastWorlds
from thinkaloud.web.session_state import SessionTracker
from thinkaloud.worlds.drawing import Looks, draw_board


class Looking:
    """What can be seen of sessions; anybody who may watch may see it."""

    def __init__(self, journal: JournalReader, sessions: LiveSessions) -> None:
        self._journal, self._sessions, self._past = journal, sessions, PastWorlds()

    def close(self) -> None:
        """Let go of the worlds of the past."""
        self._past.close()

    async def scene(self, id: str, *, at: int | None = None) -> Drawing:
        """What to draw, now or as it was at an event."""
        watched = await self._sessions.find(id)
        if at is None and (robot := watched.live) is not None and robot.id:
            return await asyncio.wrap_future(robot.call(robot.draw))
        begin, at, events = moment_of(watched, at)
        looks = Looks(event.record for event in events[: at + 1] if isinstance(event.record, Observation))
        if is_own_robot(begin.world):
            live = watched.live
            values = await asyncio.wrap_future(live.call(live.values)) if live is not None and live.id else {}
            return draw_board(looks.latest, before=looks.before, values=values)
        snapshot = await self._journal.snapshot_at(watched.id, at)
        return await self._past.scene(watched.id, begin, snapshot, looks)

    async def camera(self, id: str, *, at: int | None = None, boxes: bool = True) -> bytes | None:
        """What is seen as a PNG, with a box and a name round each thing where the robot's eye finds it; or None."""
        watched = await self._sessions.find(id)
        if at is None and (robot := watched.live) is not None and robot.id:
            return await asyncio.wrap_future(robot.call(lambda: robot.photograph(boxes=boxes)))
        begin, at, _ = moment_of(watched, at)
        return await self._past.picture(watched.id, begin, await self._journal.snapshot_at(watched.id, at), boxes=boxes)

    async def plan_picture(self, id: str) -> bytes | None:
        """The picture under the plan of a robot that is open, if there is one."""
        robot = (await self._sessions.find(id)).live
        return None if robot is None else await asyncio.wrap_future(robot.call(robot.plan_picture))

    async def prompt(self, id: str, event: int) -> list[ModelExchange]:
        """What models were asked and said for an event, in order; empty where no model had a part in it."""
        watched = await self._sessions.find(id)
        events = watched.events
        if not 0 <= event < len(events):
            raise UnknownName("event", str(event), (f"0 to {len(events) - 1}",))
        before = itertools.takewhile(lambda each: isinstance(each.record, ModelCall), reversed(events[:event]))
        behind = [events[event]] if isinstance(events[event].record, ModelCall) else [*before][::-1]
        found = []
        for each in behind:
            said = await self._journal.verbatim(watched.id, each.index)
            if said is not None and isinstance(each.record, ModelCall):
                found.append(ModelExchange(each.index, each.record.role, each.record.model, said.prompt, said.answer))
        return found

    async def english(self, id: str) -> PersonEnglish | None:
        """What puts the robot's sentences into a person's English; None where the robot cannot be opened any more."""
        watched = await self._sessions.find(id)
        if (robot := watched.live) is not None and robot.id:
            return await asyncio.wrap_future(robot.call(robot.english))
        return await self._past.english(watched.id, moment_of(watched, None)[0]) if watched.events else None

    async def replay(self, id: str) -> list[Mapping[str, Any]]:
        """All events so far, as the journal's JSON."""
        events = (await self._sessions.find(id)).events
        return await asyncio.to_thread(lambda: [event_data(event) for event in list(events)])

    async def told(self, id: str, *, at: int | None = None) -> SessionSummary:
        """Where the story stood after an event: plan, goal, question, state; now, if no event is given."""
        watched = await self._sessions.find(id)
        if at is None:
            return watched.tracker.summary()
        _, at, events = moment_of(watched, at)
        return SessionTracker(events[: at + 1]).summary()

    async def share(self, id: str) -> str:
        """The run as one HTML page that needs nothing else: no request to anywhere, no script but its own."""
        watched = await self._sessions.find(id)
        begin, _, events = moment_of(watched, None)
        pictures = {}
        for index in worth_a_picture(events):
            snapshot = await self._journal.snapshot_at(watched.id, index)
            picture = await self._past.picture(watched.id, begin, snapshot, boxes=False)
            if picture is None:
                break
            pictures[index] = picture
        return await asyncio.to_thread(render_page, watched.id, list(events), pictures, await self.english(id))

    async def film(self, id: str) -> bytes | None:
        """The run as an animated picture; None where there is nothing to see."""
        watched = await self._sessions.find(id)
        begin, _, events = moment_of(watched, None)
        told = [event for event in events if not isinstance(event.record, ModelCall)]
        moments = [(event, await self._journal.snapshot_at(watched.id, event.index)) for event in told]
        return await self._past.film(watched.id, begin, moments)

    async def compare(self, a: str, b: str) -> Comparison:
        """Two sessions as one timeline: the lines of both, beside each other where they say the same."""
        one, other = await self._sessions.find(a), await self._sessions.find(b)
        events = list(one.events), list(other.events)
        speak = await self.english(a), await self.english(b)
        return await asyncio.to_thread(compare_sessions, one.id, other.id, *events, *speak)

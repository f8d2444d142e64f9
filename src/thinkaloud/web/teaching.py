"""What people change of a robot's mind: the steps of a plan, and lessons, which say what they mean by their words."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from thinkaloud.errors import BadInput
from thinkaloud.records import Speaker, Taught
from thinkaloud.remember.lessons import Lesson, LessonBook
from thinkaloud.web.journal_reader import JournalReader
from thinkaloud.web.live_sessions import LiveSessions, live_of, moment_of
from thinkaloud.web.messages import EditablePlan, LessonRequest, LessonRow, PlanEditRequest
from thinkaloud.web.people import Person, Visitors
from thinkaloud.web.world_names import name_worlds, tell_world


class Teaching:
    """Plans that are edited and lessons that are kept, by those who may control a robot."""

    def __init__(
        self,
        visitors: Visitors,
        journal: JournalReader,
        sessions: LiveSessions,
        lessons: LessonBook,
        worlds: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._visitors, self._journal, self._sessions, self._lessons = visitors, journal, sessions, lessons
        self._worlds = worlds

    async def editable_plan(self, id: str) -> EditablePlan:
        """The steps that are still to do, and what could be done in their place."""
        robot = live_of(await self._sessions.find(id))
        return await asyncio.wrap_future(robot.call(robot.editable_plan))

    async def edit_plan(self, id: str, wanted: PlanEditRequest, *, viewer: str) -> None:
        """Put other steps in place of those still to do; BadInput says which of them is not possible, and why."""
        person = self._visitors.require(viewer, "control")
        watched = await self._sessions.controlled(id, viewer)
        robot = live_of(watched)
        by = _speaker(watched.control.name_of(viewer))
        await asyncio.wrap_future(robot.call(lambda: robot.edit_plan(wanted, by)))
        if wanted.approve:
            robot.let_on()
        await self._note(person, "changed the plan", id)

    async def lessons(self, world: str | None = None) -> list[LessonRow]:
        """What people have taught, for one world or for all, the oldest first."""
        found = await asyncio.to_thread(self._lessons.all, world and self._find_world(world))
        return [_lesson_row(each) for each in found]

    async def keep_lesson(self, wanted: LessonRequest, *, id: str | None = None, viewer: str = "") -> LessonRow:
        """Keep what somebody means by some words: other words for it, or what was understood last in a session.

        It holds in the world of that session, from the next request on, in this session and in others.
        """
        person = self._visitors.require(viewer, "control")
        world, said, by = self._find_world(wanted.world), wanted.said, None
        taught = Taught(said, wanted.means)
        if id is not None:
            watched = await self._sessions.controlled(id, viewer)
            by = _speaker(watched.control.name_of(viewer))
            world = moment_of(watched, None)[0].world
            if wanted.means:
                taught = Taught(said, wanted.means, by=by)
            else:
                robot = live_of(watched)
                latest = await asyncio.wrap_future(robot.call(lambda: robot.latest_lesson(by)))
                taught = replace(latest, said=said or latest.said)
        if not world:
            raise BadInput("A lesson is for a world: say which.")
        lesson = await asyncio.to_thread(self._lessons.keep, world, taught)
        await self._sessions.teach(world, await asyncio.to_thread(self._lessons.taught, world))
        await self._note(person, f"taught {taught.said!r}", id or "")
        return _lesson_row(lesson)

    def _find_world(self, told: str) -> str:
        """The world of this name here; a lesson may also be for one that is not on offer."""
        return name_worlds(self._worlds()).get(told, told)

    async def remove_lesson(self, lesson: str, *, viewer: str = "") -> None:
        """Remove a lesson, by its id; UnknownName where there is none."""
        person = self._visitors.require(viewer, "control")
        removed = await asyncio.to_thread(self._lessons.remove, lesson)
        await self._sessions.teach(removed.world, await asyncio.to_thread(self._lessons.taught, removed.world))
        await self._note(person, f"removed the lesson {removed.taught.said!r}")

    async def _note(self, person: Person | None, what: str, id: str = "") -> None:
        if person is not None:
            await self._journal.add_act(person.name, what, id)


def _speaker(name: str) -> Speaker | None:
    return Speaker(name) if name.strip() else None


def _lesson_row(lesson: Lesson) -> LessonRow:
    taught = lesson.taught
    by = str(taught.by) if taught.by is not None else ""
    return LessonRow(lesson.id, tell_world(lesson.world), lesson.since, taught.said, taught.means or taught.words, by)

"""The lessons that people gave, kept beside the journal: what they mean when they say something to a robot.

    lessons = LessonBook(settings.home / "lessons.json")
    lessons.keep("tabletop", Taught("tidy up", means="put all the blocks in the corner"))

A lesson belongs to the world in which it was given. The file is plain JSON, written as a whole, so that people can read
it; several processes may write it, one after the other.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import msgspec

from thinkaloud.episode.lessons import normalised
from thinkaloud.errors import BadInput, JournalError, UnknownName
from thinkaloud.records import Taught
from thinkaloud.remember.lock import locked

MOST_LESSONS = 200
"""Lessons for one world."""
LONGEST_LESSON = 2000
"""Characters of its words."""


class Lesson(msgspec.Struct, frozen=True):
    """A lesson on disk."""

    id: str
    world: str
    since: str
    taught: Taught


class LessonBook:
    """All lessons of one home folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def all(self, world: str | None = None) -> list[Lesson]:
        """The lessons for a world, or for all, the oldest first."""
        try:
            text = self.path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise JournalError(f"{self.path} cannot be read: {error.strerror or error}.") from error
        try:
            found = msgspec.json.decode(text, type=list[Lesson])
        except msgspec.MsgspecError as error:
            raise JournalError(f"{self.path} is damaged ({error}): mend it, or move it away.") from error
        return [each for each in found if world in (None, each.world)]

    def taught(self, world: str) -> list[Taught]:
        """What holds in a world."""
        return [each.taught for each in self.all(world)]

    def keep(self, world: str, taught: Taught) -> Lesson:
        """Keep a lesson; it replaces an earlier one for the same words in the same world."""
        words = normalised(taught.said)
        if not words:
            raise BadInput("A lesson needs words: what is it that you say?")
        if not (taught.means.strip() or taught.program):
            raise BadInput("A lesson needs a meaning: what do you mean by that?")
        if max(len(taught.said), len(taught.means)) > LONGEST_LESSON:
            raise BadInput(f"A lesson has at most {LONGEST_LESSON} characters.")
        if normalised(taught.means) == words:
            raise BadInput("That is the same twice: say in other words what you mean.")
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        lesson = Lesson(secrets.token_hex(4), world, now, taught)
        with self._writing() as lessons:
            others = [each for each in lessons if (each.world, normalised(each.taught.said)) != (world, words)]
            if sum(each.world == world for each in others) >= MOST_LESSONS:
                raise BadInput(f"There are {MOST_LESSONS} lessons for {world} already: remove some first.")
            lessons[:] = [*others, lesson]
        return lesson

    def remove(self, id: str) -> Lesson:
        """Remove a lesson, by its id."""
        with self._writing() as lessons:
            found = next((each for each in lessons if each.id == id), None)
            if found is None:
                raise UnknownName("lesson", id, (each.id for each in lessons))
            lessons.remove(found)
        return found

    @contextmanager
    def _writing(self) -> Iterator[list[Lesson]]:
        """Change the list in this block; it is written at the end, all or nothing."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with locked(self.path.with_name(f"{self.path.name}.lock")):
                lessons = self.all()
                yield lessons
                new = self.path.with_name(f"{self.path.name}.new")
                new.write_bytes(msgspec.json.format(msgspec.json.encode(lessons)))
                new.replace(self.path)
        except OSError as error:
            raise JournalError(f"{self.path} cannot be written: {error.strerror or error}.") from error

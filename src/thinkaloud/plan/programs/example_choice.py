"""Which conversation, and which programs, a model that writes programs is shown: the world's own, or usual ones."""

from __future__ import annotations

from thinkaloud.worlds.contract import World, briefing_of
from thinkaloud.worlds.program_examples import USUAL_LESSON, USUAL_PROGRAMS, Lesson, read_lesson


def lesson_of(world: World) -> Lesson:
    """A world's own lesson, or how things are moved on a table."""
    return briefing_of(world).lesson or read_lesson(USUAL_LESSON)


def example_programs_of(world: World) -> str:
    """Programs for tasks by guidelines: a world's own, or those of a robot that makes drinks."""
    return briefing_of(world).programs or USUAL_PROGRAMS.read_text(encoding="utf-8")

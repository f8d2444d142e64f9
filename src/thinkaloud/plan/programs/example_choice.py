"""Choose the example conversation and programs for a model that writes programs: the world's own, or default ones."""

from __future__ import annotations

from thinkaloud.worlds.contract import World, briefing_of
from thinkaloud.worlds.program_examples import USUAL_LESSON, USUAL_PROGRAMS, Lesson, read_lesson


def lesson_of(world: World) -> Lesson:
    """Return a world's own lesson, or one about moving things on a table."""
    return briefing_of(world).lesson or read_lesson(USUAL_LESSON)


def example_programs_of(world: World) -> str:
    """Return programs for tasks with guidelines: a world's own, or those of a robot that makes drinks."""
    return briefing_of(world).programs or USUAL_PROGRAMS.read_text(encoding="utf-8")

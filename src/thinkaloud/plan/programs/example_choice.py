"""Which conversation, and which programs, a model that writes programs is shown: the world's own, or usual ones."""

from __future__ import annotations

from pathlib import Path

import thinkaloud.worlds
from thinkaloud.worlds.contract import World, briefing_of
from thinkaloud.worlds.program_examples import Lesson, read_lesson

_WORLDS = Path(thinkaloud.worlds.__file__).parent
_USUAL_LESSON = _WORLDS / "tabletop" / "lessons" / "pick_and_place.toml"
_USUAL_PROGRAMS = _WORLDS / "drinks" / "programs.txt"


def lesson_of(world: World) -> Lesson:
    """A world's own lesson, or how things are moved on a table."""
    return briefing_of(world).lesson or read_lesson(_USUAL_LESSON)


def example_programs_of(world: World) -> str:
    """Programs for tasks by guidelines: a world's own, or those of a robot that makes drinks."""
    return briefing_of(world).programs or _USUAL_PROGRAMS.read_text(encoding="utf-8")

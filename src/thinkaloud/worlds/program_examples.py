"""What is shown to a model that writes programs: a conversation about a world like the one at hand, as data.

A turn is told once; each method renders what it would have seen of it: code with moves, with or without thoughts, the
state before and after, or only what changed. A world brings its lesson along in its briefing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from thinkaloud.language.calls import render_call
from thinkaloud.records import WorldState
from thinkaloud.state.change_lines import read_changes


@dataclass(frozen=True, slots=True)
class LessonTurn:
    """A query and the right reaction to it.

    `think` is what a model may think first (a line each), `moves` and `say` are what is done and answered; `changes` is
    what becomes different, `note` how that is put for the writer (the query itself, where it says everything).
    """

    query: str
    moves: tuple[tuple[str, str], ...] = ()
    say: str = ""
    changes: str = ""
    note: str = ""
    think: str = ""

    @property
    def update(self) -> str:
        """What the writer is asked to take note of; nothing where nothing changes."""
        return (self.note or self.query.rstrip(".")) if self.changes else ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A conversation about a few things, and the words of its programs.

    `skill`: the one that puts a first thing on, in or over a second. `function`: what programs call it.
    """

    objects: tuple[str, ...]
    turns: tuple[LessonTurn, ...]
    skill: str = ""
    function: str = ""

    @property
    def weighed(self) -> bool:
        """Whether it is about weights."""
        return any(after.facts for _, _, after in self.with_states())

    def with_states(self) -> Iterator[tuple[WorldState, LessonTurn, WorldState]]:
        """Each turn with the state before and after it."""
        state = WorldState(self.objects)
        for turn in self.turns:
            after = read_changes(turn.changes, state) if turn.changes else state
            yield state, turn, after
            state = after

    def function_of(self, skill: str) -> str:
        """What programs call a skill: by its own name, mostly."""
        return self.function if skill == self.skill and self.function else skill

    def render_code(self, turn: LessonTurn, *, think: bool = False) -> str:
        """The reaction to a query as moves and words, perhaps with the thoughts before it."""
        lines = [f"# THINK: {thought}" for thought in turn.think.splitlines()] if think else []
        lines += [render_call(self.function_of(self.skill), move) for move in turn.moves]
        return "\n".join([*lines, f'say("{turn.say}")'] if turn.say else lines)


USUAL_LESSON = Path(__file__).parent / "usual_lesson.toml"
"""A conversation about moving things on a table: for worlds without a lesson of their own."""
USUAL_PROGRAMS = Path(__file__).parent / "usual_programs.txt"
"""Programs of a robot that makes drinks: for tasks by guidelines in worlds without programs of their own."""


@cache
def read_lesson(path: Path) -> Lesson:
    """The lesson in a file, as those of the tabletop's domains are written."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    turns = tuple(
        LessonTurn(**(each | {"moves": tuple((first, second) for first, second in each.get("moves", ()))}))
        for each in data["turns"]
    )
    return Lesson(tuple(data["objects"]), turns, data.get("skill", ""), data.get("function", ""))

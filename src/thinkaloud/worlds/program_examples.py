"""Examples for models that write programs: a conversation about a similar world, as data.

Each turn is stored once, and each method renders its own view of it: code with moves, with or without thoughts, the
state before and after, or only what changed. A world's lesson is in its briefing.
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

    `think` is what a model may think first (a line each), `moves` and `say` are what it does and answers; `changes` is
    what changes, `note` how the writer is told (the query itself, if that says everything).
    """

    query: str
    moves: tuple[tuple[str, str], ...] = ()
    say: str = ""
    changes: str = ""
    note: str = ""
    think: str = ""

    @property
    def update(self) -> str:
        """What the writer is asked to note; empty if nothing changes."""
        return (self.note or self.query.rstrip(".")) if self.changes else ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A conversation about a few things, and the names its programs use.

    `skill`: the skill that puts a first thing on, in or over a second. `function`: its name in programs.
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
        """The name of a skill in programs, usually its own."""
        return self.function if skill == self.skill and self.function else skill

    def render_code(self, turn: LessonTurn, *, think: bool = False) -> str:
        """The reaction to a query as moves and words, perhaps with the thoughts before it."""
        lines = [f"# THINK: {thought}" for thought in turn.think.splitlines()] if think else []
        lines += [render_call(self.function_of(self.skill), move) for move in turn.moves]
        return "\n".join([*lines, f'say("{turn.say}")'] if turn.say else lines)


USUAL_LESSON = Path(__file__).parent / "usual_lesson.toml"
"""A conversation about moving things on a table: for worlds without a lesson of their own."""
USUAL_PROGRAMS = Path(__file__).parent / "usual_programs.txt"
"""Programs of a drinks robot: for tasks by guidelines in worlds without programs of their own."""


@cache
def read_lesson(path: Path) -> Lesson:
    """The lesson in a file, as those of the tabletop's domains are written."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    turns = tuple(
        LessonTurn(**(each | {"moves": tuple((first, second) for first, second in each.get("moves", ()))}))
        for each in data["turns"]
    )
    return Lesson(tuple(data["objects"]), turns, data.get("skill", ""), data.get("function", ""))

"""Code as Policies: the queries and programs so far, and no state; with thoughts, all the states so far worked out.

    # objects = ["red block", "white bowl"]
    # query: Put the red block in the white bowl.
    put_first_on_second("red block", "white bowl")
    # query: What is in the white bowl?
    # 1. red block is in white bowl
    say("red block")

A model that was trained with such prompts needs neither rules nor lesson: it gets the conversation alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from thinkaloud.calls import FREE_TEXT
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.plan.programs.grammar import plain_bodies, program_grammar
from thinkaloud.plan.programs.lessons import lesson_of
from thinkaloud.plan.programs.program import PlannedProgram
from thinkaloud.plan.programs.prompt import render_lesson, render_objects, render_query, render_skills
from thinkaloud.records import Observation, Plan, WorldState
from thinkaloud.state.json_text import render_state
from thinkaloud.state.memory import first_state, latest_state
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import briefing_of
from thinkaloud.worlds.lessons import Lesson, LessonTurn


@dataclass
class ConversationForm:
    """Programs from the conversation alone. With `thoughts`, the model works out all states so far before each one."""

    world: World
    trained: bool
    thoughts: bool = False

    def render_prompt(self, monologue: Monologue) -> str:
        """Everything up to where the program for the query at hand begins."""
        functions = (*render_skills(self.world), "say(text)", "noop()")
        rules = briefing_of(self.world).rules
        shown = "" if self.trained else _shown(lesson_of(self.world), self.thoughts, rules, functions)
        so_far = [render_beginning(first_state(monologue), thoughts=self.thoughts)]
        so_far += [line for text, code in _earlier(monologue) for line in (f"# query: {text}", code)]
        return shown + render_query(so_far, monologue)

    def grammar(self, scene: Observation, monologue: Monologue) -> str:
        """Calls with names, or an answer, after a line of thought for each query before."""
        return program_grammar(plain_bodies(self.world, scene), thought_lines(monologue) if self.thoughts else ())

    def program(self, scene: Observation, monologue: Monologue) -> PlannedProgram:
        """What a plain program is run against."""
        return PlannedProgram(self.world, scene, latest_state(monologue))


def render_beginning(state: WorldState, *, thoughts: bool) -> str:
    """What there is at the beginning: only names, unless there is more to tell."""
    bare = not (state.relations or state.attributes or state.facts)
    return render_objects(state) if bare and not thoughts else render_state(state)


def thought_lines(monologue: Monologue) -> list[str]:
    """The grammar of what is thought aloud before a program: a numbered line for each query so far."""
    return list(_numbered(len(_earlier(monologue))))


def _numbered(lines: int) -> Iterator[str]:
    for number in range(1, lines + 1):
        yield from (gbnf.literal(f"# {number}. "), FREE_TEXT, gbnf.literal("\n"))


def _earlier(monologue: Monologue) -> list[tuple[str, str]]:
    """The queries before the one at hand, each with its program, thoughts left out."""
    found: list[tuple[str, str]] = []
    start = monologue.task_start()
    for event in monologue:
        match event.record:
            case Plan(goal=text, verbatim=code) if event.index < start and code:
                found.append(
                    (text, "\n".join(line for line in code.splitlines() if not line.startswith("#")) or "noop()")
                )
            case _:
                pass
    return found


@cache
def _shown(lesson: Lesson, thoughts: bool, rules: str, functions: tuple[str, ...]) -> str:
    """The part that is the same for every query of a world."""
    lines = [render_beginning(WorldState(lesson.objects), thoughts=thoughts)]
    for at, turn in enumerate(lesson.turns):
        lines.append(f"# query: {turn.query}")
        lines += _thoughts(lesson.turns[:at]) if thoughts else []
        lines.append(lesson.render_code(turn) or "noop()")
    return render_lesson(rules, functions, lines)


def _thoughts(turns: Sequence[LessonTurn]) -> list[str]:
    """What became of the world with each turn, one numbered line each."""
    changes = (turn.changes.replace("\n", ", ") or "nothing changes" for turn in turns)
    return [f"# {number}. {what}" for number, what in enumerate(changes, 1)]

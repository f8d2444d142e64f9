"""Code as Policies: the queries and programs so far, and no state; with `states`, the model first works out all states.

    # functions: put_first_on_second(first, second), say(text), noop()
    # objects = ["red block", "white bowl"]
    # query: Put the red block in the white bowl.
    put_first_on_second("red block", "white bowl")
    # query: What is in the white bowl?
    # 1. red block is in white bowl
    # THINK: in white bowl: red block
    say("red block")

The Statler paper has this baseline in its Prompt 10, and with chain of thought in its Table I.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from thinkaloud.models import Model, PromptForm, Prompts
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.plan.programs.example_choice import lesson_of
from thinkaloud.plan.programs.grammar import plan_program_grammar
from thinkaloud.plan.programs.prompt import (
    find_earlier,
    render_earlier,
    render_functions,
    render_objects,
    render_query,
)
from thinkaloud.records import Observation, WorldState
from thinkaloud.skills.built_in_steps import SAY
from thinkaloud.state.json_text import render_state
from thinkaloud.state.state_history import first_state
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import briefing_of
from thinkaloud.worlds.program_examples import Lesson, LessonTurn

PROMPTS = PromptForm("thinkaloud.methods.code_as_policies")
READER, GUIDED_READER = "reader", "reader of guidelines"
OWN_FUNCTIONS = (SAY,)
"""What a program may call in addition to skills."""


@dataclass
class ConversationForm:
    """Programs from the conversation alone. With `states`, the model works out all states so far before each program;
    with `think`, a program may begin with lines of thought."""

    world: World
    model: Model
    states: bool = False
    think: bool = True
    prompts: Prompts = field(default_factory=PROMPTS.open)

    def render_functions(self) -> str:
        """Return the line that says what a program may call."""
        return render_functions(self.world, OWN_FUNCTIONS)

    def render_prompt(self, monologue: Monologue) -> str:
        """Return everything up to where the program for the current query begins."""
        so_far = [self.render_functions(), render_first_state(first_state(monologue), states=self.states)]
        so_far += render_earlier(find_earlier(monologue))
        conversation = _conversation(lesson_of(self.world), self.states, self.think)
        known = {"rules": briefing_of(self.world).rules.rstrip("\n"), "conversation": conversation}
        return self.prompts.introduce(self.model, READER, (), known) + render_query(so_far, monologue)

    def grammar(self, scene: Observation, monologue: Monologue) -> str:
        """Return the grammar: thoughts, calls with names, and answers, after a line for each earlier query."""
        before = state_lines(monologue) if self.states else ()
        return plan_program_grammar(self.world, scene, OWN_FUNCTIONS, think=self.think, before=before)


def render_first_state(state: WorldState, *, states: bool) -> str:
    """Return what there is at the beginning: only names, unless more is known."""
    bare = not (state.relations or state.attributes or state.facts)
    return render_objects(state) if bare and not states else render_state(state)


def state_lines(monologue: Monologue) -> list[str]:
    """Yield the grammar of the states before a program: a numbered line for each query so far."""
    return list(_numbered(len(find_earlier(monologue))))


def _numbered(lines: int) -> Iterator[str]:
    for number in range(1, lines + 1):
        yield from (gbnf.literal(f"# {number}. "), r"[^\n]+", gbnf.literal("\n"))


@cache
def _conversation(lesson: Lesson, states: bool, think: bool) -> str:
    """Return a world's lesson as this baseline sees it."""
    lines = [render_first_state(WorldState(lesson.objects), states=states)]
    for at, turn in enumerate(lesson.turns):
        lines.append(f"# query: {turn.query}")
        lines += _worked_out(lesson.turns[:at]) if states else []
        lines.append(lesson.render_code(turn, think=think) or "noop()")
    return "\n".join(lines)


def _worked_out(turns: Sequence[LessonTurn]) -> list[str]:
    """Return how the world changed with each turn, one numbered line each."""
    changes = (turn.changes.replace("\n", ", ") or "nothing changes" for turn in turns)
    return [f"# {number}. {what}" for number, what in enumerate(changes, 1)]

"""What Statler's reader sees and writes: the latest queries with their programs, the state as it is now, the query.

    # functions: put_first_on_second(first, second), say(text), update_wm(text), noop()
    # query: The teal block is dirty.
    noop()
    # state = {
    #     "objects": ["teal block", "tan block", "white bowl"],
    #     ...
    # }
    # query: Put what is dirty in the white bowl.
    # THINK: dirty: teal block
    put_first_on_second("teal block", "white bowl")
    update_wm("Put the teal block in the white bowl")

The paper's Prompts 4 and 11 have this shape.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from thinkaloud.models import Model, PromptForm, Prompts
from thinkaloud.monologue import Monologue
from thinkaloud.plan.programs.example_choice import lesson_of
from thinkaloud.plan.programs.grammar import plan_program_grammar
from thinkaloud.plan.programs.prompt import (
    find_earlier,
    render_earlier,
    render_functions,
    render_query,
    without_comments,
)
from thinkaloud.records import Observation, WorldState
from thinkaloud.skills.built_in_steps import SAY, UPDATE
from thinkaloud.state.json_text import render_state
from thinkaloud.state.state_history import latest_state
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import briefing_of
from thinkaloud.worlds.program_examples import Lesson

PROMPTS = PromptForm("thinkaloud.methods.statler")
READER = "reader"
SHOWN_EARLIER = 4
"""How many earlier queries are shown, for what the state does not say: what `it` is, what moved last."""


@dataclass
class StateForm:
    """Programs from the state. With `notes`, a change of the world is followed by a note for the writer; without, the
    same model writes the next state itself. With `think`, a program may begin with lines of thought. `earlier` is how
    many earlier queries are shown; None shows all of them, and 0 only the state, as in the paper."""

    world: World
    model: Model
    notes: bool = True
    think: bool = True
    earlier: int | None = SHOWN_EARLIER
    prompts: Prompts = field(default_factory=PROMPTS.open)

    @property
    def _own(self) -> tuple[str, ...]:
        return (SAY, UPDATE) if self.notes else (SAY,)

    def render_functions(self) -> str:
        """Return the line that says what a program may call."""
        return render_functions(self.world, self._own)

    def render_prompt(self, monologue: Monologue) -> str:
        """Return everything up to where the program for the current query begins."""
        so_far = render_known(self.render_functions(), find_earlier(monologue), latest_state(monologue), self.earlier)
        return self.prompts.introduce(self.model, READER, (), self._known()) + render_query(so_far, monologue)

    def _known(self) -> dict[str, str]:
        conversation = _conversation(lesson_of(self.world), self.notes, self.think)
        return {"rules": briefing_of(self.world).rules.rstrip("\n"), "conversation": conversation}

    def grammar(self, scene: Observation, monologue: Monologue) -> str:
        """Return the grammar: thoughts, then calls with names, answers and notes."""
        return plan_program_grammar(self.world, scene, self._own, think=self.think)


def render_known(
    functions: str, earlier: list[tuple[str, str]], state: WorldState, shown: int | None = SHOWN_EARLIER
) -> list[str]:
    """Return what comes before a query: what can be called, what was asked and done lately, and the state."""
    first = 0 if shown is None else max(len(earlier) - shown, 0)
    latest = [(text, without_comments(code, but=UPDATE)) for text, code in earlier[first:]]
    return [functions, *render_earlier(latest), render_state(state)]


@cache
def _conversation(lesson: Lesson, notes: bool, think: bool) -> str:
    """Return a world's lesson: a conversation with the states that it passes through."""
    lines, turns = list[str](), list(lesson.with_states())
    shown = None
    for before, turn, _ in turns:
        if before != shown or not notes:  # a model that writes states repeats unchanged ones
            lines.append(render_state(before))
        shown = before
        lines.append(f"# query: {turn.query}")
        code = lesson.render_code(turn, think=think)
        update = f'{UPDATE}("{turn.update}")' if turn.update else ""
        lines.append("\n".join(filter(None, [code, update])) if notes else code or "noop()")
    return "\n".join([*lines, *([] if notes else [render_state(turns[-1][2])])])

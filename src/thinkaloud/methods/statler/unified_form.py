"""Statler with one model, which also writes the next state itself, after the program."""

from __future__ import annotations

from dataclasses import dataclass, replace

from thinkaloud.methods.statler.state_grammars import state_grammar
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.plan.programs.example_choice import lesson_of
from thinkaloud.plan.programs.planner import ProgramPlanner
from thinkaloud.records import Decision, Plan, Step
from thinkaloud.skills.built_in_steps import update
from thinkaloud.state.json_text import render_opening
from thinkaloud.state.state_history import latest_state

_LONGEST = 2400  # tokens of a state


@dataclass
class UnifiedPlanner:
    """Lets the model of another planner continue after its program, with the state that it expects."""

    planner: ProgramPlanner

    async def plan(self, monologue: Monologue) -> Decision:
        """Return the program with the next state as its last step; the rest is unchanged."""
        begins = not monologue.since(monologue.task_start(), Plan)
        decision = await self.planner.plan(monologue)
        if begins and isinstance(decision, Plan):
            return replace(decision, steps=(*decision.steps, await self._next_state(decision, monologue)))
        return decision

    async def _next_state(self, plan: Plan, monologue: Monologue) -> Step:
        state, lesson = latest_state(monologue), lesson_of(self.planner.world)
        so_far = f"{self.planner.form.render_prompt(monologue)}{plan.verbatim}\n"
        begun = render_opening(state, objects=True)
        grammar = gbnf.grammar(state_grammar(state, objects=False, weights=lesson.weighed))
        said = await self.planner.model.complete(so_far + begun, grammar=grammar, most=_LONGEST)
        return update(plan.goal, begun + said.text)

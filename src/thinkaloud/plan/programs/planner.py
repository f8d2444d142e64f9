"""The planner of programs: a query becomes a program, the program becomes steps, and their promises are checked.

The `ProgramForm` of a method says what the model is shown and which grammar applies. If a program lacks functions, the
model is asked for them next.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from thinkaloud.episode.endings import tell_refused_notes
from thinkaloud.errors import CodeRefused
from thinkaloud.language.calls import RunsCode
from thinkaloud.models import Model
from thinkaloud.monologue import Monologue
from thinkaloud.plan.final_conditions import check_or_done, find_untouched
from thinkaloud.plan.programs.missing_functions import code_in, define_missing
from thinkaloud.plan.programs.program import NOOP, PlannedProgram
from thinkaloud.plan.programs.program_form import ProgramForm
from thinkaloud.records import Decision, Done, Observation, Plan, Started, Step, Verdict
from thinkaloud.skills.built_in_steps import SAY, STEPS
from thinkaloud.untrusted.python_text import parse_statements
from thinkaloud.worlds import World

_LONGEST = 900  # tokens of a program, its thoughts included
_STOPS = ("\n# query", "\n# state", "\n# objects", "\n# ===", "\n===")
"""Where a model without a grammar starts to continue the conversation by itself."""


@dataclass
class ProgramPlanner:
    """Turns a query into a program, and the program into steps."""

    model: Model
    world: World
    sandbox: RunsCode
    form: ProgramForm

    async def plan(self, monologue: Monologue) -> Decision:
        """Return the program for the current query; after it has run, what must be true now, or that this is all."""
        request, scene = monologue.situation()
        plans = monologue.in_task(Plan)
        if not plans:
            return await self._program(request.text, scene, monologue)
        steps = [started.step for started in monologue.in_task(Started)]
        latest = monologue.last(Verdict, after=monologue.task_start())
        if latest is not None and not latest.ok:
            return Done(f"this did not work: {latest.step.words} {latest.why}".strip(), "gave up")
        moves = [step for step in steps if step.skill not in STEPS]
        if not moves:
            return self._without_a_move(plans[-1], steps, tell_refused_notes(monologue))
        conditions = find_untouched(self.world, moves)
        return check_or_done(request.text, conditions, "the program has run to its end", monologue)

    def _without_a_move(self, plan: Plan, steps: Sequence[Step], refused: str) -> Done:
        """Report what was said or noted as the answer; that there was nothing to do is only the program's claim.

        A note that was `refused` is no note, and is told.
        """
        said = [str(step.arguments["text"]) for step in steps if step.skill == SAY]
        if refused:
            return Done("; ".join([*said, refused]), "answered" if said else "gave up")
        if not steps and names_called(plan.verbatim) == {NOOP}:
            return Done("the program says that there is nothing to do")
        return Done("; ".join(said) or ("I took note of that" if steps else "there was nothing to do"), "answered")

    async def _program(self, query: str, scene: Observation, monologue: Monologue) -> Plan:
        prompt, grammar = self.form.render_prompt(monologue), self.form.grammar(scene, monologue)
        said = await self.model.complete(prompt, grammar=grammar, most=_LONGEST, stop=_STOPS)
        code, program = code_in(said.text), PlannedProgram(self.world, scene)
        functions = program.functions()
        whole = await define_missing(self.model, self.form.render_functions(), code, functions)
        try:
            self.sandbox.run(whole, functions)
        except CodeRefused as error:
            raise CodeRefused(str(error), code) from None
        if not program.steps and not names_called(whole) & functions.keys():
            raise CodeRefused("This program says and does nothing; call a function that does.", code)
        return Plan(query, (), tuple(replace(step, reason="") for step in program.steps), whole, verbatim=code)


def names_called(code: str) -> set[str]:
    """Return the functions that a program calls."""
    called = (node.func for node in ast.walk(parse_statements(code)) if isinstance(node, ast.Call))
    return {function.id for function in called if isinstance(function, ast.Name)}

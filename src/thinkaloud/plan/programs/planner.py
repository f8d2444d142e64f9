"""Statler's reader, and the baselines that it is compared with: a query, and what is known, become a program.

What each of them sees of the same conversation is its style:

- `state`     the state as it is now, written down by somebody else (Statler)
- `unified`   the same, but the model also writes the next state itself, after the program
- `history`   the queries and programs so far (Code as Policies)
- `thoughts`  the same, and before each program the model works out all states so far (with chain of thought)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from thinkaloud.errors import CodeRefused
from thinkaloud.guidelines import Guidelines
from thinkaloud.methods.code_as_policies.guided import guided_prompt
from thinkaloud.methods.statler.short_grammar import brief_grammar
from thinkaloud.models import Model, is_trained
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.own_steps import SAY, STEPS, say, update
from thinkaloud.plan.ending import check_or_done, find_untouched
from thinkaloud.plan.programs.grammar import END, MOST_CALLS, asking, mentioned, plain
from thinkaloud.plan.programs.program import Program, Runs
from thinkaloud.plan.programs.prompt import Mode, Style, earlier, prompt
from thinkaloud.records import (
    Decision,
    Done,
    Observation,
    Plan,
    Request,
    Started,
    Step,
    Verdict,
    WorldState,
)
from thinkaloud.state.edit import remembered
from thinkaloud.state.grammars import state_grammar
from thinkaloud.state.lessons import lesson_for
from thinkaloud.state.spoken import spoken_of
from thinkaloud.state.statler import opening
from thinkaloud.worlds import World

LONGEST = 700  # tokens of a program, its thoughts included
WHOLE_TASK = 60
"""Calls of a program that carries out a task from its beginning to its end, such as washing all the dishes."""
LONGEST_STATE = 1200
_LINE = re.compile(r"^Line \d+: ")
STOPS = ("\n# query", "\n# state", "\n# objects", "\n# ===", "\n===")
"""Where a model that no grammar holds goes on with the conversation by itself."""


@dataclass
class Reader:
    """Turns a query into a program, and the program into steps."""

    model: Model
    world: World
    sandbox: Runs
    style: Style = "state"
    mode: Mode = "plain"
    guidelines: Guidelines | None = None

    async def plan(self, monologue: Monologue) -> Decision:
        """The program for the query at hand; when it has run, what has to be true now, or that this is all."""
        request, scene = monologue.situation()
        plans = monologue.in_task(Plan)
        if not plans:
            return await self._program(request.text, scene, monologue)
        failed = [verdict for verdict in monologue.in_task(Verdict) if not verdict.ok]
        steps = [started.step for started in monologue.in_task(Started)]
        if failed and failed[-1].step == steps[-1]:
            return Done(f"this did not work: {failed[-1].step.words} {failed[-1].why}".strip(), "gave up")
        moves = [step for step in steps if step.skill not in STEPS]
        if not moves:
            said = [str(step.arguments["text"]) for step in steps if step.skill == SAY]
            return Done("; ".join(said) or ("I took note of that" if steps else "there was nothing to do"), "answered")
        lasting = find_untouched(self.world, moves)
        return check_or_done(request.text, lasting, "the program has run to its end", monologue)

    async def _program(self, query: str, scene: Observation, monologue: Monologue) -> Plan:
        if self.guidelines is not None:
            asked = guided_prompt(self.world, self.guidelines, monologue)
        else:
            asked = prompt(self.style, self.mode, self.world, monologue, trained=is_trained(self.model))
        state = remembered(monologue)
        said = await self.model.complete(asked, grammar=self._grammar(scene, monologue), most=LONGEST, stop=STOPS)
        code = _code_in(said.text)
        history, queries = monologue.since(None, WorldState), self.mode == "query"
        spoken = spoken_of(monologue) if self._brief else None
        program = Program(self.world, scene, state, history, queries=queries, spoken=spoken)
        try:
            self.sandbox.run(code, program.functions())
        except CodeRefused as error:
            if not self._brief:
                raise CodeRefused(str(error), code) from None
            program.steps = [say(_LINE.sub("", str(error)))]  # what is not known, or not there: that is the answer
        steps = program.steps
        if self.style == "unified":
            steps = [*steps, await self._next_state(f"{asked}{code}\n", query, state)]
        return Plan(query, (), tuple(replace(step, reason="") for step in steps), code, verbatim=code)

    async def _next_state(self, so_far: str, query: str, state: WorldState) -> Step:
        """The state that the same model expects after its own program."""
        begun = opening(state, objects=True)
        grammar = gbnf.grammar(state_grammar(state, objects=False, weights=lesson_for(self.world.name).weighed))
        said = await self.model.complete(so_far + begun, grammar=grammar, most=LONGEST_STATE)
        return update(query, begun + said.text)

    @property
    def _brief(self) -> bool:
        """Whether the model was trained to write short programs that ask the state."""
        return self.mode == "query" and self.guidelines is None and is_trained(self.model)

    def _grammar(self, scene: Observation, monologue: Monologue) -> str:
        if self.mode == "query":
            objects, query = remembered(monologue).objects, monologue.last(Request)
            if self._brief and query is not None:
                return brief_grammar(self.world.skills, scene.vocabulary, objects, query.text)
            named = mentioned(query.text, objects) if query is not None and not monologue.refusals() else []
            return asking(self.world.skills, scene.vocabulary, objects, named)
        thoughts = len(earlier(monologue)) if self.style == "thoughts" else 0
        most = MOST_CALLS if self.guidelines is None else WHOLE_TASK
        return plain(self.world.skills, scene.vocabulary, notes=self.style == "state", thoughts=thoughts, most=most)


def _code_in(text: str) -> str:
    """The program in a model's words: without the sign that it is over, and out of the fence of a chat model."""
    fenced = re.search(r"```(?:python)?\n(.*?)(?:```|$)", text, re.DOTALL)
    return (fenced[1] if fenced else text.removesuffix(END)).strip()

"""Statler's writer: brings the world state up to date, by code where what changed is declared, else by a model.

`full` has the model write the whole next state, as the paper does; `delta` only what changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from thinkaloud.errors import StateRefused
from thinkaloud.methods.statler.state_grammars import changes_grammar, state_grammar
from thinkaloud.models import Model, is_trained
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.own_steps import NOTE, UPDATE
from thinkaloud.plan.programs.grammar import PROGRAM_END
from thinkaloud.plan.programs.lessons import lesson_of
from thinkaloud.records import Request, Started, Step, Verdict, WorldState
from thinkaloud.state.changes import read_changes, render_changes
from thinkaloud.state.edit import with_causes
from thinkaloud.state.foresight import foresee
from thinkaloud.state.json_text import read_state, render_opening, render_state
from thinkaloud.state.memory import latest_state
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import briefing_of
from thinkaloud.worlds.lessons import Lesson

Extent = Literal["full", "delta"]
_LONGEST = {"full": 1200, "delta": 200}
_TASK = {
    "full": "After each query, write the whole state of the world as it is then.",
    "delta": "After each query, write what is different in the world then, one line each.",
}
_SHORT = {"full": "# the whole state after it", "delta": "# what is different after it"}
_INSTRUCTION = {
    "full": """\
Your task is to keep a JSON dictionary that describes the things on the table, and to bring it up to date after a query.
Each line of it begins with the character #. Keep every object and every key. Copy what the query does not change.
A block that lies on another stands in "relations" as "A is on B". What lies in a bowl or in the disinfector stands in
its list "contains", and nowhere else. What a thing is stands in its list "is".""",
    "delta": """\
Your task is to say what is different in the world after a query, given a JSON dictionary that describes the things on
the table. Write one line for each change, such as "A is on B", "A is in B", "A is on the table", "A is dirty",
"A is clean" or "A weighs 2 * B", and nothing else. If nothing is different, write "nothing changes".""",
}


@dataclass
class Writer:
    """Keeps the world state. With `declared`, what skills declare is written down without asking the model.

    Without `examples`, the model gets instructions instead (Statler-Auto).
    """

    model: Model
    world: World
    extent: Extent = "full"
    examples: bool = True
    declared: bool = False

    async def remember(self, monologue: Monologue) -> WorldState | None:
        """The state after the latest step, with causes; None where nothing is to be written."""
        started = monologue.last(Started)
        if started is None:
            return None
        step, before = started.step, latest_state(monologue)
        if step.skill == UPDATE:
            given = str(step.arguments.get("state", ""))
            retried = bool(monologue.refusals(Started))
            after = read_state(given, before) if given and not retried else await self._written(step, before, monologue)
            return with_causes(before, after, str(step.arguments["query"]))
        if step.skill == NOTE:
            request = monologue.last(Request)
            after = read_changes(str(step.arguments["changes"]), before)
            return with_causes(before, after, request.text if request else step.words)
        return self._by_declaration(step, before, monologue)

    def _by_declaration(self, step: Step, before: WorldState, monologue: Monologue) -> WorldState | None:
        verdict = monologue.last(Verdict)
        skill = self.world.skills.get(step.skill)
        if not self.declared or skill is None or (verdict is not None and verdict.step == step and not verdict.ok):
            return None
        return with_causes(before, foresee(skill, step.arguments, before, self.world.relations), step.words)

    async def _written(self, step: Step, before: WorldState, monologue: Monologue) -> WorldState:
        refused = monologue.refusals(Started)[-1:]
        feedback = "".join(f"# refused: {refusal.why}\n" for refusal in refused)
        shown = render_task(self.extent) if is_trained(self.model) else self._shown()
        asked = f"{shown}{render_state(before)}\n# query: {step.arguments['query']}\n{feedback}"
        begun = render_opening(before, objects=True) if self.extent == "full" else ""
        weighed = lesson_of(self.world).weighed
        if self.extent == "full":
            grammar = gbnf.grammar(state_grammar(before, objects=False, weights=weighed))
        else:  # a list of lines ends where the next comment begins, as it does in the examples
            root, _, rules = changes_grammar(before, weights=weighed).partition("\n")
            grammar = gbnf.grammar(f"({root}) {gbnf.literal(PROGRAM_END)}\n{rules}")
        said = await self.model.complete(asked + begun, grammar=grammar, most=_LONGEST[self.extent])
        words = begun + said.text.removesuffix(PROGRAM_END)
        try:
            return read_state(words, before) if self.extent == "full" else read_changes(words, before)
        except StateRefused as error:
            raise StateRefused(str(error), words) from None

    def _shown(self) -> str:
        return _prompt(lesson_of(self.world), self.extent, self.examples, briefing_of(self.world).rules)


def render_task(extent: Extent) -> str:
    """All that a model is told of its task that was trained for it."""
    return f"{_SHORT[extent]}\n"


@cache
def _prompt(lesson: Lesson, extent: Extent, examples: bool, rules: str) -> str:
    """The part that is the same for every query of a world: the lesson as a chain of states, or instructions."""
    if not examples:
        return f"{rules}\n{_INSTRUCTION[extent]}\n===\n"
    lines = [rules, _TASK[extent], "==="]
    turns = [(before, turn, after) for before, turn, after in lesson.with_states() if turn.changes]
    for at, (before, turn, after) in enumerate(turns):
        if extent == "delta" or at == 0:
            lines.append(render_state(before))
        lines.append(f"# query: {turn.update}")
        lines.append(render_state(after) if extent == "full" else render_changes(before, after))
    return "\n".join([*lines, "# ==="]) + "\n"

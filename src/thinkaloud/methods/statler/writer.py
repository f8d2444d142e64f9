"""Statler's writer: a model that updates the world state whenever a program asks for it.

    # state = {
    #     ...
    # }
    # query: Put the teal block in the white bowl
    # state = {

With `full`, the model writes the whole next state, as in the paper; with `delta`, only what changes, after `# changes`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from thinkaloud.errors import StateRefused
from thinkaloud.methods.statler.reader_prompt import PROMPTS
from thinkaloud.methods.statler.state_grammars import changes_grammar, state_grammar
from thinkaloud.models import Model, Prompts
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.plan.programs.example_choice import lesson_of
from thinkaloud.plan.programs.grammar import PROGRAM_END
from thinkaloud.records import Started, Step, Verdict, WorldState
from thinkaloud.skills.built_in_steps import UPDATE
from thinkaloud.state.change_lines import read_changes, render_changes
from thinkaloud.state.edits import with_causes
from thinkaloud.state.json_text import read_state, render_opening, render_state
from thinkaloud.state.state_history import latest_state
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import briefing_of
from thinkaloud.worlds.program_examples import Lesson

Extent = Literal["full", "delta"]
_LONGEST = {"full": 2400, "delta": 400}
_CHANGES = "# changes\n"


@dataclass
class Writer:
    """Keeps the world state: only what the model writes is recorded.

    Without `examples`, the model gets instructions instead (Statler-Auto). With `steps`, it is also asked after each
    step that worked, for planners that do not write notes.
    """

    model: Model
    world: World
    extent: Extent = "full"
    examples: bool = True
    steps: bool = False
    prompts: Prompts = field(default_factory=PROMPTS.open)

    async def remember(self, monologue: Monologue) -> WorldState | None:
        """Return the state after the latest step, with causes; None if there is nothing to write."""
        started = monologue.last(Started)
        query = self._query(started.step, monologue.last(Verdict)) if started is not None else None
        if started is None or query is None:
            return None
        before, given = latest_state(monologue), str(started.step.arguments.get("state", ""))
        retried = bool(monologue.refusals(Started))
        after = read_state(given, before) if given and not retried else await self._written(query, before, monologue)
        return with_causes(before, after, query)

    def _query(self, step: Step, verdict: Verdict | None) -> str | None:
        """Return what to note after a step; None if there is nothing."""
        if step.skill == UPDATE:
            return str(step.arguments["query"])
        worked = verdict is not None and verdict.step == step and verdict.ok
        return step.words if self.steps and step.skill in self.world.skills and worked else None

    async def _written(self, query: str, before: WorldState, monologue: Monologue) -> WorldState:
        refused = monologue.refusals(Started)[-1:]
        feedback = "".join(f"# refused: {refusal.why}\n" for refusal in refused)
        asked = self._introduced() + render_update(before, query, self.extent, self.examples, feedback, self.prompts)
        weighed = lesson_of(self.world).weighed
        if self.extent == "full":
            grammar = gbnf.grammar(state_grammar(before, objects=False, weights=weighed))
        else:  # a list of lines ends where the next comment begins, as in the examples
            root, _, rules = changes_grammar(before, weights=weighed).partition("\n")
            grammar = gbnf.grammar(f"({root}) {gbnf.literal(PROGRAM_END)}\n{rules}")
        said = await self.model.complete(asked, grammar=grammar, most=_LONGEST[self.extent])
        words = said.text.removesuffix(PROGRAM_END)
        if self.extent == "full":
            words = render_opening(before, objects=True) + words
        try:
            return read_state(words, before) if self.extent == "full" else read_changes(words, before)
        except StateRefused as error:
            raise StateRefused(str(error), words) from None

    def _introduced(self) -> str:
        """Return the part that is the same for every query of a world: its rules, and the lesson as states."""
        known = {"rules": briefing_of(self.world).rules}
        if not self.examples:
            return self.prompts.introduce(self.model, "writer", ("instructions",), known)
        known["conversation"] = _conversation(lesson_of(self.world), self.extent)
        return self.prompts.introduce(self.model, "writer", (self.extent,), known)


def render_update(
    before: WorldState,
    query: str,
    extent: Extent = "full",
    examples: bool = True,
    feedback: str = "",
    prompts: Prompts | None = None,
) -> str:
    """Return what every model is told: the state, what to note, and how the answer begins."""
    told = "" if examples else (prompts or PROMPTS.open()).text("instruction", (extent,))
    begun = render_opening(before, objects=True) if extent == "full" else _CHANGES
    return f"{told}{render_state(before)}\n# query: {query}\n{feedback}{begun}"


@cache
def _conversation(lesson: Lesson, extent: Extent) -> str:
    """Return a world's lesson as a chain of states, or of what is different after each query."""
    lines = list[str]()
    turns = [(before, turn, after) for before, turn, after in lesson.with_states() if turn.changes]
    for at, (before, turn, after) in enumerate(turns):
        if extent == "delta" or at == 0:
            lines.append(render_state(before))
        lines.append(f"# query: {turn.update}")
        lines.append(render_state(after) if extent == "full" else _CHANGES + render_changes(before, after))
    return "\n".join(lines)

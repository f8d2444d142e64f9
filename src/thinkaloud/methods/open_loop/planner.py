"""The open loop: the whole plan at once from the objects seen at the start; nothing that happens later is noticed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from thinkaloud.errors import Unparseable
from thinkaloud.language.sentences import action_grammar, read_action
from thinkaloud.models import Model, PromptForm, Prompts
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.plan.transcript import DONE_LINE, render_in_view
from thinkaloud.records import Decision, Done, Plan
from thinkaloud.worlds import World

_ACTION = "Robot action:"
PROMPTS = PromptForm("thinkaloud.methods.open_loop")


@dataclass
class OpenLoop:
    """Plans once and does not check."""

    model: Model
    world: World
    prompts: Prompts = field(default_factory=PROMPTS.open)
    most: int = 15

    async def plan(self, monologue: Monologue) -> Decision:
        """Return all the steps; when they are carried out, Done."""
        if monologue.in_task(Plan):
            return Done("the plan has been carried out")
        request, scene = monologue.situation()
        action = gbnf.sequence(action_grammar(self.world.skills, scene.vocabulary), gbnf.literal(f"\n{_ACTION} "))
        root = gbnf.sequence(gbnf.literal(" "), f"({action}){{0,{self.most}}}", gbnf.literal(DONE_LINE))
        said = await self.model.complete(
            self._prompt(request.text, scene.objects), stop=["\n\n"], grammar=gbnf.grammar(root), most=30 * self.most
        )
        sentences = [line.strip() for line in said.text.split(_ACTION)]
        steps = [
            read_action(sentence, self.world.skills, scene.vocabulary)
            for sentence in sentences
            if sentence and sentence.rstrip(".").lower() != "done"
        ]
        if not steps and not any(sentences):
            raise Unparseable("The plan has no steps; say what the robot does.", said.text)
        return Plan(request.text, (), tuple(steps[: self.most])) if steps else Done("there is nothing to do")

    def _prompt(self, request: str, objects: Sequence[str]) -> str:
        now = "\n".join([render_in_view(objects), f"Human: {request}", _ACTION])
        return self.prompts.introduce(self.model, "planner") + now

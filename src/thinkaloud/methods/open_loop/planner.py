"""The open loop: the whole plan at once from the objects seen at the start; nothing that happens later is noticed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from thinkaloud.errors import Unparseable
from thinkaloud.models import Model, is_trained
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.plan.demonstrations import TABLETOP, Demonstration
from thinkaloud.plan.transcript import render_in_view
from thinkaloud.records import Decision, Done, Plan, Started
from thinkaloud.sentences import action_grammar, read_action
from thinkaloud.worlds import World


@dataclass
class OpenLoop:
    """Plans once and believes."""

    model: Model
    world: World
    demonstrations: Sequence[Demonstration] = field(default=TABLETOP)
    most: int = 15

    async def plan(self, monologue: Monologue) -> Decision:
        """All the steps; when they are over, done."""
        if monologue.in_task(Plan):
            return Done("the plan has been carried out")
        request, scene = monologue.situation()
        action = gbnf.sequence(gbnf.literal(" "), action_grammar(self.world.skills, scene.vocabulary))
        lines = gbnf.separated(action, "\nRobot action:", most=self.most)
        root = gbnf.sequence(lines, gbnf.literal("\nRobot action: Done."))
        said = await self.model.complete(
            self._prompt(request.text, scene.objects), stop=["\n\n"], grammar=gbnf.grammar(root), most=30 * self.most
        )
        sentences = [line.strip() for line in said.text.split("Robot action:")]
        steps = [
            read_action(sentence, self.world.skills, scene.vocabulary)
            for sentence in sentences
            if sentence and sentence.rstrip(".").lower() != "done"
        ]
        if not steps:
            raise Unparseable("The plan has no steps; say what the robot does.", said.text)
        return Plan(request.text, (), tuple(steps[: self.most]))

    def _prompt(self, request: str, objects: Sequence[str]) -> str:
        shown = []
        for d in () if is_trained(self.model) else self.demonstrations:
            steps = d.monologue(failures=False).since(None, Started)
            actions = [f"Robot action: {started.step.words}" for started in steps]
            shown.append("\n".join([render_in_view(d.objects), f"Human: {d.request}", *actions, "Robot action: Done."]))
        shown.append("\n".join([render_in_view(objects), f"Human: {request}", "Robot action:"]))
        return "\n\n".join(shown)

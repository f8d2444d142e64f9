"""Inner Monologue's planner: the next step from the whole transcript, in the language of the paper's Listing 1.

What it says is constrained to sentences about the skills and objects at hand where the model can be constrained, and
parsed in any case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from thinkaloud.errors import Unparseable
from thinkaloud.models import Model
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.plan.demonstrations import TABLETOP, Demonstration
from thinkaloud.plan.sentences import an_action, conditions, read_action, read_condition
from thinkaloud.plan.transcript import Feedback, Transcript
from thinkaloud.records import Condition, Decision, Done, Observation, Plan, Request, Started, Step, Verdict
from thinkaloud.skills import Vocabulary
from thinkaloud.worlds import World

DONE = "Done."


@dataclass
class InnerMonologue:
    """Thinks one step ahead. With Scene feedback it states the goal first and a thought before each action."""

    model: Model
    world: World
    feedback: Feedback = "object+scene"
    demonstrations: Sequence[Demonstration] = field(default=TABLETOP)

    async def plan(self, monologue: Monologue) -> Decision:
        """The goal, the next step, or done."""
        request, scene = monologue.last(Request), monologue.last(Observation)
        if request is None or scene is None:
            raise ValueError("a planner needs a request and a scene")
        prompt = self._prompt(monologue)
        if self.feedback != "object+scene":
            step = await self._action(prompt, monologue, scene.vocabulary)
            return Done("the planner has no further action") if step is None else Plan(request.text, (), (step,))
        goal = monologue.goal()
        if not goal:
            return Plan(request.text, await self._goal(prompt, scene.vocabulary), ())
        if not monologue.since(monologue.task_start(), Started):
            first = await self._action(prompt, monologue, scene.vocabulary, may_end=False)
            return Plan(request.text, goal, (first,) if first else ())
        thought, step = await self._thought_and_action(prompt, monologue, scene.vocabulary)
        return Plan(request.text, goal, (step,), thought)

    def _prompt(self, monologue: Monologue) -> str:
        transcript = Transcript(self.feedback)
        ending = "Robot thought: None." if self.feedback == "object+scene" else f"Robot action: {DONE}"
        demonstrated = (d.monologue(failures=self.feedback != "object") for d in self.demonstrations)
        shown = ["\n".join([*transcript.lines(said), ending]) for said in demonstrated]
        return "\n\n".join([*shown, "\n".join(transcript.lines(monologue))]) + "\n"

    async def _goal(self, prompt: str, vocabulary: Vocabulary) -> tuple[Condition, ...]:
        listed, rules = conditions(self.world.relations, vocabulary)
        goal = gbnf.sequence(gbnf.literal(" Goal state is ["), listed, gbnf.literal("]."))
        grammar = gbnf.grammar(goal, rules)
        said = await self.model.complete(prompt + "Robot thought:", stop=["\n"], grammar=grammar, most=300)
        sentences = re.findall(r'"([^"]+)"', said.text)
        if not sentences:
            raise Unparseable(f'{said.text.strip()!r} states no goal; say Goal state is ["…", "…"].', said.text)
        read = [read_condition(sentence, self.world.relations, vocabulary) for sentence in sentences]
        return tuple({condition.words: condition for condition in read}.values())

    async def _action(
        self, prompt: str, monologue: Monologue, vocabulary: Vocabulary, *, may_end: bool = True
    ) -> Step | None:
        sentence = an_action(self.world.skills, vocabulary, self._needless(monologue))
        root = gbnf.choice([sentence, gbnf.literal(DONE)]) if may_end else sentence
        grammar = gbnf.grammar(gbnf.sequence(gbnf.literal(" "), root))
        said = await self.model.complete(prompt + "Robot action:", stop=["\n"], grammar=grammar, most=60)
        if may_end and said.text.strip().rstrip(".").lower() == "done":
            return None
        return read_action(said.text, self.world.skills, vocabulary)

    async def _thought_and_action(self, prompt: str, monologue: Monologue, vocabulary: Vocabulary) -> tuple[str, Step]:
        action = an_action(self.world.skills, vocabulary, self._needless(monologue))
        root = gbnf.sequence(gbnf.literal(" "), gbnf.LINE, gbnf.literal("\nRobot action: "), action)
        said = await self.model.complete(
            prompt + "Robot thought:", stop=["\nScene:", "\nHuman:"], grammar=gbnf.grammar(root), most=160
        )
        thought, separator, sentence = said.text.partition("\nRobot action:")
        if not separator:
            raise Unparseable("After the thought comes a line that begins with 'Robot action:'.", said.text)
        return thought.strip(), read_action(sentence, self.world.skills, vocabulary, reason=thought.strip())

    def _needless(self, monologue: Monologue) -> list[Step]:
        """Steps that the feedback says are done: what worked and was not touched since, or what holds in the scene."""
        start, scene = monologue.task_start(), monologue.last(Observation)
        if self.feedback == "object+success":
            done: dict[object, Step] = {}
            for verdict in monologue.since(start, Verdict):
                thing = next(iter(verdict.step.arguments.values()), None)
                done.pop(thing, None)
                if verdict.ok:
                    done[thing] = verdict.step
            return list(done.values())
        if self.feedback == "object+scene" and scene is not None and scene.achieved:
            holding = {condition.words for condition in scene.achieved}
            started = (started.step for started in monologue.since(start, Started))
            return [step for step in started if (effects := self._effects(step)) and effects <= holding]
        return []

    def _effects(self, step: Step) -> set[str]:
        skill = self.world.skills[step.skill]
        named = skill.effects(**step.arguments) if skill.effects else ()
        return {self.world.relations[relation].condition(arguments).words for relation, arguments in named}

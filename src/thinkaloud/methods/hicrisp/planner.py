"""A whole plan up front, in sentences: which things it takes, then one step after another (HiCRISP's planner).

    Seen: desk, chair, lamp.
    Task: Put the letter in the drawer.
    Things: letter, drawer.
    1. Find the letter.
    …
    8. Done.

What a task names is among the things already; the model adds what else it takes. Steps are about these things only, and
a model that is held to a grammar says each of them once: what has to be done again, corrections do. A trained model is
shown no examples, and few of the things in view; instead it is told how the things of the plan are (`Now:`).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from thinkaloud.errors import Unparseable
from thinkaloud.methods.hicrisp.cases import cases
from thinkaloud.methods.hicrisp.plan_examples import PLAN_EXAMPLES, PlanExample
from thinkaloud.models import Model, is_trained
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.names import restrict_vocabulary
from thinkaloud.plan.ending import conclude
from thinkaloud.plan.needed_things import choose_things, reason_to_decline, render_things, render_view
from thinkaloud.records import (
    Decision,
    Decline,
    Observation,
    Plan,
    Started,
    Step,
)
from thinkaloud.sentences import action_grammar, read_action
from thinkaloud.signatures import Vocabulary
from thinkaloud.worlds import World

_INTRODUCTION = (
    "A robot does what people ask for. First say which things the task takes, then what the robot does, one step in "
    "each line, and Done when nothing is left to do."
)
_DONE = "Done."
MOST_STEPS = 20


class WholePlan:
    """Plans once; what could not be put right on the way is left out, and said."""

    def __init__(self, model: Model, world: World, examples: Sequence[PlanExample] = PLAN_EXAMPLES) -> None:
        self._model, self._world = model, world
        self._examples = [each for each in examples if each.skills <= world.skills.keys()] or list(examples)

    async def plan(self, monologue: Monologue) -> Decision:
        """All the steps; later what is left of them, or that they have been carried out."""
        start = monologue.task_start()
        at = monologue.where(Plan, after=start)
        if at is None:
            return await self._made(monologue)
        plan = monologue[at].record
        assert isinstance(plan, Plan)
        taken = sum(not started.correcting for started in monologue.since(at, Started))
        left = plan.steps[taken:]
        given_up = [case.first for case in cases(monologue, start) if not case.fixed]
        if left and given_up:
            why = f"I could not put this right: {given_up[-1].step.words} ({given_up[-1].why}) I go on with the rest."
            return Plan(plan.goal, (), left, thought=why)
        failed = [each.step.words for each in given_up]
        return conclude(self._world, monologue, "the plan has been carried out", failed)

    async def _made(self, monologue: Monologue) -> Plan | Decline:
        request, scene = monologue.situation()
        if why := reason_to_decline(request.text, self._world, scene):
            return Decline(why)
        prompt = self._prompt(request.text, scene, monologue)
        things = await choose_things(self._model, prompt, request.text, scene)
        vocabulary = restrict_vocabulary(scene.vocabulary, things)
        known = self._known(vocabulary)
        state = render_things(self._model, things, self._world, scene)
        lines = [f"{prompt} {', '.join(things)}.", *state.splitlines()]
        steps: list[Step] = []
        while len(steps) < MOST_STEPS:
            start = f"{len(steps) + 1}."
            text = await self._line("\n".join([*lines, start]), steps, known, vocabulary)
            lines.append(f"{start} {text}")
            if text.rstrip(".").lower() == "done":
                break
            steps.append(known.get(text) or read_action(text, self._world.skills, scene.vocabulary))
        if not steps:
            raise Unparseable("The plan has no steps; say what the robot does.", lines[-1])
        return Plan(request.text, (), tuple(steps))

    async def _line(self, prompt: str, steps: Sequence[Step], known: dict[str, Step], vocabulary: Vocabulary) -> str:
        options = self._options(known, vocabulary, steps)
        if steps:
            options.append(gbnf.literal(_DONE))
        if not options:
            raise Unparseable("No skill fits anything that the plan is about; name other things.")
        root = gbnf.sequence(gbnf.literal(" "), gbnf.choice(options), gbnf.literal("\n"))
        answer = await self._model.complete(prompt, stop=["\n"], grammar=gbnf.grammar(root), most=40)
        return answer.text.strip()

    def _known(self, vocabulary: Vocabulary) -> dict[str, Step]:
        """All that could be said of the things of the plan, by its words."""
        skills = self._world.skills.values()
        steps = [skill.step(call) for skill in skills for call in skill.signature.calls(vocabulary)]
        return {step.words: step for step in reversed(steps)}

    def _options(self, known: dict[str, Step], vocabulary: Vocabulary, steps: Sequence[Step]) -> list[str]:
        """The grammar of what has not been said yet; empty where no skill fits the things of the plan."""
        said, countable = {step.words for step in steps}, {step.skill for step in known.values()}
        fresh = [words for words in reversed(known) if words not in said]
        options = [gbnf.branching(fresh)] if fresh else []
        with suppress(Unparseable):  # of skills that take numbers, or can be called in too many ways to write down
            uncounted = {name: skill for name, skill in self._world.skills.items() if name not in countable}
            options.append(action_grammar(uncounted, vocabulary, steps))
        return options

    def _prompt(self, request: str, scene: Observation, monologue: Monologue) -> str:
        refused = monologue.refusals()
        note = f"Not usable: {refused[-1].why}\n" if refused else ""
        at_hand = f"{render_view(self._model, self._world, scene)}Task: {request}\n{note}Things:"
        if is_trained(self._model):
            return at_hand
        return "\n\n".join([_INTRODUCTION, *(each.text() for each in self._examples), at_hand])

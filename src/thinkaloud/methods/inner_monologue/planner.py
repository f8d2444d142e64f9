"""Inner Monologue's planner: the next step from the whole transcript, in the language of the paper's Listing 1.

What it says is constrained to sentences about the skills and objects at hand where the model can be constrained, and
parsed in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

from thinkaloud.errors import Unparseable
from thinkaloud.methods.inner_monologue.next_steps import StepFinder
from thinkaloud.methods.inner_monologue.short_goals import (
    GOAL,
    can_state_goal,
    read_missing,
    read_subgoals,
    short_goal_grammar,
)
from thinkaloud.models import Model, is_trained
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.plan.demonstrations import TABLETOP, Demonstration
from thinkaloud.plan.transcript import Feedback, Transcript
from thinkaloud.records import Condition, Decision, Decline, Done, Observation, Plan, Started, Step, Verdict
from thinkaloud.sentences import action_grammar, goal_list_grammar, read_action, read_goal, steps_towards
from thinkaloud.skills import Vocabulary
from thinkaloud.worlds import World

_T = TypeVar("_T")
DONE = "Done."
_LONGEST = 800  # tokens; the grammar ends a sentence long before, save for a goal of a dozen things with long names


@dataclass
class InnerMonologue:
    """Thinks one step ahead. With Scene feedback it states the goal first and a thought before each action."""

    model: Model
    world: World
    feedback: Feedback = "object+scene"
    demonstrations: Sequence[Demonstration] = field(default=TABLETOP)

    async def plan(self, monologue: Monologue) -> Decision:
        """The goal, the next step, or done."""
        request, scene = monologue.situation()
        short = self._short(scene)
        prompt = self._prompt(monologue, short)
        if self.feedback == "object+scene" and short:
            return await self._by_subgoals(prompt, monologue, request.text, scene)
        if self.feedback != "object+scene":
            step = await self._action(prompt, monologue, scene.vocabulary)
            return Done("the planner has no further action") if step is None else Plan(request.text, (), (step,))
        goal = monologue.goal()
        if not goal:
            return await self._goal(prompt, request.text, scene.vocabulary)
        if not monologue.in_task(Started):
            first = await self._action(prompt, monologue, scene.vocabulary, may_end=False)
            return Plan(request.text, goal, (first,) if first else ())
        thought, step = await self._thought_and_action(prompt, monologue, scene.vocabulary)
        return Plan(request.text, goal, (step,), thought, verbatim=thought)

    async def _by_subgoals(self, prompt: str, monologue: Monologue, request: str, scene: Observation) -> Decision:
        """The same for a model that was trained for it: it says what is wanted, and chooses among the steps for that.

        Which things a subgoal speaks of and what is still open is found from what is seen; no thought is needed for it.
        """
        stated = next((p.verbatim for p in monologue.in_task(Plan) if p.verbatim.startswith(GOAL)), "")
        if not stated:
            return await self._state_goal(prompt, request, scene)
        taken = len(monologue.in_task(Started))
        finder = StepFinder(self.world, scene, read_subgoals(stated, self.world.relations, scene.vocabulary), taken)
        found = finder.next_steps()
        if not found.open:
            return Plan(request, found.conditions, ())  # met in another way than was last thought of
        if not found.steps:
            lost = " and the ".join(found.gone) or _things(found.open)
            return Done(f"nothing can be done about the {lost} from here", "gave up")
        thought = f"Open: {_things(found.open)}." if taken else ""
        if thought:
            prompt += f"Robot thought: {thought}\n"
        options = gbnf.sequence(gbnf.literal(" "), gbnf.one_of(step.words for step in found.steps))

        def read(text: str) -> Step:
            offered = next((step for step in found.steps if step.words == text.strip()), None)
            return offered or read_action(text, self.world.skills, scene.vocabulary)

        step = await self._say("Robot action:", prompt, options, read)
        return Plan(request, finder.conditions_for(found, step), (step,), thought, verbatim=thought)

    async def _state_goal(self, prompt: str, request: str, scene: Observation) -> Decision:
        """The goal in a few words, or what is missing for it."""
        relations = self.world.relations

        def read(text: str) -> Decision:
            if (missing := read_missing(text, scene.vocabulary)) is not None:
                return Decline(f"There is no {missing} here. There is: {', '.join(scene.objects) or 'nothing'}.")
            subgoals = read_subgoals(text, relations, scene.vocabulary)
            return Plan(
                request, StepFinder(self.world, scene, subgoals).next_steps().conditions, (), verbatim=text.strip()
            )

        return await self._say(
            "Robot thought:", prompt, short_goal_grammar(relations, scene.vocabulary), read, whole=True
        )

    def _short(self, scene: Observation) -> bool:
        """Whether the short form will do: for a trained model, where a goal can be said in it."""
        if not is_trained(self.model):
            return False
        return self.feedback != "object+scene" or can_state_goal(self.world.relations, scene.vocabulary)

    def _prompt(self, monologue: Monologue, short: bool) -> str:
        lines = Transcript(self.feedback, progress=not short).lines(monologue)
        if short:
            return "\n".join(lines) + "\n"
        return _shown(tuple(self.demonstrations), self.feedback) + "\n".join(lines) + "\n"

    async def _goal(self, prompt: str, request: str, vocabulary: Vocabulary) -> Plan:
        listed = goal_list_grammar(self.world.relations, vocabulary)
        root = gbnf.sequence(gbnf.literal(" Goal state is ["), listed, gbnf.literal("]."))

        def read(text: str) -> Plan:
            return Plan(request, read_goal(text, self.world.relations, vocabulary), (), verbatim=text.strip())

        return await self._say("Robot thought:", prompt, root, read)

    async def _action(
        self, prompt: str, monologue: Monologue, vocabulary: Vocabulary, *, may_end: bool = True
    ) -> Step | None:
        useful = self._useful(monologue, vocabulary)
        if may_end:
            root = gbnf.choice([*([useful] if useful else ()), gbnf.literal(DONE)])
        else:
            root = useful or action_grammar(self.world.skills, vocabulary)

        def read(text: str) -> Step | None:
            ended = may_end and text.strip().rstrip(".").lower() == "done"
            return None if ended else read_action(text, self.world.skills, vocabulary)

        return await self._say("Robot action:", prompt, gbnf.sequence(gbnf.literal(" "), root), read)

    async def _thought_and_action(self, prompt: str, monologue: Monologue, vocabulary: Vocabulary) -> tuple[str, Step]:
        action = self._useful(monologue, vocabulary) or action_grammar(self.world.skills, vocabulary)
        root = gbnf.sequence(gbnf.literal(" "), gbnf.LINE, gbnf.literal("\nRobot action: "), action)

        def read(text: str) -> tuple[str, Step]:
            thought, separator, sentence = text.partition("\nRobot action:")
            if not separator:
                raise Unparseable("After the thought comes a line that begins with 'Robot action:'.")
            return thought.strip(), read_action(sentence, self.world.skills, vocabulary, reason=thought.strip())

        return await self._say("Robot thought:", prompt, root, read, stop=("\nScene:", "\nHuman:"))

    async def _say(
        self,
        label: str,
        prompt: str,
        root: str,
        read: Callable[[str], _T],
        stop: tuple[str, ...] = ("\n",),
        whole: bool = False,
    ) -> _T:
        grammar = root if whole else gbnf.grammar(root)
        said = await self.model.complete(prompt + label, stop=stop, grammar=grammar, most=_LONGEST)
        try:
            return read(said.text)
        except Unparseable as error:
            raise Unparseable(str(error), label + said.text) from None

    def _useful(self, monologue: Monologue, vocabulary: Vocabulary) -> str | None:
        """The grammar of an action that makes sense after the feedback so far.

        With Scene feedback that is one which serves a condition of the stated goal that is still open, if there is any
        with what is in view; else anything but what was seen to work and has not been touched since. None where all
        that can be done has worked already.
        """
        scene = monologue.last(Observation)
        if scene is not None and scene.achieved is not None:
            achieved = {condition.words for condition in scene.achieved}
            open_ = [condition for condition in monologue.goal() if condition.words not in achieved]
            if steps := steps_towards(self.world, scene, open_):
                return gbnf.one_of(step.words for step in steps)
        worked: dict[object, Step] = {}
        for verdict in monologue.in_task(Verdict):
            thing = next(iter(verdict.step.arguments.values()), None)
            worked.pop(thing, None)
            if verdict.ok:
                worked[thing] = verdict.step
        try:
            return action_grammar(self.world.skills, vocabulary, list(worked.values()))
        except Unparseable:
            if not worked:
                raise
            return None


def _things(conditions: Sequence[Condition]) -> str:
    """What conditions speak of, each thing once."""
    return ", ".join(dict.fromkeys(str(next(iter(condition.arguments.values()))) for condition in conditions))


@cache
def _shown(demonstrations: tuple[Demonstration, ...], feedback: Feedback) -> str:
    """The demonstrations as this variant would have seen them."""
    transcript = Transcript(feedback)
    ending = "Robot thought: None." if feedback == "object+scene" else f"Robot action: {DONE}"
    told = (d.monologue(failures=feedback != "object") for d in demonstrations)
    return "".join("\n".join([*transcript.lines(said), ending]) + "\n\n" for said in told)

"""MultiTalk's planner: a whole plan with a reason for each step, or questions, or another look, or nothing to do.

It talks with everybody until the plan is sound: an analyzer criticises it, a simulator tries it, perception looks
again, and a person answers. What they say is added at the end of one growing dialogue, which is the prompt. The model
decides everything: which things and places, in which order, what it asks and when it looks again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from thinkaloud.errors import RefusedBefore, Unparseable
from thinkaloud.language.words import says_no
from thinkaloud.methods.multitalk.dialogue_examples import DialogueExample
from thinkaloud.methods.multitalk.dialogue_text import THOUGHT_LABEL
from thinkaloud.methods.multitalk.planner_answers import (
    ANSWER_END,
    MOST_ANSWER_STEPS,
    dialogue_answer_grammar,
    is_nothing,
    is_rerun,
    read_instructions,
    read_questions,
    read_thought,
)
from thinkaloud.methods.multitalk.planner_examples import examples_for
from thinkaloud.methods.multitalk.prompt import (
    PLANNER,
    PROMPTS,
    render_actions,
    render_dialogue,
    render_names,
    render_query_values,
    render_robot_description,
    thinks,
)
from thinkaloud.methods.multitalk.repeated_plans import (
    OtherAnswers,
    Question,
    RefusedStart,
    refused_starts,
    require_change,
)
from thinkaloud.models import Model, Prompts
from thinkaloud.models.contract import complete_weighed
from thinkaloud.monologue import Monologue
from thinkaloud.plan.final_conditions import check_or_done, find_lasting
from thinkaloud.records import (
    Answer,
    Ask,
    Decision,
    Done,
    Look,
    Observation,
    Outcome,
    Plan,
    Request,
    Started,
    Verdict,
)
from thinkaloud.worlds import World

_LONGEST = 50 * MOST_ANSWER_STEPS
_PREFERENCE = re.compile(
    r"\b(?:prefer\w*|any|anything|matters?|care|mind|particular|specific|certain|else)\b", re.IGNORECASE
)
"""For a question about an optional preference, no is an answer."""


@dataclass
class MultiTalk:
    """Plans, asks, has the scene looked at again, or leaves everything as it is.

    With `asks` off, nobody can answer; with `looks` off, perception cannot be told to look again.
    """

    model: Model
    world: World
    asks: bool = True
    looks: bool = True
    examples: Sequence[DialogueExample] | None = field(default=None)
    prompts: Prompts = field(default_factory=PROMPTS.open)

    def __post_init__(self) -> None:
        self._others = OtherAnswers(self.model)

    async def plan(self, monologue: Monologue) -> Decision:
        """Return a plan for the request; after it has been carried out, what must be true now."""
        request, scene = monologue.situation()
        if (over := self._carried_out(monologue)) is not None:
            return over
        if was_told_no(monologue):
            return Done("you said no", "left off")
        grammar = dialogue_answer_grammar(
            self.world.skills, scene.vocabulary, asks=self.asks, looks=self.looks, thinks=self._thinks
        )
        prompt, refused = self.prompt(monologue), refused_starts(monologue)
        complete = partial(complete_weighed, self.model) if refused else self.model.complete
        stop = [ANSWER_END] * self._thinks  # in the paper's form, an empty line may follow a heading
        said = await complete(prompt, grammar=grammar, stop=stop, most=_LONGEST)
        try:
            try:
                return self._changed(said.text, request.text, scene, monologue, refused)
            except RefusedBefore:
                read = partial(read_instructions, skills=self.world.skills, vocabulary=scene.vocabulary)
                question = Question(prompt, grammar, stop, _LONGEST, read)
                async for other in self._others.to(question, said, refused):
                    with suppress(Unparseable):
                        return self._changed(other, request.text, scene, monologue, refused)
                raise
        except Unparseable as error:
            words = said.text.strip().removeprefix(THOUGHT_LABEL).strip()
            raise type(error)(str(error), f"{THOUGHT_LABEL} {words}" if self._thinks else words) from None

    def _changed(
        self, said: str, request: str, scene: Observation, monologue: Monologue, refused: Sequence[RefusedStart]
    ) -> Decision:
        """Parse an answer; RefusedBefore if it is a plan that begins as one that was refused."""
        decision = self._read(said, request, scene, monologue)
        if isinstance(decision, Plan):
            require_change(decision.steps, refused)
        return decision

    def _read(self, said: str, request: str, scene: Observation, monologue: Monologue) -> Decision:
        """Parse an answer; Unparseable if it has no valid form, or asks when nobody can answer."""
        thought = read_thought(said)
        if is_nothing(said):
            answered = monologue.last(Answer, after=monologue.task_start()) is not None
            return Done(thought or "nothing has to be done", "left off" if answered else "finished")
        if is_rerun(said):
            if not self.looks:
                raise Unparseable("Perception cannot look again; plan with what there is.")
            return Look(thought or "something that is needed is not in view")
        if questions := read_questions(said):
            if not self.asks:
                raise Unparseable("Nobody is there to answer; go ahead with your own interpretation.")
            return Ask(questions, thought)
        steps = read_instructions(said, self.world.skills, scene.vocabulary)
        return Plan(request, (), steps, thought, verbatim=thought)

    # The end ----------------------------------------------------------------------------------------------------------

    def _carried_out(self, monologue: Monologue) -> Decision | None:
        """Return the result once a plan has been started; None if it is time to plan."""
        at = monologue.where(Plan, after=monologue.task_start())
        plan = monologue.last(Plan, after=monologue.task_start())
        if at is None or plan is None or monologue.where(Started, after=at) is None:
            return Done("all the steps were carried out") if plan is not None and plan.conditions else None
        outcome, verdicts = monologue.last(Outcome), monologue.since(at, Verdict)
        if verdicts and not verdicts[-1].ok:
            if outcome is not None and outcome.ending == "interrupted":
                return None
            failed = verdicts[-1]
            why = (failed.why or failed.observed).rstrip(".")
            return Done(f"this did not work: {failed.step.words.rstrip('.')} ({why})", "gave up")
        conditions = find_lasting(self.world, _before_anything(monologue), monologue.worked())
        return check_or_done(plan.goal, conditions, "all the steps were carried out", monologue)

    # The prompt -------------------------------------------------------------------------------------------------------

    def prompt(self, monologue: Monologue) -> str:
        """Return how to answer, examples, the robot, and the dialogue about the current request, up to the answer."""
        seen = monologue.first(Observation, after=monologue.task_start())
        robot = render_robot_description(self.world, asks=self.asks) + (
            "" if seen is None else render_names(self.world, seen)
        )
        examples = examples_for(self.world.skills, asks=self.asks, looks=self.looks)
        told = [render_dialogue(each.monologue()) for each in (examples if self.examples is None else self.examples)]
        known = {"actions": render_actions(self.world), "examples": "\n".join(told)}
        values = {**render_query_values(robot, monologue), **known}
        first = self.prompts.introduce(self.model, PLANNER, self._words, values)
        dialogue = render_dialogue(monologue, robot, self.prompts, self._words)
        return first + dialogue + (THOUGHT_LABEL if self._thinks else "")

    @property
    def _words(self) -> list[str]:
        return ["questions"] * self.asks + ["looks"] * self.looks

    @property
    def _thinks(self) -> bool:
        return thinks(self.prompts, PLANNER, self._words)


def was_told_no(monologue: Monologue) -> bool:
    """Whether a person has just answered no, and nothing else: then nothing is done.

    For a question about an optional preference (`Do you prefer an order?`), no is an answer like any other.
    """
    heard = monologue.last((Request, Answer, *(Plan, Look, Started)))
    asked = monologue.last(Ask, after=monologue.task_start())
    if not isinstance(heard, Answer) or asked is None or asked.approval or not says_no(heard.text):
        return False
    return not any(_PREFERENCE.search(question) for question in asked.questions)


def _before_anything(monologue: Monologue) -> Observation:
    """Return the latest look before anything was done for the request, and what came into view only later."""
    first = next(event.index for event in monologue.order() if isinstance(event.record, Started))
    at = monologue.where(Observation, before=first)
    looks = monologue.since(None if at is None else at - 1, Observation)
    states = [look.state for look in looks if look.state is not None]
    if not states:
        return looks[0] if looks else Observation((), {})
    known = {name: each.attributes[name] for each in reversed(states) for name in each.attributes}
    objects = tuple(dict.fromkeys(name for each in states for name in each.objects))
    return replace(looks[0], state=replace(states[0], objects=objects, attributes=known))

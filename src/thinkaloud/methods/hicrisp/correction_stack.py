"""HiCRISP's correction stack (Ming et al., Algorithm 1): correct an error within the step, not after the task.

Failed steps are on a stack, each with its reason. The model is told the reason on top and the state of things. It says
which state is needed and the one action to do first. If that action works, the step on top of the stack is tried again;
if it fails, it goes on the stack itself. After a number of corrections, or when the stack is too deep, the step is
given up; the model may give up earlier. The stack is read from the monologue (`failure_history`), so it works under any
planner, and continues after a crash.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thinkaloud.errors import Unparseable
from thinkaloud.language.name_matching import all_names, restrict_vocabulary, things_in
from thinkaloud.language.sentences import action_grammar, read_action
from thinkaloud.methods.hicrisp.correction_examples import (
    CORRECTION_EXAMPLES,
    FIRST,
    HOPELESS,
    NOTHING_NEEDED,
    CorrectionExample,
)
from thinkaloud.methods.hicrisp.expected_states import expected_state_grammar
from thinkaloud.methods.hicrisp.failure_history import Case, under_way
from thinkaloud.methods.hicrisp.planner import PROMPTS
from thinkaloud.methods.hicrisp.skill_list import render_forms, render_skills
from thinkaloud.models import Model, Prompts
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.plan.needed_things import is_small
from thinkaloud.records import Observation, Plan, Request, Step, Verdict, WorldState
from thinkaloud.state.fact_sentences import facts_about
from thinkaloud.worlds import World

_THRESHOLD = 5
"""How many corrections are tried for a step, and how many failures the stack holds at most."""
_LATELY = 4
_SEEN = 8
"""How much of what was done, and of the state of things, the model is told."""
_ROLE = "corrector"


class CorrectionStack:
    """Proposes corrections with a language model, and says when to try the failed step again."""

    def __init__(
        self,
        model: Model,
        world: World,
        threshold: int = _THRESHOLD,
        examples: Sequence[CorrectionExample] = CORRECTION_EXAMPLES,
        prompts: Prompts | None = None,
    ) -> None:
        self._prompts = prompts or PROMPTS.open()
        self._model, self._world, self._threshold = model, world, threshold
        self._examples = [each for each in examples if each.skills <= world.skills.keys()] or list(examples)

    async def correct(self, verdict: Verdict, monologue: Monologue) -> Step | None:
        """Return the top of the stack after a correction that worked; else a correction, or None to give up."""
        case = under_way(monologue)
        if case is None:
            return None
        if case.retrying:
            return case.top.step
        if len(case.tries) >= self._threshold or len(case.stack) > self._threshold:
            return None
        return await self._proposed(case, monologue)

    async def _proposed(self, case: Case, monologue: Monologue) -> Step | None:
        scene = monologue.last(Observation) or self._world.observe()
        vocabulary = restrict_vocabulary(scene.vocabulary, {*self._relevant(case, scene, monologue)})
        prompt = self._prompt(case, scene, monologue)
        states = expected_state_grammar(self._world.relations, vocabulary, NOTHING_NEEDED, HOPELESS)
        needed = await self._say(prompt, states)
        if _same(needed, HOPELESS):
            return None
        said = await self._say(f"{prompt} {needed}\n{FIRST}", action_grammar(self._world.skills, vocabulary))
        reason = "" if _same(needed, NOTHING_NEEDED) else needed
        try:
            return read_action(said, self._world.skills, scene.vocabulary, reason)
        except Unparseable as error:
            raise Unparseable(str(error), said, _ROLE) from None

    async def _say(self, prompt: str, expression: str) -> str:
        grammar = gbnf.grammar(gbnf.sequence(gbnf.literal(" "), expression, gbnf.literal("\n")))
        said = await self._model.complete(prompt, stop=["\n"], grammar=grammar, most=60)
        return said.text.strip()

    def _prompt(self, case: Case, scene: Observation, monologue: Monologue) -> str:
        request = monologue.last(Request)
        worked = [each.step.words for each in monologue.in_task(Verdict) if each.ok]
        refused = monologue.refusals(Verdict)
        note = f"Not usable: {refused[-1].why}\n" if refused else ""
        at_hand = CorrectionExample(
            task="" if request is None else request.text,
            seen=tuple(self._seen(case, scene))[:_SEEN],
            done=tuple(worked[-_LATELY:]),
            failed=case.top.step.words,
            expected=case.top.step.reason,
            why=case.top.why,
            tried=tuple(each.step.words for each in case.tries if each.cause.same_as(case.top)),
        )
        skills = self._world.skills.values()
        known = {"examples": "\n\n".join(each.text() for each in self._examples), "steps": render_forms(skills)}
        shown = self._prompts.introduce(self._model, _ROLE, (), known)
        return f"{shown}{render_skills(skills)}\n{note}{at_hand.text()}"

    def _relevant(self, case: Case, scene: Observation, monologue: Monologue) -> list[str]:
        """Return what a correction may be about: everything if there is little, else what is named by the task, the
        plan, the failures and what is seen of these."""
        names = all_names(scene.vocabulary)
        if is_small(scene):
            return names
        request, plan = monologue.last(Request), monologue.last(Plan)
        words = [f"{each.step.words} {each.why}" for each in case.stack]
        words += [] if request is None else [request.text]
        words += [] if plan is None else [step.words for step in plan.steps]
        return things_in(" ".join([*words, *self._seen(case, scene)]), names)

    def _seen(self, case: Case, scene: Observation) -> Iterator[str]:
        """Return what is seen of the things that failed; if there is no written state, ask the world."""
        if scene.state is None:
            about = things_in(" ".join(each.step.words for each in case.stack), all_names(scene.vocabulary))
            told = facts_about(scene.objects, self._world, scene)
            yield from (words for words in told if things_in(words, about))
        else:
            yield from _state(case, scene)


def _state(case: Case, scene: Observation) -> Iterator[str]:
    """Return what is seen of the things in the failed step, and of what the robot holds."""
    state = scene.state or WorldState()
    names = all_names(scene.vocabulary)
    about = things_in(" ".join(f"{each.step.words} {each.why}" for each in case.stack), names)
    for relation in state.relations:
        things = [str(value) for value in relation.arguments.values()]
        if relation.relation in ("holding", "held") or any(thing in about for thing in things):
            yield relation.words
    for thing in about:
        yield from (
            f"The {thing} is {word}." for word, value in state.attributes.get(thing, {}).items() if value is True
        )


def _same(said: str, words: str) -> bool:
    return said.rstrip(".").lower() == words.rstrip(".").lower()

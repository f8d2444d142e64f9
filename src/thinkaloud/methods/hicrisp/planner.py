"""A whole plan up front, in sentences: every action with the state that it leads to (HiCRISP, Eq. 1).

    Can: find, grab, open, put in, …
    Seen: desk, chair, lamp, letter.
    Also: drawer, cup (2).
    Task: Put the letter in the drawer.
    Things: letter, drawer.
    Now: The drawer is closed.
    1. Find the letter. -> The robot is close to the letter.
    …
    7. Done.

The model writes all of it, except which things there are and the state of the plan's things. What it says should hold
after a step is the intermediate state that the step is compared with afterwards (see `expected_states`).
"""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.errors import Unparseable
from thinkaloud.language.name_matching import restrict_vocabulary
from thinkaloud.language.sentences import action_grammar, read_action
from thinkaloud.methods.hicrisp.expected_states import expected_state_grammar, read_states
from thinkaloud.methods.hicrisp.failure_history import cases
from thinkaloud.methods.hicrisp.plan_examples import PLAN_EXAMPLES, PlanExample
from thinkaloud.methods.hicrisp.skill_list import render_forms, render_skills
from thinkaloud.models import Model, PromptForm, Prompts
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.plan.final_conditions import conclude
from thinkaloud.plan.needed_things import (
    choose_things,
    is_small,
    names_for,
    reason_to_decline,
    render_needed_state,
    render_view,
)
from thinkaloud.records import Decision, Decline, Observation, Plan, Started, Step
from thinkaloud.skills.signatures import Vocabulary
from thinkaloud.worlds import World

PROMPTS = PromptForm("thinkaloud.methods.hicrisp")
_DONE = "Done."
_LEADS_TO = " -> "
NOTHING_NEW = "Nothing new."
"""The state after a step that leaves no trace."""
MOST_PLAN_STEPS = 20
_LONGEST_LINE, _MOST_STATED = 90, 2
"""Tokens in a line, and sentences in its state, if a grammar constrains the model."""


class WholePlan:
    """Plans once; what could not be corrected on the way is left out and reported."""

    def __init__(
        self,
        model: Model,
        world: World,
        examples: Sequence[PlanExample] = PLAN_EXAMPLES,
        prompts: Prompts | None = None,
    ) -> None:
        self._model, self._world, self._prompts = model, world, prompts or PROMPTS.open()
        self._examples = [each for each in examples if each.skills <= world.skills.keys()] or list(examples)

    async def plan(self, monologue: Monologue) -> Decision:
        """Return all the steps; later, the steps that are left, or that they have been carried out."""
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
        things = await choose_things(self._model, prompt, scene)
        grammar = self._grammar(restrict_vocabulary(scene.vocabulary, names_for(things, scene)))
        state = "" if is_small(scene) else render_needed_state(things, self._world, scene)
        lines = [f"{prompt} {', '.join(things) or 'none'}.", *state.splitlines()]
        steps: list[Step] = []
        while len(steps) < MOST_PLAN_STEPS:
            start = f"{len(steps) + 1}."
            said = await self._model.complete(
                "\n".join([*lines, start]), stop=["\n"], grammar=grammar, most=_LONGEST_LINE
            )
            text = said.text.strip()
            lines.append(f"{start} {text}")
            if text.rstrip(".").lower() == "done":
                break
            steps.append(self._read(text, scene))
        if not steps:
            raise Unparseable("The plan has no steps; say what the robot does.", lines[-1])
        return Plan(request.text, (), tuple(steps))

    def _read(self, text: str, scene: Observation) -> Step:
        """Return the step of a line; its reason is the state that it should lead to."""
        action, _, state = (part.strip() for part in text.partition(_LEADS_TO.strip()))
        stated = "" if state.rstrip(".").lower() == NOTHING_NEW.rstrip(".").lower() else state
        if stated:
            stated = " ".join(each.words for each in read_states(stated, self._world.relations, scene.vocabulary))
        return read_action(action, self._world.skills, scene.vocabulary, reason=stated)

    def _grammar(self, vocabulary: Vocabulary) -> str:
        """Return the grammar of a line: any step and any state in words about these things, or the end."""
        options = [gbnf.literal(_DONE)]
        action = action_grammar(self._world.skills, vocabulary)
        state = expected_state_grammar(self._world.relations, vocabulary, NOTHING_NEW, most=_MOST_STATED)
        options.append(gbnf.sequence(action, gbnf.literal(_LEADS_TO), state))
        return gbnf.grammar(gbnf.sequence(gbnf.literal(" "), gbnf.choice(options), gbnf.literal("\n")))

    def _prompt(self, request: str, scene: Observation, monologue: Monologue) -> str:
        refused = monologue.refusals()
        note = f"Not usable: {refused[-1].why}\n" if refused else ""
        skills = self._world.skills.values()
        known = {"examples": "\n\n".join(each.text() for each in self._examples), "steps": render_forms(skills)}
        state = render_needed_state(scene.objects, self._world, scene) if is_small(scene) else ""
        at_hand = f"{render_skills(skills)}\n{render_view(scene)}{state}Task: {request}\n{note}Things:"
        return self._prompts.introduce(self._model, "planner", (), known) + at_hand

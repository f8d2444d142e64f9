"""Changing a plan before it runs: which changes are possible, and what follows from them.

A person may reorder the steps, strike some out, change their arguments and add others. The new steps are checked like
any call of a skill, and against what must never be. Then they are what the person means: a part that understands
requests reads them, and the planner plans for that. Without such a part, they simply are the plan; when it is over, no
planner is asked to go on, since it might do what the person struck out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from thinkaloud.episode.guard import Guard
from thinkaloud.episode.progress import count_taken, plan_at_hand
from thinkaloud.errors import BadInput, SkillError, Unparseable
from thinkaloud.monologue import Monologue
from thinkaloud.records import (
    DECISIONS,
    Arguments,
    Done,
    End,
    Meaning,
    Plan,
    PlanEdit,
    Request,
    Started,
    Step,
    Verdict,
)
from thinkaloud.skills import Skill
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.skills.signatures import Vocabulary

MOST_STEPS = 60


class BadEdit(BadInput):
    """A change of the plan that is not possible; `step` is the number of the step that is wrong, from 0."""

    def __init__(self, step: int | None, why: str) -> None:
        super().__init__(why if step is None else f"Step {step + 1}: {why}")
        self.step = step


@dataclass(frozen=True, slots=True)
class WantedStep:
    """A step as somebody wants it: a skill, and its arguments."""

    skill: str
    arguments: Arguments


def check_steps(
    wanted: Sequence[WantedStep],
    skills: Mapping[str, Skill],
    vocabulary: Vocabulary,
    guard: Guard | None,
    monologue: Monologue,
) -> tuple[Step, ...]:
    """The steps of an edited plan; BadEdit if there is no such skill or thing, or something forbids them."""
    if not wanted:
        raise BadEdit(None, "No step is left. To do nothing, refuse the plan or say stop.")
    if len(wanted) > MOST_STEPS:
        raise BadEdit(None, f"The plan has {len(wanted)} steps; at most {MOST_STEPS} are allowed.")
    steps = tuple(_check(number, each, skills, vocabulary) for number, each in enumerate(wanted))
    refused = None if guard is None else guard.criticise(steps, monologue)
    if refused is not None and refused.violations:
        raise BadEdit(refused.violations[0].step, refused.violations[0].why)
    return steps


def _check(number: int, wanted: WantedStep, skills: Mapping[str, Skill], vocabulary: Vocabulary) -> Step:
    found = skills.get(wanted.skill)
    if found is None:
        raise BadEdit(number, f"There is no skill {wanted.skill[:40]!r}; there is: {', '.join(skills)}.")
    try:
        return found.step(found.signature.check(wanted.arguments, vocabulary))
    except (SkillError, Unparseable) as error:
        raise BadEdit(number, str(error)) from error


def steps_ahead(monologue: Monologue) -> tuple[Step, ...]:
    """The steps of the plan at hand that are still to do; empty if there is no plan that could be changed."""
    at, plan = plan_at_hand(monologue)
    if plan is None or monologue.where(End, after=at) is not None:
        return ()
    return tuple(step for step in plan.steps[count_taken(monologue, at) :] if step.skill not in STEPS)


def find_new_edit(monologue: Monologue) -> PlanEdit | None:
    """A change of the plan of which nothing has been made yet."""
    return edit if isinstance(edit := monologue.last((PlanEdit, Meaning, Request, *DECISIONS)), PlanEdit) else None


def plan_of_edit(edit: PlanEdit, monologue: Monologue) -> Plan:
    """The edited steps as the plan, for a mind that does not read what people mean."""
    before = monologue.last(Plan)
    return Plan("" if before is None else before.goal, (), edit.steps)


def is_agreed_edit(plan: Plan, at: int, monologue: Monologue) -> bool:
    """Whether a person wrote just these steps and agreed to them, and nothing else was asked for since."""
    edit = monologue.last((PlanEdit, Request), before=at)
    return isinstance(edit, PlanEdit) and edit.approved and edit.steps == plan.steps


def end_of_edited_plan(monologue: Monologue) -> Done | None:
    """How an edited plan ended that no part has understood: it is over, or a step of it did not work."""
    at, plan = plan_at_hand(monologue)
    if plan is None or at == 0 or not isinstance(monologue[at - 1].record, PlanEdit):
        return None
    verdicts = monologue.since(at, Verdict)
    if verdicts and not verdicts[-1].ok:
        return Done(f"this did not work: {verdicts[-1].step.words} {verdicts[-1].why}".strip(), "gave up")
    if count_taken(monologue, at) < len(plan.steps):  # something objects to a step
        return Done("a step of the plan that you wrote cannot be done now", "gave up")
    done = bool(monologue.since(at, Started))
    return Done("I did the steps that you wrote.") if done else None

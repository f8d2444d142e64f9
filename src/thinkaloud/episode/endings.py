"""What is said when a run is over: what had been understood, and what of it was checked. Never more than that."""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.episode.repeated_failures import find_repeated_failure
from thinkaloud.monologue import Monologue
from thinkaloud.records import End, Meaning, Observation, Plan, Started, Verdict
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.worlds.full_world import worth_saying

UNDERSTOOD = "I understood: "
"""What an ending begins with where somebody understood before planning."""
TAKEN = "I understood it as: "
"""What stands before what a plan shows of how the request was understood, where nobody did before planning."""
_MOST = 10
"""Conditions, or steps, that are said one by one."""


def tell_checked(monologue: Monologue) -> str:
    """What is said where every goal condition holds."""
    understood, looked = _understood(monologue), monologue.last(Observation)
    doubt = "" if looked is None or not looked.doubt else f" ({looked.doubt})"
    goal = _listed([condition.words for condition in worth_saying(monologue.goal())])
    if understood:
        return f"{understood} Checked: {goal}{doubt}"
    taken, head = _taken(monologue), f"every goal condition was checked in the world and holds{doubt}"
    if not taken:
        return head
    return f"{head}. {TAKEN}{taken} Checked: {'all of that.' if taken == goal else goal}"


def tell_unchecked(monologue: Monologue, because: str) -> str:
    """What is said where the planner is done and nothing could be checked."""
    understood = _understood(monologue)
    if understood:
        return f"{understood} Done: {because} What came of it could not be checked."
    taken, head = _taken(monologue), f"the planner says that it is done ({because}), but no check confirmed it"
    if not taken:
        return head
    steps = any(verdict.expected for verdict in monologue.in_task(Verdict))
    checked = "Each step alone was checked, what came of all of them was not." if steps else "Nothing was checked."
    return f"{head}. {TAKEN}{taken} {checked}"


def end_early(monologue: Monologue, exceeded: str | None) -> End | None:
    """How a run ends that has run into a limit, or repeats a step that changes nothing; None where it goes on."""
    if exceeded is not None:
        return End("limit", exceeded)
    return End("failed", repeated) if (repeated := find_repeated_failure(monologue)) else None


def _understood(monologue: Monologue) -> str:
    """What the plan at hand was made for; nothing where nobody understands before planning."""
    plan, meant = monologue.last(Plan), monologue.since(monologue.order_start(), Meaning)
    return f"{UNDERSTOOD}{plan.goal}" if plan is not None and meant else ""


def _taken(monologue: Monologue) -> str:
    """What plans show of how the request was understood: a goal stated first, a list in words, or else their steps."""
    plans = monologue.in_task(Plan)
    stated = next((plan.conditions for plan in plans if plan.steps or plan.conditions), ())
    outline = next((plan.outline for plan in reversed(plans) if plan.outline is not None), None)
    if outline is not None:
        return _listed([f"{line.rstrip('.')}." for line in outline.lines])
    if stated:
        return _listed([condition.words for condition in worth_saying(stated)])
    planned = [step.words for plan in plans for step in plan.steps if step.skill not in STEPS]
    begun = [started.step.words for started in monologue.in_task(Started) if started.step.skill not in STEPS]
    return _listed(list(dict.fromkeys(planned or begun)))


def _listed(sentences: Sequence[str]) -> str:
    more = f" And {len(sentences) - _MOST} more." if len(sentences) > _MOST else ""
    return f"{' '.join(sentences[:_MOST])}{more}"

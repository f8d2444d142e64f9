"""What stands in the way of a plan: a step that failed, or an objection; and how a plan is tried again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from thinkaloud.episode.guard import BY as GUARD
from thinkaloud.methods.thinkaloud.current_requests import Work
from thinkaloud.monologue import Monologue
from thinkaloud.records import Critique, Outcome, Plan, Rehearsal, Step, Verdict

CANNOT_KNOW = "I cannot tell whether this worked, so I do not do it again: "


def find_trouble(work: Work, monologue: Monologue) -> tuple[Step, str] | None:
    """Return the step that failed last, and why; or the objection of the critic or the rehearsal."""
    at = monologue.where(Plan, after=max(work.since, monologue.task_start()))
    if at is None:
        return None
    plan = monologue[at].record
    assert isinstance(plan, Plan)
    for critique in monologue.since(at, Critique):
        for violation in critique.violations:
            return plan.steps[violation.step or 0], violation.why
    for rehearsal in monologue.since(at, Rehearsal):
        if not rehearsal.feasible:
            return plan.steps[rehearsal.step or 0], rehearsal.error
    verdict, outcome = monologue.last(Verdict, after=at), monologue.last(Outcome, after=at)
    if verdict is None or verdict.ok or (outcome is not None and outcome.ending == "interrupted"):
        return None  # an interrupted step is started again
    return verdict.step, " ".join(filter(None, [verdict.why, verdict.observed])) or "It did not work."


def refused_by_guard(monologue: Monologue, work: Work) -> tuple[Step, str] | None:
    """Return the step of the latest plan that the guard refused, and why, if it did."""
    at = monologue.where(Plan, after=max(work.since, monologue.task_start()))
    plan, said = monologue.last(Plan), monologue.since(at, Critique) if at is not None else []
    found = [violation for each in said if each.by == GUARD for violation in each.violations]
    return (plan.steps[found[-1].step or 0], found[-1].why) if plan is not None and plan.steps and found else None


def try_again(plan: Plan, failed: Step) -> Plan:
    """Return a plan after a failure; if it begins with the failed step, say so."""
    told = f"I try it again: {failed.words} {plan.thought}".strip()
    return replace(plan, thought=told) if plan.steps[:1] == (failed,) else plan


def sound_part(monologue: Monologue, actions: Sequence[Step]) -> tuple[Step, ...]:
    """Return the part of a plan that was rehearsed without trouble, up to the last requested action, because its
    effects may change what the rest needs. Empty if the first step failed."""
    at, plan = monologue.where(Plan), monologue.last(Plan)
    rehearsal = None if at is None else monologue.last(Rehearsal, after=at)
    if plan is None or rehearsal is None or rehearsal.feasible:
        return ()
    sound = plan.steps[: rehearsal.step or 0]
    asked = [place for place, step in enumerate(sound) if step in actions]
    return sound[: asked[-1] + 1] if asked else ()


def may_try(steps: tuple[Step, ...], monologue: Monologue) -> bool:
    """Whether exactly these steps have not been planned in spite of a rehearsal before."""
    return sum(plan.steps == steps for plan in monologue.in_task(Plan)) < 2

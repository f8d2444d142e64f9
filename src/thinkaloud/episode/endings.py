"""What a run says at its end: what the robot had understood, and what was checked. It never claims more than that."""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.episode.guard import BY as GUARD
from thinkaloud.episode.progress import find_refused_notes
from thinkaloud.episode.repeated_failures import find_repeated_failure
from thinkaloud.language.clauses import as_clause
from thinkaloud.language.words import in_a_row, sentence_of
from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, Critique, End, Meaning, Observation, Plan, Started, Verdict
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.worlds.full_world import worth_saying

UNDERSTOOD = "I understood: "
"""Begins an ending if the robot understood the request before it planned."""
TAKEN = "I understood it as: "
"""Begins an ending if only the plan shows how the request was understood."""
DONE = "Done: "
"""Comes before what was checked, or what was done if nothing could be checked."""
_MOST = 10
"""Conditions or steps that are named one by one."""


def tell_checked(monologue: Monologue, values: Sequence[Condition] = ()) -> str:
    """Say what was checked, once every goal condition holds; `values` are those that were changed."""
    looked, conditions = monologue.last(Observation), worth_saying(monologue.goal())
    checked = "(checked)" if looked is None or not looked.doubt else f"(checked; {looked.doubt})"
    done = f"{DONE}{_joined([_as_clause(each) for each in (*conditions, *values)]) or 'the goal is met'} {checked}."
    done = f"{done} {tell_refused_notes(monologue)}".rstrip()
    if understood := _understood(monologue):
        return f"{understood} {done}"
    taken = _taken(monologue)
    same = not taken or taken == _listed([condition.words for condition in conditions])
    return done if same else f"{TAKEN}{taken} {done}"


def tell_own_checks(monologue: Monologue, because: str, values: Sequence[Condition] = ()) -> str:
    """Say what was done, if the skills themselves checked it, and the values that were changed."""
    understood, changed = _understood(monologue), _joined([_as_clause(each) for each in values])
    if changed and understood.endswith(f"I will {because[:1].lower()}{because[1:]}"):  # it was just said what is done
        return f"{understood} {DONE}{changed} (checked)."
    told = f"{because} {_told_values(because, values)}".rstrip()
    return f"{understood} {DONE}{told.rstrip('.')} (checked).".lstrip()


def tell_unchecked(monologue: Monologue, because: str, values: Sequence[Condition] = ()) -> str:
    """Say what was done if nothing confirmed the result, and how the values are that it should have changed."""
    because = "; ".join(filter(None, [because, tell_refused_notes(monologue).rstrip(".")]))
    understood = _understood(monologue)
    if understood:
        told = f"{because} I could not check the result."
        return f"{understood} {DONE}{told} {_told_values(because, values)}".rstrip()
    taken, head = _taken(monologue), f"the planner says it is done ({because}), but no check confirmed it"
    if not taken:
        return head
    steps = any(verdict.expected for verdict in monologue.in_task(Verdict))
    checked = "Each step was checked, but not the overall result." if steps else "Nothing was checked."
    return f"{head}. {TAKEN}{taken} {checked}"


def _told_values(because: str, values: Sequence[Condition]) -> str:
    """The values as a sentence, without those that are told already."""
    new = [_as_clause(each) for each in values if each.words not in because]
    return sentence_of(_joined(new)) if new else ""


def tell_refused_notes(monologue: Monologue) -> str:
    """Say what could not be remembered, and why; empty if everything was."""
    refused = [f"{step.words.rstrip('.')} ({why.rstrip('.')})" for step, why in find_refused_notes(monologue)]
    return f"I could not remember this, so my notes are as before: {'; '.join(refused)}." if refused else ""


def end_early(monologue: Monologue, exceeded: str | None) -> End | None:
    """The ending, if the run hit a limit or keeps repeating a step that is forbidden or changes nothing; or None."""
    objections = [each.violations[0].why for each in monologue.in_task(Critique) if each.by == GUARD]
    if objections[:-1] and objections[-1] in objections[:-1]:
        return End("declined", objections[-1])
    if exceeded is not None:
        return End("limit", exceeded)
    return End("failed", repeated) if (repeated := find_repeated_failure(monologue)) else None


def _understood(monologue: Monologue) -> str:
    """What the current plan was made for; empty if the preset does not understand requests before planning."""
    plan, meant = monologue.last(Plan), monologue.since(monologue.order_start(), Meaning)
    return f"{UNDERSTOOD}{plan.goal}" if plan is not None and meant else ""


def _taken(monologue: Monologue) -> str:
    """How the plans show the request was understood: a list in words, the goal stated first, or else their steps."""
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


def _as_clause(condition: Condition) -> str:
    return as_clause(condition.words, condition.arguments.values())


def _joined(clauses: Sequence[str]) -> str:
    more = [f"{len(clauses) - _MOST} more conditions hold"] if len(clauses) > _MOST else []
    return in_a_row([*clauses[:_MOST], *more])


def _listed(sentences: Sequence[str]) -> str:
    more = f" And {len(sentences) - _MOST} more." if len(sentences) > _MOST else ""
    return f"{' '.join(sentences[:_MOST])}{more}"

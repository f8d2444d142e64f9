"""The outline of a plan on two levels, read off the monologue: what is done, what is left, what a new one changes."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import End, Outcome, Plan, Request, Started, Step, Verdict


def order_start(monologue: Monologue) -> int:
    """Where what is being made was first asked for: the first request since the latest end; later ones change it."""
    ended = monologue.where(End)
    for event in list(monologue)[0 if ended is None else ended + 1 :]:
        if isinstance(event.record, Request):
            return event.index
    return -1


def outlined(monologue: Monologue) -> Plan | None:
    """The latest plan with an outline."""
    plans = monologue.since(None, Plan)
    return next((plan for plan in reversed(plans) if plan.outline), None)


def completed(monologue: Monologue, *, before: int | None = None) -> list[str]:
    """The lines that have been carried out since the order came, over all the plans that were made for it.

    With `before`, those that were begun before an event: what was under way then may have been finished after it.
    """
    found: list[str] = []
    start, events = order_start(monologue), list(monologue)
    for event in events[start:before] if start >= 0 else ():
        plan = event.record
        if isinstance(plan, Plan) and plan.doing is not None and _all_worked(monologue, events, event.index):
            found.append(plan.outline[plan.doing])
    return found


def worked(monologue: Monologue, *, before: int | None = None) -> list[Step]:
    """All the steps that worked since the order came, whatever line they were for.

    With `before`, those that were begun before an event: what was under way then may have been finished after it.
    """
    start, events = order_start(monologue), list(monologue)
    later = events[before:] if before is not None else []
    end = next((event.index for event in later if isinstance(event.record, Plan | Started)), None)
    return _worked(monologue, start, end) if start >= 0 else []


def position(monologue: Monologue, *, earlier: bool = False) -> tuple[Plan | None, int]:
    """The plan with the outline for the request at hand, and the number of the line that comes next.

    With `earlier`, that of an earlier request for the same order, which the one at hand wants to change.
    """
    start, end = monologue.task_start(), None
    if earlier:
        start, end = order_start(monologue), start
    current: Plan | None = None
    line, events = 0, list(monologue)
    for event in events[start + 1 : end]:
        if isinstance(plan := event.record, Plan) and plan.outline:
            if plan.doing is None and (current is None or not plan.conditions):
                line = 0
            elif plan.doing is not None:
                line = plan.doing + _all_worked(monologue, events, event.index)
            current = plan
    return current, line


def unfinished(plan: Plan, monologue: Monologue) -> list[str]:
    """The lines of a plan's outline that were given up or left out."""
    start, events = monologue.task_start(), list(monologue)
    done = {
        event.record.doing
        for event in events[start + 1 :]
        if isinstance(event.record, Plan) and event.record.outline and _all_worked(monologue, events, event.index)
    }
    return [line for number, line in enumerate(plan.outline) if number not in done]


def _all_worked(monologue: Monologue, events: Sequence[Event], index: int) -> bool:
    """Whether all the steps of the plan at an index were carried out and found to have worked."""
    plan = events[index].record
    assert isinstance(plan, Plan)
    end = next((event.index for event in events[index + 1 :] if isinstance(event.record, Plan)), len(events))
    return len(_worked(monologue, index, end)) >= len(plan.steps)


def _worked(monologue: Monologue, start: int, end: int | None) -> list[Step]:
    """The steps that were carried out between two events and found to have worked; what corrects counts once."""
    good: list[Step] = []
    events = list(monologue)[start + 1 : end]
    judged = any(isinstance(event.record, Verdict) for event in monologue)
    started: Step | None = None
    for event in events:
        match event.record:
            case Started(step=step):
                started = step
            case Outcome(ending="completed") if not judged and started is not None:
                good.append(started)
            case Verdict(ok=True) if started is not None:
                good.append(started)
            case _:
                pass
    return good


def difference(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, str]]:
    """What becomes of the old lines: kept ("="), dropped ("-") or new ("+"), in reading order."""
    found: list[tuple[str, str]] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(a=list(old), b=list(new), autojunk=False).get_opcodes():
        if tag == "equal":
            found += [("=", line) for line in new[c:d]]
        else:
            found += [("-", line) for line in old[a:b]] + [("+", line) for line in new[c:d]]
    return found

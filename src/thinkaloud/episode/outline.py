"""The outline of a two-level plan, read from the monologue: what is done, what is left, what a new one changes."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence

from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import Outline, Plan


def find_outlined(monologue: Monologue) -> Plan | None:
    """The latest plan with an outline."""
    return next((plan for plan in reversed(monologue.since(None, Plan)) if plan.outline), None)


def completed_lines(monologue: Monologue, *, before: int | None = None) -> list[str]:
    """The lines carried out since the order began, over all plans made for it.

    With `before`, those that started before an event; they may have finished after it.
    """
    begun = ((event, outline.line) for event, _, outline in _outlines(monologue.order(before=before)))
    return [line for event, line in begun if line is not None and _all_worked(monologue, event)]


def find_position(monologue: Monologue, *, earlier: bool = False) -> tuple[Plan | None, int]:
    """The plan with the outline for the current request, and the index of the next line.

    With `earlier`, that of an earlier request in the same order, which the current one changes.
    """
    current: Plan | None = None
    number = 0
    for event, plan, outline in _outlines(
        monologue.order(before=monologue.task_start()) if earlier else monologue.task()
    ):
        if outline.at is None:
            number = 0
        elif outline.line is not None:
            number = outline.at + _all_worked(monologue, event)
        current = plan
    return current, number


def find_unfinished(outline: Outline, monologue: Monologue) -> list[str]:
    """The lines of an outline that were given up or left out."""
    done = {each.at for event, _, each in _outlines(monologue.task()) if _all_worked(monologue, event)}
    return [line for number, line in enumerate(outline.lines) if number not in done]


def _outlines(events: Iterable[Event]) -> Iterator[tuple[Event, Plan, Outline]]:
    """The plans with an outline among events."""
    for event in events:
        if isinstance(plan := event.record, Plan) and plan.outline is not None:
            yield event, plan, plan.outline


def _all_worked(monologue: Monologue, event: Event) -> bool:
    """Whether all the steps of an event's plan were carried out and found to have worked."""
    assert isinstance(event.record, Plan)
    later = monologue[event.index + 1 :]
    end = next((each.index for each in later if isinstance(each.record, Plan)), len(monologue))
    return len(monologue.worked_between(event.index, end)) >= len(event.record.steps)


def difference(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, str]]:
    """What becomes of the old lines: kept ("="), dropped ("-") or new ("+"), in reading order."""
    found: list[tuple[str, str]] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(a=list(old), b=list(new), autojunk=False).get_opcodes():
        if tag == "equal":
            found += [("=", line) for line in new[c:d]]
        else:
            found += [("-", line) for line in old[a:b]] + [("+", line) for line in new[c:d]]
    return found

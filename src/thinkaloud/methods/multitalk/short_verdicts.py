"""What a trained analyzer says of a plan: that it is all right, or what does not agree with the person's words."""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.models import grammar as gbnf
from thinkaloud.records import Violation

OK = "ok"
WHERE_OPEN = "The human did not say where: ask."
DIRECTION_OPEN = "The human did not say in which direction: ask."
WHICH_OPEN = "It is not clear which one is meant: ask."
LEFT_OUT, NOT_MEANT, ELSEWHERE = "The {} is left out.", "The {} is not meant.", "The {} goes to another place."
AXIS, ORDER = "The line should run along {}.", "The order is another."


def short_verdict_grammar(names: Sequence[str]) -> str:
    """All that can be said; `names` are the things that are there."""
    faults = [gbnf.one_of((OK, WHERE_OPEN, DIRECTION_OPEN, WHICH_OPEN, ORDER, *(AXIS.format(axis) for axis in "xy")))]
    if names:
        about = [form.partition("{}")[2] for form in (LEFT_OUT, NOT_MEANT, ELSEWHERE)]
        faults.append(gbnf.sequence('"The "', gbnf.branching(names), gbnf.one_of(about)))
    return gbnf.grammar(gbnf.sequence('" "', gbnf.choice(faults), gbnf.literal("\n")))


def read_verdict(text: str) -> tuple[Violation, ...]:
    """What is wrong, which is about all of the plan; nothing where it is all right."""
    said = text.strip()
    return () if not said or said.rstrip(".!").lower() == OK else (Violation(None, said),)

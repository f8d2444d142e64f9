"""What is said when a run is over: what had been understood, and what of it was checked. Never more than that."""

from __future__ import annotations

from thinkaloud.monologue import Monologue
from thinkaloud.records import Meaning, Observation, Plan
from thinkaloud.worlds.whole import worth_saying

UNDERSTOOD = "I understood: "
"""What such an ending begins with."""
_MOST = 10
"""Conditions that are said one by one."""


def tell_checked(monologue: Monologue) -> str:
    """What is said where every goal condition holds."""
    understood, looked = _understood(monologue), monologue.last(Observation)
    doubt = "" if looked is None or not looked.doubt else f" ({looked.doubt})"
    if not understood:
        return f"every goal condition was checked in the world and holds{doubt}"
    goal = [condition.words for condition in worth_saying(monologue.goal())]
    more = f" And {len(goal) - _MOST} more." if len(goal) > _MOST else ""
    return f"{understood} Checked: {' '.join(goal[:_MOST])}{more}{doubt}"


def tell_unchecked(monologue: Monologue, because: str) -> str:
    """What is said where the planner is done and nothing could be checked."""
    understood = _understood(monologue)
    if not understood:
        return f"the planner says that it is done ({because}), but no check confirmed it"
    return f"{understood} Done: {because} What came of it could not be checked."


def _understood(monologue: Monologue) -> str:
    """What the plan at hand was made for; nothing where nobody understands before planning."""
    plan, meant = monologue.last(Plan), monologue.since(monologue.order_start(), Meaning)
    return f"{UNDERSTOOD}{plan.goal}" if plan is not None and meant else ""

"""Rehearsing for no longer than one can wait, and for no more than it can tell.

A skill that never ends would never end in the twin, either. And where a step can be done in the twin but does not bring
about what it should, the robot may learn from trying it (a sign that it reads, a thing that it finds) what the twin
cannot tell: such a step alone, planned in spite of that, passes.
"""

from __future__ import annotations

import asyncio

from thinkaloud.monologue import Monologue
from thinkaloud.records import Plan, Rehearsal, Started
from thinkaloud.rehearse import Rehearse

_LONGEST = 60.0
_MISSED = "Not so: "
"""What a rehearsal says of a step that was done and did not bring about what it should."""


class BoundedRehearsal:
    """Has a plan rehearsed, and lets it pass where that takes too long: nothing was found against it."""

    def __init__(self, rehearse: Rehearse, seconds: float = _LONGEST) -> None:
        self._rehearse, self._seconds = rehearse, seconds

    async def rehearse(self, plan: Plan, monologue: Monologue) -> Rehearsal:
        """What the other found, as far as it came."""
        try:
            found = await asyncio.wait_for(self._rehearse.rehearse(plan, monologue), self._seconds)
        except TimeoutError:
            return Rehearsal(True, seconds=self._seconds)
        refused = [each.error for each in monologue.in_task(Rehearsal) if not each.feasible]
        if len(plan.steps) == 1 and _MISSED in found.error and found.error in refused:
            return Rehearsal(True, lasted=found.lasted, seconds=found.seconds)
        return found


def seems_to_miss(monologue: Monologue) -> bool:
    """Whether the latest plan was refused for a step that can be done, but seems not to bring about what it should."""
    rehearsal = monologue.last((Rehearsal, Plan, Started))
    return isinstance(rehearsal, Rehearsal) and not rehearsal.feasible and _MISSED in rehearsal.error


def begun_plans(monologue: Monologue) -> list[Plan]:
    """The plans for the request at hand of which something was begun."""
    found: list[Plan] = []
    latest: Plan | None = None
    for event in monologue.task():
        if isinstance(event.record, Plan):
            latest = event.record
        elif isinstance(event.record, Started) and latest is not None:
            found.append(latest)
            latest = None
    return found

"""Limit a rehearsal to the time one can wait, and to what a twin can know.

A skill that never ends would never end in the twin, either. If a step can be done in the twin but lacks its expected
effect, trying it may teach the robot something that the twin cannot know (a sign that it reads, a thing that it finds).
So a plan of only that step passes if it is planned in spite of the rehearsal.
"""

from __future__ import annotations

import asyncio

from thinkaloud.monologue import Monologue
from thinkaloud.records import Plan, Rehearsal, Started
from thinkaloud.rehearse import Rehearse

_LONGEST = 60.0
_MISSED = "Not so: "
"""How a rehearsal reports a step that was done but lacked its expected effect."""


class BoundedRehearsal:
    """Rehearses a plan, and lets it pass if that takes too long, because nothing was found against it."""

    def __init__(self, rehearse: Rehearse, seconds: float = _LONGEST) -> None:
        self._rehearse, self._seconds = rehearse, seconds

    async def rehearse(self, plan: Plan, monologue: Monologue) -> Rehearsal:
        """Return what the rehearsal found, as far as it got."""
        try:
            found = await asyncio.wait_for(self._rehearse.rehearse(plan, monologue), self._seconds)
        except TimeoutError:
            return Rehearsal(True, seconds=self._seconds)
        refused = [each.error for each in monologue.in_task(Rehearsal) if not each.feasible]
        if len(plan.steps) == 1 and _MISSED in found.error and found.error in refused:
            return Rehearsal(True, lasted=found.lasted, seconds=found.seconds)
        return found


def seems_to_miss(monologue: Monologue) -> bool:
    """Whether the latest plan was refused for a step that can be done but seems to lack its expected effect."""
    rehearsal = monologue.last((Rehearsal, Plan, Started))
    return isinstance(rehearsal, Rehearsal) and not rehearsal.feasible and _MISSED in rehearsal.error


def begun_plans(monologue: Monologue) -> list[Plan]:
    """Return the plans for the current request that were started."""
    found: list[Plan] = []
    latest: Plan | None = None
    for event in monologue.task():
        if isinstance(event.record, Plan):
            latest = event.record
        elif isinstance(event.record, Started) and latest is not None:
            found.append(latest)
            latest = None
    return found

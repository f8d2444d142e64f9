"""Rehearsing for no longer than one can wait: a skill that never ends would never end in the twin, either."""

from __future__ import annotations

import asyncio

from thinkaloud.monologue import Monologue
from thinkaloud.records import Plan, Rehearsal
from thinkaloud.rehearse import Rehearse

_LONGEST = 60.0


class Patiently:
    """Has a plan rehearsed, and lets it pass where that takes too long: nothing was found against it."""

    def __init__(self, rehearse: Rehearse, seconds: float = _LONGEST) -> None:
        self._rehearse, self._seconds = rehearse, seconds

    async def rehearse(self, plan: Plan, monologue: Monologue) -> Rehearsal:
        """What the other found, as far as it came."""
        try:
            return await asyncio.wait_for(self._rehearse.rehearse(plan, monologue), self._seconds)
        except TimeoutError:
            return Rehearsal(True, seconds=self._seconds)

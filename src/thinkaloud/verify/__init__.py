"""Verify: check a step against the world, whatever the skill reported."""

from __future__ import annotations

from typing import Protocol

from thinkaloud.monologue import Monologue
from thinkaloud.records import Outcome, Verdict


class Verify(Protocol):
    """Checks a step instead of trusting the skill's report."""

    async def verify(self, outcome: Outcome, monologue: Monologue) -> Verdict:
        """Whether the step had its effect."""
        ...

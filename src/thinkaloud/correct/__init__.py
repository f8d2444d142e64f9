"""Correct: fix what went wrong before the plan goes on."""

from __future__ import annotations

from typing import Protocol

from thinkaloud.monologue import Monologue
from thinkaloud.records import Step, Verdict


class Correct(Protocol):
    """Knows what to try after a failure."""

    async def correct(self, verdict: Verdict, monologue: Monologue) -> Step | None:
        """A step that may fix it, or None to leave it to the planner.

        Called after every failed step, and after every correction, whether it worked or not.
        """
        ...

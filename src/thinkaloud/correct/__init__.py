"""Correct: put right what went wrong, before the plan goes on."""

from __future__ import annotations

from typing import Protocol

from thinkaloud.monologue import Monologue
from thinkaloud.records import Step, Verdict


class Correct(Protocol):
    """Knows what to try after a failure."""

    async def correct(self, verdict: Verdict, monologue: Monologue) -> Step | None:
        """A step that may put it right, or None to leave it to the planner.

        Asked after every step that failed, and after every correction, whether that worked or not.
        """
        ...

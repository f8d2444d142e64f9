"""Execute: carry a step out, tick by tick."""

from __future__ import annotations

from typing import Protocol

from thinkaloud.episode.ticks import Pace
from thinkaloud.monologue import Monologue
from thinkaloud.records import Outcome, Step


class Execute(Protocol):
    """Moves the robot."""

    async def execute(self, step: Step, monologue: Monologue, pace: Pace) -> Outcome:
        """What the skill reported. A person is heard between two ticks of the pace."""
        ...

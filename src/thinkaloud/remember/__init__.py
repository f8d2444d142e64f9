"""Remember: keep what can no longer be seen."""

from __future__ import annotations

from typing import Protocol

from thinkaloud.monologue import Monologue
from thinkaloud.records import WorldState


class Remember(Protocol):
    """Keeps a state of the world up to date."""

    async def remember(self, monologue: Monologue) -> WorldState | None:
        """Return the state after the latest event, or None if nothing changed."""
        ...

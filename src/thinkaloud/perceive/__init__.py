"""Perceive: what can be seen now, and what has changed since the last look."""

from __future__ import annotations

from typing import Protocol

from thinkaloud.monologue import Monologue
from thinkaloud.records import Observation


class Perceive(Protocol):
    """Looks at the world."""

    async def perceive(self, monologue: Monologue) -> Observation | None:
        """Return what is seen now, or None if this robot has no reason to look, or does not look again."""
        ...

"""Perceive: what is there to be seen now, and what has become of it."""

from __future__ import annotations

from typing import Protocol

from thinkaloud.monologue import Monologue
from thinkaloud.records import Observation


class Perceive(Protocol):
    """Looks at the world."""

    async def perceive(self, monologue: Monologue) -> Observation | None:
        """What is seen now, or None where this robot has no reason to look, or does not look again."""
        ...

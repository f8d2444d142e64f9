"""Rehearse: try a plan in a copy of the world before doing it in the world."""

from __future__ import annotations

from typing import Protocol

from thinkaloud.monologue import Monologue
from thinkaloud.records import Plan, Rehearsal


class Rehearse(Protocol):
    """Tries a plan where nothing can break."""

    async def rehearse(self, plan: Plan, monologue: Monologue) -> Rehearsal:
        """Whether it can be done, or the first step that cannot and its error. The world itself does not change."""
        ...

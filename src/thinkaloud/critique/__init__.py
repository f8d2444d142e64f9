"""Critique: find what is wrong with a plan before anything moves."""

from __future__ import annotations

from typing import Protocol

from thinkaloud.monologue import Monologue
from thinkaloud.records import Critique, Plan


class Critic(Protocol):
    """Looks for errors in a plan."""

    async def critique(self, plan: Plan, monologue: Monologue) -> Critique:
        """What is wrong, step by step; no violations if the plan is feasible."""
        ...

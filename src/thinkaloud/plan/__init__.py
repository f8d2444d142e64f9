"""Plan: decide what to do next. In every preset a language model decides."""

from __future__ import annotations

from typing import Protocol

from thinkaloud.monologue import Monologue
from thinkaloud.records import Decision


class Planner(Protocol):
    """Decides, from everything said so far."""

    async def plan(self, monologue: Monologue) -> Decision:
        """Return a plan, questions, another look, done, or a refusal. Raises Unparseable for unusable model output."""
        ...

"""Plan: decide what to do next. A language model does, in every preset."""

from __future__ import annotations

from typing import Protocol

from thinkaloud.monologue import Monologue
from thinkaloud.records import Decision


class Planner(Protocol):
    """Decides, from everything said so far."""

    async def plan(self, monologue: Monologue) -> Decision:
        """A plan, questions, another look, done, or no. Raises Unparseable for words it cannot use."""
        ...

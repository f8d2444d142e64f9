"""Understand: what a person said, as a short program over what this robot can do and tell; or that it is not clear.

Read in this order: `prompting` (how a model is asked for a program), `meaning` (what a program comes to just now),
`checking` (how sure that is), `deciding` (to act on it, or ask), and `reader`, the stage that puts them together. The
language itself is `thinkaloud.program`, the words for people are `thinkaloud.saying`. `docs/understanding.md` has the
way through.
"""

from __future__ import annotations

from typing import Protocol

from thinkaloud.monologue import Monologue
from thinkaloud.records import Meaning


class Understand(Protocol):
    """Says what a person means before anything is planned for."""

    async def understand(self, monologue: Monologue) -> Meaning:
        """What the latest request, or the latest answer, means as things are now."""
        ...

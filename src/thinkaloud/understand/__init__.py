"""Understand: what a person said, as a short program over what this robot can do and tell; or that it is not clear.

Read in this order: `lexicon` (what there is to speak of), `language` (what a program can say), `prompting` (how a model
is asked for one), `program`, `tree` and `evaluate` (what it wrote, and its value), `meaning` (what that comes to just
now), `checking` (how sure that is), `saying` (it all in plain words), `deciding` (to act on it, or ask), and `reader`,
the stage that puts them together. `docs/understanding.md` has the way through.
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

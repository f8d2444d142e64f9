"""Understand: what a person said, as a short program over what this robot can do and tell; or that it is not clear.

Read in this order: `lexicon` (what there is to speak of), `language` (what a program can say), `prompting` (how a model
is asked for one), `meaning` (what it comes to just now), `checking` (whether that is what was said), `saying` (it all
in plain words), `orders` (where there are guidelines), `replies` (an answer to our own question), `deciding` (to
act on it, or ask), and `reader`, the stage that puts them together.
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

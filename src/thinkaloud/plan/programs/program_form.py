"""The seam for a method that plans by programs: what its model sees, and what a program of it may say."""

from __future__ import annotations

from typing import Protocol

from thinkaloud.monologue import Monologue
from thinkaloud.records import Observation


class ProgramForm(Protocol):
    """How a method has programs written."""

    def render_prompt(self, monologue: Monologue) -> str:
        """Everything up to where the program for the query at hand begins."""
        ...

    def render_functions(self) -> str:
        """The line that says what a program may call."""
        ...

    def grammar(self, scene: Observation, monologue: Monologue) -> str:
        """What the model is held to."""
        ...

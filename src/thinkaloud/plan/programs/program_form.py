"""The contract of a method that plans with programs: what its model sees, and what a program may contain."""

from __future__ import annotations

from typing import Protocol

from thinkaloud.monologue import Monologue
from thinkaloud.records import Observation


class ProgramForm(Protocol):
    """How a method asks for programs."""

    def render_prompt(self, monologue: Monologue) -> str:
        """Return everything up to where the program for the current query begins."""
        ...

    def render_functions(self) -> str:
        """Return the line that says what a program may call."""
        ...

    def grammar(self, scene: Observation, monologue: Monologue) -> str:
        """Return the grammar for the model's answer."""
        ...

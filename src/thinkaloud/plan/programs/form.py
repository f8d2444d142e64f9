"""The seam for a method that plans by programs: what its model sees, and what a program of it may say and do."""

from __future__ import annotations

from typing import Protocol

from thinkaloud.monologue import Monologue
from thinkaloud.plan.programs.program import PlannedProgram
from thinkaloud.records import Observation


class ProgramForm(Protocol):
    """How a method has programs written."""

    def render_prompt(self, monologue: Monologue) -> str:
        """Everything up to where the program for the query at hand begins."""
        ...

    def grammar(self, scene: Observation, monologue: Monologue) -> str:
        """What the model is held to."""
        ...

    def program(self, scene: Observation, monologue: Monologue) -> PlannedProgram:
        """What the program is run against: the functions that it may call, and the steps that come of it."""
        ...

"""Examples for the planner of whole plans: tasks with the things they need and the steps that do them."""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.methods.hicrisp.answers import CANNOT, HOW_MANY, WHETHER
from thinkaloud.plan.example_files import read_examples

ANSWERS = (WHETHER, HOW_MANY, CANNOT)


@dataclass(frozen=True)
class PlanExample:
    """A task with its plan. `skills` is what a robot must be able to do for it."""

    task: str
    seen: tuple[str, ...]
    things: tuple[str, ...]
    steps: tuple[str, ...]
    skills: frozenset[str] = frozenset()

    def text(self) -> str:
        """Return the lines of a prompt."""
        over = () if self.steps[0].startswith(ANSWERS) else ("Done.",)
        numbered = [f"{number}. {step}" for number, step in enumerate((*self.steps, *over), 1)]
        seen, things = ", ".join(self.seen), ", ".join(self.things)
        return "\n".join([f"Seen: {seen}.", f"Task: {self.task}", f"Things: {things}.", *numbered])


PLAN_EXAMPLES = read_examples(__package__, "plan_examples.toml", PlanExample)

"""Examples for the corrector: everyday failures, each with the one thing that had to be done first."""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.plan.example_files import read_examples

NEEDED, FIRST = "Needed:", "Do first:"
NOTHING_NEEDED = "Nothing of that."
"""The answer if no fact that the robot can state is missing."""
HOPELESS = "Nothing helps."
"""The answer for a failure that nothing can correct: the step is given up at once."""


@dataclass(frozen=True)
class CorrectionExample:
    """A failure as the corrector reads it; without `needed` it is the current one, and ends where the answer begins.

    `expected` is the state that the step should have led to, according to the plan. `tried` is what was done about the
    same failure before, without success. `skills` is what a robot must be able to do for the example to make sense.
    """

    failed: str
    why: str
    needed: str = ""
    first: str = ""
    task: str = ""
    seen: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    expected: str = ""
    tried: tuple[str, ...] = ()
    skills: frozenset[str] = frozenset()

    def text(self) -> str:
        """Return the lines of a prompt."""
        told = {
            "Task": self.task,
            "Done": " ".join(self.done),
            "Seen": " ".join(self.seen),
            "Failed": self.failed,
            "Expected": self.expected,
            "Why": self.why,
            "Tried": " ".join(self.tried),
        }
        lines = [f"{name}: {text}" for name, text in told.items() if text]
        answer = f" {self.needed}" + (f"\n{FIRST} {self.first}" if self.first else "") if self.needed else ""
        return "\n".join([*lines, NEEDED]) + answer


CORRECTION_EXAMPLES = read_examples(__package__, "correction_examples.toml", CorrectionExample)

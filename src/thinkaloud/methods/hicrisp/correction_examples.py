"""What the corrector is shown: failures of everyday life, each with the one thing that had to be done first."""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.plan.example_files import read_examples

NEEDED, FIRST = "Needed:", "Do first:"
NOTHING_NEEDED = "Nothing of that."
"""What is needed where no fact that the robot can state is missing."""
HOPELESS = "Nothing helps."
"""What may be said of a failure that nothing puts right: the step is given up at once."""


@dataclass(frozen=True)
class CorrectionExample:
    """A failure as the corrector reads it; without `needed` it is the one at hand, and ends where the answer begins.

    `expected`: the state that the step should have led to, as the plan has it. `tried`: what was done about the very
    same failure before, and did not put it right. `skills`: what a robot has to be able to do for the example to make
    sense to it.
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
        """The lines of a prompt."""
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

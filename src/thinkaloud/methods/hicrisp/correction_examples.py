"""What the corrector is shown: failures of everyday life, each with the one thing that had to be done first."""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.plan.example_files import read_examples

NEEDED, FIRST = "Needed:", "Do first:"
NOTHING_NEEDED = "Nothing of that."
"""What is needed where no fact that the robot can state is missing."""
HOPELESS = "Nothing helps."
"""What a trained model may say of a failure that nothing puts right: the step is given up at once."""


@dataclass(frozen=True)
class CorrectionExample:
    """A failure as the corrector reads it; without `first` it is the one at hand, and ends where the answer begins.

    `skills`: what a robot has to be able to do for the example to make sense to it.
    """

    failed: str
    why: str
    needed: str = ""
    first: str = ""
    task: str = ""
    seen: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    skills: frozenset[str] = frozenset()

    def text(self) -> str:
        """The lines of a prompt."""
        lines = [f"Task: {self.task}"]
        if self.done:
            lines.append(f"Done: {' '.join(self.done)}")
        if self.seen:
            lines.append(f"Seen: {' '.join(self.seen)}")
        lines += [f"Failed: {self.failed}", f"Why: {self.why}", NEEDED]
        return "\n".join(lines) + (f" {self.needed}\n{FIRST} {self.first}" if self.first else "")


CORRECTION_EXAMPLES = read_examples(__package__, "correction_examples.toml", CorrectionExample)

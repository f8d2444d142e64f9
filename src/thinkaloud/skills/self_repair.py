"""Mending: what a skill puts right by itself, where it went wrong, without asking anybody.

A skill that notices a problem and knows a remedy asks `may_fix`. If the answer is yes it does what it announced, and
the outcome of the step tells of it; if it is no (the mind at hand wants to hear of every error, or this has been tried
often enough) the skill fails, or reports what it found.

    while not gripper.holds():
        if not may_fix("The gripper closed on nothing.", "Look again and grasp once more."):
            raise SkillError("The gripper closed on nothing.")
        await grasp(look())
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from thinkaloud.records import Fix

SO_ALREADY, NOTHING = "It is so already.", "Nothing to do."
"""What is said of a step that would change nothing."""


@dataclass
class Mending:
    """The remedies that have been tried in one step."""

    most: int
    fixes: list[Fix] = field(default_factory=list)

    def allows(self) -> bool:
        """Whether one more may be tried."""
        return len(self.fixes) < self.most

    def note(self, problem: str, remedy: str, *, looked: bool = False) -> None:
        """Something was put right, or at least tried."""
        self.fixes.append(Fix(problem, remedy, looked))


_current: ContextVar[Mending | None] = ContextVar("mending", default=None)


@contextmanager
def mending(most: int) -> Iterator[Mending]:
    """Skills called in this block may put right so many problems by themselves."""
    mended = Mending(most)
    token = _current.set(mended)
    try:
        yield mended
    finally:
        _current.reset(token)


def may_fix(problem: str, remedy: str, *, looked: bool = False) -> bool:
    """Whether the running skill may try a remedy; if so, that is noted. `looked`: it takes a look at the world."""
    mended = _current.get()
    if mended is None or not mended.allows():
        return False
    mended.note(problem, remedy, looked=looked)
    return True


def fixing() -> bool:
    """Whether a remedy would be allowed now; a skill that would look for errors of its own need not otherwise."""
    mended = _current.get()
    return mended is not None and mended.allows()

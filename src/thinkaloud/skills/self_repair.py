"""Self-repair: what a skill fixes by itself, without asking anybody.

A skill that notices a problem and knows a remedy asks `may_fix`. If the answer is yes, it does what it announced, and
the outcome of the step mentions it. If the answer is no (the mind wants to hear about every error, or the remedy has
been tried often enough), the skill fails or reports what it found.

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

SO_ALREADY, NOTHING_TO_DO = "It is so already.", "Nothing to do."
"""The remedy of a step that would change nothing."""


@dataclass
class SelfRepair:
    """The remedies tried in one step."""

    most: int
    fixes: list[Fix] = field(default_factory=list)

    def allows(self) -> bool:
        """Whether one more may be tried."""
        return len(self.fixes) < self.most

    def note(self, problem: str, remedy: str, *, looked: bool = False) -> None:
        """Note a remedy that was tried."""
        self.fixes.append(Fix(problem, remedy, looked))


_current: ContextVar[SelfRepair | None] = ContextVar("self_repair", default=None)


@contextmanager
def allowing_repairs(most: int) -> Iterator[SelfRepair]:
    """Skills called in this block may fix this many problems by themselves."""
    repair = SelfRepair(most)
    token = _current.set(repair)
    try:
        yield repair
    finally:
        _current.reset(token)


def may_fix(problem: str, remedy: str, *, looked: bool = False) -> bool:
    """Whether the running skill may try a remedy; if so, it is noted. `looked`: the remedy looks at the world."""
    repair = _current.get()
    if repair is None or not repair.allows():
        return False
    repair.note(problem, remedy, looked=looked)
    return True


def may_repair() -> bool:
    """Whether a remedy would be allowed now. If not, a skill need not look for its own errors."""
    repair = _current.get()
    return repair is not None and repair.allows()

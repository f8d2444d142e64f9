"""What the planner asks, in words of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from training.demonstrators.multitalk.wording import said

Rng = np.random.Generator

_WHICH = (
    "Which {k} do you mean, {n}?",
    "Which of them do you mean: {n}?",
    "There are {m}. Which one would you like?",
    "Do you mean {n}?",
)
_WHERE = (
    "Where should I put {a}?",
    "Where would you like {a} to be moved? Please say a point on the table.",
    "To which place should {a} go?",
)
_DIRECTION = (
    "In which direction should the line run, along x or along y?",
    "Along which axis should they stand, x or y?",
    "Should the line run along the x-axis or along the y-axis?",
)
_ORDER = ("In which order should they stand?", "What should be the order of the objects in the line?")
_SWAP = ("Which two things should I swap?", "Which two objects would you like me to exchange?")
_PAIRS = ("Which two pairs should I swap?", "Which objects should I exchange with each other, as two pairs?")
_INSTEAD = ("What should I do instead?", "What would you like me to do instead?", "How should I go on?")


def which(rng: Rng, kind: str, names: Sequence[str]) -> str:
    """Which of several things is meant."""
    some, last = ", ".join(names[:-1]), names[-1]
    return said(rng, _WHICH, k=kind, n=f"{some} or {last}", m=f"{some} and {last}")


def where(rng: Rng, name: str) -> str:
    """Where a thing is to go."""
    return said(rng, _WHERE, a=name or "it")


def direction(rng: Rng) -> str:
    """Along which axis."""
    return said(rng, _DIRECTION)


def order(rng: Rng) -> str:
    """In which order."""
    return said(rng, _ORDER)


def swap(rng: Rng, *, pairs: bool) -> str:
    """What is to change places."""
    return said(rng, _PAIRS if pairs else _SWAP)


def instead(rng: Rng, why: str) -> str:
    """Why it cannot be done, and what to do."""
    return f"{why} {said(rng, _INSTEAD)}"

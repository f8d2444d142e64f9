"""How people ask for a course: the same order of landmarks, in many sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

_Phrase = Callable[[Sequence[str]], str]


def _the(names: Sequence[str]) -> list[str]:
    return [f"the {name}" for name in names]


def _and(names: Sequence[str]) -> str:
    """The a, the b and the c."""
    listed = _the(names)
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}"


def _then(names: Sequence[str], join: str = ", then ") -> str:
    return join.join(_the(names))


PHRASES: tuple[_Phrase, ...] = (
    lambda n: f"Visit {_then(n)}.",
    lambda n: f"Drive to {_then(n)}.",
    lambda n: f"Go to {_then(n, ', then to ')}.",
    lambda n: f"Drive to {_and(n)}, in this order.",
    lambda n: f"Visit {_and(n)} one after another.",
    lambda n: f"Please stop at {_then(n, ', after that at ')}.",
    lambda n: f"First go to {_then(n[:-1], ', next to ')}, and finally to the {n[-1]}.",
    lambda n: f"Begin with {_then(n[:-1], ', go on to ')}, and end at the {n[-1]}.",
    lambda n: f"I need you at {_then(n, ' and then at ')}.",
    lambda n: f"Make a round: {', '.join(n)}.",
    lambda n: f"Today's route is {', '.join(n)}.",
    lambda n: " ".join(["Go to", f"the {n[0]}.", *(f"Then go to the {name}." for name in n[1:])]),
    lambda n: f"Check {_then(n[:-1])}, and last of all the {n[-1]}.",
    lambda n: f"Could you look in at {_and(n)}, in that order?",
    lambda n: f"Before you drive to the {n[-1]}, visit {_then(n[:-1])}.",
    lambda n: f"Drive to the {n[-1]}, but visit {_then(n[:-1])} before that.",
    lambda n: f"End at the {n[-1]}; on the way there, stop at {_then(n[:-1])}.",
    lambda n: f"After {_then(n[:-1], ' and then ')}, go to the {n[-1]}.",
)
"""Each takes two landmarks or more, and says in which order they are to be visited."""


def render_course(wanted: Sequence[str], rng: np.random.Generator) -> str:
    """A request for landmarks in this order."""
    return PHRASES[int(rng.integers(len(PHRASES)))](list(wanted))

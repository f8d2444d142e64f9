"""MultiTalk's planner and analyzer on tables of household things: plans, questions, second looks, and faults.

The benchmark's own phrasings, and the requests of the paper, are not in here; nor are some of its things.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from training.demonstrators.multitalk.asking import WISHES
from training.demonstrators.multitalk.by_name import by_name
from training.demonstrators.multitalk.harder import HARDER
from training.demonstrators.multitalk.placing import Crowded
from training.demonstrators.multitalk.things import HELD_OUT as HELD_OUT_THINGS
from training.heldout import violations
from training.samples import Demonstrator, Sample

_WAYS = (*WISHES, *HARDER, (by_name, 1.0))
_WEIGHTS = np.array([weight for _, weight in _WAYS])

HELD_OUT = (
    *(rf"\b{name}s?\b" for name in HELD_OUT_THINGS),
    r"give me something to eat\b",
    r"give me the soup",
    r"interchange the (?:object )?locations",
    r"form a straight line",
    r"straight line out of",
    r"\bbite to eat",
    r"for my thirst",
    r"(?:in|to) its new place",
    r"in the wrong place",
    r"trade places",
    r"the other way round",
    r"can take it from",
    r"change places, which",
    r"over to me\b",
    r"leave it at\b",
    r"needs? .* over here",
    r"with its partner",
    r"s with each other and the \w+",
)
"""The paper's requests, some phrasings of the benchmark, and things that are on no table here."""


def samples(rng: np.random.Generator) -> Iterator[Sample]:
    """What is to be learnt from one dialogue."""
    way, _ = _WAYS[int(rng.choice(len(_WAYS), p=_WEIGHTS / _WEIGHTS.sum()))]
    try:
        talk = way(rng)
    except Crowded:  # there was no room for it
        return
    yield from (sample for sample in talk.samples() if not violations(sample.text))


DEMONSTRATORS = (Demonstrator("multitalk", samples, share=0.13),)

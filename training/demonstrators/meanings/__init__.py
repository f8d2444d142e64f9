"""Meanings of what people say in our own worlds, as the stage `understand` shows them to a trained model.

Each sample is a conversation: the robot as the prompt tells of it, what is said, and the programs that it means. About
a third of what is said is no deed. Every program is run, and held against a goal that is worked out beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from training.demonstrators.hicrisp.heldout import REQUESTS
from training.demonstrators.inner_monologue import HELD_OUT as TABLE
from training.demonstrators.meanings import domains, franka, halls, homes, rules, shops, sorting, tabletop
from training.demonstrators.statler import HELD_OUT as QUERIES
from training.robots.descriptions import without_choices
from training.samples import Demonstrator, Sample

_Samples = Callable[[np.random.Generator], Iterable[Sample]]


def _unchosen(samples: _Samples) -> _Samples:
    """The same without what chooses where nobody said which thing is meant."""

    def drawn(rng: np.random.Generator) -> Iterator[Sample]:
        yield from (kept for each in samples(rng) if (kept := without_choices(each)) is not None)

    return drawn


DEMONSTRATORS = (
    Demonstrator("meaning.tabletop", _unchosen(tabletop.samples), 0.12),
    Demonstrator("meaning.statler", _unchosen(domains.samples), 0.12),
    Demonstrator("meaning.franka", _unchosen(franka.samples), 0.08),
    Demonstrator("meaning.sorting", _unchosen(sorting.samples), 0.03),
    Demonstrator("meaning.itp", shops.samples, 0.1),
    Demonstrator("meaning.rules", rules.samples, 0.02),
    Demonstrator("meaning.homes", _unchosen(homes.samples), 0.1),
    Demonstrator("meaning.halls", _unchosen(halls.samples), 0.015),
)
_SAID = '# "'
"""What stands before the words of a person here."""
HELD_OUT = (
    *(each.replace("Human:", rf"{_SAID}").replace(f"{_SAID} ", _SAID) for each in TABLE if "Human:" in each),
    *(each.replace("# query: ", _SAID) for each in QUERIES),
    *(rf"{_SAID}[^\n]*?{each}" for each in REQUESTS),
    rf'{_SAID}(?:work|drink)\.?"',
    # what is asked at the real table
    rf"{_SAID}sort[^\n]*\b(?:fruits?\b[^\n]*\bbottles?|bottles?\b[^\n]*\bfruits?)\b",
)
"""The requests that the other demonstrators hold out, as they are written here."""

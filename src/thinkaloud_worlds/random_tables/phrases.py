"""Phrases to ask a random table for: some that fit exactly one thing, some that fit none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from thinkaloud_worlds.random_tables.words import (
    COLOUR_WORDS,
    DISH_WORDS,
    EYES_WORDS,
    FALSE,
    KIND_WORDS,
    KITCHEN_WORDS,
    PATTERN_WORDS,
    TRUE,
    fits,
    is_kept_back,
)
from thinkaloud_worlds.seeds import generator

_SALT = 0x9477
_KINDS = (*KIND_WORDS, *KITCHEN_WORDS, *DISH_WORDS)
_USUAL = tuple(COLOUR_WORDS)[:10]


class Described(Protocol):
    """A thing of which words are true or open."""

    @property
    def truths(self) -> dict[str, int]:
        """The words, each TRUE or OPEN."""
        ...


class DrawnScene(Protocol):
    """A table or a kitchen that was drawn."""

    @property
    def seed(self) -> int:
        """What it was drawn from."""
        ...

    @property
    def style(self) -> str:
        """How it was drawn."""
        ...

    @property
    def things(self) -> Sequence[Described]:
        """What is there."""
        ...


def random_words(rng: np.random.Generator, kinds: Sequence[str] = KIND_WORDS) -> tuple[str, ...]:
    """Draw the words of a phrase: a kind, often with a colour and sometimes with a pattern."""
    colour = str(rng.choice(_USUAL)) if rng.uniform() < 0.6 else str(rng.choice(list(COLOUR_WORDS)))
    kind, pattern = str(rng.choice(kinds)), str(rng.choice(PATTERN_WORDS))
    form = rng.uniform()
    if kind in KITCHEN_WORDS:
        return (kind,)
    if form < 0.6:
        return colour, kind
    return (pattern, kind) if form < 0.75 else (pattern, colour, kind) if form < 0.85 else (kind,)


def words_for(rng: np.random.Generator, truths: dict[str, int]) -> tuple[str, ...]:
    """Draw words that are all true of a thing."""
    true = [word for word in EYES_WORDS if truths.get(word) == TRUE]
    colours = [word for word in true if word in COLOUR_WORDS]
    kinds = [word for word in true if word in _KINDS and word != "thing"] or ["thing"]
    patterns = [word for word in true if word in PATTERN_WORDS]
    kind = str(rng.choice(kinds)) if rng.uniform() < 0.85 else "thing"
    if kind in KITCHEN_WORDS:
        return (kind,)
    words = [str(rng.choice(patterns))] if patterns and rng.uniform() < 0.25 else []
    if colours and rng.uniform() < 0.8:
        words.append(str(rng.choice(colours)))
    return (*words, kind)


def draw_phrases(table: DrawnScene, absent: int = 8) -> dict[str, tuple[str, ...]]:
    """Draw phrases to measure with, and their words: for each thing one that fits it alone, and `absent` others.

    Those fit nothing. A phrase that is open for some thing is left out. On tables of the style `kept_back`, colours and
    kinds are combined as training never asked for them, where a thing has such.
    """
    rng, found = generator(table.seed, _SALT), dict[str, tuple[str, ...]]()
    every = [thing.truths for thing in table.things]
    here = {word for truths in every for word in truths}
    kinds = (*KIND_WORDS, *(word for words in (KITCHEN_WORDS, DISH_WORDS) if here & {*words} for word in words))
    for truths in every:
        drawn = [words_for(rng, truths) for _ in range(12)]
        if table.style == "kept_back":
            drawn.sort(key=lambda words: not is_kept_back(words))
        for words in drawn:
            if sum(fits(other, words) != FALSE for other in every) == 1:
                found[" ".join(words)] = words
                break
    wanted, tries = len(found) + absent, 0
    while len(found) < wanted and tries < 200:
        tries += 1
        words = random_words(rng, kinds)
        if rng.uniform() < 0.5 and every:  # something similar is there
            near = words_for(rng, every[int(rng.integers(len(every)))])
            words = (*words[:-1], near[-1]) if rng.uniform() < 0.5 else (*near[:-1], words[-1])
        if " ".join(words[-2:]) in KITCHEN_WORDS and len(words) > 1:
            continue  # "lime soda" is one word
        if all(fits(other, words) == FALSE for other in every):
            found[" ".join(words)] = words
    return found

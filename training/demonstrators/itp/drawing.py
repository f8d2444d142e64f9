"""Dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from training.words import made_up as any_word

Rng = np.random.Generator
T = TypeVar("T")


def one(rng: Rng, options: Sequence[T]) -> T:
    """Any of them."""
    return options[int(rng.integers(len(options)))]


def some(rng: Rng, options: Sequence[T], count: int) -> list[T]:
    """So many different ones, in any order."""
    return [options[int(at)] for at in rng.permutation(len(options))[:count]]


def chance(rng: Rng, share: float) -> bool:
    """Whether it happens."""
    return bool(rng.random() < share)


def between(rng: Rng, least: int, most: int) -> int:
    """A number, both ends included."""
    return int(rng.integers(least, most + 1))


def made_up(rng: Rng) -> str:
    """A word that nobody has heard before, and that nothing held out looks like."""
    while (word := any_word(rng)) in ("boba", "taro"):
        pass
    return word

"""Random numbers from seeds: every use of a seed has salt of its own, so that no two of them draw the same."""

from __future__ import annotations

import numpy as np

_LARGEST = 2**63 - 1


def generator(seed: int, *salt: int) -> np.random.Generator:
    """A generator for one use of a seed; of a negative seed, which none can take, the bits are used."""
    return np.random.default_rng([seed & _LARGEST, *salt])

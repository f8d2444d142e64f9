"""Random numbers from seeds. Each use of a seed adds its own salt, so that no two uses draw the same numbers."""

from __future__ import annotations

import numpy as np

_LARGEST = 2**63 - 1


def generator(seed: int, *salt: int) -> np.random.Generator:
    """A generator for one use of a seed. Generators take no negative seed, so its bits are used instead."""
    return np.random.default_rng([seed & _LARGEST, *salt])

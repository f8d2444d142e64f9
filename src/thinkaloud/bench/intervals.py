"""95 % intervals: of a fraction, of a mean, and of a mean of fractions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

Z = 1.959963984540054  # 95 % of a normal distribution lie within this many standard deviations


class Estimate(NamedTuple):
    """A value and the interval it is known to."""

    value: float
    low: float
    high: float
    n: int


def wilson(successes: int, n: int) -> Estimate:
    """Wilson's score interval; good for few episodes and for fractions of 0 and 1, too."""
    if not 0 <= successes <= n or n == 0:
        raise ValueError(f"{successes} successes of {n}")
    p, spread = successes / n, 1 + Z * Z / n
    middle = (p + Z * Z / (2 * n)) / spread
    half = Z / spread * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    return Estimate(p, min(max(middle - half, 0.0), p), max(min(middle + half, 1.0), p), n)


def mean_of(parts: Sequence[Estimate]) -> Estimate:
    """The mean over tasks, each weighing the same; the intervals' halves add up in squares (MOVER)."""
    value = math.fsum(part.value for part in parts) / len(parts)
    down = math.hypot(*(part.value - part.low for part in parts)) / len(parts)
    up = math.hypot(*(part.high - part.value for part in parts)) / len(parts)
    return Estimate(value, max(value - down, 0.0), min(value + up, 1.0), sum(part.n for part in parts))


def average(values: Sequence[float]) -> Estimate:
    """The mean of measurements, with a normal interval; of a single one nothing is known but itself."""
    n = len(values)
    value = math.fsum(values) / n
    variance = math.fsum((v - value) ** 2 for v in values) / (n - 1) if n > 1 else 0.0
    half = Z * math.sqrt(variance / n)
    return Estimate(value, max(value - half, 0.0), value + half, n)

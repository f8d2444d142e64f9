"""95 % intervals of a fraction, a mean, a mean of fractions, a ratio, and of counts clustered in episodes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

_Z = 1.959963984540054  # 95 % of a normal distribution lie within this many standard deviations


class Estimate(NamedTuple):
    """A value and its interval."""

    value: float
    low: float
    high: float
    n: int


def wilson(successes: float, n: int) -> Estimate:
    """Wilson's score interval; also good for few episodes and for fractions of 0 and 1."""
    if not 0 <= successes <= n or n == 0:
        raise ValueError(f"{successes} successes of {n}")
    p = successes / n
    return Estimate(p, *_score(p, n), n)


def _score(p: float, n: float) -> tuple[float, float]:
    spread = 1 + _Z * _Z / n
    middle = (p + _Z * _Z / (2 * n)) / spread
    half = _Z / spread * math.sqrt(p * (1 - p) / n + _Z * _Z / (4 * n * n))
    return min(max(middle - half, 0.0), p), max(min(middle + half, 1.0), p)


def mean_of(parts: Sequence[Estimate]) -> Estimate:
    """The unweighted mean over tasks; the half-widths of the intervals add up in squares (MOVER)."""
    value = math.fsum(part.value for part in parts) / len(parts)
    down = math.hypot(*(part.value - part.low for part in parts)) / len(parts)
    up = math.hypot(*(part.high - part.value for part in parts)) / len(parts)
    return Estimate(value, max(value - down, 0.0), min(value + up, 1.0), sum(part.n for part in parts))


def average(values: Sequence[float]) -> Estimate:
    """The mean of measurements with a normal interval; a single measurement has no interval."""
    n = len(values)
    value = math.fsum(values) / n
    variance = math.fsum((v - value) ** 2 for v in values) / (n - 1) if n > 1 else 0.0
    half = _Z * math.sqrt(variance / n)
    return Estimate(value, max(value - half, 0.0), value + half, n)


def clustered(pairs: Sequence[tuple[float, float]]) -> Estimate:
    """A fraction of steps, given (right, tried) of each episode; n is the number of steps.

    Steps of one episode are correlated. The interval is Wilson's, for the effective number of independent steps, which
    follows from the spread between episodes. If nothing varies (all right, all wrong), an episode counts as one step.
    """
    episodes = [(right, tried) for right, tried in pairs if tried]
    n = sum(tried for _, tried in episodes)
    p = sum(right for right, _ in episodes) / n
    m = len(episodes)
    spread = math.fsum((right - p * tried) ** 2 for right, tried in episodes) * m / (m - 1) / n**2 if m > 1 else 0.0
    independent = min(max(p * (1 - p) / spread, 1.0), n) if spread > 0 else m
    return Estimate(p, *_score(p, independent), round(n))


def per_unit(pairs: Sequence[tuple[float, float]]) -> Estimate:
    """A measure per unit, given (measure, units) of each episode: sum over sum, normal interval over episodes."""
    units, m = math.fsum(n for _, n in pairs), len(pairs)
    value = math.fsum(measure for measure, _ in pairs) / units
    spread = math.fsum((measure - value * n) ** 2 for measure, n in pairs) * m / (m - 1) if m > 1 else 0.0
    half = _Z * math.sqrt(spread) / units
    return Estimate(value, max(value - half, 0.0), value + half, round(units))


def ratio(above: Estimate, below: Estimate) -> Estimate:
    """The ratio of two independent fractions, the second not 0; the interval is MOVER's for ratios."""
    a, b = above.value, below.value
    return Estimate(a / b, _limit(a, b, above.low, below.high, -1), _limit(a, b, above.high, below.low, 1), above.n)


def _limit(a: float, b: float, a_end: float, b_end: float, sign: int) -> float:
    scale = b_end * (2 * b - b_end)
    if abs(scale) < 1e-12:
        return a_end * (2 * a - a_end) / (2 * a * b) if a else 0.0
    inside = (a * b) ** 2 - a_end * (2 * a - a_end) * scale
    return (a * b + sign * math.sqrt(max(inside, 0.0))) / scale

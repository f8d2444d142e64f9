"""A number that people might well say for an amount: round, on its step, and neither the least nor the most."""

from __future__ import annotations

import itertools
import math

from thinkaloud.skills.signatures import Amount

_BARE, _OF_UNIT = 2.0, 10.0
"""What is said where nothing at all is known: a count, and so much of a unit."""
_OF_LEAST, _OF_STEP = 5, 10
"""Up to how many times the least, or the step, where there is no most."""
_MIDDLE = (0.25, 0.75)
_NEAR = 1e-9


def typical_amount(amount: Amount, at_hand: float | None = None, *, whole: bool = False) -> float:
    """A typical value within the range of an amount; `at_hand` is how much there is, if that is known."""
    least, most = amount.ends
    below = most * _OF_LEAST if most is not None and -math.inf < most < 0 else 0.0
    start = least if least is not None and math.isfinite(least) else below
    step = amount.step or (1.0 if whole else None)
    tops = [most] if most is not None and start <= most < math.inf else []
    tops += [at_hand] if at_hand is not None and start < at_hand < math.inf else []
    if tops:
        end = min(tops)
    elif least:
        end = least + abs(least) * (_OF_LEAST - 1)
    elif amount.step:
        end = start + amount.step * _OF_STEP
    else:
        return start + (_OF_UNIT if amount.unit else _BARE)
    low, high = (start + part * (end - start) for part in _MIDDLE)
    return _roundest(low, high, start, step) or _on_step((start + end) / 2, start, step)


def _roundest(low: float, high: float, start: float, step: float | None) -> float | None:
    """The roundest number between two that is possible, the nearest to the middle of such."""
    power = math.floor(math.log10(max(abs(low), abs(high), _NEAR)))
    for exponent, digit in itertools.product(range(power, power - 4, -1), (5, 2, 1)):
        unit = digit * 10.0**exponent
        multiples = [
            round(n * unit, 9) for n in range(math.ceil(low / unit - _NEAR), math.floor(high / unit + _NEAR) + 1)
        ]
        found = [each for each in multiples if each and abs(_on_step(each, start, step) - each) < _NEAR]
        if found:
            return min(found, key=lambda each: abs(each - (low + high) / 2))
    return None


def _on_step(number: float, start: float, step: float | None) -> float:
    return number if not step else round(start + round((number - start) / step) * step, 9)

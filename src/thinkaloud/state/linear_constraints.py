"""Linear forms with exact numbers, and a check whether a system of inequalities between them can hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

LinearForm = dict[str, Fraction]
"""The coefficient of each name; missing names have the coefficient zero."""

_MOST_INEQUALITIES = 3000
"""A larger system counts as possible, without proof. A table with a dozen things stays far below this."""

_Row = tuple[tuple[tuple[str, Fraction], ...], bool]


def add(total: LinearForm, form: Mapping[str, Fraction]) -> LinearForm:
    """Add a form to a total, in place."""
    for name, factor in form.items():
        total[name] = total.get(name, Fraction(0)) + factor
        if not total[name]:
            del total[name]
    return total


def scaled(form: Mapping[str, Fraction], factor: Fraction) -> LinearForm:
    """Multiply a form by a number."""
    return {name: each * factor for name, each in form.items() if each * factor}


def minus(form: Mapping[str, Fraction], other: Mapping[str, Fraction], times: Fraction = Fraction(1)) -> LinearForm:
    """Subtract a multiple of another form."""
    return add(dict(form), scaled(other, -times))


def is_possible(known: Sequence[tuple[LinearForm, bool]]) -> bool:
    """Whether all forms can be above zero (or, if the flag is False, not below it): Fourier-Motzkin elimination."""
    left = {(tuple(sorted(form.items())), strict) for form, strict in known}
    while True:
        if any(strict and not form for form, strict in left):
            return False
        names = {name for form, _ in left for name, _ in form}
        if not names:
            return True
        split = {name: _sides(left, name) for name in names}
        name = min(sorted(names), key=lambda each: len(split[each][0]) * len(split[each][1]))
        ups, downs = split[name]
        rest = {each for each in left if each not in ups and each not in downs}
        for high, strict_high in ups:
            for low, strict_low in downs:
                a, b = dict(high), dict(low)
                mixed = add(scaled(a, -b[name]), scaled(b, a[name]))
                scale = abs(next(iter(mixed.values()), Fraction(1)))
                rest.add((tuple(sorted(scaled(mixed, 1 / scale).items())), strict_high or strict_low))
        if len(rest) > _MOST_INEQUALITIES:
            return True
        left = rest


def _sides(rows: set[_Row], name: str) -> tuple[set[_Row], set[_Row]]:
    ups = {row for row in rows if dict(row[0]).get(name, 0) > 0}
    return ups, {row for row in rows if dict(row[0]).get(name, 0) < 0}

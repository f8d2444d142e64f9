"""Numbers that are written out in a program."""

from __future__ import annotations

from thinkaloud.program import tree
from thinkaloud.program.evaluate import COMPUTED


def constant(node: tree.Expression) -> float | None:
    """The number that an expression is, as far as it is written out: `1 / 3`; None for any other."""
    match node:
        case tree.Number(number):
            return float(number)
        case tree.Negative(inner):
            positive = constant(inner)
            return None if positive is None else -positive
        case tree.Compute(left, sign, right) if sign in COMPUTED:
            one, other = constant(left), constant(right)
            try:
                return None if one is None or other is None else COMPUTED[sign](one, other)
            except ArithmeticError:
                return None
    return None

"""The table and the arm's place on it, in metres: the arm's base is the origin, the table top is z = 0."""

from __future__ import annotations

TABLE_X = (-0.15, 0.45)
TABLE_Y = (-0.62, 0.62)
THICKNESS, FRANKA_FLOOR_Z = 0.04, -0.70
OWN_CIRCLE = 0.20
"""The radius around the base that is kept free: nothing is put down there."""
BASE = 0.11  # the radius of the base itself
OPENS = 0.08  # how far the fingers open
WIDEST_GRASP = 0.07  # the widest thing they close on
CARRY = 0.22  # the height above the table of the underside of a carried thing
ORDINARY, TALLEST = 0.20, 0.34
AT_POINT = 0.03  # a thing this near to a point, in the plane, is at that point

Size = tuple[float, float, float]


def outside(x: float, y: float) -> str | None:
    """Why a point is not on the table, in words; None if it is."""
    if TABLE_X[0] <= x <= TABLE_X[1] and TABLE_Y[0] <= y <= TABLE_Y[1]:
        return None
    (left, right), (low, high) = TABLE_X, TABLE_Y
    return f"({x:.2f}, {y:.2f}) lies outside the table: x goes from {left} to {right}, y from {low} to {high}."


def below(z: float) -> str | None:
    """Why a height is invalid, in words; None if it is valid."""
    return f"A height of {z:.2f} m lies below the table; z is 0 or more." if z < 0 else None

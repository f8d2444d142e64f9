"""Where things are, in everyday words: left of, in front of, between, next to; and distances and heights.

All directions are those of the person who looks at the picture of the table: right is right in the picture, in front
is nearer to the person, behind is farther away. Points use the same frame: how far right, how far back and how high,
in metres from the front left corner of the table. Not covered: which way a thing itself faces.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Annotated, Literal

from thinkaloud.skills import Kind, measure, relation
from thinkaloud.worlds.geometry import Xy, Xyz

Side = Literal["left of", "right of", "in front of", "behind", "next to"]
Direction = Literal["left", "right", "forward", "back"]
SIDES: dict[str, Xy] = {"left of": (-1, 0), "right of": (1, 0), "in front of": (0, -1), "behind": (0, 1)}
"""The direction of each side; next to something means on any side of it."""
DIRECTIONS: dict[str, Xy] = {"left": (-1, 0), "right": (1, 0), "forward": (0, -1), "back": (0, 1)}
"""The direction of each shift; forward is towards the person."""
RELATIONS = {"left of": "left_of", "right of": "right_of", "in front of": "in_front_of", "behind": "behind"}
"""The relation that states that a thing is on that side of another."""
CLEARLY = 0.02
"""A thing is on a side of another if its middle is at least this much farther to that side, in metres."""
NEXT_TO = 0.06
"""The largest gap between the edges of things that are next to each other, in metres."""
OFF_LINE, OFF_LINE_PART = 0.05, 0.35
"""How far off the line between two things a third may be and still be between them: in metres, and, for things that
stand close together, as a share of their distance."""


def is_on_side(side: str, one: Xy, other: Xy) -> bool:
    """Whether one point is clearly on a given side of the other."""
    right, back = SIDES[side]
    return (one[0] - other[0]) * right + (one[1] - other[1]) * back >= CLEARLY


def is_between(one: Xy, first: Xy, second: Xy) -> bool:
    """Whether a point is between two others: near the line that joins them, and clearly past both ends of it."""
    apart = math.dist(first, second)
    if apart <= 2 * CLEARLY:
        return False
    right, back = (second[0] - first[0]) / apart, (second[1] - first[1]) / apart
    dx, dy = one[0] - first[0], one[1] - first[1]
    along, beside = dx * right + dy * back, abs(dy * right - dx * back)
    return CLEARLY <= along <= apart - CLEARLY and beside <= min(OFF_LINE, OFF_LINE_PART * apart)


class Spatial(ABC):
    """The relations and measures of things on a table."""

    @abstractmethod
    def _place(self, name: str) -> Xyz:
        """A thing's middle as the person sees it, at the height of its top. Raises UnknownName if it is missing."""

    @abstractmethod
    def _lies(self, name: str) -> bool:
        """Whether a thing is on the table: neither in the hand nor fallen off."""

    @abstractmethod
    def _gap(self, one: str, other: str) -> float:
        """How far apart the edges of two things are, seen from above, in metres."""

    @abstractmethod
    def _bearer(self, name: str) -> str | None:
        """What a thing is on or in; None for the table."""

    @abstractmethod
    def _across(self, name: str) -> float:
        """How wide a thing is, in metres."""

    # Relations --------------------------------------------------------------------------------------------------------

    @relation(says="The {thing} is left of the {other}.", distinct=("thing", "other"), derived=True)
    def left_of(self, thing: Annotated[str, Kind("thing")], other: Annotated[str, Kind("thing")]) -> bool:
        """Whether a thing is farther left than another, as the person sees it, by at least 2 cm.

        Args:
            thing: what may be on the left.
            other: what it may be left of.
        """
        return self._on_side("left of", thing, other)

    @relation(says="The {thing} is right of the {other}.", distinct=("thing", "other"), derived=True)
    def right_of(self, thing: Annotated[str, Kind("thing")], other: Annotated[str, Kind("thing")]) -> bool:
        """Whether a thing is farther right than another, as the person sees it, by at least 2 cm.

        Args:
            thing: what may be on the right.
            other: what it may be right of.
        """
        return self._on_side("right of", thing, other)

    @relation(says="The {thing} is in front of the {other}.", distinct=("thing", "other"), derived=True)
    def in_front_of(self, thing: Annotated[str, Kind("thing")], other: Annotated[str, Kind("thing")]) -> bool:
        """Whether a thing is nearer to the person than another, by at least 2 cm.

        Args:
            thing: what may be in front.
            other: what it may be in front of.
        """
        return self._on_side("in front of", thing, other)

    @relation(says="The {thing} is behind the {other}.", distinct=("thing", "other"), derived=True)
    def behind(self, thing: Annotated[str, Kind("thing")], other: Annotated[str, Kind("thing")]) -> bool:
        """Whether a thing is farther from the person than another, by at least 2 cm.

        Args:
            thing: what may be behind.
            other: what it may be behind of.
        """
        return self._on_side("behind", thing, other)

    @relation(says="The {thing} is next to the {other}.", distinct=("thing", "other"), derived=True)
    def next_to(self, thing: Annotated[str, Kind("thing")], other: Annotated[str, Kind("thing")]) -> bool:
        """Whether two things are side by side, with at most 6 cm between their edges, and neither is on the other.

        Args:
            thing: the one.
            other: the other.
        """
        return self._side_by_side(thing, other) and self._gap(thing, other) <= NEXT_TO

    @relation(
        says="The {thing} is between the {one} and the {other}.", distinct=("thing", "one", "other"), derived=True
    )
    def between(
        self,
        thing: Annotated[str, Kind("thing")],
        one: Annotated[str, Kind("thing")],
        other: Annotated[str, Kind("thing")],
    ) -> bool:
        """Whether a thing is between two others: at most 5 cm beside the line from the one to the other.

        Args:
            thing: what may be in between.
            one: the thing on its one side.
            other: the thing on its other side.
        """
        if not is_between(self._flat(thing), self._flat(one), self._flat(other)):  # the usual case, and cheap to test
            return False
        return self._side_by_side(thing, one) and self._side_by_side(thing, other)

    @relation(says="The {thing} stands on the table itself.", derived=True)
    def on_table(self, thing: Annotated[str, Kind("thing")]) -> bool:
        """Whether a thing stands right on the table: not on or in another thing, and not in the hand.

        Args:
            thing: what may stand there.
        """
        self._place(thing)
        return self._lies(thing) and self._bearer(thing) is None

    def _on_side(self, side: str, thing: str, other: str) -> bool:
        return is_on_side(side, self._flat(thing), self._flat(other)) and self._side_by_side(thing, other)

    def _side_by_side(self, thing: str, other: str) -> bool:
        """Whether two things are both on the table and neither stands on the other."""
        for name in (thing, other):
            self._place(name)
            if not self._lies(name):
                return False
        return other not in self._bearers(thing) and thing not in self._bearers(other)

    def _bearers(self, name: str) -> list[str]:
        """Everything under a thing, down to the table."""
        found: list[str] = []
        below = self._bearer(name)
        while below is not None and below not in found:
            found.append(below)
            below = self._bearer(below)
        return found

    def _flat(self, name: str) -> Xy:
        return self._place(name)[:2]

    # Measures ---------------------------------------------------------------------------------------------------------

    @measure(says="how far right the {thing} is, in centimetres")
    def x(self, thing: Annotated[str, Kind("thing")]) -> float:
        """How far right a thing is: from the left edge of the table to its middle, in centimetres.

        Args:
            thing: what is measured.
        """
        return _centimetres(self._place(thing)[0])

    @measure(says="how far back the {thing} is, in centimetres")
    def y(self, thing: Annotated[str, Kind("thing")]) -> float:
        """How far back a thing is: from the edge nearest to the person to its middle, in centimetres.

        Args:
            thing: what is measured.
        """
        return _centimetres(self._place(thing)[1])

    @measure(says="how high the top of the {thing} is, in centimetres")
    def height(self, thing: Annotated[str, Kind("thing")]) -> float:
        """How high above the table the top of a thing is, in centimetres.

        Args:
            thing: what is measured.
        """
        return _centimetres(self._place(thing)[2])

    @measure(says="how many things are under the {thing}")
    def level(self, thing: Annotated[str, Kind("thing")]) -> int:
        """How many things are under a thing: 0 on the table, 1 on or in one thing, 2 on a stack of two.

        Args:
            thing: what is measured.
        """
        self._place(thing)
        return len(self._bearers(thing))

    @measure(says="how wide the {thing} is, in centimetres")
    def size(self, thing: Annotated[str, Kind("thing")]) -> float:
        """How wide a thing is, in centimetres.

        Args:
            thing: what is measured.
        """
        self._place(thing)
        return _centimetres(self._across(thing))

    @measure(says="how far the {thing} is from the {other}, in centimetres")
    def distance(self, thing: Annotated[str, Kind("thing")], other: Annotated[str, Kind("thing")]) -> float:
        """How far apart two things are, from middle to middle, in centimetres.

        Args:
            thing: the one.
            other: the other.
        """
        return _centimetres(math.dist(self._flat(thing), self._flat(other)))


def _centimetres(metres: float) -> float:
    return round(metres * 100, 1) + 0.0

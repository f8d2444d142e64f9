"""Moving things about a table in the plane: in which order, over which places on the way, past what stands too high.

Places are tried in a fixed order, so the same table gives the same moves. What turns out not to work (a twin ran into
something) is ruled out by the one who asks, and another way is found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot

TablePoint = tuple[float, float]
_Kept = Sequence[tuple["Body", TablePoint]]
"""Places that are kept for what is still to come."""
TableEdge = tuple[str, TablePoint, TablePoint]
"""A thing, from where, to where."""

_TOO_HIGH = 0.205
"""What is higher stands in the way of what is carried over the table."""
_HAND = 0.11
"""Half of the hand's width."""
_CLEARANCES = (0.04, 0.015, -0.01, -0.04)
"""By how much a way should miss what is too high: as much as possible; in the end the hand may be narrow enough."""
_ROOM = (0.11, 0.085, 0.06)
"""How much room to the next thing there may be where a thing is put down for a while: as much as possible."""
_DETOURS = 60
"""So many places are tried on the way."""


@dataclass(frozen=True, slots=True)
class Body:
    """A thing as it is seen from above, and its height; `flat`: things can be put onto or into it."""

    name: str
    length: float
    width: float
    height: float
    flat: bool = False

    @property
    def half(self) -> float:
        """Half of its diagonal, seen from above."""
        return hypot(self.length, self.width) / 2


@dataclass(frozen=True, slots=True)
class ArmMove:
    """A thing is taken from a place and put down at another."""

    name: str
    start: TablePoint
    end: TablePoint
    why: str

    @property
    def edge(self) -> TableEdge:
        """What is ruled out if this does not work."""
        return (self.name, self.start, self.end)


class NoWay(Exception):
    """There is no way that was not ruled out."""


@dataclass
class Router:
    """Finds moves. `usable` says whether a thing can be put down at a point as far as the arm is concerned."""

    bodies: Mapping[str, Body]
    usable: Callable[[Body, TablePoint], bool]
    course: Callable[[TablePoint, TablePoint], Sequence[TablePoint]]
    """The points over which a thing is carried."""
    grid: Sequence[TablePoint]
    """Places that may serve for a while."""
    banned: set[TableEdge] = field(default_factory=set)

    def moves(
        self, places: Mapping[str, TablePoint], targets: Mapping[str, TablePoint], why: Mapping[str, str]
    ) -> list[ArmMove]:
        """All the moves by which things get from their places to their targets; raises NoWay."""
        now, pending, found = dict(places), [*targets], list[ArmMove]()
        pending = [name for name in pending if now[name] != targets[name]]
        while pending:
            ready = [name for name in pending if not self.in_the_way(name, targets[name], now)]
            if ready:
                name = ready[0]
                found += self.carry(name, targets[name], now, self._kept(pending, targets), why.get(name, ""))
                pending.remove(name)
                continue
            found += self._make_room(pending, targets, now)
            if len(found) > 8 * len(targets) + 8:
                raise NoWay
        return found

    def _kept(self, pending: Sequence[str], targets: Mapping[str, TablePoint]) -> _Kept:
        return [(self.bodies[each], targets[each]) for each in pending]

    def _make_room(
        self, pending: Sequence[str], targets: Mapping[str, TablePoint], now: dict[str, TablePoint]
    ) -> list[ArmMove]:
        """Put one thing that stands on another's target aside for a while."""
        kept = self._kept(pending, targets)
        for waiting in pending:
            others = self.in_the_way(waiting, targets[waiting], now)
            if not {*others} <= {*pending}:
                continue
            for other in others:
                for aside in self.spare(other, now, kept):
                    try:
                        return self.carry(other, aside, now, kept, "aside for a while")
                    except NoWay:
                        continue
        raise NoWay

    def carry(self, name: str, end: TablePoint, now: dict[str, TablePoint], kept: _Kept, why: str) -> list[ArmMove]:
        """The moves that bring a thing to a place, by a detour if need be; `now` is changed. Raises NoWay."""
        body, start = self.bodies[name], now[name]
        for clearance in _CLEARANCES:
            if self._clear(body, start, end, now, clearance):
                now[name] = end
                return [ArmMove(name, start, end, why)]
            for via in self.spare(name, now, kept)[:_DETOURS]:
                if self._clear(body, start, via, now, clearance) and self._clear(body, via, end, now, clearance):
                    now[name] = end
                    return [ArmMove(name, start, via, "round what stands in the way"), ArmMove(name, via, end, why)]
        return self._past(name, end, now, kept, why)

    def _past(self, name: str, end: TablePoint, now: dict[str, TablePoint], kept: _Kept, why: str) -> list[ArmMove]:
        """Two places on the way."""
        body, start = self.bodies[name], now[name]
        places = self.spare(name, now, kept)
        for clearance in _CLEARANCES:
            first = [place for place in places if self._clear(body, start, place, now, clearance)]
            last = [place for place in places if self._clear(body, place, end, now, clearance)]
            ways = sorted((_gap(start, a) + _gap(a, b) + _gap(b, end), a, b) for a in first for b in last)
            for _, a, b in ways:
                if self._clear(body, a, b, now, clearance):
                    now[name] = end
                    round_it = "round what stands in the way"
                    return [
                        ArmMove(name, start, a, round_it),
                        ArmMove(name, a, b, round_it),
                        ArmMove(name, b, end, why),
                    ]
        raise NoWay

    def in_the_way(self, name: str, place: TablePoint, now: Mapping[str, TablePoint]) -> list[str]:
        """What stands where a thing is to be put."""
        body = self.bodies[name]
        return [
            other
            for other, at in now.items()
            if other != name and not self.bodies[other].flat and _overlap(body, place, self.bodies[other], at, 0.01)
        ]

    def spare(self, name: str, now: Mapping[str, TablePoint], kept: _Kept = ()) -> list[TablePoint]:
        """Places where a thing may stand for a while, the roomiest first, then the nearest to where it is."""
        body = self.bodies[name]
        others = [(self.bodies[other], at) for other, at in now.items() if other != name]
        others += kept
        found = list[tuple[int, float, TablePoint]]()
        for place in self.grid:
            room = min((_room(body, place, other, at) for other, at in others), default=1.0)
            level = next((number for number, least in enumerate(_ROOM) if room >= least), None)
            if level is not None and self.usable(body, place):
                found.append((level, _gap(place, now[name]), place))
        return [place for _, _, place in sorted(found)]

    def _clear(
        self, body: Body, start: TablePoint, end: TablePoint, now: Mapping[str, TablePoint], clearance: float
    ) -> bool:
        """Whether a thing can be carried straight from one place to another."""
        if (body.name, start, end) in self.banned:
            return False
        high = {other: at for other, at in now.items() if other != body.name and self.bodies[other].height > _TOO_HIGH}
        if not high:
            return True
        course = self.course(start, end)
        return all(
            min(_gap(at, point) for point in course) >= self.bodies[other].half + max(body.half, _HAND) + clearance
            for other, at in high.items()
        )


def _gap(one: TablePoint, other: TablePoint) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def _room(one: Body, at: TablePoint, other: Body, there: TablePoint) -> float:
    """The gap between the sides of two things."""
    along = abs(at[0] - there[0]) - (one.length + other.length) / 2
    return max(along, abs(at[1] - there[1]) - (one.width + other.width) / 2)


def _overlap(one: Body, at: TablePoint, other: Body, there: TablePoint, margin: float) -> bool:
    return _room(one, at, other, there) < margin

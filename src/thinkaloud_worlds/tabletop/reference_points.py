"""Sites: points of the table named by the things there. Beside a thing, between two, a little to the left.

A site lists the points that would do, best first, from where its reference things are. The caller decides whether there
is room: by what is seen while the arm works, or beforehand by how things really stand (see `choose_spot`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from thinkaloud.errors import SkillError
from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.spatial_relations import DIRECTIONS, NEXT_TO, SIDES, is_between, is_on_side
from thinkaloud_worlds.tabletop.layout import TABLE_TOP
from thinkaloud_worlds.tabletop.put_beside import half_of
from thinkaloud_worlds.tabletop.scene import Thing

GAPS = (0.025, 0.035, 0.015)
"""Gaps between the edges of a thing and its neighbour; the first is best."""
_LEAST = 0.045  # from middle to middle: within 4 cm, the higher thing counts as on the other
_SLANTS = (0, 12, -12, 24, -24, 36, -36)  # degrees off the requested side
_ROUND = 24  # directions in which a thing may be put next to another
_SPARE = 0.008  # on both sides of a thing that is put between others
_ALONG, _ACROSS = (0.0, 0.01, -0.01, 0.02, -0.02, 0.04, -0.04), (0.0, 0.01, -0.01, 0.02, -0.02, 0.03, -0.03)
_ROOMY, _LAZY = 0.15, 0.2  # more room than this is no better; and how much room a metre of way is worth
_ABOUT, _ABOUT_PART, _EXACT = 0.04, 0.7, 0.01  # how far a shift may be off: metres, share of the way, exact
_SURELY = 0.005  # a result that is right by less than this may really be wrong

PointOf = Callable[[str], Xy]
"""Where a thing is, by its name."""
RoomAround = Callable[[Xy], tuple[float, str]]
"""The distance from a point to the nearest thing in the way there, and the name of that thing."""


class Site(Protocol):
    """A place for a thing, relative to other things."""

    @property
    def words(self) -> str:
        """The site in words: `left of the blue bowl`."""
        ...

    @property
    def anchors(self) -> tuple[str, ...]:
        """The reference things."""
        ...

    def spots(self, thing: Thing, things: Mapping[str, Thing], at: PointOf) -> Iterator[list[Xy]]:
        """Where the thing may be put: groups of equally good spots, best first."""
        ...

    def is_met(self, thing: Thing, things: Mapping[str, Thing], now: Xy, at: PointOf) -> bool:
        """Whether a thing seen at a point is at this site."""
        ...


@dataclass(frozen=True)
class Beside:
    """On a side of a thing, or next to it on any side."""

    side: str
    target: str

    @property
    def words(self) -> str:
        """Where it is."""
        return f"{self.side} the {self.target}"

    @property
    def anchors(self) -> tuple[str, ...]:
        """The thing that the site is beside."""
        return (self.target,)

    def spots(self, thing: Thing, things: Mapping[str, Thing], at: PointOf) -> Iterator[list[Xy]]:
        """Spots straight to that side; then slightly slanted, and farther or nearer."""
        x, y = at(self.target)
        near = half_of(thing) + half_of(things[self.target])
        straight = SIDES.get(self.side)
        for far in (max(near + gap, _LEAST) for gap in GAPS):
            if straight is None:
                turns = [2 * math.pi * side / _ROUND for side in range(_ROUND)]
                yield [(x + far * math.cos(turn), y + far * math.sin(turn)) for turn in turns]
            else:
                turns = [math.atan2(straight[1], straight[0]) + math.radians(slant) for slant in _SLANTS]
                yield from ([(x + far * math.cos(turn), y + far * math.sin(turn))] for turn in turns)

    def is_met(self, thing: Thing, things: Mapping[str, Thing], now: Xy, at: PointOf) -> bool:
        """Whether it is near the thing, and on that side."""
        target = at(self.target)
        gap = math.dist(now, target) - half_of(thing) - half_of(things[self.target])
        return gap <= NEXT_TO - _SURELY and (self.side not in SIDES or is_on_side(self.side, now, target))


@dataclass(frozen=True)
class Between:
    """In the middle between two things."""

    one: str
    other: str

    @property
    def words(self) -> str:
        """Where it is."""
        return f"between the {self.one} and the {self.other}"

    @property
    def anchors(self) -> tuple[str, ...]:
        """The two things."""
        return self.one, self.other

    def spots(self, thing: Thing, things: Mapping[str, Thing], at: PointOf) -> Iterator[list[Xy]]:
        """The middle of the free space between the two, and around it; none if they are too close together."""
        (ax, ay), (bx, by) = at(self.one), at(self.other)
        apart = math.hypot(bx - ax, by - ay)
        first, last = half_of(things[self.one]), apart - half_of(things[self.other])
        if last - first < 2 * (half_of(thing) + _SPARE):
            return
        right, back = (bx - ax) / apart, (by - ay) / apart
        steps = sorted(((a, b) for a in _ALONG for b in _ACROSS), key=lambda step: math.hypot(*step))
        for along, across in steps:
            way = (first + last) / 2 + along
            spot = ax + way * right - across * back, ay + way * back + across * right
            if is_between(spot, (ax, ay), (bx, by)):
                yield [spot]

    def is_met(self, thing: Thing, things: Mapping[str, Thing], now: Xy, at: PointOf) -> bool:
        """Whether it is near the line between the two."""
        return is_between(now, at(self.one), at(self.other))


@dataclass(frozen=True)
class Shifted:
    """A given distance in one direction from where the thing was at the start."""

    start: Xy
    direction: str
    metres: float

    @property
    def words(self) -> str:
        """Where it is."""
        to = {"left": "to the left", "right": "to the right"}.get(self.direction, self.direction)
        return f"{self.metres * 100:g} cm {to}"

    @property
    def anchors(self) -> tuple[str, ...]:
        """No things: the site is relative to the moved thing itself."""
        return ()

    @property
    def goal(self) -> Xy:
        """The target point."""
        right, back = DIRECTIONS[self.direction]
        return self.start[0] + right * self.metres, self.start[1] + back * self.metres

    def spots(self, thing: Thing, things: Mapping[str, Thing], at: PointOf) -> Iterator[list[Xy]]:
        """The target point only."""
        yield [self.goal]

    def is_met(self, thing: Thing, things: Mapping[str, Thing], now: Xy, at: PointOf) -> bool:
        """Whether it is about that far away, roughly in that direction."""
        right, back = DIRECTIONS[self.direction]
        dx, dy = now[0] - self.goal[0], now[1] - self.goal[1]
        most = max(min(_ABOUT, _ABOUT_PART * self.metres), _EXACT)
        return abs(dx * right + dy * back) <= most and abs(dy * right - dx * back) <= most


def choose_spot(
    site: Site,
    thing: Thing,
    things: Mapping[str, Thing],
    at: PointOf,
    room: RoomAround,
    margins: Sequence[Xy],
    here: Xy,
) -> Xy:
    """The best spot of a site with room for a thing. Raises SkillError with what is in the way if there is none.

    `margins`: the least distances from the spot to other things and to the table's edge, in the order to try them.
    """
    groups = list(site.spots(thing, things, at))
    no_room = f"There is no room for the {thing.name} {site.words}"
    if not groups:
        raise SkillError(f"{no_room}: they are too close to each other.")
    rooms = {spot: room(spot)[0] for group in groups for spot in group}
    for need, edge in margins:
        inside = TABLE_TOP.inset(edge)
        for group in groups:
            free = [spot for spot in group if rooms[spot] >= need and inside.distance(*spot) == 0]
            if free:
                return max(free, key=lambda spot: (min(rooms[spot], _ROOMY) - _LAZY * math.dist(spot, here), spot))
    need, edge = margins[-1]
    on_table = [spot for group in groups for spot in group if TABLE_TOP.inset(edge).distance(*spot) == 0]
    if not on_table:
        raise SkillError(f"{no_room}: the table ends there.")
    raise SkillError(f"{no_room}: the {room(on_table[0])[1]} is in the way.")

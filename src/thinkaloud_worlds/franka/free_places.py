"""Where things go and in which order: free places, and ways around tall things."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from thinkaloud.errors import Unparseable
from thinkaloud.records import Arguments, WorldState
from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.franka.box_geometry import (
    ObjectBox,
    boxes_of,
    held_in,
    in_the_way,
    on_the_base,
    on_the_table,
    room,
)
from thinkaloud_worlds.franka.layout import AT_POINT, ORDINARY
from thinkaloud_worlds.franka.reachability import reaches, way

_HAND = 0.11
"""Half of the hand's width."""
_CLEARANCES = (0.04, 0.015, -0.01, -0.04)
"""The distance to keep from tall things: the largest that works. In the end the hand may be narrow enough."""
_AWKWARD = 0.30
"""Nothing is put down on the way nearer to the base than this."""
_SPARE = (0.11, 0.085, 0.06)
"""The room kept around a place on the way."""


@dataclass(frozen=True, slots=True)
class ArmStep:
    """A call of one of the arm's skills, and its purpose in words."""

    words: str
    skill: str
    arguments: Arguments


class Arranging:
    """A plan for moving the things of a table; it tracks where they are after each step."""

    def __init__(
        self, state: WorldState, first: WorldState, receptacles: Collection[str], kept: list[Xy], round_it: str = ""
    ) -> None:
        self.boxes, self.first = boxes_of(state), boxes_of(first)
        self._held, self._receptacles, self._kept, self._round = held_in(state), receptacles, kept, round_it

    def now(self, name: str) -> Xy:
        """Where a thing is."""
        return self.boxes[name].x, self.boxes[name].y

    def was(self, name: str) -> Xy:
        """Where a thing was at the start."""
        box = self.first.get(name, self.boxes[name])
        return box.x, box.y

    def others(self, *names: str) -> dict[str, ObjectBox]:
        """What stands on the table, except these things and what the hand holds."""
        return {name: box for name, box in self.boxes.items() if name not in names and name != self._held}

    # Places -----------------------------------------------------------------------------------------------------------

    def on(self, thing: str, target: str) -> Xy:
        """A free place on or in a receptacle; the middle, if it is free."""
        mine, flat = self.boxes[thing], self.boxes[target]
        free = self.others(thing, target)
        spare = [max((a - b) / 2 - 0.02, 0.0) for a, b in ((flat.length, mine.length), (flat.width, mine.width))]
        for a in (0.0, 0.5, -0.5, 1.0, -1.0):
            for b in (0.0, 0.5, -0.5, 1.0, -1.0):
                x, y = round(flat.x + spare[0] * a, 2) + 0.0, round(flat.y + spare[1] * b, 2) + 0.0
                if not in_the_way(mine.at(x, y, 0.0), free):
                    return x, y
        raise Unparseable(f"There is no room left on the {target}.")

    def _free(self, thing: str, good: Callable[[Xy], bool] = lambda _: True, near: Xy | None = None) -> Xy | None:
        mine = self.boxes[thing]
        kept = [*self._kept, *((box.x, box.y) for box in self.first.values())]
        avoid = [ObjectBox(x, y, mine.height / 2, mine.length, mine.width, mine.height) for x, y in kept]
        size = (mine.length, mine.width, mine.height)
        return room([*self.others(thing).values(), *avoid], size, near or self.now(thing), good)

    # Moves ------------------------------------------------------------------------------------------------------------

    def aside(self, thing: str) -> Iterator[ArmStep]:
        """Put a thing where it is not in the way."""
        place = self._free(thing, lambda p: math.hypot(*p) >= _AWKWARD) or self._free(thing)
        if place is None:
            raise Unparseable(f"There is no free place left for the {thing}.")
        yield from self.carried(thing, place, f"Put the {thing} aside")

    def carried(self, thing: str, to: Xy, words: str) -> Iterator[ArmStep]:
        """Take a thing, unless the hand already holds it, and put it down; around the tall thing if one was given."""
        if self._held is not None and self._held != thing:
            yield from self.aside(self._held)
        for via in self._ways(thing, to) if self._round else ():
            yield from self._move(thing, via, f"Put the {thing} on the way round the {self._round}")
        yield from self._move(thing, to, words)

    def _move(self, thing: str, to: Xy, words: str) -> Iterator[ArmStep]:
        box = self.boxes[thing]
        if self._held != thing:
            yield ArmStep(f"Grasp the {thing}", "grasp", {"x": box.x, "y": box.y, "z": box.z})
        self._held, self.boxes[thing] = None, box.at(*to, 0.0)
        yield ArmStep(words, "move", {"x": to[0], "y": to[1]})

    def arranged(self, places: Mapping[str, Xy], why: Mapping[str, str]) -> Iterator[ArmStep]:
        """Bring each thing to its place as soon as the place is free; put a thing aside if it blocks all others."""
        pending = [name for name, place in places.items() if math.dist(place, self.now(name)) > AT_POINT / 3]
        self._kept += places.values()
        for _ in range(4 * len(places)):
            ready = [name for name in pending if not self._in_the_way(name, places[name])]
            if ready:
                yield from self.carried(ready[0], places[ready[0]], f"Put the {ready[0]} {why[ready[0]]}")
                pending.remove(ready[0])
            elif pending:
                there = [n for name in pending for n in self._in_the_way(name, places[name]) if n in pending]
                if not there:
                    break
                yield from self.aside(there[0])
        if pending:
            raise Unparseable(f"There is no room for the {pending[0]}.")

    def exchanged(self, one: str, other: str) -> Iterator[ArmStep]:
        """Swap the places of two things."""
        places = {one: self.now(other), other: self.now(one)}
        return self.arranged(places, {one: f"where the {other} was", other: f"where the {one} was"})

    def _in_the_way(self, name: str, place: Xy) -> list[str]:
        others = {n: box for n, box in self.others(name).items() if n not in self._receptacles}
        return in_the_way(self.boxes[name].at(*place, 0.0), others)

    # Ways -------------------------------------------------------------------------------------------------------------

    def _ways(self, thing: str, to: Xy) -> list[Xy]:
        """The places on a way around tall things: none if the straight way is clear, else one or two."""
        start, spare = self.now(thing), self._spare(thing, to)
        for clearance in _CLEARANCES:
            if self._clear(thing, start, to, clearance) and clearance > 0.015:
                return []
            first = [place for place in spare if self._clear(thing, start, place, clearance)]
            if one := [p for p in first if self._clear(thing, p, to, clearance)]:
                return [min(one, key=lambda p: math.dist(start, p) + math.dist(p, to))]
            last = [place for place in spare if self._clear(thing, place, to, clearance)]
            two = sorted((math.dist(start, a) + math.dist(a, b) + math.dist(b, to), a, b) for a in first for b in last)
            found = next(([a, b] for _, a, b in two if self._clear(thing, a, b, clearance)), None)
            if found:
                return found
        raise Unparseable(f"There is no way round the {self._round}.")

    def _spare(self, thing: str, to: Xy) -> list[Xy]:
        """Possible places on the way, with room for the hand around them."""
        mine, others = self.boxes[thing], [*self.others(thing).values(), self.boxes[thing].at(*to, 0.0)]
        for least in _SPARE:
            found = []
            for place in _grid():
                box = mine.at(*place, 0.0)
                roomy = on_the_table(box) and not on_the_base(box) and all(box.gap(each) >= least for each in others)
                if roomy and reaches(*place, mine.height):
                    found.append(place)
            if len(found) > 8:
                return found
        return found

    def _clear(self, thing: str, start: Xy, to: Xy, clearance: float) -> bool:
        """Whether a thing can be carried straight from one place to another past tall things."""
        points, half = way(start, to), math.hypot(*self.boxes[thing][3:5]) / 2
        for name, box in self.others(thing).items():
            if box.height > ORDINARY + 0.005 or name == self._round:
                least = math.hypot(box.length, box.width) / 2 + max(half, _HAND) + clearance
                if ((points[:, 0] - box.x) ** 2 + (points[:, 1] - box.y) ** 2).min() < least**2:
                    return False
        return True


def _grid() -> Iterator[Xy]:
    for i in range(14):
        for j in range(29):
            place = round(-0.10 + 0.04 * i, 2), round(-0.56 + 0.04 * j, 2)
            if math.hypot(*place) >= _AWKWARD:
                yield place

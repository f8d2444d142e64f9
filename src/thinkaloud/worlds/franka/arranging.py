"""Where things go and in which order: places that are free, lines, and ways round what is tall."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from thinkaloud.errors import Unparseable
from thinkaloud.records import WorldState
from thinkaloud.worlds.contract import Command
from thinkaloud.worlds.franka.boxes import (
    Box,
    boxes_of,
    held_in,
    in_the_way,
    on_the_base,
    on_the_table,
    room,
)
from thinkaloud.worlds.franka.commands import beside
from thinkaloud.worlds.franka.layout import AT, ORDINARY, TABLE_X, TABLE_Y
from thinkaloud.worlds.franka.reach import reaches, way
from thinkaloud.worlds.geometry import Xy

_HAND = 0.11
"""Half of the hand's width."""
_CLEARANCES = (0.04, 0.015, -0.01, -0.04)
"""By how much a way should miss what is tall: as much as possible; in the end the hand may be narrow enough."""
_AWKWARD = 0.30
"""Nearer to the base than this nothing is lined up or put down on the way."""
_GAPS = (0.11, 0.085, 0.06, 0.045)
"""Between the sides of neighbours in a line: room for the hand, as much as there is."""
_SPARE = (0.11, 0.085, 0.06)
"""Round a place on the way."""


class Arranging:
    """The things of a table while they are moved about, in thought."""

    def __init__(
        self, state: WorldState, first: WorldState, receptacles: Collection[str], kept: list[Xy], round_it: str = ""
    ) -> None:
        self.boxes, self.first = boxes_of(state), boxes_of(first)
        self._held, self._receptacles, self._kept, self._round = held_in(state), receptacles, kept, round_it

    def now(self, name: str) -> Xy:
        """Where a thing is."""
        return self.boxes[name].x, self.boxes[name].y

    def was(self, name: str) -> Xy:
        """Where a thing was at first."""
        box = self.first.get(name, self.boxes[name])
        return box.x, box.y

    def others(self, *names: str) -> dict[str, Box]:
        """What stands on the table besides these and what is in the hand."""
        return {name: box for name, box in self.boxes.items() if name not in names and name != self._held}

    # Places -----------------------------------------------------------------------------------------------------------

    def beside(self, thing: str, other: str) -> Xy:
        """A free place next to another thing."""
        place = beside(self.boxes[thing], other, self.others(thing)) if other != thing else None
        if place is None:
            raise Unparseable(f"There is no room next to the {other}.")
        return place

    def on(self, thing: str, target: str) -> Xy:
        """A free place on or in a receptacle: the middle, if that is free."""
        mine, flat = self.boxes[thing], self.boxes[target]
        free = self.others(thing, target)
        spare = [max((a - b) / 2 - 0.02, 0.0) for a, b in ((flat.length, mine.length), (flat.width, mine.width))]
        for a in (0.0, 0.5, -0.5, 1.0, -1.0):
            for b in (0.0, 0.5, -0.5, 1.0, -1.0):
                x, y = round(flat.x + spare[0] * a, 2) + 0.0, round(flat.y + spare[1] * b, 2) + 0.0
                if not in_the_way(mine.at(x, y, 0.0), free):
                    return x, y
        raise Unparseable(f"There is no room left on the {target}.")

    def within(self, thing: str, bounds: Sequence[tuple[str, str, float]]) -> Xy:
        """A free place of a part of the table, with as much room round it as there is."""

        def good(place: Xy) -> bool:
            sides = [(place[axis == "y"] - value) * (1 if sign == ">" else -1) for axis, sign, value in bounds]
            return all(side >= AT for side in sides)

        place = self._free(thing, good)
        if place is None:
            raise Unparseable(f"There is no room there for the {thing}.")
        return place

    def _free(self, thing: str, good: Callable[[Xy], bool] = lambda _: True, near: Xy | None = None) -> Xy | None:
        mine = self.boxes[thing]
        kept = [*self._kept, *((box.x, box.y) for box in self.first.values())]
        avoid = [Box(x, y, mine.height / 2, mine.length, mine.width, mine.height) for x, y in kept]
        size = (mine.length, mine.width, mine.height)
        return room([*self.others(thing).values(), *avoid], size, near or self.now(thing), good)

    # Moves ------------------------------------------------------------------------------------------------------------

    def aside(self, thing: str) -> Iterator[Command]:
        """Put a thing where it is in nobody's way."""
        place = self._free(thing, lambda p: math.hypot(*p) >= _AWKWARD) or self._free(thing)
        if place is None:
            raise Unparseable(f"There is no free place left for the {thing}.")
        yield from self.carried(thing, place, f"Put the {thing} aside")

    def carried(self, thing: str, to: Xy, words: str) -> Iterator[Command]:
        """Take a thing, unless it is in the hand, and put it down; on a way round what is tall if that was said."""
        if self._held is not None and self._held != thing:
            yield from self.aside(self._held)
        for via in self._ways(thing, to) if self._round else ():
            yield from self._move(thing, via, f"Put the {thing} on the way round the {self._round}")
        yield from self._move(thing, to, words)

    def _move(self, thing: str, to: Xy, words: str) -> Iterator[Command]:
        box = self.boxes[thing]
        if self._held != thing:
            yield Command(f"Grasp the {thing}", "grasp", {"x": box.x, "y": box.y, "z": box.z})
        self._held, self.boxes[thing] = None, box.at(*to, 0.0)
        yield Command(words, "move", {"x": to[0], "y": to[1]})

    def arranged(self, places: Mapping[str, Xy], why: Mapping[str, str]) -> Iterator[Command]:
        """Bring every thing to its place, each when that is free; what stands in the way of all is put aside."""
        pending = [name for name, place in places.items() if math.dist(place, self.now(name)) > AT / 3]
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

    def exchanged(self, one: str, other: str) -> Iterator[Command]:
        """Bring each of two things to where the other is."""
        places = {one: self.now(other), other: self.now(one)}
        return self.arranged(places, {one: f"where the {other} was", other: f"where the {one} was"})

    def _in_the_way(self, name: str, place: Xy) -> list[str]:
        others = {n: box for n, box in self.others(name).items() if n not in self._receptacles}
        return in_the_way(self.boxes[name].at(*place, 0.0), others)

    # Ways -------------------------------------------------------------------------------------------------------------

    def _ways(self, thing: str, to: Xy) -> list[Xy]:
        """The places on a way round what is tall: none where it is clear, one or two where it is not."""
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
        """Places on the way: with room for the hand round them."""
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
        """Whether a thing can be carried straight from one place to another, past what is tall."""
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


def line_of(things: Sequence[str], axis: str, table: Arranging, *, ordered: bool) -> dict[str, Xy]:
    """Places in a line for these things: where there is room for all of them, and near to where they are."""
    if len(things) < 2:
        raise Unparseable("A line is of two things at least.")
    along = 0 if axis == "x" else 1
    names = list(things) if ordered else sorted(things, key=lambda name: table.now(name)[along])
    boxes = [table.boxes[name] for name in names]
    others = [box for name, box in table.others(*things).items()]
    lengths = [box.length if axis == "x" else box.width for box in boxes]
    best: tuple[float, list[Xy]] | None = None
    for level, gap in enumerate(_GAPS):
        offsets = [0.0]
        for one, other in itertools.pairwise(lengths):
            offsets.append(math.ceil(round((offsets[-1] + (one + other) / 2 + gap) * 100, 6)) / 100)
        for line in _lines(along, offsets):
            spots = [box.at(*place, 0.0) for box, place in zip(boxes, line, strict=True)]
            if not all(on_the_table(s) and math.hypot(s.x, s.y) >= _AWKWARD for s in spots):
                continue
            space = min((s.gap(other) for s in spots for other in others), default=1.0)
            if space < 0.045:
                continue
            stray = sum(math.dist(table.now(name), place) for name, place in zip(names, line, strict=True))
            cost = stray + level + (3.0 if space < 0.085 else 0.0)
            better = best is None or cost < best[0]
            if better and all(reaches(s.x, s.y, s.height) for s in spots):
                best = cost, line
    if best is None:
        raise Unparseable("There is no room for such a line.")
    return dict(zip(names, best[1], strict=True))


def _lines(along: int, offsets: Sequence[float]) -> Iterator[list[Xy]]:
    ends, sides = (TABLE_X, TABLE_Y) if along == 0 else (TABLE_Y, TABLE_X)
    for i in range(int((ends[1] - ends[0] - offsets[-1]) / 0.03) + 1):
        for j in range(int((sides[1] - sides[0]) / 0.03) + 1):
            start, beside_it = round(ends[0] + 0.03 * i, 2), round(sides[0] + 0.02 + 0.03 * j, 2)
            steps = [round(start + offset, 2) + 0.0 for offset in offsets]
            yield [(step, beside_it) if along == 0 else (beside_it, step) for step in steps]

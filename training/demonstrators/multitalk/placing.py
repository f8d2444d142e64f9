"""Where things go, by rules that can be followed in the head: the thought that says so, and the steps that come of it.

A free place is one whose y is far from that of every object; next to a thing is half of the two widths and 4 cm away; a
line has fixed places. So all that a plan needs can be read off the environment, and added up.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from thinkaloud.records import Step
from thinkaloud_worlds.franka.box_geometry import ObjectBox, in_the_way, on_the_base, on_the_table
from training.demonstrators.multitalk.tables import Point

_ALONG_Y = {2: (-0.15, 0.15), 3: (-0.20, 0.0, 0.20), 4: (-0.30, -0.10, 0.10, 0.30), 5: (-0.40, -0.20, 0.0, 0.20, 0.40)}
_ALONG_X = {2: (0.10, 0.30), 3: (0.0, 0.18, 0.36), 4: (-0.06, 0.10, 0.26, 0.42), 5: (-0.10, 0.03, 0.16, 0.29, 0.42)}
_LEVELS = {"x": (-0.45, 0.45, -0.40, 0.40, -0.50, 0.50, -0.35, 0.35, -0.55, 0.55), "y": (0.35, 0.40, 0.31, 0.42)}
"""Where lines along an axis may run."""
_YS = (0.0, 0.10, -0.10, 0.20, -0.20, 0.30, -0.30, 0.40, -0.40, 0.50, -0.50, 0.55, -0.55)
_BETWEEN = 0.04
"""Between things that stand next to each other."""


class Crowded(Exception):
    """There is no such place; another table has to be laid."""


def pair(point: Iterable[float]) -> str:
    """A point as it is written."""
    return f"({', '.join(f'{value + 0.0:.2f}' for value in point)})".replace("-0.00", "0.00")


def at(box: ObjectBox) -> str:
    """Where a thing is, as the environment has it."""
    return pair((box.x, box.y, box.z))


@dataclass
class Placing:
    """The things of a table while a plan is made. `banned`: points that turned out to be no good."""

    boxes: dict[str, ObjectBox]
    held: str = ""
    bearers: frozenset[str] = frozenset()
    """What things are put on or into."""
    banned: frozenset[Point] = frozenset()
    steps: list[Step] = field(default_factory=list)
    where: list[str] = field(default_factory=list)
    """Where things go, in words."""

    def __post_init__(self) -> None:
        self.first = dict(self.boxes)

    def thought(self, what: Iterable[str]) -> str:
        """What is to be moved and where it is, and where it goes."""
        known = [f"{name}{' in the hand' if name == self.held else f' at {at(self.first[name])}'}" for name in what]
        return f"What: {', '.join(known)}. Where: {' '.join(self.where)}"

    # Steps ------------------------------------------------------------------------------------------------------------

    def carry(self, name: str, to: Point, words: str) -> None:
        """Take a thing, unless it is in the hand, and put it down."""
        box = self.boxes[name]
        if self.held and self.held != name:
            raise Crowded
        if not self.held:
            point = {"x": box.x, "y": box.y, "z": box.z}
            self.steps.append(Step("grasp", point, f"Grasp the object at {at(box)}.", f"Grasp {name}"))
        self.held = ""
        self.boxes[name] = box._replace(x=to[0], y=to[1])
        self.steps.append(
            Step("move", {"x": to[0], "y": to[1], "z": 0.0}, f"Move it to {pair(to)}.", f"Put {name} {words}")
        )

    def home(self) -> tuple[Step, ...]:
        """The whole plan."""
        return (*self.steps, Step("home", {}, "Go home.", "Go home, all is done"))

    # Places -----------------------------------------------------------------------------------------------------------

    def taken_by(self, name: str, to: Point, passed: Iterable[str] = ()) -> list[str]:
        """What stands where a thing is to go."""
        others = {n: b for n, b in self.boxes.items() if n != name and n not in passed and n not in self.bearers}
        return in_the_way(self.boxes[name].at(*to, 0.0), others)

    def fits(self, name: str, to: Point) -> bool:
        """Whether a thing can stand there: on the table, off the arm's base and in its reach."""
        box = self.boxes[name].at(*to, 0.0)
        return on_the_table(box) and not on_the_base(box) and math.hypot(*to) >= 0.3 and to not in self.banned

    def spare(self, name: str, kept: Iterable[Point] = (), good: Callable[[Point], bool] = lambda _: True) -> Point:
        """A free place, by y alone where there is one; `kept` are points that something goes to."""
        there = [*((b.x, b.y) for n, b in self.boxes.items() if n != name), *kept]
        level = [(0.35, y) for y in _YS]
        sides = [(x, y) for x in (0.35, 0.40, 0.10, 0.25, 0.0) for y in _YS]
        for apart, places in ((0.18, level), (0.15, level), (0.20, sides), (0.16, sides), (0.13, sides)):
            for place in places:
                by_y = places is level
                far = all((abs(place[1] - y) if by_y else math.dist(place, (x, y))) >= apart - 1e-6 for x, y in there)
                if far and good(place) and self.fits(name, place) and not self._borne(name, place):
                    return place
        raise Crowded

    def _borne(self, name: str, place: Point) -> bool:
        """Whether a place is on something that things are put on."""
        box = self.boxes[name].at(*place, 0.0)
        return any(box.gap(self.boxes[each]) <= 0.02 for each in self.bearers)

    def ys(self, without: str = "") -> str:
        """The y of all objects, as the environment has them."""
        return ", ".join(f"{b.y + 0.0:.2f}" for n, b in self.boxes.items() if n != without).replace("-0.00", "0.00")

    def aside(self, name: str, kept: Iterable[Point] = (), why: str = "", way: Sequence[Point] = ()) -> None:
        """Put a thing where it is in nobody's way; `way`: the ends of one that it has to be far from."""
        place = self.spare(name, kept, lambda place: not way or _off(place, way[0], way[1]) >= 0.24)
        far = ", far from the way" if way else ""
        self.where.append(f"{why or name} goes aside{far}; y taken: {self.ys(name)}; free: {pair(place)}.")
        self.carry(name, place, "aside")

    # Deeds ------------------------------------------------------------------------------------------------------------

    def put(self, name: str, to: Point, words: str = "", said: str = "") -> None:
        """A thing at a point; what stands there is put aside first."""
        if not self.fits(name, to):
            raise Crowded
        taken = self.taken_by(name, to)
        if len(taken) > 1 or (taken and self.held):
            raise Crowded
        shown = said or pair(to)
        if taken:
            self.where.append(f"{shown}, but {taken[0]} is at {pair(self.boxes[taken[0]][:2])}.")
            self.aside(taken[0], [to])
        else:
            self.where.append(f"{shown}, free.")
        self.carry(name, to, words or f"at {pair(to)}")

    def beside(self, name: str, other: str) -> None:
        """A thing next to another, along y."""
        mine, there = self.boxes[name], self.boxes[other]
        half = math.floor(round((mine.width + there.width) * 50, 4)) / 100
        off = round(half + _BETWEEN, 2)
        for sign in (-1, 1) if there.y > 0 else (1, -1):
            to = (there.x, round(there.y + sign * off, 2) + 0.0)
            if self.fits(name, to) and not self.taken_by(name, to):
                self.where.append(
                    f"next to {other} at {pair(there[:2])}. Half of the widths {mine.width:.2f} + {there.width:.2f} is "
                    f"{half:.2f}, and {_BETWEEN:.2f} between: {off:.2f}. "
                    f"y = {there.y + 0.0:.2f} {'+' if sign > 0 else '-'} {off:.2f} = {to[1]:.2f}."
                )
                return self.carry(name, to, f"next to {other}")
        raise Crowded

    def onto(self, name: str, target: str, how: str) -> None:
        """A thing on or in another: in the middle, or beside what is there."""
        there = self.boxes[target]
        on_it = [n for n, b in self.boxes.items() if n not in (name, target) and there.covers(b.x, b.y)]
        for off in (0.0, -0.06, 0.06, -0.08, 0.08):
            to = (there.x, round(there.y + off, 2) + 0.0)
            if not self.taken_by(name, to):
                beside = (
                    f", where {' and '.join(on_it)} {'is' if len(on_it) == 1 else 'are'} already: beside it"
                    if on_it
                    else ""
                )
                self.where.append(f"{how} {target} at {pair((there.x, there.y))}{beside}.")
                return self.carry(name, to, f"{how} {target}")
        raise Crowded

    def within(self, name: str, bounds: Sequence[tuple[str, str, float]]) -> None:
        """A thing in a part of the table."""

        def good(place: Point) -> bool:
            return all(
                (place[axis == "y"] - value) * (1 if sign == ">" else -1) >= 0.03 for axis, sign, value in bounds
            )

        place = self.spare(name, good=good)
        said = " and ".join(f"{axis} {'above' if sign == '>' else 'below'} {value:.2f}" for axis, sign, value in bounds)
        self.where.append(f"{said}; y taken: {self.ys(name)}; free: {pair(place)}.")
        self.carry(name, place, f"where {said}")

    def exchange(self, one: str, other: str, place: Point | None = None) -> Point:
        """Two things change places, by way of a free place."""
        (a, b), (c, d) = self.boxes[one][:2], self.boxes[other][:2]
        place = place or self.spare(one, [(c, d)])
        self.where.append(
            f"{one} and {other} each where the other is. {one} goes aside first; y taken: {self.ys(one)}; "
            f"free: {pair(place)}."
        )
        self.carry(one, place, "aside")
        self.carry(other, (a, b), f"where {one} was")
        self.carry(one, (c, d), f"where {other} was")
        return place

    def line(self, names: Sequence[str], axis: str, *, ordered: bool) -> None:
        """Things in a line, at places that are free."""
        slots = (_ALONG_X if axis == "x" else _ALONG_Y).get(len(names))
        if slots is None:
            raise Crowded
        along = "xy".index(axis)
        order = list(names) if ordered else sorted(names, key=lambda name: self.boxes[name][along])
        other = "yx"[along]
        for moved in (False, True):  # at first where nothing stands; then where only what will have moved by then does
            for level in _LEVELS[axis]:
                places = [(slot, level) if axis == "x" else (level, slot) for slot in slots]
                goes = self._sequence(dict(zip(order, places, strict=True)), moved=moved)
                if goes is None:
                    continue
                how = "in the order that was said" if ordered else "in any order"
                free = (
                    f"things make room one after another at {other} = {level:.2f}"
                    if moved
                    else f"{other} = {level:.2f} is free"
                )
                listed = ", ".join(f"{name} {slot + 0.0:.2f}" for name, slot in zip(order, slots, strict=True))
                self.where.append(f"a line along {axis}, {how}. {free}; {axis}: {listed}.".replace("-0.00", "0.00"))
                for name, place in goes:
                    self.carry(name, place, "in the line")
                return
        raise Crowded

    def _sequence(self, places: dict[str, Point], *, moved: bool) -> list[tuple[str, Point]] | None:
        """In which order things can be put there, each when its place is free; None where they cannot."""
        if not all(self.fits(name, place) and not self._borne(name, place) for name, place in places.items()):
            return None
        now = {name: (box.x, box.y) for name, box in self.boxes.items() if name not in self.bearers}
        found, pending = list[tuple[str, Point]](), list(places)
        while pending:
            ready = [n for n in pending if all(math.dist(places[n], p) >= 0.12 for o, p in now.items() if o != n)]
            if not ready or (not moved and ready != pending):
                return None
            now[ready[0]] = places[ready[0]]
            found.append((ready[0], places[ready[0]]))
            pending.remove(ready[0])
        return found

    def do(self, form: str, things: Sequence[str], where: str | Point) -> None:
        """What a deed stands for."""
        if form == "exchange":
            self.exchange(things[0], things[1])
        elif form == "line":
            self.line(things, str(where)[0], ordered=not str(where).endswith("any order"))
        elif not isinstance(where, str):
            self.put(things[0], where)
        elif where == "aside":
            self.aside(things[0])
        elif match := re.fullmatch(r"next to the (.+)", where):
            self.beside(things[0], match[1])
        elif match := re.fullmatch(r"(in|on) the (.+)", where):
            self.onto(things[0], match[2], match[1])
        elif match := re.fullmatch(r"where the (.+) was", where):
            box = self.first[match[1]]
            self.put(things[0], (box.x, box.y), f"where {match[1]} was", f"where {match[1]} was, {pair(box[:2])}")
        else:
            bounds = re.findall(r"([xy]) ([<>]) (-?\d\.\d+)", where)
            self.within(things[0], [(axis, sign, float(value)) for axis, sign, value in bounds])


def expand(
    boxes: dict[str, ObjectBox],
    deeds: Sequence[tuple[str, tuple[str, ...], str | Point]],
    *,
    held: str = "",
    bearers: frozenset[str] = frozenset(),
    banned: frozenset[Point] = frozenset(),
    round_it: str = "",
    remark: str = "",
) -> tuple[str, tuple[Step, ...]]:
    """The thought and the steps of some deeds. `round_it`: something tall that is put aside meanwhile, and back."""
    plan = Placing(dict(boxes), held, bearers, banned)
    what = list(dict.fromkeys(name for _, things, _ in deeds for name in things))
    if held and held not in what:
        plan.aside(held, why=f"{held}, in the hand,")
    if round_it:
        plan.aside(round_it, (), f"{round_it} at {pair(boxes[round_it][:2])} is in the way: it", _ends(boxes, deeds[0]))
    for form, things, where in deeds:
        plan.do(form, things, where)
    if round_it:
        plan.carry(round_it, (boxes[round_it].x, boxes[round_it].y), "back")
        plan.where.append(f"{round_it} goes back.")
    thought = plan.thought(name for name in what if name in plan.first)
    return f"{remark}{' ' if remark else ''}{thought}", plan.home()


def _ends(boxes: dict[str, ObjectBox], deed: tuple[str, tuple[str, ...], str | Point]) -> tuple[Point, Point]:
    """Where the way of a deed begins and ends."""
    form, things, where = deed
    start = boxes[things[0]].x, boxes[things[0]].y
    if not isinstance(where, str):
        return start, where
    target = things[1] if form == "exchange" else where.partition(" the ")[2]
    return start, (boxes[target].x, boxes[target].y)


def _off(place: Point, start: Point, end: Point) -> float:
    """How far a place is from the straight way between two points."""
    (x, y), (a, b), (c, d) = place, start, end
    length = (c - a) ** 2 + (d - b) ** 2
    along = 0.0 if not length else min(max(((x - a) * (c - a) + (y - b) * (d - b)) / length, 0.0), 1.0)
    return math.dist(place, (a + along * (c - a), b + along * (d - b)))

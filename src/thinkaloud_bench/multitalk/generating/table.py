"""Drawing scenes: things from the whole catalogue, each where the arm can take it and the hand has room beside it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import hypot
from random import Random
from typing import Any, TypeVar

from thinkaloud_bench.multitalk.episodes import TalkGoal, Topic
from thinkaloud_bench.multitalk.generating.phrasings import UNCLEAR
from thinkaloud_bench.multitalk.reach import usable
from thinkaloud_bench.multitalk.routing import Body, TablePoint
from thinkaloud_worlds.franka import CATALOGUE, Franka, read_franka_scene

T = TypeVar("T")
_APART = 0.16
"""Between the centres of two things, at least."""
_BESIDE = 0.085
"""Between the sides of two things, at least: room for the hand."""
_SMALL = 0.13
"""Things that are not longer can stand in a row."""
ORDINARY_KINDS = tuple(name for name, kind in CATALOGUE.items() if kind.graspable and not kind.tall)
TALL_KINDS = tuple(name for name, kind in CATALOGUE.items() if kind.graspable and kind.tall)
RECEPTACLE_KINDS = tuple(name for name, kind in CATALOGUE.items() if kind.receptacle)
COMPACT_KINDS = tuple(name for name in ORDINARY_KINDS if max(CATALOGUE[name].size[:2]) <= _SMALL)
_TRIES = 400


class Full(Exception):
    """There is no room left; another scene has to be drawn."""


@dataclass(frozen=True, slots=True)
class TableDraft:
    """What is wanted in a scene, how it is said, and what the person would answer."""

    request: str
    goal: tuple[TalkGoal, ...] = ()
    preferences: dict[Topic, str] = field(default_factory=dict)
    needed: tuple[Topic, ...] = ()
    why: str = ""
    late: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    """What is there, and must not be seen at first."""


@dataclass(frozen=True, slots=True)
class PlacedThing:
    """A thing of a scene."""

    name: str
    kind: str
    x: float
    y: float
    yaw: int = 0

    @property
    def at(self) -> TablePoint:
        """Where it stands."""
        return (self.x, self.y)

    @property
    def body(self) -> Body:
        """Its extent, as it stands."""
        return body_of(self.kind, self.yaw, self.name)


@dataclass
class DrawnTable:
    """A scene that is being drawn."""

    rng: Random
    things: dict[str, PlacedThing] = field(default_factory=dict)
    kept: list[tuple[Body, TablePoint]] = field(default_factory=list)
    """Places that are spoken for: something is to be put there."""

    def put(self, kinds: Sequence[str]) -> list[str]:
        """Things of these kinds at free places; several of one kind are numbered."""
        names = number_things(kinds)
        for name, kind in sorted(zip(names, kinds, strict=True), key=lambda each: -max(CATALOGUE[each[1]].size[:2])):
            yaw = 0 if CATALOGUE[kind].round else self.rng.choice((0, 90))
            self.add(PlacedThing(name, kind, *self.spot(body_of(kind, yaw, name)), yaw))
        self.things = {name: self.things[name] for name in [*self.things] if name not in names} | {
            name: self.things[name] for name in names
        }
        return names

    def add(self, thing: PlacedThing) -> None:
        """A thing at its place."""
        self.things[thing.name] = thing

    def spot(self, body: Body, good: Callable[[TablePoint], bool] = lambda _: True) -> TablePoint:
        """A free place for a thing, with two decimals. Raises Full."""
        others = [(each.body, each.at) for each in self.things.values()] + self.kept
        for _ in range(_TRIES):
            place = (round(self.rng.uniform(-0.12, 0.44), 2), round(self.rng.uniform(-0.58, 0.58), 2))
            if good(place) and usable(body, place) and all(roomy(body, place, *other) for other in others):
                return place
        raise Full

    def target(self, name: str, good: Callable[[TablePoint], bool] = lambda _: True) -> TablePoint:
        """A free place to which a thing can be moved, not where it is, spoken for from now on."""
        thing = self.things[name]
        place = self.spot(thing.body, lambda p: gap(p, thing.at) >= _APART and good(p))
        self.kept.append((thing.body, place))
        return place

    def fits(self, name: str, place: TablePoint, moved: Iterable[str] = ()) -> bool:
        """Whether a thing has room at a place, once the others named there are gone from it."""
        body, gone = self.things[name].body, {name, *moved}
        others = [(each.body, each.at) for each in self.things.values() if each.name not in gone]
        return usable(body, place) and all(roomy(body, place, *other) for other in others)

    def exchangeable(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """Pairs of things of which each has room where the other is."""
        return [
            (one, other)
            for one in names
            for other in names
            if one != other
            and self.fits(one, self.things[other].at, [other])
            and self.fits(other, self.things[one].at, [one])
        ]

    def scene(self, late: Iterable[str] = ()) -> dict[str, Any]:
        """The scene as data."""
        rows = []
        for each in self.things.values():
            row: dict[str, Any] = {"name": each.name, "kind": each.kind, "x": each.x, "y": each.y}
            rows.append(row | ({"yaw": each.yaw} if each.yaw else {}))
        missing = [*late]
        return {"object": rows, "late": missing} if missing else {"object": rows}

    def seen_as_meant(self, draft: TableDraft) -> bool:
        """Whether the first look shows everything but what is late or meant to be hidden; and the second look all."""
        there = {name: thing for name, thing in self.things.items() if name not in draft.late}
        world = Franka(read_franka_scene(json.dumps(DrawnTable(self.rng, there).scene())))
        hidden = {*there} - {*world.observe().objects}
        return hidden == {*draft.unseen} and (not hidden or hidden <= {*world.rescan().objects})

    def graspable(self) -> list[str]:
        """What the hand can take."""
        return [name for name, each in self.things.items() if CATALOGUE[each.kind].graspable]


def draw_one(rng: Random, choices: Sequence[T]) -> T:
    """One of them; raises Full if there are none."""
    if not choices:
        raise Full
    return rng.choice(choices)


def draw_kinds(rng: Random, count: int, among: Sequence[str] = ORDINARY_KINDS, taken: Sequence[str] = ()) -> list[str]:
    """So many different kinds, none of whose names is part of another's."""
    found = list[str]()
    for kind in rng.sample(among, len(among)):
        if len(found) == count:
            break
        if all(kind not in other and other not in kind for other in (*found, *taken)):
            found.append(kind)
    if len(found) < count:
        raise Full
    return found


def for_purpose(rng: Random, tag: str, count: int, others: int) -> list[str]:
    """Kinds for a purpose, and then some that are not for it, as everybody would agree."""
    doubtful = {*UNCLEAR, *(name for name in ORDINARY_KINDS if tag == "fruit" and "vegetable" in CATALOGUE[name].tags)}
    plain = [name for name in ORDINARY_KINDS if name not in doubtful]
    fit = draw_kinds(rng, count, [name for name in plain if tag in CATALOGUE[name].tags])
    return [*fit, *draw_kinds(rng, others, [name for name in plain if tag not in CATALOGUE[name].tags], fit)]


def number_things(kinds: Sequence[str]) -> list[str]:
    """The names of things of these kinds."""
    seen = dict[str, int]()
    names = list[str]()
    for kind in kinds:
        seen[kind] = seen.get(kind, 0) + 1
        names.append(kind if kinds.count(kind) == 1 else f"{kind} {seen[kind]}")
    return names


def body_of(kind: str, yaw: int = 0, name: str = "") -> Body:
    """The extent of a thing of a kind."""
    length, width, height = CATALOGUE[kind].size
    if yaw % 180 == 90:
        length, width = width, length
    return Body(name or kind, length, width, height, CATALOGUE[kind].receptacle)


def roomy(body: Body, place: TablePoint, other: Body, there: TablePoint) -> bool:
    """Whether two things stand so far apart that the hand can take either."""
    along = abs(place[0] - there[0]) - (body.length + other.length) / 2
    across = abs(place[1] - there[1]) - (body.width + other.width) / 2
    return max(along, across) >= _BESIDE and gap(place, there) >= _APART


def gap(one: TablePoint, other: TablePoint) -> float:
    """How far two points are from each other."""
    return hypot(one[0] - other[0], one[1] - other[1])

"""Tables to talk about: things at places, seen as the camera of the Franka world sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from thinkaloud.records import Condition, Observation, WorldState
from thinkaloud_worlds.franka.box_geometry import ObjectBox, attributes_of
from training.demonstrators.multitalk.things import Kind, any_kind, receptacle

Point = tuple[float, float]


@dataclass(frozen=True)
class Thing:
    """A thing of a table."""

    name: str
    kind: Kind
    at: Point
    flat: bool = False
    hollow: bool = False


@dataclass
class Table:
    """What there is. `late` is what the first look does not show."""

    things: list[Thing] = field(default_factory=list)
    late: frozenset[str] = frozenset()
    on: dict[str, str] = field(default_factory=dict)
    held: str = ""

    def named(self, name: str) -> Thing:
        """The thing of a name."""
        return next(thing for thing in self.things if thing.name == name)

    @property
    def small(self) -> list[Thing]:
        """What can be taken."""
        return [thing for thing in self.things if not thing.flat and not thing.hollow]

    @property
    def wide(self) -> list[Thing]:
        """What things are put on or into."""
        return [thing for thing in self.things if thing.flat or thing.hollow]

    def seen(self, *, again: bool = False) -> Observation:
        """What a look shows."""
        there = [thing for thing in self.things if again or thing.name not in self.late]
        names = tuple(thing.name for thing in there)
        attributes = {}
        for thing in there:
            length, width, height = thing.kind.size
            attributes[thing.name] = attributes_of(ObjectBox(*thing.at, height / 2, length, width, height))
        relations = [
            Condition("inside" if self.named(target).hollow else "on", {"object": name, "target": target}, "")
            for name, target in self.on.items()
            if name in names
        ]
        if self.held:
            relations.append(Condition("held", {"object": self.held}, ""))
        return Observation(names, {}, state=WorldState(names, tuple(relations), attributes))


def spot(rng: np.random.Generator, taken: Sequence[Point], apart: float = 0.13) -> Point:
    """A place on the table, away from others."""
    place = (0.3, 0.0)
    for _ in range(30):
        place = (round(float(rng.uniform(-0.12, 0.43)), 2) + 0.0, round(float(rng.uniform(-0.58, 0.58)), 2) + 0.0)
        far = all((place[0] - x) ** 2 + (place[1] - y) ** 2 >= apart**2 for x, y in taken)
        if far and place[0] ** 2 + place[1] ** 2 > 0.3**2 and place[0] ** 2 + place[1] ** 2 < 0.62**2:
            return place
    return place


def laid(rng: np.random.Generator, kinds: Sequence[Kind], *, flat: int = 0, hollow: int = 0) -> Table:
    """A table with these kinds of things, numbered where there are several of one, and some receptacles."""
    every = [(kind, False, False) for kind in distinct(kinds)]
    wide = distinct([receptacle(rng, hollow=i >= flat) for i in range(flat + hollow)], [k.name for k, _, _ in every])
    every += [(kind, i < flat, i >= flat) for i, kind in enumerate(wide)]
    order = rng.permutation(len(every)) if rng.random() < 0.6 else range(len(every))
    names = [kind.name for kind, _, _ in every]
    counts: dict[str, int] = {}
    places: list[Point] = []
    table = Table()
    for index in order:
        kind, is_flat, is_hollow = every[int(index)]
        counts[kind.name] = counts.get(kind.name, 0) + 1
        name = kind.name if names.count(kind.name) == 1 else f"{kind.name} {counts[kind.name]}"
        places.append(spot(rng, places))
        table.things.append(Thing(name, kind, places[-1], is_flat, is_hollow))
    if table.wide and table.small and rng.random() < 0.12:
        table.on[table.small[0].name] = table.wide[0].name
    return table


def distinct(kinds: Sequence[Kind], taken: Sequence[str] = ()) -> list[Kind]:
    """Those whose names are not part of one another's; the same kind may be there several times."""
    found: list[Kind] = []
    for kind in kinds:
        others = [*taken, *(each.name for each in found if each.name != kind.name)]
        if not any(_within(kind.name, other) or _within(other, kind.name) for other in others):
            found.append(kind)
    return found


def _within(name: str, other: str) -> bool:
    return f" {name} " in f" {other} "


def some_kinds(rng: np.random.Generator, low: int, high: int) -> list[Kind]:
    """So many kinds of things."""
    return distinct([any_kind(rng) for _ in range(int(rng.integers(low, high + 1)))])

"""Homes to demonstrate in: a few rooms, the things that a request is about, and others, for VirtualHome's simulator."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from thinkaloud_worlds.household.home_graph import HomeEdge, HomeGraph, HomeNode
from thinkaloud_worlds.household.spoken_names import BUILDING, SPOKEN
from training.demonstrators.hicrisp.catalogue import DISTRACTING, PORTABLE, PROPERTIES, ROOMS, WORDS
from training.words import PLAIN_COLOURS

Rng = np.random.Generator
SPECIAL = frozenset(BUILDING)
_OWN_COLOUR = frozenset({"food", "drink", "body", "person", "animal", "tap", "room"})
"""Of these nobody tells apart two by their colour."""


class Crowded(Exception):
    """There are so many things already that one more could not be told apart."""


@dataclass
class Wanted:
    """The things of a home, as they are drawn: names with their categories; and in which state some of them begin."""

    rng: Rng
    kinds: dict[str, str] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    inside: dict[str, str] = field(default_factory=dict)
    copies: dict[str, int] = field(default_factory=dict)
    """How many there are of a thing, side by side, where that matters."""

    def draw(self, kind: str) -> str:
        """A name for a thing of a category that nothing else here has; Crowded where none is left."""
        for _ in range(40):
            name = str(self.rng.choice(WORDS[kind])).replace("-", " ")
            if self.rng.random() < 0.12 and kind not in _OWN_COLOUR:
                name = f"{self.rng.choice(PLAIN_COLOURS)} {name}".replace("-", " ")
            if self.take(name, kind):
                return name
        raise Crowded(kind)

    def take(self, name: str, kind: str) -> bool:
        """Have a thing of this very name, unless it could not be told apart from another."""
        fresh = name not in self.kinds and not any(_clash(name, other) for other in self.kinds)
        if fresh:
            self.kinds[name] = kind
        return fresh

    def one(self, *kinds: str) -> str:
        """A name for a thing of one of the categories."""
        return self.draw(str(self.rng.choice(kinds)))

    def has(self, name: str, what: str) -> bool:
        """Whether a thing has one of VirtualHome's properties."""
        return what in PROPERTIES[self.kinds[name]]


def _clash(one: str, other: str) -> bool:
    """Whether one name would be found in the other, or means the same noun: then words do not tell them apart."""
    return one.split()[-1] == other.split()[-1] or f" {one} " in f" {other} " or f" {other} " in f" {one} "


def home_of(wanted: Wanted, *, others: int = 14, twice: float = 0.15) -> HomeGraph:
    """A home with these things and some others; now and then there are two or three of a thing."""
    rng = wanted.rng
    for _ in range(others):
        with suppress(Crowded):
            wanted.one(*DISTRACTING)
    rooms = [
        str(room) for room in rng.choice(ROOMS, int(rng.integers(1, 5)), replace=False) if room not in wanted.kinds
    ]
    rooms += [name for name in wanted.kinds if wanted.kinds[name] == "room"] or (["hall"] if not rooms else [])
    nodes = [HomeNode(1, "character", "Characters")]
    nodes += [HomeNode(2 + i, _class(room), "Rooms") for i, room in enumerate(rooms)]
    rooms_at = list(range(2, 2 + len(rooms)))
    edges = [HomeEdge(1, "INSIDE", int(rng.choice(rooms_at)))]
    places: list[tuple[str, int, int]] = []
    names = [name for name in wanted.kinds if wanted.kinds[name] != "room"]
    order = sorted((names[int(i)] for i in rng.permutation(len(names))), key=lambda n: wanted.kinds[n] in PORTABLE)
    number = 100
    by_name: dict[str, int] = {}
    for name in order:
        kind = wanted.kinds[name]
        again = kind not in ("body", "person") and rng.random() < twice
        count = wanted.copies.get(name) or (int(rng.integers(2, 4)) if again else 1)
        at: tuple[str, int, int] | None = None
        for _ in range(count):
            number += 1
            by_name.setdefault(name, number)
            properties = PROPERTIES[kind]
            category = "Characters" if kind == "person" else "Props" if kind in PORTABLE else "Furniture"
            nodes.append(HomeNode(number, _class(name), category, properties, _states(wanted, name, kind)))
            room, at = _placed(wanted, name, kind, number, rooms_at, places, edges, by_name, at)
            at = at if name in wanted.copies else None
            if kind not in PORTABLE and kind not in ("body", "person", "animal"):
                for relation, fits in (("INSIDE", "CONTAINERS"), ("ON", "SURFACES")):
                    if fits in properties and kind not in ("bin", "seat", "bed", "washer", "stove", "popper", "oven"):
                        places.append((relation, number, room))
            if kind == "body":
                edges += [HomeEdge(1, "CLOSE", number), HomeEdge(number, "CLOSE", 1)]
    return HomeGraph(tuple(nodes), tuple(edges))


def _placed(
    wanted: Wanted,
    name: str,
    kind: str,
    number: int,
    rooms: list[int],
    places: list[tuple[str, int, int]],
    edges: list[HomeEdge],
    by_name: dict[str, int],
    at: tuple[str, int, int] | None,
) -> tuple[int, tuple[str, int, int] | None]:
    """Where a new thing is: in or on something, if it can be carried, or else in a room. `at`: where it has to be."""
    rng = wanted.rng
    if at is not None:
        pass
    elif name in wanted.inside and wanted.inside[name] in by_name:
        box = by_name[wanted.inside[name]]
        room = next(edge.to_id for edge in edges if edge.from_id == box and edge.to_id in rooms)
        at = ("INSIDE", box, room)
    elif kind in PORTABLE and places and rng.random() < 0.85:
        at = places[int(rng.integers(len(places)))]
    room = edges[0].to_id if kind == "body" else at[2] if at else int(rng.choice(rooms))
    edges.append(HomeEdge(number, "INSIDE", room))
    if at and at[1] != room:
        edges += [HomeEdge(number, at[0], at[1]), HomeEdge(number, "CLOSE", at[1]), HomeEdge(at[1], "CLOSE", number)]
    return room, at or ("INSIDE", room, room)


def _class(name: str) -> str:
    """The class of VirtualHome's graph that is called so; in capitals where that would be called otherwise."""
    plain_name = name.replace(" ", "_")
    return plain_name.capitalize() if plain_name in SPOKEN or plain_name in SPECIAL else plain_name


def _states(wanted: Wanted, name: str, kind: str) -> tuple[str, ...]:
    rng, has, given = wanted.rng, PROPERTIES[kind], wanted.states.get(name, "")
    found = []
    if "CAN_OPEN" in has:
        found.append(given if given in ("OPEN", "CLOSED") else "OPEN" if rng.random() < 0.2 else "CLOSED")
    if "HAS_SWITCH" in has:
        off = kind not in ("lamp", "device") or rng.random() < 0.6
        found.append(given if given in ("ON", "OFF") else "OFF" if off else "ON")
    if "HAS_PLUG" in has:
        found.append(given if given in ("PLUGGED_IN", "PLUGGED_OUT") else _plug(rng, found))
    found.append(given if given in ("DIRTY", "CLEAN") else "DIRTY" if rng.random() < 0.1 else "CLEAN")
    return tuple(found)


def _plug(rng: Rng, so_far: list[str]) -> str:
    return "PLUGGED_OUT" if rng.random() < 0.08 and "ON" not in so_far else "PLUGGED_IN"

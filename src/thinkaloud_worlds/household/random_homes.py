"""Homes drawn from a seed: VirtualHome's rooms and furniture, with everyday things in plausible places."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

import msgspec

from thinkaloud_worlds.household.catalogue import (
    BESIDES,
    BODY,
    FEW_OF,
    FOOD,
    FREE_SEATS,
    FURNITURE,
    HOUSEHOLD_THINGS,
    KITCHEN,
    ONLY,
)
from thinkaloud_worlds.household.home_graph import ROOMS, HomeEdge, HomeGraph, HomeNode
from thinkaloud_worlds.household.spoken_names import CHARACTER
from thinkaloud_worlds.household.virtualhome_package import program_files, resource
from thinkaloud_worlds.seeds import generator

_FIRST = 1000  # ids from here on belong to things that a program or a seed adds
_WHERE = ("bathroom", "bedroom", "dining_room", "home_office")
"""Rooms in which the robot may start."""
_INSIDE = {"IN": "INSIDE", "ON": "ON"}


@lru_cache(maxsize=32)
def draw_home(seed: int) -> HomeGraph:
    """Draw a home of four rooms with one or more of each everyday thing; the seed decides how many, and where."""
    rng = generator(seed, 0x40E)
    base = _base()
    nodes, edges = list(base.nodes), list(base.edges)
    places: dict[str, list[int]] = {}
    for node in nodes:
        places.setdefault(node.class_name, []).append(node.id)
    rooms = dict(base.rooms)

    def add(kind: str, relation: str, place: int, *, dirty: bool = False) -> None:
        number = _FIRST + len(nodes) - len(base.nodes)
        properties = properties_of(kind)
        nodes.append(HomeNode(number, kind, _category(properties), properties, _states(kind, properties, dirty)))
        places.setdefault(kind, []).append(number)
        rooms[number] = rooms[place]
        edges.append(HomeEdge(number, "INSIDE", rooms[place]))
        if place != rooms[place]:
            edges.append(HomeEdge(number, relation, place))
            edges.extend((HomeEdge(number, "CLOSE", place), HomeEdge(place, "CLOSE", number)))

    for kind, room in FURNITURE:
        add(kind, "INSIDE", places[room][0])
    free = {place: most for kind, most in FREE_SEATS.items() for place in places[kind]}
    for kind, most in HOUSEHOLD_THINGS.items():
        for _ in range(int(rng.integers(1, most + 1))):
            options = [(r, p) for r, names in _placing(kind) for name in names for p in places.get(name, ())]
            options = [(r, p) for r, p in options if free.get(p, 1) > 0]
            if kind in KITCHEN:
                options = [(r, p) for r, p in options if p not in places["table"] or rooms[p] in places["dining_room"]]
            relation, place = options[int(rng.integers(len(options)))]
            if place in free:
                free[place] -= 1
            add(kind, relation, place, dirty=bool(rng.random() < 0.25) and kind not in FOOD)
    robot = next(node.id for node in nodes if node.class_name == CHARACTER)
    here = places[_WHERE[int(rng.integers(len(_WHERE)))]][0]
    edges.append(HomeEdge(robot, "INSIDE", here))
    for kind in BODY:
        add(kind, "INSIDE", here)
        edges.extend((HomeEdge(robot, "CLOSE", nodes[-1].id), HomeEdge(nodes[-1].id, "CLOSE", robot)))
    home = HomeGraph(tuple(nodes), tuple(edges))
    home.check()
    return home


@lru_cache(maxsize=1)
def _base() -> HomeGraph:
    """What all start graphs share: rooms, furniture, and a robot that has no place yet."""
    home = HomeGraph.of_program(next(iter(program_files())))
    left = Counter(FEW_OF)
    kept = []
    for node in sorted((node for node in home.nodes if node.id < _FIRST), key=lambda node: node.id):
        left[node.class_name] -= 1
        if node.class_name not in FEW_OF or left[node.class_name] >= 0:
            kept.append(node)
    fresh = []
    for node in kept:
        more = "CONTAINERS" in properties_of(node.class_name) and "CONTAINERS" not in node.properties
        properties = (*node.properties, "CONTAINERS") if more else node.properties  # the toaster
        states = _states(node.class_name, properties, False)
        fresh.append(msgspec.structs.replace(node, properties=properties, states=states))
    ids = {node.id for node in kept}
    robot = home.character
    boxes = {n.id for n in kept if n.category == ROOMS or {*n.properties} & {"CAN_OPEN", "CONTAINERS"}}
    edges = tuple(
        edge
        for edge in home.edges
        if {edge.from_id, edge.to_id} <= ids
        and robot not in (edge.from_id, edge.to_id)
        and (edge.relation_type != "INSIDE" or edge.to_id in boxes)  # a table is not in a sofa
    )
    return HomeGraph(tuple(fresh), edges)


def properties_of(kind: str) -> tuple[str, ...]:
    """The properties of a kind of thing: the package's, or ours if it has none."""
    if kind in BESIDES:
        return BESIDES[kind]
    known: dict[str, list[str]] = resource("properties_data.json")
    return tuple(known.get(kind, ()))


def _placing(kind: str) -> list[tuple[str, tuple[str, ...]]]:
    """Where a kind of thing may be: pairs of a relation and the kinds of places."""
    if kind in ONLY:
        return list(ONLY[kind])
    known: dict[str, list[dict[str, Any]]] = resource("object_script_placing.json")
    wanted = [(_INSIDE.get(each["relation"], ""), each["destination"]) for each in known.get(kind, ())]
    return [(relation, (place,)) for relation, place in wanted if relation and place in _SENSIBLE]


_SENSIBLE = frozenset(
    (
        *("table", "kitchen_counter", "cupboard", "kitchen_cabinet", "desk", "coffee_table", "couch", "bookshelf"),
        *("nightstand", "bathroom_counter", "bathroom_cabinet", "dresser", "freezer", "basket_for_clothes", "bench"),
        *("filing_cabinet", "towel_rack", "bed", "shoe_rack", "dishrack", "toothbrush_holder", "wallshelf"),
    )
)
"""Places where everyday things are kept: nothing starts in the bin or the washing machine."""


def _category(properties: tuple[str, ...]) -> str:
    if "PERSON" in properties:
        return "Characters"
    if "EATABLE" in properties or "DRINKABLE" in properties:
        return "Food"
    return "Props" if "GRABBABLE" in properties else "Furniture"


def _states(kind: str, properties: tuple[str, ...], dirty: bool) -> tuple[str, ...]:
    """The start states of a kind of thing: closed, switched off and plugged in, except lights and a few others."""
    if kind == CHARACTER:
        return ()
    found = list[str]()
    if "CAN_OPEN" in properties:
        found.append("OPEN" if kind in ("door", "curtain", "bookshelf", "trashcan", "basket_for_clothes") else "CLOSED")
    if "HAS_SWITCH" in properties and kind != "freezer":  # a device that is on cannot be opened
        found.append("ON" if kind == "light" else "OFF")
    if "HAS_PLUG" in properties:
        found.append("PLUGGED_IN")
    return (*found, "DIRTY" if dirty else "CLEAN")

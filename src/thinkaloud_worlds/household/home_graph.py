"""Homes: rooms, furniture and things as a graph of nodes and edges, in VirtualHome's format."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import msgspec

from thinkaloud.errors import BadScene, UnknownName
from thinkaloud.untrusted.files import Malformed, read_json
from thinkaloud_worlds.household.spoken_names import CHARACTER, ROBOT, names_of
from thinkaloud_worlds.household.virtualhome_package import graph_file

STATES = ("CLOSED", "OPEN", "ON", "OFF", "SITTING", "DIRTY", "CLEAN", "LYING", "PLUGGED_IN", "PLUGGED_OUT")
HOME_RELATIONS = ("ON", "INSIDE", "BETWEEN", "CLOSE", "FACING", "HOLDS_RH", "HOLDS_LH", "SITTING")
PROPERTIES = (
    *("SURFACES", "GRABBABLE", "SITTABLE", "LIEABLE", "HANGABLE", "DRINKABLE", "EATABLE", "RECIPIENT", "CUTTABLE"),
    *("POURABLE", "CAN_OPEN", "HAS_SWITCH", "READABLE", "LOOKABLE", "CONTAINERS", "CLOTHES", "PERSON", "BODY_PART"),
    *("COVER_OBJECT", "HAS_PLUG", "HAS_PAPER", "MOVABLE", "CREAM"),
)
_OPPOSITES = (("OPEN", "CLOSED"), ("ON", "OFF"), ("CLEAN", "DIRTY"), ("PLUGGED_IN", "PLUGGED_OUT"))
ROOMS = "Rooms"
LARGEST_HOME = 5000
"""The most nodes of a home; VirtualHome's have 300."""
_SHAPE = 'a home is {"nodes": [...], "edges": [...]}, as VirtualHome writes it'


class HomeNode(msgspec.Struct, frozen=True):
    """A room, a thing or a person."""

    id: int
    class_name: str
    category: str | None = None
    properties: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    prefab_name: str | None = None
    bounding_box: dict[str, Any] | None = None


class HomeEdge(msgspec.Struct, frozen=True):
    """A relation of one node to another."""

    from_id: int
    relation_type: str
    to_id: int


class _Graph(msgspec.Struct):
    nodes: tuple[HomeNode, ...]
    edges: tuple[HomeEdge, ...]


class _Program(msgspec.Struct):
    init_graph: _Graph


@dataclass(frozen=True, eq=False)
class HomeGraph:
    """A home in which an episode starts.

    home = Home.of_program("27_2")
    world = Household(home)
    """

    nodes: tuple[HomeNode, ...]
    edges: tuple[HomeEdge, ...]

    @classmethod
    def from_json(cls, text: str, source: str = "scene") -> HomeGraph:
        """Read VirtualHome's graph format, alone or under `init_graph`. Raises BadScene with the place of an error."""
        try:
            data = read_json(text)
            graph = data["init_graph"] if isinstance(data, dict) and "init_graph" in data else data
            found = msgspec.convert(graph, _Graph)
        except msgspec.ValidationError as error:
            raise BadScene(f"{source}: {error}; {_SHAPE}.") from None
        except Malformed as error:
            raise BadScene(f"{source}:1: is not JSON: {error}; {_SHAPE}.") from None
        home = cls(found.nodes, found.edges)
        home.check(source)
        return home

    @classmethod
    def of_program(cls, program: str) -> HomeGraph:
        """The home in which a VirtualHome program starts, such as `27_2`."""
        return _program_home(program)

    def to_json(self) -> str:
        """The home in VirtualHome's graph format."""
        return msgspec.json.encode({"nodes": self.nodes, "edges": self.edges}).decode()

    # Parts ------------------------------------------------------------------------------------------------------------

    @cached_property
    def by_id(self) -> Mapping[int, HomeNode]:
        """The nodes by their ids."""
        return {node.id: node for node in self.nodes}

    @cached_property
    def character(self) -> int:
        """The id of the robot: the first character."""
        return min(node.id for node in self.nodes if node.class_name == CHARACTER)

    @cached_property
    def names(self) -> Mapping[int, str]:
        """What people call each node: `fridge`, `chair`, `chair 2`, …"""
        return names_of(((node.id, node.class_name) for node in self.nodes), self.character)

    @cached_property
    def ids(self) -> Mapping[str, int]:
        """The node that a name stands for."""
        return {name: number for number, name in self.names.items()}

    @cached_property
    def rooms(self) -> Mapping[int, int]:
        """The room of each node that has one, found by what it is in or on."""
        holds: dict[int, list[int]] = {}
        for edge in self.edges:
            if edge.relation_type in ("INSIDE", "ON"):
                holds.setdefault(edge.to_id, []).append(edge.from_id)
        found = {node.id: node.id for node in self.nodes if node.category == ROOMS}
        todo = deque(found)
        while todo:
            place = todo.popleft()
            for thing in holds.get(place, ()):
                if thing not in found:
                    found[thing] = found[place]
                    todo.append(thing)
        return found

    @cached_property
    def digest(self) -> str:
        """A short text that identifies the home."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:16]

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, HomeGraph) and self.digest == other.digest)

    def __hash__(self) -> int:
        return hash(self.digest)

    def is_room(self, name: str) -> bool:
        """Whether a name belongs to a room."""
        return name in self.ids and self.by_id[self.ids[name]].category == ROOMS

    def id_of(self, thing: int | str) -> int:
        """The id of a node, given its id or its name. Raises UnknownName if there is none."""
        if isinstance(thing, str) and thing in self.ids:
            return self.ids[thing]
        if isinstance(thing, int) and thing in self.by_id:
            return thing
        raise UnknownName("thing", str(thing), self.ids)

    # Variants of the home ---------------------------------------------------------------------------------------------

    def with_states(self, states: Mapping[int | str, str | Iterable[str]]) -> HomeGraph:
        """The home with some nodes in other states, such as {"light": "ON"}; opposite states are removed."""
        wanted = {self.id_of(k): (v,) if isinstance(v, str) else tuple(v) for k, v in states.items()}
        opposite = {a: b for pair in _OPPOSITES for a, b in (pair, pair[::-1])}

        def changed(node: HomeNode) -> HomeNode:
            new = wanted[node.id]
            kept = [s for s in node.states if s not in new and s not in {opposite.get(n) for n in new}]
            return msgspec.structs.replace(node, states=(*kept, *new))

        home = replace(self, nodes=tuple(changed(node) if node.id in wanted else node for node in self.nodes))
        home.check()
        return home

    def with_at(self, thing: int | str, relation: str, place: int | str) -> HomeGraph:
        """The home with a thing elsewhere: `ON` a surface, or `INSIDE` a container or a room."""
        one, other = self.id_of(thing), self.id_of(place)
        kept = [e for e in self.edges if one not in (e.from_id, e.to_id) or e.relation_type not in _OF_PLACE]
        new = [HomeEdge(one, relation, other)]
        if other not in {node.id for node in self.nodes if node.category == ROOMS}:
            room = self.rooms[other]
            new += [HomeEdge(one, "INSIDE", room), HomeEdge(one, "CLOSE", other), HomeEdge(other, "CLOSE", one)]
        kept += [e for e in self.edges if e.to_id == one and e.relation_type in ("ON", "INSIDE")]
        home = replace(self, edges=(*kept, *new))
        home.check()
        return home

    def with_robot_in(self, room: int | str) -> HomeGraph:
        """The home with the robot in another room, close to nothing."""
        return self.with_at(self.character, "INSIDE", room)

    # Checking ---------------------------------------------------------------------------------------------------------

    def check(self, source: str = "scene") -> None:
        """Raise BadScene, with the place in the graph, if it is not a home."""
        if len(self.nodes) > LARGEST_HOME:
            raise BadScene(f"{source}: nodes: there are {len(self.nodes)}; a home has at most {LARGEST_HOME}.")
        seen: dict[int, int] = {}
        for i, node in enumerate(self.nodes):
            at = f"{source}: nodes[{i}]"
            if not 0 <= node.id < 2**53:
                raise BadScene(f"{at}.id: {node.id} is not an id; ids are whole numbers from 0 to 2**53 - 1.")
            if node.id in seen:
                raise BadScene(f"{at}: the id {node.id} is already used by nodes[{seen[node.id]}].")
            seen[node.id] = i
            if not node.class_name.strip():
                raise BadScene(f"{at}: needs a class_name.")
            _known(f"{at}.states", node.states, STATES)
            _known(f"{at}.properties", node.properties, PROPERTIES)
            for one, other in _OPPOSITES:
                if one in node.states and other in node.states:
                    raise BadScene(f"{at}.states: {node.class_name} ({node.id}) is both {one} and {other}; choose one.")
        for i, edge in enumerate(self.edges):
            at = f"{source}: edges[{i}]"
            for end, number in (("from_id", edge.from_id), ("to_id", edge.to_id)):
                if number not in seen:
                    raise BadScene(f"{at}.{end}: there is no node {number}.")
            _known(f"{at}.relation_type", (edge.relation_type,), HOME_RELATIONS)
        if not any(node.class_name == CHARACTER for node in self.nodes):
            raise BadScene(f"{source}: nodes: there is no {CHARACTER}; {ROBOT}s are nodes of the class {CHARACTER!r}.")
        if not any(node.category == ROOMS for node in self.nodes):
            raise BadScene(f"{source}: nodes: there is no room; rooms are nodes of the category {ROOMS!r}.")
        self._check_places(source)

    def _check_places(self, source: str) -> None:
        """Raise BadScene unless everything is in exactly one room and a hand holds at most one thing."""
        rooms, taken = dict[int, int](), dict[tuple[int, str], int]()
        for i, edge in enumerate(self.edges):
            at = f"{source}: edges[{i}]"
            in_room = edge.relation_type == "INSIDE" and self.by_id[edge.to_id].category == ROOMS
            if in_room and rooms.setdefault(edge.from_id, edge.to_id) != edge.to_id:
                both = f"the rooms {rooms[edge.from_id]} and {edge.to_id}"
                raise BadScene(f"{at}: node {edge.from_id} is in {both}; it can be in only one.")
            hand = (edge.from_id, edge.relation_type)
            if edge.relation_type.startswith("HOLDS") and taken.setdefault(hand, edge.to_id) != edge.to_id:
                both = f"nodes {taken[hand]} and {edge.to_id}"
                raise BadScene(f"{at}: {both} are in the same hand ({edge.relation_type}); a hand holds one thing.")
        for i, node in enumerate(self.nodes):
            if node.id not in self.rooms:
                what = f"{node.class_name} ({node.id})"
                raise BadScene(f"{source}: nodes[{i}]: {what} is in no room; it needs an edge INSIDE a room.")


_OF_PLACE = ("ON", "INSIDE", "CLOSE", "FACING", "HOLDS_RH", "HOLDS_LH")


def _known(place: str, words: Iterable[str], known: tuple[str, ...]) -> None:
    for word in words:
        if word not in known:
            raise BadScene(f"{place}: {word!r} is none of {', '.join(known)}.")


@lru_cache(maxsize=64)
def _program_home(program: str) -> HomeGraph:
    found = msgspec.json.decode(graph_file(program).read_bytes(), type=_Program).init_graph
    home = HomeGraph(found.nodes, found.edges)
    home.check(f"program {program}")
    return home

"""The state of a home, as VirtualHome's executors read and change it.

VirtualHome's own executors decide what an action needs and changes; the state is ours. It is copied in microseconds,
and answers queries in order of the ids, so that the same episode is the same to the bit.

After each action, `_settle` updates what the simulator leaves out: a carried thing is in the carrier's room, with
everything on it and in it; a robot that stands up is no longer on the chair; a thing that is no longer in a hand can be
grabbed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from thinkaloud_worlds.household.home_graph import HOME_RELATIONS, HomeGraph, HomeNode
from thinkaloud_worlds.household.virtualhome_package import simulator

RELATION_NUMBERS = {name: number for number, name in enumerate(HOME_RELATIONS, start=1)}
"""VirtualHome's own numbers for the relations."""
_HANDS = ("HOLDS_RH", "HOLDS_LH")
EdgeTriple = tuple[int, str, int]


class HomeState:
    """The nodes and edges of a home; every change makes a new state."""

    def __init__(self, nodes: dict[int, Any], edges: dict[int, dict[int, frozenset[int]]], character: int) -> None:
        self._nodes, self._edges, self.character = nodes, edges, character
        self.executor_data: dict[Any, Any] = {}
        self.body: tuple[int, ...] = ()

    @classmethod
    def of(cls, home: HomeGraph) -> HomeState:
        """The start state of a home."""
        environment = simulator("environment")
        nodes = {node.id: _graph_node(environment, node) for node in home.nodes}
        edges: dict[int, dict[int, set[int]]] = {number: {} for number in RELATION_NUMBERS.values()}
        for edge in home.edges:
            edges[RELATION_NUMBERS[edge.relation_type]].setdefault(edge.from_id, set()).add(edge.to_id)
        for thing, room in home.rooms.items():
            if thing != room:
                edges[RELATION_NUMBERS["INSIDE"]].setdefault(thing, set()).add(room)
        frozen = {relation: {one: frozenset(to) for one, to in of.items()} for relation, of in edges.items()}
        state = cls(nodes, frozen, home.character)
        state.body = tuple(node.id for node in home.nodes if "BODY_PART" in node.properties)
        return state

    # Queries from this package ----------------------------------------------------------------------------------------

    def targets(self, thing: int, relation: str) -> list[int]:
        """The ids of the nodes that a thing has a relation to."""
        return sorted(self._edges[RELATION_NUMBERS[relation]].get(thing, ()))

    def sources(self, thing: int, relation: str) -> list[int]:
        """The ids of the nodes that have a relation to a thing."""
        return sorted(one for one, to in self._edges[RELATION_NUMBERS[relation]].items() if thing in to)

    def related(self, thing: int, relation: str, other: int) -> bool:
        """Whether the edge is there."""
        return other in self._edges[RELATION_NUMBERS[relation]].get(thing, ())

    def pairs(self, relation: str) -> Iterator[tuple[int, int]]:
        """All edges of a relation."""
        for one, to in self._edges[RELATION_NUMBERS[relation]].items():
            for other in to:
                yield one, other

    def states(self, thing: int) -> frozenset[str]:
        """The states of a node, by name."""
        return _names_of(self._nodes[thing])[0]

    def properties(self, thing: int) -> frozenset[str]:
        """The properties of a node, by name."""
        return _names_of(self._nodes[thing])[1]

    def room_of(self, thing: int) -> int:
        """The room that a thing is in; a room is in itself."""
        if self._nodes[thing].category == "Rooms":
            return thing
        for other in self.targets(thing, "INSIDE"):
            if self._nodes[other].category == "Rooms":
                return other
        raise LookupError(f"{self._nodes[thing]} is in no room.")

    def held(self) -> list[int]:
        """What the robot's hands hold, the right hand first."""
        return list(dict.fromkeys(thing for hand in _HANDS for thing in self.targets(self.character, hand)))

    def box_of(self, thing: int) -> int | None:
        """The closed container that a thing is in, directly or not; None if there is none. Others hide nothing."""
        passed, todo = {thing}, [thing]
        while todo:
            one = todo.pop()
            for other in (*self.targets(one, "INSIDE"), *self.targets(one, "ON")):
                node = self._nodes[other]
                if other in passed or node.category in ("Rooms", "Characters"):
                    continue
                shut = "CLOSED" in self.states(other) and "CAN_OPEN" in self.properties(other)
                if shut and self.related(one, "INSIDE", other):
                    return other
                passed.add(other)
                todo.append(other)
        return None

    def is_close(self, thing: int) -> bool:
        """Whether the robot is close to a thing, by VirtualHome's own rule."""
        return bool(simulator("execution")._is_character_close_to(self, self._nodes[thing], 0))

    def is_facing(self, thing: int) -> bool:
        """Whether the robot faces a thing, by VirtualHome's own rule."""
        return bool(simulator("execution")._is_character_face_to(self, self._nodes[thing], 0))

    def differs_from(self, start: HomeState) -> tuple[list[EdgeTriple], list[EdgeTriple], dict[int, list[str]]]:
        """The edges added, the edges removed, and the states that changed."""
        came, went = list[EdgeTriple](), list[EdgeTriple]()
        for relation, number in RELATION_NUMBERS.items():
            of, before = self._edges[number], start._edges[number]
            for one in of.keys() | before.keys():
                now, then = of.get(one, frozenset()), before.get(one, frozenset())
                if now is not then:
                    came += [(one, relation, other) for other in now - then]
                    went += [(one, relation, other) for other in then - now]
        changed = {
            thing: sorted(self.states(thing))
            for thing, node in self._nodes.items()
            if node is not start._nodes[thing] and node.states != start._nodes[thing].states
        }
        return sorted(came), sorted(went), changed

    def changed_by(
        self, came: Iterable[EdgeTriple], went: Iterable[EdgeTriple], states: dict[int, list[str]]
    ) -> HomeState:
        """The state with these differences. Raises KeyError or ValueError if they do not fit this home."""
        new, environment = self._copy(), simulator("environment")
        for one, relation, other in went:
            if not self.related(one, relation, other):
                raise ValueError("An edge was removed that does not exist.")
            new._without(one, RELATION_NUMBERS[relation], other)
        for one, relation, other in came:
            if one not in self._nodes or other not in self._nodes:
                raise ValueError("An edge leads to a node that does not exist.")
            new._with(one, RELATION_NUMBERS[relation], other)
        for thing, names in states.items():
            node = self._nodes[thing].copy()
            node.states = {environment.State[name] for name in names}
            new._nodes[thing] = node
        return new

    def _copy(self) -> HomeState:
        new = HomeState(
            self._nodes.copy(), {relation: of.copy() for relation, of in self._edges.items()}, self.character
        )
        new.executor_data, new.body = self.executor_data.copy(), self.body
        return new

    def _with(self, one: int, relation: int, other: int) -> None:
        of = self._edges[relation]
        to = of.get(one, frozenset())
        if other not in to:
            of[one] = to | {other}

    def _without(self, one: int, relation: int, other: int) -> None:
        of = self._edges[relation]
        to = of.get(one)
        if to and other in to:
            of[one] = to - {other}

    # What VirtualHome's executors ask ---------------------------------------------------------------------------------

    def evaluate(self, value: Any) -> Any:
        """Evaluate one of VirtualHome's logical values in this state."""
        return value.evaluate(self)

    def select_nodes(self, named: Any) -> list[Any]:
        """The node that a line of a script names, always by its id."""
        return [self._nodes[named.instance]]

    def get_state_node(self, named: Any) -> Any:
        """The node that a line of a script names."""
        return self._nodes[named.instance]

    def get_node(self, thing: int) -> Any:
        """A node by its id."""
        return self._nodes.get(thing)

    def get_nodes(self) -> list[Any]:
        """All nodes."""
        return list(self._nodes.values())

    def get_nodes_by_attr(self, attribute: str, value: Any) -> list[Any]:
        """All nodes whose attribute has a value."""
        return [node for node in self._nodes.values() if getattr(node, attribute) == value]

    def get_nodes_from(self, node: Any, relation: Any) -> list[Any]:
        """The nodes that a node has a relation to, in order of the ids."""
        return [self._nodes[other] for other in sorted(self._edges[relation._value_].get(node.id, ()))]

    def get_char_node(self, index: int) -> Iterator[Any]:
        """The node of the robot."""
        yield self._nodes[self.character]

    def add_edge(self, one: Any, relation: Any, other: Any) -> None:
        """Add an edge."""
        self._with(one.id, relation._value_, other.id)

    def delete_edge(self, one: Any, relation: Any, other: Any) -> None:
        """Remove an edge. VirtualHome calls this for every node of the home, so the common case returns early."""
        to = self._edges[relation._value_].get(one.id)
        if to and other.id in to:
            self._without(one.id, relation._value_, other.id)

    def change_node(self, node: Any) -> None:
        """Replace the node that has the same id."""
        self._nodes[node.id] = node

    def change_state(self, changers: list[Any], node: Any = None, obj: Any = None, in_place: bool = False) -> HomeState:
        """The state after some changes."""
        new = self._copy()
        for changer in changers:
            changer.apply_changes(new)
        return new


def _names_of(node: Any) -> tuple[frozenset[str], frozenset[str]]:
    """The names of a node's states and properties, cached on it, because a node in a state never changes."""
    try:
        kept: tuple[frozenset[str], frozenset[str]] = node.kept_names
    except AttributeError:
        kept = frozenset(s.name for s in node.states), frozenset(p.name for p in node.properties)
        node.kept_names = kept
    return kept


def _graph_node(environment: Any, node: HomeNode) -> Any:
    properties = {environment.Property[name] for name in node.properties}
    states = {environment.State[name] for name in node.states}
    return environment.GraphNode(node.id, node.class_name, properties, states, node.category, None, None)


def perform(state: HomeState, line: str) -> tuple[HomeState | None, str]:
    """The state after a line of a script such as `[GRAB] <apple> (113)`, or None and VirtualHome's message."""
    scripts, execution = simulator("scripts"), simulator("execution")
    info = execution.ExecutionInfo()
    script = scripts.Script([scripts.parse_script_line(line, 0)])
    action = script[0].action
    thing = script[0].parameters[0].instance if script[0].parameters else None
    if action.name == "GRAB" and thing is not None and (why := _out_of_reach(state, thing)):
        info.set_current_line(script[0])
        info.error(why, state.get_node(thing))
        return None, str(info.get_error_string())
    new = next(execution.ScriptExecutor.call_action_method(script, state, info, 0), None)
    simulator("common").TimeMeasurement.reset_all()
    said = str(info.get_error_string())
    if new is None or (action.name == "PUTOBJBACK" and said):  # there it ignores the problem it found
        return None, said or f"{line} could not be executed"
    return _settle(state, new if new is not state else state._copy(), action.name, thing), ""


def _out_of_reach(state: HomeState, thing: int) -> str:
    """Why a thing cannot be grabbed although VirtualHome allows it: it is held, or on something in a closed box."""
    if thing in state.held():
        return "{} already grabbed"
    return "{} is inside other closed thing" if state.is_close(thing) and state.box_of(thing) is not None else ""


def _settle(before: HomeState, after: HomeState, action: str, thing: int | None) -> HomeState:
    """Update what VirtualHome leaves out after an action."""
    robot = after.character
    if action in ("STANDUP", "SIT", "LIE"):
        for seat in after.targets(robot, "ON"):
            if seat != thing:
                after._without(robot, RELATION_NUMBERS["ON"], seat)
    walked = action in ("WALK", "RUN", "FIND")
    for each in after.held() if walked else [thing] if action == "GRAB" and thing is not None else []:
        for kind in ("ON", "INSIDE"):
            for load in before.sources(each, kind):
                after._with(load, RELATION_NUMBERS[kind], each)
    for each in after.held() if walked else []:
        for box in before.targets(each, "INSIDE"):
            if after.get_node(box).category != "Rooms":  # some of it was poured in there
                after._with(each, RELATION_NUMBERS["INSIDE"], box)
    held = after.held()
    for key in [key for key in after.executor_data if key[1] not in held]:
        del after.executor_data[key]
    here = after.room_of(robot)
    moved = dict.fromkeys((*held, *after.sources(robot, "ON"), *after.body), here)
    if action in ("PUTBACK", "PUTIN", "PUTOBJBACK", "DROP") and thing is not None:
        places = [p for p in (*after.targets(thing, "ON"), *after.targets(thing, "INSIDE")) if p != thing]
        solid = [p for p in places if after.get_node(p).category not in ("Rooms", "Characters")]
        moved[thing] = after.room_of(solid[0]) if solid else here
    for each, room in moved.items():
        _bring(after, each, room, {robot, *held})
    return after


def _bring(state: HomeState, thing: int, room: int, elsewhere: set[int]) -> None:
    """Move a thing to a room, with everything on it and in it."""
    inside, passed, todo = RELATION_NUMBERS["INSIDE"], {thing, *elsewhere}, [thing]
    while todo:
        one = todo.pop()
        for other in state.targets(one, "INSIDE"):
            if other != room and state.get_node(other).category == "Rooms":
                state._without(one, inside, other)
        state._with(one, inside, room)
        loads = {*state.sources(one, "ON"), *state.sources(one, "INSIDE")} - passed
        passed |= loads
        todo += sorted(loads)

"""What the robot sees of a home, and how that is described."""

from __future__ import annotations

from collections.abc import Mapping

from thinkaloud.records import Condition, Value, WorldState
from thinkaloud.skills import Relation
from thinkaloud_worlds.household.argument_choices import HOLDS_THINGS
from thinkaloud_worlds.household.engine import HomeState
from thinkaloud_worlds.household.home_graph import HomeGraph
from thinkaloud_worlds.household.spoken_names import BUILDING

_MOST = 60
"""The most things in view at a time."""
_PASSED_OVER = ("hanger", "closetdrawer", "drawing", "curtain", "photoframe", "powersocket", "orchid", "doorjamb")
"""Kinds that are listed only if there is room for them."""
_WORDS = {
    "OPEN": "open",
    "CLOSED": "closed",
    "ON": "on",
    "OFF": "off",
    "DIRTY": "dirty",
    "PLUGGED_OUT": "unplugged",
}


def find_in_view(home: HomeGraph, state: HomeState) -> tuple[int, ...]:
    """The ids of what is in the robot's room and not in a closed container, what it holds, and what is close."""
    robot = state.character
    room = state.room_of(robot)
    hands = dict.fromkeys(state.held())
    near = dict.fromkeys(thing for thing in state.targets(robot, "CLOSE") if _shown(home, state, thing))
    around = [t for t in state.sources(room, "INSIDE") if t not in near and t not in hands and _shown(home, state, t)]
    first = [t for t in around if home.by_id[t].class_name not in _PASSED_OVER]
    rest = [t for t in around if home.by_id[t].class_name in _PASSED_OVER]
    return tuple(sorted(list(dict.fromkeys((*hands, *near, *first, *rest)))[:_MOST]))


def _shown(home: HomeGraph, state: HomeState, thing: int) -> bool:
    node = home.by_id[thing]
    said = node.class_name not in BUILDING and node.category != "Rooms" and thing != state.character
    return said and state.box_of(thing) is None


def _holds_things(home: HomeGraph, thing: int) -> bool:
    node = home.by_id[thing]  # going by bounding boxes, VirtualHome's homes have tables in sofas
    return bool({*node.properties} & {"CONTAINERS", "RECIPIENT", "CAN_OPEN"}) or node.class_name in HOLDS_THINGS


def state_in_view(
    home: HomeGraph, state: HomeState, view: tuple[int, ...], relations: Mapping[str, Relation]
) -> WorldState:
    """The state of what is in view, in the sentences of the relations."""
    names, robot, held = home.names, state.character, state.held()
    found: list[Condition] = []

    def add(relation: str, **arguments: int) -> None:
        found.append(relations[relation].condition({key: names[thing] for key, thing in arguments.items()}))

    add("in_room", room=state.room_of(robot))
    for thing in held:
        add("holding", thing=thing)
    posture = next((r for s, r in (("SITTING", "sitting_on"), ("LYING", "lying_on")) if s in state.states(robot)), "")
    for seat in state.targets(robot, "ON") if posture else ():
        add(posture, thing=seat)
    shown, near = {*view}, {*state.targets(robot, "CLOSE")}
    for thing in view:
        if thing in near and thing not in held:
            add("close_to", thing=thing)
        for target in state.targets(thing, "ON"):
            if target == robot:
                add("wearing", thing=thing)
            elif target in shown:
                add("on_top", thing=thing, target=target)
        for target in state.targets(thing, "INSIDE"):
            if target in shown and _holds_things(home, target):
                add("inside", thing=thing, target=target)
    attributes: dict[str, Mapping[str, Value]] = {}
    for thing in view:
        states = state.states(thing)
        about: dict[str, Value] = {word: True for name, word in _WORDS.items() if name in states}
        if "CLEAN" in states and "DIRTY" in home.by_id[thing].states:
            about["clean"] = True
        if about:
            attributes[names[thing]] = about
    return WorldState(tuple(names[thing] for thing in view), tuple(found), attributes)

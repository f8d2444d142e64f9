"""What each action needs and what it ends, in the relations of a home, for a search that satisfies the needs first.

VirtualHome's executors decide; this module states what they require in the present state of a home. For a requirement
that several things could meet, it names the relevant ones: if both hands are full, one has to be emptied; to wipe, the
robot looks for a cloth.
"""

from __future__ import annotations

from collections.abc import Iterator

from thinkaloud.language.name_matching import without_number
from thinkaloud.records import Arguments, Value
from thinkaloud_worlds.household.engine import HomeState
from thinkaloud_worlds.household.home_graph import HomeGraph

_Fact = tuple[str, Arguments]
_CLOTHS = ("rag", "sponge", "towel", "paper towel", "napkin", "paper")
_WALKS = ("walk", "run", "find")
_AT = (
    *("grab", "open", "close", "switch_on", "switch_off", "sit", "lie", "eat", "wash", "rinse", "scrub", "wipe"),
    *("plug_in", "plug_out", "type", "touch", "push", "pull", "move", "squeeze", "cut"),
)
"""Actions on a thing that must be close."""
_REACHED = ("grab", "touch", "push", "pull", "move", "eat", "watch")
"""Actions that are impossible on a thing in a closed container."""
_FREE_HAND = ("grab", "open", "plug_in", "plug_out", "push", "pull", "move", "squeeze", "cut")
_IN_HAND = ("put_back", "put_in", "put_obj_back", "drink", "pour", "read", "drop", "put_on")
_ONTO = ("put_back", "put_in", "pour")
_FACED = ("look_at", "point_at", "watch")
_TURNS = {
    "open": ("opened", "closed"),
    "close": ("closed", "opened"),
    "switch_on": ("switched_on", "switched_off"),
    "switch_off": ("switched_off", "switched_on"),
    "plug_in": ("plugged_in", "plugged_out"),
    "plug_out": ("plugged_out", "plugged_in"),
}
"""The relation that an action makes true, and the one it replaces."""
_SITS = ("sit", "lie")


def find_home_needs(home: HomeGraph, state: HomeState, action: str, given: Arguments) -> tuple[_Fact, ...]:
    """What has to hold before an action."""
    return tuple(_needs(home, state, action, str(given.get("thing", "")), given))


def _needs(home: HomeGraph, state: HomeState, action: str, thing: str, given: Arguments) -> Iterator[_Fact]:
    if action in _WALKS or action == "sit":
        yield "standing", {}
    if action in ("stand_up", "sleep", "wake_up"):
        yield "not standing", {}
    if action == "lie":
        yield "not lying_on", {}
    if action in _AT and not _in_hand_then(home, state, action, thing):
        yield "close_to", {"thing": thing}
    if action in _ONTO:
        yield "close_to", {"thing": given["target"]}
    if action in _IN_HAND or _in_hand_then(home, state, action, thing):
        yield "holding", {"thing": thing}
    if action in _TURNS:
        yield _TURNS[action][1], {"thing": thing}
    if action in _FACED:
        yield "facing", {"thing": thing}
    if action == "put_off":
        yield "wearing", {"thing": thing}
    node = home.ids.get(thing)
    if node is None:
        return
    names, properties = home.names, state.properties(node)
    if action in _REACHED:
        yield from (("opened", {"thing": names[box]}) for box in _boxes(home, state, node))
    if action == "watch":
        yield "in_room", {"room": names[state.room_of(node)]}
    if action == "switch_on" and "HAS_PLUG" in properties:
        yield "not plugged_out", {"thing": thing}
    if action in ("open", "plug_out") and "HAS_SWITCH" in properties:
        yield "not switched_on", {"thing": thing}
    if action == "put_in" and "CAN_OPEN" in state.properties(target := home.ids[str(given["target"])]):
        yield "opened", {"thing": names[target]}
    if action == "put_obj_back" and (place := _place(home, state, node)) is not None:
        yield "close_to", {"thing": names[place]}
    if action in _FREE_HAND:
        yield from _free_hand(home, state, node)
    if action in ("wipe", "cut"):
        yield from _tool(home, state, _CLOTHS if action == "wipe" else ("knife",), any_will_do=action == "wipe")


def _in_hand_then(home: HomeGraph, state: HomeState, action: str, thing: str) -> bool:
    """Whether the robot takes a thing along for an action that could happen where the thing is, such as eating."""
    node = home.ids.get(thing)
    return action == "eat" and node is not None and "GRABBABLE" in state.properties(node)


def _boxes(home: HomeGraph, state: HomeState, thing: int) -> Iterator[int]:
    """The closable containers that a thing is in, directly or indirectly."""
    passed, todo = {thing}, [thing]
    for one in todo:  # grows during the loop
        for how in ("INSIDE", "ON"):
            for other in state.targets(one, how):
                if other in passed or home.by_id[other].category in ("Rooms", "Characters"):
                    continue
                passed.add(other)
                todo.append(other)
                can_open = "CAN_OPEN" in state.properties(other) and state.states(other) & {"OPEN", "CLOSED"}
                if how == "INSIDE" and can_open:
                    yield other


def _place(home: HomeGraph, state: HomeState, thing: int) -> int | None:
    """Where a thing is, or was when it was grabbed."""
    for key, (place, _) in state.executor_data.items():
        if key[1] == thing and place is not None:
            return int(place.id)
    found = (*state.targets(thing, "ON"), *state.targets(thing, "INSIDE"))
    return next((each for each in found if home.by_id[each].category not in ("Rooms", "Characters")), None)


def _free_hand(home: HomeGraph, state: HomeState, thing: int) -> Iterator[_Fact]:
    """One hand must be empty: if one is full, the other must stay empty; if both are full, one has to be emptied."""
    held = [each for each in state.held() if each != thing]
    if len(held) == 2:
        yield "not holding", {"thing": home.names[held[0]]}
    elif len(held) == 1:
        portable = (node for node in home.nodes if "GRABBABLE" in node.properties)
        others = (node.id for node in portable if node.id not in (thing, held[0]) and node.id in home.names)
        yield from (("not holding", {"thing": home.names[other]}) for other in others)


def _tool(home: HomeGraph, state: HomeState, kinds: tuple[str, ...], *, any_will_do: bool) -> Iterator[_Fact]:
    held = [home.names[each] for each in state.held()]
    if held and any_will_do:
        return
    tools = [name for kind in kinds for name in home.ids if without_number(name) == kind]
    found = next((name for name in tools if name in held), next(iter(tools), None))
    if found is not None:
        yield "holding", {"thing": found}


def find_home_ends(home: HomeGraph, state: HomeState, action: str, given: Arguments) -> tuple[_Fact, ...]:
    """What no longer holds after an action; a missing argument means that it may end for anything."""
    found = _ends(action, {key: given[key] for key in given if key == "thing"})
    return tuple(fact for fact in found if fact[0] != "dirty" or _is_dirty(home, state, fact[1].get("thing")))


def _is_dirty(home: HomeGraph, state: HomeState, thing: Value | None) -> bool:
    """Whether something is dirty. Clean hands can be washed, too, but get no cleaner."""
    return thing is None or (thing in home.ids and "DIRTY" in state.states(home.ids[str(thing)]))


def _ends(action: str, thing: dict[str, Value]) -> Iterator[_Fact]:
    if action in _WALKS:
        yield from (("close_to", {}), ("facing", {}), ("in_room", {}))
    if action in _TURNS:
        yield _TURNS[action][1], thing
    if action in ("put_back", "put_in", "put_obj_back", "drop", "put_on"):
        yield "holding", thing
    if action == "grab":
        yield from (("on_top", thing), ("inside", thing))
    if action in _SITS:
        yield from (("standing", {}), ("sitting_on", {}), ("lying_on", {}))  # on one thing at a time
    if action == "stand_up":
        yield from (("sitting_on", {}), ("lying_on", {}))
    if action in ("wash", "rinse", "scrub", "wipe"):
        yield "dirty", thing
    if action == "turn_to":
        yield "facing", {}
    if action == "put_off":
        yield "wearing", thing

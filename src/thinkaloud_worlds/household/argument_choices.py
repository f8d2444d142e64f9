"""Which nodes of a home each argument of a skill may name."""

from __future__ import annotations

from collections.abc import Mapping

from thinkaloud_worlds.household.home_graph import HomeGraph, HomeNode
from thinkaloud_worlds.household.spoken_names import BUILDING, CHARACTER

_PORTABLE = ("water", "child")  # VirtualHome lets the robot grab these, whatever their properties
_OPENABLE = ("desk", "window")
_POURED_INTO = ("hands_both", "sponge", "face")
_PUSHED = ("chair", "curtain", "button")
_TYPED_ON = ("keyboard",)
_SQUEEZED = (
    *("cleaning_solution", "tooth_paste", "shampoo", "food_peanut_butter", "dish_soap", "soap", "towel", "rag"),
    *("paper", "sponge", "food_lemon", "check"),
)
HOLDS_THINGS = ("sink", "bathtub", "trashcan", "garbagecan", "toaster", "basket_for_clothes", "bag", "box", "wallshelf")
"""Things can be put into or onto these, whatever their properties."""
_LIES_ON = ("towel_rack", "hanger", "wallshelf", "bookshelf", "tvstand", "mat", "stove", "novel", "book")


def _fits(node: HomeNode) -> dict[str, bool]:
    has, kind = {*node.properties}, node.class_name
    room = node.category == "Rooms"
    person = kind == CHARACTER or bool(has & {"PERSON"})
    return {
        "room": room,
        "place": True,
        "thing": not room,
        "portable": "GRABBABLE" in has or kind in _PORTABLE,
        "openable": "CAN_OPEN" in has or kind in _OPENABLE,
        "device": "HAS_SWITCH" in has,
        "pluggable": "HAS_PLUG" in has,
        "seat": "SITTABLE" in has,
        "lieable": "LIEABLE" in has,
        "surface": bool(has & {"SURFACES", "CONTAINERS", "RECIPIENT", "SITTABLE", "LIEABLE"})
        or kind in HOLDS_THINGS
        or kind in _LIES_ON,
        "container": bool(has & {"CONTAINERS", "RECIPIENT"})
        or ("CAN_OPEN" in has and "GRABBABLE" not in has and kind not in ("door", "window", "curtain"))
        or kind in HOLDS_THINGS,
        "drinkable": bool(has & {"DRINKABLE", "RECIPIENT"}),
        "eatable": bool(has & {"EATABLE"}) or ({"SURFACES", "RECIPIENT"} <= has),
        "pourable": bool(has & {"POURABLE", "DRINKABLE"}),
        "vessel": "RECIPIENT" in has or kind in _POURED_INTO,
        "readable": "READABLE" in has,
        "watchable": "LOOKABLE" in has,
        "typable": "HAS_SWITCH" in has or kind in _TYPED_ON,
        "movable": "MOVABLE" in has or kind in _PUSHED,
        "squeezable": "CLOTHES" in has or kind in _SQUEEZED,
        "cuttable": {"EATABLE", "CUTTABLE"} <= has,
        "garment": "CLOTHES" in has,
        "person": person,
    }


def vocabulary_of(home: HomeGraph) -> Mapping[str, tuple[str, ...]]:
    """The names that each kind of argument may take, in order of the ids."""
    kinds: dict[str, list[str]] = {}
    for node in sorted(home.nodes, key=lambda node: node.id):
        if node.id != home.character and node.class_name not in BUILDING:
            for kind, fits in _fits(node).items():
                kinds.setdefault(kind, [])
                if fits:
                    kinds[kind].append(home.names[node.id])
    return {kind: tuple(names) for kind, names in kinds.items()}

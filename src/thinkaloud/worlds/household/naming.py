"""What people call the nodes of a home, and which of them each argument of a skill may be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thinkaloud.worlds.household.home import Home, Node

CHARACTER, ROBOT = "character", "robot"
BUILDING = ("wall", "floor", "ceiling", "doorjamb", "walls", "floors", "ceilings", "window_frame")
"""Parts of the building: never spoken of."""
BETTER = {
    "freezer": "fridge",
    "couch": "sofa",
    "television": "tv",
    "trashcan": "garbage can",
    "garbagecan": "garbage can",
    "tooth_paste": "toothpaste",
    "coffe_maker": "coffee maker",
    "coffeemaker": "coffee maker",
    "coffeepot": "coffee pot",
    "coffeetable": "coffee table",
    "ceilinglamp": "ceiling lamp",
    "walllamp": "wall lamp",
    "tablelamp": "table lamp",
    "wallshelf": "wall shelf",
    "tvstand": "tv stand",
    "closetdrawer": "closet drawer",
    "photoframe": "photo frame",
    "powersocket": "power socket",
    "stovefan": "stove fan",
    "mousepad": "mouse pad",
    "cpuscreen": "screen",
    "hands_both": "hands",
    "eyes_both": "eyes",
    "feet_both": "feet",
    "arms_both": "arms",
    "legs_both": "legs",
    "basket_for_clothes": "laundry basket",
    "food_food": "food",
    "food_bread": "bread",
    "breadslice": "bread slice",
    "food_fish": "fish",
    "water_glass": "glass of water",
    "drinking_glass": "glass",
    "creditcard": "credit card",
    "dishwashingliquid": "dish soap",
    "dishbowl": "bowl",
    "dish_bowl": "bowl",
    "kitchencabinet": "kitchen cabinet",
    "kitchencounter": "kitchen counter",
    "kitchencounterdrawer": "kitchen drawer",
    "kitchentable": "kitchen table",
    "bathroomcabinet": "bathroom cabinet",
    "bathroomcounter": "bathroom counter",
    "livingroom": "living room",
    "remotecontrol": "remote control",
    "cellphone": "cell phone",
    "fryingpan": "frying pan",
    "sauce_pan": "saucepan",
    "cookingpot": "cooking pot",
    "wineglass": "wine glass",
    "cutleryknife": "knife",
    "cutleryfork": "fork",
    "washingmachine": "washing machine",
    "washingsponge": "sponge",
    "toiletpaper": "toilet paper",
    "wallpictureframe": "picture frame",
    "instrument_piano": "piano",
    "instrument_guitar": "guitar",
    "instrument_violin": "violin",
    "love_seat": "loveseat",
    "band-aids": "band aids",
    "shoe-shine_kit": "shoe shine kit",
    "mini-fridge": "mini fridge",
}
PORTABLE = ("water", "child")  # VirtualHome lets these be grabbed, whatever their properties
OPENABLE = ("desk", "window")
POURED_INTO = ("hands_both", "sponge", "face")
PUSHED = ("chair", "curtain", "button")
TYPED_ON = ("keyboard",)
SQUEEZED = (
    *("cleaning_solution", "tooth_paste", "shampoo", "food_peanut_butter", "dish_soap", "soap", "towel", "rag"),
    *("paper", "sponge", "food_lemon", "check"),
)
HOLDS_THINGS = ("sink", "bathtub", "trashcan", "garbagecan", "toaster", "basket_for_clothes", "bag", "box", "wallshelf")
"""Into or onto which something can be put, whatever their properties."""
LIES_ON = ("towel_rack", "hanger", "wallshelf", "bookshelf", "tvstand", "mat", "stove", "novel", "book")


def plain(class_name: str) -> str:
    """The name of a kind of thing as people say it."""
    if class_name in BETTER:
        return BETTER[class_name]
    words = re.sub(r"^(food|clothes)_(?=.)", "", class_name.lower())
    return " ".join(re.sub(r"[^a-z0-9]+", " ", words).split()) or class_name


def names_of(nodes: Iterable[tuple[int, str]], robot: int) -> dict[int, str]:
    """A name for each node; the first of a name by id has it alone, the others have a number."""
    count: Counter[str] = Counter()
    names: dict[int, str] = {}
    taken: set[str] = set()
    for number, class_name in sorted(nodes):
        kind = ROBOT if number == robot else "person" if class_name == CHARACTER else plain(class_name)
        count[kind] += 1
        name = kind if count[kind] == 1 else f"{kind} {count[kind]}"
        while name in taken:
            count[kind] += 1
            name = f"{kind} {count[kind]}"
        names[number] = name
        taken.add(name)
    return names


def _fits(node: Node) -> dict[str, bool]:
    has, kind = {*node.properties}, node.class_name
    room = node.category == "Rooms"
    person = kind == CHARACTER or bool(has & {"PERSON"})
    return {
        "room": room,
        "place": True,
        "thing": not room,
        "portable": "GRABBABLE" in has or kind in PORTABLE,
        "openable": "CAN_OPEN" in has or kind in OPENABLE,
        "device": "HAS_SWITCH" in has,
        "plugged": "HAS_PLUG" in has,
        "seat": "SITTABLE" in has,
        "bed": "LIEABLE" in has,
        "surface": bool(has & {"SURFACES", "CONTAINERS", "RECIPIENT", "SITTABLE", "LIEABLE"})
        or kind in HOLDS_THINGS
        or kind in LIES_ON,
        "container": bool(has & {"CONTAINERS", "RECIPIENT"})
        or ("CAN_OPEN" in has and "GRABBABLE" not in has and kind not in ("door", "window", "curtain"))
        or kind in HOLDS_THINGS,
        "drink": bool(has & {"DRINKABLE", "RECIPIENT"}),
        "food": bool(has & {"EATABLE"}) or ({"SURFACES", "RECIPIENT"} <= has),
        "liquid": bool(has & {"POURABLE", "DRINKABLE"}),
        "vessel": "RECIPIENT" in has or kind in POURED_INTO,
        "reading": "READABLE" in has,
        "screen": "LOOKABLE" in has,
        "keys": "HAS_SWITCH" in has or kind in TYPED_ON,
        "movable": "MOVABLE" in has or kind in PUSHED,
        "soft": "CLOTHES" in has or kind in SQUEEZED,
        "cuttable": {"EATABLE", "CUTTABLE"} <= has,
        "clothes": "CLOTHES" in has,
        "person": person,
    }


def vocabulary_of(home: Home) -> Mapping[str, tuple[str, ...]]:
    """For each kind of argument the names that it may be, in order of the ids."""
    kinds: dict[str, list[str]] = {}
    for node in sorted(home.nodes, key=lambda node: node.id):
        if node.id != home.character and node.class_name not in BUILDING:
            for kind, fits in _fits(node).items():
                kinds.setdefault(kind, [])
                if fits:
                    kinds[kind].append(home.names[node.id])
    return {kind: tuple(names) for kind, names in kinds.items()}

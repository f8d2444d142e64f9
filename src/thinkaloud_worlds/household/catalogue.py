"""The contents of a home drawn from a seed: kinds of things by VirtualHome's class names, and where they may be.

The package's data has the properties and places of most kinds; the missing and odd ones are here.
"""

from __future__ import annotations

BODY = ("hands_both", "face", "teeth")
FEW_OF = {"hanger": 3, "closetdrawer": 0, "drawing": 4}
"""VirtualHome's rooms have dozens of these; this many are kept."""
FURNITURE = (
    ("coffee_table", "home_office"),
    ("kitchen_cabinet", "dining_room"),
    ("dishwasher", "dining_room"),
    ("stove", "dining_room"),
    ("trashcan", "dining_room"),
    ("trashcan", "bathroom"),
    ("washing_machine", "bathroom"),
    ("basket_for_clothes", "bathroom"),
    ("mirror", "bathroom"),
    ("floor_lamp", "home_office"),
    ("shoe_rack", "bedroom"),
    ("ironing_board", "bedroom"),
    ("printer", "home_office"),
    ("woman", "home_office"),
)
"""What a room has in addition to VirtualHome's furniture, and a person who lives here."""


def _counted(text: str) -> dict[str, int]:
    """`plate*3 fork`: up to three plates, one fork."""
    parts = (word.partition("*") for word in text.split())
    return {kind: int(most or 1) for kind, _, most in parts}


_DISHES = _counted(
    """
    plate*3 cup*3 mug*2 drinking_glass*2 wine_glass*2 bowl*2 fork*2 spoon*2 knife*2 wooden_spoon cutting_board
    pot fryingpan sauce_pan kettle coffee_pot colander measuring_cup dishrack tray placemat*2 napkin*2
    """
)
_FOOD = _counted(
    """
    chips salmon cupcake breadslice*2 food_bread food_apple*2 food_banana*2 food_orange food_carrot*2
    food_potato*2 food_onion food_lemon food_kiwi food_cheese food_butter food_jam food_egg*2 food_chicken
    food_steak food_bacon food_pizza food_cake food_donut food_cereal food_rice food_noodles food_ice_cream
    food_salt food_sugar food_peanut_butter crackers pudding milk juice wine beer tea ground_coffee oil sauce
    water
    """
)
_CLEANING = _counted(
    """
    dish_soap sponge*2 rag detergent laundry_detergent broom dustpan mop paper_towel cleaning_solution
    oven_mitts vacuum_cleaner
    """
)
_WASHING = _counted(
    """
    toothbrush_holder toothbrush*2 tooth_paste soap shampoo conditioner towel*3 comb hairbrush hairdryer razor
    shaving_cream mouthwash toilet_paper*2 nail_polish after_shave
    """
)
_CLOTHES = _counted(
    """
    clothes_shirt*2 clothes_pants*2 clothes_socks*2 clothes_jacket clothes_hat clothes_scarf clothes_gloves
    clothes_dress clothes_skirt pajamas shoes*2 slippers spectacles iron sheets blanket
    """
)
_LEISURE = _counted(
    """
    book*3 novel magazine newspaper notebook folder envelope mail pen pencil crayon scissors tape glue stamp
    diary paper*2 board_game deck_of_cards chessboard toy*2 instrument_guitar
    """
)
_ODDS = _counted(
    """
    cellphone remote_control laptop headset radio alarm_clock controller dvd_player light_bulb keys purse bag
    creditcard coin candle lighter box vase
    """
)
HOUSEHOLD_THINGS = {**_DISHES, **_FOOD, **_CLEANING, **_WASHING, **_CLOTHES, **_LEISURE, **_ODDS}
"""Kinds of things, and the most there are of each; there is always at least one."""
FOOD = frozenset(_FOOD)
KITCHEN = frozenset((*_DISHES, *_FOOD))
"""Things that belong on no table except the one in the dining room."""

FREE_SEATS = {"couch": 1, "bed": 0, "chair": 0, "bench": 0, "toilet": 0}
"""The most things that start on each seat: VirtualHome's robot does not sit down on a crowded one."""

BESIDES: dict[str, tuple[str, ...]] = {
    "chips": ("GRABBABLE", "EATABLE", "MOVABLE"),
    "salmon": ("GRABBABLE", "EATABLE", "CUTTABLE", "MOVABLE"),
    "cupcake": ("GRABBABLE", "EATABLE", "CUTTABLE", "MOVABLE"),
    "breadslice": ("GRABBABLE", "EATABLE", "CUTTABLE", "MOVABLE"),
    "pudding": ("GRABBABLE", "EATABLE", "MOVABLE"),
    "crackers": ("GRABBABLE", "EATABLE", "MOVABLE"),
    "mug": ("GRABBABLE", "RECIPIENT", "POURABLE", "MOVABLE"),
    "coffee_pot": ("GRABBABLE", "RECIPIENT", "POURABLE", "MOVABLE"),
    "fryingpan": ("GRABBABLE", "RECIPIENT", "SURFACES", "CONTAINERS", "MOVABLE"),
    "food_cake": ("GRABBABLE", "EATABLE", "CUTTABLE", "MOVABLE"),
    "pen": ("GRABBABLE", "MOVABLE"),
    "paper": ("GRABBABLE", "READABLE", "HAS_PAPER", "CUTTABLE", "MOVABLE"),
    "cellphone": ("GRABBABLE", "HAS_SWITCH", "HAS_PLUG", "LOOKABLE", "MOVABLE"),
    "radio": ("GRABBABLE", "HAS_SWITCH", "HAS_PLUG", "MOVABLE"),
    "box": ("GRABBABLE", "CONTAINERS", "CAN_OPEN", "MOVABLE"),
    "vase": ("GRABBABLE", "RECIPIENT", "MOVABLE"),
    "mirror": ("LOOKABLE",),
    "teeth": ("BODY_PART",),
    "rag": ("GRABBABLE", "COVER_OBJECT", "MOVABLE"),
    "slippers": ("GRABBABLE", "CLOTHES", "MOVABLE"),
}
"""Properties of kinds that the package lacks, or that replace the package's."""

_COLD = ("INSIDE", ("freezer",))
_WORKTOP = ("ON", ("kitchen_counter", "table"))
_CUPBOARD = ("INSIDE", ("cupboard", "kitchen_cabinet"))
_LIVING = ("ON", ("coffee_table", "couch", "tvstand"))
_BATH = ("ON", ("bathroom_counter",))
_WARDROBE = ("INSIDE", ("dresser", "basket_for_clothes"))
_STUDY = ("ON", ("desk", "table", "coffee_table"))

DrawnPlaces = tuple[tuple[str, tuple[str, ...]], ...]
ONLY: dict[str, DrawnPlaces] = {
    "chips": (_CUPBOARD, _WORKTOP, _LIVING),
    "salmon": (_WORKTOP, ("ON", ("table",))),
    "cupcake": (_WORKTOP, _CUPBOARD),
    "breadslice": (_WORKTOP, _CUPBOARD),
    "pudding": (_COLD, _WORKTOP),
    "crackers": (_CUPBOARD, _WORKTOP),
    "coffee_pot": (_WORKTOP,),
    "mug": (_CUPBOARD, _WORKTOP, _STUDY),
    "fryingpan": (("ON", ("stove",)), _CUPBOARD),
    "pot": (("ON", ("stove",)), _CUPBOARD),
    "kettle": (("ON", ("stove", "kitchen_counter")),),
    "plate": (_WORKTOP, _CUPBOARD, ("ON", ("dishrack", "coffee_table"))),
    "dish_soap": (("ON", ("kitchen_counter",)),),
    "sponge": (("ON", ("kitchen_counter", "bathroom_counter")),),
    "dishrack": (("ON", ("kitchen_counter",)),),
    "water": (("INSIDE", ("sink",)),),
    "milk": (_COLD, _WORKTOP),
    "juice": (_COLD, _WORKTOP),
    "food_apple": (_WORKTOP, _COLD, _LIVING),
    "food_ice_cream": (_COLD,),
    "food_banana": (_WORKTOP, _STUDY),
    "food_bread": (_WORKTOP, _CUPBOARD),
    "toothbrush_holder": (_BATH,),
    "toothbrush": (_BATH, ("INSIDE", ("toothbrush_holder", "bathroom_cabinet"))),
    "tooth_paste": (_BATH, ("INSIDE", ("bathroom_cabinet",))),
    "towel": (("ON", ("towel_rack", "bathroom_counter")), ("INSIDE", ("basket_for_clothes", "dresser"))),
    "toilet_paper": (_BATH, ("INSIDE", ("bathroom_cabinet",))),
    "book": (("ON", ("bookshelf", "nightstand", "desk", "couch", "coffee_table", "wallshelf")),),
    "magazine": (_LIVING, ("ON", ("nightstand",))),
    "paper": (_STUDY,),
    "pen": (_STUDY,),
    "cellphone": (_STUDY, ("ON", ("nightstand", "couch"))),
    "remote_control": (_LIVING,),
    "radio": (_STUDY, ("ON", ("wallshelf", "bookshelf"))),
    "box": (("ON", ("desk", "bookshelf")), ("INSIDE", ("filing_cabinet",))),
    "vase": (_STUDY, ("ON", ("wallshelf",))),
    "candle": (_STUDY, _LIVING),
    "instrument_guitar": (("ON", ("couch",)), ("INSIDE", ("home_office", "bedroom"))),
    "vacuum_cleaner": (("INSIDE", ("dresser",)),),
    "broom": (("INSIDE", ("dining_room", "bathroom")),),
    "mop": (("INSIDE", ("dining_room", "bathroom")),),
    "dustpan": (("INSIDE", ("dining_room", "bathroom")),),
    "rag": (("ON", ("kitchen_counter", "bathroom_counter")), ("INSIDE", ("bathroom_cabinet",))),
    "blanket": (("ON", ("couch",)), ("INSIDE", ("dresser",))),
    "sheets": (("INSIDE", ("dresser",)),),
    "iron": (("ON", ("ironing_board",)),),
    "slippers": (("ON", ("shoe_rack",)), ("INSIDE", ("bedroom", "bathroom"))),
    "shoes": (("ON", ("shoe_rack",)), ("INSIDE", ("bedroom",))),
    "laptop": (_STUDY, ("ON", ("couch",))),
    "hairdryer": (_BATH, ("INSIDE", ("bathroom_cabinet",))),
    "placemat": (("ON", ("table",)), _CUPBOARD),
    "clothes_shirt": (_WARDROBE,),
    "clothes_pants": (_WARDROBE,),
    "clothes_socks": (_WARDROBE,),
    "clothes_jacket": (_WARDROBE, ("ON", ("couch",))),
    "detergent": (_CUPBOARD, _BATH),
    "laundry_detergent": (_BATH, ("INSIDE", ("bathroom_cabinet",))),
    "light_bulb": (("INSIDE", ("filing_cabinet", "cupboard")),),
    "toy": (("ON", ("bookshelf", "couch", "desk")),),
}
"""Where kinds of things may be, replacing the package's data."""

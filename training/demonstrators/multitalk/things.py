"""The things of the tables: what they are called, what they are for, and how large they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from training.words import COLOURS, DRINKS, FOODS, OBJECTS, TABLEWARE, made_up, one


def _list(text: str) -> tuple[str, ...]:
    return tuple(each.strip().replace("_", " ") for each in text.split())


FRUIT = _list("""
apple banana pear peach plum melon lemon lime mango papaya kiwi cherry strawberry raspberry fig coconut pineapple
apricot nectarine orange grapefruit mandarin tangerine pomegranate avocado blueberry blackberry guava lychee persimmon
quince clementine date grape passion_fruit dragon_fruit
""")
VEGETABLE = _list("""
tomato cucumber carrot potato onion garlic_bulb bell_pepper celery lettuce cabbage broccoli cauliflower pumpkin radish
turnip beet leek zucchini eggplant artichoke asparagus ginger_root sweet_potato shallot fennel
""")
MEAL = _list("""
sandwich bagel croissant muffin cookie biscuit waffle pancake burger pizza_slice taco burrito pie brownie donut egg
sausage cheese_wheel chocolate_bar candy_bar granola_bar energy_bar loaf_of_bread bread_roll baguette rice_cake
piece_of_cheese piece_of_cake piece_of_butter bag_of_chips bag_of_nuts pack_of_crackers bar_of_chocolate gingerbread
lollipop marshmallow sushi_roll spring_roll dumpling meatball omelette bowl_of_oatmeal
""")
PACKED = _list("""
cracker cereal sugar pudding rice pasta tuna corn tomato bean pea honey jam pickle olive yogurt chips nut raisin flour
oatmeal granola ketchup mayonnaise syrup peanut_butter soup_noodle salmon sardine meat ham cheese cookie salsa curry
noodle lentil chickpea pepper cinnamon spice vanilla mushroom applesauce marmalade
""")
PACKS = _list("box can jar bag packet tin tub pot tube pouch cup")
DRINK = _list("""
juice_box milk_carton water_bottle milk_bottle lemonade_bottle soda_can soda_bottle tea_box coffee_can coffee_bag
tea_tin wine_bottle beer_bottle beer_can cola_can cola_bottle juice_bottle apple_juice orange_juice_carton iced_tea
smoothie milkshake cocoa_tin energy_drink sparkling_water cider_bottle lemonade_can water_jug bottle_of_wine
carton_of_milk can_of_cola bottle_of_water ginger_ale root_beer coconut_water protein_shake thermos_of_tea
""")
TOY = _list("""
toy_car toy_train toy_truck toy_boat toy_plane doll teddy_bear puzzle_cube puzzle wooden_block building_block yo-yo kite
tennis_ball football baseball rubber_duck spinning_top marble board_game dice playing_cards action_figure robot_toy
stuffed_rabbit jigsaw toy_soldier toy_horse toy_dinosaur rubber_ball beach_ball toy_drum rattle marionette
ping_pong_ball toy_castle toy_phone plush_bear toy_robot water_pistol domino_set card_game
""")
TOOL = _list("""
hammer screwdriver wrench pliers saw drill tape_measure stapler pair_of_scissors flashlight roll_of_tape spirit_level
chisel file sandpaper utility_knife allen_key socket_wrench mallet clamp crowbar hacksaw paint_roller multimeter
soldering_iron glue_gun ratchet nail_gun trowel pocket_knife pair_of_pliers hand_drill wire_cutter bolt_cutter
measuring_tape hole_punch staple_gun vise torch_light work_light
""")
CLEANING = _list("""
sponge bar_of_soap scrub_brush dish_soap shampoo_bottle spray_bottle bleach_bottle detergent dishcloth cleaning_rag
duster broom_head mop_head scouring_pad dustpan window_cleaner glass_cleaner washing_powder cleaning_spray hand_soap
bottle_of_bleach bottle_of_detergent soap_dispenser toilet_brush squeegee lint_roller disinfectant cleaning_wipes
microfibre_cloth steel_wool vinegar_cleaner washing-up_liquid
""")
KITCHEN = _list("""
cup mug glass fork knife spoon teaspoon ladle spatula whisk peeler grater pitcher teapot salt_shaker pepper_shaker
pepper_mill rolling_pin measuring_cup corkscrew can_opener bottle_opener kitchen_timer egg_timer saucer wine_glass
butter_knife soup_spoon garlic_press potato_masher pizza_cutter pair_of_tongs chopsticks espresso_cup beer_mug egg_cup
milk_jug sugar_bowl gravy_boat coffee_mug tea_cup frying_pan saucepan
""")
PLAIN = _list("""
book candle remote_control vase thermos clock watch wallet purse notebook pencil pen eraser ruler calculator camera
phone charger battery mirror comb toothbrush toothpaste umbrella sock glove hat scarf key lock bell magnet compass
whistle ribbon gift_box picture_frame postcard envelope coin ring necklace radio speaker headphones glue_stick lighter
lamp bandage pill_box first_aid_kit sunglasses hairbrush perfume lotion letter tissue_box candle_holder flower_pot
figurine statue trophy globe cactus passport mouse keyboard
""")
PURPOSES = {
    "food": ("food", "fruit", "vegetable"),
    "fruit": ("fruit",),
    "vegetable": ("vegetable",),
    "drink": ("drink",),
    "toy": ("toy",),
    "tool": ("tool",),
    "cleaning": ("cleaning",),
    "kitchen": ("kitchen",),
}
"""What somebody may want, and what serves."""
FLAT = _list("""
tray plate platter cutting_board place_mat serving_tray dinner_plate baking_sheet cake_stand lid coaster saucer_plate
doormat wooden_board chess_board napkin towel shelf_board scale turntable tablet_stand
""")
HOLLOW = _list("""
bowl basket box bin bucket crate drawer sink pot carton tub case toolbox fruit_bowl bread_basket salad_bowl
laundry_basket shoe_box lunch_box sandbox pan casserole cooler hamper washbasin jewellery_box storage_box waste_bin
""")
DOUBTFUL = frozenset(("tomato", "avocado", "pumpkin", "bell pepper", "cucumber"))
"""About these people do not agree."""
_BY_USE = {
    "fruit": FRUIT,
    "vegetable": VEGETABLE,
    "food": MEAL,
    "drink": DRINK,
    "toy": TOY,
    "tool": TOOL,
    "cleaning": CLEANING,
    "kitchen": KITCHEN,
    "": PLAIN,
}
_USED = {name for names in _BY_USE.values() for name in names}
_LOOSE = tuple(n for n in dict.fromkeys((*OBJECTS, *TABLEWARE, *FOODS, *DRINKS)) if n not in _USED)
HELD_OUT = (
    *("soup can", "mustard bottle", "potted meat can", "gelatin box", "hot sauce bottle", "champagne bottle"),
    *("golf ball", "toy brick", "letter block", "olive oil bottle", "scrub pad", "water flask"),
)
"""Kinds of the benchmark, and some besides, that no table has."""


@dataclass(frozen=True)
class Kind:
    """A kind of thing: its name, what it is for (or "?" where nobody asks for that), how large it is."""

    name: str
    use: str
    size: tuple[float, float, float]


def kind_for(rng: np.random.Generator, use: str) -> Kind:
    """A kind of thing that is for something, or for nothing in particular ("")."""
    for _ in range(50):
        name = _named(rng, use)
        if name not in HELD_OUT:
            break
    tall = rng.random() < 0.08
    height = rng.uniform(0.26, 0.32) if tall else rng.uniform(0.03, 0.20)
    size = (rng.uniform(0.035, 0.07), rng.uniform(0.035, 0.15), height)
    return Kind(name, use, (round(size[0], 2), round(size[1], 2), round(size[2], 2)))


def _named(rng: np.random.Generator, use: str) -> str:
    if use == "food" and rng.random() < 0.55:
        return f"{one(rng, PACKED)} {one(rng, PACKS)}"
    name = one(rng, _BY_USE[use])
    if rng.random() < 0.12 and " of " not in name:
        name = f"{one(rng, COLOURS)} {name}"
    return name


def any_kind(rng: np.random.Generator) -> Kind:
    """Any kind of thing."""
    if rng.random() < 0.10:
        names = (one(rng, _LOOSE), f"{one(rng, COLOURS)} {one(rng, _LOOSE)}", f"{made_up(rng)} {one(rng, PACKS)}")
        name = names[int(rng.integers(3))]
        if name not in HELD_OUT:
            return Kind(name, "?", (0.06, 0.06, round(float(rng.uniform(0.04, 0.19)), 2)))
    uses = [*_BY_USE]
    return kind_for(rng, uses[int(rng.integers(len(uses)))])


def receptacle(rng: np.random.Generator, *, hollow: bool) -> Kind:
    """Something on which, or into which, things are put."""
    name = one(rng, HOLLOW if hollow else FLAT)
    if rng.random() < 0.2:
        name = f"{one(rng, COLOURS)} {name}"
    return Kind(name, "?", (0.24, 0.24, 0.06 if hollow else 0.02))

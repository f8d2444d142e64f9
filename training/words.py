"""Vocabularies for demonstrations: so many names that a model learns to copy them, and not which ones there are."""

from __future__ import annotations

import numpy as np

from thinkaloud.language.words import IDLE, NUMBERS

HELD_OUT_COLOURS = ("cyan", "brown", "magenta", "khaki", "vermilion")
HELD_OUT_OBJECTS = ("accordion", "walnut", "kettlebell", "saxophone", "thimble", "pretzel", "abacus", "gnome")
"""No demonstration names these: whether they are handled as well as others can be measured."""


def word_list(text: str) -> tuple[str, ...]:
    """Each word once; a name of several has underscores between them."""
    return tuple(dict.fromkeys(each.strip().replace("_", " ") for each in text.split()))


COLOURS = word_list("""
red blue green yellow orange purple pink gray grey black white teal turquoise violet indigo lime olive maroon navy beige
ivory cream gold golden silver bronze copper coral salmon-coloured crimson scarlet ruby rose lavender lilac mauve plum
aqua azure cobalt sapphire emerald jade mint sage moss forest_green sea_green sky_blue baby_blue royal_blue steel_blue
midnight_blue dark_blue light_blue dark_red light_red dark_green light_green pale_green pale_yellow bright_yellow
bright_orange dark_orange peach apricot amber mustard honey sand tan caramel chocolate coffee-coloured chestnut rust
brick terracotta ochre burgundy wine cherry raspberry fuchsia hot_pink pale_pink charcoal slate graphite ash smoke pearl
snow bone ebony jet striped spotted dotted checkered marbled transparent frosted glossy matte shiny speckled rainbow
two-tone wooden oak pine birch maple bamboo cork metal steel iron brass tin glass ceramic clay stone granite marble
plastic rubber foam felt paper cardboard leather velvet wool cotton linen denim
""")
"""What tells things of one kind apart: colours, patterns, materials."""

PLAIN_COLOURS = COLOURS[: COLOURS.index("striped")]
"""Only what is a colour."""

SHAPES = word_list("""
block cube brick box ball disc ring cylinder pyramid prism cone sphere tile bar rod peg puck token domino slab wedge
chip marker bead button die coin piece
""")
"""Small things of one kind, as on a table of toys; told apart by colour."""

CONTAINERS = word_list("""
bowl tray basket bucket bin jar cup mug pot pan plate saucer box crate pouch bag sack tub vase can tin carton drawer
dish pail chest case container holder hamper canister casket trough urn
""")

FOODS = word_list("""
apple banana pear peach plum grape melon lemon lime mango papaya kiwi cherry strawberry raspberry blueberry fig date
coconut pineapple apricot nectarine tomato cucumber carrot potato onion garlic pepper celery lettuce spinach cabbage
broccoli cauliflower pumpkin corn bean pea mushroom radish turnip beet leek bread bagel croissant muffin cookie biscuit
waffle pancake toast sandwich burger pizza pasta rice noodle soup stew salad cheese butter yogurt egg bacon ham sausage
chicken turkey trout tuna shrimp tofu honey jam jelly syrup sugar salt flour oatmeal cereal granola cracker popcorn
peanut almond raisin chocolate candy pudding pie tart brownie donut dumpling sushi taco burrito lasagna meatball
omelette
""")

DRINKS = word_list("""
water milk juice lemonade cocoa cider soda smoothie milkshake mocha latte espresso cappuccino tonic nectar broth punch
""")

TABLEWARE = word_list("""
plate bowl cup mug glass saucer fork knife spoon teaspoon ladle spatula whisk tongs peeler grater colander sieve pitcher
jug thermos flask teapot saltshaker pepper_mill napkin coaster placemat cutting_board rolling_pin measuring_cup tray
lunchbox bottle straw chopsticks corkscrew can_opener kitchen_scale timer apron oven_mitt dishcloth sponge
""")

OBJECTS = word_list("""
book magazine newspaper notebook diary letter envelope stamp postcard folder binder pen pencil crayon marker eraser
ruler stapler scissors glue tape paperclip calculator keyboard mouse laptop tablet phone charger cable headphones
speaker radio camera remote_control battery flashlight candle lighter lantern clock watch alarm_clock mirror comb
hairbrush toothbrush toothpaste soap shampoo towel washcloth razor perfume lotion tissue_box toilet_paper umbrella
raincoat hat cap scarf glove mitten sock shoe boot sandal slipper shirt blouse sweater jacket coat dress skirt trousers
jeans belt tie necklace bracelet ring earring wallet purse backpack suitcase briefcase basket bucket mop broom dustpan
vacuum_cleaner duster sponge rag hammer screwdriver wrench pliers saw drill nail screw bolt nut measuring_tape level
paintbrush paint_can ladder toolbox rope string chain hook lock key keychain toy_car doll teddy_bear puzzle board_game
dice playing_cards yo-yo kite football tennis_ball baseball basketball frisbee racket bat helmet skateboard dumbbell
yoga_mat jump_rope guitar violin flute drum trumpet harmonica vase flowerpot watering_can cushion pillow blanket quilt
sheet rug curtain picture_frame painting statue figurine globe map calendar fan heater iron ironing_board sewing_kit
thread needle button zipper magnet magnifying_glass telescope binoculars compass whistle bell balloon ribbon gift_box
bandage thermometer pill_box first_aid_kit cotton_swab tweezers nail_file hair_dryer bathrobe hanger laundry_basket
clothespin detergent bleach trash_bag parcel crate plank brick tennis_racket fishing_rod tent sleeping_bag
""")

FURNITURE = word_list("""
table chair stool bench sofa couch armchair bed nightstand desk bookshelf shelf cupboard cabinet wardrobe dresser drawer
closet counter kitchen_counter kitchen_table dining_table side_table windowsill mantelpiece sideboard rack coat_rack
shoe_rack stand tv_stand ottoman footstool hammock crib workbench trolley sink bathtub fridge freezer oven stove
microwave dishwasher washing_machine dryer toaster kettle coffee_maker blender mixer television computer lamp
floor_lamp desk_lamp ceiling_light light_switch radio stereo printer heater fan window door gate fireplace piano
""")

ROOMS = word_list("""
kitchen living_room bedroom bathroom hallway dining_room office study garage basement attic pantry laundry_room nursery
guest_room library conservatory porch balcony cellar workshop playroom studio
""")

PLACES = word_list("""
gate ramp dock charging_station loading_bay packing_table conveyor elevator entrance exit office canteen reception
shelf_A shelf_B shelf_C aisle_1 aisle_2 aisle_3 workshop paint_booth press lathe mill pallet_rack cold_store scale
label_printer
inspection_desk waiting_area lobby staircase fountain kiosk statue pond bench bridge tower market_stall bus_stop
platform ticket_booth library museum bakery pharmacy garden greenhouse barn stable silo well orchard hangar runway
pier lighthouse
""")

NAMES = word_list(
    "Ada Ben Cleo Dan Eva Finn Gita Hugo Ida Jun Kim Leo Mia Noor Otto Pia Quin Rosa Sam Tara Umar Vera Wim Yan Zoe"
)

_SYLLABLES = word_list(
    "ba be bu da de do fa fi ga go ka ki ko la le lo ma mi mo na no pa pi ra re ri sa so ta ti to va ve wa zo"
)


def made_up(rng: np.random.Generator) -> str:
    """A word that nobody has heard before: not `more`, and not `five`."""
    while (word := "".join(rng.choice(_SYLLABLES) for _ in range(int(rng.integers(2, 4))))) in {*IDLE, *NUMBERS}:
        pass
    return word


def some(rng: np.random.Generator, words: tuple[str, ...] | list[str], count: int) -> list[str]:
    """So many different ones, in any order."""
    return [words[int(index)] for index in rng.choice(len(words), size=min(count, len(words)), replace=False)]


def one(rng: np.random.Generator, words: tuple[str, ...] | list[str]) -> str:
    """Any of them."""
    return words[int(rng.integers(len(words)))]

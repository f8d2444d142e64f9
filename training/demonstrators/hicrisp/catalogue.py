"""What may be in a home: hundreds of things by what can be done with them, and VirtualHome's properties of each."""

from __future__ import annotations

from collections.abc import Mapping

from training.words import FOODS, OBJECTS, TABLEWARE


def _list(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.strip().replace("_", " ") for each in text.split()))


NOT_HERE = frozenset(
    _list("""
    toothbrush toothpaste toast plate apple book phone light tv chip popcorn salmon cupcake laundry_basket hair_dryer
    vacuum_cleaner washcloth rag sponge towel soap shampoo detergent bleach lotion radio laptop tablet flashlight
    lantern lamp fan heater iron alarm_clock speaker camera dishcloth corn glass cup mug bottle thermos flask teapot jug
    pitcher knife newspaper magazine notebook diary letter postcard map calendar hat cap scarf glove mitten sock shoe
    boot sandal slipper shirt blouse sweater jacket coat dress skirt trousers jeans raincoat bathrobe soup rug curtain
    keyboard mirror basket crate bucket ladder mouse
    """)
)
"""What has a category of its own, or belongs to the requests of a benchmark."""

ROOMS = _list("""
    kitchen living_room bedroom bathroom hallway study dining_room home_office garage cellar attic nursery guest_room
    laundry_room balcony terrace pantry_room den library conservatory utility_room workshop playroom porch spare_room
    dressing_room sunroom music_room shed gym
""")
WORDS: Mapping[str, tuple[str, ...]] = {
    "food": (
        *(food for food in FOODS if food not in NOT_HERE),
        *_list("""
        crisps nachos leftovers curry chili casserole pot_pie ramen porridge risotto quiche fish_fingers
        chicken_wings spring_roll hot_dog baked_beans fruit_salad cheesecake energy_bar
        rice_cake tangerine grapefruit pickles hummus falafel gnocchi meatloaf goulash paella pierogi samosa
        """),
    ),
    "drink": _list("""
        milk juice lemonade cocoa cider soda smoothie milkshake iced_tea orange_juice oat_milk mineral_water
        root_beer tomato_juice kombucha buttermilk hot_chocolate sparkling_water eggnog
        """),
    "vessel": _list("""
        mug cup tumbler teacup beaker goblet tankard thermos flask sippy_cup paper_cup jug pitcher carafe
        """),
    "dish": _list("""
        soup_bowl saucer platter salad_bowl cereal_bowl serving_dish soup_plate dessert_plate
        lunchbox baking_dish casserole_dish ramekin
        """),
    "clothes": _list("""
        hat cap scarf gloves mittens socks shoes boots sandals slippers shirt blouse sweater jacket coat dress skirt
        trousers jeans raincoat bathrobe cardigan hoodie vest tie belt apron swimsuit leggings beanie poncho pyjamas
        """),
    "reading": _list("""
        novel magazine comic newspaper letter postcard recipe manual diary notebook atlas dictionary leaflet catalogue
        storybook script journal poem invitation brochure cookbook report
        """),
    "gadget": _list("""
        radio laptop tablet hair_dryer speaker camera alarm_clock torch game_console record_player e-reader
        electric_razor drill cassette_player walkie-talkie baby_monitor music_box
        """),
    "player": _list("""
        radio record_player cassette_player jukebox stereo music_box gramophone hi-fi loudspeaker boombox cd_player
        """),
    "lamp": _list("""
        lamp desk_lamp floor_lamp bedside_lamp reading_lamp ceiling_lamp lantern chandelier night_light wall_light
        porch_lamp spotlight fairy_lights table_lamp hall_lamp
        """),
    "device": _list("""
        fan heater air_conditioner humidifier printer router stereo vacuum_cleaner lawn_mower sewing_machine
        treadmill air_purifier photocopier dehumidifier electric_blanket doorbell fountain scanner
        """),
    "oven": _list("""
        microwave oven steamer mini_oven air_fryer pizza_oven pressure_cooker slow_cooker rice_cooker convection_oven
        warming_drawer kitchen_stove bread_maker
        """),
    "popper": _list("""
        toaster waffle_iron sandwich_maker egg_boiler blender juicer grinder mixer popcorn_maker
        contact_grill yogurt_maker fondue_set
        """),
    "washer": _list("""
        washing_machine tumble_dryer washer dryer spin_dryer laundry_machine
        """),
    "dishwasher": _list("dishwasher dish_machine glass_washer"),
    "cooler": _list("fridge freezer refrigerator mini_fridge wine_cooler icebox cool_box pantry larder"),
    "cupboard": _list("""
        cupboard cabinet wardrobe drawer chest sideboard closet locker suitcase trunk safe desk_drawer bathroom_cabinet
        kitchen_cabinet toolbox medicine_cabinet dresser filing_cabinet jewelry_box toy_chest shoe_cabinet bread_box
        display_case mailbox
        """),
    "wardrobe": _list("wardrobe closet dresser armoire linen_chest locker"),
    "crockery": _list("cupboard kitchen_cabinet sideboard china_cabinet kitchen_drawer"),
    "basket": _list("""
        basket laundry_basket crate bucket hamper fruit_bowl magazine_rack umbrella_stand cardboard_box toy_box
        picnic_basket wicker_basket shopping_bag backpack tub
        """),
    "bin": _list("""
        bin trash_can dustbin garbage_can wastebasket rubbish_bin waste_bin recycling_bin compost_bin trash
        paper_bin kitchen_bin
        """),
    "surface": _list("""
        table counter shelf desk sideboard workbench windowsill mantelpiece kitchen_table dining_table side_table
        nightstand bar_counter coffee_table worktop console_table dressing_table picnic_table stand plant_stand
        bathroom_counter bookcase ledge rack
        """),
    "eating table": _list("table dining_table kitchen_table picnic_table bar_counter breakfast_table"),
    "shelf": _list("bookcase bookshelf shelf wall_shelf book_rack"),
    "seat": _list("""
        chair sofa armchair bench stool couch rocking_chair office_chair beanbag loveseat deck_chair swing recliner
        kitchen_chair footstool garden_chair window_seat ottoman pew
        """),
    "bed": _list("bed cot hammock daybed sofa_bed bunk_bed air_mattress futon chaise_longue sun_lounger"),
    "screen": _list("""
        television monitor projector big_screen flat_screen wall_screen home_cinema video_wall display smart_screen
        """),
    "tap": _list("tap faucet kitchen_tap garden_hose bathroom_faucet water_tap hose sink_tap"),
    "basin": _list("sink basin wash_basin kitchen_sink washtub bathtub bath"),
    "cloth": _list("rag cloth towel dishcloth duster wipe tea_towel washcloth microfibre_cloth paper_towel mop"),
    "brush": _list("brush scrubber sponge shoe_brush scouring_pad scrubbing_brush bottle_brush nail_brush steel_wool"),
    "agent": _list("""
        dish_soap shoe_polish scouring_powder cleaner detergent furniture_polish bleach vinegar silver_polish hand_soap
        baking_soda wood_oil glass_cleaner washing_powder stain_remover shaving_foam
        """),
    "soap": _list("soap hand_soap shower_gel face_wash bar_of_soap liquid_soap"),
    "body": _list("hair feet arms beard knees ears nose neck fingers fingernails"),
    "telephone": _list("telephone cell_phone smartphone mobile cordless_phone landline handset"),
    "computer": _list("computer workstation typewriter laptop_computer terminal desktop_computer notebook_computer"),
    "keys": _list("keyboard piano_keyboard keypad"),
    "animal": _list("dog puppy rabbit hamster guinea_pig parrot tortoise pony goldfish canary ferret kitten"),
    "person": _list("grandmother neighbour guest postman baby teacher nurse plumber visitor aunt uncle girl boy"),
    "knife": _list("knife bread_knife kitchen_knife carving_knife paring_knife"),
    "pan": _list("pan pot saucepan wok skillet stockpot griddle"),
    "stove": _list("stove cooker hotplate hob gas_stove camping_stove"),
    "opening": _list("window door gate skylight shutter garage_door balcony_door garden_gate blind trapdoor"),
    "sight": _list("painting mirror aquarium poster photograph globe statue clock map picture calendar sunset_photo"),
    "fixture": _list("bathtub staircase piano rug carpet fireplace radiator floor_tiles wall_tiles bicycle car grill"),
    "cutlery": _list("fork spoon napkin dessert_spoon salt_shaker pepper_mill tablecloth placemat candle_holder"),
    "room": ROOMS,
    "misc": (
        *(each for each in (*OBJECTS, *TABLEWARE) if each not in NOT_HERE),
        *_list("ball kite passport ticket parcel umbrella trophy seashell marble toy_train puppet lunch_bag hammer"),
    ),
}

PROPERTIES: Mapping[str, tuple[str, ...]] = {
    "food": ("GRABBABLE", "EATABLE", "CUTTABLE", "MOVABLE"),
    "drink": ("GRABBABLE", "DRINKABLE", "POURABLE", "MOVABLE"),
    "vessel": ("GRABBABLE", "RECIPIENT", "POURABLE", "MOVABLE"),
    "dish": ("GRABBABLE", "SURFACES", "MOVABLE"),
    "clothes": ("GRABBABLE", "CLOTHES", "MOVABLE"),
    "reading": ("GRABBABLE", "READABLE", "MOVABLE"),
    "gadget": ("GRABBABLE", "HAS_SWITCH", "HAS_PLUG", "MOVABLE"),
    "player": ("HAS_SWITCH", "HAS_PLUG", "MOVABLE"),
    "lamp": ("HAS_SWITCH", "HAS_PLUG"),
    "device": ("HAS_SWITCH", "HAS_PLUG"),
    "oven": ("CAN_OPEN", "CONTAINERS", "HAS_SWITCH", "HAS_PLUG"),
    "popper": ("CONTAINERS", "HAS_SWITCH", "HAS_PLUG"),
    "washer": ("CAN_OPEN", "CONTAINERS", "HAS_SWITCH", "HAS_PLUG"),
    "dishwasher": ("CAN_OPEN", "CONTAINERS", "HAS_SWITCH", "HAS_PLUG"),
    "cooler": ("CAN_OPEN", "CONTAINERS"),
    "cupboard": ("CAN_OPEN", "CONTAINERS"),
    "wardrobe": ("CAN_OPEN", "CONTAINERS"),
    "crockery": ("CAN_OPEN", "CONTAINERS"),
    "basket": ("CONTAINERS",),
    "bin": ("CONTAINERS",),
    "surface": ("SURFACES", "MOVABLE"),
    "eating table": ("SURFACES", "MOVABLE"),
    "shelf": ("SURFACES",),
    "seat": ("SITTABLE", "SURFACES", "MOVABLE"),
    "bed": ("LIEABLE", "SITTABLE", "SURFACES"),
    "screen": ("HAS_SWITCH", "HAS_PLUG", "LOOKABLE"),
    "tap": ("HAS_SWITCH",),
    "basin": ("CONTAINERS", "RECIPIENT"),
    "cloth": ("GRABBABLE", "COVER_OBJECT", "MOVABLE"),
    "brush": ("GRABBABLE", "RECIPIENT", "MOVABLE"),
    "agent": ("GRABBABLE", "POURABLE", "MOVABLE"),
    "soap": ("GRABBABLE", "MOVABLE"),
    "body": ("BODY_PART",),
    "telephone": ("GRABBABLE", "HAS_SWITCH", "HAS_PLUG", "MOVABLE"),
    "computer": ("HAS_SWITCH", "HAS_PLUG", "LOOKABLE"),
    "keys": ("GRABBABLE", "HAS_PLUG", "MOVABLE", "HAS_SWITCH"),
    "animal": ("GRABBABLE", "MOVABLE"),
    "person": ("PERSON",),
    "knife": ("GRABBABLE", "MOVABLE"),
    "pan": ("GRABBABLE", "RECIPIENT", "CONTAINERS", "MOVABLE"),
    "stove": ("SURFACES", "CONTAINERS", "HAS_SWITCH", "HAS_PLUG"),
    "opening": ("CAN_OPEN",),
    "sight": ("LOOKABLE",),
    "fixture": (),
    "cutlery": ("GRABBABLE", "MOVABLE"),
    "misc": ("GRABBABLE", "MOVABLE"),
    "room": (),
}

PORTABLE = tuple(kind for kind, has in PROPERTIES.items() if "GRABBABLE" in has and kind not in ("animal",))
"""Categories of what can be carried."""
DISTRACTING = (
    "misc",
    "food",
    "surface",
    "cupboard",
    "seat",
    "lamp",
    "reading",
    "clothes",
    "vessel",
    "basket",
    "device",
)
"""Of such things there are more in every home than a request is about."""

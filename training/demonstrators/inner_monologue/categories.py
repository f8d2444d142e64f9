"""Things by what they are: that a trout is a fish has to be known, nobody tells it. None of them is a benchmark's."""

from __future__ import annotations

from training.words import word_list

CATEGORIES: dict[str, tuple[str, ...]] = {
    "fruit": word_list("banana pear peach grape melon lemon mango papaya kiwi cherry fig apricot nectarine pineapple"),
    "vegetable": word_list("carrot potato onion cucumber tomato celery broccoli pumpkin radish leek cabbage pepper"),
    "tool": word_list("hammer screwdriver wrench pliers saw drill chisel level clamp file"),
    "toy": word_list("doll teddy_bear toy_car yo-yo kite puzzle spinning_top toy_train toy_duck"),
    "piece of cutlery": word_list("fork knife spoon teaspoon ladle chopsticks"),
    "pen": word_list("red_pen blue_pen fountain_pen ballpoint_pen felt-tip_pen green_pen"),
    "pencil": word_list("red_pencil short_pencil drawing_pencil sharp_pencil blue_pencil"),
    "bottle": word_list("shampoo_bottle oil_bottle vinegar_bottle wine_bottle milk_bottle syrup_bottle soap_bottle"),
    "condiment": word_list("salt pepper_mill mayonnaise soy_sauce hot_sauce vinegar relish horseradish"),
    "cup": word_list("tea_cup coffee_cup paper_cup tin_cup egg_cup"),
    "piece of clothing": word_list("sock glove scarf hat tie mitten shirt belt"),
    "battery": word_list("small_battery flat_battery round_battery car_battery"),
    "drink": word_list("sprite fanta lemonade milk orange_juice ginger_ale root_beer iced_tea coffee cocoa cider"),
    "soda": word_list("sprite fanta pepsi ginger_ale root_beer cola cherry_soda cream_soda orange_soda tonic"),
    "drink without sugar": word_list("mineral_water sparkling_water green_tea black_coffee herbal_tea"),
    "drink with caffeine": word_list("coffee espresso green_tea black_tea energy_drink cola pepsi latte iced_coffee"),
    "hot drink": word_list("coffee cocoa espresso green_tea herbal_tea latte"),
    "snack": word_list("potato_chips popcorn peanuts granola_bar cookies crackers raisins trail_mix candy"),
    "sweet": word_list("chocolate_bar candy lollipop cookies gummy_bears marshmallow"),
    "chips": word_list("potato_chips corn_chips salted_chips paprika_chips banana_chips"),
    "thing to wipe with": word_list("cloth towel rag paper_towel mop tissue_box dishcloth"),
    "thing to write with": word_list("pencil crayon marker fountain_pen ballpoint_pen chalk"),
    "breakfast food": word_list("cereal oatmeal toast muffin bagel croissant yogurt"),
}
SORTED = (
    *(("fruit", "vegetable"), ("fruit", "tool"), ("tool", "toy"), ("pen", "pencil"), ("bottle", "cup")),
    *(("condiment", "vegetable"), ("piece of cutlery", "cup"), ("toy", "piece of clothing"), ("battery", "pen")),
    *(
        ("vegetable", "tool"),
        ("snack", "piece of cutlery"),
        ("bottle", "toy"),
        ("condiment", "fruit"),
        ("sweet", "pen"),
    ),
)
"""What people want apart."""
FETCHED = tuple(name for name in CATEGORIES if name not in ("pen", "pencil", "bottle", "cup", "battery", "condiment"))
"""What people want one of."""


def plural_of(category: str) -> str:
    """More than one of it."""
    first, of, rest = category.partition(" ")
    if first in ("chips",):
        return category
    first = first[:-1] + "ies" if first.endswith("y") and first != "toy" else f"{first}s"
    return f"{first} {rest}" if of else first

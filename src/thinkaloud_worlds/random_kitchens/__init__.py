"""Kitchens drawn from a seed: household items and other things at one place of a kitchen, in drawers, in the hand.

    drawn = draw_random_kitchen(7, "training")       # what is where, and which words are true of each thing
    picture = photograph_random_kitchen(drawn)       # colour, depth, and which thing each pixel really shows

Like random tables, they are pictures to learn from and to measure with. Nothing acts in them.
"""

from thinkaloud_worlds.random_kitchens.draw import (
    DrawnKitchen,
    KitchenStyle,
    KitchenThing,
    draw_random_kitchen,
    is_kept_back_at,
)
from thinkaloud_worlds.random_kitchens.pictures import photograph_random_kitchen

__all__ = [
    "DrawnKitchen",
    "KitchenStyle",
    "KitchenThing",
    "draw_random_kitchen",
    "is_kept_back_at",
    "photograph_random_kitchen",
]

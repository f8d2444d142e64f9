"""Dishes drawn from a seed: in a sink, on the racks of a machine, or beside it, in any colour, in rows or scattered.

    drawn = draw_random_dishes(7, "training")        # what is where, and which words are true of each thing
    picture = photograph_random_dishes(drawn)        # colour, depth, and which thing each pixel really shows

Like random tables and kitchens, they are pictures to learn from and to measure with. Nothing acts in them.
"""

from thinkaloud_worlds.random_dishes.draw import DishStyle, DrawnDishes, draw_random_dishes, is_kept_back_dish
from thinkaloud_worlds.random_dishes.pictures import photograph_random_dishes

__all__ = ["DishStyle", "DrawnDishes", "draw_random_dishes", "is_kept_back_dish", "photograph_random_dishes"]

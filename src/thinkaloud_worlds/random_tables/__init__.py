"""Tables drawn from a seed: things of many kinds in random light, with patterns, clutter and occlusion.

    drawn = draw_table(7, "training")        # what is where, and which words are true of each thing
    picture = photograph_drawn(drawn)        # colour, depth, and which thing each pixel really shows

They are pictures to learn from and to measure with. Nothing acts on these tables, so they have no physics.
"""

from thinkaloud_worlds.random_tables.draw import DrawnTable, Style, draw_table
from thinkaloud_worlds.random_tables.phrases import draw_phrases
from thinkaloud_worlds.random_tables.pictures import TablePicture, photograph_drawn
from thinkaloud_worlds.random_tables.things import DrawnThing
from thinkaloud_worlds.random_tables.words import (
    DISH_WORDS,
    EYES_WORDS,
    KITCHEN_WORDS,
    SAME_WORDS,
    VOCABULARY,
    fits,
    is_kept_back,
)

__all__ = [
    "DISH_WORDS",
    "EYES_WORDS",
    "KITCHEN_WORDS",
    "SAME_WORDS",
    "VOCABULARY",
    "DrawnTable",
    "DrawnThing",
    "Style",
    "TablePicture",
    "draw_phrases",
    "draw_table",
    "fits",
    "is_kept_back",
    "photograph_drawn",
]

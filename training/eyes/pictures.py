"""Training pictures, in files that can be made again from their seeds.

    python -m training.eyes.pictures results/eyes/pictures --pictures 4000 --jobs 2 --kitchens 0.2 --dishes 0.25

Each file has 250 pictures, of random tables, of random kitchens (`--kitchens` is their share) and of random dishes
(`--dishes`): colour, height above the surface, which thing each pixel shows, and which words are true of each thing.
Files that are there already are kept, so an interrupted command goes on where it stopped, with the same shares.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from thinkaloud_worlds.random_dishes import draw_random_dishes, photograph_random_dishes
from thinkaloud_worlds.random_kitchens import draw_random_kitchen, photograph_random_kitchen
from thinkaloud_worlds.random_tables import EYES_WORDS, TablePicture, draw_table, photograph_drawn
from thinkaloud_worlds.random_tables.phrases import DrawnScene
from thinkaloud_worlds.seeds import generator
from training import drawn_files

WIDTH, HEIGHT = 160, 120
MOST_THINGS = 16
_SALT = 0x4B17


@dataclass(frozen=True, slots=True)
class Shares:
    """How many of the pictures show kitchens, and how many dishes; the others show tables."""

    kitchens: float = 0.2
    dishes: float = 0.25

    @classmethod
    def given(cls, given: argparse.Namespace) -> Shares:
        """What a command line says."""
        return cls(given.kitchens, given.dishes)


SHARES = Shares()
"""The shares of a training for which nothing else is said."""


def share_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what the pictures show."""
    parser.add_argument("--kitchens", type=float, default=SHARES.kitchens, help="the share of kitchens, 0 to 1")
    parser.add_argument("--dishes", type=float, default=SHARES.dishes, help="the share of dishes, 0 to 1")


def draw_scene(seed: int, shares: Shares = SHARES, *, whole: bool = False) -> tuple[DrawnScene, TablePicture]:
    """Return a table, a kitchen or dishes for training, with their picture; the seed decides which."""
    chance = generator(seed, _SALT).uniform()
    if chance < shares.kitchens:
        kitchen = draw_random_kitchen(seed, "training")
        return kitchen, photograph_random_kitchen(kitchen, WIDTH, HEIGHT, whole=whole)
    if chance < shares.kitchens + shares.dishes:
        dishes = draw_random_dishes(seed, "training")
        return dishes, photograph_random_dishes(dishes, WIDTH, HEIGHT, whole=whole)
    table = draw_table(seed, "training")
    return table, photograph_drawn(table, WIDTH, HEIGHT, whole=whole)


def draw_picture(seed: int, shares: Shares = SHARES) -> dict[str, Any]:
    """Return a picture, its heights (NaN where unknown), its things, and the truth of each word about each thing."""
    scene, picture = draw_scene(seed, shares)
    truths = np.zeros((MOST_THINGS, len(EYES_WORDS)), np.int8)
    for number, thing in enumerate(scene.things[:MOST_THINGS]):
        truths[number] = [thing.truths.get(word, 0) for word in EYES_WORDS]
    heights = picture.view.points()[..., 2].astype(np.float16)
    return {"rgb": picture.view.rgb, "heights": heights, "things": picture.things.astype(np.int8), "truths": truths}


if __name__ == "__main__":
    parser = drawn_files.options(__doc__, 4000, what="pictures")
    share_options(parser)
    given = parser.parse_args()
    drawn_files.run(partial(draw_picture, shares=Shares.given(given)), given)

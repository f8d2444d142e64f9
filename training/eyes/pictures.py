"""Training pictures, in files that can be made again from their seeds.

    python -m training.eyes.pictures results/eyes/pictures --pictures 4000 --jobs 2 --kitchens 0.3

Each file has 250 pictures, of random tables and of random kitchens (`--kitchens` is their share): colour, height above
the surface, which thing each pixel shows, and which words are true of each thing. Files that are there already are
kept, so an interrupted command goes on where it stopped; give it the same share again.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from thinkaloud_worlds.random_kitchens import draw_random_kitchen, photograph_random_kitchen
from thinkaloud_worlds.random_tables import EYES_WORDS, TablePicture, draw_table, photograph_drawn
from thinkaloud_worlds.random_tables.phrases import DrawnScene
from thinkaloud_worlds.seeds import generator
from training import drawn_files

WIDTH, HEIGHT = 160, 120
MOST_THINGS = 16
KITCHENS = 0.3
"""The share of pictures that show kitchens, unless another is given."""
_SALT = 0x4B17


def draw_scene(seed: int, kitchens: float = KITCHENS, *, whole: bool = False) -> tuple[DrawnScene, TablePicture]:
    """Return a table or a kitchen for training, with its picture; the seed decides which."""
    if generator(seed, _SALT).uniform() < kitchens:
        kitchen = draw_random_kitchen(seed, "training")
        return kitchen, photograph_random_kitchen(kitchen, WIDTH, HEIGHT, whole=whole)
    table = draw_table(seed, "training")
    return table, photograph_drawn(table, WIDTH, HEIGHT, whole=whole)


def draw_picture(seed: int, kitchens: float = KITCHENS) -> dict[str, Any]:
    """Return a picture, its heights (NaN where unknown), its things, and the truth of each word about each thing."""
    scene, picture = draw_scene(seed, kitchens)
    truths = np.zeros((MOST_THINGS, len(EYES_WORDS)), np.int8)
    for number, thing in enumerate(scene.things[:MOST_THINGS]):
        truths[number] = [thing.truths.get(word, 0) for word in EYES_WORDS]
    heights = picture.view.points()[..., 2].astype(np.float16)
    return {"rgb": picture.view.rgb, "heights": heights, "things": picture.things.astype(np.int8), "truths": truths}


if __name__ == "__main__":
    parser = drawn_files.options(__doc__, 4000, what="pictures")
    parser.add_argument("--kitchens", type=float, default=KITCHENS, help="the share of kitchens, 0 to 1")
    given = parser.parse_args()
    drawn_files.run(partial(draw_picture, kitchens=given.kitchens), given)

"""Training pictures, in files that can be made again from their seeds.

    python -m training.eyes.pictures results/eyes/pictures --pictures 4000 --jobs 2

Each file has 250 pictures: colour, height above the table, which thing each pixel shows, and which words are true of
each thing. Files that are there already are kept, so an interrupted command goes on where it stopped.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from thinkaloud_worlds.random_tables import VOCABULARY, draw_table, photograph_drawn
from training import drawn_files

WIDTH, HEIGHT = 160, 120
MOST_THINGS = 16


def draw_picture(seed: int) -> dict[str, Any]:
    """Return a picture, its heights (NaN where unknown), its things, and the truth of each word about each thing."""
    table = draw_table(seed, "training")
    picture = photograph_drawn(table, WIDTH, HEIGHT, whole=False)
    truths = np.zeros((MOST_THINGS, len(VOCABULARY)), np.int8)
    for number, thing in enumerate(table.things[:MOST_THINGS]):
        truths[number] = [thing.truths.get(word, 0) for word in VOCABULARY]
    heights = picture.view.points()[..., 2].astype(np.float16)
    return {"rgb": picture.view.rgb, "heights": heights, "things": picture.things.astype(np.int8), "truths": truths}


if __name__ == "__main__":
    drawn_files.run(draw_picture, drawn_files.options(__doc__, 4000, what="pictures").parse_args())

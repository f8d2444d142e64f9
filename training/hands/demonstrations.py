"""Demonstrations of the scripted expert: a picture from above, sentences, and where it picks and places for each.

    python -m training.hands.demonstrations results/hands/steps --scenes 2500 --jobs 2
    python -m training.hands.demonstrations results/hands/tasks --scenes 2500 --jobs 2 --tasks

A scene is a random table (patterns, light, clutter, any camera), or the tabletop world's own table with blocks and
bowls of any colour, also stacked. The expert knows what is where; its pixels and its picture have the noise of Inner
Monologue's section 4.1. With `--tasks`, the sentences are whole tasks, the seen ones of Table 1, and the scenes are
from all along the expert's way to the goal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from thinkaloud.worlds.disturbance import PAPER_DISTURBANCE
from thinkaloud.worlds.learned_files import LONGEST_SENTENCE, SIDE, encode_sentence, shrink
from thinkaloud_worlds.random_tables import DrawnTable, draw_phrases, draw_table, photograph_drawn
from thinkaloud_worlds.random_tables.any_colours import draw_any_colours
from thinkaloud_worlds.random_tables.forms import FORMS
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.tabletop import Tabletop
from thinkaloud_worlds.tabletop.camera import PIXELS, Picture, Pixel
from thinkaloud_worlds.tabletop.free_space import free_spot
from thinkaloud_worlds.tabletop.layout import PLACES
from thinkaloud_worlds.tabletop.pointed_pixels import known_heights
from thinkaloud_worlds.tabletop.senses import visible
from thinkaloud_worlds.tabletop.table_eyes import picture_from_above
from training import drawn_files
from training.hands.sentences import PICKS, SAME, TRAINED, WORDS, random_form
from training.hands.whole_tasks import draw_on_the_way

SENTENCES = 8
"""Demonstrations of a scene."""
_SALT = 0x4A4D
_FINE = (256, 192)  # the camera's picture of a random table
Wanted = tuple[str, Pixel, Pixel | None]
"""A sentence, where the expert picks for it, and where it places."""


def draw_demonstrations(seed: int) -> dict[str, Any]:
    """Return a scene and its demonstrations of single steps."""
    rng = generator(seed, _SALT)
    picture, things = random_table(seed) if rng.uniform() < 0.5 else blocks_and_bowls(rng)
    wanted = [each for _ in range(SENTENCES) if (each := _one_step(rng, picture, things)) is not None]
    return as_arrays(rng, picture, wanted)


def draw_tasks(seed: int) -> dict[str, Any]:
    """Return a scene on the way to the goal of a whole task, with the expert's next step for it."""
    rng = generator(seed, _SALT + 1)
    return as_arrays(rng, *draw_on_the_way(rng))


def random_table(seed: int) -> tuple[Picture, dict[str, bool]]:
    """Return a random table from above, and its things by phrases that fit them alone: whether each is hollow."""
    table: DrawnTable = draw_table(seed, "training")
    taken = photograph_drawn(table, *_FINE, whole=False)
    named = {number: f"thing {number}" for number in range(len(table.things))}
    things = dict[str, bool]()
    for phrase, words in draw_phrases(table, absent=0).items():
        number = next(n for n, thing in enumerate(table.things) if all(thing.truths.get(word) == 1 for word in words))
        named[number] = phrase
        things[phrase] = bool(FORMS[table.things[number].kind].inside)
    return picture_from_above(taken.view, taken.things.astype(np.int32), tuple(named.values())), things


def blocks_and_bowls(rng: np.random.Generator) -> tuple[Picture, dict[str, bool]]:
    """Return the tabletop world's table from above, and its things by name: whether each is a bowl."""
    table = Tabletop(draw_any_colours(rng, kept_back=False))
    return table.picture(), {name: name in table.bowls for name in table.physics.names}


def _one_step(rng: np.random.Generator, picture: Picture, things: dict[str, bool]) -> Wanted | None:
    seen = [name for name in visible(picture) if name in things]
    if not seen:
        return None
    if rng.uniform() < 0.2:
        name = seen[int(rng.integers(len(seen)))]
        return random_form(rng, PICKS).format(object=name), find_thing(picture, name, things[name]), None
    loose = [name for name in seen if not things[name]]
    if not loose:
        return None
    name = loose[int(rng.integers(len(loose)))]
    others = [each for each in seen if each != name]
    bowls = [each for each in others if things[each]]
    kinds = [kind for kind in (others, bowls, list(PLACES)) if kind]
    kind = kinds[int(rng.integers(len(kinds)))]
    target = kind[int(rng.integers(len(kind)))]
    sentence = random_form(rng, TRAINED).format(object=name, target=target)
    if target in PLACES:
        return sentence, find_thing(picture, name, False), free_spot(picture, PLACES[target], name, 0.03)
    return sentence, find_thing(picture, name, False), find_thing(picture, target, things[target])


def find_thing(picture: Picture, name: str, hollow: bool) -> Pixel:
    """Return where the expert sees a thing: the middle of what is visible, or of the outline of what is hollow."""
    rows, columns = np.nonzero(picture.mask(name))
    if hollow:
        return float(rows.min() + rows.max()) / 2, float(columns.min() + columns.max()) / 2
    return float(rows.mean()), float(columns.mean())


def as_arrays(rng: np.random.Generator, picture: Picture, wanted: Sequence[Wanted]) -> dict[str, Any]:
    """Return demonstrations as arrays of one shape, with the expert's noise; points are shares of the picture."""
    noisy = picture.rgb + rng.normal(0.0, PAPER_DISTURBANCE.pixel_value, picture.rgb.shape)
    known = known_heights(picture)
    rgb, height = shrink(np.where(np.isnan(known)[..., None], 0.0, noisy), known)
    sentences = np.zeros((SENTENCES, LONGEST_SENTENCE), np.int16)
    points = np.full((SENTENCES, 2, 2), np.nan, np.float32)
    for number, (sentence, *spots) in enumerate(wanted[:SENTENCES]):
        sentences[number], unknown = encode_sentence(sentence, WORDS, SAME)
        assert not unknown, sentence
        for part, spot in enumerate(spots):
            if spot is not None:
                off = rng.normal(0.0, PAPER_DISTURBANCE.pixel, 2)
                points[number, part] = (np.array(spot) + off + 0.5) / PIXELS
    assert rgb.shape == (SIDE, SIDE, 3)
    return {"rgb": rgb, "heights": height.astype(np.float16), "sentences": sentences, "points": points}


if __name__ == "__main__":
    parser = drawn_files.options(__doc__, 2500, what="scenes")
    parser.add_argument("--tasks", action="store_true", help="whole tasks instead of single steps")
    given = parser.parse_args()
    drawn_files.run(draw_tasks if given.tasks else draw_demonstrations, given)

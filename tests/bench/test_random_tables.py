"""What eyes find on random tables: the counts follow the truth, and right is only what is in the right place."""

from __future__ import annotations

import asyncio

import pytest

from thinkaloud.models import Scripted
from thinkaloud.worlds.vision import PixelBox, Sight, Sighting
from thinkaloud_bench import BENCHES, Played
from thinkaloud_bench.contract import Item
from thinkaloud_bench.random_tables import appearance_of, count_boxes
from thinkaloud_worlds.random_tables import draw_phrases, draw_table, fits, photograph_drawn
from thinkaloud_worlds.random_tables.words import TRUE

BENCH = BENCHES["random-tables"]
TABLE = draw_table(5, "clutter")
PICTURE = photograph_drawn(TABLE, 160, 120)
PHRASES = draw_phrases(TABLE)


def true_boxes() -> dict[str, PixelBox]:
    """The box of each phrase that fits something of which at least a quarter is visible."""
    found = dict[str, PixelBox]()
    for phrase, words in PHRASES.items():
        for number, thing in enumerate(TABLE.things):
            box = PICTURE.box(number)
            if fits(thing.truths, words) == TRUE and box and PICTURE.visible(number) >= 0.25:
                found[phrase] = box
    return found


def counted(boxes: list[tuple[str, PixelBox]]) -> dict[str, float]:
    sight = Sight(tuple(Sighting(name, box, None) for name, box in boxes))
    return count_boxes(sight, PHRASES, TABLE, PICTURE)


def test_eyes_that_see_the_truth_are_right_throughout() -> None:
    scores = counted([*true_boxes().items()])
    assert scores["right"] == scores["said"] == scores["visible"] == len(true_boxes()) > 3
    assert scores["agreed"] == scores["asked"] > scores["visible"]
    assert scores["right_covered"] == scores["covered"]


def test_eyes_that_see_nothing_agree_where_there_is_nothing() -> None:
    scores = counted([])
    assert scores["right"] == scores["said"] == 0 and scores["visible"] == len(true_boxes())
    assert scores["agreed"] == scores["asked"] - scores["visible"]


def test_a_box_elsewhere_or_a_second_one_is_wrong() -> None:
    phrase, box = next(iter(true_boxes().items()))
    elsewhere = (0, 0, 3, 3) if box[0] > 5 or box[1] > 5 else (150, 110, 155, 115)
    assert counted([(phrase, elsewhere)])["right"] == 0
    twice = counted([(phrase, box), (phrase, elsewhere)])
    assert (twice["right"], twice["said"]) == (1, 2)
    absent = next(phrase for phrase in reversed(PHRASES) if phrase not in true_boxes())
    assert counted([(absent, box)])["right"] == 0


def test_eyes_with_a_catalogue_are_told_what_is_there() -> None:
    phrase = next(iter(true_boxes()))
    look = appearance_of(phrase, PHRASES[phrase], TABLE)
    thing = next(each for each in TABLE.things if fits(each.truths, PHRASES[phrase]) == TRUE)
    assert (look.rgb, look.across, look.height) == (thing.rgb, thing.across, thing.height)
    assert appearance_of("red bowl", ("red", "bowl"), draw_table(5, "plain", 1)).across == pytest.approx(0.14)


@pytest.mark.parametrize("task", ["plain", "kept_back", "kitchen", "kitchen_kept_back"])
def test_a_picture_is_played(task: str) -> None:
    played: Played = asyncio.run(BENCH.play(Item("camera", task, 0, 4), Scripted))
    assert played.scores["right"] <= played.scores["said"] and played.scores["agreed"] <= played.scores["asked"]
    assert played.request

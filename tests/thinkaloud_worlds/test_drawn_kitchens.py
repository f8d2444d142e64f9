"""Random kitchens: the same from a seed, true labels, what is kept back, and words for every item."""

from __future__ import annotations

import numpy as np
import pytest

from thinkaloud.perceive.learned_eyes import split_phrase
from thinkaloud_worlds.kitchen import DRAWERS, ITEMS
from thinkaloud_worlds.kitchen.furniture import DRAWER_BOXES
from thinkaloud_worlds.random_kitchens import (
    DrawnKitchen,
    KitchenStyle,
    KitchenThing,
    draw_random_kitchen,
    is_kept_back_at,
    photograph_random_kitchen,
)
from thinkaloud_worlds.random_tables import EYES_WORDS, KITCHEN_WORDS, SAME_WORDS, draw_phrases, fits
from thinkaloud_worlds.random_tables.words import FALSE, OPEN, TRUE
from thinkaloud_worlds.staged_pictures import draw_decor

STYLES: tuple[KitchenStyle, ...] = ("training", "plain", "clutter", "kept_back")


@pytest.mark.parametrize("style", STYLES)
def test_a_seed_gives_the_same_picture_and_another_one_another(style: KitchenStyle) -> None:
    first, again, other = (photograph_random_kitchen(draw_random_kitchen(s, style), 48, 36) for s in (3, 3, 4))
    assert np.array_equal(first.view.rgb, again.view.rgb) and np.array_equal(first.view.depth, again.view.depth)
    assert np.array_equal(first.things, again.things) and first.whole == again.whole
    assert not np.array_equal(first.view.rgb, other.view.rgb)


def where_of(kitchen: DrawnKitchen, thing: KitchenThing) -> str:
    """The place or the drawer in which a thing was drawn."""
    z = thing.lying.at[2]
    inside = [name for name in DRAWERS if kitchen.opened and DRAWER_BOXES[name].z[0] <= z < DRAWER_BOXES[name].z[1]]
    return inside[0] if inside and not thing.lying.held else thing.place


def test_what_is_kept_back_is_never_drawn_for_training_and_is_drawn_to_measure() -> None:
    def pairs(style: KitchenStyle, seeds: int) -> list[bool]:
        kitchens = [draw_random_kitchen(seed, style) for seed in range(seeds)]
        return [
            is_kept_back_at(thing.lying.name, where_of(kitchen, thing))
            for kitchen in kitchens
            for thing in kitchen.things
            if thing.drawn is None and not thing.lying.held
        ]

    training, back = pairs("training", 60), pairs("kept_back", 20)
    assert len(training) > 150 and not any(training) and 0.2 < sum(back) / len(back) < 0.8
    every = [is_kept_back_at(name, place) for name in ITEMS for place in ("counter", "table", "user", *DRAWERS)]
    assert 0.05 < sum(every) / len(every) < 0.3
    others = [t.drawn for s in range(60) for t in draw_random_kitchen(s, "training").things if t.drawn is not None]
    assert len(others) > 20 and not {"dome", "steps"} & {each.kind for each in others}
    assert "checked" not in {each.pattern for each in others}
    finishes = [draw_decor(seed).materials[part].finish for seed in range(40) for part in ("top", "table", "desk")]
    assert "chequered" not in finishes and draw_decor(1, kept_back=True).materials["top"].finish == "chequered"


def test_things_are_labelled_where_they_are_in_the_picture() -> None:
    for seed in range(6):
        kitchen = draw_random_kitchen(seed, "clutter")
        picture = photograph_random_kitchen(kitchen, 160, 120)
        points = picture.view.points()
        assert len(picture.whole) == len(kitchen.things) > 3
        for number, thing in enumerate(kitchen.things):
            own = (picture.things == number) & (picture.view.depth > 0)
            if own.sum() > 30:
                off = np.median(points[own], axis=0)[:2] - np.array(thing.lying.at[:2])
                assert np.hypot(*off) < max(thing.lying.form.across, thing.lying.form.height)


def test_every_item_is_described_by_words_of_the_detector() -> None:
    assert {name for name in ITEMS if split_phrase(name, EYES_WORDS, SAME_WORDS)[1]} == set()
    assert all(split_phrase(word, EYES_WORDS, SAME_WORDS) == ((word,), ()) for word in KITCHEN_WORDS)
    things = [each for seed in range(30) for each in draw_random_kitchen(seed, "clutter").things]
    for each in things:
        assert {*each.truths} <= {*EYES_WORDS} and each.truths["thing"] == TRUE
        if each.drawn is None:
            words = split_phrase(each.lying.name, EYES_WORDS, SAME_WORDS)[0]
            assert fits(each.truths, words) == TRUE
    coke = next(each.truths for each in things if each.lying.name == "coke")
    assert (coke["can"], coke["white"], coke.get("7up", FALSE)) == (TRUE, OPEN, FALSE)
    assert coke["red"] in (TRUE, OPEN) and TRUE in (coke["red"], coke.get("crimson")) and "blue" not in coke


@pytest.mark.parametrize("style", STYLES)
def test_phrases_fit_one_thing_or_none(style: KitchenStyle) -> None:
    goods = 0
    for seed in range(8):
        kitchen = draw_random_kitchen(seed, style)
        phrases = draw_phrases(kitchen, absent=5)
        counts = [sum(fits(each.truths, words) != FALSE for each in kitchen.things) for words in phrases.values()]
        assert {*counts} <= {0, 1}
        assert all(split_phrase(text, EYES_WORDS, SAME_WORDS)[0] == words for text, words in phrases.items())
        goods += sum(words[-1] in KITCHEN_WORDS for words in phrases.values())
    assert goods > 3

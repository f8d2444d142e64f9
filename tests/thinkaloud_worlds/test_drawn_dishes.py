"""Random dishes: the same from a seed, true labels, what is kept back, and colours that tell nothing."""

from __future__ import annotations

import numpy as np
import pytest

from thinkaloud.perceive.learned_eyes import split_phrase
from thinkaloud_worlds.dishwasher.scene import DEFAULT_MACHINE
from thinkaloud_worlds.random_dishes import (
    DishStyle,
    draw_random_dishes,
    is_kept_back_dish,
    photograph_random_dishes,
)
from thinkaloud_worlds.random_kitchens.dishes import DISHES
from thinkaloud_worlds.random_tables import (
    DISH_WORDS,
    EYES_WORDS,
    SAME_WORDS,
    draw_phrases,
    draw_table,
    fits,
    is_kept_back,
)
from thinkaloud_worlds.random_tables.words import COLOUR_WORDS, FALSE, TRUE

STYLES: tuple[DishStyle, ...] = ("training", "clutter", "kept_back")
PLACES = ("sink", "finished location", *(f"rack {number}" for number in range(1, 5)))


@pytest.mark.parametrize("style", STYLES)
def test_a_seed_gives_the_same_picture_and_another_one_another(style: DishStyle) -> None:
    first, again, other = (photograph_random_dishes(draw_random_dishes(s, style), 48, 36) for s in (3, 3, 4))
    assert np.array_equal(first.view.rgb, again.view.rgb) and np.array_equal(first.view.depth, again.view.depth)
    assert np.array_equal(first.things, again.things) and first.whole == again.whole
    assert not np.array_equal(first.view.rgb, other.view.rgb)


def test_dishes_are_labelled_where_they_are_in_the_picture() -> None:
    seen = 0
    for seed in range(8):
        dishes = draw_random_dishes(seed, "clutter")
        picture = photograph_random_dishes(dishes, 160, 120)
        points = picture.view.points()
        assert len(picture.whole) == len(dishes.things) > 3
        for number, thing in enumerate(dishes.things):
            own = (picture.things == number) & (picture.view.depth > 0)
            if own.sum() > 15:
                seen += 1
                off = np.median(points[own], axis=0)[:2] - np.array(thing.lying.at[:2])
                assert np.hypot(*off) < max(thing.lying.form.across, thing.lying.form.height) * 0.6 + 0.01
    assert seen > 40


def test_what_is_kept_back_is_never_drawn_for_training_and_is_drawn_to_measure() -> None:
    def things(style: DishStyle, seeds: int) -> list[tuple[str, str, dict[str, int]]]:
        drawn = [draw_random_dishes(seed, style) for seed in range(seeds)]
        every = [(each.lying.name, dishes.place, each.truths) for dishes in drawn for each in dishes.things]
        return [each for each in every if each[0] in DISHES]

    training, back = things("training", 100), things("kept_back", 60)
    assert len(training) > 400 and not any(is_kept_back_dish(name, place) for name, place, _ in training)
    assert 0.05 < sum(is_kept_back_dish(name, place) for name, place, _ in back) / len(back) < 0.8
    assert 3 <= sum(is_kept_back_dish(kind, place) for kind in DISHES for place in PLACES) <= 9
    coloured = [(word, name) for name, _, truths in training for word in COLOUR_WORDS if truths.get(word) == TRUE]
    assert coloured and not any(is_kept_back(pair) for pair in coloured)
    assert any(is_kept_back((word, name)) for name, _, t in back for word in COLOUR_WORDS if t.get(word) == TRUE)


def test_a_colour_tells_no_kind() -> None:
    drawn = [each for seed in range(150) for each in draw_random_dishes(seed).things if each.lying.name in DISHES]
    blue = [each.lying.name for each in drawn if each.truths.get("blue") == TRUE]
    assert {*DISH_WORDS} <= {each.lying.name for each in drawn}
    assert len({*blue}) >= 4


def test_every_dish_of_the_machine_is_described_by_words_of_the_detector() -> None:
    assert not [kind for kind in DEFAULT_MACHINE.kinds if split_phrase(kind, EYES_WORDS, SAME_WORDS)[1]]
    for seed in range(20):
        for each in draw_random_dishes(seed, "clutter").things:
            assert {*each.truths} <= {*EYES_WORDS} and each.truths["thing"] == TRUE
            if each.lying.name in DISHES:
                assert fits(each.truths, (each.lying.name,)) == TRUE
                assert all(word == each.lying.name or each.truths.get(word) is None for word in DISH_WORDS)


@pytest.mark.parametrize("style", STYLES)
def test_phrases_fit_one_dish_or_none(style: DishStyle) -> None:
    cutlery = 0
    for seed in range(8):
        dishes = draw_random_dishes(seed, style)
        phrases = draw_phrases(dishes, absent=5)
        counts = [sum(fits(each.truths, words) != FALSE for each in dishes.things) for words in phrases.values()]
        assert {*counts} <= {0, 1}
        assert all(split_phrase(text, EYES_WORDS, SAME_WORDS)[0] == words for text, words in phrases.items())
        cutlery += sum(words[-1] in DISH_WORDS for words in phrases.values())
    assert cutlery > 3
    assert not [words for words in draw_phrases(draw_table(3)).values() if words[-1] in DISH_WORDS]

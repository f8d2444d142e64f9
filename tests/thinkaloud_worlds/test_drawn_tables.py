"""Random tables: the same from a seed, true labels, and what is kept back for measuring."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from thinkaloud.perceive.learned_eyes import split_phrase
from thinkaloud_worlds.random_tables import SAME_WORDS, draw_phrases, draw_table, fits, is_kept_back, photograph_drawn
from thinkaloud_worlds.random_tables.draw import Style
from thinkaloud_worlds.random_tables.forms import FORMS, NATURAL, kind_truths
from thinkaloud_worlds.random_tables.phrases import random_words
from thinkaloud_worlds.random_tables.words import (
    COLOUR_WORDS,
    FALSE,
    OPEN,
    TRUE,
    VOCABULARY,
    colour_truths,
)
from thinkaloud_worlds.real_table.scene import Task, appearances, draw_real_table
from thinkaloud_worlds.tabletop.layout import TABLE_TOP
from thinkaloud_worlds.tabletop.table_eyes import appearances_of

STYLES: tuple[Style, ...] = ("training", "plain", "clutter", "kept_back", "fallen")


@pytest.mark.parametrize("style", STYLES)
def test_a_seed_gives_the_same_picture_and_another_one_another(style: Style) -> None:
    first, again, other = (photograph_drawn(draw_table(seed, style), 48, 36) for seed in (3, 3, 4))
    assert np.array_equal(first.view.rgb, again.view.rgb) and np.array_equal(first.view.depth, again.view.depth)
    assert np.array_equal(first.things, again.things) and first.whole == again.whole
    assert not np.array_equal(first.view.rgb, other.view.rgb)


def test_a_thing_is_where_its_pixels_are() -> None:
    table = draw_table(11, "plain")
    picture = photograph_drawn(table, 160, 120)
    points = picture.view.points()
    for number, thing in enumerate(table.things):
        own = (picture.things == number) & (picture.view.depth > 0)
        if own.sum() > 20:
            middle = np.median(points[own], axis=0)
            assert np.hypot(middle[0] - thing.at[0], middle[1] - thing.at[1]) < thing.across
            assert thing.at[2] - 0.02 < middle[2] < thing.at[2] + thing.height + 0.02


def test_what_is_covered_shows_less_than_all_of_itself() -> None:
    tables = [draw_table(seed, "clutter") for seed in range(4)]
    shares = list[float]()
    for table in tables:
        picture = photograph_drawn(table, 80, 60)
        assert len(picture.whole) == len(table.things)
        shares += [picture.visible(number) for number, whole in enumerate(picture.whole) if whole > 40]
        boxes = [picture.box(number) for number in range(len(table.things))]
        assert all(box is None or box[0] <= box[2] <= 79 for box in boxes)
    assert max(shares) > 0.85 and min(shares) < 0.75


@pytest.mark.parametrize("style", STYLES)
def test_every_thing_is_on_the_table_and_is_described(style: Style) -> None:
    for seed in range(12):
        for thing in draw_table(seed, style).things:
            assert TABLE_TOP.distance(thing.at[0], thing.at[1]) == 0 and thing.at[2] >= 0
            assert thing.truths["thing"] == TRUE and {*thing.truths} <= {*VOCABULARY}
            assert all(thing.truths[word] == TRUE for word in FORMS[thing.kind].true)


def test_what_is_kept_back_is_never_drawn_for_training() -> None:
    training = [thing for seed in range(60) for thing in draw_table(seed, "training").things]
    assert not {"dome", "steps"} & {thing.kind for thing in training}
    assert "checked" not in {thing.pattern for thing in training}
    assert not [thing for thing in training if is_kept_back((thing.colour, *FORMS[thing.kind].true))]
    back = [thing for seed in range(20) for thing in draw_table(seed, "kept_back").things]
    assert {"dome", "steps"} & {thing.kind for thing in back} and "checked" in {thing.pattern for thing in back}


def test_one_combination_in_six_is_kept_back() -> None:
    rng = np.random.default_rng(1)
    drawn = [random_words(rng) for _ in range(2000)]
    pairs = [words for words in drawn if len(words) == 2 and words[0] in COLOUR_WORDS and words[1] in ("block", "mug")]
    assert len(pairs) > 50 and 0.05 < sum(map(is_kept_back, pairs)) / len(pairs) < 0.3
    assert not is_kept_back(("block",)) and not is_kept_back(("striped", "mug"))
    assert is_kept_back(("striped", "red", "cup")) == is_kept_back(("red", "mug"))


def test_up_to_forty_things_find_room() -> None:
    assert 22 < len(draw_table(2, "clutter", 40).things) <= 40


# Words ----------------------------------------------------------------------------------------------------------------


def test_a_near_colour_is_open_and_a_far_one_is_wrong() -> None:
    crimson = colour_truths("crimson", COLOUR_WORDS["crimson"])
    assert crimson["crimson"] == TRUE and crimson["red"] == OPEN and "blue" not in crimson
    assert fits(crimson, ["crimson"]) == TRUE and fits(crimson, ["red"]) == OPEN and fits(crimson, ["blue"]) == FALSE


def test_a_phrase_fits_as_its_worst_word_does() -> None:
    mug = kind_truths("mug") | {"red": TRUE, "pink": OPEN}
    assert fits(mug, ("red", "mug")) == TRUE and fits(mug, ("pink", "cup")) == OPEN
    assert fits(mug, ("pink", "plate")) == FALSE and fits(mug, ("red", "thing")) == TRUE


def test_every_word_of_a_form_is_in_the_vocabulary() -> None:
    for kind, form in FORMS.items():
        assert {*form.true, *form.open} <= {*VOCABULARY}, kind
        assert {*form.colours} <= {*COLOUR_WORDS, *NATURAL}, kind
    assert len(VOCABULARY) == len({*VOCABULARY})


@pytest.mark.parametrize("style", STYLES)
def test_phrases_fit_one_thing_or_none(style: Style) -> None:
    for seed in range(8):
        table = draw_table(seed, style)
        phrases = draw_phrases(table, absent=5)
        counts = [sum(fits(thing.truths, words) != FALSE for thing in table.things) for words in phrases.values()]
        assert {*counts} <= {0, 1} and counts.count(0) <= 5
        assert all(phrase == " ".join(words) for phrase, words in phrases.items())
    assert draw_phrases(table) == draw_phrases(draw_table(7, style))


def test_every_name_on_the_tables_with_cameras_is_in_words_of_the_vocabulary() -> None:
    names = [look.name for look in appearances_of(())]
    tasks: tuple[Task, ...] = ("stacking", "sorting")
    for task in tasks:
        names += [look.name for look in appearances(draw_real_table(1, task))]
    assert len({*names}) >= 29
    assert not [name for name in names if split_phrase(name, VOCABULARY, SAME_WORDS)[1]]


def test_what_has_fallen_lies_on_the_table_along_its_own_direction() -> None:
    tables = [draw_table(seed, "fallen") for seed in range(6)]
    fallen = [(table, number) for table in tables for number, each in enumerate(table.things) if each.on_side]
    assert len(fallen) >= 8
    for table, number in fallen:
        thing = table.things[number]
        assert thing.height > thing.across and (thing.long, thing.top) == (thing.height, thing.across)
    lying = [table.things[number] for table, number in fallen]
    alone = next(each for each in lying if each.kind in ("can", "bottle"))
    wider = list[bool]()
    for yaw in (0.0, 90.0):
        table = replace(tables[0], things=(replace(alone, yaw=yaw, at=(0.0, -0.5, 0.0)),), occluders=(), scraps=())
        table = replace(table, eye=(0.0, -0.5, 1.0), target=(0.0, -0.5, 0.0))
        picture = photograph_drawn(table, 320, 240)
        heights = picture.view.points()[..., 2][picture.things == 0]
        assert abs(float(np.nanquantile(heights, 0.95)) - alone.across) < 0.012
        left, top, right, bottom = picture.box(0) or (0, 0, 0, 0)
        wider.append(right - left > bottom - top)
    assert wider[0] is not wider[1]


def test_nothing_lies_on_its_side_where_everything_stands() -> None:
    assert not any(each.on_side for seed in range(20) for each in draw_table(seed, "clutter").things)
    assert any(each.on_side for seed in range(20) for each in draw_table(seed).things)


def test_what_was_dropped_lies_on_the_table_or_on_something_and_where_its_pixels_are() -> None:
    heaps = [table for table in map(draw_table, range(40)) if any(each.turn for each in table.things)]
    assert 3 <= len(heaps) <= 16
    tilted = checked = 0
    for table in heaps:
        picture = photograph_drawn(table, 160, 120, whole=False)
        points = picture.view.points()
        for number, thing in enumerate(table.things):
            if thing.turn is None:
                continue
            half = max(thing.across, thing.height) / 2
            assert 0 < thing.at[2] < 0.3 and TABLE_TOP.distance(*thing.at[:2]) == 0
            tilted += abs(thing.turn[1]) + abs(thing.turn[2]) > 0.2
            own = (picture.things == number) & (picture.view.depth > 0)
            if own.sum() > 25:
                checked += 1
                assert np.linalg.norm(np.median(points[own], axis=0) - thing.at) < half + 0.04
    assert tilted > 5 and checked > 10


def test_things_are_dropped_for_training_alone() -> None:
    assert not [each for seed in range(15) for each in draw_table(seed, "fallen").things if each.turn or each.straight]
    bottles = [each for seed in range(60) for each in draw_table(seed).things if each.kind.endswith("bottle")]
    assert 0.2 < sum(each.straight for each in bottles) / len(bottles) < 0.8


def test_some_tables_of_the_training_are_empty() -> None:
    assert 0 < sum(not draw_table(seed).things for seed in range(60)) < 15

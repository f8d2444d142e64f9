"""Which of the offered choices an answer names."""

from __future__ import annotations

import pytest

from thinkaloud.language.picking import find_fitting, pick, pick_named

POTS = ("tall blue pot", "small blue pot", "red pot")


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ("red", 2),
        ("The red one, please.", 2),
        ("the second", 1),
        ("pot 2", 1),
        ("option 3", 2),
        ("la segunda", 1),
        ("the last one", 2),
        ("den letzten bitte", 2),
        ("le dernier", 2),
        ("the tall one", 0),
        ("small blue pot", 1),
        ("any", 0),
        ("blue", None),
        ("the pot", None),
        ("pot", None),
        ("pot 4", None),
        ("not the red one", None),
        ("water the red one", None),
        ("the first two", None),
        ("green", None),
        ("", None),
    ],
)
def test_an_answer_picks_one_or_none(answer: str, place: int | None) -> None:
    assert pick(answer, POTS, to_the_last=True) == place


def test_an_answer_that_fits_several_leaves_these() -> None:
    assert find_fitting("the blue one", POTS) == [0, 1]
    assert find_fitting("not the blue one", POTS) == find_fitting("please", POTS) == []


def test_the_choice_that_is_named_in_full_is_picked_of_several_that_fit() -> None:
    assert pick("lamp", ("lamp", "left lamp")) == 0
    assert pick("water the fern", ("I will water the fern.", "I will water the fern and the rose.")) == 0


def test_a_choice_may_be_called_as_an_answer_is() -> None:
    assert pick_named("Thanks!", ("thanks", "sorry")) == 0
    assert pick_named("no entry", ("no entry", "exit")) == 0
    assert pick_named("no", ("no entry", "exit")) is None

"""Which things words name: by name, by kind, with a slip; and what is spoken of that is not there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thinkaloud.language.name_matching import (
    find_named,
    find_nearest,
    is_named,
    names_in,
    restrict_vocabulary,
    split_name,
    things_in,
    things_told_apart,
    unknown_phrases,
)

# What words name ------------------------------------------------------------------------------------------------------

HOME = (
    "coffee pot",
    "coffee table",
    "table",
    "chair",
    "chair 2",
    "red block",
    "blue block",
    "glass",
    "oat milk",
    "milk",
)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("Bring the coffeepot to the coffee table.", ["coffee pot", "coffee table"]),
        ("Put the milk on the table.", ["milk", "table"]),
        ("Pour the oat milk.", ["oat milk"]),
        ("Sit on the chair.", ["chair"]),
        ("Sit on Chair 2!", ["chair 2"]),
        ("Push the chairs aside.", ["chair", "chair 2"]),
        ("Stack all the blocks.", ["red block", "blue block"]),
        ("The block that is red.", ["red block", "blue block"]),
        ("The red block on another block.", ["red block", "blue block"]),
        ("Wash the glasses.", ["glass"]),
        ("Fetch a tablet.", []),
        ("", []),
    ],
)
def test_things_are_named_by_name_or_by_kind(words: str, names: list[str]) -> None:
    assert things_in(words, HOME) == names


@pytest.mark.parametrize("names", [["coffee pot", "coffeepot"], ["coffeepot", "coffee pot"]])
def test_a_name_as_it_is_written_comes_before_one_written_together(names: list[str]) -> None:
    assert things_in("Take the coffeepot.", names) == ["coffeepot"]
    assert things_in("Take the coffee pot.", names) == ["coffee pot"]


@settings(max_examples=40)
@given(
    st.lists(st.from_regex(r"[a-z]{1,3}( [a-z]{1,3})?( [1-9])?", fullmatch=True), min_size=1, max_size=6, unique=True)
)
def test_every_name_names_itself(names: list[str]) -> None:
    for name in names:
        assert name in things_in(f"Look at the {name}.", names)


def test_only_what_it_is_about_can_be_said() -> None:
    vocabulary = {"object": ("cup", "ball"), "place": ("shelf",)}
    assert restrict_vocabulary(vocabulary, ["ball", "moon"]) == {"object": ("ball",), "place": ()}


# One name by itself ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["red block", "the Red Block", ' "a red block" ', "RED  BLOCK"])
def test_a_name_is_known_whatever_its_case_and_article(text: str) -> None:
    assert find_named(text, ["blue block", "red block"]) == "red block"


def test_what_is_called_so_to_the_letter_comes_first() -> None:
    assert find_named("the box", ["box", "the box"]) == "the box"
    assert find_named("Box", ["box", "Box"]) == "Box"
    assert find_named("moon", ["box"]) is None


def test_a_text_begins_with_the_longest_name_that_fits() -> None:
    assert split_name("the red block is dirty", ["red", "red block"]) == ("red block", " is dirty")
    assert split_name("nothing", ["red"]) is None


def test_what_was_probably_meant_is_only_suggested() -> None:
    assert find_nearest("tabeltop", ["tabletop", "franka"]) == "tabletop"
    assert find_nearest("moon", ["tabletop"]) is None


# Names in a text ------------------------------------------------------------------------------------------------------


def test_names_come_in_the_order_of_the_text_and_the_longest_is_meant() -> None:
    assert names_in("first tea, then OAT-MILK", ["milk", "oat milk", "tea"]) == ["tea", "oat milk"]
    assert names_in("", ["?!"]) == []
    assert is_named("oat milk", "some oat milk")
    assert not is_named("steak", "a steakhouse")


def test_a_misspelt_word_names_only_besides_what_is_certain() -> None:
    things = ["red block", "turquoise block", "white bowl"]
    assert things_told_apart("the turqoise one in the white bowl", things) == ["white bowl"]
    assert things_told_apart("the turqoise one in the white bowl", things, misspelt=True) == [
        "white bowl",
        "turquoise block",
    ]
    assert things_told_apart("the turqoise one", things, misspelt=True) == []


def test_what_is_said_in_other_words_than_the_known_ones_is_unknown() -> None:
    assert unknown_phrases("a passion fruit milk", {"milk"}) == [
        "passion fruit milk",
        "passion fruit",
        "fruit milk",
        "passion",
        "fruit",
    ]
    assert unknown_phrases("a passion fruit milk", {"milk"}, entirely=True) == ["passion fruit", "passion", "fruit"]

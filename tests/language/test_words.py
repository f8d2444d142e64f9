"""Words as people write them."""

from __future__ import annotations

import pytest

from thinkaloud.language.words import plural, singular


@pytest.mark.parametrize(
    ("noun", "several"),
    [("cup", "cups"), ("box", "boxes"), ("battery", "batteries"), ("tray", "trays"), ("glass", "glasses")]
    + [(each, each) for each in ("keys", "clothes", "scissors", "string lights", "shoes", "teeth")]
    + [("bus", "buses"), ("lens", "lenses"), ("cactus", "cactuses")]
    + [("loaf", "loaves"), ("book shelf", "book shelves"), ("bread knife", "bread knives"), ("glove", "gloves")]
    + [("woman", "women"), ("human", "humans"), ("mongoose", "mongooses"), ("field mouse", "field mice")]
    + [("specimen", "specimens"), ("men", "men")],
)
def test_what_is_several_already_has_no_further_plural(noun: str, several: str) -> None:
    assert plural(noun) == several


@pytest.mark.parametrize(
    "noun",
    ["loaf", "knife", "thief", "glove", "stove", "woman", "mouse", "box", "shelf"],
)
def test_one_of_several_is_what_it_was(noun: str) -> None:
    assert singular(plural(noun)) == noun

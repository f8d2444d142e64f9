"""Words as people write them."""

from __future__ import annotations

import pytest

from thinkaloud.language.words import plural, says_any, singular


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


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Either of the two.",
            "I don't mind.",
            "You choose.",
            "Das ist mir egal.",
            "Irgendeins von beiden.",
            "Entscheide du.",
        ),
        *(
            "Me da igual.",
            "Cualquiera de los dos.",
            "El que quieras.",
            "Peu importe.",
            "N'importe lequel.",
            "Ça m'est égal.",
        ),
        *("随便", "都可以", "哪个都行", "你决定吧"),
    ],
)
def test_a_choice_is_left_to_the_robot_in_five_languages(text: str) -> None:
    assert says_any(text)


@pytest.mark.parametrize(
    "text",
    [
        "Any but the left one.",
        "Nicht irgendeins, das linke.",
        "No me da igual.",
        "El izquierdo.",
        "La rouge.",
        "左边的",
    ],
)
def test_who_says_which_one_leaves_no_choice(text: str) -> None:
    assert not says_any(text)

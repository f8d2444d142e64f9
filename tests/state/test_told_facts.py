"""What a sentence tells of what nobody sees."""

from __future__ import annotations

import pytest

from thinkaloud.state.told_facts import qualities_told, weights_told

NAMES = ("red lid", "blue lid", "green lid", "tan lid")
WORDS = {"clean": ("clean", "cleaned", "wiped"), "dirty": ("dirty", "soiled")}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The red lid is dirty.", {"dirty": ["red lid"]}),
        ("The red, the tan and the blue lid are clean.", {"clean": ["red lid", "tan lid", "blue lid"]}),
        ("The red and blue lids are not clean.", {"dirty": ["red lid", "blue lid"]}),
        ("The tan lid isn't dirty any more.", {"clean": ["tan lid"]}),
        ("I wiped the dirty red lid.", {"clean": ["red lid"]}),
        ("All the lids are dirty.", {"dirty": [*NAMES]}),
        ("Every lid but the others than the red lid", {}),
        ("All of them except the red lid are clean.", {"clean": ["blue lid", "green lid", "tan lid"]}),
        ("The remaining lids are clean.", {"clean": ["blue lid", "tan lid"]}),
        ("The red lid is heavy.", {}),
        ("It is dirty here.", {}),
    ],
)
def test_qualities(text: str, told: dict[str, list[str]]) -> None:
    assert qualities_told(text, NAMES, WORDS, known=("red lid", "green lid")) == told


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("The red lid is twice as heavy as the blue lid.", ["red lid weighs 2 * blue lid"]),
        ("The weight of the red lid is a third of that of the tan lid.", ["red lid weighs 1/3 * tan lid"]),
        ("The red lid weighs two thirds of the weight of the tan lid.", ["red lid weighs 2/3 * tan lid"]),
        ("The red lid weighs 4 times as much as the tan lid.", ["red lid weighs 4 * tan lid"]),
        ("The red lid and the blue lid weigh the same.", ["red lid weighs 1 * blue lid"]),
        (
            "The red lid is as heavy as the blue and the tan lid together.",
            ["red lid weighs 1 * blue lid + 1 * tan lid"],
        ),
        (
            "The red and the blue lid together weigh as much as the tan one",
            ["tan lid weighs 1 * red lid + 1 * blue lid"],
        ),
        (
            "The weight of the red lid is the sum of those of the blue and tan lids",
            ["red lid weighs 1 * blue lid + 1 * tan lid"],
        ),
        ("The red lid is heavier than the blue lid.", ["red lid weighs more than blue lid"]),
        ("The red lid weighs less than the blue lid.", ["red lid weighs less than blue lid"]),
        ("The red lid is on the blue lid.", []),
        ("The red lid is heavy.", []),
    ],
)
def test_weights(text: str, facts: list[str]) -> None:
    assert weights_told(text, NAMES) == facts

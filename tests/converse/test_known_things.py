"""A request that names what is not there is refused; anything less certain is not."""

from __future__ import annotations

import pytest

from thinkaloud.converse.known_things import find_absent
from thinkaloud.records import Observation

PLACES = ("top side", "top left corner", "top right corner", "middle")
SCENE = Observation(
    ("red block", "gray block", "blue bowl"),
    {"object": ("red block", "gray block"), "target": ("red block", "gray block", "blue bowl", *PLACES)},
    hidden=("green block",),
)


@pytest.mark.parametrize(
    ("request_", "missing"),
    [
        ("Put the mauve block in the blue bowl.", ["mauve block"]),
        ("Put all the mauve blocks away.", ["mauve block"]),
        ("Move the RED Bowl.", ["red bowl"]),
        ("the purple block, the red block and the yellow bowls", ["purple block", "yellow bowl"]),
        ("Put the pink block on the pink block.", ["pink block"]),
    ],
)
def test_what_is_not_there_is_named(request_: str, missing: list[str]) -> None:
    assert find_absent(request_, SCENE) == missing


@pytest.mark.parametrize(
    "request_",
    [
        "Put the red block in the blue bowl.",
        "Put the grey block on the top side.",
        "Put the green block away, which you cannot see.",
        "Put the blocks in the bowls with matching colors.",
        "Put all the blocks in the top corners.",
        "Put the blocks in different corners.",
        "Stack the other blocks on the red one.",
        "把红色的积木放进碗里",
        "",
        "?!",
    ],
)
def test_what_is_there_or_cannot_be_told_is_left_to_the_planner(request_: str) -> None:
    assert find_absent(request_, SCENE) == []


def test_an_empty_scene_has_nothing_to_compare_with() -> None:
    assert find_absent("Put the red block away.", Observation((), {})) == []

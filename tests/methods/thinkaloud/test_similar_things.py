"""What could be instead of what is not here."""

from __future__ import annotations

import pytest

from thinkaloud.methods.thinkaloud.similar_things import propose_instead
from thinkaloud.records import Observation

SCENE = Observation(("red bowl", "blue bowl", "green block"), {})


@pytest.mark.parametrize(
    ("why", "offer"),
    [
        ("There is no white bowl here.", " I could do that with the red bowl or the blue bowl instead."),
        ("There is no pink block here.", " I could do that with the green block instead."),
        ("There is no orchid here.", ""),
        ("I have no skill for that: sweep.", ""),
    ],
)
def test_what_is_here_of_the_same_kind_is_offered(why: str, offer: str) -> None:
    assert propose_instead(why, SCENE) == offer
    assert propose_instead(why, None) == ""


def test_what_is_to_be_left_alone_is_not_offered() -> None:
    assert propose_instead("There is no pink bowl here.", SCENE, ["red bowl"]).count("bowl") == 1
    assert propose_instead("There is no pink block here.", SCENE, ["green block"]) == ""

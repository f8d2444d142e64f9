"""What could be instead of what is not here."""

from __future__ import annotations

import pytest

from thinkaloud.methods.thinkaloud.similar_things import propose_instead
from thinkaloud.records import Observation

SCENE = Observation(("red bowl", "blue bowl", "green block"), {})


@pytest.mark.parametrize(
    ("missing", "offer"),
    [
        ("white bowl", " I could do that with the red bowl or the blue bowl instead."),
        ("pink block", " I could do that with the green block instead."),
        ("orchid", ""),
        ("", ""),
    ],
)
def test_what_is_here_of_the_same_kind_is_offered(missing: str, offer: str) -> None:
    assert propose_instead(missing, SCENE) == offer
    assert propose_instead(missing, None) == ""


def test_what_is_to_be_left_alone_is_not_offered() -> None:
    assert propose_instead("pink bowl", SCENE, ["red bowl"]).count("bowl") == 1
    assert propose_instead("pink block", SCENE, ["green block"]) == ""

"""Words as people write them."""

from __future__ import annotations

import pytest

from thinkaloud.words import plural


@pytest.mark.parametrize(
    ("noun", "several"),
    [("cup", "cups"), ("box", "boxes"), ("battery", "batteries"), ("tray", "trays"), ("glass", "glasses")]
    + [(each, each) for each in ("keys", "clothes", "scissors", "string lights", "shoes", "teeth")]
    + [("bus", "buses"), ("lens", "lenses"), ("cactus", "cactuses")],
)
def test_what_is_several_already_has_no_further_plural(noun: str, several: str) -> None:
    assert plural(noun) == several

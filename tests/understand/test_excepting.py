"""What was to be left out is left out, also where a model has lost it, or told it from what is not in the list."""

from __future__ import annotations

import pytest

from said import Talk
from thinkaloud.robots.text_file import TextFileWorld

HARBOUR = """\
name = "harbour"
about = "A robot looks after boats."

[kinds]
boat = ["red boat", "old boat", "ferry"]
pier = ["long pier", "stone pier"]

[skills.paint]
says = "Paint the {boat}."
doc = "Give a boat a new coat."
parameters = { boat = "boat" }
makes = ["painted({boat})"]

[skills.moor]
says = "Moor the {boat} at the {pier}."
doc = "Tie a boat up at a pier."
parameters = { boat = "boat", pier = "pier" }
makes = ["lies({boat}, {pier})"]

[relations.painted]
says = "The {boat} is painted."
doc = "Whether a boat has a new coat."
parameters = { boat = "boat" }

[relations.lies]
says = "The {boat} lies at the {pier}."
doc = "Where a boat lies."
parameters = { boat = "boat", pier = "pier" }
single = true

[start]
facts = ["lies(red boat, long pier)", "lies(old boat, stone pier)", "lies(ferry, stone pier)"]
"""


def painted(request: str, program: str) -> list[str]:
    talk = Talk([program], TextFileWorld(HARBOUR), preset="thinkaloud:confirm=never")
    talk.say(request)
    return [step.removeprefix("Paint the ").removesuffix(".") for step in talk.steps]


@pytest.mark.parametrize(
    ("request_", "program", "wanted"),
    [
        ("Paint all the boats except the ferry.", "paint(boats)", ["red boat", "old boat"]),
        ("Apart from the old one, paint every boat.", "paint(boats)", ["red boat", "ferry"]),
        (
            "Paint them all, just not the ferry and not the old boat.",
            'paint([b for b in boats if b != "ferry"])',
            ["red boat"],
        ),
        (
            "Paint all but the one at the long pier.",
            'paint([b for b in boats if b != "long pier"])',
            ["old boat", "ferry"],
        ),
        ("Paint the one at the long pier.", 'paint([b for b in boats if b == "long pier"])', ["red boat"]),
    ],
)
def test_what_is_left_out_is_not_done(request_: str, program: str, wanted: list[str]) -> None:
    assert painted(request_, program) == wanted


@pytest.mark.parametrize(
    ("request_", "program", "wanted"),
    [
        ("Paint the red boat but not the ferry.", 'paint("red boat")', ["red boat"]),
        ("All but the ferry go to the long pier, and paint the ferry.", 'paint("ferry")', ["ferry"]),
        ("Paint every boat except the tall ship.", "paint(boats)", ["red boat", "old boat", "ferry"]),
        (
            "Paint nothing other than what lies at the stone pier.",
            'paint([b for b in boats if lies(b, "stone pier")])',
            ["old boat", "ferry"],
        ),
    ],
)
def test_what_is_named_or_not_plain_stays_as_it_was_read(request_: str, program: str, wanted: list[str]) -> None:
    assert painted(request_, program) == wanted

"""A deed that comes twice in one request is done twice, where one between them ends what it brought about."""

from __future__ import annotations

import pytest

from said import Talk, meaning_of
from thinkaloud.robots.text_file import TextFileWorld, parse_robot

CART = """\
name = "cart"
about = "A cart that drives from place to place."
[kinds]
place = ["saw", "packing table", "gate"]
[skills.drive_to]
says = "Drive to the {place}."
doc = "Drive somewhere."
parameters = { place = "place" }
makes = ["at({place})", "seen({place})"]
ends = ["at(saw)", "at(packing table)", "at(gate)"]
[relations.at]
says = "The cart is at the {place}."
doc = "Where the cart is."
parameters = { place = "place" }
[relations.seen]
says = "The cart has been at the {place}."
doc = "Where the cart has been."
parameters = { place = "place" }
[start]
facts = ["at(START)", "seen(START)"]
"""
THERE_AND_BACK = 'drive_to("saw")\ndrive_to("packing table")\ndrive_to("saw")'


def cart(start: str) -> TextFileWorld:
    return TextFileWorld(parse_robot(CART.replace("START", start)))


def test_there_and_back_again_is_both_ways() -> None:
    meaning = meaning_of(THERE_AND_BACK, cart("gate"))
    assert meaning.words == "I will drive to the saw, the packing table and the saw."
    assert "The cart is at the saw." in [each.words for each in meaning.act.wishes]
    assert "The cart is at the packing table." not in [each.words for each in meaning.act.wishes]


@pytest.mark.parametrize(
    ("start", "driven"),
    [
        ("gate", ["saw", "packing table", "saw"]),
        ("packing table", ["saw", "packing table", "saw"]),
        ("saw", ["packing table", "saw"]),
    ],
)
def test_what_was_ended_in_between_is_brought_about_again(start: str, driven: list[str]) -> None:
    world = cart(start)
    talk = Talk([THERE_AND_BACK], world)
    assert talk.say("To the saw, to the packing table, and back to the saw.").result == "goal met"
    assert talk.steps == [f"Drive to the {place}." for place in driven]


def test_where_it_has_been_before_it_goes_again_if_that_is_said() -> None:
    talk = Talk([THERE_AND_BACK, 'drive_to("packing table")\ndrive_to("gate")'], cart("gate"))
    talk.say("To the saw, to the packing table, and back to the saw.", "By the packing table to the gate.")
    assert talk.steps[3:] == ["Drive to the packing table.", "Drive to the gate."]


def test_what_nothing_ends_is_not_done_twice() -> None:
    meaning = meaning_of('water("fern")\nopen("left window")\nwater("fern")')
    assert [step.words for step in meaning.deeds] == ["Water the fern.", "Open the left window."]

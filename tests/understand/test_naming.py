"""Which thing a name stands for, where it is not said in full."""

from __future__ import annotations

import pytest

from thinkaloud.records import Observation
from thinkaloud.signatures import Parameter, Signature
from thinkaloud.understand.naming import Missing, Names, WhichOne

KINDS = {
    "dryer": ("dryer A", "dryer B"),
    "ambulance": ("Rescue 7", "Rescue 12"),
    "bay": ("bay 1", "bay 2"),
    "mattress": ("guest mattress", "Kingsize"),
    "ward": ("A wing", "B wing"),
    "dog": ("poodle Fifi", "poodle Coco"),
    "bell": ("C sharp bell", "low bell"),
}
NAMES = Names(Observation((), KINDS))


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("dryer", "dryer"),
        ("the dryer", "dryer"),
        ("ambulance", "ambulance"),
        ("bay", "bay"),
        ("bell", "bell"),
        ("mattress", "mattress"),
        ("Rescue", "ambulance"),
        ("ambulances", "ambulance"),
        ("wing", "ward"),
        ("poodle", "dog"),
    ],
)
def test_a_noun_may_be_any_of_its_kind_whatever_they_are_called(said: str, kind: str) -> None:
    with pytest.raises(WhichOne) as asked:
        NAMES.find(said)
    assert asked.value.things == KINDS[kind]
    assert "the the" not in str(asked.value)
    assert "Which the" not in str(asked.value)


@pytest.mark.parametrize("said", ["bay 9", "dryer C", "Rescue 9", "A", "7", "boiler"])
def test_a_number_or_a_letter_that_was_said_is_part_of_the_name(said: str) -> None:
    with pytest.raises(Missing, match=f"There is no {said} here"):
        NAMES.find(said)


def test_a_name_of_which_something_was_left_out_is_found() -> None:
    assert NAMES.find("sharp bell") == "C sharp bell"
    assert NAMES.find("the kingsize") == "Kingsize"


def test_what_a_choice_cannot_be_is_said_with_what_it_can() -> None:
    state = Parameter("state", str, "state", choices=("on", "off"))
    switch = Signature("switch", "Switch.", (Parameter("bell", str, "bell", kind="bell"), state), "{bell} {state}.")
    with pytest.raises(Missing, match="The state cannot be blue"):
        NAMES.check(switch, {"bell": "low bell", "state": "blue"})
    assert NAMES.check(switch, {"bell": "low bell", "state": "On"})["state"] == "on"

"""Which thing a name stands for, where it is not said in full."""

from __future__ import annotations

import pytest

from said import meaning_of
from thinkaloud.errors import Missing, WhichOne
from thinkaloud.records import Observation
from thinkaloud.robots import open_world
from thinkaloud.skills.signatures import Parameter, Signature
from thinkaloud.understand.meaning.naming import Names

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
    with pytest.raises(Missing, match=r"^That can be on or off, but not blue\.$"):
        NAMES.check(switch, {"bell": "low bell", "state": "blue"})
    assert NAMES.check(switch, {"bell": "low bell", "state": "On"})["state"] == "on"


BAR = Names(
    Observation(
        ("wheat beer bottle", "pale ale bottle", "brown ale bottle", "onion 1", "onion 2", "big orange bowl"),
        {
            "thing": ("onion 1", "onion 2", "wheat beer bottle", "pale ale bottle", "brown ale bottle"),
            "kind": ("onion", "leek", "leek soup bowl"),
            "block": ("orange block",),
        },
    ),
    {"thing", "block"},
)


@pytest.mark.parametrize("said", ["wheat", "orange", "beer 2", "soup", "leek", "ale"])
def test_a_look_is_no_thing_and_what_is_not_in_the_scene_is_not_offered(said: str) -> None:
    with pytest.raises(Missing, match=f"There is no {said} here"):
        BAR.find(said)


def test_what_nothing_is_called_leads_to_the_names_in_which_it_stands() -> None:
    with pytest.raises(Missing, match=r"There is no wheat here\. There is: wheat beer bottle\."):
        BAR.find("wheat")


def test_of_things_with_numbers_the_word_for_any_of_them_is_the_question_which() -> None:
    thing = Parameter("thing", str, "thing", kind="thing")
    both = ("onion 1", "onion 2")
    for names in (BAR, Names(Observation(both, {"thing": both, "kind": ("onion", "leek")}))):
        for ask in (names.check, names.find_sensible):
            with pytest.raises(WhichOne) as asked:
                ask(Signature("peel", "Peel.", (thing,), "Peel the {thing}."), {"thing": "onion"})
            assert asked.value.things == both


def test_a_word_of_a_list_that_nothing_is_done_with_is_no_name() -> None:
    here = Names(Observation(("mug",), {"object": ("mug",), "catalogue": ("mug", "onion")}), ["object"])
    assert here.find("mug") == "mug"
    with pytest.raises(Missing, match="There is no onion here"):
        here.find("onion")


def test_a_thing_in_the_place_of_another_is_declined() -> None:
    table = open_world("tabletop")
    table.reset(1)
    meaning = meaning_of('pick_and_place("orange bowl", "green block")', table)
    assert (meaning.sort, meaning.deeds) == ("refusal", ())
    assert 'with the orange bowl. "Pick the … and place it on the green block" goes with' in meaning.words

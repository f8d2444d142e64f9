"""What is to be left alone is left alone, for a request or from then on."""

from __future__ import annotations

import pytest

from said import meaning_of
from thinkaloud.records import Noted
from thinkaloud.understand.meaning.summing_up import NOTHING

# Leaving alone --------------------------------------------------------------------------------------------------------


def test_alone_in_a_program_keep_lasts() -> None:
    meaning = meaning_of('keep(["fern", "rose"])')
    assert meaning.content == Noted(("fern", "rose"))
    assert meaning.words == "From now on I leave the fern and the rose alone."


def test_with_deeds_keep_is_for_this_request() -> None:
    meaning = meaning_of('keep("fern")\nwater(plants)')
    assert (meaning.sort, meaning.kept) == ("deeds", ("fern",))
    assert [step.words for step in meaning.deeds] == ["Water the rose."]
    assert meaning.words == "I will water the rose. Cactus is wet already. I leave the fern alone."


def test_keep_does_not_last_where_the_deeds_beside_it_come_to_nothing() -> None:
    for program in ("keep(plants)\nwater(plants)", 'keep("fern")\nif wet("rose"):\n    water("rose")'):
        meaning = meaning_of(program)
        assert (meaning.sort, meaning.kept, meaning.deeds) == ("answer", (), ())
        assert meaning.words.endswith(NOTHING)


def test_a_thing_cannot_be_left_alone_and_be_worked_on() -> None:
    meaning = meaning_of('keep("fern")\nwater("fern")')
    assert meaning.sort == "refusal"
    assert meaning.words == "I am to leave the fern alone, and to do this: Water the fern."


def test_what_is_kept_is_refused_when_it_is_named_and_left_out_of_lists() -> None:
    assert meaning_of('water("fern")', kept=("fern",)).words == "I was told to leave the fern alone."
    assert [s.words for s in meaning_of("water(plants)", kept=("fern",)).deeds] == ["Water the rose."]
    assert meaning_of('allow("fern")\nwater("fern")', kept=("fern",)).words == "I will water the fern."
    freed = meaning_of('allow("fern")', kept=("fern",))
    assert (freed.sort, freed.freed, freed.words) == ("note", ("fern",), "I may touch the fern again.")


PANTRY = """\
name = "pantry"
about = "Packs lunches."
[kinds]
food = ["cheese roll", "apple"]
lunchbox = ["rocket box", "dino box"]
[skills.pack]
says = "Pack {pieces} of the {food} into the {lunchbox}."
doc = "Put food into a box."
parameters = { food = "food", lunchbox = "lunchbox", pieces = "number" }
DECLARED
[skills.swap]
says = "Swap the {food} and the {other}."
doc = "Have two change places."
parameters = { food = "food", other = "food" }
[relations.packed]
says = "The {food} is in the {lunchbox}."
doc = "What is in a box."
parameters = { food = "food", lunchbox = "lunchbox" }
"""


@pytest.mark.parametrize("declared", ["", 'makes = ["packed({food}, {lunchbox})"]'])
def test_a_list_leaves_out_what_is_kept_wherever_it_stands(declared: str) -> None:
    robot = PANTRY.replace("DECLARED", declared)
    for program, kept in (
        ('keep("rocket box")\npack("cheese roll", lunchboxes, 1)', ()),
        ('pack("cheese roll", lunchboxes, 1)', ("rocket box",)),
    ):
        meaning = meaning_of(program, robot, kept=kept)
        assert [step.words for step in meaning.deeds] == ["Pack 1 of the cheese roll into the dino box."]


def test_what_is_put_into_a_kept_thing_or_changes_places_with_it_touches_it() -> None:
    robot = PANTRY.replace("DECLARED", 'makes = ["packed({food}, {lunchbox})"]')
    refused = meaning_of('pack("apple", "rocket box", 1)', robot, kept=("rocket box",))
    assert (refused.sort, refused.words) == ("refusal", "I was told to leave the rocket box alone.")
    swapped = meaning_of('keep("apple")\nswap("cheese roll", "apple")', robot)
    assert swapped.words.startswith("I am to leave the apple alone, and to do this: Swap the cheese roll")

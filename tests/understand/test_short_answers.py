"""A short answer to an open question is held against the choices before it is read as a request of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from said import GARDEN, Talk, meaning_of
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.records import Ask, Reading
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.understand.offering import find_picked

POTS = (
    GARDEN.replace('["fern", "rose", "cactus"]', '["tall blue pot", "small blue pot", "red pot", "ivy"]')
    .replace('facts = ["wet(cactus)", "filled()"]', 'facts = ["filled()"]')
    .replace('values = ["height(fern) = 40", "height(rose) = 70", "height(cactus) = 15"]', "")
)
WHICH = ['water(the("pot"))', " none"]
"""What the model writes, and which other things it knows as pots."""


def talk(programs: list[str], *answers: str) -> Talk:
    found = Talk(programs, TextFileWorld(POTS), answers=answers)
    found.say("Water the pot.")
    return found


@pytest.mark.parametrize(
    ("answers", "pot"),
    [
        (("red",), "red pot"),
        (("the last one",), "red pot"),
        (("pot 2",), "small blue pot"),
        (("blue", "the tall one"), "tall blue pot"),
        (("the blue one", "the second"), "small blue pot"),
        (("the small blue pot, please",), "small blue pot"),
    ],
)
def test_no_model_is_asked_what_a_short_answer_means(answers: tuple[str, ...], pot: str) -> None:
    done = talk(WHICH, *answers)
    assert done.steps == [f"Water the {pot}."]


def test_an_answer_that_fits_some_choices_leaves_only_these() -> None:
    done = talk(WHICH, "blue", "never mind")
    assert done.all(Ask)[1].questions == ("Which pot do you mean? (tall blue pot / small blue pot)",)


def test_what_all_choices_share_picks_none() -> None:
    done = talk([*WHICH, "unclear()", "unclear()", "unclear()"], "the pot", "the pot", "the pot")
    assert done.steps == []


@pytest.mark.parametrize(("answer", "name"), [("blue one, the tall", "tall blue pot"), ("the last", "red pot")])
def test_a_model_reads_the_name_of_the_choice_that_was_picked(answer: str, name: str) -> None:
    asked = 'ask("Which one?", ["tall blue pot", "small blue pot", "red pot"])'
    heard: list[str] = []

    def model(prompt: str) -> str:
        heard.append(prompt.strip().splitlines()[-1])
        return asked if len(heard) == 1 else f'water("{name}")'

    done = Talk(model, TextFileWorld(POTS), answers=(answer,))
    done.say("Water one of them.")
    assert (heard[1], done.steps) == (f'# "{name}"', [f"Water the {name}."])


BOTH = Reading('water("fern")\nwater("rose")', "I will water the fern and the rose.", 0.5)
TALL = Reading('water("fern")', "I will water the fern.", 0.4)


LISTED = Reading("water([p for p in plants if not wet(p)])", "I will water the fern and the rose.", 0.5)
"""The names are not in the program: they are what the list comes to."""


def picked(text: str, *readings: Reading) -> Reading | None:
    """What an answer picks in the garden, each reading with what it would do there."""
    world = TextFileWorld(GARDEN)
    lexicon = lexicon_of(world, world.observe())
    known = (*(replace(each, deeds=meaning_of(each.program, GARDEN).deeds) for each in readings),)
    return find_picked(text, known, lexicon)


@pytest.mark.parametrize("both", [BOTH, LISTED, replace(BOTH, program='water(["fern", "rose"])')])
@pytest.mark.parametrize("answer", ["the rose", "rose, please", "the rose one"])
def test_who_names_one_thing_of_a_reading_means_that_thing(answer: str, both: Reading) -> None:
    found = picked(answer, both, TALL)
    assert found is not None and (found.program, found.words) == ('water("rose")', "Water the rose.")


@pytest.mark.parametrize("both", [BOTH, LISTED])
def test_who_names_all_things_of_a_reading_or_its_number_means_it(both: Reading) -> None:
    assert picked("the fern and the rose", both, TALL) == both
    assert picked("1", both, TALL) == both and picked("2", both, TALL) == TALL
    moved = Reading('prune("rose", 20)', "I will prune the rose by 20 centimetres.", 0.3)
    assert picked("the rose", moved, TALL) == moved


@pytest.mark.parametrize(
    "program",
    [
        'prune("fern", 10)\nprune("rose", 20)',
        'water([p for p in plants if not wet(p)])\nopen("left window")',
        'if not wet("fern"):\n    water("fern")\n    water("rose")',
    ],
)
def test_what_is_left_of_a_reading_with_several_parts_is_not_guessed(program: str) -> None:
    whole = Reading(program, "I will see to the fern and the rose, and to the left window.", 0.5)
    dark = Reading('water("cactus")', "I will water the cactus.", 0.4)
    assert picked("the rose", whole, dark) is None


def test_a_request_of_its_own_is_still_read_as_one() -> None:
    done = talk([*WHICH, 'open("left window")'], "Open the left window instead.")
    assert done.steps == ["Open the left window."]

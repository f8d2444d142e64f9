"""Where something of a request cannot be done, the rest is offered; nothing is done, and nothing left out, unasked."""

from __future__ import annotations

import pytest

from said import Talk
from thinkaloud.records import Ask


def questions(talk: Talk) -> list[str]:
    return [each for ask in talk.all(Ask) for each in ask.questions]


@pytest.mark.parametrize(
    "program",
    ['water("fern")\nwater("orchid")\nopen("left window")', 'water(["fern", "orchid"])\nopen("left window")'],
)
def test_the_rest_is_offered_and_done_once_that_is_wanted(program: str) -> None:
    talk = Talk([program], answers=("yes please",))
    end = talk.say("Water the fern and the orchid, and open the left window.")
    (question,) = questions(talk)
    assert question.startswith(
        "There is no orchid here. I could do the rest: I will water the fern, then open the left"
    )
    assert question.endswith("Shall I?")
    assert (end.result, talk.steps[-2:]) == ("goal met", ["Water the fern.", "Open the left window."])


def test_who_says_no_to_the_rest_gets_nothing() -> None:
    talk = Talk(['water(["fern", "orchid"])'], answers=("no",))
    assert talk.say("Water the fern and the orchid.").result == "declined" and talk.steps == []


def test_where_nobody_answers_nothing_is_done() -> None:
    talk = Talk(['water(["fern", "orchid"])'])
    end = talk.say("Water the fern and the orchid.")
    assert (end.result, talk.steps) == ("failed", []) and "There is no orchid here." in end.because


def test_a_deed_that_the_robot_does_not_have_is_left_out_in_the_same_way() -> None:
    talk = Talk(['repot("fern")\nwater("fern")'])
    talk.say("Repot the fern and water it.")
    assert questions(talk) == ["I have no skill for that: repot. I could do the rest: I will water the fern. Shall I?"]


@pytest.mark.parametrize(
    "program",
    [
        'water("orchid")',  # nothing is left
        'water(["orchid", "tulip"])',
        'water("fern")\ncannot("I cannot say how slowly.")',  # how it is to be done belongs to all of it
        'say(wet("fern"))\nwater("orchid")',
    ],
)
def test_where_there_is_no_rest_the_whole_is_refused(program: str) -> None:
    talk = Talk([program])
    assert talk.say("Something like that.").result == "declined"
    assert questions(talk) == [] and talk.steps == []

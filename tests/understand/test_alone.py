"""What is to be so of one thing alone, of none, or only to be remembered, is never half done, or done, in silence."""

from __future__ import annotations

import pytest

from said import Talk, garden
from stable import UNSURE
from stable import sure as sure
from thinkaloud.records import Ask
from thinkaloud.robots.text_file import TextFileWorld, parse_robot

pytestmark = pytest.mark.usefixtures("sure")

STAGE = """\
name = "stage"
about = "Carries puppets."
[kinds]
puppet = ["king", "witch", "clown"]
place = ["stage", "trunk"]
[skills.carry]
says = "Carry the {puppet} to the {place}."
doc = "Carry a puppet."
parameters = { puppet = "puppet", place = "place" }
makes = ["at({puppet}, {place})"]
[relations.at]
says = "{puppet} is at the {place}."
doc = "Where a puppet is."
parameters = { puppet = "puppet", place = "place" }
single = true
[start]
facts = ["at(king, trunk)", "at(witch, trunk)", "at(clown, stage)"]
"""


def said(program: str, request: str, world: TextFileWorld | None = None) -> Talk:
    talk = Talk([program], TextFileWorld(parse_robot(STAGE)) if world is None else world, preset=UNSURE)
    talk.say(request)
    return talk


@pytest.mark.parametrize("request_", ["I would like only the king on the stage.", "Nobody but the king on the stage."])
def test_who_is_to_be_alone_is_not_brought_to_where_others_are_without_asking(request_: str) -> None:
    talk = said('carry("king", "stage")', request_)
    assert talk.steps == [] and talk.all(Ask)


@pytest.mark.parametrize(
    ("program", "request_"),
    [
        ('carry("clown", "trunk")\ncarry("king", "stage")', "I would like only the king on the stage."),
        ('carry("king", "stage")', "Only carry the king to the stage."),
        ('carry("king", "stage")', "The king goes to the stage."),
    ],
)
def test_where_nobody_else_is_left_there_or_nobody_is_to_be_alone_it_is_done(program: str, request_: str) -> None:
    assert said(program, request_).steps[-1] == "Carry the king to the stage."


@pytest.mark.parametrize("request_", ["No window may be open.", "None of the windows should be open."])
def test_what_is_to_be_so_of_none_is_not_brought_about(request_: str) -> None:
    talk = said('open("left window")', request_, garden())
    assert talk.steps == [] and talk.all(Ask)


def test_what_is_to_be_so_of_none_is_ended() -> None:
    talk = said('close("left window")', "No window may be open.", garden("is_open(left window)"))
    assert talk.steps == ["Close the left window."]


def test_what_is_to_be_remembered_is_not_done() -> None:
    talk = said('carry("witch", "stage")', "Remember that the witch belongs on the stage.")
    assert talk.steps == []
    (ask,) = talk.all(Ask)
    assert "I remember: The witch belongs on the stage." in ask.questions[0]


def test_any_two_are_such_as_may_be_touched() -> None:
    talk = Talk(['keep("king")', 'carry(puppets[:2], "stage")'], TextFileWorld(parse_robot(STAGE)))
    talk.say("Leave the king alone.", "Bring any two puppets to the stage.")
    assert talk.steps == ["Carry the witch to the stage."]  # the clown is there


def test_who_says_neither_gets_neither() -> None:
    talk = Talk(
        ['carry("king", "stage")'] * 3,
        TextFileWorld(parse_robot(STAGE)),
        preset="thinkaloud:confirm=always",
        answers=("neither, the witch",),
    )
    talk.say("Bring one to the stage.")
    assert talk.steps == [] and len(talk.all(Ask)) >= 1

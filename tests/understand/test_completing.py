"""A skill that is called with too little is asked about: once, for what is missing, by the name of its parameter."""

from __future__ import annotations

import pytest

from said import Talk, meaning_of, question_of
from thinkaloud.records import Ask
from thinkaloud.robots.text_file import TextFileWorld

APIARY = """\
name = "apiary"
about = "A robot keeps bees."
[kinds]
hive = ["left hive", "right hive", "north hive"]
food = ["sugar water", "pollen cake"]
tool = ["smoker"]
[skills.feed]
says = "Feed the {hive} with {food}."
doc = "Give a hive something to eat."
parameters = { hive = "hive", food = "food" }
makes = ["fed({hive})"]
[skills.calm]
says = "Calm the {hive} with the {tool}."
doc = "Calm the bees of a hive."
parameters = { hive = "hive", tool = "tool" }
[skills.lean]
says = "Lean the {hive} against the {support}."
doc = "Lean a hive against another one."
parameters = { hive = "hive", support = "hive" }
[skills.turn]
says = "Turn the {hive} {direction}."
doc = "Turn a hive."
parameters = { hive = "hive", direction = ["left", "right"] }
[relations.fed]
says = "{hive} is fed."
doc = "Whether a hive has been fed."
parameters = { hive = "hive" }
"""
HIVES = ("left hive", "right hive", "north hive")
FOOD = ("sugar water", "pollen cake")


@pytest.mark.parametrize(
    ("program", "question", "options"),
    [
        ('feed("hive")', "Which hive do you mean?", HIVES),
        ("feed()", "Which hive do you mean?", HIVES),
        ('feed("left hive")', "Which food do you mean?", FOOD),
        ('feed(food="sugar water")', "Which hive do you mean?", HIVES),
        ('lean("left hive")', "Which support do you mean?", HIVES),
        ('turn("north hive")', "Which direction do you mean?", ("left", "right")),
        ('ask("Which hive, and with which food?")', "Which hive, and with which food?", ()),
    ],
)
def test_what_is_missing_is_asked_for_once_by_its_name(program: str, question: str, options: tuple[str, ...]) -> None:
    meaning = meaning_of(program, APIARY)
    assert (meaning.sort, question_of(meaning).text, question_of(meaning).options) == ("question", question, options)


def test_one_question_follows_the_other_and_both_answers_are_taken_without_a_model() -> None:
    talk = Talk(['feed("hive")'], TextFileWorld(APIARY), answers=("the north one", "pollen cake"))
    assert talk.say("Feed the hive.").result == "goal met"
    asked = [question.partition(" (")[0] for ask in talk.all(Ask) for question in ask.questions]
    assert asked == ["Which hive do you mean?", "Which food do you mean?"]
    assert talk.steps == ["Feed the north hive with pollen cake."]


def test_what_there_is_only_one_of_is_not_asked_for() -> None:
    meaning = meaning_of('calm("left hive")', APIARY)
    assert (meaning.sort, meaning.words) == ("deeds", "I will calm the left hive with the smoker.")

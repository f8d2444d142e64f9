"""A question to which no answer makes a difference is not put to a person."""

from __future__ import annotations

import pytest

from said import GARDEN, Talk, meaning_of, question_of
from thinkaloud.records import Ask
from thinkaloud.robots.text_file import TextFileWorld

PATH = """\
name = "path"
about = "Sweeps paths."
[kinds]
path = ["north path", "south path"]
[skills.sweep]
says = "Sweep the {path}SAID."
doc = "Sweep a path."
parameters = { path = "path"MORE }
makes = ["clean({path})"]
[relations.clean]
says = "The {path} is clean."
doc = "Whether a path is clean."
parameters = { path = "path" }
"""
NUMBER, CHOICE, DIGITS = 'times = "number"', 'speed = ["slow", "fast"]', 'broom = ["type 1", "type 2"]'


def path(more: str = "") -> str:
    """The robot, with another parameter of its skill."""
    said = f" ({{{more.split()[0]}}})" if more else ""
    return PATH.replace("SAID", said).replace("MORE", f", {more}" if more else "")


@pytest.mark.parametrize(
    "question", ["How many litres?", "How long should I wait?", "What colour?", "Which detergent shall I take?"]
)
def test_what_no_skill_takes_is_not_asked(question: str) -> None:
    talk = Talk([f'ask("{question}")'], TextFileWorld(path()), answers=("three",))
    end = talk.say("Sweep it with plenty of water.")
    assert (end.result, talk.all(Ask), talk.steps) == ("declined", [], [])
    assert end.because == (
        f"I would have to ask: {question} But there is nothing that I could do one way or another by the answer."
    )


@pytest.mark.parametrize(
    ("question", "more"),
    [
        ("Which path?", ""),
        ("How many paths?", ""),
        ("Which of them?", ""),
        ("What should I do?", ""),
        ("Where?", ""),
        ("Sure?", ""),
        ("Wie viele Liter?", ""),
        ("How many litres?", NUMBER),
        ("How long should I wait?", NUMBER),
        ("Which pace?", CHOICE),
        ("How many bristles?", DIGITS),
    ],
)
def test_what_may_matter_is_asked(question: str, more: str) -> None:
    meaning = meaning_of(f'ask("{question}")', path(more))
    assert (meaning.sort, meaning.words) == ("question", question)


def test_options_make_a_question_of_anything() -> None:
    meaning = meaning_of('ask("How many litres?", ["one", "two"])', path())
    assert (meaning.sort, question_of(meaning).options) == ("question", ("one", "two"))
    assert meaning_of('ask("How many litres?")', GARDEN).sort == "question"  # it prunes by so many centimetres


@pytest.mark.parametrize(
    ("request_", "question"),
    [
        ("Feg bitte den Weg.", "Which Weg?"),
        ("Barre el camino, por favor.", "Which camino?"),
        ("Balaie l'allée, s'il te plaît.", "What allée?"),
        ("请打扫小路。", "Which 小路?"),
    ],
)
def test_a_noun_of_another_language_is_asked_about_as_the_robot_may_have_it_in_its_own(
    request_: str, question: str
) -> None:
    talk = Talk([f'ask("{question}")', 'sweep("north path")'], TextFileWorld(path()), answers=("north path",))
    assert talk.say(request_).result == "goal met"
    assert [question for ask in talk.all(Ask) for question in ask.questions] == [question]

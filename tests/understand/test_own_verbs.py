"""Verbs that are no names of skills, things that are too few, and answers that name one of those asked about."""

from __future__ import annotations

import keyword

import pytest

from said import Talk, meaning_of
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.program.parsing import parse_program
from thinkaloud.records import Ask
from thinkaloud.robots.text_file import TextFileWorld, parse_robot

PART_OF_THE_LANGUAGE = {"and", "elif", "else", "for", "if", "in", "is", "lambda", "not", "or", "True", "False", "None"}

THEATRE = """
name = "theatre"
about = "A robot behind the stage of a puppet theatre."
[kinds]
clown = ["red clown", "blue clown"]
place = ["stage", "trunk", "hook"]
curtain = ["curtain"]
[skills.hoist]
says = "Raise the {curtain}."
doc = "Hoist."
parameters = { curtain = "curtain" }
makes = ["up({curtain})"]
[skills.carry]
says = "Bring the {clown} to the {place}."
doc = "Carry."
parameters = { clown = "clown", place = "place" }
makes = ["at({clown}, {place})"]
[skills.bow]
says = "Let the {clown} bow."
doc = "Bow."
parameters = { clown = "clown" }
makes = ["bowed({clown})"]
[relations.up]
says = "{curtain} is up."
doc = "Up."
parameters = { curtain = "curtain" }
[relations.at]
says = "{clown} is at the {place}."
doc = "At."
parameters = { clown = "clown", place = "place" }
[relations.bowed]
says = "{clown} has bowed."
doc = "Bowed."
parameters = { clown = "clown" }
"""


@pytest.mark.parametrize("verb", sorted({*keyword.kwlist} - PART_OF_THE_LANGUAGE))
@pytest.mark.parametrize(
    "program",
    [
        '{}("curtain")',
        "for c in curtains:\n    {}(c)",
        'never({}("curtain"))',
        'never({}("curtain"), until=up("curtain"))',
        'say(why({}("curtain")))',
        'whenever(clock("18:30"), bow("red clown"), {}("curtain"))',
        'forget({}("curtain"))',
    ],
)
def test_a_deed_may_be_named_like_any_statement_of_python_wherever_deeds_are_written(program: str, verb: str) -> None:
    robot = THEATRE.replace("[skills.hoist]", f"[skills.{verb}_]")
    lexicon = lexicon_of(TextFileWorld(robot), TextFileWorld(robot).observe())
    read, plain = (parse_program(program.format(name), lexicon) for name in (verb, f"{verb}_"))
    assert read == plain and f"{verb}_(" in str(read)


def test_a_text_that_looks_like_such_a_deed_stays_a_text() -> None:
    lexicon = lexicon_of(TextFileWorld(THEATRE), TextFileWorld(THEATRE).observe())
    program = """note("Then raise(it), don't return(it).")\nnote('import(\\'x\\')')"""
    assert parse_program(program, lexicon).texts() == ["Then raise(it), don't return(it).", "import('x')"]


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ('raise("curtain")', "I will raise the curtain."),
        ('bring("red clown", "stage")', "I will bring the red clown to the stage."),
        ('if not up("curtain"):\n    raise("curtain")', "I will raise the curtain."),
    ],
)
def test_the_verb_of_a_skills_own_sentence_is_that_skill(program: str, words: str) -> None:
    assert meaning_of(program, THEATRE).words == words


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ('import("king")', "I have no skill for that: import."),
        ('bring("red clown")', "I have no skill for that: bring."),  # not what the sentence is about
        ('fetch("red clown")', "I have no skill for that: fetch."),
    ],
)
def test_a_verb_of_no_skill_is_said_to_be_missing_also_where_python_has_it(program: str, why: str) -> None:
    meaning = meaning_of(program, THEATRE)
    assert (meaning.sort, meaning.words) == ("refusal", why)


def test_a_skill_with_the_name_that_is_proposed_for_a_word_of_python_is_called_by_the_word() -> None:
    named = THEATRE.replace("[skills.hoist]", "[skills.raise_]")
    assert [step.skill for step in meaning_of('raise("curtain")', named).deeds] == ["raise_"]


def test_one_for_each_says_nothing_where_there_are_enough() -> None:
    meaning = meaning_of("for i in range(len(clowns)):\n    carry(clowns[i], places[i])", THEATRE)
    assert (meaning.sort, len(meaning.deeds), meaning.said) == ("deeds", 2, ())


def test_the_third_of_two_is_declined() -> None:
    meaning = meaning_of('carry(clowns[2], "stage")', THEATRE)
    assert (meaning.sort, meaning.words) == ("refusal", "There are too few things here for that.")


def test_a_thing_that_is_called_like_an_error_is_missing_and_not_one_of_too_few() -> None:
    meaning = meaning_of('carry("parrot (IndexError).", "stage")', THEATRE)
    assert (meaning.sort, meaning.words) == ("refusal", "There is no parrot (IndexError). here.")


@pytest.mark.parametrize("answer", ["the blue one", "blue", "The second one.", "the blue clown"])
def test_who_is_asked_which_and_names_one_is_not_read_anew(answer: str) -> None:
    wrong = 'bow("blue clown")'  # what a model might make of two words
    talk = Talk(['carry("clown", "stage")', wrong], TextFileWorld(THEATRE), answers=(answer,))
    assert talk.say("Put the clown on the stage.").result == "goal met"
    assert talk.steps == ["Bring the blue clown to the stage."]
    assert len(talk.all(Ask)) == 1


def test_an_answer_that_names_none_of_them_is_read() -> None:
    both = 'carry(clowns, "stage")'
    talk = Talk(['carry("clown", "stage")', both], TextFileWorld(THEATRE), answers=("both of them",))
    assert talk.say("Put the clown on the stage.").result == "goal met"
    assert talk.steps == ["Bring the red clown to the stage.", "Bring the blue clown to the stage."]


YARD = """
name = "kennel"
about = "A robot in a kennel."
[kinds]
dog = ["Rex", "Bello"]
room = ["quiet room", "yard"]
door = ["yard door", "street door"]
[skills.take]
says = "Take {dog} to the {room}."
doc = "Take."
parameters = { dog = "dog", room = "room" }
makes = ["inside({dog}, {room})"]
[skills.lock]
says = "Lock the {door}."
doc = "Lock."
parameters = { door = "door" }
makes = ["locked({door})"]
[relations.inside]
says = "{dog} is in the {room}."
doc = "Inside."
parameters = { dog = "dog", room = "room" }
[relations.locked]
says = "{door} is locked."
doc = "Locked."
parameters = { door = "door" }
"""


@pytest.mark.parametrize(
    ("said", "program"),
    [
        ("Lock the yard door.", 'lock("yard door")'),  # it was said in full itself
        ("Lock the door to the yard.", 'lock("yard door")'),  # not in these words, but the yard cannot be locked
    ],
)
def test_a_longer_name_that_was_meant_stays(said: str, program: str) -> None:
    kennel = TextFileWorld(parse_robot(YARD))
    assert Talk([program], kennel).say(said).result == "goal met"
    assert kennel.facts() == {"locked(yard door)"}

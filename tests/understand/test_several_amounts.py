"""Numbers beside other words, several amounts in one request, and numbers in a model's own words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from said import Talk
from thinkaloud.errors import Unparseable
from thinkaloud.language.numbers import numbers_in
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.records import Meaning
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import run_program

HOUSE = """
name = "house"
about = "A robot in a house."
people = ["patient"]
[kinds]
patient = ["Ann", "Bob"]
lamp = ["lamp"]
bottle = ["bottle"]
[skills.dose]
says = "Give {patient} {amount} mg of aspirin."
doc = "Give a dose."
parameters = { patient = "patient", amount = "number mg 1..1000" }
[skills.pay]
says = "Pay {patient} {sum} dollars."
doc = "Pay."
parameters = { patient = "patient", sum = "number dollar 1..1000" }
[skills.dim]
says = "Set the {lamp} to {level} %."
doc = "Set a lamp."
parameters = { lamp = "lamp", level = "number % 0..100" }
[skills.cut]
says = "Cut {length} cm off the {bottle}."
doc = "Cut."
parameters = { length = "number cm 1..500", bottle = "bottle" }
"""
_WORLD = TextFileWorld(HOUSE)
_SCENE = _WORLD.observe()
_LEXICON = lexicon_of(_WORLD, _SCENE)


def meaning(program: str, request: str) -> Meaning:
    return run_program(program, Circumstances(_WORLD, _SCENE, _LEXICON, request=request, words=request))


def numbers(found: Meaning) -> list[float]:
    return [v for step in found.deeds for v in step.arguments.values() if isinstance(v, int | float)]


@pytest.mark.parametrize(
    ("request_", "program"),
    [
        # currencies and units that nobody knows, before and behind the number
        *(
            (f"Pay Bob {each}.", 'pay("Bob", 30)')
            for each in ("30 baht", "30 won", "EUR 30", "₹30", "30 Mexican pesos")
        ),
        *((f"Give Bob {each}.", 'dose("Bob", 30)') for each in ("30 mmol", "30 small drops", "30 Tropfen", "30滴")),
        # times, ages, weights, rooms, how often, how many of them
        ("At seven give Bob aspirin.", 'dose("Bob", 7)'),
        ("Um sieben braucht Bob Aspirin.", 'dose("Bob", 7)'),
        ("Give Bob his aspirin at 8 o'clock.", 'dose("Bob", 8)'),
        ("Give the two of them aspirin.", "dose(patients, 2)"),
        ("Give Bob aspirin, he weighs 80.", 'dose("Bob", 80)'),
        ("Bob wiegt 80, gib ihm Aspirin.", 'dose("Bob", 80)'),
        ("Bob pesa 80, dale aspirina.", 'dose("Bob", 80)'),
        ("Give Bob in room 12 aspirin.", 'dose("Bob", 12)'),
        ("He fell 3 times, give Bob aspirin.", 'dose("Bob", 3)'),
        # so much in each of something, for all of them, and parts and multiples
        *(
            (f"Give Bob 5 mg {each}.", 'dose("Bob", 5)')
            for each in ("per kilo", "to the kilo", "a kilo", "for each kg")
        ),
        *((f"{each}, Bob.", 'dose("Bob", 5)') for each in ("5 mg auf das Kilo", "5 mg al kilo", "5 mg par kilo")),
        ("Give Ann and Bob 100 mg between them.", "dose(patients, 100)"),
        ("Give Ann and Bob 100 mg in total.", "dose(patients, 100)"),
        ("Gib Ann und Bob insgesamt 100 mg zusammen.", "dose(patients, 100)"),
        ("Give Bob half of 100 mg.", 'dose("Bob", 100)'),
        ("Give Bob twice 100 mg.", 'dose("Bob", 100)'),
        ("Gib Bob das Doppelte von 100 mg.", 'dose("Bob", 100)'),
        ("Make the lamp twice as bright.", 'dim("lamp", 2)'),
        ("Mach die Lampe doppelt so hell.", 'dim("lamp", 2)'),
        ("给Bob一百零五毫克。", 'dose("Bob", 5)'),
        ("给Bob一百零五毫克。", 'dose("Bob", 100)'),
    ],
)
def test_a_number_beside_a_word_of_something_else_is_no_amount(request_: str, program: str) -> None:
    found = meaning(program, request_)
    assert (found.sort, found.deeds) == ("question", ()), found.words


@pytest.mark.parametrize(
    ("request_", "program", "question"),
    [
        ("Give Bob 10-20 mg.", 'dose("Bob", 10)', "10 or 20 mg?"),
        ("Give Bob 10-20 mg.", 'dose("Bob", 20)', "10 or 20 mg?"),
        ("Give Bob 10 or 20 mg.", 'dose("Bob", 20)', "10 or 20 mg?"),
        ("Gib Bob 10 bis 20 mg.", 'dose("Bob", 20)', "10 or 20 mg?"),
        ("Dale a Bob 10 o 20 mg.", 'dose("Bob", 20)', "10 or 20 mg?"),
        ("Donne 10 à 20 mg à Bob.", 'dose("Bob", 20)', "10 or 20 mg?"),
        ("Give Bob 10 mg, no, 20 mg.", 'dose("Bob", 10)', "10 or 20 mg?"),
        ("Not 50 mg, Bob gets 20.", 'dose("Bob", 50)', "20 or 50 mg?"),
        ("Give Bob 1,5 mg... I mean 2 mg.", 'dose("Bob", 1.5)', "1.5 or 2 mg?"),
        ("Bob 10 mg and Ann 20 mg.", 'dose("Bob", 10)', "10 or 20 mg?"),
        ("Bob 10 mg and Ann 20 mg.", 'dose("Bob", 20)\ndose("Ann", 10)', "How many mg for Bob?"),
        ("20 mg for Ann and 10 for Bob.", 'dose("Bob", 20)\ndose("Ann", 10)', "How many mg for Ann?"),
    ],
)
def test_of_several_amounts_the_robot_asks_which_is_meant(request_: str, program: str, question: str) -> None:
    assert meaning(program, request_).words == question


@pytest.mark.parametrize(
    ("request_", "program", "given_"),
    [
        ("Bob 10 mg and Ann 20 mg.", 'dose("Bob", 10)\ndose("Ann", 20)', [10, 20]),
        ("Bob 10 mg and Ann 20 mg.", 'dose("Ann", 20)\ndose("Bob", 10)', [20, 10]),
        ("20 mg for Ann and 10 for Bob.", 'dose("Ann", 20)\ndose("Bob", 10)', [20, 10]),
        ("Give Bob 105 mg.", 'dose("Bob", 105)', [105]),
        ("给Bob一百零五毫克。", 'dose("Bob", 105)', [105]),
        ("给Bob一千零五十毫克。", 'dose("Bob", amount(1050, "mg"))', []),  # more than is possible, and asked about
        ("Set the lamp to 30.", 'dim("lamp", 30)', [30]),
        ("Dimme die Lampe auf 30.", 'dim("lamp", 30)', [30]),
        ("Pon la lámpara al 30.", 'dim("lamp", 30)', [30]),
        ("Mets la lampe à 30.", 'dim("lamp", 30)', [30]),
        ("把灯调到30。", 'dim("lamp", 30)', [30]),
        ("Bob 30, please.", 'dose("Bob", 30)', [30]),
        ("Give Bob 30 mg at 8 o'clock.", 'dose("Bob", 30)', [30]),
        ("Bob weighs 80, give him 30 mg.", 'dose("Bob", 30)', [30]),
        ("Give Bob 30 more milligrams.", 'dose("Bob", 30)', [30]),
        ("Give Ann and Bob 100 mg each.", "dose(patients, 100)", [100, 100]),
        ("Give Ann and Bob 100 mg of aspirin.", "dose(patients, 100)", [100, 100]),
        ("Give Bob half of 100 mg.", 'dose("Bob", 50)', [50]),
        ("Give Bob twice 100 mg.", 'dose("Bob", 200)', [200]),
        ("Pay Bob $30.", 'pay("Bob", 30)', [30]),
        ("Pay Bob USD 30.", 'pay("Bob", 30)', [30]),
        ('Cut 30" off the bottle.', 'cut(30, "bottle")', [76.2]),
        ("Cut 30in off the bottle.", 'cut(amount(30, "cm"), "bottle")', [76.2]),
        ("Cut 30 whole inches off the bottle.", 'cut(30, "bottle")', [76.2]),
    ],
)
def test_what_was_said_of_it_is_taken(request_: str, program: str, given_: list[float]) -> None:
    assert numbers(meaning(program, request_)) == given_


_FOREIGN = st.sampled_from(("baht", "bricks", "Kronkorken", "pasteles", "gens", "o'clock", "years", "mmol", "Mal"))


@settings(max_examples=200)
@given(number=st.integers(2, 400), noun=_FOREIGN, behind=st.booleans())
def test_no_number_of_other_things_becomes_an_amount(number: int, noun: str, behind: bool) -> None:
    words = f"{number} {noun}" if behind else f"{noun} {number}"
    for request, program in ((f"Give Bob {words}.", "dose"), (f"Pay Bob {words}.", "pay")):
        assert meaning(f'{program}("Bob", {number})', request).deeds == ()


@settings(max_examples=200)
@given(first=st.integers(1, 400), second=st.integers(1, 400), swapped=st.booleans())
def test_each_gets_what_was_said_of_them(first: int, second: int, swapped: bool) -> None:
    one, other = (second, first) if swapped else (first, second)
    done = numbers(meaning(f'dose("Ann", {one})\ndose("Bob", {other})', f"Ann {first} mg and Bob {second} mg."))
    assert done in ([], [first, second])


def test_the_answer_settles_which_amount_is_meant() -> None:
    talk = Talk(['dose("Bob", 10)'], TextFileWorld(HOUSE), answers=("20",))
    talk.say("Give Bob 10 or 20 mg.")
    assert talk.all(Meaning)[-1].words == "I will give Bob 20 mg of aspirin."


@pytest.mark.parametrize("program", ['ask("Shall I give 40 mg?")', 'cannot("The most is 40 mg.")'])
def test_no_question_and_no_refusal_has_a_number_that_the_model_made_up(program: str) -> None:
    with pytest.raises(Unparseable, match="a number that nobody told"):
        meaning(program, "Give Bob aspirin.")
    assert meaning(program, "Give Bob 40 mg of aspirin.").sort in ("question", "refusal")


def test_a_refusal_may_tell_what_the_robot_declares() -> None:
    assert meaning('cannot("The most is 1000 mg.")', "Give Bob a lot.").words == "The most is 1000 mg."


def test_a_zero_within_a_chinese_number_joins_it() -> None:
    assert 105.0 in numbers_in("一百零五").numbers and 5.0 not in numbers_in("一百零五").numbers
    assert 1050.0 in numbers_in("一千零五十").numbers


@pytest.mark.parametrize(
    ("said", "times", "question"),
    [
        ("Give Ann 10 mg three times.", 3, None),
        ("Gib Ann dreimal 10 mg.", 3, None),
        ("Donne trois fois 10 mg à Ann.", 3, None),
        ("给 Ann 10 毫克，三次。", 3, None),
        ("Give Ann 10 mg three times.", 2, "How many mg each?"),
        ("Give Ann 10 mg a few times.", 3, "How many times"),
        ("Give Ann 10 mg.", 10, "How many mg"),  # one number is not both
    ],
)
def test_what_is_repeated_is_repeated_as_often_as_was_said(said: str, times: int, question: str | None) -> None:
    talk = Talk([f'for i in range({times}):\n    dose("Ann", 10)'], TextFileWorld(HOUSE), answers=("no",))
    talk.say(said)
    assert talk.all(Meaning)[0].words.startswith(question) if question else len(talk.steps) == times

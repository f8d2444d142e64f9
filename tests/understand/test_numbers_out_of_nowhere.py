"""A number that neither the words nor the robot's facts contain never reaches a skill, whatever the model writes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_amounts import BAR

from said import Talk
from thinkaloud.language.numbers import numbers_in
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.records import Meaning
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import run_program

_WORLD = TextFileWorld(BAR)
_NO_NUMBER = (
    "Pour some milk into the red cup.",
    "A bit more milk, please.",
    "Give me all the milk you can find.",
    "Heat the oven and wait a while.",
    "Gieß etwas Milch in die rote Tasse.",
    "Un poco más de leche, por favor.",
    "Encore un peu de lait dans la tasse.",
    "再倒一点牛奶。",
)
_WAYS = (
    "{n}",
    '"{n}"',
    'amount({n}, "ml")',
    'amount({n}, "tablespoon")',
    "[{n}][0]",
    "sum([{n} for c in cups])",
    "max({n}, {n})",
    "round({n})",
    'level("red cup") + {n}',
    'level("red cup") * {n}',
    "{n} if level('red cup') > 0 else {n}",
    "0 or {n}",
)
_FORMS = (
    "pour('milk', {}, 'red cup')",
    "n = {}\npour('milk', n, 'red cup')",
    "wait({})",
    "heat({}, 'big oven')",
    "for n in [{}]:\n    wait(n)",
)
_LABEL = """
[skills.label]
says = "Write {text} on {cup}."
doc = "Write on a cup."
parameters = { text = "text", cup = "cup" }
"""


def deeds(program: str, request: str, *earlier: str) -> tuple[float, ...]:
    """The numbers with which something would be done."""
    scene = _WORLD.observe()
    at = Circumstances(_WORLD, scene, lexicon_of(_WORLD, scene), request=request, earlier=earlier)
    meaning = run_program(program, at)
    return tuple(v for step in meaning.deeds for v in step.arguments.values() if isinstance(v, int | float))


@settings(max_examples=300)
@given(
    request=st.sampled_from(_NO_NUMBER),
    way=st.sampled_from(_WAYS),
    number=st.integers(2, 400) | st.just(0) | st.floats(1.5, 400).map(lambda x: round(x, 2)),
    form=st.sampled_from(_FORMS),
)
def test_without_a_number_in_the_words_none_reaches_a_skill(request: str, way: str, number: float, form: str) -> None:
    assert deeds(form.format(way.format(n=number)), request) == ()


_UNITS = {"ml": 1, "cl": 10, "litres": 1000, "tablespoons": 15, "teaspoons": 5}


@settings(max_examples=300)
@given(
    said=st.integers(2, 90),
    unit=st.sampled_from(sorted(_UNITS)),
    written=st.integers(0, 400),
    way=st.sampled_from([each for each in _WAYS[:8] if "sum" not in each]),
)
def test_only_the_number_that_was_said_reaches_a_skill(said: int, unit: str, written: int, way: str) -> None:
    """Also not the same number in another unit."""
    done = deeds(f"pour('milk', {way.format(n=written)}, 'red cup')", f"Pour {said} {unit} of milk into the red cup.")
    assert set(done) <= {said * _UNITS[unit]}


@settings(max_examples=200)
@given(said=st.integers(2, 90), unit=st.sampled_from(("units", "IU", "mg", "tablets", "drops", "$", "glasses")))
def test_a_number_in_a_unit_that_nobody_can_convert_reaches_no_skill(said: int, unit: str) -> None:
    request = f"Pour {said} {unit} of milk into the red cup."
    for way in (f"{said}", f'amount({said}, "ml")', f'amount({said}, "{unit}")'):
        assert deeds(f"pour('milk', {way}, 'red cup')", request) == ()


@pytest.mark.parametrize(
    ("request_", "program", "number"),
    [
        ("two tablespoons of milk", "pour('milk', 30, 'red cup')", 30),
        ("zwei Esslöffel Milch", "pour('milk', amount(2, 'tablespoon'), 'red cup')", 30),
        ("dos cucharadas de leche", "pour('milk', amount(2, 'tablespoon'), 'red cup')", 30),
        ("deux cuillères à soupe de lait", "pour('milk', amount(2, 'tablespoon'), 'red cup')", 30),
        ("倒两汤匙牛奶", "pour('milk', amount(2, 'tablespoon'), 'red cup')", 30),
        ("deux centilitres et demi", "pour('milk', amount(2.5, 'centilitre'), 'red cup')", 25),
        ("a quarter of a litre", "pour('milk', amount(0.25, 'litre'), 'red cup')", 250),
        ("wait an hour and twenty minutes", "wait(80)", 80),
        ("hora y media", "wait(90)", 90),
        ("eine Viertelstunde", "wait(15)", 15),
        ("等一刻钟", "wait(amount(0.25, 'hour'))", 15),
        ("to the brim", "pour('milk', 350, 'red cup')", 350),
        ("350 °F", "heat(amount(350, 'fahrenheit'), 'big oven')", 176.666667),
        ("180 °C", "heat(180, 'big oven')", 180),
    ],
)
def test_what_follows_from_the_words_is_done(request_: str, program: str, number: float) -> None:
    assert deeds(program, request_) == (number,)


def test_numbers_of_the_conversation_count_and_what_they_come_to_with_new_ones() -> None:
    assert deeds("wait(5)", "the same again", "wait five minutes") == (5,)
    assert deeds("wait(10)", "twice that", "wait five minutes") == (10,)
    assert deeds("wait(7)", "again, please", "wait five minutes") == ()


def test_a_number_that_only_the_model_wrote_is_not_taken_from_its_own_question() -> None:
    talk = Talk(["wait(5)", "wait(5)", "wait(5)"], TextFileWorld(BAR), answers=("just a bit", "five"))
    talk.say("Wait a little.")
    assert [each.words for each in talk.all(Meaning)] == [
        "How many minutes?",
        "How many minutes?",
        "I will wait 5 minutes.",
    ]


def test_no_hundred_is_in_centimetres() -> None:
    assert 100 not in numbers_in("deux centimètres").numbers


def test_a_number_in_a_free_text_is_one_that_was_said() -> None:
    world = TextFileWorld(f"{BAR}{_LABEL}")
    scene = world.observe()
    at = Circumstances(world, scene, lexicon_of(world, scene), request="Write the dose on the red cup.")
    assert run_program('label("500 mg", "red cup")', at).words == "Which number do you mean?"
    told = Circumstances(world, scene, lexicon_of(world, scene), request="Write 555 0199 on the red cup.")
    assert run_program('label("555 0199", "red cup")', told).deeds


def test_a_model_that_proposes_a_remedy_cannot_make_up_a_number() -> None:
    jar = """
name = "jar"
about = "A robot with a jar."
[kinds]
jar = ["jar"]
[skills.open]
says = "Open the {jar}."
doc = "Open a jar."
parameters = { jar = "jar" }
hidden = { needs = ["warm({jar})"], says = "The lid is too tight." }
makes = ["is_open({jar})"]
[skills.heat]
says = "Heat the {jar} for {minutes} minutes."
doc = "Heat a jar."
parameters = { jar = "jar", minutes = "number minutes" }
makes = ["warm({jar})"]
[relations.is_open]
says = "{jar} is open."
doc = "Whether a jar is open."
parameters = { jar = "jar" }
[relations.warm]
says = "{jar} is warm."
doc = "Whether a jar is warm."
parameters = { jar = "jar" }
"""
    talk = Talk(['open("jar")', 'heat("jar", 40)'], TextFileWorld(jar))
    talk.say("Open the jar.")
    assert not any("Heat" in step for step in talk.steps) and talk.ends == ["failed"]


_TILL = """
name = "till"
about = "A robot at a till."
[kinds]
guest = ["Ana"]
[skills.charge]
says = "Charge {guest} {sum} euros."
doc = "Take money."
parameters = { guest = "guest", sum = "number euros" }
[skills.dose]
says = "Give {guest} {dose} mg."
doc = "Give a dose."
parameters = { guest = "guest", dose = "number mg 1..1000" }
"""


@pytest.mark.parametrize(
    ("request_", "program", "number"),
    [
        ("Charge Ana 4 euros 50.", 'charge("Ana", 4.5)', 4.5),
        ("Charge Ana €12.", 'charge("Ana", 12)', 12),
        ("Cobra a Ana doce euros.", 'charge("Ana", 12)', 12),
        ("Charge Ana 80 cents.", 'charge("Ana", amount(80, "cent"))', 0.8),
        ("Charge Ana $12.", 'charge("Ana", 12)', None),
        ("Charge Ana 12 pounds.", 'charge("Ana", 12)', None),
        ("Give Ana half a gram.", 'dose("Ana", amount(0.5, "gram"))', 500),
        ("Give Ana half a gram.", 'dose("Ana", 1)', None),
        ("Gib Ana 500 Mikrogramm.", 'dose("Ana", 500)', None),
        ("Give Ana 20 units of insulin.", 'dose("Ana", 20)', None),
        ("Donne à Ana deux comprimés.", 'dose("Ana", 2)', None),
        ("Give Ana all the aspirin you can find.", 'dose("Ana", 1000)', None),
        ("给Ana五百毫克。", 'dose("Ana", 500)', 500),
    ],
)
def test_money_and_doses_keep_their_units(request_: str, program: str, number: float | None) -> None:
    world = TextFileWorld(_TILL)
    scene = world.observe()
    meaning = run_program(program, Circumstances(world, scene, lexicon_of(world, scene), request=request_))
    numbers = [v for step in meaning.deeds for v in step.arguments.values() if isinstance(v, int | float)]
    assert numbers == ([] if number is None else [number])
    assert meaning.sort == ("question" if number is None else "deeds")


def test_a_converted_number_is_not_rounded_to_another_amount() -> None:
    assert deeds("pour('milk', amount(1, 'tablespoon'), 'red cup')", "Pour 16 ml of milk into the red cup.") == ()
    assert deeds("heat(177, 'big oven')", "Heat the big oven to 350 °F.") == (177,)

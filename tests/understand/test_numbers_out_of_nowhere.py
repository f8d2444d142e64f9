"""A number that neither the words nor the robot's facts contain never reaches a skill, whatever the model writes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_amounts import BAR

from said import Talk
from thinkaloud.errors import Unparseable
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
_VALUES = (
    'level("blue mug")',
    'level("red cup") / 2',
    "len(cups)",
    "len([c for c in cups if level(c) > 0])",
    "sum([level(c) for c in cups])",
)
"""What follows from the robot's facts, which nobody spoke of."""
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
    number=st.integers(0, 400) | st.floats(1.5, 400).map(lambda x: round(x, 2)),
    form=st.sampled_from(_FORMS),
)
def test_without_a_number_in_the_words_none_reaches_a_skill(request: str, way: str, number: float, form: str) -> None:
    assert deeds(form.format(way.format(n=number)), request) == ()


@pytest.mark.parametrize("request_", [each for each in _NO_NUMBER if " all " not in each])
@pytest.mark.parametrize("way", _VALUES)
@pytest.mark.parametrize("form", _FORMS[:4])
def test_no_value_of_a_thing_is_an_amount_that_the_words_leave_open(request_: str, way: str, form: str) -> None:
    assert deeds(form.format(way), request_) == ()


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
        "How many minutes shall I wait?",
        "How many minutes shall I wait?",
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


# Numbers that were said of something else -----------------------------------------------------------------------------

WARD = """
name = "ward"
about = "A robot on a ward."
people = ["person"]
[kinds]
person = ["Ana", "Tom"]
cup = ["cup 2", "cup 3", "red cup"]
room = ["room 12", "room 14"]
tank = ["tank"]
[skills.pour]
says = "Pour {amount} ml of water into {cup}."
doc = "Pour."
parameters = { amount = "number ml 1..900", cup = "cup" }
[skills.dose]
says = "Give {person} {dose} mg of aspirin."
doc = "Give a dose."
parameters = { person = "person", dose = "number mg 0.1..1000" }
[skills.drops]
says = "Give {person} {count} drops."
doc = "Give drops."
parameters = { person = "person", count = "number" }
[skills.press]
says = "Set the pump of {person} to {rate}."
doc = "Set a pump."
parameters = { person = "person", rate = ["10 ml/h", "20 ml/h", "off"] }
[skills.label]
says = "Write {text} on {cup}."
doc = "Write."
parameters = { text = "text", cup = "cup" }
[skills.go]
says = "Go to {room}."
doc = "Go."
parameters = { room = "room" }
[skills.open]
says = "Open {room}."
doc = "Open."
parameters = { room = "room" }
[skills.wait]
says = "Wait {minutes} minutes."
doc = "Wait."
parameters = { minutes = "number minutes" }
[values.level]
says = "how much is in {cup}"
doc = "What is in a cup."
parameters = { cup = "cup" }
unit = "ml"
[values.store]
says = "how much is in the {tank}"
doc = "What is in the tank."
parameters = { tank = "tank" }
unit = "litres"
[values.warmth]
says = "the temperature of {room}"
doc = "How warm a room is."
parameters = { room = "room" }
unit = "°C"
[start]
values = [
  "level(cup 2) = 50", "level(cup 3) = 120", "level(red cup) = 30", "store(tank) = 0.5",
  "warmth(room 12) = 19", "warmth(room 14) = 24",
]
"""


def ward(program: str, request: str, *earlier: str) -> Meaning:
    world = TextFileWorld(WARD)
    scene = world.observe()
    at = Circumstances(world, scene, lexicon_of(world, scene), request=request, words=request, earlier=earlier)
    return run_program(program, at)


@pytest.mark.parametrize(
    ("request_", "program", "earlier"),
    [
        # the number of a thing, of a room, of people, of a time
        ("Pour some water into cup 2.", 'pour(2, "cup 2")', ()),
        ("Go to room 12 and give Tom some aspirin.", 'go("room 12")\ndose("Tom", 12)', ()),
        ("Give both of them some aspirin.", "dose(people, 2)", ()),
        ("Give the 2 persons aspirin.", "dose(people, 2)", ()),
        ("Give Tom his aspirin at 7.", 'once(clock("7:00"), dose("Tom", 7))', ()),
        ("Gib Tom um halb acht Aspirin.", 'once(clock("7:30"), dose("Tom", 8))', ()),
        ("Give Tom aspirin at half past seven.", 'dose("Tom", 7.5)', ()),
        ("Give Tom aspirin in 10 minutes.", 'once(amount(10, "minute"), dose("Tom", 10))', ()),
        ("He is 80 years old, give him aspirin.", 'dose("Tom", 80)', ()),
        ("Give Tom aspirin twice a day.", 'dose("Tom", 2)', ()),
        # parts, articles, and words for the most or for nothing of something else
        ("Give Tom half his aspirin.", 'dose("Tom", 0.5)', ()),
        ("Gib Tom ein Aspirin.", 'dose("Tom", 1)', ()),
        ("Donne une aspirine à Tom.", 'dose("Tom", 1)', ()),
        ("Dale una aspirina a Tom.", 'dose("Tom", 1)', ()),
        ("One for Tom.", 'dose("Tom", 1)', ()),
        ("Give Tom a few drops.", 'drops("Tom", 1)', ()),
        ("Give Tom the full dose.", 'dose("Tom", 1000)', ()),
        ("Empty the cup and give Tom aspirin.", 'dose("Tom", 0.1)', ()),
        # what was said before, of something else
        ("Give Tom some aspirin.", 'dose("Tom", 12)', ("Go to room 12.", 'go("room 12")')),
        ("Give Tom his aspirin.", 'dose("Tom", 5)', ("Wait 5 minutes.", "wait(5)")),
        ("Give Tom his aspirin.", 'dose("Tom", 5)', ("Knock five times.",)),
        ("Give Tom some aspirin.", 'dose("Tom", 5)', ("Give Ana 5 mg.", 'dose("Ana", 5)')),
        ("Give Tom his drops.", 'drops("Tom", 4)', ("Which of them are open?", "say(rooms[:4])")),
        # more than was said
        ("Pour 2 ml into the red cup.", 'pour(2 * 2, "red cup")', ()),
        ("Pour 2 ml into the red cup.", 'pour(2 + 2, "red cup")', ()),
        ("Pour 2 ml into the red cup.", 'n = 2\npour(n * 2, "red cup")', ()),
        ("Pour 20 ml of it, then wait 3 minutes.", 'pour(20, "red cup")\nwait(60)', ()),
        ("Pour 20 ml of it, then wait 3 minutes.", 'pour(60, "red cup")\nwait(3)', ()),
        ("Pour 3 of the 5 things.", 'pour(15, "red cup")', ()),
        # twice what a half was said of
        ("Pour half of what is in cup 3 into the red cup.", 'pour(level("cup 3") * 2, "red cup")', ()),
        ("Pour half of what is in cup 3 into the red cup.", 'pour(level("cup 3") / 0.5, "red cup")', ()),
        ("A quarter of what is in cup 3.", 'pour(4 * level("cup 3"), "red cup")', ()),
        # all of what several are to share, for each of them
        ("Share 300 ml between the cups.", "for c in cups:\n    pour(300, c)", ()),
        ("Split 300 ml equally between the cups.", "pour(300, cups)", ()),
        ("Split 300 ml three ways.", "n = 300\nfor c in cups:\n    pour(n, c)", ()),
        ("Teile 300 ml auf die Becher auf.", 'pour(300, all_of("cup"))', ()),
        ("Reparte 300 ml entre las tazas.", 'pour(300, "cup 2")\npour(300, "cup 3")\npour(300, "red cup")', ()),
        ("Partage 300 ml entre les tasses.", 'pour(amount(300, "ml"), cups)', ()),
        ("把300毫升平分到杯子里。", "pour(300, cups)", ()),
        ("Share 300 ml between the cups.", "pour(200, cups)", ()),
        # some part of another number
        ("Give Tom twenty-five mg.", 'dose("Tom", 5)', ()),
        ("Give Tom twenty-five mg.", 'dose("Tom", 20)', ()),
        ("Gib Tom fünfundzwanzig mg.", 'dose("Tom", 20)', ()),
        ("Dale a Tom treinta y seis mg.", 'dose("Tom", 30)', ()),
        ("Donne trente-deux mg à Tom.", 'dose("Tom", 2)', ()),
        ("给Tom二百五十毫克。", 'dose("Tom", 50)', ()),
        ("Give Tom twelve seventy-five.", 'dose("Tom", 12.5)', ()),
        ("Give Tom half a gram.", 'dose("Tom", amount(1, "gram"))', ()),
        ("Gib Tom ein Viertelgramm.", 'dose("Tom", amount(1.25, "gram"))', ()),
        # so much more, or times as much, which the program forgets
        ("Pour twice what is in cup 3.", 'pour(level("cup 3"), "red cup")', ()),
        ("Die Hälfte von dem, was in cup 3 ist.", 'pour(level("cup 3"), "red cup")', ()),
        ("El doble de lo que hay en cup 3.", 'pour(level("cup 3"), "red cup")', ()),
        # so much for each kilo
        ("Give Tom 5 mg per kilo.", 'dose("Tom", 5)', ()),
        ("Give Tom 5 mg/kg.", 'dose("Tom", amount(5, "mg"))', ()),
        ("Pour 3 ml per litre.", 'pour(3 * level("cup 3"), "red cup")', ()),
        ("Pour a tenth of a litre into the red cup.", 'pour(10, "red cup")', ()),
        ("Wait half an hour longer.", "wait(0.5 * warmth('room 14'))", ()),
        ("Give Tom 10 mg of aspirin for every kilo.", 'dose("Tom", 10)', ()),
        ("Gib Tom 5 mg pro Kilo.", 'dose("Tom", 5)', ()),
        ("Dale a Tom 5 mg por kilo.", 'dose("Tom", 5)', ()),
        ("Donne 5 mg par kilo à Tom.", 'dose("Tom", 5)', ()),
        ("每公斤5毫克，给Tom。", 'dose("Tom", 5)', ()),
        ("Give Tom 5 mg at 8.", 'dose("Tom", 13)', ()),
        ("A las 8, 5 mg para Tom.", 'dose("Tom", 13)', ()),
        ("Tom 8点5毫克。", 'dose("Tom", 13)', ()),
        # two amounts, and the parts of one
        ("Give Tom 10 mg of aspirin and 20 mg of ibuprofen.", 'dose("Tom", 30)', ()),
        ("Give Tom 5 mg now and 10 mg later.", 'dose("Tom", 15)', ()),
        ("Give Tom two and a half grams.", 'dose("Tom", amount(1, "gram"))', ()),
        ("Give Tom two and a half grams.", 'dose("Tom", amount(0.5, "gram"))', ()),
        ("Gib Tom zweieinhalb Gramm.", 'dose("Tom", amount(1, "gram"))', ()),
        ("Dale a Tom dos gramos y medio.", 'dose("Tom", amount(1, "gram"))', ()),
        ("给Tom两克半。", 'dose("Tom", amount(1, "gram"))', ()),
        ("Pour twice what is in cup 3.", 'pour(level("cup 3") / 2, "red cup")', ()),
        ("El doble de lo que hay en cup 3.", 'pour(level("cup 3") / 2, "red cup")', ()),
        # values of things that nobody spoke of
        ("Pour some water into the red cup.", 'pour(level("cup 2"), "red cup")', ()),
        ("Wait a bit.", "wait(len(cups))", ()),
        # amounts that are names, and numbers in texts
        ("Set the pump of Tom a bit higher.", 'press("Tom", "20 ml/h")', ()),
        ("Write the dose on the red cup.", 'label("three tablets", "red cup")', ()),
        # from when on it is too much
        ("If it is too warm in room 14, open it.", 'if warmth("room 14") > 22:\n    open("room 14")', ()),
        ("Open the rooms that are too warm.", "open([r for r in rooms if warmth(r) > 22])", ()),
        ("Which rooms are warm?", "say([r for r in rooms if warmth(r) > 22])", ()),
        ("When it gets too warm, open room 14.", 'whenever(warmth("room 14") > 1, open("room 14"))', ()),
        ("Open room 14 later.", 'once(amount(1, "hour"), open("room 14"))', ()),
        ("Open room 14 regularly.", 'whenever(amount(1, "hour"), open("room 14"))', ()),
        # once, or again and again
        ("Open room 14 in ten minutes.", 'whenever(amount(10, "minute"), open("room 14"))', ()),
        ("Open room 14 at six.", 'whenever(clock("6:00"), open("room 14"))', ()),
        ("Öffne Zimmer 14 in zehn Minuten.", 'whenever(amount(10, "minute"), open("room 14"))', ()),
        ("Abre la room 14 dentro de diez minutos.", 'whenever(amount(10, "minute"), open("room 14"))', ()),
        ("Ouvre room 14 dans dix minutes.", 'whenever(amount(10, "minute"), open("room 14"))', ()),
        ("十分钟后打开room 14。", 'whenever(amount(10, "minute"), open("room 14"))', ()),
        ("Remind me of my pills at 8.", 'once(clock("8:00"), remind("Take 2 pills."))', ()),
        ("Remember what is in the red cup.", 'note("The red cup holds 500 ml.")', ()),
    ],
)
def test_a_number_that_was_said_of_something_else_is_asked_for(
    request_: str, program: str, earlier: tuple[str, ...]
) -> None:
    meaning = ward(program, request_, *earlier)
    assert (meaning.sort, meaning.deeds, meaning.standing, meaning.notes) == ("question", (), (), ())


@pytest.mark.parametrize(
    ("request_", "program", "earlier", "numbers"),
    [
        ("Pour 20 ml into cup 2.", 'pour(20, "cup 2")', (), [20]),
        ("Give the two 5 mg each.", "dose(people, 5)", (), [5, 5]),
        ("Give Tom two and a half.", 'dose("Tom", 2.5)', (), [2.5]),
        ("Give Tom half of 200 mg.", 'dose("Tom", 100)', (), [100]),
        ("Three times 50 ml for the red cup.", 'pour(150, "red cup")', (), [150]),
        ("Three times 50 ml for the red cup.", 'pour(3 * 50, "red cup")', (), [150]),
        ("50 ml and 50 ml more.", 'pour(50 + 50, "red cup")', (), [100]),
        ("And Tom.", 'dose("Tom", 5)', ("Give Ana 5 mg.", 'dose("Ana", 5)'), [5]),
        ("Half as much for Tom.", 'dose("Tom", 2.5)', ("Give Ana 5 mg.", 'dose("Ana", 5)'), [2.5]),
        ("The same for Tom.", 'dose("Tom", amount(1, "gram"))', ("A gram.", 'dose("Ana", amount(1, "gram"))'), [1000]),
        ("As much as in cup 3.", 'pour(level("cup 3"), "red cup")', (), [120]),
        ("Some more, as much as in the full cup.", 'pour(level("cup 3"), "red cup")', (), [120]),
        ("All that is in the tank.", 'pour(store("tank"), "red cup")', (), [500]),
        ("Half of what is in cup 3.", 'pour(level("cup 3") / 2, "red cup")', (), [60]),
        ("A third of what is in cup 3.", 'pour(level("cup 3") / 3, "red cup")', (), [40]),
        ("Twice what is in cup 3.", 'pour(2 * level("cup 3"), "red cup")', (), [240]),
        ("Share what is in cup 3 between four of them.", 'pour(level("cup 3") / 4, "red cup")', (), [30]),
        ("A minute for each cup.", "wait(len(cups))", (), [3]),
        ("Share 300 ml between the cups.", "for c in cups:\n    pour(300 / len(cups), c)", (), [100, 100, 100]),
        ("Share 300 ml between the cups.", "pour(100, cups)", (), [100, 100, 100]),
        ("Share 300 ml between cup 2 and cup 3.", 'pour(150, "cup 2")\npour(150, "cup 3")', (), [150, 150]),
        ("Share 300 ml between cup 2 and cup 3.", 'for c in ["cup 2", "cup 3"]:\n    pour(150, c)', (), [150, 150]),
        ("Divide it: 300 ml for cup 2.", 'pour(300, "cup 2")', (), [300]),
        (
            "Split what is in cup 3 between cup 2 and the red cup.",
            'pour(level("cup 3") / 2, "cup 2")\npour(level("cup 3") / 2, "red cup")',
            (),
            [60, 60],
        ),
        ("Give Tom 5 mg every hour.", 'dose("Tom", 5)', (), [5]),
        ("Give Tom 5 mg per person.", 'dose("Tom", 5)', (), [5]),
        ("Give Tom a quarter of a gram.", 'dose("Tom", 0.25)', (), [250]),
        ("Gib Tom ein halbes Gramm.", 'dose("Tom", 0.5)', (), [500]),
        ("Wait an hour.", "wait(1)", (), [60]),
        ("Wait an hour and ten minutes.", "wait(70)", (), [70]),
        ("Wait two and a half hours.", "wait(150)", (), [150]),
        ("Espera dos horas y media.", "wait(150)", (), [150]),
        ("Wait for half an hour.", 'wait(amount(0.5, "minute"))', (), [30]),
        ("Ein Achtelliter in den roten Becher.", 'pour(amount(0.125, "litre"), "red cup")', (), [125]),
        ("Espera dos horas.", "wait(2)", (), [120]),
        ("Give Tom a hundred and five mg.", 'dose("Tom", 105)', (), [105]),
        ("Pour the third of them what is in cup 3.", 'pour(level("cup 3"), "red cup")', (), [120]),
        ("In each cup 20 ml, please.", "pour(20, cups)", (), [20, 20, 20]),
        ("Pour 20 ml of water into each cup.", "pour(20, cups)", (), [20, 20, 20]),
        ("Give Tom 5 mg of aspirin every hour.", 'dose("Tom", 5)', (), [5]),
        ("20 ml per cup.", "pour(20, cups)", (), [20, 20, 20]),
        ("Set the pump to 20 ml/h.", 'press("Tom", "20 ml/h")', (), []),
        ("Stop the pump.", 'press("Tom", "off")', (), []),
        ("Write three tablets on it.", 'label("3 tablets", "red cup")', (), []),
        ("Open what has more than 22 degrees.", "open([r for r in rooms if warmth(r) > 22])", (), []),
    ],
)
def test_what_was_said_of_it_is_done(
    request_: str, program: str, earlier: tuple[str, ...], numbers: list[float]
) -> None:
    meaning = ward(program, request_, *earlier)
    assert meaning.sort == "deeds", meaning.words
    assert [v for step in meaning.deeds for v in step.arguments.values() if isinstance(v, int | float)] == numbers


@pytest.mark.parametrize(
    ("request_", "program", "answer"),
    [
        ("How much would be left of cup 3 if 2 cl go?", 'say(2 * level("cup 3"))', ""),
        ("Cup 3 is split three ways: how much is each?", 'say(level("cup 3") * 3)', ""),
        ("Cup 3 is split three ways: how much is each?", 'say(level("cup 3") / 3)', "40 ml."),
        ("How much is twice what is in cup 3?", 'say(2 * level("cup 3"))', "240 ml."),
    ],
)
def test_an_answer_multiplies_only_what_was_said_to_be_multiplied(request_: str, program: str, answer: str) -> None:
    meaning = ward(program, request_)
    assert (meaning.sort, meaning.words) == (
        ("answer", answer) if answer else ("question", "Which number do you mean?")
    )


def test_the_answer_to_how_many_may_be_half() -> None:
    talk = Talk(['dose("Tom", 3)', 'dose("Tom", 0.5)'], TextFileWorld(WARD), answers=("half",))
    talk.say("Give Tom his aspirin.")
    assert [each.words for each in talk.all(Meaning)] == [
        "How many mg of aspirin shall I give Tom?",
        "I will give Tom 0.5 mg of aspirin.",
    ]


def test_an_answer_of_digits_counts_though_they_are_in_the_name_of_a_thing() -> None:
    talk = Talk(['dose("Tom", 3)', 'dose("Tom", 2)'], TextFileWorld(WARD), answers=("2",))
    talk.say("Give Tom his aspirin from room 12.")
    assert talk.all(Meaning)[-1].words == "I will give Tom 2 mg of aspirin."


def test_an_answer_has_no_number_that_the_model_made_up() -> None:
    talk = Talk(['say("There are 200 ml in it.")', 'say(level("red cup"))'], TextFileWorld(WARD))
    talk.say("What is in the red cup?")
    assert "200" not in " ".join(each.words for each in talk.all(Meaning)) and talk.ends == ["answered"]


@pytest.mark.parametrize("program", ["say(200)", "say([200])", "say(150 + 50)", 'say("200 ml")'])
def test_no_form_of_answer_has_a_number_that_the_model_made_up(program: str) -> None:
    with pytest.raises(Unparseable, match="a number that nobody told"):
        ward(program, "How much aspirin may Tom have?")
    assert ward("say(40 + 2)", "What are 40 and 2?").words == "42."


_THINGS = st.sampled_from(("cup 2", "cup 3", "room 12", "room 14"))


@settings(max_examples=300)
@given(
    thing=_THINGS,
    number=st.integers(0, 400) | st.sampled_from((2, 3, 12, 14)),
    way=st.sampled_from(_WAYS[:8]),
    earlier=st.lists(
        st.sampled_from(("Go to room 12.", "Wait 14 minutes.", "Open room 14.", "Knock twice.")), max_size=3
    ),
)
def test_numbers_of_things_and_of_other_requests_never_become_a_dose(
    thing: str, number: int, way: str, earlier: list[str]
) -> None:
    written = way.format(n=number).replace('"ml"', '"mg"').replace("tablespoon", "gram")
    for request in (f"Bring Tom his aspirin from {thing}.", f"Bring Tom some aspirin from {thing}."):
        assert ward(f'dose("Tom", {written})', request, *earlier).deeds == ()


@pytest.mark.parametrize(
    ("request_", "when", "earlier"),
    [
        ("Open room 14 every ten minutes.", 'amount(10, "minute")', ()),
        ("Open room 14 daily at six.", 'clock("6:00")', ()),
        ("Open room 14 at six on Sundays.", 'clock("6:00", "Sunday")', ()),
        ("Öffne Zimmer 14 alle zehn Minuten.", 'amount(10, "minute")', ()),
        ("Abre la room 14 cada diez minutos.", 'amount(10, "minute")', ()),
        ("Ouvre room 14 toutes les dix minutes.", 'amount(10, "minute")', ()),
        ("每十分钟打开room 14。", 'amount(10, "minute")', ()),
        ("And room 14 at six.", 'clock("6:00")', ("Open room 12 at six every day.", "")),
        ("When it has 20 degrees, open room 14.", 'warmth("room 14") > 20', ()),
    ],
)
def test_what_recurs_is_done_again_and_again(request_: str, when: str, earlier: tuple[str, ...]) -> None:
    meaning = ward(f'whenever({when}, open("room 14"))', request_, *earlier)
    assert [each.again for each in meaning.standing] == [True]


def test_what_is_to_be_done_once_needs_no_word_for_it() -> None:
    meaning = ward('once(amount(10, "minute"), open("room 14"))', "Open room 14 in ten minutes.")
    assert [each.again for each in meaning.standing] == [False]


LAMPS = """
name = "stage"
about = "A stage."
kinds = { lamp = ["front lamp", "back lamp"] }

[skills.dim]
says = "Dim the {lamp} to {level} %."
doc = "Set how bright a lamp is."
parameters = { lamp = "lamp", level = "number % 0..100" }

[skills.turn]
says = "Turn the {lamp} by {angle} degrees."
doc = "Turn a lamp."
parameters = { lamp = "lamp", angle = "number degrees 0..360" }
"""


@pytest.mark.parametrize(
    ("request_", "program", "number"),
    [
        ("Put the front lamp at half.", 'dim("front lamp", 0.5)', None),
        ("Put the front lamp at half.", 'dim("front lamp", 50)', 50),
        ("Mach die front lamp halb so hell.", 'dim("front lamp", 0.5)', None),
        ("A quarter for the front lamp.", 'dim("front lamp", 25)', 25),
        ("Put the front lamp at 0.5 %.", 'dim("front lamp", 0.5)', 0.5),
        ("Put the front lamp at three quarters.", 'dim("front lamp", 0.75)', None),
        ("Put the front lamp at three quarters.", 'dim("front lamp", 75)', 75),
        ("Dim the front lamp by half a percent.", 'dim("front lamp", 50)', None),
        ("Dim both lamps a little.", 'dim("front lamp", 2)', None),
        ("Give the front lamp half a turn.", 'turn("front lamp", 0.5)', 180),
        ("Give the front lamp half a turn.", 'turn("front lamp", 180)', 180),
        ("Turn the front lamp by half a degree.", 'turn("front lamp", 0.5)', 0.5),
    ],
)
def test_half_is_a_part_of_the_whole_and_no_half_percent(request_: str, program: str, number: float | None) -> None:
    world = TextFileWorld(LAMPS)
    scene = world.observe()
    at = Circumstances(world, scene, lexicon_of(world, scene), request=request_, words=request_)
    done = [v for step in run_program(program, at).deeds for v in step.arguments.values() if not isinstance(v, str)]
    assert done == ([] if number is None else [number])


@pytest.mark.parametrize(
    ("limit", "told"),
    [('amount(10, "ml")', "10 ml"), ('amount(1, "litre")', "1 litre"), ('amount(2, "litre")', "2 litres")],
)
def test_a_rule_tells_its_limit_in_the_unit_that_was_said(limit: str, told: str) -> None:
    number = told.split()[0]
    meaning = ward(f'whenever(level("cup 3") < {limit}, open("room 14"))', f"When cup 3 has less than {told}, open it.")
    assert meaning.words.endswith(f"is less than {told}: Open room 14.") and number in meaning.words


AGES = """
name = "stable"
about = "A stable."
kinds = { horse = ["Bella", "Tom", "grey mare"] }

[skills.lead]
says = "Lead {horse} out."
doc = "Lead a horse out."
parameters = { horse = "horse" }

[values.age]
says = "the age of {horse}"
doc = "How old a horse is."
parameters = { horse = "horse" }

[start]
values = ["age(Bella) = 8", "age(Tom) = 12"]
"""


@pytest.mark.parametrize(
    "program", ["lead(max(horses, key=age))", "say(sorted(horses, key=age))", "say(sum([age(h) for h in horses]))"]
)
def test_what_is_not_known_of_one_of_several_is_told(program: str) -> None:
    world = TextFileWorld(AGES)
    scene = world.observe()
    meaning = run_program(program, Circumstances(world, scene, lexicon_of(world, scene), request="The oldest one."))
    assert meaning.sort == "refusal" and meaning.words.startswith("I do not know that of ")
    assert ("grey mare" in meaning.words) == ("sum" not in program)

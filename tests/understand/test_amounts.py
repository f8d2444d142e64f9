"""Amounts: the program keeps the unit that was said, and code converts it, or asks."""

from __future__ import annotations

import functools
import operator
from typing import Annotated

import pytest

from said import Talk, meaning_of, question_of
from thinkaloud import Amount, Kind, Observation, measure, skill, skills_of
from thinkaloud.errors import BadScene, CodeRefused, SkillError
from thinkaloud.language.numbers import numbers_in
from thinkaloud.models.gbnf import accepts
from thinkaloud.program.lexicon import Lexicon, lexicon_of
from thinkaloud.program.parsing import parse_program
from thinkaloud.program.unsaid import ask_for_limit, ask_for_unsaid
from thinkaloud.records import Ask, Meaning
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.understand.prompting.grammar import program_grammar
from thinkaloud.understand.prompting.prompt import render_robot

BAR = """
name = "bar"
about = "A robot pours drinks."
[kinds]
drink = ["milk", "cocoa"]
cup = ["red cup", "blue mug"]
oven = ["big oven"]
[skills.pour]
says = "Pour {amount} ml of {drink} into {cup}."
doc = "Pour a drink."
parameters = { drink = "drink", amount = "number ml 10..350 step 5", cup = "cup" }
[skills.add]
says = "Add {count} scoops to {cup}."
doc = "Add powder."
parameters = { count = "number", cup = "cup" }
[skills.wait]
says = "Wait {minutes} minutes."
doc = "Do nothing."
parameters = { minutes = "number" }
[skills.heat]
says = "Heat {oven} to {degrees}."
doc = "Heat an oven."
parameters = { degrees = "number °C", oven = "oven" }
[values.level]
says = "how much is in {cup}"
doc = "What is in a cup."
parameters = { cup = "cup" }
unit = "ml"
[values.warmth]
says = "the warmth of {oven}"
doc = "How warm an oven is."
parameters = { oven = "oven" }
unit = "°C"
[start]
values = ["level(red cup) = 50", "level(blue mug) = 120", "warmth(big oven) = 100"]
"""


def lexicon() -> Lexicon:
    world = TextFileWorld(BAR)
    return lexicon_of(world, world.observe())


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ('pour("milk", amount(2, "tablespoon"), "red cup")', "I will pour 30 ml of milk into red cup."),
        ('pour("milk", amount(0.25, "litre"), cups)', "I will pour 250 ml of milk into red cup and blue mug."),
        ('pour("milk", 0.5 * amount(0.1, "litre"), "red cup")', "I will pour 50 ml of milk into red cup."),
        ('n = amount(0.1, "litre")\npour("milk", n, "red cup")', "I will pour 100 ml of milk into red cup."),
        ('wait(amount(0.5, "hour"))', "I will wait 30 minutes."),
        ('add(amount(2, "scoop"), "red cup")', "I will add 2 scoops to red cup."),
        ('add(amount(1, "dozen"), "red cup")', "I will add 12 scoops to red cup."),
        ('heat(amount(350, "fahrenheit"), "big oven")', "I will heat big oven to 176.67."),
        ('heat(warmth("big oven") + amount(18, "fahrenheit"), "big oven")', "I will heat big oven to 110."),
        (
            'pour("milk", level("red cup") + amount(1, "decilitre"), "red cup")',
            "I will pour 150 ml of milk into red cup.",
        ),
        ('say([c for c in cups if level(c) < amount(1, "decilitre")])', "Red cup."),
        (
            'pour("milk", 10, the([c for c in cups if level(c) < amount(1, "dl")]))',
            "I will pour 10 ml of milk into red cup.",
        ),
    ],
)
def test_an_amount_becomes_a_number_in_the_robots_own_unit(program: str, words: str) -> None:
    assert meaning_of(program, BAR).words == words


@pytest.mark.parametrize(
    ("program", "question"),
    [
        ('pour("milk", amount(20, "unit"), "red cup")', "I cannot convert 20 units to ml. How many ml?"),
        ('pour("milk", amount(100, "gram"), "red cup")', "I cannot convert 100 grams to ml. How many ml?"),
        ('add(amount(2, "tablespoon"), "red cup")', "I cannot convert 2 tablespoons to scoops. How many scoops?"),
        ('pour("milk", warmth("big oven"), "red cup")', "I cannot convert 100 °C to ml. How many ml?"),
        ('wait(2 * level("red cup"))', "I cannot convert 100 ml to minutes. How many minutes?"),
        (
            'pour("milk", amount(0.5, "litre"), "red cup")',
            "0.5 litres (500 ml) is not possible here: it has to be 10 to 350 ml, in steps of 5. "
            "How many ml of milk shall I pour into red cup?",
        ),
        (
            'pour("milk", 23, "red cup")',
            "23 ml is not possible here: it has to be 10 to 350 ml, in steps of 5. "
            "How many ml of milk shall I pour into red cup?",
        ),
    ],
)
def test_what_cannot_be_converted_or_is_not_possible_is_asked_for(program: str, question: str) -> None:
    meaning = meaning_of(program, BAR)
    assert (meaning.sort, meaning.words, meaning.deeds) == ("question", question, ())


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ('pour("milk", "red cup")', "How many ml of milk shall I pour into red cup?"),
        ('pour("milk", "a bit", "red cup")', "How many ml of milk shall I pour into red cup?"),
        ('add("red cup")', "How many scoops shall I add to red cup?"),
        ("wait()", "How many minutes shall I wait?"),
    ],
)
def test_a_missing_number_is_asked_for(program: str, words: str) -> None:
    assert meaning_of(program, BAR).words == words


def test_a_number_next_to_a_step_is_put_on_it() -> None:
    (step,) = meaning_of('pour("milk", 100.04, "red cup")', BAR).deeds
    assert step.arguments["amount"] == 100


def test_a_program_is_kept_as_it_was_written() -> None:
    meaning = meaning_of('wait(amount(0.5, "hour"))', BAR)
    assert meaning.program == 'wait(amount(0.5, "hour"))' and meaning.deeds[0].words == "Wait 30 minutes."


def test_the_prompt_shows_units_only_where_they_are_declared() -> None:
    shown = render_robot(lexicon(), short=True)
    assert "def pour(drink, amount: number ml, cup):" in shown
    assert "def add(count: number, cup):" in shown
    assert "def level(cup) -> ml:" in shown


def test_the_grammar_has_amounts_with_a_unit_in_words() -> None:
    grammar = program_grammar(lexicon())
    assert accepts(grammar, 'pour("milk", amount(0.5, "litre"), "red cup")\n\n')
    assert not accepts(grammar, 'pour("milk", amount(0.5, litre), "red cup")\n\n')


def test_long_decimals_are_rounded_when_they_are_said() -> None:
    assert meaning_of('say(level("red cup") / 150)', BAR).words == "0.33 ml."
    assert meaning_of("wait(1 / 3)", BAR).words == "I will wait 0.33 minutes."


def test_a_number_that_the_model_never_writes_is_not_asked_for_for_ever() -> None:
    answers = ("a hundred", "one hundred ml", "please, 100", "I said 100", "100, please", "hundred")
    talk = Talk(['pour("milk", "red cup")'] * 9, TextFileWorld(BAR), answers=answers)
    end = talk.say("Some milk into the red cup.")
    assert (end.result, talk.steps) == ("declined", [])
    assert [each.questions for each in talk.all(Ask)] == [("How many ml of milk shall I pour into red cup?",)] * 3
    assert end.because == "I am still not sure what you mean, so I do nothing. Please say it in other words."


@pytest.mark.parametrize(
    ("answer", "model", "step"),
    [
        ("two hundred", ['pour("milk", 200, "red cup")'], "Pour 200 ml of milk into red cup."),
        ("200", [], "Pour 200 ml of milk into red cup."),
        ("20 cl.", [], "Pour 200 ml of milk into red cup."),
    ],
)
def test_the_answer_to_how_many_is_read_as_any_other_and_a_bare_number_without_a_model(
    answer: str, model: list[str], step: str
) -> None:
    talk = Talk(['pour("milk", amount(1, "litre"), "red cup")', *model], TextFileWorld(BAR), answers=(answer,))
    talk.say("A litre of milk in the red cup.")
    assert talk.all(Meaning)[0].sort == "question"
    assert talk.steps[-1] == step


def test_a_bare_number_is_no_answer_where_two_numbers_are_open() -> None:
    program = 'wait(7)\npour("milk", 9, "red cup")'
    talk = Talk([program, "wait(5)"], TextFileWorld(BAR), answers=("5",))
    talk.say("Wait, then pour some milk into the red cup.")
    assert talk.steps == ["Wait 5 minutes."]


def test_a_bare_number_that_is_not_possible_is_asked_about_again() -> None:
    talk = Talk(['pour("milk", amount(1, "litre"), "red cup")'] * 2, TextFileWorld(BAR), answers=("9000", "no"))
    talk.say("A litre of milk in the red cup.")
    assert [each.sort for each in talk.all(Meaning)] == ["question", "question", "refusal"] and talk.steps == []


# Numbers that nobody said ---------------------------------------------------------------------------------------------


def asked(program: str, *said: str) -> str | None:
    return ask_for_unsaid(parse_program(program, lexicon()), functools.reduce(operator.or_, map(numbers_in, said)))


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("wait(25)", "twenty-five minutes"),
        ("wait(25)", "warte fünfundzwanzig Minuten"),
        ("wait(25)", "espera veinticinco minutos"),
        ("wait(75)", "attends soixante-quinze minutes"),
        ("wait(25)", "等二十五分钟"),
        ("wait(15)", "eine Viertelstunde"),
        ("wait(90)", "an hour and a half"),
        ("wait(90)", "hora y media"),
        ("wait(80)", "an hour and twenty minutes"),
        ('wait(amount(1.5, "hour"))', "anderthalb Stunden"),
        ("wait(1)", "wait a minute"),
        ("wait(1.5)", "1,5 Minuten"),
        ("wait(120)", "one twenty"),
        ('heat(-3.5, "big oven")', "-3.50 degrees in the big oven"),
        ('heat(-3, "big oven")', "three degrees below zero in the big oven"),
        ('pour("milk", 100, "red cup")', "a decilitre of milk"),
        ('pour("milk", level("red cup") * 2, "red cup")', "twice as much"),
        ('pour("milk", level("red cup") / 2, "red cup")', "die Hälfte davon"),
        ('pour("milk", level("red cup") * 0.8, "red cup")', "twenty percent less"),
        ('pour("milk", level("red cup") * 2 / 3, "red cup")', "a third less"),
        ('pour("milk", 2 * level("red cup"), "red cup")', "twice as much"),
        ('n = 10\nn = n + 10\npour("milk", n, "red cup")', "ten ml, and the same again"),
        ('pour("milk", level("blue mug"), "red cup")', "as much as in the mug"),
        ('pour("milk", 350, "red cup")', "fill it to the brim"),
        ('pour("milk", 10, any_of(cups, n=2))', "ten ml in a couple of cups"),
        ("for i in range(3):\n    wait(1)", "three times a minute"),
    ],
)
def test_a_number_that_was_said_or_follows_is_taken(program: str, said: str) -> None:
    assert asked(program, said) is None


@pytest.mark.parametrize(
    ("program", "said", "question"),
    [
        ("wait(5)", "wait a bit", "How many minutes shall I wait?"),
        ("wait(-5)", "wait less", "How many minutes shall I wait?"),
        ('pour("milk", 200, "red cup")', "some milk in the red cup", "How many ml of milk shall I pour into red cup?"),
        (
            'pour("milk", 200, "red cup")',
            "etwas Milch in die rote Tasse",
            "How many ml of milk shall I pour into red cup?",
        ),
        (
            'pour("milk", amount(2, "tablespoon"), "red cup")',
            "un poco de leche",
            "How many ml of milk shall I pour into red cup?",
        ),
        (
            'pour("milk", level("red cup") + 20, "red cup")',
            "un peu plus",
            "How many ml of milk shall I pour into red cup?",
        ),
        ('n = 40\npour("milk", n, "red cup")', "倒点牛奶", "How many ml of milk shall I pour into red cup?"),
        ('pour("milk", 10, cups[:2])', "ten ml in some cups", "How many cups?"),
        ("for i in range(3):\n    wait(1)", "wait a minute, a few times", "How many times?"),
        (
            'pour("milk", 3 * level("red cup"), "red cup")',
            "much more",
            "How many ml of milk shall I pour into red cup?",
        ),
        (
            'n = 10\nn = n + 15\npour("milk", n, "red cup")',
            "ten ml, and some more",
            "How many ml of milk shall I pour into red cup?",
        ),
        (
            'pour("milk", 4 * level("red cup"), "red cup")',
            "another four ml",
            "How many ml of milk shall I pour into red cup?",
        ),
        (
            'pour("milk", 200 * level("red cup"), "red cup")',
            "noch zwei Deziliter",
            "How many ml of milk shall I pour into red cup?",
        ),
    ],
)
def test_a_number_out_of_nowhere_is_asked_for(program: str, said: str, question: str) -> None:
    assert asked(program, said) == question


TILL = """
name = "till"
about = "A robot at a till."
[kinds]
table = ["table 1"]
[skills.charge]
says = "Add {amount} dollars to the bill of {table}."
doc = "Charge."
parameters = { amount = "number", table = "table" }
"""


@pytest.mark.parametrize("said", ["thirty pesos", "30 Rupien", "30 kronor", "30卢布", "30 euros"])
def test_money_of_another_country_is_never_taken_for_the_robots(said: str) -> None:
    world = TextFileWorld(TILL)
    till = lexicon_of(world, world.observe())
    charge = parse_program('charge(30, "table 1")', till)
    assert ask_for_unsaid(charge, numbers_in(said)) == "How many dollars shall I add to the bill of table 1?"
    assert ask_for_unsaid(charge, numbers_in("thirty dollars")) is None
    assert ask_for_unsaid(charge, numbers_in("thirty")) is None


def test_a_number_may_have_been_said_before() -> None:
    assert asked("wait(5)", "the same again", "wait five minutes") is None


def test_whatever_the_model_writes_a_number_that_nobody_said_is_asked_for() -> None:
    talk = Talk(["wait(5)", "wait(7)"], TextFileWorld(BAR), answers=("seven",))
    talk.say("Wait a little.")
    assert [each.words for each in talk.all(Meaning)] == ["How many minutes shall I wait?", "I will wait 7 minutes."]
    assert talk.steps == ["Wait 7 minutes."]


def test_the_limit_of_a_rule_is_never_carried_over_from_an_earlier_request() -> None:
    rule = parse_program('never(pour(cup="red cup"), above=20)', lexicon())
    assert ask_for_limit(rule, numbers_in("never put milk in the red cup")) is not None
    assert ask_for_limit(rule, numbers_in("never more than twenty in the red cup")) is None


def test_an_amount_orders_nothing() -> None:
    with pytest.raises(CodeRefused, match="order by a measure"):
        meaning_of('say(min(cups, key=lambda c: amount(1, "metre")))', BAR)


# Ranges and answers of things -----------------------------------------------------------------------------------------

_SHELF = """
name = "shelf"
about = "A robot pours drinks."
[kinds]
cup = ["glass", "cup", "thimble"]
bucket = ["red bucket", "blue bucket"]
[skills.fill]
says = "Pour {amount} ml of water into the {cup}."
doc = "Pour water."
parameters = { amount = "number ml 10..capacity({cup}) step 5", cup = "cup" }
makes = ["full({cup})"]
[skills.dose]
says = "Give {amount} mg with the {cup}."
doc = "Give a medicine."
parameters = { amount = "number mg 1..allowed({cup})", cup = "cup" }
[relations.full]
says = "{cup} is full."
doc = "Whether a cup is full."
parameters = { cup = "cup" }
[relations.allowed]
says = "{amount} mg is allowed with {cup}."
doc = "How much is allowed."
parameters = { cup = "cup", amount = "number mg" }
[values.capacity]
says = "how much fits into the {cup}"
doc = "How large a cup is."
parameters = { cup = "cup" }
unit = "ml"
[values.content]
says = "how much water is in the {bucket}"
doc = "How much water is in a bucket."
parameters = { bucket = "bucket" }
unit = "litres"
[start]
facts = ["allowed(glass, 50)"]
values = [
  "capacity(glass) = 350", "capacity(cup) = 150", "content(red bucket) = 7", "content(blue bucket) = 5",
]
"""


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ('fill(300, "glass")', "I will pour 300 ml of water into the glass."),
        ('fill(300, "cup")', "300 ml is not possible here: it has to be 10 to 150 ml, in steps of 5. How many ml?"),
        (
            'fill(amount(8, "litre"), "glass")',
            "8 litres (8000 ml) is not possible here: it has to be 10 to 350 ml, in steps of 5. How many ml?",
        ),
        ('fill(capacity("cup"), "cup")', "I will pour 150 ml of water into the cup."),
        ('fill(500, "thimble")', "I will pour 500 ml of water into the thimble."),
        ('dose(50, "glass")', "I will give 50 mg with the glass."),
        ('dose(60, "glass")', "60 mg is not possible here: it has to be 1 to 50 mg. How many mg?"),
        ('dose(amount(1, "g"), "glass")', "1 g (1000 mg) is not possible here: it has to be 1 to 50 mg. How many mg?"),
        (
            'dose(amount(500, "µg"), "cup")',
            "500 µg (0.5 mg) is not possible here: it has to be at least 1 mg. How many mg shall I give with the cup?",
        ),
        ('dose(amount(20, "IU"), "glass")', "I cannot convert 20 IU to mg. How many mg?"),
    ],
)
def test_a_range_may_depend_on_the_thing(program: str, words: str) -> None:
    assert meaning_of(program, _SHELF).words == words


def test_a_number_that_a_thing_does_not_take_is_refused_when_it_is_done_as_well() -> None:
    world = TextFileWorld(_SHELF)
    with pytest.raises(SkillError, match="300 ml is not possible here: it has to be 10 to 150 ml"):
        world.skills["fill"].refuse({"amount": 300, "cup": "cup"}, world.observe())


def test_a_file_says_what_is_wrong_with_a_range() -> None:
    with pytest.raises(BadScene, match=r"skills.fill.parameters.amount: there is no value 'capacty'"):
        TextFileWorld(_SHELF.replace("10..capacity(", "10..capacty("))


class Bar:
    """The same in Python."""

    @skill("Pour {amount} ml into the {cup}.")
    async def pour(
        self, amount: Annotated[float, Amount("ml", 10, "capacity({cup})")], cup: Annotated[str, Kind("cup")]
    ) -> None:
        """Pour water."""

    @measure("how much fits into the {cup}", unit="ml")
    def capacity(self, cup: Annotated[str, Kind("cup")]) -> float:
        """How large a cup is."""
        return {"glass": 350.0, "cup": 150.0}[cup]


def test_a_range_in_python_may_depend_on_the_thing() -> None:
    pour, scene = skills_of(Bar())["pour"], Observation((), {"cup": ("glass", "cup")})
    assert pour.refuse({"amount": 300, "cup": "glass"}, scene)["amount"] == 300
    with pytest.raises(SkillError, match="300 ml is not possible here: it has to be 10 to 150 ml"):
        pour.refuse({"amount": 300, "cup": "cup"}, scene)


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("say(sum([content(b) for b in buckets]))", "12 litres."),
        ("x = sum(content(buckets))\nsay(x)", "12 litres."),
        ("say(content(buckets))", "7 litres and 5 litres."),
        ('say(content("red bucket"))', "7 litres."),
        ('say(content("red bucket") / 7)', "1 litre."),
        ("say(sum([content(b) for b in buckets]) / 12)", "1 litre."),
        ("say(max([content(b) for b in buckets]))", "7 litres."),
        ('say(content("red bucket") + capacity("cup"))', "7.15 litres."),
        ('say(capacity("glass") / content("red bucket"))', "0.05."),
        ('say(capacity("thimble"))', "I do not know how much fits into the thimble."),
        ("say(sum([capacity(c) for c in cups]))", "I do not know how much fits into the thimble."),
        ('say([c for c in ["glass", "cup"] if capacity(c) > amount(2, "decilitre")])', "Glass."),
    ],
)
def test_an_answer_that_is_an_amount_has_its_unit(program: str, told: str) -> None:
    assert meaning_of(program, _SHELF).spoken == told


def test_what_is_counted_in_other_things_is_not_added() -> None:
    heavy = _SHELF.replace('unit = "litres"', 'unit = "kg"')
    with pytest.raises(CodeRefused, match="ml cannot be added to kg"):
        meaning_of('say(content("red bucket") + capacity("cup"))', heavy)
    with pytest.raises(CodeRefused, match="ml cannot be taken from kg"):
        meaning_of('say(content("red bucket") - 2 * capacity("cup"))', heavy)
    with pytest.raises(CodeRefused, match="ml cannot be taken from kg"):
        meaning_of('say(content("red bucket") - capacity("cup") * 2)', heavy)


def test_models_still_read_the_bare_number() -> None:
    meaning = meaning_of("say(sum([content(b) for b in buckets]))", _SHELF)
    assert (meaning.words, meaning.said) == ("12.", ("12",))


HOLDS = """
name = "tap"
about = "A robot at a tap."
[kinds]
cup = ["mug", "glass"]
[skills.pour]
says = "Pour {amount} ml of milk into the {cup}."
doc = "Pour."
parameters = { amount = "number ml 0..capacity({cup})", cup = "cup" }
changes = ["level({cup}) += {amount}"]
[values.level]
says = "the level of the {cup}"
doc = "How much is in it."
unit = "ml"
parameters = { cup = "cup" }
[values.capacity]
says = "the capacity of the {cup}"
doc = "How much it holds."
unit = "ml"
parameters = { cup = "cup" }
[start]
values = ["level(mug) = 0", "level(glass) = 0", "capacity(glass) = 200"]
"""
TO_THE_BRIM = (
    "Fill the mug to the brim.",
    "Fülle die Tasse bis zum Rand voll.",
    "Llena la taza hasta el borde.",
    "Remplis la tasse, bien pleine.",
    "把杯子倒满。",
)


@pytest.mark.parametrize("said", TO_THE_BRIM)
@pytest.mark.parametrize("number", ["0", 'capacity("mug")', 'capacity("mug") - level("mug")', 'level("mug")', "200"])
def test_how_much_fills_it_is_asked_if_nobody_knows_what_it_holds(number: str, said: str) -> None:
    world = TextFileWorld(HOLDS)
    at = Circumstances(world, world.observe(), lexicon_of(world, world.observe()), request=said)
    assert "How many ml" in question_of(run_program(f'pour({number}, "mug")', at)).text
    assert run_program('pour(capacity("glass") - level("glass"), "glass")', at).deeds[0].arguments["amount"] == 200

"""Orders by guidelines that a model wrote short, or wrong: what words, skills and guidelines tell of them."""

from __future__ import annotations

import asyncio

import pytest

from thinkaloud.guidelines import load_guidelines, read_guidelines
from thinkaloud.models import Scripted
from thinkaloud.records import Meaning
from thinkaloud.robots import open_world
from thinkaloud.understand.lexicon import lexicon_of
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.understand.orders.amending import with_orders
from thinkaloud.understand.orders.known_orders import Orders
from thinkaloud.understand.orders.ordering import can_do, find_homeless
from thinkaloud.understand.orders.ruling import RuleReader, read_rule
from thinkaloud.understand.prompting.guided import tell_guidelines
from thinkaloud.worlds.contract import World
from thinkaloud.worlds.full_world import FullWorld

KILN = """
machine = "kiln"
compartment = "shelf"
additive = "glaze"
item = "pot"
prepare = "wipe the dust off"
start_place = "workbench"
dirty = "raw"
compartments = ["upper shelf", "lower shelf"]
additives = ["blue glaze", "clear glaze"]
items = [{kind = "vase", count = 3, belongs = "lower shelf"}, {kind = "bowl", count = 2, belongs = "upper shelf"}]
"""
POTTERY = read_guidelines(
    """
Options: Fire one vase in blue, Fire two vases
Instructions:
Fire one vase in blue
Material: blue glaze
Steps:
0) grasp the raw vase
1) wipe the dust off the vase
2) open the kiln
3) pull out the shelves
4) put the vase on the lower shelf
5) add blue glaze to the dispenser
6) close the kiln
7) start the kiln
8) return the vase
Fire two vases
Material: clear glaze
Steps:
0) grasp the first raw vase
1) wipe the dust off the vase
2) open the kiln
3) pull out the shelves
4) put the vase on the lower shelf
5) grasp the second raw vase
6) wipe the dust off the vase
7) put the vase on the lower shelf
8) add clear glaze to the dispenser
9) close the kiln
10) start the kiln
11) return all the vases
Available location we have now:
* lower shelf for vases
* upper shelf for bowls
Available material we have now: blue glaze, clear glaze
"""
)
_STEPS = "0) take an empty cup to the working area\n{}2) move the working cup to the finished location\n"
SNACKS = read_guidelines(
    "Options: Berry pot, Pearl pot, White pot, Almond milk dream\nInstructions:\n"
    + "Berry pot\nMaterial: strawberry jam\nSteps:\n"
    + _STEPS.format("1) add strawberry jam to the working cup\n")
    + "Pearl pot\nMaterial: boba\nSteps:\n"
    + _STEPS.format("1) add boba to the working cup\n")
    + "White pot\nMaterial: milk\nSteps:\n"
    + _STEPS.format("1) pour milk into the working cup\n")
    + "Almond milk dream\nMaterial: taro\nSteps:\n"
    + _STEPS.format("1) add taro to the working cup\n")
    + "Available material we have now: boba, strawberry jam, mango jam, matcha powder, taro, milk"
)
DRINKS = load_guidelines("drinks")


@pytest.fixture(scope="module")
def bar() -> World:
    return FullWorld(open_world("drinks"))


@pytest.fixture(scope="module")
def pottery() -> World:
    return FullWorld(open_world("dishwasher", scene=KILN))


def at(world: World, orders: Orders, request: str = "") -> Circumstances:
    scene = world.observe()
    lexicon = lexicon_of(world, scene, guidelines=tell_guidelines(orders.guidelines, request))
    return Circumstances(world, scene, lexicon, request=request, orders=orders)


def meant(program: str, world: World, orders: Orders) -> Meaning:
    return run_program(program, at(world, orders))


def grasped(meaning: Meaning) -> list[object]:
    return [value for step in meaning.deeds if step.skill == "grasp_pot" for value in step.arguments.values()]


# A kind with a word that describes it ---------------------------------------------------------------------------------


def test_a_word_that_the_skills_say_of_such_things_leaves_them_what_they_are(pottery: World) -> None:
    orders = Orders(POTTERY)
    assert grasped(meant('order("2 raw vase", "1 raw bowl")', pottery, orders)) == ["vase", "vase", "bowl"]
    assert grasped(meant('order("all raw vases")', pottery, orders)) == ["vase"] * 3
    both = Orders(POTTERY, earlier=('order("2 vase", "1 bowl")',))
    assert grasped(meant('change(no=["raw bowl"])', pottery, both)) == ["vase", "vase"]
    assert find_homeless('order("1 raw bowl")', at(pottery, orders)) == []


@pytest.mark.parametrize("name", ["golden vase", "dirty vase", "raw horse"])
def test_a_word_that_nobody_knows_stays_unknown(pottery: World, name: str) -> None:
    meaning = meant(f'order("1 {name}")', pottery, Orders(POTTERY))
    assert (meaning.sort, meaning.words) == ("refusal", f"There is no {name} here.")


# Steps in rules -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "rule", "made_out"),
    [
        ('end("stir the cup")', "Stir the cup before it goes out.", True),
        ('undo("throw the cup away")', "A wrong one: throw the cup away.", True),
        ('undo("discard it")', "Discard it when it is spoilt.", True),
        ('end("polish nothing")', "We polish nothing here.", False),
        ('undo("stir nothing")', "If in doubt, stir nothing.", False),
        ('end("polish the cup")', "Polish the cup in the end.", False),  # only the cup is known to the skills
        ('after("boba", "sing")', "Sing when the boba is in.", False),
        ('end("stir the cup")', "Be nice to people.", False),  # nobody spoke of it
    ],
)
def test_a_step_of_a_rule_is_one_that_the_robot_can_do(bar: World, call: str, rule: str, made_out: bool) -> None:
    found = read_rule(call, rule, DRINKS, lambda step: can_do(step, DRINKS, bar, bar.observe()))
    assert (found is not None) == made_out


def test_a_rule_with_a_step_that_nobody_can_do_is_told_and_not_kept_to(bar: World) -> None:
    ruled = read_guidelines(f"{DRINKS.text}\nRules:\n* Dust nothing in the end.\n* Milk comes last.\n")
    reader = RuleReader(Scripted(['end("dust nothing")\n', 'last("milk")\n']), ruled)
    asyncio.run(reader.read(lambda step: can_do(step, ruled, bar, bar.observe())))
    assert reader.unread == ("Dust nothing in the end.",) and reader.facts.end == ()
    made = meant('order("Boba milk")', bar, Orders(ruled, reader.facts, reader.unread))
    assert made.sort == "deeds" and any("Dust nothing in the end." in each for each in made.said)


# Material that was named ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "program", "meant_"),
    [
        ("A strawberry boba pot with milk.", 'order("strawberry")', 'order("strawberry", "boba", "milk")'),
        ("A matcha boba pot, please.", 'order("boba")', 'order("boba", "matcha powder")'),
        ("I'd love mango jam and milk in a cup.", 'order("mango jam")', 'order("mango jam", "milk")'),
        ("No, I said boba with matcha.", 'order("boba")', 'order("boba", "matcha powder")'),
        ("Boba, and don't forget the milk!", 'order("boba")', 'order("boba", "milk")'),
        ("Replace the boba with taro and milk.", 'order("taro")', 'order("taro", "milk")'),
        # what nobody wants
        ("Boba, hold the milk.", 'order("boba")', 'order("boba")'),
        ("Boba without any milk", 'order("boba")', 'order("boba")'),
        ("A milk-free boba pot", 'order("boba")', 'order("boba")'),
        ("Boba, but leave the milk out.", 'order("boba")', 'order("boba")'),
        ("Taro in place of milk, with boba.", 'order("taro", "boba")', 'order("taro", "boba")'),
        ("Swap the milk for taro.", 'order("taro")', 'order("taro")'),
        ("Boba but not the milk, nor the mango", 'order("boba", no=["milk"])', 'order("boba", no=["milk"])'),
        # what is another's, or a choice
        ("One almond milk dream.", 'order("Almond milk dream")', 'order("Almond milk dream")'),
        ("Some jam and boba.", 'order("boba")', 'order("boba")'),  # there are two of them
        ("Boba or taro, with milk.", 'order("boba", "milk")', 'order("boba", "milk")'),
        ("Put it at the working area.", 'order("boba")', 'order("boba")'),
    ],
)
def test_material_that_was_named_is_in_the_order(bar: World, request_: str, program: str, meant_: str) -> None:
    assert with_orders(program, request_, at(bar, Orders(SNACKS), request_)) == meant_


# Amid an order --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "meant_"),
    [
        ('scoop_boba_to_location("working area")', 'change("boba")'),
        ("scoop_boba_to_location()", 'change("boba")'),
        ('pour("working area", "mango jam")\npour("working area", "milk")', 'change("mango jam", "milk")'),
        ('pour("waste bin", "milk")', None),
        ('stir("working area")', None),
        ('scoop_boba_to_location("working area")\nstir("working area")', None),
        ('say("boba")', None),
    ],
)
def test_a_deed_that_material_needs_changes_the_order_under_way(bar: World, program: str, meant_: str | None) -> None:
    orders = Orders(SNACKS, earlier=('order("White pot")',), unfinished=True)
    assert with_orders(program, "That as well.", at(bar, orders)) == (meant_ or program)
    assert with_orders(program, "That as well.", at(bar, Orders(SNACKS))) == program
    if meant_ == 'change("boba")':
        deeds = meant(meant_, bar, orders).deeds
        assert {"scoop_boba_to_location", "pour"} <= {step.skill for step in deeds}
        assert deeds[-1].arguments == {"location": "finished location"}


@pytest.mark.parametrize(
    ("request_", "program", "meant_"),
    [
        ("And another, please.", 'order("1 vase")', 'change("1 vase")'),
        ("Oh, and two more raw vases.", 'order("2 raw vase")', 'change("2 raw vase")'),
        ("One more of them, in clear.", 'order("1 vase", "clear glaze")', 'change("1 vase", "clear glaze")'),
        ("Just one vase, please.", 'order("1 vase")', 'order("1 vase")'),
        ("One vase on another shelf.", 'order("1 vase")', 'order("1 vase")'),
        ("A vase, and no more.", 'order("1 vase")', 'order("1 vase")'),
        ("Another one: a bowl instead.", 'order("1 bowl")', 'order("1 bowl")'),
        ("Another bowl.", 'order("1 bowl")', 'order("1 bowl")'),
    ],
)
def test_one_more_is_added_to_the_order_under_way(pottery: World, request_: str, program: str, meant_: str) -> None:
    orders = Orders(POTTERY, earlier=('order("1 vase")',), unfinished=True)
    assert with_orders(program, request_, at(pottery, orders)) == meant_
    assert with_orders(program, request_, at(pottery, Orders(POTTERY, earlier=orders.earlier))) == program


def test_one_more_of_the_same_is_made_after_it(bar: World) -> None:
    orders = Orders(SNACKS, earlier=('order("boba", "milk")',), unfinished=True)
    program = with_orders('order("boba", "milk")', "Could I get another one of those?", at(bar, orders))
    assert program == 'change()\norder("boba", "milk")'
    made = [step.skill for step in meant(program, bar, orders).deeds]
    assert made.count("scoop_boba_to_location") == 2 and made.count("grasp_cup") == 4
    other = with_orders('order("taro")', "Another one, with taro.", at(bar, orders))
    assert other == 'order("taro")'


# So many of an option -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "program", "meant_"),
    [
        ("Two strawberry milks, please.", 'order("2 strawberry jam")', 'order("2 Strawberry milk")'),
        ("I'd like 3 boba milks.", 'order("3 boba", "3 milk")', 'order("3 Boba milk")'),
        ("Two boba milks and a pure milk.", 'order("2 boba", "1 milk")', 'order("2 Boba milk")\norder("Pure milk")'),
        ("Two portions of milk.", 'order("2 milk")', 'order("2 milk")'),  # no option is named
        ("Two boba milks or two pure milks?", 'order("2 boba")', 'order("2 boba")'),
        ("A boba milk.", 'order("boba", "milk")', 'order("boba", "milk")'),
    ],
)
def test_so_many_of_an_option_are_no_portions_of_what_is_in_it(
    bar: World, request_: str, program: str, meant_: str
) -> None:
    assert with_orders(program, request_, at(bar, Orders(DRINKS))) == meant_


def test_each_of_several_is_made_anew(bar: World) -> None:
    made = [step.words for step in meant('order("2 Strawberry milk")', bar, Orders(DRINKS)).deeds]
    assert made[: len(made) // 2] == made[len(made) // 2 :]
    assert made.count("Grasp the cup at the cup stack.") == 2

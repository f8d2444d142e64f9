"""Orders by guidelines: kinds with a word that describes them, steps in rules, several of one option."""

from __future__ import annotations

import asyncio

import pytest

from thinkaloud.guidelines import load_guidelines, read_guidelines
from thinkaloud.guidelines.orders import Orders, can_do
from thinkaloud.guidelines.rules import RuleReader, read_rule
from thinkaloud.guidelines.summary import tell_guidelines
from thinkaloud.models import Scripted
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.records import Meaning
from thinkaloud.robots import open_world
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.ordering import find_homeless
from thinkaloud.understand.meaning.running import run_program
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


def test_each_of_several_is_made_anew(bar: World) -> None:
    made = [step.words for step in meant('order("2 Strawberry milk")', bar, Orders(DRINKS)).deeds]
    assert made[: len(made) // 2] == made[len(made) // 2 :]
    assert made.count("Grasp the cup at the cup stack.") == 2

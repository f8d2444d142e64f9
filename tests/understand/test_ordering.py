"""Orders by guidelines: what is said is wanted and not wanted; recipe, steps, calls and what is done follow by code."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from said import question_of
from thinkaloud.guidelines import load_guidelines, read_guidelines
from thinkaloud.guidelines.orders import Orders
from thinkaloud.guidelines.remaining_steps import PlanRules
from thinkaloud.guidelines.summary import tell_guidelines
from thinkaloud.program.lexicon import Lexicon, lexicon_of
from thinkaloud.records import Meaning, Step
from thinkaloud.robots import open_world
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.ordering import find_homeless, wanted_of
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.worlds.contract import World
from thinkaloud.worlds.full_world import FullWorld

DRINKS, DISHES = load_guidelines("drinks"), load_guidelines("dishwashing")


def at(world: World, orders: Orders, kept: tuple[str, ...] = ()) -> Circumstances:
    scene = world.observe()
    lexicon = lexicon_of(world, scene, kept=kept, guidelines=tell_guidelines(orders.guidelines, ""))
    return Circumstances(world, scene, lexicon, orders=orders)


def meant(program: str, world: World, orders: Orders, kept: tuple[str, ...] = ()) -> Meaning:
    return run_program(program, at(world, orders, kept))


def calls(meaning: Meaning) -> list[tuple[object, ...]]:
    return [(step.skill, *step.arguments.values()) for step in meaning.deeds]


@pytest.fixture(scope="module")
def bar() -> World:
    return FullWorld(open_world("drinks"))


@pytest.fixture
def kitchen() -> World:
    return FullWorld(open_world("dishwasher"))


BEGIN = [("grasp_cup", "cup stack"), ("place_cup", "working area")]
FINISH = [("grasp_cup", "working area"), ("place_cup", "finished location")]
MILK = ("pour", "working area", "milk")
BOBA = ("scoop_boba_to_location", "working area")


def test_what_is_ordered_is_made_by_the_recipe_that_is_nearest(bar: World) -> None:
    taro = ("pour", "working area", "taro")
    made = calls(meant('order("taro", "boba")', bar, Orders(DRINKS)))
    assert made[:2] == BEGIN and {*made[2:4]} == {taro, BOBA} and made[4:] == [MILK, *FINISH]
    assert calls(meant('order("Boba milk")', bar, Orders(DRINKS))) == [*BEGIN, BOBA, MILK, *FINISH]
    assert calls(meant('order("boba milk", no=["milk"])', bar, Orders(DRINKS))) == [*BEGIN, BOBA, *FINISH]


def test_a_change_is_one_of_what_was_ordered_before(bar: World) -> None:
    orders = Orders(DRINKS, earlier=('order("Strawberry milk")', 'change("boba")'))
    made = calls(meant('change(no=["strawberry"])', bar, orders))
    assert made == [*BEGIN, BOBA, MILK, *FINISH]


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ('order("passion fruit")', "There is no passion fruit here."),
        ('order("2 milk")', "I cannot take 2 portions of milk."),
        ('order("Pure milk", no=["milk"])', "That leaves nothing to be done."),
    ],
)
def test_what_cannot_be_had_is_said(bar: World, program: str, why: str) -> None:
    meaning = meant(program, bar, Orders(DRINKS))
    assert (meaning.sort, meaning.words) == ("refusal", why)


def test_somebodys_own_rule_is_kept_to_or_the_order_is_declined(bar: World) -> None:
    told = meant('keep("milk")', bar, Orders(DRINKS))
    assert told.sort == "note" and told.kept == ("milk",)
    declined = meant('order("Boba milk")', bar, Orders(DRINKS), kept=("milk",))
    assert declined.sort == "refusal" and "leave the milk alone" in declined.words
    assert calls(meant('order("boba", no=["milk"])', bar, Orders(DRINKS), kept=("milk",))) == [*BEGIN, BOBA, *FINISH]


def test_rules_of_guidelines_are_kept_to_and_those_that_nobody_made_out_are_told(bar: World) -> None:
    facts = PlanRules(
        orders=((("milk",), ("others",)),), apart=(("boba", "taro"),), gone=("blueberry",), twice=("taro",)
    )
    orders = Orders(DRINKS, facts, unread=("Moon first.",))
    made = meant('order("Pure milk", "taro")', bar, orders)
    taro = ("pour", "working area", "taro")
    assert calls(made) == [*BEGIN, MILK, taro, taro, *FINISH] or calls(made)[2:4] == [MILK, taro]
    assert any("Moon first." in each for each in made.said)
    assert "not put together" in meant('order("boba", "taro")', bar, orders).words
    assert meant('order("blueberry")', bar, orders).words == "There is no blueberry here."


def test_what_is_begun_is_used_or_thrown_away() -> None:
    world = open_world("drinks")
    world.reset(1001)

    async def begin() -> None:
        for skill, *given in [*BEGIN, BOBA]:
            await world.skills[str(skill)].run(dict(zip(["location", "ingredient"], given, strict=False)))

    asyncio.run(begin())
    whole, orders = FullWorld(world), Orders(DRINKS)
    assert calls(meant('order("Boba milk")', whole, orders)) == [MILK, *FINISH]
    anew = calls(meant('order("Pure milk")', whole, orders))
    assert anew == [("grasp_cup", "working area"), ("place_cup", "waste bin"), *BEGIN, MILK, *FINISH]


def test_things_are_dealt_with_one_by_one_each_in_its_place(kitchen: World) -> None:
    orders = Orders(DISHES, homes={"knife": "first rack"})
    program = 'order("2 plate", "1 knife", "rose detergent")'
    assert find_homeless(program, at(kitchen, Orders(DISHES))) == ["knife"]
    assert "where this belongs: knife" in meant(program, kitchen, Orders(DISHES)).words
    made = calls(meant(program, kitchen, orders))
    put = [call[1:] for call in made if call[0] == "put_on_rack"]
    assert put == [("plate", "third rack"), ("plate", "third rack"), ("knife", "first rack")]
    assert ("add_detergent", "rose detergent") in made and made[-1] == ("return_utensils",)
    assert sum(call[0] == "open_dishwasher" for call in made) == 1
    assert calls(meant('order("all fork")', kitchen, orders)).count(("grasp_utensil", "fork")) > 1


def test_work_on_several_things_goes_on_from_what_was_done(kitchen: World) -> None:
    steps = (
        Step("grasp_utensil", {"utensil": "plate"}, "Grasp the next dirty plate."),
        Step("remove_particles", {}, "Remove large particles."),
        Step("open_dishwasher", {}, "Open the dishwasher."),
    )
    orders = Orders(DISHES, earlier=('order("1 plate")',), done=steps)
    made = calls(meant('change("1 plate")', kitchen, orders))
    assert made[0] == ("pull_out_racks",) and made.count(("grasp_utensil", "plate")) == 1
    refused = meant('order("1 fork")', kitchen, orders)
    assert refused.sort == "refusal" and "I cannot take it back" in refused.words


def test_things_that_were_not_wanted_and_then_are_get_all_their_steps(kitchen: World) -> None:
    plain = calls(meant('order("1 plate", "2 fork")', kitchen, Orders(DISHES)))
    orders = Orders(DISHES, earlier=('order("1 plate", "1 fork")', 'change(no=["forks"])'))
    assert calls(meant('change("2 fork")', kitchen, orders)) == plain
    assert calls(meant('change(exactly=["2 fork"])', kitchen, orders)) == plain
    none = calls(meant('change(no=["fork"])', kitchen, Orders(DISHES, earlier=('order("1 plate", "1 fork")',))))
    assert none == calls(meant('order("1 plate")', kitchen, Orders(DISHES)))


def test_steps_that_no_skill_is_for_are_said(bar: World) -> None:
    text = "Options: Cake\nInstructions:\nCake\nMaterial: flour\nSteps:\n0) knead flour\n1) bake it"
    assert "no skill" in meant('order("Cake")', bar, Orders(read_guidelines(text))).words


def test_orders_are_read_off_a_program() -> None:
    guided = Lexicon(guidelines=("Boba milk",))
    assert wanted_of('order("a", ["b"], no=["c"])\nchange(exactly=["2 d"])', guided) == [
        ("order", ["a", "b"], ["c"], []),
        ("change", [], [], ["2 d"]),
    ]
    assert wanted_of("order(", guided) == []


def test_without_guidelines_there_are_no_orders(bar: World) -> None:
    here = replace(at(bar, Orders(DRINKS)), orders=None)
    assert "no skill for that: order" in run_program('order("Boba milk")', here).words


TURNED = """\
Options: Boba taro cup, Taro boba cup, The taro, Taro
Instructions:
Boba taro cup
Material: boba, taro, milk
Steps:
0) take an empty cup to the working area
1) add boba to the working cup
2) pour taro into the working cup
3) pour milk into the working cup
4) move the working cup to the finished location
Taro boba cup
Material: taro, boba
Steps:
0) take an empty cup to the working area
1) pour taro into the working cup
2) add boba to the working cup
3) move the working cup to the finished location
The taro
Material: taro, milk
Steps:
0) take an empty cup to the working area
1) pour taro into the working cup
2) pour milk into the working cup
3) move the working cup to the finished location
Taro
Material: taro
Steps:
0) take an empty cup to the working area
1) pour taro into the working cup
2) move the working cup to the finished location
Available material we have now: boba, milk, taro
"""


def test_of_options_with_the_same_words_the_one_is_made_that_is_called_so(bar: World) -> None:
    orders = Orders(read_guidelines(TURNED))
    with_milk = {name: MILK in calls(meant(f'order("{name}")', bar, orders)) for name in orders.guidelines.options}
    assert with_milk == {"Boba taro cup": True, "Taro boba cup": False, "The taro": True, "Taro": False}
    assert MILK not in calls(meant('order("2 taro boba cup")', bar, orders))


def test_which_of_options_with_the_same_words_is_meant_is_asked(bar: World) -> None:
    orders = Orders(read_guidelines(TURNED))
    asked = meant('order("cup of taro and boba")', bar, orders)
    assert asked.sort == "question" and not asked.deeds
    assert question_of(asked).options == ("Boba taro cup", "Taro boba cup")


def test_one_of_something_and_several_are_not_asked_about(bar: World) -> None:
    some = "Options: Cup\nInstructions:\nCup\nMaterial: bobas, milk\nSteps:\n0) pour milk into the working cup\n"
    orders = Orders(read_guidelines(f"{some}Available material we have now: milk, boba, bobas"))
    assert meant('order("the boba")', bar, orders).sort != "question"

"""`A soda`: one of several that will do is chosen, by what is in view; or by what a model knows of the things there."""

from __future__ import annotations

import asyncio

import pytest

from said import question_of
from thinkaloud.agent import Agent
from thinkaloud.models import Scripted
from thinkaloud.records import End, Look, Meaning
from thinkaloud.understand.meaning.choosing import leaves_open
from thinkaloud_worlds.kitchen import Disturbs, Kitchen, KitchenScene, PlacedItem
from thinkaloud_worlds.kitchen.true_state import GONE

NEVER = "thinkaloud:confirm=never"


def kitchen(*here: str, **elsewhere: str) -> Kitchen:
    items = [PlacedItem(name, "counter") for name in here]
    items += [PlacedItem(name.replace("_", " "), where.replace("_", " ")) for name, where in elsewhere.items()]
    return Kitchen(KitchenScene(tuple(items), "counter"))


def told(world: Kitchen, request: str, *programs: str) -> tuple[End, Meaning]:
    agent = Agent(world, Scripted([*programs]), NEVER)
    end = asyncio.run(agent.run(request))
    meaning = agent.monologue.last(Meaning)
    assert meaning is not None
    return end, meaning


@pytest.mark.parametrize(
    ("noun", "request_", "is_left_open"),
    [
        ("soda", "Pick up a soda.", True),
        ("soda", "any nice cold soda, please", True),
        ("soda", "one of the sodas", True),
        ("chips", "some chips for me", True),
        ("soda", "the soda", False),
        ("soda", "Bring me that soda", False),
        ("soda", "all the sodas", False),
        ("soda", "some sodas", False),
        ("soda", "A soda is on the table. Throw the soda away.", False),
        ("soda", "a can of soda", False),
        ("soda", "bring me something cold", False),
    ],
)
def test_what_stands_before_a_noun_says_whether_any_will_do(noun: str, request_: str, is_left_open: bool) -> None:
    assert leaves_open(noun, request_) is is_left_open


def test_of_several_that_will_do_one_in_view_is_taken_and_nobody_is_asked() -> None:
    world = kitchen("lime soda", grapefruit_soda="table")
    end, meaning = told(world, "Pick up a soda.", 'pick_up("soda")')
    assert meaning.words == "I will pick up the lime soda." and end.result == "goal met"
    assert world.room.held == "lime soda"


def test_the_same_noun_is_the_same_thing_throughout() -> None:
    world = kitchen("grapefruit soda", lime_soda="table")
    _, meaning = told(world, "Open a drawer and put a soda into it.", 'open("drawer")\nstore("soda", "drawer")')
    assert meaning.words == "I will open the top drawer, then put the grapefruit soda in the top drawer."


def test_what_is_so_already_of_one_is_done_with_another() -> None:
    world = Kitchen(KitchenScene((PlacedItem("tea", "drawer cabinet"),), "drawer cabinet", open=("top drawer",)))
    _, meaning = told(world, "Open a drawer.", 'open("drawer")')
    assert meaning.words == "I will open the bottom drawer."


@pytest.mark.parametrize("request_", ["Pick up the soda.", "Pick up a soda for the table."])
def test_what_is_not_left_open_or_would_be_lost_is_asked_about(request_: str) -> None:
    _, meaning = told(kitchen("lime soda", grapefruit_soda="table"), request_, 'pick_up("soda")')
    assert question_of(meaning).text == "Which soda do you mean?"


def robbed() -> Kitchen:
    """Somebody takes away what the robot is about to pick up, once."""
    sodas = (PlacedItem("lime soda", "counter"), PlacedItem("grapefruit soda", "counter"))
    return Kitchen(KitchenScene(sodas, "counter", people=(Disturbs("takes", during="pick_up"),)))


def always(program: str) -> Scripted:
    return Scripted(lambda prompt: "give_up()" if "# Next" in prompt else program)


def test_where_the_chosen_one_is_gone_another_will_do() -> None:
    world = robbed()
    agent = Agent(world, always('pick_up("soda")'), NEVER)
    end = asyncio.run(agent.run("Pick up a soda."))
    assert world.room.places["lime soda"] == GONE
    assert end.result == "goal met" and world.room.held == "grapefruit soda", end.because


def test_what_was_named_is_not_exchanged_when_it_is_gone() -> None:
    world = robbed()
    agent = Agent(world, always('pick_up("lime soda")'), NEVER)
    end = asyncio.run(agent.run("Pick up a lime soda."))
    assert end.result == "failed" and "I could not do this: Find the lime soda." in end.because
    assert not world.room.held and not agent.monologue.in_task(Look)


# What a model knows ---------------------------------------------------------------------------------------------------

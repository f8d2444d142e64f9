"""`A soda`: one of several that will do is chosen, by what is in view; or by what a model knows of the things there."""

from __future__ import annotations

import asyncio

import pytest

from said import question_of
from thinkaloud.agent import Agent
from thinkaloud.models import Scripted
from thinkaloud.records import End, Look, Meaning, Refused
from thinkaloud.understand.lexicon import lexicon_of
from thinkaloud.understand.meaning.choosing import leaves_open
from thinkaloud.understand.meaning.common_sense import Unsettled, find_unsettled, settle
from thinkaloud.worlds.full_world import FullWorld
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


def unsettled(world: Kitchen, request: str, program: str) -> Unsettled | None:
    whole = FullWorld(world)
    scene = whole.observe()
    _, meaning = told(world, request, program, "give_up()")
    return find_unsettled(program, meaning, request, lexicon_of(whole, scene), scene)


@pytest.mark.parametrize(
    ("request_", "program", "word"),
    [
        ("Bring me a drink.", 'bring("drink")', "drink"),
        ("Bring me something to wipe with.", 'bring("rag")', "rag"),
        ("Bring me the drink.", 'bring("drink")', None),
        ("Bring me my rag.", 'bring("rag")', None),
        ("Pick up a coke.", 'pick_up("coke")', None),
    ],
)
def test_only_what_nobody_named_is_for_the_model_to_choose(request_: str, program: str, word: str | None) -> None:
    found = unsettled(kitchen("coke", "sponge"), request_, program)
    assert (None if found is None else found.word) == word


def test_the_model_is_asked_about_each_thing_in_view_and_a_no_is_a_no() -> None:
    world = kitchen("sponge", "coke", tea="table")
    scene = world.observe()
    refusal = Meaning('bring("drink")', "", Refused("declined", ""))
    open_ = Unsettled("drink", ("coke", "sponge", "tea"))

    def chosen(**yes: float) -> str | None:
        async def is_meant(program: str) -> float | None:
            return yes.get(program.split("'")[1])

        return asyncio.run(settle('bring("drink")', open_, refusal, scene, is_meant))

    assert chosen(coke=0.7, sponge=0.1, tea=0.9) == "bring('coke')", "what is in view comes first"
    assert chosen(coke=0.2, sponge=0.1, tea=0.9) == "bring('tea')"
    assert chosen(coke=0.4, sponge=0.1, tea=0.2) is None
    assert chosen() is None


def test_a_bare_noun_for_one_of_a_few_things_is_for_the_model_to_choose_even_out_of_sight() -> None:
    world = kitchen("sponge", coke="table")
    found = unsettled(world, "Bring drink.", 'bring("drink")')
    assert found is not None and found.word == "drink" and "coke" in found.things
    assert unsettled(world, "Bring my drink.", 'bring("drink")') is None

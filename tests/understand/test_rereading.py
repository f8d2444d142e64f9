"""What a request only tells of is not what it wants; what a model takes on its own for `something` is weighed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from thinkaloud.agent import Agent
from thinkaloud.models import Scripted
from thinkaloud.records import Act, Ask, Meaning, Refused, Step
from thinkaloud.understand.checking.telling_clauses import find_mentioned, split_told
from thinkaloud.understand.lexicon import lexicon_of
from thinkaloud.understand.meaning.common_sense import find_unsettled, settle
from thinkaloud.worlds.full_world import FullWorld
from thinkaloud_worlds.kitchen import Kitchen, KitchenScene, PlacedItem


def kitchen() -> Kitchen:
    items = (PlacedItem("tea", "table"), PlacedItem("apple", "table"), PlacedItem("sponge", "counter"))
    return Kitchen(KitchenScene(items, "table"))


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ("I dropped my tea, bring me something to mop it up with.", "I dropped my tea"),
        ("Get me something to eat, my apple is gone.", "my apple is gone"),
        ("Oh no, there is tea on the floor. Get something to wipe it.", "there is tea on the floor"),
        ("Bring me something else because I drank the tea.", "because I drank the tea"),
        ("The tea was cold, so get me something else.", "The tea was cold"),
        ("I would like the tea, and something to eat.", ""),
        ("Bring me the tea and an apple.", ""),
    ],
)
def test_what_only_tells_has_a_subject_of_its_own_and_wishes_for_nothing(request_: str, told: str) -> None:
    assert split_told(request_)[0].strip() == told


@pytest.mark.parametrize(
    ("request_", "things", "mentioned"),
    [
        ("I dropped my tea, bring me something to mop it up with.", ["tea"], ("tea",)),
        ("I dropped my tea, bring me something to mop it up with.", ["sponge"], ()),
        ("I left my tea on the table, bring it to me.", ["tea"], ()),  # nothing is left open
        ("I left my tea there. Bring me the tea and something to eat.", ["tea"], ()),
        ("I left my tea there. Bring it, and something to eat.", ["tea", "apple"], ()),
    ],
)
def test_what_is_only_told_of_is_not_what_is_wanted(request_: str, things: list[str], mentioned: tuple[str]) -> None:
    whole = FullWorld(kitchen())
    deeds = tuple(Step("bring", {"item": each}, f"Bring the {each} to you.") for each in things)
    meaning = Meaning("", "", Act(deeds))
    assert find_mentioned(meaning, request_, lexicon_of(whole, whole.observe())) == mentioned


def test_what_is_wanted_is_read_alone() -> None:
    request = "I dropped my tea, bring me something to mop it up with."

    def reads(prompt: str) -> str:
        return 'bring("tea")' if "I dropped" in prompt.splitlines()[-1] else 'bring("sponge")'

    world = kitchen()
    agent = Agent(world, Scripted(reads), "thinkaloud:confirm=never")
    end = asyncio.run(agent.run(request))
    assert end.result == "goal met" and world.room.places["sponge"] == "user" and world.room.places["tea"] == "table"


def test_where_that_names_nothing_either_a_person_is_asked_and_not_for_what_was_told_of() -> None:
    request = "I dropped my tea, bring me something to mop it up with."

    def reads(prompt: str) -> str:
        return 'bring("tea")' if "I dropped" in prompt.splitlines()[-1] else 'bring("mop")'

    agent = Agent(kitchen(), Scripted(reads), "thinkaloud:confirm=never")
    asyncio.run(agent.run(request))
    (asked,) = agent.monologue.in_task(Ask)
    assert asked.questions == ("Which item do you mean? (apple)",)


# Weighing -------------------------------------------------------------------------------------------------------------


def settled(request: str, program: str, opinions: Mapping[str, float], found: str = "") -> str | None:
    whole = FullWorld(kitchen())
    scene = whole.observe()
    handled = (Step("bring", {"item": program.split('"')[1]}, ""),)
    meaning = (
        Meaning(program, "", Act(handled))
        if handled[0].arguments["item"] != "snack"
        else Meaning(program, "", Refused("no such thing", "There is no snack here.", "snack"))
    )
    unsettled = find_unsettled(program, meaning, request, lexicon_of(whole, scene), scene, found)
    if unsettled is None:
        return None

    async def is_meant(written: str) -> float | None:
        return next(
            (value for name, value in opinions.items() if f"'{name}'" in written or f'"{name}"' in written), 0.01
        )

    return asyncio.run(settle(program, unsettled, meaning, scene, is_meant))


def test_something_in_view_is_left_for_what_is_far_likelier() -> None:
    program = 'bring("apple")'
    assert settled("Bring me something to mop up.", program, {"apple": 0.9, "sponge": 0.995}) == "bring('sponge')"
    assert settled("Bring me something to mop up.", program, {"apple": 0.9, "sponge": 0.92}) is None
    assert settled("Bring me something to mop up.", program, {"apple": 0.01, "tea": 0.9}) == "bring('tea')"
    assert settled("Bring me the apple.", program, {"apple": 0.1, "sponge": 0.995}) is None


def test_of_what_was_found_one_has_to_be_far_likelier_or_the_word_stays() -> None:
    there = {"apple": 0.95, "tea": 0.3}
    assert settled("Bring me the snack.", 'bring("snack")', there, "snack") == "bring('apple')"
    assert settled("Bring me the snack.", 'bring("apple")', there, "snack") is None
    assert settled("Bring me the snack.", 'bring("tea")', {"apple": 0.9, "tea": 0.85}, "snack") == "bring('snack')"
    assert settled("Bring me the snack.", 'bring("tea")', {"tea": 0.6}, "snack") == "bring('snack')"

"""`The drink on the counter`, said to a robot that was not there: it looks first, and then settles which is meant."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from thinkaloud.agent import Agent
from thinkaloud.models import Scripted
from thinkaloud.records import Ask, End, Look, Meaning, Started
from thinkaloud.skills import relation
from thinkaloud.understand.lexicon import lexicon_of
from thinkaloud.understand.meaning.placing import find_located, places_of, with_fitting_places
from thinkaloud.worlds.full_world import FullWorld
from thinkaloud_worlds.kitchen import Kitchen, KitchenScene, PlacedItem

NEVER = "thinkaloud:confirm=never"


def kitchen(start: str = "table", **places: str) -> Kitchen:
    items = [PlacedItem(name.replace("_", " "), where) for name, where in places.items()]
    return Kitchen(KitchenScene(tuple(items), start))


def reads(programs: dict[str, str]) -> Callable[[str], str]:
    """A model that writes a program for what was said, whatever the robot; it never knows a next step."""

    def answer(prompt: str) -> str:
        said = next((text for text in programs if f'"{text}"' in prompt.splitlines()[-1]), None)
        return "give_up()" if said is None else programs[said]

    return answer


def told(world: Kitchen, request: str, programs: dict[str, str]) -> tuple[End, Agent]:
    agent = Agent(world, Scripted(reads(programs)), NEVER)
    return asyncio.run(agent.run(request)), agent


def done(agent: Agent) -> list[str]:
    return [started.step.words for started in agent.monologue.in_task(Started)]


def located(request: str, program: str) -> tuple[str, str, str] | None:
    whole = FullWorld(kitchen())
    scene = whole.observe()
    found = find_located(request, program, places_of(whole, scene), lexicon_of(whole, scene))
    return None if found is None else (found.noun, found.place.name, found.rest)


@pytest.mark.parametrize(
    ("request_", "program", "found"),
    [
        ("Bring me the drink on the counter.", 'bring("coke")', ("drink", "counter", "Bring me the drink.")),
        (
            "Fetch a cold soda from the table, please",
            'bring("soda")',
            ("cold soda", "table", "Fetch a cold soda, please"),
        ),
        ("Take the can that lies on the counter away.", 'throw_away("can")', ("can", "counter", "Take the can away.")),
        ("the fruit I left in the top drawer", 'bring("fruit")', ("fruit", "top drawer", "the fruit")),
        ("Get me whatever is on the counter", "bring(items)", ("whatever", "counter", "Get me everything")),
        ("Bring something from the cabinet.", 'bring("tea")', ("something", "drawer cabinet", "Bring something.")),
        (
            "Put the can from the counter on the table.",
            'place("can", "table")',
            ("can", "counter", "Put the can on the table."),
        ),
        ("Bring chips from the counter.", 'bring("chips")', ("chips", "counter", "Bring chips.")),
        ("Bring me two sodas from the counter", "bring(sodas)", ("sodas", "counter", "Bring me two sodas")),
        # where something is brought to, where somebody is, and what is only told
        ("Put the coke on the table.", 'place("coke", "table")', None),
        ("Go to the counter.", 'go_to("counter")', None),
        ("I am sitting at the table, bring me a coke.", 'bring("coke")', None),
        ("I spilled my milk on the table, bring me a sponge.", 'bring("sponge")', None),
        ("Bring it from the counter.", 'bring("it")', None),
    ],
)
def test_what_is_told_apart_by_its_place_is_found_in_the_words(
    request_: str, program: str, found: tuple[str, str, str] | None
) -> None:
    assert located(request_, program) == found


@pytest.mark.parametrize(
    ("program", "fitting"),
    [
        ('bring([i for i in items if inside(i, "counter")])', "item_at(i, 'counter')"),
        ('say(on("apple", "top drawer"))', "inside('apple', 'top drawer')"),
        ('say(item_at("apple", "counter"))', 'item_at("apple", "counter")'),
        ('say(next_to("apple", "counter"))', 'next_to("apple", "counter")'),
        ('say(inside("apple", "moon"))', 'inside("apple", "moon")'),
    ],
)
def test_a_place_is_asked_by_the_relation_that_it_has(program: str, fitting: str) -> None:
    whole = FullWorld(kitchen())
    scene = whole.observe()
    assert fitting in with_fitting_places(program, places_of(whole, scene), lexicon_of(whole, scene))


def test_it_goes_and_looks_and_takes_what_is_there() -> None:
    world = kitchen(lime_soda="counter", grapefruit_soda="drawer cabinet", apple="counter")
    programs = {"Bring me the soda on the counter.": 'bring("soda")', "Bring me the soda.": 'bring("soda")'}
    end, agent = told(world, "Bring me the soda on the counter.", programs)
    first, second = agent.monologue.in_task(Meaning)
    assert (first.sort, first.words) == ("look", "I do not see which soda is at the counter; I go and look.")
    assert (second.sort, second.program) == ("deeds", "bring('lime soda')")
    assert done(agent) == ["Go to the counter.", "Pick up the lime soda.", "Bring the lime soda to you."]
    assert end.result == "goal met" and world.room.places["lime soda"] == "user"
    assert "I will bring the lime soda" in end.because and "counter" not in end.because


def test_where_several_are_there_it_asks_which_of_them() -> None:
    world = kitchen(lime_soda="counter", grapefruit_soda="counter", apple="counter")
    programs = {"Bring me the soda on the counter.": 'bring("soda")', "Bring me the soda.": 'bring("soda")'}
    _, agent = told(world, "Bring me the soda on the counter.", programs)
    assert agent.monologue.in_task(Ask)[0].questions == ("Which soda do you mean? (grapefruit soda / lime soda)",)


def test_of_several_that_will_do_it_takes_one_that_is_there() -> None:
    world = kitchen(lime_soda="counter", grapefruit_soda="table")
    programs = {"Bring me a soda from the counter.": 'bring("soda")', "Bring me a soda.": 'bring("soda")'}
    end, _ = told(world, "Bring me a soda from the counter.", programs)
    assert end.result == "goal met" and world.room.places["lime soda"] == "user"


def test_of_several_that_are_there_those_are_meant_and_none_that_comes_to_light_elsewhere() -> None:
    world = kitchen(lime_soda="counter", apple="counter", grapefruit_soda="counter", ginger_soda="drawer cabinet")
    request = "Throw away the sodas on the counter and go to the drawer cabinet."
    fewer = "Throw away the sodas and go to the drawer cabinet."
    program = 'throw_away(sodas)\ngo_to("drawer cabinet")'
    end, agent = told(world, request, {request: program, fewer: program})
    assert agent.monologue.in_task(Meaning)[-1].program.startswith("throw_away(['lime soda', 'grapefruit soda'])")
    assert end.result == "goal met" and world.room.places["lime soda"] == "trash"
    assert world.room.places["ginger soda"] == "drawer cabinet" and world.room.place == "drawer cabinet"


def test_where_nothing_is_there_it_says_so() -> None:
    world = kitchen(lime_soda="table")
    end, agent = told(
        world, "Bring me the soda on the counter.", {"Bring me the soda on the counter.": 'bring("soda")'}
    )
    assert (end.result, end.because) == ("declined", "I have looked: nothing is at the counter.")
    assert done(agent) == ["Go to the counter."]


def test_where_nothing_there_is_called_so_it_asks_about_what_is() -> None:
    world = kitchen("counter", apple="counter", sponge="counter", lime_soda="table")
    programs = {"Bring me the soda on the counter.": 'bring("soda")', "Bring me the soda.": 'bring("soda")'}
    _, agent = told(world, "Bring me the soda on the counter.", programs)
    assert agent.monologue.in_task(Ask)[0].questions == ("Which soda do you mean? (apple / sponge)",)
    assert not done(agent)


def test_a_drawer_is_opened_to_see_what_is_in_it() -> None:
    world = kitchen(tea="top drawer", apple="counter")
    program = 'place([i for i in items if inside(i, "top drawer")], "table")'
    request = "Take whatever is in the top drawer to the table."
    end, agent = told(world, request, {request: program})
    assert done(agent)[:2] == ["Go to the drawer cabinet.", "Open the top drawer."]
    assert end.result == "goal met" and world.room.places["tea"] == "table"


def test_a_question_about_a_place_is_answered_after_a_look() -> None:
    world = kitchen(tea="top drawer")
    program = 'say([i for i in items if inside(i, "top drawer")])'
    end, agent = told(world, "What is in the top drawer?", {"What is in the top drawer?": program})
    assert (end.result, end.because) == ("answered", "Tea.")
    assert agent.monologue.in_task(Meaning)[0].words == "I do not see what is in the top drawer; I go and look."


def test_what_was_looked_at_before_is_remembered() -> None:
    world = kitchen(lime_soda="counter", tea="table")
    agent = Agent(
        world, Scripted(reads({"Go": 'go_to("counter")', "Back": 'go_to("table")', "What is there?": ASKED})), NEVER
    )
    for request in ("Go", "Back", "What is there?"):
        end = asyncio.run(agent.run(request))
    assert end.because == "Lime soda." and not agent.monologue.in_task(Look)


ASKED = 'say([i for i in items if item_at(i, "counter")])'


def test_what_is_in_view_is_not_looked_for() -> None:
    world = kitchen("counter", lime_soda="counter", grapefruit_soda="table")
    programs = {"Bring me the soda on the counter.": 'bring("soda")', "Bring me the soda.": 'bring("soda")'}
    end, agent = told(world, "Bring me the soda on the counter.", programs)
    assert end.result == "goal met" and not agent.monologue.in_task(Look)


def test_a_thing_with_its_own_name_is_looked_for_there_first_and_then_elsewhere() -> None:
    world = kitchen(coke="drawer cabinet")
    end, agent = told(
        world, "Bring me the coke from the counter.", {"Bring me the coke from the counter.": 'bring("coke")'}
    )
    assert (
        agent.monologue.in_task(Meaning)[0].words == "I do not see whether the coke is at the counter; I go and look."
    )
    assert done(agent)[:2] == ["Go to the counter.", "Find the coke."]
    assert end.result == "goal met" and world.room.places["coke"] == "user"


def test_nothing_is_looked_for_where_the_robot_has_no_skill_for_what_is_wanted() -> None:
    request = "Polish the soda on the counter."
    end, agent = told(kitchen(lime_soda="counter"), request, {request: 'polish("soda")'})
    assert end.because == "I have no skill for that: polish." and not done(agent)


def test_what_has_to_be_so_to_see_a_place_is_declared_of_its_parameters() -> None:
    with pytest.raises(TypeError, match="`sight` takes"):

        @relation("{thing} is at {where}.", sight=lambda place: ())
        def is_at(thing: str, where: str) -> bool:
            """Whether it is there."""
            return False

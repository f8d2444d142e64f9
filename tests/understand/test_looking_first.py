"""What is asked about a place that the robot has not seen: it looks first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from thinkaloud.agent import Agent
from thinkaloud.models import Scripted
from thinkaloud.records import End, Look, Meaning, Started
from thinkaloud.skills import relation
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
        world,
        Scripted(reads({"To the counter": 'go_to("counter")', "Back": 'go_to("table")', "What is there?": ASKED})),
        NEVER,
    )
    for request in ("To the counter", "Back", "What is there?"):
        end = asyncio.run(agent.run(request))
    assert end.because == "Lime soda." and not agent.monologue.in_task(Look)


ASKED = 'say([i for i in items if item_at(i, "counter")])'


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

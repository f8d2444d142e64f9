"""What is asked about a place that the robot has not seen: it looks first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Annotated

import pytest

from thinkaloud.agent import Agent
from thinkaloud.clock import Clock, ManualClock
from thinkaloud.models import Scripted
from thinkaloud.records import Condition, End, Look, Meaning, Observation, Started
from thinkaloud.skills import Kind, Relation, Skill, condition_holds, relation, relations_of, skill, skills_of
from thinkaloud.worlds.contract import World
from thinkaloud_worlds.kitchen import Kitchen, KitchenScene, PlacedItem

NEVER = "thinkaloud:confirm=never"


def kitchen(start: str = "table", **places: str) -> Kitchen:
    items = [PlacedItem(name.replace("_", " "), where) for name, where in places.items()]
    return Kitchen(KitchenScene(tuple(items), start))


def reads(programs: dict[str, str]) -> Callable[[str], str]:
    """A model that writes a program for what was said, whatever the robot; it never knows a next step."""

    def answer(prompt: str) -> str:
        if prompt.splitlines()[-1].startswith("# which"):
            return programs.get("which", " none")
        said = next((text for text in programs if f'"{text}"' in prompt.splitlines()[-1]), None)
        return "give_up()" if said is None else programs[said]

    return answer


def told(world: World, request: str, programs: dict[str, str]) -> tuple[End, Agent]:
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
    assert (end.result, end.because) == ("answered", "Tea is in the top drawer.")
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
    assert end.because == "Lime soda is at the counter." and not agent.monologue.in_task(Look)


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


# What is not known to be anywhere -------------------------------------------------------------------------------------

Thing = Annotated[str, Kind("thing")]
Drawer = Annotated[str, Kind("drawer")]


class Bench:
    """A workbench with drawers: what is in one can only be named once it was seen there."""

    name = "bench"

    def __init__(self, **drawers: str) -> None:
        self.drawers, self.open, self.given = drawers, set[str](), set[str]()
        self.clock: Clock = ManualClock()
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)

    def observe(self) -> Observation:
        seen = ("hammer", *(each for drawer, each in self.drawers.items() if drawer in self.open))
        return Observation((*seen, *self.drawers), {"thing": seen, "drawer": tuple(self.drawers)})

    @skill("Open the {drawer} drawer.", effects=lambda drawer: (("opened", {"drawer": drawer}),))
    async def pull(self, drawer: Drawer) -> None:
        """Open a drawer."""
        self.open.add(drawer)

    @skill("Hand you the {thing}.", effects=lambda thing: (("handed", {"thing": thing}),))
    async def hand(self, thing: Thing) -> None:
        """Hand a thing over."""
        self.given.add(thing)

    @relation("{thing} is in the {drawer} drawer.", sight=lambda drawer: (("opened", {"drawer": drawer}),))
    def inside(self, thing: Thing, drawer: Drawer) -> bool:
        """Whether a thing is in a drawer."""
        return drawer in self.open and self.drawers[drawer] == thing

    @relation("The {drawer} drawer is open.")
    def opened(self, drawer: Drawer) -> bool:
        """Whether a drawer is open."""
        return drawer in self.open

    @relation("You have the {thing}.")
    def handed(self, thing: Thing) -> bool:
        """Whether a thing was handed over."""
        return thing in self.given

    def holds(self, condition: Condition) -> bool:
        return condition_holds(condition, self.relations)

    def reset(self, seed: int) -> None:
        pass

    def snapshot(self) -> bytes:
        return b""

    def restore(self, snapshot: bytes) -> None:
        pass


@pytest.mark.parametrize("program", ['hand("pliers")', 'hand(the("pliers"))', 'hand(any_of("pliers"))'])
def test_what_is_not_known_to_be_anywhere_is_looked_for_before_it_is_said_to_be_missing(program: str) -> None:
    bench = Bench(left="file", middle="pliers", right="saw")
    end, agent = told(bench, "Hand me the pliers.", {"Hand me the pliers.": program})
    assert done(agent) == ["Open the left drawer.", "Open the middle drawer.", "Hand you the pliers."]
    assert end.result == "goal met"


def test_what_is_nowhere_is_said_to_be_missing_after_a_look_at_each_place() -> None:
    bench = Bench(left="file", right="saw")
    end, agent = told(bench, "Hand me the pliers.", {"Hand me the pliers.": 'hand("pliers")'})
    assert done(agent) == ["Open the left drawer.", "Open the right drawer."]
    assert end.because.startswith("There is no pliers here.")


def test_a_question_opens_nothing() -> None:
    end, agent = told(Bench(left="file"), "Are there pliers?", {"Are there pliers?": 'say(handed("pliers"))'})
    assert end.because.startswith("There is no pliers here.") and not done(agent)


def test_a_robot_that_can_name_what_it_never_saw_looks_nowhere_for_what_it_cannot_name() -> None:
    request = "Bring me the milk."
    end, agent = told(kitchen(tea="top drawer"), request, {request: 'bring("milk")'})
    assert end.because.startswith("There is no milk here.") and not done(agent)


def test_what_a_description_means_is_found_where_it_was_never_seen() -> None:
    """Who needs something to wipe with gets the sponge from a drawer that was closed."""
    world = kitchen(sponge="bottom drawer", apple="table")
    request = "Bring me something to wipe with."
    programs = {request: 'bring(any_of("something to wipe with"))', "which": ' "sponge"'}
    end, _ = told(world, request, programs)
    assert end.result == "goal met" and world.room.places["sponge"] == "user"

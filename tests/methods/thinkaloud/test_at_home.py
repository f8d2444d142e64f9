"""Errands in a home, read rightly: what is done then is what was asked for, one deed after another."""

from __future__ import annotations

import asyncio

from thinkaloud.agent import Agent
from thinkaloud.models import Scripted
from thinkaloud.records import End, Meaning, Started
from thinkaloud_worlds.household import Household
from thinkaloud_worlds.household.home_graph import HomeEdge, HomeGraph, HomeNode

_HELD = ("GRABBABLE", "MOVABLE")


def home(*more: HomeNode) -> Household:
    """A bathroom with a tap, soap, two chairs and hands; and what else there is."""
    nodes = (
        HomeNode(1, "character", "Characters"),
        HomeNode(2, "bathroom", "Rooms"),
        HomeNode(10, "faucet", "Furniture", ("HAS_SWITCH",), ("OFF",)),
        HomeNode(11, "soap", "Props", _HELD, ()),
        HomeNode(12, "chair", "Furniture", ("SITTABLE", "SURFACES"), ()),
        HomeNode(13, "chair", "Furniture", ("SITTABLE", "SURFACES"), ()),
        HomeNode(14, "hands_both", "Furniture", ("BODY_PART",), ()),
        *more,
    )
    return Household(HomeGraph(nodes, tuple(HomeEdge(node.id, "INSIDE", 2) for node in nodes if node.id != 2)))


def done(world: Household, request: str, program: str) -> tuple[End, list[str], Meaning]:
    agent = Agent(world, Scripted([program, *["give_up()"] * 6]), "thinkaloud:confirm=never")
    end = asyncio.run(agent.run(request))
    meaning = agent.monologue.last(Meaning)
    assert meaning is not None
    return end, [each.step.words for each in agent.monologue.since(None, Started)], meaning


def hands(world: Household) -> str:
    return next(name for name in world.ids if name.startswith("hands"))


def test_what_is_not_dirty_is_washed_all_the_same() -> None:
    world = home()
    name = hands(world)
    _, steps, meaning = done(world, "Wash your hands.", f'grab("soap")\nwash("{name}")')
    assert f"Wash the {name}." in steps and "anyway" not in meaning.words


def test_what_ends_the_same_is_another_deed() -> None:
    plate = HomeNode(20, "plate", "Props", (*_HELD, "SURFACES"), ("DIRTY",))
    _, steps, _ = done(home(plate), "Scrub the plate, then rinse it.", 'scrub("plate")\nrinse("plate")')
    assert [each for each in steps if not each.startswith("Walk")] == ["Scrub the plate.", "Rinse the plate."]
    _, steps, _ = done(home(plate), "Wash the plate, really wash it.", 'wash("plate")\nwash("plate")')
    assert steps.count("Wash the plate.") == 1


def test_a_towel_rack_is_nothing_to_wipe_with_and_what_was_grabbed_first_is() -> None:
    rack = HomeNode(20, "towel_rack", "Props", _HELD, ())
    world = home(rack, HomeNode(21, "towel", "Props", _HELD, ()), HomeNode(22, "rag", "Props", _HELD, ()))
    program = f'grab("soap")\ngrab("towel")\nwipe("{hands(world)}")'
    _, steps, _ = done(world, "Take the soap and the towel, and wipe your hands.", program)
    assert steps[-1] == f"Wipe the {hands(world)}."
    assert not any("rack" in each or "rag" in each for each in steps)


def test_who_sits_down_elsewhere_sits_there_in_the_end() -> None:
    end, steps, _ = done(home(), "Sit on the chair, then on chair 2.", 'sit("chair")\nsit("chair 2")')
    assert end.result == "goal met" and len(steps) < 8
    assert steps[-1] == "Sit down on the chair 2."

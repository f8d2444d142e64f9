"""Somebody moves away, amid the grasp, what the robot was about to take: it looks for it and takes it then."""

from __future__ import annotations

import asyncio

from thinkaloud.agent import Agent
from thinkaloud.models import Scripted
from thinkaloud.records import Plan, Started
from thinkaloud_worlds.kitchen import Disturbs, Kitchen, KitchenScene, PlacedItem


def test_what_was_moved_away_is_not_grasped_at_again_but_looked_for() -> None:
    person = Disturbs("moves", during="pick_up", item="tea", to="counter")
    world = Kitchen(KitchenScene((PlacedItem("tea", "table"),), "table", people=(person,)))
    program = 'store("tea", "bottom drawer")'
    model = Scripted(lambda prompt: "give_up()" if prompt.endswith("# Next: ") else program)
    agent = Agent(world, model, "thinkaloud:confirm=never")
    end = asyncio.run(agent.run("Put the tea in the bottom drawer."))
    done = [started.step.words for started in agent.monologue.in_task(Started)]
    assert end.result == "goal met" and world.room.places["tea"] == "bottom drawer"
    at = done.index("Pick up the tea.")
    assert done[at + 1 : at + 3] == ["Find the tea.", "Pick up the tea."]


def test_what_is_declared_is_done_before_a_model_is_asked_what_may_help() -> None:
    person = Disturbs("closes", during="pick_up", drawer="bottom drawer")
    world = Kitchen(KitchenScene((PlacedItem("tea", "table"),), "table", people=(person,)))
    model = Scripted(lambda prompt: 'pick_up("tea")' if "# Failed" in prompt else 'store("tea", "bottom drawer")')
    agent = Agent(world, model, "thinkaloud:confirm=never")
    end = asyncio.run(agent.run("Put the tea in the bottom drawer."))
    done = [started.step.words for started in agent.monologue.in_task(Started)]
    assert end.result == "goal met" and world.room.places["tea"] == "bottom drawer"
    at = done.index("Put the tea in the bottom drawer.")  # the drawer is closed by then
    assert done[at + 1 : at + 3] == ["Drop the tea.", "Open the bottom drawer."]
    assert not any(plan.verbatim for plan in agent.monologue.in_task(Plan))

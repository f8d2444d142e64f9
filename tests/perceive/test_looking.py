"""Looking once, after each step, or with an eye on the goal."""

from __future__ import annotations

import asyncio

from thinkaloud.monologue import Monologue
from thinkaloud.perceive import Perceive
from thinkaloud.perceive.looking import LookAfterEachStep, LookOnce, WatchProgress
from thinkaloud.records import Observation, Plan, Request
from toyworld import ToyWorld


def seen(perceive: Perceive, monologue: Monologue) -> Observation | None:
    observation = asyncio.run(perceive.perceive(monologue))
    if observation is not None:
        monologue.append(observation)
    return observation


def test_looking_once_is_once_a_request() -> None:
    world = ToyWorld()
    monologue, look = Monologue(world.clock), LookOnce(world)
    monologue.append(Request("a"))
    assert seen(look, monologue) == world.observe()
    assert seen(look, monologue) is None
    monologue.append(Request("b"))
    assert seen(look, monologue) == world.observe()


def test_looking_after_each_step_always_looks() -> None:
    world = ToyWorld()
    monologue = Monologue(world.clock)
    assert seen(LookAfterEachStep(world), monologue) == seen(LookAfterEachStep(world), monologue) == world.observe()


def test_progress_is_what_holds_of_the_planners_own_goal() -> None:
    world = ToyWorld()
    monologue, watch = Monologue(world.clock), WatchProgress(world)
    up, away = world.condition("ball", "shelf"), world.condition("cup", "bin")
    monologue.append(Request("a"))
    observation = seen(watch, monologue)
    assert observation is not None
    assert observation.achieved == ()
    monologue.append(Plan("a", (up, away), ()))
    world.where["cup"] = "bin"
    observation = seen(watch, monologue)
    assert observation is not None
    assert observation.achieved == (away,)

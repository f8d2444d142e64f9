"""Looking once, after each step, with an eye on the goal, or more closely where that was ordered."""

from __future__ import annotations

import asyncio

import pytest

from thinkaloud.monologue import Monologue
from thinkaloud.perceive import Perceive
from thinkaloud.perceive.when_to_look import LookAfterEachStep, LookOnce, ScanOnOrder, WatchProgress
from thinkaloud.records import Look, Observation, Outcome, Plan, Record, Request, Resumed
from thinkaloud.worlds.contract import Scanning, find_ability
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


class Corner(ToyWorld):
    """A toy world with a marble that is found only by looking closely, and then stays known."""

    found = False
    scans = 0

    def observe(self) -> Observation:
        usual = super().observe()
        return Observation((*usual.objects, "marble"), usual.vocabulary) if self.found else usual

    def rescan(self) -> Observation:
        self.found, self.scans = True, self.scans + 1
        return self.observe()


def test_what_is_ordered_is_looked_at_more_closely_and_stays_known() -> None:
    world = Corner()
    assert find_ability(world, Scanning) is not None
    monologue, scan = Monologue(world.clock), ScanOnOrder(world)
    monologue.append(Request("a"))
    for closer in (False, True):
        observation = seen(scan, monologue)
        assert observation is not None
        assert ("marble" in observation.objects) is closer
        assert observation.achieved == ()
        monologue.append(Look("the marble is missing"))
    monologue.append(Request("b"))
    observation = seen(scan, monologue)
    assert observation is not None
    assert "marble" in observation.objects
    assert world.scans == 1


STEP = ToyWorld().step("paint", "ball")


@pytest.mark.parametrize(
    ("after", "scans"),
    [((), 1), ((Resumed("it had ended"),), 1), ((Outcome(STEP, "completed"),), 0), ((Request("b"),), 0)],
)
def test_an_order_holds_until_something_is_done_even_if_the_process_ends(after: tuple[Record, ...], scans: int) -> None:
    world = Corner()
    monologue = Monologue(world.clock)
    for record in (Request("a"), Look("the marble is missing"), *after):
        monologue.append(record)
    seen(ScanOnOrder(world), monologue)
    assert world.scans == scans


def test_a_world_that_cannot_be_looked_at_more_closely_is_looked_at_as_usual() -> None:
    world = ToyWorld()
    monologue = Monologue(world.clock)
    monologue.append(Request("a"))
    monologue.append(Look("the marble is missing"))
    observation = seen(ScanOnOrder(world), monologue)
    assert observation is not None
    assert observation.objects == world.observe().objects

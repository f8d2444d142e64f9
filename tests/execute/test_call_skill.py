"""Calling a skill: whatever goes wrong is an outcome in words."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from thinkaloud.clock import ManualClock
from thinkaloud.execute.skill import CallSkill
from thinkaloud.monologue import Monologue
from thinkaloud.pace import Pace, tick
from thinkaloud.records import Observation, Outcome, Request, Step, Stop
from toyworld import ToyWorld


def outcome(world: ToyWorld, step: Step, pace: Pace | None = None, scene: Observation | None = None) -> Outcome:
    monologue = Monologue(ManualClock())
    if scene is not None:
        monologue.append(scene)
    return asyncio.run(CallSkill(world).execute(step, monologue, pace or Pace()))


def test_a_skill_reports_in_its_own_words() -> None:
    world = ToyWorld()
    step = world.step("move", "ball", "shelf")
    assert outcome(world, step) == Outcome(step, "completed", "The ball is put down.")


def test_a_skill_without_a_report_completes_in_silence() -> None:
    world = ToyWorld()
    assert outcome(world, world.step("discard", "ball")).report == ""


def test_every_tick_of_the_skill_is_a_tick_of_the_pace() -> None:
    world, seen = ToyWorld(), list[int]()
    outcome(world, world.step("move", "ball", "shelf"), Pace(listeners=[lambda: seen.append(world.ticks)]))
    assert seen == list(range(1, 11))


@pytest.mark.parametrize(("message", "ticks"), [(Stop("no"), 1), (Request("no"), 1)])
def test_an_interrupted_skill_says_what_it_gave_way_to(message: Stop | Request, ticks: int) -> None:
    world = ToyWorld()
    result = outcome(world, world.step("move", "ball", "shelf"), Pace(hear=lambda: message))
    assert (result.ending, result.report, world.ticks) == ("interrupted", "no", ticks)


def test_a_skill_that_carries_on_after_errors_still_stops() -> None:
    world, tries = ToyWorld(), list[int]()

    async def stubborn(thing: str) -> str:
        for number in range(5):
            try:
                tries.append(number)
                await tick()
            except Exception:
                continue
        return "went on"

    world.skills = {**world.skills, "lift": replace(world.skills["lift"], function=stubborn)}
    result = outcome(world, world.step("lift", "ball"), Pace(hear=lambda: Stop("enough")))
    assert (result.ending, result.report, tries) == ("interrupted", "enough", [0])


def test_a_wrong_name_is_answered_with_what_there_is() -> None:
    world = ToyWorld()
    result = outcome(world, Step("mvoe", {}, "Mvoe."))
    assert result.ending == "failed"
    assert "Did you mean 'move'?" in result.report


def test_arguments_are_checked_against_the_scene_before_anything_moves() -> None:
    world = ToyWorld()
    only_the_cup = Observation(("cup",), {"object": ("cup",), "place": ("shelf",)})
    result = outcome(world, world.step("move", "ball", "shelf"), scene=only_the_cup)
    assert (result.ending, world.ticks) == ("failed", 0)
    assert "there is: cup" in result.report


@pytest.mark.parametrize("name", ["lift", "open"])
def test_an_exception_of_any_kind_is_a_failed_outcome(name: str) -> None:
    world = ToyWorld()
    assert outcome(world, world.step(name, "box")).ending == "failed"


def test_a_report_that_utf8_cannot_hold_is_made_writable() -> None:
    world = ToyWorld()

    async def lift(thing: str) -> str:
        return f"Lifted caf\udce9 {thing}."

    world.skills = {**world.skills, "lift": replace(world.skills["lift"], function=lift)}
    assert outcome(world, world.step("lift", "ball")).report == "Lifted caf? ball."

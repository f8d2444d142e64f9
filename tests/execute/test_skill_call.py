"""Calling a skill: whatever goes wrong is an outcome in words."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from boardworld import Board
from thinkaloud.clock import ManualClock
from thinkaloud.episode.ticks import Pace, tick
from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.monologue import Monologue
from thinkaloud.records import Observation, Outcome, Plan, Record, Request, Started, Step, Stop
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


def after_home(*records: Record, then: Step | None = None) -> Outcome:
    """What comes of a step (to grasp the pawn) when all this has been said before it."""
    board = Board()
    monologue = Monologue(ManualClock())
    for record in records:
        monologue.append(record)
    step = then or board.step("grasp", 0.1, 0.1)
    return asyncio.run(CallSkill(board).execute(step, monologue, Pace()))


HOME, GRASP = Board().step("home"), Board().step("grasp", 0.1, 0.1)
PLAN = Plan("Tidy up.", (), (HOME, GRASP))


def test_nothing_can_be_done_in_a_plan_after_its_last_step() -> None:
    result = after_home(PLAN, Started(HOME), Outcome(HOME, "completed"), Started(GRASP))
    assert (result.ending, result.report) == ("failed", "After 'Go home.' nothing can be done in the same plan.")


@pytest.mark.parametrize(
    "said",
    [
        (PLAN, Started(HOME), Outcome(HOME, "completed"), PLAN, Started(GRASP)),
        (PLAN, Started(HOME), Outcome(HOME, "failed"), Started(GRASP)),
        (PLAN, Started(HOME), Outcome(HOME, "interrupted"), Started(GRASP)),
        (PLAN, Started(GRASP), Outcome(GRASP, "completed"), Started(GRASP)),
        (Started(HOME), Outcome(HOME, "completed"), Started(GRASP)),
    ],
    ids=["in the next plan", "it failed", "it was interrupted", "it was another", "without a plan"],
)
def test_otherwise_work_goes_on(said: tuple[Record, ...]) -> None:
    assert after_home(*said).ending == "completed"


def test_the_last_step_itself_can_be_corrected() -> None:
    done = Outcome(HOME, "completed")
    assert after_home(PLAN, Started(HOME), done, Started(HOME, correcting=True), then=HOME).ending == "completed"


def test_a_report_that_utf8_cannot_hold_is_made_writable() -> None:
    world = ToyWorld()

    async def lift(thing: str) -> str:
        return f"Lifted caf\udce9 {thing}."

    world.skills = {**world.skills, "lift": replace(world.skills["lift"], function=lift)}
    assert outcome(world, world.step("lift", "ball")).report == "Lifted caf? ball."

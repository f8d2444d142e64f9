"""The success detector believes the world, not the skill."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from thinkaloud.clock import ManualClock
from thinkaloud.monologue import Monologue
from thinkaloud.records import Ending, Outcome, Step, Verdict
from thinkaloud.verify.effects import DetectSuccess
from toyworld import ToyWorld


def verdict(world: ToyWorld, step: Step, ending: Ending = "completed", report: str = "") -> Verdict:
    return asyncio.run(DetectSuccess(world).verify(Outcome(step, ending, report), Monologue(ManualClock())))


@pytest.mark.parametrize("ending", ["completed", "failed", "interrupted"])
def test_a_step_worked_if_its_effects_hold_whatever_it_reported(ending: Ending) -> None:
    world = ToyWorld()
    step = world.step("move", "ball", "shelf")
    assert not verdict(world, step, ending).ok
    world.where["ball"] = "shelf"
    assert verdict(world, step, ending).ok


def test_what_is_in_the_hand_has_not_arrived() -> None:
    world = ToyWorld()
    world.where["ball"], world.hand = "shelf", "ball"
    assert not verdict(world, world.step("move", "ball", "shelf")).ok


def test_a_failure_says_what_was_expected_and_what_is_not_so() -> None:
    world = ToyWorld()
    found = verdict(world, world.step("move", "ball", "shelf"), report="The ball slipped.")
    assert found.expected == "Ball is on the shelf."
    assert found.observed == "Not so: Ball is on the shelf."
    assert found.why == "The ball slipped."


@pytest.mark.parametrize(("ending", "ok"), [("completed", True), ("failed", False), ("interrupted", False)])
def test_a_skill_that_declares_no_effects_is_taken_at_its_word(ending: Ending, ok: bool) -> None:
    world = ToyWorld()
    assert verdict(world, world.step("paint", "box"), ending).ok is ok


def test_what_a_predefined_check_finds_is_why_a_step_did_not_work() -> None:
    world = ToyWorld()
    step = world.step("show", "cup")
    assert verdict(world, step).ok
    world.slips = 1
    found = verdict(world, step, report="The cup is held up.")
    assert not found.ok
    assert found.why == found.observed == "The gripper let go of the cup."


def test_a_check_that_is_content_makes_no_success_of_a_failure() -> None:
    world = ToyWorld()
    assert not verdict(world, world.step("show", "cup"), "interrupted", "you said stop").ok


def test_a_check_can_find_fault_although_the_effects_hold() -> None:
    world = ToyWorld()
    world.skills = {"move": replace(world.skills["move"], check=lambda thing, place: f"The {thing} is dented.")}
    world.where["ball"] = "shelf"
    found = verdict(world, world.step("move", "ball", "shelf"))
    assert (found.ok, found.why, found.expected) == (False, "The ball is dented.", "Ball is on the shelf.")


@pytest.mark.parametrize("part", ["check", "effects"])
def test_a_fault_in_the_builders_own_check_is_a_verdict_and_no_crash(part: str) -> None:
    def broken(thing: str, place: str) -> str:
        raise KeyError(thing)

    world = ToyWorld()
    changed: dict[str, Any] = {part: broken}
    world.skills = {"move": replace(world.skills["move"], **changed)}
    found = verdict(world, world.step("move", "ball", "shelf"), report="It is there.")
    assert (found.ok, found.observed, found.why) == (False, "Cannot be checked: KeyError: 'ball'", "It is there.")


@pytest.mark.parametrize(
    "step",
    [
        Step("fly", {}, "Fly."),
        Step("move", {"thing": "moon", "place": "shelf"}, "Move the moon to the shelf."),
        Step("move", {"speed": 3}, "Move fast."),
    ],
)
def test_a_step_that_makes_no_sense_did_not_work_and_that_is_no_crash(step: Step) -> None:
    assert not verdict(ToyWorld(), step, "failed", "no").ok

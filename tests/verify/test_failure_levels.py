"""Two levels of failure: the primitive said so itself, or the state is not what the step was for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from boardworld import Board
from knotworld import Knots
from thinkaloud.clock import ManualClock
from thinkaloud.monologue import Monologue
from thinkaloud.records import Ending, Outcome, Record, Started, Step, Verdict, WorldState
from thinkaloud.verify.failure_levels import TwoLevels
from thinkaloud.worlds import World
from toyworld import ToyWorld

ENDINGS: tuple[Ending, ...] = ("completed", "failed", "interrupted")


def verdict(
    world: World, step: Step, ending: Ending = "completed", report: str = "", before: Sequence[Record] = ()
) -> Verdict:
    monologue = Monologue(ManualClock())
    for record in before:
        monologue.append(record)
    return asyncio.run(TwoLevels(world).verify(Outcome(step, ending, report), monologue))


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_step_worked_if_its_effects_hold_whatever_it_reported(ending: Ending) -> None:
    world = ToyWorld()
    world.where["ball"] = "shelf"
    found = verdict(world, world.step("move", "ball", "shelf"), ending, "no")
    assert (found.ok, found.expected, found.observed, found.why) == (True, "Ball is on the shelf.", "", "")


@pytest.mark.parametrize("ending", ["failed", "interrupted"])
def test_what_the_primitive_says_itself_is_the_low_level(ending: Ending) -> None:
    world = ToyWorld()
    found = verdict(world, world.step("move", "ball", "shelf"), ending, "The ball is stuck.")
    assert (found.ok, found.level, found.why, found.observed) == (False, "action", "The ball is stuck.", "")
    assert found.expected == "Ball is on the shelf."
    assert verdict(world, world.step("move", "ball", "shelf"), ending).why == ending


def test_what_was_carried_out_and_is_not_so_is_the_high_level() -> None:
    world = ToyWorld()
    found = verdict(world, world.step("move", "ball", "shelf"), report="The ball is put down.")
    assert (found.ok, found.level) == (False, "plan")
    assert found.expected == "Ball is on the shelf."
    assert found.observed == "Not so: Ball is on the shelf."
    assert found.why == "The ball is put down."


def test_what_a_check_finds_is_the_low_level_whether_or_not_the_effects_hold() -> None:
    world = ToyWorld()
    world.slips = 1
    found = verdict(world, world.step("show", "cup"), report="The cup is held up.")
    assert (found.ok, found.level, found.why) == (False, "action", "The gripper let go of the cup.")
    world.skills = {"move": replace(world.skills["move"], check=lambda thing, place: f"The {thing} is dented.")}
    for place in ("floor", "shelf"):
        found = verdict(world, world.step("move", "ball", place))
        assert (found.ok, found.level, found.why) == (False, "action", "The ball is dented.")
    found = verdict(world, world.step("move", "ball", "shelf"), "failed", "It is stuck.")
    assert found.why == "It is stuck. The ball is dented."


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_skill_that_declares_no_effects_is_taken_at_its_word(ending: Ending) -> None:
    world = ToyWorld()
    found = verdict(world, world.step("paint", "box"), ending, "Dry.")
    assert found.ok == (ending == "completed") and found.level == "action"


def test_an_unknown_skill_failed_on_the_low_level() -> None:
    found = verdict(ToyWorld(), Step("fly", {}, "Fly."), "failed", "There is no skill 'fly'.")
    assert (found.ok, found.level, found.why) == (False, "action", "There is no skill 'fly'.")


@pytest.mark.parametrize("part", ["check", "effects"])
def test_a_fault_in_the_builders_own_code_is_a_verdict_and_no_crash(part: str) -> None:
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
        Step("move", {"thing": "moon", "place": "shelf"}, "Move the moon to the shelf."),
        Step("move", {"speed": 3}, "Move fast."),
    ],
)
def test_a_step_that_makes_no_sense_did_not_work_and_that_is_no_crash(step: Step) -> None:
    found = verdict(ToyWorld(), step, "failed", "no")
    assert not found.ok and found.observed.startswith("Cannot be checked: ")


# The difference, in words ---------------------------------------------------------------------------------------------


def test_it_says_what_is_seen_of_the_robot_itself_instead() -> None:
    world = Knots()
    world.open = ["loop", "sling"]
    found = verdict(world, world.step("bow"), report="The bow was pulled.")
    assert found.level == "plan"
    assert found.observed == "Not so: The bow is undone. The loop is undone. The sling is undone."


def test_it_says_what_is_different_from_what_the_skill_foresaw() -> None:
    board = Board()
    seen = board.observe()
    grasp = board.step("grasp", 0.1, 0.1)
    board.skills = {
        **board.skills,
        "grasp": replace(board.skills["grasp"], effects=lambda x, y: (("held", {"object": "pawn"}),)),
    }
    board.where["queen"] = (0.7, 0.7)
    found = verdict(board, grasp, report="Closed the hand.", before=[seen, Started(grasp)])
    assert (found.ok, found.level) == (False, "plan")
    assert found.observed == "Not so: Pawn is in the hand. queen: x = 0.7. queen: y = 0.7."
    found = verdict(board, grasp, report="Closed the hand.", before=[Started(grasp)])
    assert found.observed == "Not so: Pawn is in the hand.", "nobody looked before it"


def test_what_is_said_twice_is_said_once() -> None:
    board = Board()
    promised = (("held", {"object": "pawn"}), ("held", {"object": "pawn"}))
    board.skills = {**board.skills, "wave": replace(board.skills["wave"], effects=lambda: promised)}
    board.hand = "queen"
    found = verdict(board, board.step("wave"))
    assert found.observed == "Not so: Pawn is in the hand. Queen is in the hand."
    assert found.expected == "Pawn is in the hand."


def test_where_the_difference_cannot_be_told_it_is_still_the_plan_that_failed() -> None:
    def broken(state: WorldState, x: float, y: float) -> WorldState:
        raise KeyError("oops")

    board = Board()
    grasp, seen = board.step("grasp", 0.1, 0.1), board.observe()
    held = replace(board.skills["grasp"], effects=lambda x, y: (("held", {"object": "pawn"}),), remembers=broken)
    board.skills = {**board.skills, "grasp": held}
    found = verdict(board, grasp, report="Closed the hand.", before=[seen, Started(grasp)])
    assert (found.ok, found.level, found.observed) == (False, "plan", "Not so: Pawn is in the hand.")

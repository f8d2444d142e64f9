"""HiCRISP's low level: what a skill puts right by itself, by what is predefined, within the step."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkaloud.clock import ManualClock
from thinkaloud.episode.ticks import Pace, tick
from thinkaloud.errors import SkillError
from thinkaloud.execute.skill_call import TRIED, CallSkill
from thinkaloud.monologue import Monologue
from thinkaloud.records import Fix, Observation, Outcome, Request, Stop
from thinkaloud.skills import Skill
from thinkaloud.skills.self_repair import NOTHING_TO_DO, SO_ALREADY, may_fix
from toyworld import ToyWorld

LID, GRIP = "The box is shut.", "The gripper let go of the cup."
LIFTED = "Lifted the lid."


class Workshop(ToyWorld):
    """`lids` is how often the box has to be opened before something can be moved; `loose` how often a grip is lost."""

    lids = loose = 0

    def __init__(self) -> None:
        super().__init__()
        self.fixed = list[tuple[str, Mapping[str, Any]]]()
        move, show = self.skills["move"], self.skills["show"]
        self.skills: Mapping[str, Skill] = {
            **self.skills,
            "move": replace(move, preconditions=(self.shut,), fix=self.open_up),
            "show": replace(show, check=self.lost, fix=self.tighten),
        }

    def shut(self, observation: Observation, **_: Any) -> str | None:
        return LID if self.lids > 0 else None

    def lost(self, thing: str) -> str | None:
        return GRIP if self.loose > 0 else None

    async def open_up(self, problem: str, **arguments: Any) -> str:
        self.fixed.append((problem, arguments))
        self.lids -= 1
        return LIFTED

    async def tighten(self, problem: str, **arguments: Any) -> str:
        self.fixed.append((problem, arguments))
        self.loose -= 1
        return ""


def outcome(world: ToyWorld, name: str, *values: str, fixes: int = 3, pace: Pace | None = None) -> Outcome:
    step = world.step(name, *values)
    return asyncio.run(CallSkill(world, fixes).execute(step, Monologue(ManualClock()), pace or Pace()))


def test_a_failed_precondition_is_given_to_the_fix_and_the_step_goes_on() -> None:
    world = Workshop()
    world.lids = 2
    result = outcome(world, "move", "cup", "shelf")
    assert (result.ending, result.report) == ("completed", "The cup is put down.")
    assert result.fixes == (Fix(LID, LIFTED), Fix(LID, LIFTED))
    assert world.fixed == [(LID, {"thing": "cup", "place": "shelf"})] * 2
    assert world.where["cup"] == "shelf"


def test_what_a_check_finds_is_given_to_the_fix_until_it_is_content() -> None:
    world = Workshop()
    world.loose = 2
    result = outcome(world, "show", "cup")
    assert (result.ending, world.loose) == ("completed", 0)
    assert result.fixes == (Fix(GRIP, "Put right."), Fix(GRIP, "Put right."))


def test_where_no_fixes_are_allowed_all_is_as_without_them() -> None:
    world = Workshop()
    world.lids = world.loose = 1
    world.where["ball"] = "shelf"
    assert outcome(world, "move", "cup", "shelf", fixes=0) == Outcome(
        world.step("move", "cup", "shelf"), "failed", LID, begun=False
    )
    assert outcome(world, "show", "cup", fixes=0).ending == "completed"
    world.lids = 0
    assert outcome(world, "move", "ball", "shelf", fixes=0).report == "The ball is put down."
    assert world.fixed == [] and world.ticks == 10


@given(most=st.integers(1, 4), lids=st.integers(0, 6))
def test_no_more_are_tried_than_are_allowed(most: int, lids: int) -> None:
    world = Workshop()
    world.lids = lids
    result = outcome(world, "move", "cup", "shelf", fixes=most)
    assert len(result.fixes) == len(world.fixed) == min(most, lids)
    assert (result.ending, result.report) == (
        ("completed", "The cup is put down.") if lids <= most else ("failed", LID)
    )


def test_a_check_that_is_never_content_has_its_turns_and_no_more() -> None:
    world = Workshop()
    world.loose = 100
    result = outcome(world, "show", "cup", fixes=2)
    assert (result.ending, len(result.fixes), world.loose) == ("completed", 2, 98)


# What is so already ---------------------------------------------------------------------------------------------------


def test_what_is_so_already_is_not_done() -> None:
    world = Workshop()
    world.where["cup"] = "shelf"
    result = outcome(world, "move", "cup", "shelf")
    assert (result.ending, result.report, world.ticks) == ("completed", f"{SO_ALREADY} {NOTHING_TO_DO}", 0)
    assert result.fixes == (Fix(SO_ALREADY, NOTHING_TO_DO),)


def test_what_is_so_already_needs_no_fix_either() -> None:
    world = Workshop()
    world.where["cup"], world.lids = "shelf", 1
    assert outcome(world, "move", "cup", "shelf").fixes == (Fix(SO_ALREADY, NOTHING_TO_DO),)
    assert world.fixed == []


def test_a_skill_that_promises_nothing_is_always_done() -> None:
    world = Workshop()
    assert outcome(world, "show", "cup").report == "The cup is held up."


@pytest.mark.parametrize("part", ["effects", "holds"])
def test_where_it_cannot_be_told_what_is_so_the_step_is_done(part: str) -> None:
    def broken(*given: Any, **more: Any) -> Any:
        raise KeyError("oops")

    world = Workshop()
    if part == "effects":
        world.skills = {**world.skills, "move": replace(world.skills["move"], effects=broken)}
    else:
        world.holds = broken  # type: ignore[method-assign]
    assert outcome(world, "move", "cup", "shelf").report == "The cup is put down."


def test_arguments_that_are_not_here_are_refused_before_anything_is_fixed() -> None:
    world = Workshop()
    world.lids = 1
    step = replace(world.step("move", "cup", "shelf"), arguments={"thing": "moon", "place": "shelf"})
    result = asyncio.run(CallSkill(world, 3).execute(step, Monologue(ManualClock()), Pace()))
    assert result.ending == "failed" and "There is no object 'moon'" in result.report
    assert world.fixed == [] and result.fixes == ()


# Fixes that go wrong --------------------------------------------------------------------------------------------------


def fixing_with(world: Workshop, fix: Any, name: str = "move") -> Workshop:
    world.skills = {**world.skills, name: replace(world.skills[name], fix=fix)}
    return world


def test_a_fix_that_fails_is_told_with_the_problem_it_was_for() -> None:
    async def stuck(problem: str, **_: Any) -> str:
        raise SkillError("The lid is stuck.")

    world = fixing_with(Workshop(), stuck)
    world.lids = 1
    result = outcome(world, "move", "cup", "shelf")
    assert (result.ending, result.report) == ("failed", f"{LID} {TRIED} The lid is stuck.")
    assert result.fixes == (Fix(LID, TRIED),)


def test_a_fix_that_is_broken_code_is_an_outcome_and_no_crash() -> None:
    async def broken(problem: str, **_: Any) -> str:
        raise ZeroDivisionError("division by zero")

    world = fixing_with(Workshop(), broken, "show")
    world.loose = 1
    result = outcome(world, "show", "cup")
    assert (result.ending, result.report) == ("failed", "show raised ZeroDivisionError: division by zero")
    assert result.fixes == (Fix(GRIP, TRIED),)


@pytest.mark.parametrize("message", [Stop("enough"), Request("enough")])
def test_a_fix_is_interrupted_like_the_skill_itself(message: Stop | Request) -> None:
    async def slow(problem: str, **_: Any) -> str:
        for _i in range(3):
            from thinkaloud.episode.ticks import safe_point

            safe_point()
            await tick()
        return "too late"

    world = fixing_with(Workshop(), slow)
    world.lids = 1
    result = outcome(world, "move", "cup", "shelf", pace=Pace(hear=lambda: message))
    assert (result.ending, result.report, world.ticks) == ("interrupted", "enough", 0)
    assert result.fixes == (Fix(LID, TRIED),)


def test_what_the_fix_says_is_made_writable() -> None:
    async def odd(problem: str, **_: Any) -> str:
        world.lids -= 1
        return "Lifted caf\udce9."

    world = fixing_with(Workshop(), odd)
    world.lids = 1
    assert outcome(world, "move", "cup", "shelf").fixes == (Fix(LID, "Lifted caf?."),)


def test_the_precondition_is_held_against_a_new_look_after_the_fix() -> None:
    class Watching(Workshop):
        looks = 0

        def observe(self) -> Observation:
            self.looks += 1
            return super().observe()

    world = Watching()
    world.lids = 1
    outcome(world, "move", "cup", "shelf")
    assert world.looks == 2  # there was none in the monologue, and one after the fix


# What a skill mends on its way ----------------------------------------------------------------------------------------


@given(most=st.integers(0, 3), slips=st.integers(0, 5))
def test_what_a_skill_mends_by_itself_is_told_and_counts_with_the_rest(most: int, slips: int) -> None:
    async def careful(thing: str, place: str) -> str:
        tries = 1
        while tries <= slips:
            if not may_fix("It slipped.", "Look again and grasp it once more.", looked=True):
                raise SkillError("It slipped.")
            tries += 1
        return f"Moved at try {tries}."

    world = Workshop()
    world.lids = 1 if most else 0
    world.skills = {**world.skills, "move": replace(world.skills["move"], function=careful)}
    result = outcome(world, "move", "cup", "shelf", fixes=most)
    left = most - (1 if most else 0)
    assert len(result.fixes) <= most
    assert [fix.looked for fix in result.fixes[1 if most else 0 :]] == [True] * min(slips, left)
    assert result.ending == ("completed" if slips <= left else "failed")


def test_a_fix_that_mends_something_itself_stays_within_the_bound() -> None:
    async def thorough(problem: str, **_: Any) -> str:
        while may_fix("The lid jams.", "Shake it."):
            pass
        world.lids -= 1
        return LIFTED

    world = fixing_with(Workshop(), thorough)
    world.lids = 1
    result = outcome(world, "move", "cup", "shelf", fixes=3)
    assert result.ending == "completed"
    assert result.fixes == (Fix(LID, LIFTED), Fix("The lid jams.", "Shake it."), Fix("The lid jams.", "Shake it."))

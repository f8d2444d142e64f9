from __future__ import annotations

import asyncio
import threading
import types
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

import pytest

from robot_skills import SCENE, SKILLS, Robot, Thing, hands_full
from thinkaloud.errors import SkillError
from thinkaloud.records import Condition, Observation, Step
from thinkaloud.skills import Kind, relation, relations_of, skill, skills_of


def module_of(*functions: Callable[..., Any]) -> types.ModuleType:
    module = types.ModuleType("arm")
    for function in functions:
        setattr(module, function.__name__, function)
    return module


def test_only_marked_methods_are_skills() -> None:
    assert set(SKILLS) == {"put", "pour", "say"}
    assert set(relations_of(Robot())) == {"on"}


def test_the_functions_of_a_module_can_be_skills_too() -> None:
    async def wave() -> None:
        """Wave."""

    assert list(skills_of(module_of(skill("Wave.")(wave), len))) == ["wave"]


def test_two_skills_cannot_be_said_in_the_same_words() -> None:
    @skill("Take the {thing}.")
    async def take(thing: Thing) -> None:
        """Take it."""

    @skill("Take the {what}.")
    async def grab(what: Thing) -> None:
        """Grab it."""

    @skill("Take the {tool}.")
    async def fetch(tool: Annotated[str, Kind("tool")]) -> None:
        """Fetch a tool."""

    assert len(skills_of(module_of(take, fetch))) == 2
    with pytest.raises(TypeError, match="take and grab have the same sentence"):
        skills_of(module_of(take, grab))


def test_each_robot_has_skills_of_its_own() -> None:
    one, other = Robot(), Robot()
    asyncio.run(skills_of(one)["put"].run({"thing": "cup", "target": "tray"}))
    assert (one.put_down, other.put_down) == (["cup"], [])


# Skills and relations at work -----------------------------------------------------------------------------------------


def seen(*objects: str) -> Observation:
    return Observation(objects, SCENE)


def test_a_step_says_what_it_does_and_why() -> None:
    step = SKILLS["put"].step({"thing": "cup", "target": "tray"}, "you asked")
    assert step == Step("put", {"thing": "cup", "target": "tray"}, "Put the cup on the tray.", "you asked")


def test_a_relation_becomes_a_condition() -> None:
    on = relations_of(Robot())["on"]
    words = "The cup is on the tray."
    assert on.condition({"thing": "cup", "target": "tray"}) == Condition(
        "on", {"thing": "cup", "target": "tray"}, words
    )
    assert on.holds("cup", "tray") is False


def test_preconditions_refuse_with_their_reason() -> None:
    arguments = {"thing": "the cup", "target": "tray"}
    assert SKILLS["put"].refuse(arguments, seen()) == {"thing": "cup", "target": "tray"}
    with pytest.raises(SkillError, match="The hand is full"):
        SKILLS["put"].refuse(arguments, seen("held block"))


def test_a_fault_in_a_precondition_is_a_refusal_and_no_crash() -> None:
    def broken(observation: Observation, **_: Any) -> str | None:
        raise KeyError("gripper")

    broken_put = replace(SKILLS["put"], preconditions=(broken,))
    with pytest.raises(SkillError, match="put: a precondition raised KeyError: 'gripper'"):
        broken_put.refuse({"thing": "cup", "target": "tray"}, seen())


def test_arguments_are_checked_before_preconditions() -> None:
    with pytest.raises(SkillError, match="no thing 'moon'"):
        SKILLS["put"].refuse({"thing": "moon", "target": "tray"}, seen("held block"))


def test_a_coroutine_runs_here_and_a_plain_function_in_a_thread() -> None:
    robot = Robot()
    skills = skills_of(robot)
    assert asyncio.run(skills["put"].run({"thing": "cup", "target": "tray"})) == "cup is down"
    assert asyncio.run(skills["pour"].run({"drink": "tea"})) == ""
    assert robot.put_down[1].startswith("tea in ")
    assert threading.current_thread().name not in robot.put_down[1]


def test_a_plain_function_that_returns_a_coroutine_is_awaited() -> None:
    async def waves() -> str:
        return "waved"

    @skill("Wave.")
    def wave() -> Any:
        """Wave."""
        return waves()

    assert asyncio.run(skills_of(module_of(wave))["wave"].run({})) == "waved"


def test_what_belongs_to_a_skill_can_be_a_method_of_the_same_robot() -> None:
    class Gripper:
        def __init__(self, force: float) -> None:
            self.force = force

        def _felt(self, tries: int) -> str | None:
            return None if self.force else f"Nothing felt in {tries} tries."

        def _free(self, observation: Observation, tries: int) -> str | None:
            return "It holds something." if self.force else None

        @skill("Grip.", check=_felt, preconditions=(_free,))
        async def grip(self, tries: int = 2) -> None:
            """Close."""

    strong, weak = skills_of(Gripper(9.0))["grip"], skills_of(Gripper(0.0))["grip"]
    assert strong.check is not None
    assert weak.check is not None
    assert (strong.check(tries=2), weak.check(tries=2)) == (None, "Nothing felt in 2 tries.")
    assert weak.refuse({}, seen()) == {"tries": 2}
    with pytest.raises(SkillError, match="holds something"):
        strong.refuse({}, seen())


def test_what_a_goal_leaves_alone_is_said_of_parameters_that_there_are() -> None:
    def up(thing: str) -> bool:
        """Whether it is up."""
        return True

    with pytest.raises(TypeError, match=r"'mug'.*not parameters"):
        relation("{thing} is up.", otherwise="{mug} stays.")(up)


def test_a_failing_skill_raises_what_it_raised() -> None:
    @skill("Drop it.")
    async def drop() -> str:
        """Drop it."""
        raise SkillError("It is stuck.")

    with pytest.raises(SkillError, match="stuck"):
        asyncio.run(skills_of(module_of(drop))["drop"].run({}))


def test_options_of_the_mark_are_kept() -> None:
    assert SKILLS["say"].approval
    assert not SKILLS["put"].approval
    assert SKILLS["put"].preconditions == (hands_full,)

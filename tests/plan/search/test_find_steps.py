"""Deeds and wishes become steps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from declaredworld import TABLE, Blocks, DeclaredBlocks, SpokenBlocks
from thinkaloud.plan.search import Found, NotFound, Sought, find_steps
from thinkaloud.records import Step

KINDS = (DeclaredBlocks, SpokenBlocks)


def sought(robot: Blocks, *pairs: tuple[str, str], kept: str = "", in_order: bool = False) -> Sought:
    deeds = tuple(robot.step("put", *pair) for pair in pairs)
    return Sought(deeds, tuple(robot.wish("on", *pair) for pair in pairs), frozenset(kept.split()), in_order)


def said(found: Found | NotFound) -> list[str]:
    assert isinstance(found, Found), found
    return [" ".join(map(str, step.arguments.values())) for step in found.steps]


@pytest.mark.parametrize("kind", KINDS)
def test_deeds_that_pass_are_the_plan(kind: type[Blocks]) -> None:
    robot = kind([["red"], ["blue"], ["green"]])
    found = find_steps(robot, robot.observe(), sought(robot, ("red", "blue"), ("green", "red")))
    assert said(found) == ["red blue", "green red"]
    assert isinstance(found, Found) and found.added == () and found.lost == ()


@pytest.mark.parametrize("kind", KINDS)
def test_deeds_of_which_the_second_undoes_the_first_change_places(kind: type[Blocks]) -> None:
    robot = kind([["red"], ["blue"], ["green"]])
    assert said(find_steps(robot, robot.observe(), sought(robot, ("red", "blue"), ("blue", "green")))) == [
        "blue green",
        "red blue",
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_what_lies_on_top_is_taken_away_first(kind: type[Blocks]) -> None:
    robot = kind([["a", "b", "c"], ["d"]])
    found = find_steps(robot, robot.observe(), sought(robot, ("a", "d")))
    assert said(found) == ["c table", "b table", "a d"]
    assert isinstance(found, Found) and [step.words for step in found.added] == [
        "Put the c on the table.",
        "Put the b on the table.",
    ]
    robot.do(found.steps)
    assert robot.under["a"] == "d"


@pytest.mark.parametrize("kind", KINDS)
def test_wishes_that_cannot_be_together_are_named(kind: type[Blocks]) -> None:
    robot = kind([["red"], ["blue"], ["green"]])
    for pairs in ((("red", "blue"), ("blue", "red")), (("red", "blue"), ("red", "green"))):
        found = find_steps(robot, robot.observe(), sought(robot, *pairs))
        assert isinstance(found, NotFound) and len(found.apart) == 2
        assert found.why.startswith("These cannot both be so in the end: The red is on the blue. The ")


@pytest.mark.parametrize("kind", KINDS)
def test_a_sequence_that_was_meant_is_kept_and_says_what_it_loses(kind: type[Blocks]) -> None:
    robot = kind([["red"], ["blue"], ["green"]])
    found = find_steps(robot, robot.observe(), sought(robot, ("red", "blue"), ("red", "green"), in_order=True))
    assert said(found) == ["red blue", "red green"]
    assert isinstance(found, Found) and [wish.words for wish in found.lost] == ["The red is on the blue."]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_to_be_left_alone_is_not_moved(kind: type[Blocks]) -> None:
    robot = kind([["a", "b"], ["c"], ["d"]])
    found = find_steps(robot, robot.observe(), sought(robot, ("a", "c"), kept="b"))
    assert isinstance(found, NotFound)
    assert found.why == "For that I would have to do this, and I am to leave the b alone: Put the b on the table."
    found = find_steps(robot, robot.observe(), sought(robot, ("b", "c"), kept="b"))
    assert isinstance(found, NotFound) and found.why == "I am to leave the b alone."
    assert said(find_steps(robot, robot.observe(), sought(robot, ("c", "d"), kept="d"))) == ["c d"]


def test_a_step_to_be_avoided_is_not_used() -> None:
    robot = DeclaredBlocks([["a", "b"], ["c"], ["d"]])
    avoid = [robot.step("put", "b", TABLE)]
    assert said(find_steps(robot, robot.observe(), sought(robot, ("a", "d")), avoid=avoid)) == ["b c", "a d"]


def test_the_limit_of_situations_is_kept_and_said() -> None:
    robot = DeclaredBlocks([list("abcdef")])
    wanted = sought(robot, ("a", "f"), ("f", "b"), ("b", "e"))
    few = find_steps(robot, robot.observe(), wanted, most=1)
    assert isinstance(few, NotFound) and few.gave_up and "there may be one" in few.why
    assert isinstance(find_steps(robot, robot.observe(), wanted), Found)


def test_a_deed_that_is_none_is_said() -> None:
    robot = DeclaredBlocks([["a"], ["b"]])
    found = find_steps(robot, robot.observe(), Sought((Step("fly", {}, "Fly."),)))
    assert isinstance(found, NotFound) and found.why == "I have no skill 'fly'."
    found = find_steps(
        robot, robot.observe(), Sought((replace(robot.step("put", "a", "b"), arguments={"block": "q", "spot": "b"}),))
    )
    assert isinstance(found, NotFound) and "There is no block 'q' here" in found.why

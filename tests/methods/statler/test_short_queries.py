"""The questions of short programs, and what a conversation is about."""

from __future__ import annotations

import pytest

from thinkaloud.errors import SkillError
from thinkaloud.methods.statler.short_queries import MORE, Brief
from thinkaloud.own_steps import note, say
from thinkaloud.records import Step, WorldState
from thinkaloud.state.edit import caused, placed, told
from thinkaloud.state.spoken import Spoken, about
from thinkaloud.state.weights import fact

THINGS = ("red block", "blue block", "tan block", "white bowl", "green bowl")


def moved(state: WorldState, thing: str, target: str) -> WorldState:
    return caused(state, placed(state, thing, target), f"Pick the {thing} and place it on the {target}.")


@pytest.fixture
def brief() -> Brief:
    states = [WorldState(THINGS)]
    for thing, target in (("red block", "white bowl"), ("blue block", "red block"), ("red block", "green bowl")):
        states.append(moved(states[-1], thing, target))
    last = told(told(states[-1], fact("red block", 2, "tan block")), fact("blue block", 3, "tan block"))
    return Brief(lambda: last, states, Spoken(("red block",), "green bowl", ("red block",)))


def test_every_function_is_there(brief: Brief) -> None:
    assert {*MORE.split()} <= {*brief.functions()}


def test_what_was_spoken_of(brief: Brief) -> None:
    assert (brief.it(), brief.there(), brief.others()) == ("red block", "green bowl", ["blue block", "tan block"])
    with pytest.raises(SkillError, match="Nothing has been spoken of"):
        Brief(lambda: WorldState(THINGS)).it()


def test_the_past(brief: Brief) -> None:
    assert (brief.first_moved(), brief.last_moved(2), brief.all_moves()) == ("red block", "blue block", 3)
    assert brief.started("red block") == "table" and brief.was("red block") == "white bowl"
    assert brief.was_in("white bowl") == ["red block"]
    assert brief.why("red block") == "Pick the red block and place it on the green bowl"
    with pytest.raises(SkillError, match="only 2"):
        brief.first_moved(3)


def test_weights(brief: Brief) -> None:
    assert brief.ranked(["blue block", "tan block", "red block"]) == ["tan block", "red block", "blue block"]
    assert brief.heaviest(["blue block", "tan block", "red block"], 2) == "red block"
    assert brief.heavier_than("red block") == ["blue block"] and brief.lighter_than("red block") == ["tan block"]


def test_places(brief: Brief) -> None:
    assert brief.pile("blue block") == ["red block", "blue block"] and brief.touching("red block") == ["blue block"]
    assert brief.most(["white bowl", "green bowl"]) == ["green bowl"] and brief.other("white bowl") == "green bowl"


@pytest.mark.parametrize(
    ("code", "steps", "spoken"),
    [
        ('put("red block", "white bowl")',
         [Step("pick_and_place", {"object": "red block", "target": "white bowl"}, "")],
         Spoken(("red block",), "white bowl", ("red block",))),
        ('say(is_("red block", "dirty"))', [say("yes")], Spoken(("red block",), "table")),
        ('say(bowls("empty"))', [say("white bowl")], Spoken(("white bowl",), "white bowl")),
        ('mark(blocks("unknown"), "dirty")', [note("red block is dirty\ntan block is dirty")],
         Spoken(("red block", "tan block"), "table")),
    ],
)  # fmt: skip
def test_what_a_program_speaks_of(code: str, steps: list[Step], spoken: Spoken) -> None:
    assert about(code, steps, THINGS) == spoken

"""What people told of what cannot be seen is believed, and so is what follows from it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from said import Talk
from thinkaloud.records import Meaning, Outcome, WorldState
from thinkaloud_worlds.tabletop import Scene, Thing
from thinkaloud_worlds.tabletop.statler_worlds import Disinfection, Weight

COLOURS = ("red", "blue", "green")
BLOCKS = [Thing(f"{hue} block", "block", colour=hue, x=-0.2 + 0.15 * n, y=-0.35) for n, hue in enumerate(COLOURS)]
BOWLS = [
    Thing(f"{hue} bowl", "bowl", colour=hue, x=-0.15 + 0.25 * n, y=-0.6) for n, hue in enumerate(("white", "gray"))
]


def table(make: type[Disinfection] | type[Weight]) -> Disinfection | Weight:
    world = make(Scene((*BLOCKS, *BOWLS)))
    world.reset(3)
    return world


def answers(talk: Talk, *said: str) -> list[str]:
    talk.say(*said)
    return [" ".join(each.said) for each in talk.all(Meaning) if each.sort == "answer"]


def test_what_was_told_is_known_and_goes_over_to_what_touches_it() -> None:
    programs = [
        'note("The red block is dirty.")',
        'note("All the other blocks are clean.")',
        "say([b for b in blocks if dirty(b)])",
        'pick_and_place("blue block", "red block")',
        "say([b for b in blocks if dirty(b)])",
        "say([b for b in blocks if clean(b)])",
    ]
    talk = Talk(programs, table(Disinfection))
    asked = ("Which are dirty?", "Put the blue one on the red one.", "Which are dirty now?", "Which are clean?")
    assert answers(talk, "The red one is dirty.", "The others are clean.", *asked) == [
        "red block",
        "blue block and red block",
        "green block",
    ]


def test_a_fault_in_what_a_skill_remembers_is_told_once_and_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    def remembers(state: WorldState, **arguments: str) -> WorldState:
        raise ZeroDivisionError("so many")

    world = table(Disinfection)
    world.skills = {name: replace(each, remembers=remembers) for name, each in world.skills.items()}
    put = ['pick_and_place("blue block", "red block")', 'pick_and_place("green block", "blue block")']
    talk = Talk(put, world)
    talk.say("Put the blue one on the red one.", "And the green one on it.")
    assert [outcome.ending for outcome in talk.all(Outcome)] == ["completed", "completed"]
    warned = [each.getMessage() for each in caplog.records if "the belief stays" in each.getMessage()]
    fault = "failed (ZeroDivisionError: so many); the belief stays unchanged."
    assert warned == [f"pick_and_place: its `remembers` {fault}"]


def test_weights_that_were_told_are_reckoned_with() -> None:
    programs = [
        'note("The red block is twice as heavy as the blue block.")',
        'note("The green block weighs as much as the blue block.")',
        'say(heavier("red block", "green block"))',
        'say(weight("red block") / weight("green block"))',
        'pick_and_place("red block", "white bowl")',
        'pick_and_place(blocks_to_add("gray bowl", "as much as", "white bowl"), "gray bowl")',
    ]
    world = table(Weight)
    talk = Talk(programs, world)
    told = "Red weighs twice what blue does.", "Green weighs what blue does."
    assert answers(talk, *told, "Is it heavier?", "How many times?", "Into the white bowl.", "Match it.") == [
        "Yes. The red block is heavier than the green block.",
        "2",
    ]
    assert world.on("blue block", "gray bowl") and world.on("green block", "gray bowl")


@pytest.mark.parametrize(
    "asked", ['say(weight("green block"))', 'say(blocks_to_add("gray bowl", "as much as", "white bowl"))']
)
def test_of_weights_that_nobody_told_it_says_so(asked: str) -> None:
    talk = Talk(['pick_and_place("red block", "white bowl")', asked], table(Weight))
    end = talk.say("Into the white bowl.", "And that?")
    assert end.result == "declined" and "I cannot tell" in end.because

"""The questions of short programs, and what a conversation is about."""

from __future__ import annotations

import pytest

from thinkaloud.errors import SkillError
from thinkaloud.records import Step, WorldState
from thinkaloud.skills.built_in_steps import note, say
from thinkaloud.state.edits import with_causes, with_fact, with_placed
from thinkaloud.state.weights import weight_fact
from training.demonstrators.statler.references import Reference, read_reference
from training.demonstrators.statler.short_queries import ASKED_SHORTLY, ShortQueries

KINDS = ("block", "bowl", "cup")
THINGS = ("red block", "blue block", "tan block", "white bowl", "green bowl")


def moved(state: WorldState, thing: str, target: str) -> WorldState:
    return with_causes(state, with_placed(state, thing, target), f"Pick the {thing} and place it on the {target}.")


@pytest.fixture
def queries() -> ShortQueries:
    states = [WorldState(THINGS)]
    for thing, target in (("red block", "white bowl"), ("blue block", "red block"), ("red block", "green bowl")):
        states.append(moved(states[-1], thing, target))
    last = with_fact(
        with_fact(states[-1], weight_fact("red block", 2, "tan block")), weight_fact("blue block", 3, "tan block")
    )
    return ShortQueries(lambda: last, states, KINDS, Reference(("red block",), "green bowl", ("red block",)))


def test_every_function_is_there(queries: ShortQueries) -> None:
    assert {*ASKED_SHORTLY.split()} <= {*queries.functions()}


def test_what_was_spoken_of(queries: ShortQueries) -> None:
    assert (queries.it(), queries.there(), queries.others()) == ("red block", "green bowl", ["blue block", "tan block"])
    with pytest.raises(SkillError, match="Nothing has been spoken of"):
        ShortQueries(lambda: WorldState(THINGS)).it()


def test_the_past(queries: ShortQueries) -> None:
    assert (queries.first_moved(), queries.last_moved(2), queries.all_moves()) == ("red block", "blue block", 3)
    assert queries.started("red block") == "table" and queries.was("red block") == "white bowl"
    assert queries.was_in("white bowl") == ["red block"]
    assert queries.why("red block") == "Pick the red block and place it on the green bowl"
    with pytest.raises(SkillError, match="only 2"):
        queries.first_moved(3)


def test_weights(queries: ShortQueries) -> None:
    assert queries.ranked(["blue block", "tan block", "red block"]) == ["tan block", "red block", "blue block"]
    assert queries.heaviest(["blue block", "tan block", "red block"], 2) == "red block"
    assert queries.heavier_than("red block") == ["blue block"] and queries.lighter_than("red block") == ["tan block"]


def test_of_things_that_weigh_the_same_none_is_the_heavier_one() -> None:
    state = WorldState((*THINGS, "pink block"))
    for known in (
        weight_fact("red block", 1, "blue block"),
        weight_fact("tan block", 2, "red block"),
        weight_fact("pink block", 2, "red block"),
    ):
        state = with_fact(state, known)
    queries = ShortQueries(lambda: state, (), KINDS)
    blocks = ["red block", "blue block", "tan block", "pink block"]
    assert queries.heaviest(["red block", "blue block"]) == ["red block", "blue block"]
    assert queries.heaviest(blocks) == ["tan block", "pink block"]
    assert queries.lightest(blocks, 2) == ["tan block", "pink block"]
    assert queries.heaviest(["red block", "blue block", "tan block"], 2) == ["blue block", "red block"]
    assert queries.heaviest(["red block", "tan block"], 2) == "red block"
    with pytest.raises(SkillError, match="not so many different weights: only 2"):
        queries.heaviest(blocks, 3)


def test_of_two_stacks_of_a_height_none_is_the_tallest() -> None:
    state = WorldState((*THINGS, "pink block"))
    with pytest.raises(SkillError, match=r"Nothing is stacked\."):
        ShortQueries(lambda: state).tallest()
    state = with_placed(state, "red block", "blue block")
    assert ShortQueries(lambda: state).tallest() == ["blue block", "red block"]
    state = with_placed(state, "pink block", "tan block")
    with pytest.raises(
        SkillError, match=r"Stacks of 2 are the tallest, .*: blue block and red block; tan block and pink"
    ):
        ShortQueries(lambda: state).tallest()


def test_places(queries: ShortQueries) -> None:
    assert queries.pile("blue block") == ["red block", "blue block"] and queries.touching("red block") == ["blue block"]
    assert queries.most(["white bowl", "green bowl"]) == ["green bowl"] and queries.other("white bowl") == "green bowl"


@pytest.mark.parametrize(
    ("code", "steps", "spoken"),
    [
        ('put("red block", "white bowl")',
         [Step("pick_and_place", {"object": "red block", "target": "white bowl"}, "")],
         Reference(("red block",), "white bowl", ("red block",))),
        ('say(is_("red block", "dirty"))', [say("yes")], Reference(("red block",), "table")),
        ('say(bowls("empty"))', [say("white bowl")], Reference(("white bowl",), "white bowl")),
        ('mark(blocks("unknown"), "dirty")', [note("red block is dirty\ntan block is dirty")],
         Reference(("red block", "tan block"), "table")),
    ],
)  # fmt: skip
def test_what_a_program_speaks_of(code: str, steps: list[Step], spoken: Reference) -> None:
    assert read_reference(code, steps, THINGS) == spoken

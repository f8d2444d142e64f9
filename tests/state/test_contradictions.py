from __future__ import annotations

from dataclasses import replace

import pytest

from thinkaloud.records import Change, Condition, WorldState
from thinkaloud.state.contradictions import contradictions, same
from thinkaloud.state.edits import lies_on, with_fact, with_marked, with_placed
from thinkaloud.state.weights import weight_fact

TABLE = WorldState(("red block", "blue block", "green block", "tan bowl", "gray bowl"))
CUPS = WorldState(("toy wheel", "yellow block", "red cup", "blue cup"))


def on(state: WorldState, *pairs: tuple[str, str]) -> WorldState:
    return replace(state, relations=tuple(lies_on(*pair) for pair in pairs))


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (on(TABLE, ("red block", "red block")), "The red block cannot be on itself."),
        (
            on(TABLE, ("red block", "blue block"), ("blue block", "red block")),
            "The red block on the blue block on the red block goes round in a circle.",
        ),
        (
            on(TABLE, ("red block", "blue block"), ("red block", "green block")),
            "The red block cannot be on the blue block and on the green block at once.",
        ),
        (
            on(TABLE, ("red block", "tan bowl"), ("red block", "gray bowl")),
            "The red block cannot be in the tan bowl and in the gray bowl at once.",
        ),
        (on(TABLE, ("red block", "pink bowl")), "There is no pink bowl here."),
        (
            replace(TABLE, attributes={"red block": {"dirty": True, "clean": True}}),
            "The red block cannot be clean and dirty at once.",
        ),
        (
            on(CUPS, ("red cup", "toy wheel"), ("blue cup", "toy wheel")),
            "The red cup and the blue cup cannot both be on the toy wheel.",
        ),
        (
            replace(
                TABLE, facts=(weight_fact("red block", 2, "blue block"), weight_fact("blue block", 2, "red block"))
            ),
            "'blue block weighs 2 * red block' would leave a weight that is not above zero.",
        ),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(state: WorldState, sentence: str) -> None:
    assert contradictions(state) == [sentence]


@pytest.mark.parametrize(
    "state",
    [
        TABLE,
        on(TABLE, ("red block", "tan bowl"), ("blue block", "tan bowl"), ("green block", "red block")),
        on(TABLE, ("red block", "blue block"), ("red block", "blue block")),
        on(TABLE, ("red block", "table")),
        on(CUPS, ("red cup", "toy wheel"), ("toy wheel", "yellow block")),
        replace(TABLE, attributes={"red block": {"dirty": True, "clean": False}}),
        replace(TABLE, facts=("the person likes red",)),
    ],
)
def test_what_can_be_is_not_held_against_it(state: WorldState) -> None:
    assert contradictions(state) == []


def test_a_circle_that_a_tower_stands_on_is_reported_once() -> None:
    state = on(TABLE, ("green block", "red block"), ("red block", "blue block"), ("blue block", "red block"))
    assert len(contradictions(state)) == 1


def test_the_same_in_another_order_is_the_same() -> None:
    one = with_placed(with_placed(TABLE, "red block", "tan bowl"), "blue block", "tan bowl")
    other = with_placed(with_placed(TABLE, "blue block", "tan bowl"), "red block", "tan bowl")
    assert one != other
    assert same(one, replace(other, changes=(Change("a", "b"),), attributes={"red block": {}}))


@pytest.mark.parametrize(
    "other",
    [
        with_placed(TABLE, "red block", "tan bowl"),
        with_marked(TABLE, ["red block"], "dirty"),
        with_fact(TABLE, "it rains"),
        replace(TABLE, objects=TABLE.objects[1:]),
        replace(TABLE, relations=(Condition("left_of", {"a": "red block"}, "Left."),)),
    ],
)
def test_what_says_something_else_is_not_the_same(other: WorldState) -> None:
    assert not same(TABLE, other)

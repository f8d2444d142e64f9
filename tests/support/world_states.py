"""World states for tests, and strategies that draw them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

from thinkaloud.records import Condition, WorldState
from thinkaloud.state.contradictions import contradictions
from thinkaloud.state.edits import with_fact, with_marked, with_placed
from thinkaloud.state.weights import comparison_fact, weight_fact

BLOCKS = ("cyan block", "yellow block", "brown block", "purple block")
DISINFECTION = WorldState((*BLOCKS, "green bowl", "red bowl", "disinfector"))
CUPS = WorldState(("rubiks cube", "toy duckie", "toy wheel", "yellow block", "red cup", "green cup", "blue cup"))
NEAR = Condition("near", {"a": "cyan block", "b": "brown block"}, "The cyan block is near the brown block.")


def papers() -> WorldState:
    """The state that the paper's writer prompt ends with."""
    state = with_placed(DISINFECTION, "cyan block", "yellow block")
    state = with_marked(state, ["cyan block", "yellow block", "purple block"], "dirty")
    return with_marked(state, ["brown block"], "clean")


def covered() -> WorldState:
    """The state of the paper's first figure."""
    return with_placed(with_placed(CUPS, "toy wheel", "yellow block"), "blue cup", "rubiks cube")


def weighed() -> WorldState:
    """A state with facts about weights."""
    state = with_placed(WorldState(("black block", "green block", "red block", "gray bowl")), "red block", "gray bowl")
    for each in (
        weight_fact("black block", 2, "green block"),
        weight_fact("red block", 1, ["black block", "green block"]),
        comparison_fact("red block", "more", "green block"),
        weight_fact("green block", 3),
    ):
        state = with_fact(state, each)
    return state


@st.composite
def changed(draw: st.DrawFn, state: WorldState, most: int = 6) -> WorldState:
    """The state after some things happened that can have happened."""
    names = st.sampled_from(state.objects)
    for _ in range(draw(st.integers(0, most))):
        thing, other = draw(names), draw(names)
        number = draw(st.integers(1, 4))
        factor = Fraction(number, draw(st.integers(1, 3)))
        happenings: list[Callable[[WorldState], WorldState]] = [
            lambda s, a=thing, b=other: with_placed(s, a, b),  # type: ignore[misc]
            lambda s, a=thing: with_placed(s, a, "table"),  # type: ignore[misc]
            lambda s, a=thing: with_marked(s, [a], "dirty"),  # type: ignore[misc]
            lambda s, a=thing: with_marked(s, [a], "clean"),  # type: ignore[misc]
            lambda s, a=thing: with_marked(s, [a], "fragile", False),  # type: ignore[misc]
            lambda s, a=thing: with_marked(s, [a], "made of", "wood"),  # type: ignore[misc]
            lambda s, a=thing, n=number: with_marked(s, [a], "weight", n),  # type: ignore[misc]
            lambda s, a=thing, b=other, f=factor: with_fact(s, weight_fact(a, f, b)),  # type: ignore[misc]
            lambda s, a=thing, f=factor: with_fact(s, weight_fact(a, f)),  # type: ignore[misc]
            lambda s, a=thing, b=other: with_fact(s, comparison_fact(a, "less", b)),  # type: ignore[misc]
            lambda s: with_fact(s, "it rains"),
        ]
        after = draw(st.sampled_from(happenings))(state)
        state = state if contradictions(after) else after
    return state


@st.composite
def states(draw: st.DrawFn) -> WorldState:
    """Some state of some domain."""
    start = draw(st.sampled_from([DISINFECTION, CUPS, weighed(), replace(DISINFECTION, relations=(NEAR,))]))
    return draw(changed(start, 10))

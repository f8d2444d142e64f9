"""World states for tests, and strategies that draw them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

from thinkaloud.records import Condition, WorldState
from thinkaloud.state.check import contradictions
from thinkaloud.state.edit import marked, placed, with_fact
from thinkaloud.state.weights import compared, fact

BLOCKS = ("cyan block", "yellow block", "brown block", "purple block")
DISINFECTION = WorldState((*BLOCKS, "green bowl", "red bowl", "disinfector"))
CUPS = WorldState(("rubiks cube", "toy duckie", "toy wheel", "yellow block", "red cup", "green cup", "blue cup"))
NEAR = Condition("near", {"a": "cyan block", "b": "brown block"}, "The cyan block is near the brown block.")


def papers() -> WorldState:
    """The state that the paper's writer prompt ends with."""
    state = placed(DISINFECTION, "cyan block", "yellow block")
    state = marked(state, ["cyan block", "yellow block", "purple block"], "dirty")
    return marked(state, ["brown block"], "clean")


def covered() -> WorldState:
    """The state of the paper's first figure."""
    return placed(placed(CUPS, "toy wheel", "yellow block"), "blue cup", "rubiks cube")


def weighed() -> WorldState:
    """A state with facts about weights."""
    state = placed(WorldState(("black block", "green block", "red block", "gray bowl")), "red block", "gray bowl")
    for each in (
        fact("black block", 2, "green block"),
        fact("red block", 1, ["black block", "green block"]),
        compared("red block", "more", "green block"),
        fact("green block", 3),
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
            lambda s, a=thing, b=other: placed(s, a, b),  # type: ignore[misc]
            lambda s, a=thing: placed(s, a, "table"),  # type: ignore[misc]
            lambda s, a=thing: marked(s, [a], "dirty"),  # type: ignore[misc]
            lambda s, a=thing: marked(s, [a], "clean"),  # type: ignore[misc]
            lambda s, a=thing: marked(s, [a], "fragile", False),  # type: ignore[misc]
            lambda s, a=thing: marked(s, [a], "made of", "wood"),  # type: ignore[misc]
            lambda s, a=thing, n=number: marked(s, [a], "weight", n),  # type: ignore[misc]
            lambda s, a=thing, b=other, f=factor: with_fact(s, fact(a, f, b)),  # type: ignore[misc]
            lambda s, a=thing, f=factor: with_fact(s, fact(a, f)),  # type: ignore[misc]
            lambda s, a=thing, b=other: with_fact(s, compared(a, "less", b)),  # type: ignore[misc]
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

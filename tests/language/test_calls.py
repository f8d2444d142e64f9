"""One notation for calls: what is written is read back, and whatever else comes is refused."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest

from counterworld import Counter
from thinkaloud.errors import Unparseable
from thinkaloud.language.calls import (
    WrittenCall,
    call_grammar,
    read_call,
    read_step,
    render_call,
    render_call_form,
    render_skill_call,
)
from thinkaloud.models import grammar as gbnf
from thinkaloud.models.gbnf import accepts
from thinkaloud.skills import Kind, Skill
from thinkaloud.skills.signatures import signature_of


async def mix(
    what: Annotated[str, Kind("stuff")],
    how: str,
    pace: Literal["slow", "fast"] = "slow",
    times: int = 3,
    share: float = 0.5,
    warm: bool = False,
) -> None:
    """Mix."""


MIX = {"mix": Skill(signature_of(mix), mix)}


def test_what_is_at_its_default_is_left_out_at_the_end_only() -> None:
    skill = MIX["mix"]
    assert render_skill_call(skill, {"what": "tea", "how": "well"}) == 'mix("tea", "well")'
    assert render_skill_call(skill, {"what": "tea", "how": "well", "times": 4}) == 'mix("tea", "well", "slow", 4)'
    assert (
        render_skill_call(skill, {"what": "tea", "how": "well", "warm": True})
        == 'mix("tea", "well", "slow", 3, 0.5, True)'
    )


def test_a_call_that_came_as_data_is_held_to_the_same() -> None:
    world = Counter()
    vocabulary = world.observe().vocabulary
    step = read_step(WrittenCall("pour", (), {"ingredient": "tea"}), world.skills, vocabulary, "thirst")
    assert (step.arguments, step.reason) == ({"ingredient": "tea"}, "thirst")
    with pytest.raises(Unparseable, match="has no argument 'amount'"):
        read_step(WrittenCall("pour", (), {"ingredient": "tea", "amount": 2}), world.skills, vocabulary, "")


def test_what_differs_is_how_a_value_is_written() -> None:
    assert render_call("find", ['the "good" cup', 2, True]) == 'find("the \\"good\\" cup", 2, True)'
    assert render_call("find", ["cup"], lambda value: f"'{value}'") == "find('cup')"
    assert render_call_form(MIX["mix"].signature) == "mix(what, how, pace, times, share, warm)"


def test_what_listings_do_not_escape_is_read_as_it_stands() -> None:
    assert read_call("find('men's hat', bench)", unescaped=True) == WrittenCall("find", ["men's hat", "bench"], {})
    with pytest.raises(Unparseable, match="is no call such as find"):
        read_call("find the cup", unescaped=True)
    with pytest.raises(Unparseable, match="is no function call"):
        read_call("find(cup)")


async def go(x: float, y: float, z: float = 0.0) -> None:
    """Go there."""


def test_numbers_alone_may_be_given_as_a_point() -> None:
    skills = {"go": Skill(signature_of(go), go)}
    assert accepts(gbnf.grammar(call_grammar(skills, {})), "go(1, 2.5, 3)")
    points = gbnf.grammar(call_grammar(skills, {}, coordinate="[0-9]"))
    assert accepts(points, "go((1, 2))")
    assert accepts(points, "go((1, 2, 3))")
    assert not accepts(points, "go(1, 2)")

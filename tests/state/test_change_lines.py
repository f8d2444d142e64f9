from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thinkaloud.errors import StateRefused
from thinkaloud.records import WorldState
from thinkaloud.state.change_lines import read_changes, render_changes
from thinkaloud.state.contradictions import same
from thinkaloud.state.edits import with_fact, with_marked, with_placed
from thinkaloud.state.weights import weight_fact
from world_states import CUPS, DISINFECTION, NEAR, changed, covered, papers, states


def test_the_lines() -> None:
    after = with_placed(papers(), "brown block", "green bowl")
    after = with_placed(with_marked(after, ["cyan block"], "clean"), "cyan block", "table")
    after = with_fact(with_marked(after, ["red bowl"], "weight", 2), weight_fact("cyan block", 2, "brown block"))
    assert render_changes(papers(), with_fact(after, "it rains")).split("\n") == [
        "cyan block is on the table",
        "brown block is in green bowl",
        "cyan block is clean",
        "red bowl: weight = 2",
        "cyan block weighs 2 * brown block",
        "note: it rains",
    ]
    assert render_changes(papers(), papers()) == "nothing changes"
    assert render_changes(CUPS, covered()) == "toy wheel is on yellow block\nblue cup is on rubiks cube"


def test_what_is_no_longer_so() -> None:
    before = with_fact(replace(papers(), relations=(*papers().relations, NEAR)), "it rains")
    after = replace(papers(), attributes={**papers().attributes, "purple block": {}})
    text = render_changes(before, after)
    assert text == f"purple block is not dirty\nno longer: it rains\nno longer: {NEAR.words}"
    assert same(read_changes(text, before), after)


@given(states(), st.data())
def test_a_state_comes_back_from_its_changes(before: WorldState, data: st.DataObject) -> None:
    after = data.draw(changed(before))
    text = render_changes(before, after)
    assert same(read_changes(text, before), after)
    assert same(read_changes(render_changes(after, before), after), before)


def test_small_liberties_are_understood() -> None:
    assert read_changes("brown block is dirty\nbrown block is dirty", papers()) == with_marked(
        papers(), ["brown block"], "dirty"
    )
    assert read_changes("# The Cyan Block is on the Yellow block.\n", DISINFECTION) == with_placed(
        DISINFECTION, "cyan block", "yellow block"
    )
    assert read_changes("Nothing changes.", papers()) == papers()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "if there is none, write: nothing changes"),
        ("tin block is dirty", "does not begin with anything that is here"),
        ("cyna block is dirty", "did you mean the cyan block?"),
        ("cyan block is on tin block", "there is no tin block here"),
        ("cyan block is on the yelow block", "did you mean the yellow block?"),
        ("cyan block", "does not say where"),
        ("cyan block is ", "does not say where"),
        ("cyan block likes it", "does not say where"),
        ("cyan block weighs a lot", "is no weight"),
        ("no longer: it rains", "was not so before"),
        ("cyan block is on cyan block", "cannot be on itself"),
        ("yellow block is on cyan block", "circle"),
        ("cyan block is on red bowl\ncyan block is on brown block", "cannot be on brown block and something else"),
        ("brown block is dirty\nbrown block is clean", "cannot be clean and something else"),
        ("cyan block weighs 2\ncyan block weighs 3", "does not fit"),
    ],
)
def test_what_is_no_change_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(StateRefused) as refused:
        read_changes(text, papers())
    assert why in str(refused.value)
    assert refused.value.words == text


def test_an_exchange_is_judged_by_how_it_ends() -> None:
    text = "yellow block is on cyan block\ncyan block is on the table"
    exchanged = with_placed(with_placed(papers(), "cyan block", "table"), "yellow block", "cyan block")
    assert same(read_changes(text, papers()), exchanged)


WORDS = [
    "cyan block",
    "tin",
    " is ",
    " on ",
    "the ",
    "weighs ",
    "2 * ",
    "1/0 * ",
    "> ",
    ": ",
    " = ",
    "\n",
    "1e999",
    "note: ",
]


@settings(max_examples=100)
@given(st.one_of(st.text(), st.lists(st.sampled_from(WORDS)).map("".join)))
def test_no_text_makes_it_fall_over(text: str) -> None:
    try:
        assert read_changes(text, papers()).objects == papers().objects
    except StateRefused as refused:
        assert str(refused)

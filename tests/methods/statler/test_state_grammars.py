from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thinkaloud.errors import StateRefused
from thinkaloud.methods.statler.state_grammars import changes_grammar, state_grammar
from thinkaloud.models import Model
from thinkaloud.models.gbnf import accepts
from thinkaloud.models.grammar import grammar
from thinkaloud.records import WorldState
from thinkaloud.state.change_lines import read_changes, render_changes
from thinkaloud.state.contradictions import contradictions
from thinkaloud.state.edits import is_container, is_cover, with_fact, with_marked, with_placed
from thinkaloud.state.json_text import read_state, render_opening, render_state
from thinkaloud.state.weights import comparison_fact, read_weight
from world_states import BLOCKS, CUPS, DISINFECTION, covered, papers, weighed

STARTS = [DISINFECTION, CUPS, WorldState((*BLOCKS, "gray bowl")), WorldState(("red block", "blue block")), weighed()]

FACTORS = ("1", "2", "5", "12", "1/2", "1/6", "3/2")


@st.composite
def played(draw: st.DrawFn, start: WorldState, most: int = 8) -> WorldState:
    """What can come of a state when things are moved, get dirty and are weighed."""
    state = start
    loose = [thing for thing in start.objects if not is_container(thing)]
    blocks = [thing for thing in loose if not is_cover(thing)]
    for _ in range(draw(st.integers(0, most))):
        thing = draw(st.sampled_from(blocks))
        others = draw(st.lists(st.sampled_from([b for b in blocks if b != thing]), min_size=1, max_size=3, unique=True))
        said = read_weight(thing, " + ".join(f"{draw(st.sampled_from(FACTORS))} * {b}" for b in others), blocks)
        assert said is not None
        options = [
            with_placed(state, draw(st.sampled_from(loose)), draw(st.sampled_from([*start.objects, "table"]))),
            with_fact(state, said.fact()),
            with_fact(state, comparison_fact(thing, "less", others[0])),
            with_fact(state, f"{thing} weighs 3/2"),
        ]
        if "disinfector" in start.objects:
            options.append(with_marked(state, [thing], draw(st.sampled_from(["clean", "dirty"]))))
        after = draw(st.sampled_from(options))
        told_of = [fact for fact in after.facts if fact.startswith(f"{thing} ")]
        state = state if contradictions(after) or len(told_of) > 3 else after
    return state


@settings(max_examples=50)
@given(st.sampled_from(STARTS), st.data())
def test_every_state_that_can_come_is_in_the_grammar(start: WorldState, data: st.DataObject) -> None:
    before = data.draw(played(start))
    after = data.draw(played(before))
    text = render_state(after)
    assert accepts(grammar(state_grammar(before)), text.removeprefix(render_opening(before)))
    rest = text.removeprefix(render_opening(before, objects=True))
    assert accepts(grammar(state_grammar(before, objects=False)), rest)
    lines = render_changes(before, after)
    if lines.count("weighs") <= 3 and "no longer" not in lines:
        assert accepts(grammar(changes_grammar(before)), lines)


def test_attributes_with_values_are_in_the_grammar() -> None:
    before = with_marked(with_marked(papers(), ["cyan block"], "weight", 2), ["brown block"], "made of", "wood")
    after = with_marked(with_marked(before, ["cyan block"], "weight", 3), ["yellow block"], "made of", "wood")
    after = with_fact(after, "it rains")
    before = with_fact(with_fact(before, "it rains"), "it snows")
    assert accepts(grammar(state_grammar(before)), render_state(after).removeprefix(render_opening(before)))
    assert accepts(grammar(changes_grammar(before)), render_changes(before, after).split("\nno longer")[0])


@pytest.mark.parametrize(
    "line",
    [
        "cyan block is on tin block",
        "cyan block is on cyan block",
        "cyan block is on disinfector",
        "cyan block is in yellow block",
        "green bowl is on cyan block",
        "cyan block is happy",
        "cyan block weighs 0 * brown block",
        "nothing changes\ncyan block is dirty",
        "cyan block is dirty\ncyan block is clean",
        "cyan block is on brown block\ncyan block is on yellow block",
        "cyan block is dirty\n",
        "",
    ],
)
def test_what_makes_no_sense_is_not(line: str) -> None:
    assert not accepts(grammar(changes_grammar(DISINFECTION)), line)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("is on yellow block", "is on tin block"),
        ("is on yellow block", "is on cyan block"),
        ('{"is": ["clean"]}', '{"is": ["happy"]}'),
        ('"green bowl": {}', '"green bowl": {"contains": ["brown block", "brown block"]}'),
        ('#     "green bowl": {},\n', ""),
        ('{"contains": []}', "{}"),
        ('"brown block", ', ""),
    ],
)
def test_states_that_make_no_sense_are_not(old: str, new: str) -> None:
    text = render_state(papers()).removeprefix(render_opening(papers()))
    assert accepts(grammar(state_grammar(papers())), text)
    assert old in text
    assert not accepts(grammar(state_grammar(papers())), text.replace(old, new, 1))


def test_weights_can_be_left_out() -> None:
    assert "weigh" not in changes_grammar(DISINFECTION, weights=False) + state_grammar(DISINFECTION, weights=False)


@pytest.mark.parametrize(
    "state", [WorldState(), WorldState(("red bowl",)), WorldState(("red block",)), WorldState(("red cup",))]
)
def test_small_worlds_have_grammars(state: WorldState) -> None:
    for weights in (True, False):
        rest = render_state(state).removeprefix(render_opening(state))
        assert accepts(grammar(state_grammar(state, weights=weights)), rest)
        assert accepts(grammar(changes_grammar(state, weights=weights)), "nothing changes")


def generated(model: Model, state: WorldState, root: str, begin: str = "") -> str:
    """What the grammar makes of it; of the state the model is told nothing, which would take it seconds to read."""
    prompt = f"# query: Put the {state.objects[0]} on the table.\n{begin}"
    text = asyncio.run(model.complete(prompt, grammar=grammar(root), most=500)).text
    assert accepts(grammar(root), text), text
    return text


@pytest.mark.sampled(2)
@pytest.mark.parametrize("state", [covered(), weighed()], ids=["cups", "weight"])
def test_llama_cpp_writes_states_that_can_be_read(state: WorldState, embedded_base: Model) -> None:
    """They are refused only for what no grammar can say."""
    head = render_opening(state, objects=True)
    text = generated(embedded_base, state, state_grammar(state, objects=False), head)
    try:
        assert read_state(head + text, state).objects == state.objects
    except StateRefused as refused:
        assert "JSON" not in str(refused)
        assert "no such key" not in str(refused)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("state", [papers(), covered(), weighed()], ids=["disinfection", "cups", "weight"])
def test_llama_cpp_writes_changes_that_can_be_read(state: WorldState, embedded_base: Model) -> None:
    text = generated(embedded_base, state, changes_grammar(state))
    try:
        assert read_changes(text, state).objects == state.objects
    except StateRefused as refused:
        assert any(why in str(refused) for why in ("at once", "circle", "both", "fit", "above zero"))

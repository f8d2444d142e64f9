from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from thinkaloud.errors import StateRefused
from thinkaloud.records import Change, Value, WorldState
from thinkaloud.state.contradictions import same
from thinkaloud.state.edits import with_placed
from thinkaloud.state.json_text import read_initial_state, read_state, render_opening, render_state
from world_states import CUPS, DISINFECTION, covered, papers, states, weighed

PAPERS = """\
# state = {
#     "objects": ["cyan block", "yellow block", "brown block", "purple block", "green bowl", "red bowl", "disinfector"],
#     "relations": ["cyan block is on yellow block"],
#     "disinfector": {"contains": []},
#     "cyan block": {"is": ["dirty"]},
#     "yellow block": {"is": ["dirty"]},
#     "brown block": {"is": ["clean"]},
#     "purple block": {"is": ["dirty"]},
#     "green bowl": {},
#     "red bowl": {}
# }"""

COVERED = """\
# state = {
#     "objects": ["rubiks cube", "toy duckie", "toy wheel", "yellow block"],
#     "covers": ["red cup", "green cup", "blue cup"],
#     "rubiks cube": {"under": "blue cup"},
#     "toy wheel": {"on": "yellow block"},
#     "yellow block": {"under": "toy wheel"},
#     "blue cup": {"on": "rubiks cube"}
# }"""

WEIGHED = """\
state = {
    "objects": ["black block", "green block", "red block", "gray bowl"],
    "relations": [],
    "black block": {"weight": "2 * green block"},
    "green block": {"weight": "3"},
    "red block": {"weight": ["1 * black block + 1 * green block", "> green block"]},
    "gray bowl": {"contains": ["red block"]}
}"""


def test_the_text_is_the_papers() -> None:
    assert render_state(papers()) == PAPERS
    assert render_state(covered()) == COVERED
    assert render_state(weighed(), prefix="") == WEIGHED


@given(states())
def test_a_state_comes_back_from_its_text(state: WorldState) -> None:
    for prefix in ("# ", ""):
        text = render_state(state, prefix)
        assert read_state(text, state) == state
        assert text.startswith(render_opening(state, prefix, objects=True))
        assert read_state(text.removeprefix(render_opening(state, prefix)), state) == state
    json.loads(render_state(state, "").removeprefix("state = "))


@given(states(), st.data())
def test_what_is_read_owes_nothing_to_the_state_before_but_the_order(after: WorldState, data: st.DataObject) -> None:
    before = data.draw(states().filter(lambda s: s.objects == after.objects))
    mixed = replace(before, relations=tuple(r for r in after.relations if r.relation != "on") + before.relations)
    known: dict[str, dict[str, Value]] = {thing: {"made of": "wool", "fragile": False} for thing in before.objects}
    assert same(read_state(render_state(after), replace(mixed, attributes=known, facts=())), after)


def test_changes_are_not_part_of_the_text() -> None:
    state = replace(papers(), changes=(Change("a", "b"),))
    assert read_state(render_state(state), state) == papers()


def test_what_the_paper_writes_otherwise_is_understood() -> None:
    text = PAPERS.replace('["cyan block is on yellow block"]', '[["cyan block is on yellow block"]]')
    text = text.replace('"red bowl": {}', '"red bowl": {},').replace('"brown block": {"is"', '"Brown block": {"is"')
    assert read_state(text, DISINFECTION) == papers()
    assert read_state("#" + PAPERS.split("{", 1)[1], DISINFECTION) == papers()
    assert read_state(PAPERS.split("= ", 1)[1].replace('"]', '",]'), DISINFECTION) == papers()


def test_a_comma_within_a_name_is_no_trailing_comma() -> None:
    state = WorldState(("block ,]", "b, }"))
    assert read_state(render_state(with_placed(state, "block ,]", "b, }")), state) == with_placed(
        state, "block ,]", "b, }"
    )


REFUSED = [
    (PAPERS[:-2], "This is not JSON: Expecting"),
    (PAPERS + "\nmore", "This is not JSON: Extra data in line 12"),
    ("", "This is not JSON"),
    ("[]", "begins with {"),
    ("[" * 100_000, "nested too deeply"),
    ("{" + '"a":{' * 100_000, "nested too deeply"),
    (PAPERS.replace('"brown block", ', ""), "no longer lists the brown block"),
    (PAPERS.replace('"brown block", ', '"brown block", "tin block", '), "There is no tin block here"),
    (PAPERS.replace('"brown block", ', '"brwn block", '), "did you mean the brown block?"),
    (PAPERS.replace('#     "brown block": {"is": ["clean"]},\n', ""), "no line for the brown block"),
    (PAPERS.replace('"green bowl": {}', '"green bowl": {}, "green bowl": {}'), "'green bowl' is there twice"),
    (PAPERS.replace('"green bowl": {}', '"green bowl": {}, "mood": {}'), "'mood' is no key of a state"),
    (PAPERS.replace('"green bowl": {}', '"green bowl": {"colour": "green"}'), "there is no such key"),
    (PAPERS.replace('"green bowl": {}', '"green bowl": []'), "must stand in { }"),
    (PAPERS.replace('"green bowl": {}', '"green bowl": {"contains": ["tin block"]}'), "there is no tin block"),
    (PAPERS.replace('"green bowl": {}', '"green bowl": {"contains": 3}'), "must be a list of names"),
    (PAPERS.replace('"green bowl": {}', '"green bowl": {"weight": 1e999}'), "cannot be Infinity"),
    (PAPERS.replace('"green bowl": {}', '"green bowl": {"weight": NaN}'), "NaN is no number"),
    (PAPERS.replace('"green bowl": {}', '"green bowl": {"weight": "2 * tin block"}'), "weight' of the green bowl"),
    (PAPERS.replace('"green bowl": {}', '"green bowl": {"weight": ' + "9" * 5000 + "}"), "."),
    (PAPERS.replace('{"is": ["clean"]}', '{"is": ["clean"], "contains": ["cyan block"]}'), "nothing that can contain"),
    (PAPERS.replace("is on yellow", "is on tin"), "there is no tin block here"),
    (PAPERS.replace("is on yellow", "likes yellow"), "does not say what is on or in what"),
    (PAPERS.replace('["cyan block is on', '[4, "cyan block is on'), "must be a list of sentences"),
    (PAPERS.replace('"green bowl": {}', '"green bowl": {"contains": ["cyan block"]}'), "at once"),
    (PAPERS.replace('["clean"]', '["clean", "dirty"]'), "cannot be clean and dirty at once"),
    (PAPERS.replace("is on yellow", "is on cyan"), "cannot be on itself"),
]


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_what_is_no_state_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(StateRefused) as refused:
        read_state(text, DISINFECTION)
    assert why in str(refused.value)
    assert refused.value.words == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (COVERED.replace('"rubiks cube": {"under": "blue cup"},', ""), "is not said to be under it"),
        (COVERED.replace(',\n#     "blue cup": {"on": "rubiks cube"}', ""), "is not said to be on it"),
        (
            COVERED.replace('{"on": "rubiks cube"}', '{"on": "toy wheel"}').replace(
                '{"on": "yellow block"}', '{"on": "yellow block", "under": "blue cup"}'
            ),
            "The rubiks cube is under the blue cup, but",
        ),
        (COVERED.replace('"green cup", ', ""), "no longer lists the green cup"),
    ],
)
def test_with_cups_both_halves_are_needed(text: str, why: str) -> None:
    with pytest.raises(StateRefused, match=why):
        read_state(text, CUPS)


PIECES = [
    '"',
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\n",
    "# ",
    "state = ",
    "1e5",
    "null",
    "true",
    " is on ",
    "is",
    "\\",
    "\ud800",
]


@settings(max_examples=100)
@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_no_text_makes_it_fall_over(text: str) -> None:
    with pytest.raises(StateRefused):
        read_state(text, DISINFECTION)


@settings(max_examples=80)
@given(st.data())
def test_no_damage_makes_it_fall_over(data: st.DataObject) -> None:
    state = data.draw(states())
    text = render_state(state)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 12)))
    try:
        found = read_state(text[:start] + data.draw(st.sampled_from(["", *PIECES])) + text[end:], state)
    except StateRefused as refused:
        assert str(refused)
    else:
        assert found.objects == state.objects


def test_an_episode_may_begin_with_less_and_with_more() -> None:
    data: dict[str, Any] = {
        "objects": ["cyan block", " yellow block", "brown block", "green bowl"],
        "relations": [["cyan block is on yellow block"], "brown block is in green bowl"],
        "cyan block": {"is": ["dirty"], "weight": "2 * brown block"},
        "green bowl": {"made of": "tin", "contains": ["brown block"]},
    }
    state = read_initial_state(data)
    assert state.objects == ("cyan block", "yellow block", "brown block", "green bowl")
    assert {r.words for r in state.relations} == {
        "Cyan block is on the yellow block.",
        "Brown block is on the green bowl.",
    }
    assert state.attributes == {"cyan block": {"dirty": True}, "green bowl": {"made of": "tin"}}
    assert state.facts == ("cyan block weighs 2 * brown block",)
    one_half = read_initial_state({"objects": ["a cube"], "covers": ["red cup"], "red cup": {"on": "a cube"}})
    assert one_half == read_initial_state({"objects": ["a cube", "red cup"], "a cube": {"under": "red cup"}})


@given(states().filter(lambda s: all(r.relation == "on" for r in s.relations)))
def test_a_rendered_state_can_begin_an_episode(state: WorldState) -> None:
    assert same(read_initial_state(json.loads(render_state(state, "").removeprefix("state = "))), state)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"objects": "red block", "blue block": {}}, "'blue block' is no key"),
        ({"objects": [1]}, "must be a list of names"),
        ({"objects": ["a"], "a": {"is": [["b"]]}}, "must be a list of names"),
        ({"objects": ["a", "b"], "relations": ["a is on b", "b is on a"]}, "circle"),
        ({"objects": ["a"], "a": {"size": None}}, "must be a word or a number"),
    ],
)
def test_a_wrong_beginning_is_a_value_error(data: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_initial_state(data)


@example("a\u2028b")
@example("a\x85b")
@given(st.text(min_size=1).filter(lambda t: t == t.strip()).filter(bool))
def test_any_word_can_be_said_of_a_thing(word: str) -> None:
    state = replace(DISINFECTION, attributes={"cyan block": {word: True}})
    assert read_state(render_state(state), state) == state

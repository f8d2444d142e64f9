"""Episode files: what is read, what is refused, and with which words."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkaloud.errors import BadInput
from thinkaloud.records import WorldState
from thinkaloud.state.edits import supports, with_placed
from thinkaloud_bench.statler.episodes import Happening, Query, QueryEpisode, QueryGoal, StartTruth
from thinkaloud_bench.statler.reading import (
    EPISODE_FIELDS,
    GOAL_FIELDS,
    STEP_FIELDS,
    TRUTH_FIELDS,
    load_queries,
    read_queries,
)
from thinkaloud_bench.statler.writing import dump_episodes

FIELDS = (*EPISODE_FIELDS, *STEP_FIELDS, *TRUTH_FIELDS, *GOAL_FIELDS, "moves", "objects", "relations", "covers")
PAPER = Path(__file__).parents[1] / "data" / "statler_paper.json"


def episode(**changes: Any) -> dict[str, Any]:
    data: dict[str, Any] = {
        "id": "one",
        "domain": "pick_and_place",
        "initial_state": {"objects": ["red block", "blue block", "golden bowl"], "relations": []},
        "steps": [{"query": "put the red block in the bowl", "actions": [["red block", "golden bowl"]]}],
    }
    return {**data, **changes}


def step(**fields: Any) -> dict[str, Any]:
    return episode(steps=[{"query": "hello"}, {"query": "put it there", **fields}])


def read(*episodes: Any) -> list[QueryEpisode]:
    return read_queries(json.dumps(list(episodes)), "f.json")


def test_the_episodes_of_the_paper_are_read() -> None:
    episodes = load_queries(PAPER)
    assert [(e.domain, len(e.queries)) for e in episodes] == [("pick_and_place", 6), ("disinfection", 9), ("weight", 6)]
    assert episodes[0].queries[3].actions == (("white block", "orange block"),)
    assert episodes[0].queries[4].say == "no"


def test_a_list_may_stand_under_episodes() -> None:
    assert read_queries(json.dumps({"episodes": [episode()]}))[0].id == "one"


def test_what_may_be_left_out_is() -> None:
    (first,) = read(episode(id=7, note="x", steps=[{"query": "hello", "actions": None, "say": None, "temporal": None}]))
    assert first.id == "7"
    assert first.queries == (Query("hello", temporal=False),)


@pytest.mark.parametrize(
    ("say", "text"), [("no", "no"), (2, "2"), (2.0, "2"), (0.5, "0.5"), (True, "yes"), (False, "no"), ("", None)]
)
def test_an_answer_may_be_a_number_or_a_truth_value(say: object, text: str | None) -> None:
    assert read(step(say=say))[0].queries[1].say == text


@pytest.mark.parametrize("name", ["table", "the table", "empty space", "an empty spot on the table", "top left corner"])
def test_places_may_be_called_anything(name: str) -> None:
    assert read(step(actions=[["the Red Block", name]]))[0].queries[1].actions == (("red block", name),)


WRONG: list[tuple[Any, str]] = [
    (5, "episode 1: an episode has to be an object, not a number"),
    (episode(id=None), "episode 1: 'id' has to be a text, not null"),
    (episode(domain="wieght"), "episode 'one': there is no domain 'wieght' (did you mean 'weight'?)"),
    (episode(domain=3), "episode 'one': there is no domain 3"),
    (episode(initial_state=[]), "episode 'one': 'initial_state' has to be an object, not a list"),
    (
        episode(initial_state={"objects": ["red block", "blue block"], "relations": ["red block is on green block"]}),
        "episode 'one': initial_state: ",
    ),
    (
        episode(
            initial_state={
                "objects": ["a block", "b block"],
                "relations": ["a block is on b block", "b block is on a block"],
            }
        ),
        "episode 'one': initial_state: ",
    ),
    (episode(steps=[]), "episode 'one': it has no steps"),
    (episode(steps={}), "episode 'one': 'steps' has to be a list, not an object"),
    ({k: v for k, v in episode().items() if k != "steps"}, "episode 'one': an episode has to have a field 'steps'"),
    ({**episode(), "stepps": []}, "episode 'one': an episode has no field 'stepps'; did you mean 'steps'?"),
    (episode(steps=["x"]), "episode 'one', step 1: a step has to be an object, not a text"),
    (episode(steps=[{"actions": []}]), "episode 'one', step 1: a step has to have a field 'query'"),
    (episode(steps=[{"query": " "}]), "episode 'one', step 1: 'query' has to be a text that is not empty"),
    (step(query=4), "episode 'one', step 2: 'query' has to be a text, not a number"),
    (step(action=[]), "step 2: a step has no field 'action'; did you mean 'actions'?"),
    (step(accepts=[]), "step 2: a step has no field 'accepts'; did you mean 'accept'?"),
    (step(actions="x"), "step 2: 'actions' has to be a list of moves"),
    (step(actions=["red block", "table"]), "step 2: 'actions' has \"red block\" where a move"),
    (step(actions=[["red block"]]), "step 2: 'actions' has [\"red block\"] where a move"),
    (step(actions=[["red block", 3]]), "step 2: 'actions' has [\"red block\", 3] where a move"),
    (step(actions=[["rad block", "table"]]), "step 2: 'actions' names 'rad block', which is not among the objects"),
    (step(actions=[["rad block", "table"]]), "(did you mean 'red block'?)"),
    (step(actions=[["red block", "bowl"]]), "step 2: 'actions' names 'bowl'"),
    (step(actions=[["table", "red block"]]), "step 2: 'actions' moves the table, which is a place"),
    (step(actions=[["red block", "the red block"]]), "step 2: 'actions' puts the red block onto itself"),
    (step(accept=4), "step 2: 'accept' has to be a list of lists of moves, not a number"),
    (step(accept=[["red block", "table"]]), "step 2: 'accept' has \"red block\" where a move"),
    (step(accept=[[["green block", "table"]]]), "step 2: 'accept' names 'green block'"),
    (step(say=["no"]), "step 2: 'say' has to be a text, a number, true or false, or null, not a list"),
    (step(temporal="yes"), "step 2: 'temporal' has to be true, false or null, not a text"),
    (step(unsure=1), "step 2: 'unsure' has to be true, false or null, not a number"),
    (step(happens={"dirty": "red block"}), "step 2: 'dirty' has to be a list of names, not a text"),
    (step(happens={"dirt": []}), "step 2: 'happens' has no field 'dirt'; did you mean 'dirty'?"),
    (step(goal={"target": "golden bowl", "relation": "=", "like": "golden bowl"}), "step 2: 'relation' has to be"),
    (step(goal={"target": "golden bowl", "relation": "=="}), "step 2: 'goal' has to have a field 'like'"),
    (
        step(goal={"target": "golden bowl", "relation": "==", "like": "golden bowl", "times": "1/0"}),
        "step 2: 'times' has to be a number",
    ),
    (episode(truth={"weights": {"red block": 0}}), "episode 'one': 'weights' have to be whole numbers above 0"),
    (episode(truth={"dirty": ["red block"], "clean": ["red block"]}), "the red block is both dirty and clean"),
]


@pytest.mark.parametrize(("data", "words"), WRONG)
def test_a_mistake_is_named_with_file_episode_and_step(data: Any, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(data)
    assert str(caught.value).startswith("f.json: episode ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value)[-1] in ".?"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[{"id": 1,}]', "f.json: is not JSON: "),
        ('[\n{"id" 1}]', "line 2, column 7"),
        ("", "is not JSON"),
        ("{}", "has to be a list of episodes, not an object"),
        ("[]", "has no episodes"),
        ("[" * 100_000, "f.json: is no"),
    ],
)
def test_what_is_no_list_of_episodes_is_refused(text: str, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_queries(text, "f.json")
    assert words in str(caught.value)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["red block", "table", "", "x", "=="]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*FIELDS, "red block"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.sampled_from(FIELDS), JUNK)
def test_no_contents_make_it_fail_in_another_way(field: str, junk: Any) -> None:
    for data in (episode(**{field: junk}), step(**{field: junk})):
        try:
            assert read(data)[0].queries
        except BadInput as error:
            assert str(error).startswith(("f.json: episode ", "f.json: is not JSON: "))


def test_two_episodes_with_one_id_are_refused() -> None:
    with pytest.raises(BadInput, match="episode 2: the id 'one' is that of episode 1 already"):
        read(episode(), episode())


def test_a_file_that_is_not_there_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        load_queries(tmp_path / "none.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match="not a text file"):
        load_queries(tmp_path / "bytes.json")


def test_what_is_written_is_read_again() -> None:
    state = WorldState(("red block", "blue block", "green block", "golden bowl", "tan bowl", "disinfector"))
    state = with_placed(with_placed(state, "red block", "golden bowl"), "blue block", "green block")
    move = (("red block", "table"),)
    everything = Query(
        "do — it", move, "two", True, ((("blue block", "tan bowl"),), move), True,
        Happening(("red block",), ("blue block",), move), QueryGoal("tan bowl", "==", "golden bowl", Fraction(1, 2)),
    )  # fmt: skip
    truth = StartTruth(("red block",), ("blue block",), {"red block": 3})
    original = [
        QueryEpisode("é", "weight", state, (everything, Query("hello", temporal=False)), truth),
        *load_queries(PAPER),
    ]
    again = read_queries(dump_episodes(original))
    assert supports(again[0].initial) == supports(state)
    assert [(e.id, e.domain, e.queries, e.truth, e.initial.objects) for e in again] == [
        (e.id, e.domain, e.queries, e.truth, e.initial.objects) for e in original
    ]


@pytest.mark.parametrize(("data", "temporal"), [
    ({"query": "put the red block in the golden bowl", "actions": [["red block", "golden bowl"]]}, False),
    ({"query": "put the red block on the table", "actions": [["red block", "table"]]}, False),
    ({"query": "the red and green blocks go on the blue block",
      "actions": [["red block", "blue block"], ["green block", "blue block"]]}, False),
    ({"query": "the red block is dirty"}, False),
    ({"query": "put the red block in the empty bowl", "actions": [["red block", "golden bowl"]]}, True),
    ({"query": "put all the dirty blocks on the table", "actions": [["red block", "table"]]}, True),
    ({"query": "uncover the red block", "actions": [["green block", "empty space"]]}, True),
    ({"query": "is the red block dirty", "say": "no"}, True),
    ({"query": "is the red block dirty", "say": "no", "temporal": False}, False),
    ({"query": "put the red block on the table", "actions": [["red block", "table"]], "temporal": True}, True),
])  # fmt: skip
def test_a_step_that_does_not_say_so_is_temporal_by_a_rule(data: dict[str, object], temporal: bool) -> None:
    objects = ["red block", "blue block", "green block", "golden bowl", "tan bowl"]
    (first,) = read_queries(
        json.dumps([{"id": "1", "domain": "weight", "initial_state": {"objects": objects}, "steps": [data]}])
    )
    assert first.queries[0].temporal is temporal


def test_the_rule_tells_the_papers_own_temporal_queries() -> None:
    data = json.loads(PAPER.read_text())
    for each in data:
        for step in each["steps"]:
            del step["temporal"]
    again = read_queries(json.dumps(data))
    for one, other in zip(load_queries(PAPER), again, strict=True):
        assert [q.temporal for q in one.queries] == [q.temporal for q in other.queries]

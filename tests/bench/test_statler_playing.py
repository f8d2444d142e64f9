"""Playing Statler's episodes: gold is right in the real loop and physics, and the first wrong step is the end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from thinkaloud.errors import BadInput
from thinkaloud.models import Scripted
from thinkaloud.records import WorldState
from thinkaloud.state.edits import with_marked
from thinkaloud_bench.contract import CEILING, Item, Played
from thinkaloud_bench.statler import BENCH
from thinkaloud_bench.statler.episodes import Query, QueryEpisode
from thinkaloud_bench.statler.reading import load_queries
from thinkaloud_bench.statler.setups import gold_program

PAPERS = Path(__file__).parents[1] / "data" / "statler_paper.json"
DOMAINS = ("pick_and_place", "disinfection", "weight", "cups")
TWO = QueryEpisode(
    "two",
    "pick_and_place",
    WorldState(("red block", "blue block", "white bowl")),
    (
        Query("Put the red block in the white bowl.", (("red block", "white bowl"),), temporal=False),
        Query("How many blocks are in the white bowl?", say="1", temporal=True),
    ),
)


def read_file(content: bytes, name: str) -> Mapping[str, Sequence[QueryEpisode]]:
    assert BENCH.read is not None
    return BENCH.read(content, name)


def played(episode: QueryEpisode, *programs: str, preset: str = "code_as_policies") -> Played:
    item = Item(preset, episode.domain, 0, 3, episode)
    return asyncio.run(BENCH.play(item, lambda: Scripted(programs)))


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("seed", "domain"), list(enumerate(DOMAINS, start=100_003)))
def test_gold_is_right_and_the_world_ends_as_the_rules_say(domain: str, seed: int) -> None:
    result = asyncio.run(BENCH.play(Item(CEILING, domain, 0, seed), lambda: Scripted()))
    assert (result.success, result.because) == (True, "")
    assert result.scores["right"] == result.scores["steps"] >= 5
    assert result.scores["slipped"] == 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("episode", load_queries(PAPERS), ids=lambda episode: episode.id)
def test_the_papers_own_episodes_can_be_carried_out(episode: QueryEpisode) -> None:
    assert played(episode, *map(gold_program, episode.queries)).success


def test_an_episode_is_over_at_its_first_wrong_step() -> None:
    result = played(TWO, 'put_first_on_second("blue block", "white bowl")')
    assert (result.success, result.scores["right"], result.scores["steps"]) == (False, 0, 2)
    assert result.because == "moved blue block to white bowl, right was red block to white bowl"
    assert (result.scores["other_tried"], result.scores["temporal_tried"]) == (1, 0)
    assert len(result.details) == 1


@pytest.mark.parametrize(
    ("answer", "right"), [('say(len([b for b in blocks if on(b, "white bowl")]))', True), ("say(2)", False)]
)
def test_an_answer_that_a_request_ends_with_is_heard(answer: str, right: bool) -> None:
    deed = 'pick_and_place("red block", "white bowl")'
    assert played(TWO, deed, answer, preset="thinkaloud:confirm=never").success is right


def test_a_wrong_answer_and_no_answer_are_wrong() -> None:
    right = 'put_first_on_second("red block", "white bowl")'
    assert played(TWO, right, 'say("one block is in it")').success
    wrong = played(TWO, right, 'say("2")')
    assert (wrong.scores["right"], wrong.scores["temporal_tried"], wrong.scores["temporal_right"]) == (1, 1, 0)
    assert "said nothing" in played(TWO, right, "noop()").because


@pytest.mark.parametrize(
    ("preset", "program"),
    [
        ("statler", 'put_first_on_second("blue block", "white bowl")'),
        ("code_as_policies", 'put_first_on_second("blue block", "white bowl")'),
    ],
)
def test_what_a_file_tells_of_the_beginning_is_known_to_the_robot(preset: str, program: str) -> None:
    told = replace(
        TWO,
        domain="disinfection",
        initial=with_marked(TWO.initial, ["blue block"], "dirty"),
        queries=(Query("Put the dirty block in the white bowl.", (("blue block", "white bowl"),)),),
    )
    model = Scripted([program])
    item = Item(preset, told.domain, 0, 3, told)
    assert asyncio.run(BENCH.play(item, lambda: model)).success
    assert '"blue block": {"is": ["dirty"]}' in model.prompts[0]


def test_an_unsure_step_is_carried_out_and_not_scored() -> None:
    unsure = replace(TWO, queries=(replace(TWO.queries[0], unsure=True), TWO.queries[1]))
    result = played(unsure, 'put_first_on_second("blue block", "white bowl")', 'say("1")')
    assert (result.success, result.scores["steps"]) == (True, 1)
    assert result.details[0]["moves"] == [("blue block", "white bowl")]


def test_a_query_about_what_is_not_there_is_a_wrong_step_and_no_crash() -> None:
    strange = replace(TWO, queries=(Query("Put the mauve block in the white bowl."), *TWO.queries))
    result = played(strange)
    assert not result.success
    assert "I see no mauve block" in result.because


def test_a_model_that_writes_nonsense_is_wrong_and_not_a_crash() -> None:
    result = played(TWO, *["nonsense("] * 5)
    assert (result.success, result.scores["right"]) == (False, 0)


@pytest.mark.parametrize("preset", BENCH.presets)
def test_every_column_of_the_tables_can_be_played(preset: str) -> None:
    item = Item(preset, TWO.domain, 0, 3, TWO)
    answer: Callable[[str], str] = lambda prompt: "noop()"  # noqa: E731
    result = asyncio.run(BENCH.play(item, lambda: Scripted(answer)))
    assert result.success == (preset == CEILING)


def test_the_rows_of_the_tables() -> None:
    right = 'put_first_on_second("red block", "white bowl")'
    found = BENCH.rows(BENCH, ["code_as_policies"], [played(TWO, right, 'say("1")'), played(TWO, right, 'say("2")')])
    cells = {(row.task, row.metric): row for row in found}
    assert cells["pick_and_place", "episode_success"].value == 0.5
    assert cells["pick_and_place", "step_rate"].value == 0.75
    assert (cells["pick_and_place", "step_rate"].n, cells["pick_and_place", "step_rate"].paper) == (4, 0.54)
    assert cells["pick_and_place", "temporal_success"].value == 0.5
    assert cells["pick_and_place", "non_temporal_success"].value == 1.0
    assert {"seconds", "tokens"} <= {row.metric for row in found}


def test_episodes_of_a_file_are_read_by_domain_and_mistakes_are_located() -> None:
    assert {task: len(found) for task, found in read_file(PAPERS.read_bytes(), "paper.json").items()} == {
        "pick_and_place": 1,
        "disinfection": 1,
        "weight": 1,
    }
    data = json.loads(PAPERS.read_text())
    data[0]["steps"][1]["actions"] = [["white block", "purple bowl"]]
    with pytest.raises(BadInput, match=r"paper\.json: episode .*, step 2: .*purple bowl"):
        read_file(json.dumps(data).encode(), "paper.json")


def test_a_file_of_more_things_than_fit_on_the_table_and_one_that_is_no_text_are_refused() -> None:
    things = [f"block{n} block" for n in range(33)]
    data = [{"id": "crowd", "domain": "weight", "initial_state": {"objects": things}, "steps": [{"query": "hello"}]}]
    with pytest.raises(BadInput, match=r"many\.json: episode 'crowd': There are 33 objects"):
        read_file(json.dumps(data).encode(), "many.json")
    with pytest.raises(BadInput, match=r"odd\.json: is not a text file"):
        read_file(b"\xff\xfe\x00", "odd.json")


def test_what_slipped_is_told() -> None:
    result = played(TWO, 'put_first_on_second("red block", "white bowl")', 'say("1")')
    assert BENCH.notes([result]) == []
    slipped = [
        result,
        type(result)(**{f: getattr(result, f) for f in result.__struct_fields__} | {"scores": {"slipped": 1.0}}),
    ]
    assert BENCH.notes(slipped) == ["In 1 of 2 episodes something ended elsewhere than it was put"]

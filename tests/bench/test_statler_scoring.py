"""Scoring: which moves are right, when a weight is matched, and what an episode counts for."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from thinkaloud.records import WorldState
from thinkaloud.state.edits import with_placed
from thinkaloud.state.weights import KnownWeights
from thinkaloud_bench.statler import judging
from thinkaloud_bench.statler.episodes import PutMove, Query, QueryEpisode, QueryGoal, StartTruth
from thinkaloud_bench.statler.reading import load_queries
from thinkaloud_bench.statler.scoring import EpisodeScore, right, why_wrong
from thinkaloud_worlds.tabletop.statler_rules import DOMAINS, after_put

PAPER = load_queries(Path(__file__).parents[1] / "data" / "statler_paper.json")
STATE = WorldState(("red block", "blue block", "white block", "green block", "golden bowl", "tan bowl"))
TWO = Query(
    "put the red and the blue block in the golden bowl", (("red block", "golden bowl"), ("blue block", "golden bowl"))
)


@pytest.mark.parametrize("episode", PAPER, ids=lambda e: e.id)
def test_the_papers_own_gold_is_right(episode: QueryEpisode) -> None:
    state, weights, rights = episode.initial, judging.weights_of(episode), []
    for query in episode.queries:
        said = [query.say] if query.say else []
        rights.append(right(query, query.actions, said, state, weights))
        for move in query.actions:
            state = after_put(DOMAINS[episode.domain], state, *move)
    score = EpisodeScore.of(episode, rights)
    assert score.success
    assert score.right == score.steps == len(episode.queries)


@pytest.mark.parametrize(
    ("moves", "so"),
    [
        ([("red block", "golden bowl"), ("blue block", "golden bowl")], True),
        ([("blue block", "golden bowl"), ("red block", "golden bowl")], True),
        ([("The  Blue block", "the golden bowl"), ("red_block", "Golden Bowl")], True),
        ([("red block", "golden bowl")], False),
        ([], False),
        ([("red block", "golden bowl"), ("blue block", "tan bowl")], False),
        ([("red block", "golden bowl"), ("blue block", "golden bowl"), ("blue block", "golden bowl")], False),
        ([("red block", "golden bowl"), ("blue block", "golden bowl"), ("white block", "table")], False),
    ],
)
def test_moves_are_compared_as_they_are_in_any_order(moves: list[PutMove], so: bool) -> None:
    assert right(TWO, moves, [], STATE) is so
    assert bool(why_wrong(TWO, moves, [], STATE)) is not so


@pytest.mark.parametrize("place", ["table", "the table", "empty space", "an empty space", "Empty spot on the table"])
def test_the_table_has_many_names(place: str) -> None:
    query = Query("take it away", (("red block", "empty space"),))
    assert right(query, [("red block", place)], [], STATE)
    assert not right(query, [("red block", "top left corner")], [], STATE)


def test_any_of_the_accepted_moves_is_right() -> None:
    query = replace(TWO, accept=((("white block", "tan bowl"),), ()))
    assert right(query, TWO.actions, [], STATE)
    assert right(query, [("white block", "tan bowl")], [], STATE)
    assert right(query, [], [], STATE)
    assert not right(query, [("white block", "golden bowl")], [], STATE)


def test_a_statement_wants_no_moves_and_any_words() -> None:
    assert right(Query("the red block is dirty"), [], ["ok, noted"], STATE)
    assert not right(Query("the red block is dirty"), [("red block", "table")], [], STATE)


@pytest.mark.parametrize(
    ("said", "so"),
    [
        (["red and blue"], True),
        (["red block", "blue block"], True),
        (["let me see", "the red and the blue block"], True),
        (["red block"], False),
        ([], False),
        ([" "], False),
        (["red block", "blue block", "white block"], False),
    ],
)
def test_the_last_words_count_or_all_of_them_together(said: list[str], so: bool) -> None:
    query = Query("which blocks are dirty", say="red block and blue block")
    assert right(query, [], said, STATE) is so


def test_of_two_answers_that_contradict_the_last_counts() -> None:
    assert not right(Query("is it dirty", say="yes"), [], ["yes", "no"], STATE)
    assert not right(Query("how many are dirty", say="2"), [], ["2", "3"], STATE)
    assert right(Query("how many are dirty", say="2"), [], ["3", "2"], STATE)


def test_why_says_what_was_wrong() -> None:
    assert why_wrong(TWO, [], [], STATE).startswith("moved nothing, right was red block to golden bowl")
    question = Query("is it dirty", say="no")
    assert why_wrong(question, [], [], STATE) == "said nothing, right was 'no'"
    assert why_wrong(question, [], ["yes"], STATE) == "said 'yes', right was 'no'"


# Weights


WEIGHTS = {"red block": 4, "blue block": 2, "white block": 2, "green block": 6}
BEFORE = with_placed(STATE, "red block", "golden bowl")
GOAL = Query(
    "Put blocks in the tan bowl so that their total weight becomes identical to what is in the golden bowl",
    (("blue block", "tan bowl"), ("white block", "tan bowl")),
)


def weights(state: WorldState = STATE) -> KnownWeights:
    return judging.weights_of(QueryEpisode("x", "weight", state, (GOAL,), StartTruth(weights=WEIGHTS)))


@pytest.mark.parametrize("goal", [None, QueryGoal("tan bowl", "==", "golden bowl")])
def test_a_weight_is_matched_or_not(goal: QueryGoal | None) -> None:
    query = replace(GOAL, goal=goal)
    assert right(query, [("white block", "tan bowl"), ("blue block", "tan bowl")], [], BEFORE, weights())
    for moves in (
        [("blue block", "tan bowl")],
        [("green block", "tan bowl")],
        [],
        [("red block", "table")],
        [("red block", "tan bowl"), ("red block", "table")],
        [("red block", "table"), ("tan bowl", "table")],
    ):
        assert not right(query, moves, [], BEFORE, weights()), moves


def test_other_blocks_that_weigh_as_much_do_as_well() -> None:
    before = with_placed(STATE, "green block", "golden bowl")
    query = replace(GOAL, actions=(("red block", "tan bowl"), ("blue block", "tan bowl")))
    assert right(query, [("red block", "tan bowl"), ("white block", "tan bowl")], [], before, weights())
    assert not right(query, [("red block", "tan bowl")], [], before, weights())


def test_more_than_another_bowl_is_met_by_any_amount_above_it() -> None:
    query = replace(
        GOAL,
        text="put blocks in the tan bowl until their total weight surpasses that of the golden bowl",
        actions=(("green block", "tan bowl"),),
    )
    assert right(query, [("green block", "tan bowl"), ("blue block", "tan bowl")], [], BEFORE, weights())
    assert not right(query, [("blue block", "tan bowl"), ("white block", "tan bowl")], [], BEFORE, weights())


def test_without_weights_only_the_moves_count() -> None:
    assert not right(GOAL, [("red block", "tan bowl")], [], BEFORE)
    assert right(GOAL, GOAL.actions, [], BEFORE)


def test_a_command_by_name_is_not_done_by_something_as_heavy() -> None:
    query = Query("put the blue block in the tan bowl", (("blue block", "tan bowl"),))
    assert not right(query, [("white block", "tan bowl")], [], BEFORE, weights())


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("The red block is twice the weight of the blue block", ["red block weighs 2 * blue block"]),
        ("the weight of the red block is half that of the blue block.", ["red block weighs 1/2 * blue block"]),
        ("The red block weighs 3 times as much as the blue block", ["red block weighs 3 * blue block"]),
        ("the red block is four times as heavy as the blue block", ["red block weighs 4 * blue block"]),
        ("the red block has the same weight of the blue block", ["red block weighs 1 * blue block"]),
        ("The red and the blue block weigh the same", ["red block weighs 1 * blue block"]),
        (
            "the red block is a third of the weight of the blue one, the blue block",
            ["red block weighs 1/3 * blue block"],
        ),
        (
            "the red block weighs as much as the blue and the white block together",
            ["red block weighs 1 * blue block + 1 * white block"],
        ),
        (
            "the red block and the blue block together weigh as much as the white block",
            ["white block weighs 1 * red block + 1 * blue block"],
        ),
        ("the red block is heavier than the blue block", ["red block weighs more than blue block"]),
        ("is the red block twice as heavy as the blue block?", []),
        ("the red block is dirty and the blue block is not", []),
        ("hello", []),
    ],
)
def test_the_judge_reads_what_is_told_about_weights(text: str, facts: list[str]) -> None:
    assert judging.facts_in(text, STATE.objects) == facts


def test_weights_that_were_told_are_those_of_the_judge() -> None:
    known = judging.weights_of(PAPER[2])
    assert known.ratio("orange block", "green block") == Fraction(1)
    assert known.equal(("black block", "green block"), ("red block", "orange block"))


# Episodes


def test_an_episode_ends_at_its_first_failure() -> None:
    flags = (False, False, True, None, True, False)
    episode = QueryEpisode("x", "cups", STATE, tuple(Query(str(n), temporal=flag) for n, flag in enumerate(flags)))
    assert EpisodeScore.of(episode, [True] * 6) == EpisodeScore(6, 6, 2, 2, 3, 3)
    assert EpisodeScore.of(episode, [True] * 6).success
    failed = EpisodeScore.of(episode, [True, True, False, True, True, True])
    assert failed == EpisodeScore(2, 6, temporal_right=0, temporal_tried=1, other_right=2, other_tried=2)
    assert not failed.success
    assert EpisodeScore.of(episode, [True, True]).right == 2


def test_what_is_unsure_is_not_counted() -> None:
    queries = (Query("a", temporal=True), Query("b", temporal=True, unsure=True), Query("c", temporal=False))
    episode = QueryEpisode("x", "cups", STATE, queries)
    assert EpisodeScore.of(episode, [True, False, True]) == EpisodeScore(2, 2, 1, 1, 1, 1)


@pytest.mark.parametrize(("made", "right_moves"), [
    ([("red block", "white bowl"), ("blue block", "white bowl")], True),
    ([("blue block", "white bowl")], True),  # the red one is there already
    ([("red block", "white bowl")], False),
    ([], False),
    ([("blue block", "white bowl"), ("green block", "white bowl")], False),
    ([("blue block", "white bowl"), ("blue block", "white bowl")], False),
])  # fmt: skip
def test_what_is_where_it_should_be_need_not_be_moved_again(made: list[PutMove], right_moves: bool) -> None:
    state = WorldState(("red block", "blue block", "green block", "white bowl"))
    state = with_placed(with_placed(state, "red block", "white bowl"), "green block", "red block")
    query = Query(
        "Put the red and the blue block in the white bowl.", (("red block", "white bowl"), ("blue block", "white bowl"))
    )
    assert right(query, made, [], state) == right_moves


def test_what_is_moved_away_and_back_has_to_be_moved_back() -> None:
    state = with_placed(WorldState(("red block", "white bowl")), "red block", "white bowl")
    query = Query("Out and in again.", (("red block", "table"), ("red block", "white bowl")))
    assert right(query, list(query.actions), [], state)
    assert not right(query, [("red block", "table")], [], state)
    stays = Query("Leave it there.", (("red block", "white bowl"),))
    assert right(stays, [], [], state)

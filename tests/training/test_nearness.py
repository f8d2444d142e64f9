"""What the benchmark of understanding asks is not in the corpus, and none of its robots is.

Two requests are too much alike where four words in five are the same in the same order. Up to five words that happens
by itself, as people say the same everywhere; there, only the same words count. What is above that is listed, by robot.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from training import nearness
from training.demonstrators.robots import is_learnt_from, same_trade
from training.nearness import Pair, all_tested, is_too_near, likeness, outline_of, pairs, runs_in, shares_of, words_in
from training.robots import Robot, all_robots
from training.robots.reading import all_places

NEARLY = {
    "facade_drone": 1,
    "penguin_pool": 1,
    "pottery_kiln": 1,
    "pick_and_place_2005": 1,
    "dollhouse_family": 1,
    "puppet_stage": 1,
    "skate_park": 1,
    "soft_toys": 1,
}
"""With one of six words or more that is nearly a benchmark's; from the last five and the kiln nothing is learnt now."""
IN_WORLDS = ("worlds", "promise/people", "certify/people")
"""Folders of which the files name a world and describe no robot."""
RUNS = {("library", "lost_property"): 0.08}
"""A robot of a benchmark and one of the corpus that share more runs of words than others: both have shelves."""


@pytest.fixture(scope="module")
def near() -> list[Pair]:
    return list(pairs((*all_robots(), *all_places())))


def test_all_benchmarks_are_looked_at() -> None:
    folders = Counter(tested.folder for tested in all_tested())
    assert folders["robots"] >= 14 and folders["worlds"] >= 12 and folders["languages"] >= 14
    assert folders["calibration"] >= 8 and folders["development"] >= 6
    assert sum(len(tested.requests) for tested in all_tested()) > 1100
    assert all(tested.things and tested.skills for tested in all_tested() if tested.folder not in IN_WORLDS)


def test_no_request_of_a_benchmark_is_in_the_corpus() -> None:
    """Looked for apart from the search for what is alike."""
    asked = {" ".join(words_in(request)) for tested in all_tested() for request in tested.requests}
    found = [
        (robot.name, said.words)
        for robot in (*all_robots(), *all_places())
        for said in robot.said
        if len(words_in(said.words)) > nearness.EVERYDAY and " ".join(words_in(said.words)) in asked
    ]
    assert not found


def test_no_request_of_a_benchmark_is_nearly_in_the_corpus(near: list[Pair]) -> None:
    assert Counter(pair.robot.name for pair in near if is_too_near(pair) and pair.alike < 1) == NEARLY
    long = [pair for pair in near if len(words_in(pair.words)) > nearness.EVERYDAY]
    assert long and not any(pair.alike == 1 for pair in long if pair.alike_at_most == 1)


def test_no_request_of_a_benchmark_has_most_of_its_runs_of_words_in_one_of_the_corpus(near: list[Pair]) -> None:
    """The same by another measure: three words in a row, of all those of both."""
    found = set[str]()
    for pair in near:
        own, there = runs_in(pair.request), runs_in(pair.words)
        if len(own & there) / len(own | there) >= 0.5 and min(len(own), len(there)) >= nearness.EVERYDAY - 2:
            found.add(pair.robot.name)
    # Six words or so about what was just done, which anybody may ask; nothing is learnt from these.
    assert found == {"greenhouse_tomatoes", "puppet_stage", "skate_park", "soft_toys", "tool_crib"}


def test_no_robot_of_a_benchmark_is_learnt_from() -> None:
    names = {tested.name for tested in all_tested()}
    for robot in all_robots():
        assert robot.name not in names or robot.name in same_trade()
        if not is_learnt_from(robot):
            continue
        outline = outline_of(robot)
        for tested in all_tested():
            shares = shares_of(tested, outline)
            assert shares.things <= 0.5 and shares.skills <= 0.5, (tested.name, robot.name)
            few = len(tested.requests) < 5  # in two sentences, a single run of words in common is much
            most = 0.1 if few else RUNS.get((tested.name, robot.name), 0.05)
            assert shares.runs < most, (tested.name, robot.name)


def test_a_leak_would_be_noticed() -> None:
    tested = next(each for each in all_tested() if len(words_in(each.requests[0])) >= 7)
    robot, words = all_robots()[0], words_in(tested.requests[0])
    turn = next(iter(robot.said))
    for leaked in (" ".join(words).upper() + "!", " ".join([*words[:3], "really", *words[3:]])):
        talk = replace(robot.conversations[0], turns=(replace(turn, words=leaked),))
        with_it = replace(robot, conversations=(talk,))
        assert any(is_too_near(pair) for pair in pairs([with_it]))


def test_no_two_requests_are_more_alike_than_the_words_that_they_share(near: list[Pair]) -> None:
    for pair in near[::50]:
        assert 0 < pair.alike <= pair.alike_at_most + 1e-9 <= 1 + 1e-9


def test_words_are_compared_without_capitals_and_punctuation() -> None:
    assert words_in("What's the Bell's no. 12?!") == ["whats", "the", "bells", "no", "12"]
    assert words_in("把左边的 lamp 关掉") == ["把", "左", "边", "的", "lamp", "关", "掉"]
    assert runs_in("ring it") == {("ring", "it")}
    assert runs_in("ring it now please") == {("ring", "it", "now"), ("it", "now", "please")}
    assert likeness(["a", "b", "c", "d"], ["a", "b", "x", "d"]) == 0.75


def test_the_table_has_a_line_for_everything(
    near: list[Pair], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def compared(robots: Sequence[Robot]) -> list[Pair]:
        """What they come to; to compare them all takes seconds."""
        names = {robot.name for robot in robots}
        return [pair for pair in near if pair.robot.name in names]

    monkeypatch.setattr(nearness, "pairs", compared)
    monkeypatch.setattr(sys, "argv", ["nearness", "--requests"])
    nearness.main()
    lines = capsys.readouterr().out.splitlines()
    rows = [line.split("|")[1:-1] for line in lines if line.startswith("|")]
    assert len(rows) == len(all_tested()) + 2 and {len(row) for row in rows} == {7}
    assert not {row[2].strip() for row in rows} & same_trade()
    near_ones = {(pair.robot.name, pair.words) for pair in near if is_too_near(pair)}
    assert 5 <= len(lines) - len(rows) <= len(near_ones) + 2

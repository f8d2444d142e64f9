"""Requests in other languages: as many of each, and an ideal reader, who writes the right programs, is always right."""

from __future__ import annotations

import asyncio
import re
import tomllib
from collections import Counter

import pytest
from test_understanding_files import DATA

from thinkaloud.models import Scripted
from thinkaloud_bench.contract import Item, Played
from thinkaloud_bench.rows import MEAN, groups_of
from thinkaloud_bench.running import items_of
from thinkaloud_bench.understanding import BENCH, OWN
from thinkaloud_bench.understanding.material import CALIBRATION, Episode, Spoken, shipped
from thinkaloud_bench.understanding.setups import play_request

LANGUAGES = ("german", "spanish", "french", "chinese")
IDEAL = tomllib.loads((DATA / "ideal_readings.toml").read_text(encoding="utf-8"))
"""By robot, for each request, a program for each turn."""
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def read_ideally(robot: str, number: int, programs: list[str]) -> Played:
    """A request, with a model that reads it as these programs; what failed it does not think about any further."""
    episode = Episode(shipped("languages")[robot], number)
    model = Scripted(programs, scores=lambda prompt, option: -0.1)
    item = Item("thinkaloud:confirm=never;propose=off", OWN, number, 0, episode)
    return asyncio.run(play_request(item, lambda: model))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("robot", shipped("languages"))
def test_who_reads_a_request_right_is_right(robot: str) -> None:
    assert len(IDEAL[robot]) == len(shipped("languages")[robot].requests)
    for number, programs in enumerate(IDEAL[robot]):
        found = read_ideally(robot, number, programs)
        assert found.success, (found.request, found.details[0])


def _ends(spoken: Spoken) -> tuple[object, ...]:
    """What is different in the end, or said; calls that leave no trace are beside it."""
    return spoken.exact, spoken.answer


@pytest.mark.sampled(3)
@pytest.mark.parametrize("robot", shipped("languages"))
def test_who_reads_another_request_is_not_right(robot: str) -> None:
    """Each request read as the next one that expects something else: an expectation that all fulfil would show."""
    requests, ideal = shipped("languages")[robot].requests, IDEAL[robot]
    for number, spoken in enumerate(requests):
        others = [at % len(requests) for at in range(number + 1, number + len(requests))]
        unlike = (
            at for at in others if requests[at].expect not in spoken.accepted or _ends(requests[at]) != _ends(spoken)
        )
        other = next(at for at in unlike if len(requests[at].turns) == 1)
        if requests[other].expect in {*spoken.accepted} - {"do", "answer"}:
            continue  # two refusals are alike
        assert not read_ideally(robot, number, ideal[other] * len(spoken.turns)).success, (spoken.text, ideal[other])


def test_each_robot_is_spoken_to_in_four_languages() -> None:
    assert len(shipped("languages")) >= 14
    for name, material in shipped("languages").items():
        tags = Counter(tag for spoken in material.requests for tag in spoken.tags if tag in LANGUAGES)
        assert [tags[language] for language in LANGUAGES] == [4] * 4, name
        for spoken in material.requests:
            assert sum(tag in LANGUAGES for tag in spoken.tags) == 1, spoken.text
            assert all(bool(CHINESE.search(turn)) is ("chinese" in spoken.tags) for turn in spoken.turns), spoken.text


def test_its_robots_are_others_and_its_words_are_said_nowhere_else() -> None:
    others = shipped("robots", "worlds", CALIBRATION)
    assert not {*shipped("languages")} & {*others}

    def said(folder: str) -> set[str]:
        return {turn for each in shipped(folder).values() for spoken in each.requests for turn in spoken.turns}

    assert not said("languages") & (said("robots") | said("worlds") | said(CALIBRATION))


def test_a_good_part_of_it_is_not_to_be_done_and_all_kinds_are_there() -> None:
    requests = [spoken for each in shipped("languages").values() for spoken in each.requests]
    assert len(requests) >= 224
    for language in LANGUAGES:
        own = [spoken for spoken in requests if language in spoken.tags]
        assert 0.2 <= sum(spoken.expect != "do" for spoken in own) / len(own) <= 0.4
        kinds = {tag for spoken in own for tag in spoken.tags}
        assert {"deed", "set", "negation", "order", "condition", "comparison", "question"} <= kinds, language


def test_they_are_a_group_that_can_be_played_alone() -> None:
    items = items_of(BENCH, ["thinkaloud"], ["languages"], None, 0)
    assert {item.task for item in items} == {*shipped("languages")}
    assert len(items) == sum(len(each.requests) for each in shipped("languages").values())
    everything = items_of(BENCH, ["thinkaloud"], None, None, 0)
    assert {item.task for item in everything} == {*BENCH.tasks} - {OWN}
    before = items_of(BENCH, ["thinkaloud"], ["robots", "worlds"], None, 0)
    assert everything[: len(before)] == before  # what was played before they came goes by the same seeds
    assert groups_of(BENCH, BENCH.tasks)[f"{MEAN} languages"] == [*shipped("languages")]

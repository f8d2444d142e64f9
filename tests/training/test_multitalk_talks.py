"""MultiTalk's demonstrations: they fit the grammars, plans do what they say, and nothing held out is in them."""

from __future__ import annotations

import math
import re
from collections import Counter

import numpy as np
import pytest

from thinkaloud.errors import Unparseable
from thinkaloud.records import Plan, WorldState
from thinkaloud.worlds.franka.boxes import boxes_of
from training.demonstrators import multitalk
from training.demonstrators.multitalk import talks
from training.demonstrators.multitalk.asking import WISHES, purpose
from training.demonstrators.multitalk.harder import HARDER
from training.demonstrators.multitalk.talks import Talk
from training.demonstrators.multitalk.things import PURPOSES
from training.heldout import violations
from training.samples import Sample

WAYS = [way for way, _ in (*WISHES, *HARDER)]


@pytest.fixture(autouse=True)
def _all_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talks, "CHECKED", 1.0)


def drawn(count: int, seed: int = 3) -> list[Sample]:
    rng, found = np.random.default_rng(seed), list[Sample]()
    while len(found) < count:
        found += multitalk.samples(rng)
    return found


def test_samples_vary_and_are_short() -> None:
    samples = drawn(160)
    texts = {sample.text for sample in samples}
    assert len(texts) > 155
    assert max(map(len, texts)) < 1600
    assert sum(map(len, texts)) / len(texts) < 500
    assert {sample.family for sample in samples} == {"multitalk.planner", "multitalk.analyzer"}
    said = Counter(
        answer.partition("\n")[2][:4] for s in samples for _, answer in s.parts if s.family.endswith("planner")
    )
    assert said["Plan"] > said["Ask:"] > said["Look"] > 1
    verdicts = Counter(answer == " ok\n" for s in samples for _, answer in s.parts if s.family.endswith("analyzer"))
    assert verdicts[True] > verdicts[False] > 10


def test_nothing_that_is_held_out_is_in_them() -> None:
    assert not [found for sample in drawn(120, 5) if (found := violations(sample.text))]
    for request in (
        "Give me something to eat",
        "Give me the soup can",
        "Interchange the object locations in the scene",
        "Interchange the locations of two pairs of objects on the table",
        "Arrange the objects on the table such that they form a straight line",
    ):
        assert violations(request), request


@pytest.mark.parametrize("way", WAYS, ids=lambda way: str(way.__name__))
def test_every_kind_of_wish_can_be_drawn(way: object) -> None:
    rng = np.random.default_rng(1)
    for _ in range(2):
        assert way(rng).samples()  # type: ignore[operator]


def test_what_serves_a_purpose_is_asked_for_if_there_is_more_than_one() -> None:
    rng = np.random.default_rng(2)
    for _ in range(25):
        talk = purpose(rng)
        text = talk.planner.samples[0].text
        if "Which one" in text:
            meant = re.findall(r"Meant: (.* or .*)", text)[0].split(" or ")
            uses = {talk.table.named(name).kind.use for name in meant}
            assert any(uses <= {*fit} for fit in PURPOSES.values())


def test_plans_do_what_they_say() -> None:
    """Each is gone through on its table, by grasps and moves alone."""
    rng, tried = np.random.default_rng(4), 0
    for way in WAYS * 2:
        talk = way(rng)
        plans = talk.monologue.since(None, Plan)
        if plans:
            try:
                tried += replayed(talk, plans[-1].verbatim.partition("Plan: ")[2])
            except Unparseable as error:  # some tables are crowded
                assert re.search("room|free place|way round", str(error)), error
    assert tried > 20


def replayed(talk: Talk, said: str) -> bool:
    first = talk.state
    boxes = boxes_of(first)
    places = {name: (box.x, box.y) for name, box in boxes.items()}
    begun = dict(places)
    for line in re.split(r"(?<=\.) (?=Put|Exchange|Line)", said):
        state = WorldState(
            first.objects, (), {n: {**first.attributes[n], "x": x, "y": y} for n, (x, y) in places.items()}
        )
        held = ""
        for saying in talk.deeds.read_task(line, state, first):
            to = (float(saying.arguments["x"]), float(saying.arguments["y"]))
            if saying.skill == "grasp":
                free = [name for name in places if name not in talk.deeds.receptacles]
                held = min(free, key=lambda name: math.dist(places[name], to))
                assert math.dist(places[held], to) < 0.011, line
            else:
                places[held] = to
        assert is_so(line, begun, places), (line, begun, places)
    return True


def is_so(line: str, begun: dict[str, tuple[float, float]], now: dict[str, tuple[float, float]]) -> bool:
    if match := re.match(r"Put the (.+) at \((.+), (.+)\)", line):
        return now[match[1]] == (float(match[2]), float(match[3]))
    if match := re.match(r"Exchange the (.+) and the (.+?)(?:, round .*)?\.$", line):
        return now[match[1]] == begun[match[2]] and now[match[2]] == begun[match[1]]
    if match := re.match(r"Line up along ([xy])( in any order)?: (.+)\.$", line):
        along, names = "xy".index(match[1]), match[3].split(", ")
        row = [now[name] for name in names]
        steps = [place[along] for place in row]
        level = max(place[1 - along] for place in row) - min(place[1 - along] for place in row)
        return level <= 0.02 and (bool(match[2]) or steps == sorted(steps))
    if match := re.match(r"Put the (.+) where ([xy]) ([<>]) (-?\d\.\d+)", line):
        value = now[match[1]]["xy".index(match[2])]
        return value > float(match[4]) if match[3] == ">" else value < float(match[4])
    return True

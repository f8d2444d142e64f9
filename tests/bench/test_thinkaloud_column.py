"""Our own preset can be a column of every paper's table: it is played, judged, and never waits for nobody."""

from __future__ import annotations

import asyncio

import pytest

from thinkaloud.models import Scripted
from thinkaloud_bench.benches import BENCHES
from thinkaloud_bench.contract import Played
from thinkaloud_bench.running import items_of

PRESET = "thinkaloud:confirm=never"
TASKS = {
    "inner-monologue-tabletop": "pick-and-place",
    "statler": "disinfection",
    "itp": "milk",
    "multitalk": "soup_can",
    "hicrisp": "two_in_bowl",
}


def play(name: str, program: str) -> Played:
    bench = BENCHES.find(name)
    (item,) = items_of(bench, [PRESET], [TASKS[name]], 1, 1000)
    played: Played = asyncio.run(bench.play(item, lambda: Scripted([program] * 40)))
    return played


@pytest.mark.parametrize("name", TASKS)
def test_it_is_played_and_judged(name: str) -> None:
    played = play(name, 'cannot("I have no hands.")')
    assert not played.success and played.steps == 0 and played.preset == PRESET


@pytest.mark.parametrize("name", TASKS)
def test_what_it_asks_is_answered_or_ends_the_episode(name: str) -> None:
    played = play(name, 'ask("Which one do you mean?")')
    assert not played.success and played.steps == 0


def test_every_paper_has_room_for_it() -> None:
    for name in (*TASKS, "virtualhome", "inner-monologue-kitchen", "inner-monologue-real"):
        bench = BENCHES.find(name)
        assert items_of(bench, [PRESET], None, 1, 1000)

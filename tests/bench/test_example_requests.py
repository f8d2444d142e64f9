"""The requests that a newcomer is offered were right in 20 of 20 scenes, by a recorded result."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from thinkaloud.models import Scripted
from thinkaloud.records import End
from thinkaloud.robots import open_world
from thinkaloud.worlds import WORLDS
from thinkaloud.worlds.contract import briefing_of
from thinkaloud_bench import examples
from thinkaloud_bench.examples import JUDGES, SCENES, Example, play, read_played, rows_of

FOLDER = Path(__file__).parents[2] / "bench/examples"
DECLARED = {name: found for name in WORLDS.available() if (found := briefing_of(open_world(name)).examples)}


@pytest.mark.parametrize("world", sorted(DECLARED))
def test_a_world_offers_what_was_right_in_every_scene_or_else_its_best(world: str) -> None:
    shares: dict[str, float] = {}
    for request in JUDGES[world]:
        played = [each for each in read_played(FOLDER) if (each.world, each.request) == (world, request)]
        assert all(each.model == examples.MODEL for each in played)
        if sorted(each.seed for each in played) == list(range(SCENES)):
            shares[request] = sum(each.right for each in played) / SCENES
    assert shares.keys() >= {*DECLARED[world]}, "each was played in all scenes"
    assert all(shares[request] == max(shares.values()) for request in DECLARED[world])


def test_the_results_follow_from_the_episodes() -> None:
    written = msgspec.json.decode((FOLDER / "results.json").read_bytes())
    assert written["rows"] == msgspec.to_builtins(rows_of(read_played(FOLDER)))


def test_every_request_that_is_offered_has_a_judge() -> None:
    assert {(w, r) for w, found in DECLARED.items() for r in found} <= {(w, r) for w in JUDGES for r in JUDGES[w]}


def test_an_episode_is_right_only_if_the_world_agrees_and_nothing_was_asked() -> None:
    request = "Drive to every landmark."

    def played(program: str) -> Example:
        return asyncio.run(play("warehouse", request, 0, Scripted(lambda prompt: program, name="embedded")))

    assert not played("say('done')").right
    assert not played("ask('Where to?', ['a', 'b'])").right


def test_a_stack_of_all_blocks_is_told_from_two_stacks() -> None:
    world = open_world("pick_and_place")
    world.reset(0)
    judge, scene = JUDGES["pick_and_place"]["Stack all the blocks."], world.observe()
    blocks = [each for each in scene.objects if each.endswith("block")]

    def stacked(*pairs: tuple[int, int]) -> bool:
        for upper, lower in pairs:
            step = {"object": blocks[upper], "target": blocks[lower]}
            asyncio.run(world.skills["pick_and_place"].run(step))
        return judge(world, scene, None, End("goal met", ""))  # type: ignore[arg-type]

    assert not stacked()
    assert not stacked((1, 0), (3, 2), (4, 3))
    assert stacked((1, 4), (0, 1))

"""Things that come later: not there at first, there once the robot has looked again."""

from __future__ import annotations

import asyncio
import math
from typing import cast

import pytest

from thinkaloud.robots import open_world
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Pictured, find_ability
from thinkaloud_worlds.franka import Franka, FrankaScene, Item
from thinkaloud_worlds.late_arrivals import Arriving

SCENE = FrankaScene(
    (Item("soup can", x=0.3, y=0.4), Item("mug", x=0.3, y=-0.4), Item("tray", x=0.0, y=0.42), Item("lime", on="tray")),
    late=("soup can", "lime"),
)


@pytest.fixture
def world() -> Arriving:
    found = open_world("franka", scene=SCENE.to_json())
    assert isinstance(found, Arriving)
    found.reset(1)
    return found


def test_what_is_late_is_there_only_after_looking_again(world: Arriving) -> None:
    assert isinstance(world, World)
    assert find_ability(world, Pictured) is not None
    assert world.observe().objects == ("mug", "tray")
    assert world.position("soup can")[2] < 0
    found = world.rescan()
    assert found.objects == ("soup can", "mug", "tray", "lime")
    assert world.position("soup can")[:2] == pytest.approx((0.3, 0.4), abs=0.002)
    assert world.start("soup can")[:2] == pytest.approx((0.3, 0.4), abs=0.002)
    assert world.holds(world.relations["on"].condition({"object": "lime", "target": "tray"}))
    asyncio.run(world.skills["grasp"].run({"x": 0.3, "y": 0.4, "z": 0.0}))
    assert world.held == "soup can"


def test_looking_again_twice_brings_nothing_twice(world: Arriving) -> None:
    world.rescan()
    asyncio.run(world.skills["grasp"].run({"x": 0.3, "y": 0.4, "z": 0.0}))
    asyncio.run(world.skills["move"].run({"x": 0.1, "y": -0.45, "z": 0.0}))
    world.rescan()
    assert world.position("soup can")[:2] == pytest.approx((0.1, -0.45), abs=0.003)


def test_a_place_that_was_taken_meanwhile_is_not_taken_twice(world: Arriving) -> None:
    asyncio.run(world.skills["grasp"].run({"x": 0.3, "y": -0.4, "z": 0.0}))
    asyncio.run(world.skills["move"].run({"x": 0.3, "y": 0.4, "z": 0.0}))
    world.rescan()
    apart = math.dist(world.position("soup can")[:2], world.position("mug")[:2])
    assert 0.08 < apart < 0.3
    assert world.upright("soup can")
    assert world.upright("mug")


def test_snapshots_know_what_is_still_to_come(world: Arriving) -> None:
    before = world.snapshot()
    world.rescan()
    after = world.snapshot()
    world.restore(before)
    assert world.snapshot() == before
    assert world.observe().objects == ("mug", "tray")
    world.rescan()
    assert world.snapshot() == after
    other = Arriving(Franka(SCENE), SCENE.late)
    other.restore(after)
    assert other.rescan() == world.rescan()
    for garbage in (b"", b"garbage", before[: len(before) // 2], Franka(SCENE).snapshot()):
        with pytest.raises(ValueError, match="snapshot"):
            other.restore(garbage)


def test_a_new_episode_is_without_them_again_and_a_twin_is_of_the_world_inside(world: Arriving) -> None:
    first = world.snapshot()
    world.rescan()
    assert world.twin is not None
    twin = world.twin()
    assert isinstance(twin, Franka)
    assert twin.observe() == world.observe()
    world.reset(1)
    assert world.snapshot() == first
    assert not hasattr(world, "no_such_thing")


@pytest.mark.parametrize("late", ['["lime", "tray"]', '["tray", "lime", "lime"]'])
def test_what_comes_on_something_else_comes_after_it(late: str) -> None:
    scene = f'late = {late}\nobject = [{{name = "lime", on = "tray"}}, {{name = "tray", x = 0.3, y = 0.3}}]\n'
    world = open_world("franka", scene=scene)
    assert world.observe().objects == ()
    found = cast(Arriving, world).rescan()
    assert found.objects == ("lime", "tray")
    assert found.state is not None
    assert [relation.words for relation in found.state.relations] == ["Lime is on the tray."]

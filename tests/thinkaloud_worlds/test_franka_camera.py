"""What the franka world sees: at a slant, round things, and what it remembers of what it cannot see."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from thinkaloud_worlds.franka import Franka, FrankaScene, Item, camera
from thinkaloud_worlds.franka.camera import ALL_VIEWS, find_visible
from thinkaloud_worlds.franka.physics import Table

BEHIND = FrankaScene(
    (Item("tuna can", x=0.28, y=0.01), Item("cracker box", x=0.38, y=0.0), Item("mug", x=0.3, y=0.4)),
    beyond=("tuna can",),
)


def test_all_that_is_in_view_is_described() -> None:
    world = Franka(
        FrankaScene((Item("tray", x=0.25, y=0.4), Item("apple", on="tray"), Item("mustard bottle", x=0.32, y=-0.33)))
    )
    seen = world.observe()
    assert seen.objects == ("tray", "apple", "mustard bottle")
    assert seen.vocabulary["object"] == seen.objects
    assert seen.vocabulary["receptacle"] == ("tray",)
    assert seen.state
    assert seen.state.attributes["mustard bottle"] == {
        "x": 0.32, "y": -0.33, "z": 0.09, "length": 0.06, "width": 0.06, "height": 0.19,
    }  # fmt: skip
    assert [relation.words for relation in seen.state.relations] == ["Apple is on the tray."]


def test_what_stands_behind_something_is_found_by_looking_again_and_stays_known() -> None:
    world = Franka(BEHIND)
    first = world.observe()
    assert first.objects == ("cracker box", "mug")
    assert first.state
    assert "tuna can" not in first.state.objects
    assert world.rescan().objects == ("tuna can", "cracker box", "mug")
    later = world.observe()
    assert later.objects == ("cracker box", "mug")
    assert later.hidden == ("tuna can",)
    assert later.state
    assert later.state.attributes["tuna can"]["x"] == pytest.approx(0.28)
    assert world.twin().observe() == later
    world.reset(0)
    assert world.observe() == first


def test_taking_away_what_is_in_front_shows_what_is_behind() -> None:
    world = Franka(BEHIND)
    asyncio.run(world.skills["grasp"].run({"x": 0.38, "y": 0.0, "z": 0.0}))
    assert "tuna can" in world.observe().objects
    assert "cracker box" in world.observe().objects  # it is in the hand


def test_what_is_seen_to_be_gone_is_forgotten_and_what_is_only_hidden_is_not() -> None:
    world = Franka(BEHIND)
    world.rescan()
    world.table.put("mug", 0.28, 0.14)  # still in view, elsewhere
    state = world.observe().state
    assert state
    assert state.attributes["mug"]["y"] == pytest.approx(0.14)
    world.table.set_aside("mug")
    seen = world.observe()
    assert seen.state
    assert "mug" not in seen.state.objects
    assert "mug" not in seen.hidden
    assert "tuna can" in seen.hidden
    world.table.set_aside("tuna can")
    assert "tuna can" in world.observe().hidden  # nobody can see that it is not there
    assert "tuna can" not in world.rescan().hidden


@pytest.mark.parametrize("seed", range(5))
def test_no_ray_that_hits_a_thing_is_left_out(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    table, rng = Table(FrankaScene.random(seed, 4, 8)), np.random.default_rng(seed)
    for name in table.names[1:]:  # thrown onto a heap, in any orientation
        at = int(table.model.joint(f"free{table.names.index(name)}").qposadr[0])
        table.data.qpos[at : at + 7] = [*(table.position(table.names[0]) + rng.normal(0, 0.12, 3)), *rng.normal(size=4)]
    seen = [find_visible(table, (eye,)) for eye in ALL_VIEWS]
    monkeypatch.setattr(camera, "_towards_things", lambda table, data, eye: camera._rays(eye))
    assert seen == [find_visible(table, (eye,)) for eye in ALL_VIEWS]
    assert len({*seen}) > 1


def test_tables_of_one_scene_change_nothing_for_each_other() -> None:
    scene = FrankaScene((Item("apple", x=0.3, y=0.1), Item("mug", x=0.4, y=-0.3)))
    first, second = Table(scene), Table(scene)
    before = second.state(), second.model.geom_contype.tobytes()
    first.grip("apple")
    assert (second.state(), second.model.geom_contype.tobytes()) == before
    assert Table(scene).state() == before[0]

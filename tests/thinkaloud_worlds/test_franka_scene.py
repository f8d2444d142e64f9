"""Scenes of the franka world: read from text, drawn by a seed, refused with their line."""

from __future__ import annotations

import itertools
import math

import pytest

from thinkaloud.errors import BadScene
from thinkaloud_worlds.franka import (
    CATALOGUE,
    Franka,
    FrankaScene,
    Item,
    OwnKind,
    open_franka,
    reaches,
    read_franka_scene,
)
from thinkaloud_worlds.late_arrivals import Arriving

TOML = """
late = ["soup can"]

[[object]]
name = "soup can"
x = 0.3
y = 0.4

[[object]]
name = "basket"
x = 0.25
y = -0.4
colour = "blue"

[[object]]
name = "lamp 2"
kind = "lantern"
on = "basket"

[[kind]]
name = "lantern"
shape = "cylinder"
size = [0.05, 0.05, 0.15]
colour = "gold"
"""


def test_a_scene_is_read_from_text_and_written_again() -> None:
    scene = read_franka_scene(TOML)
    assert scene.late == ("soup can",)
    placed = scene.placed()
    assert placed["soup can"].kind == CATALOGUE["soup can"]
    assert (placed["lamp 2"].x, placed["lamp 2"].y) == (0.25, -0.4)
    assert 0 < placed["lamp 2"].bottom < 0.02
    assert placed["basket"].rgb == (58, 110, 190)
    assert FrankaScene.from_json(scene.to_json()) == scene


def test_what_the_scene_says_is_what_stands_there() -> None:
    scene = FrankaScene(
        (Item("cracker box", x=0.3, y=0.3, yaw=90), Item("tin", "soup can", 0.3, -0.3, size=(0.05, 0.05, 0.08)))
    )
    state = Franka(scene).observe().state
    assert state
    assert state.attributes["cracker box"] == {
        "x": 0.3, "y": 0.3, "z": 0.1, "length": 0.16, "width": 0.06, "height": 0.2,
    }  # fmt: skip
    assert state.attributes["tin"]["height"] == 0.08


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[object]\n", "scene:1: is not TOML"),
        ("late = []\n", "scene:1: the field `object` is missing; a scene has object"),
        ('[[object]]\nname = "soup can"\n', "scene:1: soup can needs x and y"),
        (
            '\n[[object]]\nname = "teapot"\nx = 0.3\ny = 0.3\n',
            "scene:2: teapot: there is no kind 'teapot'.* Known: apple, avocado, ",
        ),
        ('[[object]]\nname = "soop can 2"\nx = 0.3\ny = 0.3\n', "'soop can'. Did you mean 'soup can'"),
        ('[[object]]\nname = "cup"\nx = 0.3\ny = "far"\n', "scene:1: object 1: .* for 'y'"),
        ('[[object]]\nname = "cup"\nx = 0.3\ny = 0.3\nweight = 3\n', "unknown field `weight`"),
        ('[[object]]\nname = "cup"\nx = 0.6\ny = 0.3\n', "does not stand on the table at"),
        ('[[object]]\nname = "cup"\nx = 0.05\ny = 0.0\n', "where the arm's base is"),
        (
            '[[object]]\nname = "cup"\nx = 0.0\ny = 0.2\n',
            "The arm does not reach cup at .0, 0.2., too near to its base",
        ),
        ('beyond = ["mug"]\n[[object]]\nname = "cup"\nx = 0.3\ny = 0.3\n', "scene:1: beyond names 'mug'"),
        ('[[object]]\nname = "cup"\nx = 0.3\ny = 0.3\nyaw = 45\n', "0 or 90 degrees"),
        ('[[object]]\nname = "cup"\nx = 0.3\ny = 0.3\ncolour = "loud"\n', "'loud' is not a colour"),
        ('[[object]]\nname = "cup"\nx = 0.3\ny = 0.3\nsize = [0.05, 0.05, 0.9]\n', "the size is"),
        ('[[object]]\nname = "cup"\nx = 0.3\ny = 0.3\non = "tray"\n', "not another object"),
        ('late = ["mug"]\n[[object]]\nname = "cup"\nx = 0.3\ny = 0.3\n', "scene:1: late names 'mug'"),
        (
            'late = ["tray"]\n[[object]]\nname = "tray"\nx = 0.3\ny = 0.3\n[[object]]\nname = "cup"\non = "tray"\n',
            "scene:6: cup is on 'tray', which arrives late; list it in late, too",
        ),
        (
            '[[object]]\nname = "cup"\nx = 0.3\ny = 0.3\n\n[[object]]\nname = "mug"\nx = 0.32\ny = 0.3\n',
            "scene:6: mug and cup are in the same place",
        ),
        (
            '[[object]]\nname = "cup"\nx = 0.3\ny = 0.3\n\n[[object]]\nname = "Cup"\nkind = "cup"\nx = 0.3\ny = -0.3\n',
            "scene:6: Two things are called 'Cup'",
        ),
        ('{"object": [\n{"name": "cup", "x": 0.3, "y": 0.3},\n{"name": "vat", "x": 0, "y": 0.4}]}', "scene:3: vat"),
        (
            '[[object]]\nname = "cup"\nx = 0.3\ny = 0.3\n[[kind]]\nname = "orb"\nshape = "o"\nsize = [0.1, 0.1, 0.1]',
            "scene:5: orb: there is no shape 'o'",
        ),
        (
            '[[object]]\nname = "cup"\nkind = "cup"\non = "mug"\n[[object]]\nname = "mug"\non = "cup"\n',
            "scene:1: cup stands on 'mug', which stands on it in turn",
        ),
        (
            '[[object]]\nname = "lime"\non = "mug"\n[[object]]\nname = "cup"\non = "mug"\n'
            '[[object]]\nname = "mug"\non = "cup"\n',
            "scene:4: cup stands on 'mug', which stands on it in turn",
        ),
        (
            '[[object]]\nname = "pot"\nx = 0.3\ny = 0.3\n'
            + '[[kind]]\nname = "pot"\nshape = "box"\nsize = [0.05, 0.05, 0.1]\n' * 2,
            "scene:9: Two kinds are called 'pot'",
        ),
    ],
)
def test_bad_scenes_are_refused_with_their_place(text: str, said: str) -> None:
    with pytest.raises(BadScene, match=said):
        read_franka_scene(text)


def test_what_is_meant_to_be_out_of_reach_may_be_there() -> None:
    scene = read_franka_scene('beyond = ["cup"]\n[[object]]\nname = "cup"\nx = 0.0\ny = 0.2\n')
    assert scene.beyond == ("cup",)
    assert FrankaScene.from_json(scene.to_json()) == scene


def test_a_scene_that_is_made_by_hand_is_checked_too() -> None:
    with pytest.raises(BadScene, match="no kind"):
        Franka(FrankaScene((Item("teapot", x=0.3, y=0.3),)))
    with pytest.raises(BadScene, match="room for 1 to"):
        Franka(FrankaScene(()))
    own = OwnKind("lantern", "cylinder", (0.05, 0.05, 0.15), "gold", tags=("tool",))
    assert Franka(FrankaScene((Item("lantern", x=0.3, y=0.3),), (own,))).observe().objects == ("lantern",)


def test_what_the_seed_draws_can_be_grasped_and_stands_apart() -> None:
    twice = 0
    for seed in range(40):
        scene = FrankaScene.random(seed)
        scene.check()
        placed = [*scene.placed().values()]
        assert 3 <= len(placed) <= 6
        assert all(each.kind.graspable and not each.kind.tall for each in placed)
        assert all(reaches(each.x, each.y, each.kind.size[2]) for each in placed)
        assert all(math.dist((a.x, a.y), (b.x, b.y)) >= 0.15 for a, b in itertools.combinations(placed, 2))
        kinds = [each.kind.name for each in placed]
        twice += len({*kinds}) < len(kinds)
        for each in placed:
            assert (each.name != each.kind.name) == (kinds.count(each.kind.name) > 1)
    assert 5 < twice < 35


def test_late_things_are_what_a_wrapper_is_for() -> None:
    assert isinstance(open_franka(TOML), Arriving)
    assert isinstance(open_franka(TOML.replace('late = ["soup can"]', "")), Franka)
    assert isinstance(open_franka(None), Franka)

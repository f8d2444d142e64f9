"""Scenes: drawn at random, written down, and read from files."""

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thinkaloud.errors import BadScene
from thinkaloud_worlds.tabletop import Scene, Tabletop, load_scene, read_scene

GOOD = """\
# two blocks and a plate
[[objects]]
name = "red block"
kind = "block"
x = 0.0
y = -0.5

[[objects]]
name = "apple"
kind = "block"
colour = "crimson"
x = 0.1
y = -0.4

[[objects]]
name = "plate"
kind = "bowl"
color = "#fafafa"
x = -0.2
y = -0.3
size = 0.14
"""


@settings(max_examples=60)
@given(st.integers(-(2**40), 2**40))
def test_random_scenes_are_possible_and_spread_out(seed: int) -> None:
    scene = Scene.random(seed)
    scene.check()
    kinds = [thing.kind for thing in scene.objects]
    assert 2 <= kinds.count("block") <= 4
    assert 1 <= kinds.count("bowl") <= 3
    assert len({thing.name for thing in scene.objects}) == len(scene.objects)
    for i, first in enumerate(scene.objects):
        for second in scene.objects[i + 1 :]:
            assert math.dist((first.x, first.y), (second.x, second.y)) >= 0.15
    assert Scene.from_json(scene.to_json()) == scene
    assert Scene.random(seed) == scene


def test_counts_can_be_chosen() -> None:
    kinds = [thing.kind for thing in Scene.random(1, blocks=4, bowls=0).objects]
    assert kinds == ["block"] * 4
    assert len(Scene.random(1, blocks=9, bowls=3).objects) == 12
    assert len({thing.name for thing in Scene.random(1, blocks=11, bowls=1).objects}) == 12
    with pytest.raises(BadScene, match="at most 32"):
        Scene.random(1, blocks=20, bowls=13)


def test_a_scene_file_becomes_a_world(tmp_path: Path) -> None:
    file = tmp_path / "scene.toml"
    file.write_text(GOOD)
    scene = load_scene(file)
    world = Tabletop(scene)
    world.reset(9)
    assert world.observe().objects == ("red block", "apple", "plate")
    assert scene.objects[1].rgb == (220, 20, 60)
    assert scene.objects[2].rgb == (250, 250, 250)
    assert world.position("red block") == pytest.approx((0.0, -0.5, 0.02), abs=1e-3)
    assert Scene.from_json(scene.to_json()) == scene


def test_json_says_the_same(tmp_path: Path) -> None:
    file = tmp_path / "scene.json"
    file.write_text(read_scene(GOOD).to_json())
    assert load_scene(file) == read_scene(GOOD)


def test_a_block_can_stand_on_a_block_from_the_start() -> None:
    more = '[[objects]]\nname = "pear"\nkind = "block"\ncolour = "green"\non = "apple"\n'
    world = Tabletop(read_scene(GOOD + more))
    assert world.on("pear", "apple")
    assert world.observe().objects == ("red block", "plate", "pear")
    assert world.observe().hidden == ()


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("x = 0.0", "x = ", 5, "is not TOML: Invalid value"),
        (
            'kind = "block"\nx = 0.0',
            'kind = "jar"\nx = 0.0',
            2,
            "no kind 'jar'; use one of block, bowl, cup, dis",
        ),
        ("x = 0.1\n", "", 8, "apple: give x and y"),
        ("x = 0.1\n", 'x = "left"\n', 12, "object 2: Expected `float`, got `str` for 'x'"),
        ("x = 0.1\n", "x = 0.1\nweight = 3\n", 13, "unknown field `weight`"),
        ("x = 0.1\n", "x = 0.3\n", 8, "apple: .0.3, -0.4. is not on the table; x must be -0.28 to 0.28 and y"),
        ("x = 0.1\ny = -0.4", "x = 0.02\ny = -0.5", 8, "apple overlaps red block: they are 2.0 cm apart, and need 5.7"),
        ('"crimson"', '"reddish"', 8, "unknown colour 'reddish'; use one of red, "),
        ('"apple"', '"Red Block"', 8, "Two objects are called 'Red Block'"),
        ('"apple"', '"middle"', 8, "name of a place"),
        ('"apple"', '"a\\nb"', 8, "no usable name"),
        ("size = 0.14", "size = 2", 15, "plate: the size is 2.0 m; a bowl must be 0.1 to 0.18 m"),
        ("size = 0.14", 'on = "apple"', 15, "only blocks stack"),
        ("x = 0.1\ny = -0.4", 'on = "plate"', 8, "apple: it is on 'plate', which must be an object listed earlier"),
        ("size = 0.14", "mass = 9", 15, "plate: the mass is 9 kg; it must be 0.005 to 2.0 kg"),
        ('"apple"', '"empty space"', 8, "a name for the table itself"),
        ("[[objects]]", "[[things]]", 1, "a scene has a list called objects"),
    ],
)
def test_what_is_wrong_with_a_scene_file_is_said_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, says: str
) -> None:
    file = tmp_path / "scene.toml"
    assert old in GOOD
    file.write_text(GOOD.replace(old, new))
    with pytest.raises(BadScene, match=says) as caught:
        load_scene(file)
    assert str(caught.value).startswith(f"{file}:{line}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('{"objects": [\n{"name": "a",}\n]}', 2, "is not JSON"),
        (
            '{"objects": [\n{"name": "a", "kind": "block", "x": 0, "y": -0.5},\n{"name": "b"}\n]}',
            3,
            "missing .* `kind`",
        ),
        ("[]", 1, "list called objects"),
        ('{"objects": []}', 1, "There are no objects"),
        ('{"objects": 3}', 1, "list called objects"),
        ('{"objects": [\n3]}', 1, "object 1: Expected"),
    ],
)
def test_json_errors_have_lines_too(tmp_path: Path, text: str, line: int, says: str) -> None:
    file = tmp_path / "scene.json"
    file.write_text(text)
    with pytest.raises(BadScene, match=says) as caught:
        load_scene(file)
    assert str(caught.value).startswith(f"{file}:{line}: ")


def test_too_many_objects_are_refused(tmp_path: Path) -> None:
    one = '[[objects]]\nname = "b{0}"\nkind = "block"\nx = {1}\ny = {2}\n'
    file = tmp_path / "scene.toml"
    file.write_text("".join(one.format(i, -0.25 + 0.1 * (i % 5), -0.3 - 0.1 * (i // 5)) for i in range(33)))
    with pytest.raises(BadScene, match="There are 33 objects; a scene has at most 32"):
        load_scene(file)


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadScene, match="cannot be read: No such file"):
        load_scene(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadScene, match="not a text file"):
        load_scene(tmp_path / "binary.toml")


@settings(max_examples=80)
@given(st.text(max_size=200))
def test_no_text_whatever_does_anything_but_read_or_be_refused(text: str) -> None:
    try:
        read_scene(text)
    except BadScene as error:
        assert str(error)


def test_twelve_objects_of_any_colour_and_name_make_a_world() -> None:
    world = Tabletop(Scene.random(3, blocks=9, bowls=3))
    assert len(world.observe().objects) == 12


CUPS = """\
[[objects]]
name = "rubiks cube"
kind = "toy"
x = 0.0
y = -0.5

[[objects]]
name = "blue cup"
kind = "cup"
on = "rubiks cube"

[[objects]]
name = "disinfector"
kind = "disinfector"
x = 0.18
y = -0.3

[[objects]]
name = "red block"
kind = "block"
on = "disinfector"
mass = 0.1
dirty = true

[[objects]]
name = "tan block"
kind = "block"
on = "disinfector"
"""


def test_scene_files_know_cups_boxes_and_toys() -> None:
    scene = read_scene(CUPS)
    assert Scene.from_json(scene.to_json()) == scene
    world = Tabletop(scene)
    assert world.observe().objects == ("blue cup", "disinfector", "red block", "tan block")
    assert "rubiks cube" in world.blocks
    red, tan = world.position("red block"), world.position("tan block")
    assert math.dist(red, tan) > 0.04
    assert red[2] == pytest.approx(0.025, abs=1e-3)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('on = "rubiks cube"', 'on = "blue cup"', "blue cup: it is on 'blue cup', which must be"),
        ('on = "rubiks cube"', 'size = 0.07\non = "rubiks cube"', None),
        ('kind = "toy"', 'kind = "block"\nsize = 0.06', "too narrow to stand over the rubiks cube"),
        ("mass = 0.1", "mass = 0.001", "the mass is 0.001 kg"),
        (
            'name = "tan block"\nkind = "block"\non = "disinfector"',
            'name = "tan block"\nkind = "block"\non = "blue cup"',
            None,
        ),
        (
            'name = "tan block"\nkind = "block"\non = "disinfector"',
            'name = "tan block"\nkind = "block"\non = "rubiks cube"',
            "both stand on rubiks cube; a toy carries one",
        ),
    ],
)
def test_what_cups_boxes_and_toys_can_be_on(old: str, new: str, says: str | None) -> None:
    assert old in CUPS
    if says is None:
        read_scene(CUPS.replace(old, new))
    else:
        with pytest.raises(BadScene, match=says):
            read_scene(CUPS.replace(old, new))


def test_a_bowl_holds_only_so_many() -> None:
    bowl = '[[objects]]\nname = "bowl"\nkind = "bowl"\nx = 0\ny = -0.5\nsize = 0.15\n'
    block = '[[objects]]\nname = "b{0}"\nkind = "block"\nsize = 0.03\non = "bowl"\n'
    assert len(read_scene(bowl + "".join(block.format(i) for i in range(7))).objects) == 8
    with pytest.raises(BadScene, match="b7 does not fit into the bowl: there is room for 7 such things"):
        read_scene(bowl + "".join(block.format(i) for i in range(8)))

"""The table [view] of a robot's file: places on a plan, and a picture under it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from thinkaloud.errors import BadScene
from thinkaloud.robots.text_file import TextFileWorld, parse_robot
from thinkaloud.worlds.drawing import draw, find_plan_picture

CORRIDOR = Path(__file__).parents[2] / "examples/robots/hotel_corridor.toml"
SHED = """
name = "shed"
about = "A robot in a shed."
[kinds]
box = ["box"]
shelf = ["low shelf", "high shelf"]
[skills.put]
says = "Put the {box} on the {shelf}."
doc = "Put it there."
parameters = { box = "box", shelf = "shelf" }
makes = ["on({box}, {shelf})"]
[relations.on]
says = "The {box} is on the {shelf}."
doc = "Where it is."
parameters = { box = "box", shelf = "shelf" }
single = true
"""
PNG = b"\x89PNG\r\n\x1a\n and more"


def test_places_show_the_robot_and_what_is_there() -> None:
    world = TextFileWorld(CORRIDOR)
    places = {place.name: place for place in world.plan_drawn()}
    assert places["linen room"].robot and not places["room 12"].robot
    assert (places["linen room"].things, places["room 12"].things) == (("parcel", "towels"), ("breakfast tray",))
    assert (places["room 11"].size, places["night light"].size) == ((3.4, 2.6), None)
    drawing = draw(world, world.observe())
    assert drawing.kind == "plan" and drawing.picture is None
    asyncio.run(world.skills["go_to"].run({"room": "room 11"}))
    changed = draw(world, world.observe(), drawing)
    assert changed.version == drawing.version + 1
    assert [place.name for place in changed.places if place.robot] == ["room 11"]


def test_a_robot_without_a_view_is_a_board_of_what_is_true() -> None:
    world = TextFileWorld(SHED)
    before = draw(world, world.observe())
    asyncio.run(world.skills["put"].run({"box": "box", "shelf": "low shelf"}))
    after = draw(world, world.observe(), before)
    assert [(group.kind, [thing.name for thing in group.things]) for group in after.board] == [
        ("box", ["box"]),
        ("shelf", ["low shelf", "high shelf"]),
    ]
    assert (before.board[0].things[0].facts, after.board[0].things[0].facts) == ((), ("The box is on the low shelf.",))
    assert (after.kind, after.version) == ("board", before.version + 1)


def test_a_picture_lies_beside_the_file_and_is_one(tmp_path: Path) -> None:
    file = tmp_path / "shed.toml"
    file.write_text(f'{SHED}\n[view]\nsize = [3, 2]\npicture = "plan.png"\n[view.places]\n"low shelf" = [1, 1]\n')
    with pytest.raises(BadScene, match=r"view.picture: there is no file 'plan.png' beside this one"):
        TextFileWorld(file)
    (tmp_path / "plan.png").write_bytes(PNG)
    world = TextFileWorld(file)
    picture = find_plan_picture(world)
    assert picture is not None and (picture.data, picture.width, picture.height) == (PNG, 3.0, 2.0)
    assert draw(world, world.observe()).picture == (3.0, 2.0)
    (tmp_path / "plan.png").write_bytes(b"<svg onload=alert(1)>")
    assert find_plan_picture(world) is None


@pytest.mark.parametrize(
    ("view", "why"),
    [
        ("", r"view.size: expected numbers in metres, such as \[12, 8\], not None"),
        ('size = ["a", 2]', "view.size: expected numbers"),
        (
            "size = [1, 2]\nplaces = { sofa = [1, 1] }",
            "view.places.sofa: there is no 'sofa' under .kinds.; there are: box",
        ),
        ("size = [1, 2]\nplaces = { box = [1] }", "view.places.box: expected numbers"),
        ('size = [1, 2]\nrobot = "on"', "view.robot: 'on' is not a relation with one parameter"),
        ('size = [1, 2]\npicture = "/etc/passwd"', "view.picture: '/etc/passwd' has to be a file beside this one"),
        ('size = [1, 2]\npicture = "../secret.png"', "view.picture: '../secret.png' has to be a file beside this one"),
        ("size = [1, 2]\ncolour = 1", "view.colour: there is no such key"),
    ],
)
def test_what_is_wrong_with_a_view_is_said(view: str, why: str) -> None:
    with pytest.raises(BadScene, match=why):
        parse_robot(f"{SHED}\n[view]\n{view}\n")

"""The kitchen through a camera: what the picture shows is so, what is covered is not seen, eyes are all there is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_kitchen import do, is_so, kitchen

from thinkaloud.errors import BadInput, DidNotWork
from thinkaloud.perceive.camera_geometry import centre_of
from thinkaloud.worlds.vision import Appearance, Sight, Sighting, View, open_eyes
from thinkaloud_worlds import staged_pictures
from thinkaloud_worlds.kitchen import DRAWERS, ITEMS, LOCATIONS, Kitchen, KitchenScene, PlacedItem, draw_kitchen
from thinkaloud_worlds.kitchen.arrangement import arrange
from thinkaloud_worlds.kitchen.camera import photograph_kitchen, usual_shot
from thinkaloud_worlds.kitchen.catalogue import CABINET
from thinkaloud_worlds.kitchen.furniture import PLACES
from thinkaloud_worlds.kitchen.item_forms import ITEM_FORMS, form_of
from thinkaloud_worlds.kitchen.sight import things_in
from thinkaloud_worlds.staged_pictures import draw_decor
from written_detector import write_detector


@pytest.fixture(autouse=True)
def keep_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the pictures from test to test."""
    monkeypatch.setattr(staged_pictures, "KEPT", 200)


class Sharp:
    """Eyes that find everything of which at least a quarter is visible, by the truth of the picture."""

    def __init__(self, world: Kitchen, names: dict[str, str] | None = None, blind_to: tuple[str, ...] = ()) -> None:
        self.world, self.looks = world, 0
        self.names, self.blind_to = names or {}, blind_to

    def look(self, view: View, catalogue: Sequence[Appearance]) -> Sight:
        self.looks += 1
        picture, names = self.world.photograph()
        assert np.array_equal(picture.view.rgb, view.rgb), "the eyes get the picture of the moment"
        found = []
        for number, name in enumerate(names):
            box = picture.box(number)
            if box is not None and picture.visible(number) >= 0.25 and name not in self.blind_to:
                found.append(Sighting(self.names.get(name, name), box, centre_of(view, box)))
        return Sight(tuple(found))


def eyes_of(world: Kitchen) -> Sharp:
    sight: Any = world.room.sight
    eyes: Sharp = sight._eyes
    return eyes


def seeing(
    scene: KitchenScene, seed: int = 1, names: dict[str, str] | None = None, blind_to: tuple[str, ...] = ()
) -> Kitchen:
    world = Kitchen(scene)
    world.see_with(Sharp(world, names, blind_to))
    world.reset(seed)
    return world


def scene(start: str = "counter", opened: tuple[str, ...] = (), **places: str) -> KitchenScene:
    items = tuple(PlacedItem(name.replace("_", " "), at) for name, at in places.items())
    return KitchenScene(items, start, opened)


def boxes(world: Kitchen) -> dict[str, float]:
    picture, names = world.photograph()
    return {name: picture.visible(number) for number, name in enumerate(names) if picture.box(number)}


# The picture ----------------------------------------------------------------------------------------------------------


def test_a_seed_gives_the_same_picture_and_another_one_another_kitchen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged_pictures, "KEPT", 0)
    staged_pictures.forget_pictures()
    views = []
    for seed in (3, 3, 4):
        world = kitchen()
        world.reset(seed)
        views.append(world.view())
    assert np.array_equal(views[0].rgb, views[1].rgb) and np.array_equal(views[0].depth, views[1].depth)
    assert np.abs(views[0].rgb.astype(int) - views[2].rgb).mean() > 5


@pytest.mark.parametrize("place", LOCATIONS)
def test_what_lies_somewhere_is_in_the_picture_there_and_nowhere_else(place: str) -> None:
    at = "user" if place == "user" else place
    here = Kitchen(scene(place, coke=at))
    here.reset(2)
    assert boxes(here)["coke"] > 0.9
    for elsewhere in {*LOCATIONS} - {place}:
        there = Kitchen(scene(elsewhere, coke=at))
        there.reset(2)
        assert boxes(there).get("coke", 0.0) < 0.9


def test_a_thing_is_where_its_pixels_are() -> None:
    for seed in range(4):
        world = Kitchen()
        world.reset(seed)
        picture, names = world.photograph()
        points = picture.view.points()
        for number, thing in enumerate(things_in(world.room)):
            own = (picture.things == number) & (picture.view.depth > 0)
            if own.sum() > 30:
                assert thing.place == world.room.place and names[number] == thing.name
                assert np.linalg.norm(np.median(points[own], axis=0) - thing.middle()) < thing.form.height


def test_what_is_in_a_drawer_is_seen_only_while_it_is_open() -> None:
    shut = Kitchen(scene(CABINET, coke="top drawer", sponge="bottom drawer"))
    shut.reset(1)
    assert not boxes(shut)
    for opened, seen in ((DRAWERS[:1], {"coke"}), (DRAWERS[1:], {"sponge"}), (DRAWERS, {"coke", "sponge"})):
        world = Kitchen(scene(CABINET, opened, coke="top drawer", sponge="bottom drawer"))
        world.reset(1)
        assert {name for name, share in boxes(world).items() if share > 0.25} == seen


def test_what_is_behind_something_larger_is_covered() -> None:
    shares = [share for seed in range(12) for share in boxes(_drawn(seed)).values()]
    assert max(shares) > 0.95 and min(shares) < 0.5
    alone = Kitchen(scene("counter", coke="counter"))
    alone.reset(5)
    assert boxes(alone) == {"coke": 1.0}


def _drawn(seed: int) -> Kitchen:
    items = tuple(PlacedItem(each.name, "counter") for each in draw_kitchen(seed).items)
    world = Kitchen(KitchenScene(items, "counter"))
    world.reset(seed)
    return world


def test_things_stay_where_they_are_when_another_one_is_taken() -> None:
    names = [*ITEM_FORMS]
    full = arrange(7, names, dict.fromkeys(names, "counter"), (), "counter")
    less = arrange(7, names, dict.fromkeys(names[1:], "counter"), (), "counter")
    assert full[1:] == less and full[0].name == names[0]
    spots = {each.at[:2] for each in full}
    assert len(spots) == len(names)
    (wide, deep), (x, y) = PLACES["counter"].room, PLACES["counter"].middle
    assert all(abs(each[0] - x) <= wide / 2 and abs(each[1] - y) <= deep / 2 for each in spots)


def test_what_is_thrown_on_others_lies_on_them() -> None:
    names = ["coke", "tea", "water", "7up", "apple", "orange"]
    lying = arrange(3, names, dict.fromkeys(names, "trash"), (), "trash")
    assert len({each.at[2] for each in lying}) > 2 and min(each.at[2] for each in lying) == 0.0
    assert [each.on_side for each in lying] == [True] * 4 + [False] * 2


def test_every_item_has_a_form_and_a_name_tells_that_of_another() -> None:
    assert {*ITEMS} == {*ITEM_FORMS}
    assert form_of("blue mug").shape == "cup" and form_of("blue mug").rgb[2] > 150
    assert form_of("paprika chips").shape == "bag" and form_of("gizmo").shape == "carton"
    assert form_of("gizmo") == form_of("gizmo") != form_of("gadget")


def test_shapes_of_every_kind_can_be_photographed() -> None:
    names = ["blue mug", "gizmo", "soup bowl", "bar of soap", *ITEMS]
    things = arrange(
        1, names, {name: [*LOCATIONS, *DRAWERS][at % 7] for at, name in enumerate(names)}, DRAWERS, "table"
    )
    picture = photograph_kitchen(draw_decor(1), things, DRAWERS, replace(usual_shot("table"), width=80, height=60))
    assert (picture.view.depth > 0).mean() > 0.9


def test_a_kitchen_that_is_played_without_a_camera_builds_no_bodies() -> None:
    code = (
        "import sys, asyncio\nfrom thinkaloud_worlds.kitchen import Kitchen\nworld = Kitchen()\nworld.reset(3)\n"
        "asyncio.run(world.skills['go_to'].run({'location': 'counter'}))\nworld.observe(), world.snapshot()\n"
        "assert 'mujoco' not in sys.modules, 'a body was built'\nworld.view()\nassert 'mujoco' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# Eyes -----------------------------------------------------------------------------------------------------------------

FEW = scene("table", coke="counter", apple="table", tea="top drawer")


def test_the_robot_fetches_by_what_it_sees() -> None:
    world = seeing(FEW)
    assert world.observe().objects == ("apple",) and not is_so(world, "item_at", item="coke", location="counter")
    do(world, ("find", "coke"), ("pick_up", "coke"), ("bring_it_to_you",), ("put_down", "coke"))
    assert world.room.places["coke"] == "user" and is_so(world, "item_at", item="coke", location="user")
    assert world.observe().hidden == ("apple",)


def test_drawers_and_what_is_in_them_are_seen() -> None:
    world = seeing(FEW)
    do(world, ("go_to", CABINET))
    assert is_so(world, "closed", drawer="top drawer") and "tea" not in world.observe().objects
    for drawer in DRAWERS:
        do(world, ("open_drawer", drawer))
        assert is_so(world, "opened", drawer=drawer)
    assert is_so(world, "inside", item="tea", drawer="top drawer")
    do(world, ("pick_up", "tea"), ("put_in", "tea", "bottom drawer"))
    assert world.room.places["tea"] == "bottom drawer" and is_so(world, "inside", item="tea", drawer="bottom drawer")
    do(world, ("close_drawer", "bottom drawer"))
    assert is_so(world, "closed", drawer="bottom drawer") and is_so(world, "inside", item="tea", drawer="bottom drawer")
    assert "tea" not in world.observe().objects


def test_what_the_eyes_miss_is_not_there_for_the_robot() -> None:
    world = seeing(scene("counter", coke="counter", apple="counter"), blind_to=("coke",))
    assert world.observe().objects == ("apple",)
    with pytest.raises(DidNotWork, match="nowhere to be seen"):
        do(world, ("find", "coke"))


def test_a_wrong_name_is_believed_and_the_hand_takes_what_is_really_there() -> None:
    world = seeing(scene("counter", coke="counter"), names={"coke": "redbull"})
    assert world.observe().objects == ("redbull",)
    do(world, ("pick_up", "redbull"))
    assert world.room.held == "coke" and is_so(world, "holding", item="redbull")
    do(world, ("go_to", "table"), ("put_down", "redbull"))
    assert world.room.places["coke"] == "table" and is_so(world, "item_at", item="redbull", location="table")


def test_what_was_taken_away_is_missed_when_its_place_is_seen_bare_and_not_when_it_is_covered() -> None:
    world = seeing(scene("counter", coke="counter", apple="counter"))
    assert is_so(world, "item_at", item="coke", location="counter")
    world.room.places["coke"] = "gone"
    world.room.look()
    assert not is_so(world, "item_at", item="coke", location="counter")
    other = seeing(scene("counter", coke="counter", apple="counter"))
    eyes_of(other).blind_to = ("coke",)
    other.room.places["apple"] = "gone"
    other.room.look()
    assert is_so(other, "item_at", item="coke", location="counter"), "something still is where it was"
    assert not is_so(other, "item_at", item="apple", location="counter")


def test_two_that_look_alike_are_not_gone_for() -> None:
    world = seeing(scene("counter", coke="counter", redbull="counter"), names={"redbull": "coke"})
    with pytest.raises(DidNotWork, match="2 things look like the coke"):
        do(world, ("pick_up", "coke"))


def test_a_picture_is_looked_at_once_until_something_changes() -> None:
    world = seeing(FEW)
    eyes = eyes_of(world)
    before = eyes.looks
    for _ in range(3):
        world.observe()
    assert eyes.looks == before
    do(world, ("go_to", "counter"))
    assert eyes.looks == before + 1


def test_a_snapshot_holds_what_was_seen_and_a_twin_knows_no_more() -> None:
    world = seeing(FEW)
    do(world, ("find", "coke"), ("pick_up", "coke"))
    saved, seen = world.snapshot(), world.observe()
    do(world, ("go_to", "table"), ("put_down", "coke"))
    world.restore(saved)
    assert world.observe() == seen and world.snapshot() == saved
    twin = world.twin()
    assert twin.room.places == {"apple": "table", "coke": "hand"}, "the tea was never seen"
    assert world.snapshot() == saved


def test_people_see_the_boxes_of_what_is_found() -> None:
    world = seeing(FEW)
    picture, found = world.camera_picture()
    assert picture.shape == (240, 320, 3) and {*found} == {"apple"}
    plain, true = kitchen(FEW).camera_picture()
    assert np.array_equal(picture, plain) and true == found


def test_learned_eyes_are_asked_for_the_items_by_name(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="the extra 'vision' is not installed")
    eyes = f"learned:{write_detector(tmp_path / 'written.onnx')}"
    world = Kitchen(KitchenScene((PlacedItem("red block", "counter"), PlacedItem("coke", "counter")), "counter"))
    world.reset(3)
    world.see_with(open_eyes(eyes))
    assert world.observe().objects == ("red block",), "the written detector has never heard of a coke"
    assert is_so(world, "item_at", item="red block", location="counter")
    with pytest.raises(BadInput, match="know none of the names here"):
        kitchen().see_with(open_eyes(eyes))

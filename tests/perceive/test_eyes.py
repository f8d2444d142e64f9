"""Seeing through a camera: what is found in a picture, what is remembered of it, and that nothing else is known."""

from __future__ import annotations

import ast
import asyncio
import sys
from dataclasses import replace
from importlib import import_module
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thinkaloud.perceive
from offering import worlds_offering
from thinkaloud.errors import BadInput, BadSettings, MissingExtra, SkillError, UnknownName
from thinkaloud.perceive.camera_geometry import centre_of, deproject
from thinkaloud.perceive.detector_boxes import DetectingEyes, Detection
from thinkaloud.records import Observation
from thinkaloud.robots import open_world
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Extendable, Twinned, Viewed, find_ability
from thinkaloud.worlds.interventions import Touchable
from thinkaloud.worlds.vision import Appearance, CannotSee, Eyes, Memory, Sight, Sighting, View, open_eyes
from thinkaloud_worlds.dishwasher import Dishwasher
from thinkaloud_worlds.kitchen import DRAWERS, Kitchen
from thinkaloud_worlds.tabletop import Scene, Tabletop, Thing
from thinkaloud_worlds.tabletop.sensor_noise import PAPER_DISTURBANCE, Disturbed
from thinkaloud_worlds.tabletop.table_eyes import appearances_of, photograph_table

TOWER = Scene(
    (
        Thing("red block", "block", 0.05, -0.45),
        Thing("blue block", "block", on="red block"),
        Thing("green bowl", "bowl", -0.15, -0.6),
        Thing("green block", "block", on="green bowl"),
    )
)


@pytest.fixture(scope="module")
def eyes() -> Eyes:
    return open_eyes("camera")


def seeing(scene: Scene | None, eyes: Eyes, seed: int = 0) -> Tabletop:
    world = Tabletop(scene)
    world.see_with(eyes)
    world.reset(seed)
    return world


def put(world: Tabletop, object: str, target: str) -> str:
    return str(asyncio.run(world.skills["pick_and_place"].run({"object": object, "target": target})))


# What is found --------------------------------------------------------------------------------------------------------


def test_a_pixel_and_its_depth_are_the_point_that_is_there() -> None:
    world = Tabletop(TOWER)
    view = world.view()
    x, y, z = world.position("blue block")
    seen = view.rotation.T @ (np.array([x, y, z + 0.02]) - view.position)  # the middle of its top
    at = view.intrinsics
    column, row = at.fx * seen[0] / seen[2] + at.cx, at.fy * seen[1] / seen[2] + at.cy
    assert float(view.depth[round(row), round(column)]) == pytest.approx(seen[2], abs=0.006)
    assert deproject(view, column, row, seen[2]) == pytest.approx((x, y, z + 0.02), abs=1e-6)


def test_heights_are_those_of_the_points() -> None:
    view = Tabletop(TOWER).view()
    rows, columns = np.array([3, 90, 91, 200]), np.arange(0, view.depth.shape[1], 7)
    assert np.isnan(view.points()[..., 2]).any()
    expected = view.points()[np.ix_(rows, columns)][..., 2]
    assert np.allclose(view.heights(rows, columns), expected, atol=1e-6, equal_nan=True)
    away = replace(view, depth=np.zeros_like(view.depth))
    assert np.isnan(away.heights(rows, columns)).all()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(4))
def test_things_are_found_where_they_are(eyes: Eyes, seed: int) -> None:
    world = seeing(None, eyes, seed)
    sight = eyes.look(world.view(), world.appearances())
    assert {*sight.names} == {*world.physics.names} and len(sight.sightings) == len(sight.names)
    for name in sight.names:
        _, point = sight.find(name)
        assert point[:2] == pytest.approx(world.position(name)[:2], abs=0.015)


def test_what_is_covered_is_not_seen_and_what_was_seen_before_is_hidden_then(eyes: Eyes) -> None:
    world = seeing(TOWER, eyes)
    first = world.observe()
    assert {*first.objects} == {"blue block", "green bowl", "green block"} and first.hidden == ()
    put(world, "blue block", "bottom side")
    assert "red block" in world.observe().objects  # which nobody had told it of
    put(world, "blue block", "red block")
    last = world.observe()
    assert "red block" not in last.objects and last.hidden == ("red block",)
    assert "red block" in last.vocabulary["object"] and "red block" not in last.vocabulary["object in view"]
    on = world.relations["on"].condition({"object": "blue block", "target": "red block"})
    assert world.holds(on) and world.on("blue block", "red block")


def test_going_on_from_a_snapshot_is_remembering(eyes: Eyes) -> None:
    world, other = seeing(TOWER, eyes), seeing(TOWER, eyes)
    put(world, "blue block", "bottom side")
    world.observe()
    put(world, "blue block", "red block")
    other.restore(world.snapshot())
    assert other.observe() == world.observe() and other.observe().hidden == ("red block",)
    assert other.snapshot() == world.snapshot()


def test_eyes_can_be_given_to_a_disturbed_world_and_under_the_noise(eyes: Eyes) -> None:
    plain, noisy = open_world("tabletop", eyes="camera"), Disturbed(Tabletop(), PAPER_DISTURBANCE)
    viewed = find_ability(noisy, Viewed)
    assert viewed is not None
    viewed.see_with(eyes)
    for world in (plain, noisy):
        world.reset(3)
    assert plain.observe() == noisy.observe()


# Nothing else is known ------------------------------------------------------------------------------------------------


CAMERAS = {
    "tabletop": "thinkaloud_worlds.tabletop.table_eyes.photograph",
    "real_table": "thinkaloud_worlds.real_table.wrist_camera.photograph",
    "franka": "thinkaloud_worlds.franka.overhead_camera.photograph",
    "kitchen": "thinkaloud_worlds.kitchen.sight.photograph_kitchen",
    "dishwasher": "thinkaloud_worlds.dishwasher.sight.photograph_dishes",
}
"""The worlds that can be seen through a camera, and what takes their pictures."""
TAKEN_BY = {
    takes: getattr(import_module(takes.rpartition(".")[0]), takes.rpartition(".")[2]) for takes in CAMERAS.values()
}


def observed(world: World) -> tuple[Observation, list[bool]]:
    """All that can be known of a world: what is observed, and what of all that can be asked is so."""
    seen = world.observe()
    asked = [
        each.condition(call) for each in world.relations.values() for call in each.signature.calls(seen.vocabulary)
    ]
    return seen, [world.holds(condition) for condition in asked]


def test_every_world_with_a_camera_is_tried_here() -> None:
    viewed = {*worlds_offering(Viewed)}
    assert viewed == {*CAMERAS}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CAMERAS)
def test_the_truth_behind_the_picture_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    world = open_world(name, eyes="camera")
    world.reset(3)
    photo = [photograph_of(world, CAMERAS[name], monkeypatch)]
    monkeypatch.setattr(CAMERAS[name], lambda *given, **more: photo[0])
    before = observed(world)
    assert before[0].objects and len(before[1]) > 2
    move_everything(world)
    assert observed(world) == before
    photo[0] = photograph_of(open_world(name), CAMERAS[name], monkeypatch)  # of another scene: all is new
    world.restore(world.snapshot())
    assert world.observe() != before[0]


def move_everything(world: World) -> None:
    """Put everything elsewhere, behind the robot's back."""
    if isinstance(world, Kitchen):
        places = world.room.places
        for item, where in zip([*places], [*places.values()][::-1], strict=True):
            places[item] = "user" if where == places[item] else where
        world.room.open = {*DRAWERS}
        return
    if isinstance(world, Dishwasher):
        known = world.process.known
        for item, compartment in zip(
            known.places, cycle((*world.scene.compartments, "finished location")), strict=False
        ):
            known.places[item] = compartment
        known.open = known.out = True
        return
    touchable = find_ability(world, Touchable)
    assert touchable is not None
    names = touchable.movable()
    here = [touchable.spot_of(thing) for thing in names]
    for thing, at in zip(names, [*here[1:], here[0]], strict=True):
        touchable.move_by_hand(thing, *at)
    touchable.knock_over(names[0])


def photograph_of(world: World, takes: str, monkeypatch: pytest.MonkeyPatch) -> object:
    """What a world's camera gives."""
    taken = list[object]()

    def take(*given: Any, **more: Any) -> object:
        taken.append(TAKEN_BY[takes](*given, **more))
        return taken[-1]

    with monkeypatch.context() as patch:
        patch.setattr(takes, take)
        viewed = find_ability(world, Viewed)
        assert viewed is not None
        viewed.view()
    return taken[0]


def test_where_things_really_are_is_for_judges(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    world = seeing(TOWER, eyes)
    photo = photograph_table(world.physics)
    monkeypatch.setattr("thinkaloud_worlds.tabletop.table_eyes.photograph_table", lambda physics: photo)
    for number, name in enumerate(world.physics.names):  # everything is elsewhere, and the tower is none
        world.physics.put(name, (-0.2 + 0.1 * number, -0.3, 0.0))
    on = world.relations["on"].condition({"object": "green block", "target": "green bowl"})
    assert world.holds(on) and not world.on("green block", "green bowl")
    assert world.position("green bowl")[0] == pytest.approx(0.0, abs=0.01)


def test_what_the_picture_shows_changes_everything(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    world, other = seeing(TOWER, eyes), Tabletop()
    other.reset(4)
    photo = photograph_table(other.physics)
    monkeypatch.setattr("thinkaloud_worlds.tabletop.table_eyes.photograph_table", lambda physics: photo)
    world.restore(world.snapshot())
    assert {*world.observe().objects} == {*other.physics.names}


def test_which_thing_a_pixel_really_shows_is_not_part_of_a_view(eyes: Eyes) -> None:
    world = Tabletop(TOWER)
    photo = photograph_table(world.physics)
    poisoned = replace(photo, geoms=np.zeros_like(photo.geoms))
    catalogue = world.appearances()
    assert eyes.look(poisoned.view, catalogue) == eyes.look(photo.view, catalogue)
    arrays = {name for name, value in vars(photo.view).items() if isinstance(value, np.ndarray)}
    assert arrays == {"rgb", "depth", "rotation", "position"}


def test_what_perceives_knows_no_world() -> None:
    room = Path(thinkaloud.perceive.__file__).parent
    for name in (
        "camera_geometry",
        "detector_boxes",
        "colour_eyes",
        "top_view",
        "open_vocabulary_eyes",
        "learned_eyes",
    ):
        tree = ast.parse((room / f"{name}.py").read_text())
        found = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        worlds = {module for module in found if module and module.startswith("thinkaloud.worlds")}
        known = {"thinkaloud.worlds.vision", "thinkaloud.worlds.geometry", "thinkaloud.worlds.learned_files"}
        assert worlds <= known, name  # pictures, points, and files of networks: no world
        assert "mujoco" not in found


def test_what_goes_by_the_true_state_is_no_longer_offered(eyes: Eyes) -> None:
    world = seeing(TOWER, eyes)
    assert find_ability(world, Twinned) is None and find_ability(world, Extendable) is None
    noisy = Disturbed(seeing(TOWER, eyes), PAPER_DISTURBANCE)
    assert noisy.extended is None
    report = put(world, "blue block", "bottom side")
    assert report == "Put down what was taken for the blue block."


# What can be wrong ----------------------------------------------------------------------------------------------------


def test_a_camera_that_sees_nothing_is_named(eyes: Eyes) -> None:
    view = Tabletop(TOWER).view()
    catalogue = appearances_of(())
    for wrong, why in (
        (replace(view, rgb=np.zeros_like(view.rgb)), "dark"),
        (replace(view, depth=np.zeros_like(view.depth)), "no depth anywhere"),
        (replace(view, rgb=view.rgb[:0]), "no picture"),
    ):
        with pytest.raises(CannotSee, match=why):
            eyes.look(wrong, catalogue)
    empty = replace(view, depth=np.full_like(view.depth, 1.3))  # a bare table
    assert eyes.look(empty, catalogue) == Sight()
    assert eyes.look(view, ()) == Sight()


def test_a_hole_in_the_depth_is_filled_from_around_it_and_a_large_one_is_named(eyes: Eyes) -> None:
    world = Tabletop(TOWER)
    view, catalogue = world.view(), world.appearances()
    box = eyes.look(view, catalogue).find("blue block")[0].box
    left, top, right, bottom = box
    whole = centre_of(view, box)
    small, large = view.depth.copy(), view.depth.copy()
    small[(top + bottom) // 2 - 1 : (top + bottom) // 2 + 3, (left + right) // 2 - 1 : (left + right) // 2 + 3] = 0
    large[top : bottom + 1, left : right + 1] = np.nan
    assert whole is not None
    assert centre_of(replace(view, depth=small), box) == pytest.approx(whole, abs=0.005)
    assert centre_of(replace(view, depth=large), box) is None
    sight = DetectingEyes(Says(Detection("blue block", box))).look(replace(view, depth=large), catalogue)
    with pytest.raises(SkillError, match="no depth at the blue block"):
        sight.find("blue block")


def test_a_box_is_in_doubt_only_if_it_is_too_large_however_its_sides_are_off(eyes: Eyes) -> None:
    world = Tabletop(TOWER)
    view, catalogue = world.view(), world.appearances()
    left, top, right, bottom = eyes.look(view, catalogue).find("blue block")[0].box
    doubts = list[list[bool]]()
    for slack in (0.0, 3.0):
        boxes = [(left - more, top - more, right + more, bottom + more) for more in range(0, 16, 3)]
        looks = [DetectingEyes(Says(Detection("blue block", box, 1.0, slack))).look(view, catalogue) for box in boxes]
        doubts.append([bool(sight.sightings[0].doubt) for sight in looks])
    exact, rough = doubts
    assert not exact[0] and exact[-1] and rough[-1]
    assert rough == [False, *exact[:-1]]


class Says:
    """A detector that always finds the same."""

    def __init__(self, *found: Detection) -> None:
        self._found = found

    def detect(self, view: View, catalogue: object) -> list[Detection]:
        return list(self._found)


ALIKE = Scene(
    (
        Thing("red block", "block", -0.1, -0.5),
        Thing("other block", "block", 0.1, -0.5, "red"),
        Thing("green block", "block", 0.0, -0.35),
    )
)
TOUCHING = Scene(
    (
        Thing("red block", "block", -0.1, -0.5),
        Thing("blue block", "block", 0.1, -0.5),
        Thing("other block", "block", 0.1, -0.44, "blue"),
    )
)


def test_of_two_things_that_look_alike_none_is_taken_and_nothing_moves(eyes: Eyes) -> None:
    world = seeing(ALIKE, eyes)
    alike = next(name for name in ("red block", "other block") if name in world.observe().objects)
    before = world.snapshot()
    with pytest.raises(SkillError, match=f"2 things look like the {alike}"):
        put(world, alike, "middle")
    assert world.snapshot() == before
    assert put(world, "green block", "bottom side").startswith("Put down")


def test_a_box_that_covers_two_things_is_left_alone(eyes: Eyes) -> None:
    world = seeing(TOUCHING, eyes)
    world.physics.put("other block", (0.1, -0.4598, 0.0))
    seen = next(name for name in ("blue block", "other block") if name in world.observe().objects)
    before = world.snapshot()
    with pytest.raises(SkillError, match="two things that touch"):
        put(world, seen, "middle")
    assert world.snapshot() == before


def test_what_is_seen_without_depth_stays_where_it_was() -> None:
    memory = Memory({"cup": (0.1, 0.2, 0.3)}).after(Sight((Sighting("cup", (0, 0, 1, 1), None),)))
    assert memory.points == {"cup": (0.1, 0.2, 0.3)}
    assert memory.after(Sight()).hidden(Sight()) == ("cup",)
    assert Memory.restored(memory.saved()) == memory


def test_eyes_that_there_are_not_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownName, match=r"There is no eye 'camra'\. Did you mean 'camera'"):
        open_world("tabletop", eyes="camra")
    with pytest.raises(BadSettings, match="no camera to see through"):
        open_world("by_hand", eyes="camera")
    with pytest.raises(BadInput, match="no weights"):
        open_eyes("camera:weights")
    monkeypatch.setitem(sys.modules, "cv2", None)
    with pytest.raises(MissingExtra, match=r'pip install "thinkaloud\[vision\]"'):
        open_eyes("camera")
    monkeypatch.setitem(sys.modules, "transformers", None)
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in ("owlv2", "grounding_dino"):
        with pytest.raises(MissingExtra, match=rf'The eyes \'{name}\' needs .*pip install "thinkaloud\[detectors\]"'):
            open_eyes(name)


def test_a_box_for_what_is_not_in_the_catalogue_is_nothing(eyes: Eyes) -> None:
    view = Tabletop(TOWER).view()
    look = Appearance("cup", (1, 2, 3), 0.05, 0.05)
    found = DetectingEyes(Says(Detection("unicorn", (0, 0, 9, 9)), Detection("cup", (0, 0, 9, 9)))).look(view, [look])
    assert found.names == ("cup",)


def test_depth_that_is_nothing_but_noise_is_named_and_rough_depth_is_not(eyes: Eyes) -> None:
    world = Tabletop(TOWER)
    view, rng = world.view(), np.random.default_rng(0)
    looks = appearances_of(())
    rough = np.where(view.depth > 0, view.depth + rng.normal(0, 0.006, view.depth.shape), 0.0)
    holes = np.where(rng.uniform(size=view.depth.shape) < 0.4, 0.0, rough).astype(np.float32)
    assert eyes.look(replace(view, depth=holes), looks).sightings
    for low, high in ((0.2, 2.0), (0.9, 1.2)):
        torn = rng.uniform(low, high, view.depth.shape).astype(np.float32)
        with pytest.raises(CannotSee, match="depth is nothing but noise"):
            eyes.look(replace(view, depth=torn), looks)

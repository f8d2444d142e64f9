"""The dishwasher through a camera: what the picture shows is so, eyes are all there is, and what was done is kept."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest

from kiln_scene import KILN
from thinkaloud.errors import DidNotWork, SkillError
from thinkaloud.perceive.camera_geometry import centre_of
from thinkaloud.records import Value
from thinkaloud.worlds.vision import Appearance, Sight, Sighting, View
from thinkaloud_worlds import staged_pictures
from thinkaloud_worlds.dishwasher import Dishwasher, open_dishwasher
from thinkaloud_worlds.dishwasher.arrangement import form_of_kind
from thinkaloud_worlds.dishwasher.camera import dishes_shown, photograph_dishes
from thinkaloud_worlds.dishwasher.furniture import spots_of
from thinkaloud_worlds.dishwasher.scene import DEFAULT_MACHINE, kind_without_number
from thinkaloud_worlds.dishwasher.true_state import Process
from thinkaloud_worlds.random_tables.pictures import TablePicture

PLACES = ("sink", "first rack", "second rack", "third rack", "finished location")


TAKEN: list[tuple[TablePicture, list[str]]] = []
"""The picture that was taken last, with the truth about it."""


@pytest.fixture(autouse=True)
def truth_of_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the truth about each picture that the robot takes, and the pictures from test to test."""
    monkeypatch.setattr(staged_pictures, "KEPT", 200)

    def take(process: Process, place: str, *, whole: bool = False) -> TablePicture:
        picture = photograph_dishes(process, place, whole=True)
        TAKEN[:] = [(picture, [each.name for each in dishes_shown(process, place)])]
        return picture

    monkeypatch.setattr("thinkaloud_worlds.dishwasher.sight.picture_of", take)


class Sharp:
    """Eyes that find everything of which at least a quarter is visible, by the truth of the picture."""

    def __init__(self, names: dict[str, str] | None = None, blind_to: tuple[str, ...] = ()) -> None:
        self.names, self.blind_to = names or {}, blind_to

    def look(self, view: View, catalogue: Sequence[Appearance]) -> Sight:
        picture, names = TAKEN[0]
        assert picture.view is view, "the eyes get the picture of the moment"
        found = []
        for number, name in enumerate(names):
            box, kind = picture.box(number), kind_without_number(name)
            if box is not None and picture.visible(number) >= 0.25 and kind not in self.blind_to:
                found.append(Sighting(self.names.get(name, kind), box, centre_of(view, box)))
        assert {each.name for each in found} <= {each.name for each in catalogue}
        return Sight(tuple(found))


def seeing(seed: int = 1, names: dict[str, str] | None = None, blind_to: tuple[str, ...] = ()) -> Dishwasher:
    world = Dishwasher()
    world.see_with(Sharp(names, blind_to))
    world.reset(seed)
    return world


def do(world: Dishwasher, skill: str, **arguments: Value) -> str:
    """Carry out a skill as the loop would, and see that, as far as the robot sees, it does what it promises."""
    called = world.skills[skill]
    checked = called.refuse(arguments, world.observe())
    before = world.observe().state
    report = asyncio.run(called.run(checked))
    assert all(world.holds(each) for each in called.promises(checked, world.relations))
    after = world.observe().state
    assert called.remembers is not None and before is not None and after is not None
    assert called.remembers(before, **checked).relations == after.relations
    return report


def loaded(world: Dishwasher, *kinds: str) -> None:
    """Put one of each kind where it belongs."""
    do(world, "open_dishwasher")
    do(world, "pull_out_racks")
    for kind in kinds:
        do(world, "grasp_utensil", utensil=kind)
        do(world, "remove_particles")
        rack = next(each.belongs for each in world.scene.items if each.kind == kind)
        do(world, "put_on_rack", utensil=kind, rack=rack)


# The picture ----------------------------------------------------------------------------------------------------------


def test_a_seed_gives_the_same_picture_and_another_one_another_kitchen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged_pictures, "KEPT", 0)
    staged_pictures.forget_pictures()
    views = []
    for seed in (3, 3, 4):
        world = Dishwasher()
        world.reset(seed)
        views.append(world.view())
    assert np.array_equal(views[0].rgb, views[1].rgb) and np.array_equal(views[0].depth, views[1].depth)
    assert np.abs(views[0].rgb.astype(int) - views[2].rgb).mean() > 5


@pytest.mark.parametrize("place", PLACES)
def test_what_lies_somewhere_is_in_the_picture_there_and_nowhere_else(place: str) -> None:
    world = Dishwasher()
    world.reset(2)
    known = world.process.known
    known.places |= dict.fromkeys(known.places, "first rack" if place == "sink" else "sink")
    known.places["cup 2"], known.places["fork 1"] = place, place
    known.open = known.out = True
    for each in PLACES:
        picture, names = world.photograph(each)
        assert {"cup 2", "fork 1"} <= {*names} if each == place else "cup 2" not in names
        for name in ("cup 2", "fork 1") if each == place else ():
            assert picture.visible(names.index(name)) > 0.5, (each, name)
    picture, names = world.photograph(place)
    box = picture.box(names.index("cup 2"))
    assert box is not None
    point = centre_of(picture.view, box)
    (wide, deep) = spots_of(world.scene)[place].room
    assert point is not None and abs(point[0]) < wide / 2 and abs(point[1]) < deep / 2 and 0 < point[2] < 0.12


def test_kinds_look_different_and_every_machine_has_pictures() -> None:
    colours = [form_of_kind(DEFAULT_MACHINE, kind).rgb for kind in DEFAULT_MACHINE.kinds]
    assert len({*colours}) == len(colours)
    kiln = open_dishwasher(KILN)
    kiln.reset(1)
    picture, names = kiln.photograph()
    assert names and all(picture.box(number) for number in range(len(names)))


# Through eyes ---------------------------------------------------------------------------------------------------------


def test_a_whole_wash_is_done_by_what_is_seen() -> None:
    world = seeing()
    assert {*world.observe().objects} == {*world.scene.names, "dishwasher"}
    loaded(world, "plate", "fork", "cup")
    do(world, "add_detergent", detergent="rose detergent")
    do(world, "close_dishwasher")
    assert {*world.observe().hidden} == {"plate 1", "fork 1", "cup 1"}
    do(world, "start_dishwasher")
    assert world.holds(world.relations["running"].condition({}))
    do(world, "wait_minutes", minutes=70)
    assert not world.holds(world.relations["running"].condition({}))
    report = do(world, "check_clean_and_dry")
    assert report == "Everything is clean and dry: plate 1, cup 1, fork 1."
    do(world, "return_utensils")
    assert world.items_at("finished location") == {"plate": 1, "fork": 1, "cup": 1}
    assert all(world.ready(name) for name, place in world.process.known.places.items() if place == "finished location")
    assert world.observe().hidden == ()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(6))
def test_door_racks_and_lamp_are_seen_in_any_light(seed: int) -> None:
    world = seeing(seed)
    known = world.process.known
    for is_open, out, running in (
        (False, False, False),
        (True, False, False),
        (True, True, False),
        (False, False, True),
    ):
        known.open, known.out, known.running = is_open, out, running
        for relation, so in (("is_open", is_open), ("out", out), ("running", running)):
            assert world.holds(world.relations[relation].condition({})) is so, relation


def test_what_the_eyes_do_not_know_is_not_there_for_the_robot() -> None:
    world = seeing(blind_to=("fork",))
    assert not any("fork" in name for name in world.observe().objects)
    with pytest.raises(SkillError, match="No fork is to be seen"):
        asyncio.run(world.skills["grasp_utensil"].run({"utensil": "fork"}))
    assert world.process.history == []


def test_the_hand_takes_what_really_is_where_something_was_seen() -> None:
    world = seeing(names={"bowl 2": "plate"}, blind_to=("plate",))
    assert {"plate 1", "bowl 1", "bowl 2"} < {*world.observe().objects} and "plate 2" not in world.observe().objects
    assert do(world, "grasp_utensil", utensil="plate") == "Grasped plate 1."
    assert world.holding() == "bowl 2"
    assert world.holds(world.relations["held"].condition({"object": "plate 1"})) and world.held("bowl 2")


def test_a_wrong_name_brings_the_wrong_thing_to_the_rack_and_only_judges_know() -> None:
    world = seeing(names={"bowl 1": "cup", "cup 1": "bowl"})
    world.process.known.places |= dict.fromkeys(("cup 2", "cup 3", "bowl 2", "bowl 3"), "finished location")
    world.observe()
    loaded(world, "cup")
    assert world.items_at("second rack") == {"bowl": 1}
    said = world.relations["some_loaded"].condition({"kind": "cup", "compartment": "second rack"})
    assert world.holds(said) and not world.some_loaded("cup", "second rack")


def test_what_somebody_took_away_is_forgotten_and_a_hand_that_is_sent_for_it_notices() -> None:
    world = seeing()
    world.observe()
    sight = world.sight
    assert sight is not None
    gone = sight.really("cup 1")
    world.process.known.places[gone] = "finished location"
    seen = world.observe()
    assert seen.state is not None
    (finished,) = (each for each in seen.state.relations if each.arguments.get("location") == "finished location")
    assert str(finished.arguments["object"]).startswith("cup")
    process, before = world.process, sight.process
    sight.points["plate 1"] = ("sink", (0.4, -0.4, 0.0))
    with pytest.raises(DidNotWork, match="closed on nothing"):
        sight._grasp("plate")
    assert process is before and world.holding() is None


def test_a_snapshot_keeps_what_was_seen_and_a_twin_knows_no_more() -> None:
    world, other = seeing(), seeing(2)
    loaded(world, "plate")
    world.observe()
    other.restore(world.snapshot())
    assert other.observe() == world.observe() and other.snapshot() == world.snapshot()
    real = next(name for name, place in world.process.known.places.items() if place == "third rack")
    twin = world.twin()
    assert twin.loaded_now() == {"plate 1": "third rack"} and world.loaded_now() == {real: "third rack"}
    assert twin.holds(twin.relations["prepared"].condition({"object": "plate 1"}))
    plain = Dishwasher()
    plain.restore(Dishwasher().snapshot())
    with pytest.raises(ValueError, match="not a snapshot"):
        plain.restore(b"\x00")


def test_where_things_were_seen_is_observed() -> None:
    world = seeing()
    state = world.observe().state
    assert state is not None and {*state.attributes} == {*world.scene.names}
    sight = world.sight
    assert sight is not None
    for name in ("plate 1", "cup 2", "bowl 3"):
        place, (x, y, _) = sight.points[name]
        origin = spots_of(world.scene)[place].origin
        assert state.attributes[name] == {"x": round(origin[0] + x, 3), "y": round(origin[1] + y, 3)}
    assert isinstance(sight.expected(), Process)


def test_playing_without_eyes_builds_nothing() -> None:
    code = (
        "import asyncio, sys\n"
        "from thinkaloud_worlds.dishwasher import Dishwasher\n"
        "world = Dishwasher(); world.reset(1); world.observe()\n"
        "asyncio.run(world.skills['open_dishwasher'].run({})); world.twin(); world.restore(world.snapshot())\n"
        "print('mujoco' in sys.modules, 'thinkaloud_worlds.dishwasher.sight' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["False", "False"]

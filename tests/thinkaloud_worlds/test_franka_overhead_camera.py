"""The franka world through a camera above the table: what is found, what is remembered, and how it is spoken of."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace

import numpy as np
import pytest

from thinkaloud import Agent, Scripted
from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.records import Condition
from thinkaloud.robots import open_world
from thinkaloud.worlds.contract import Scanning, Twinned, Viewed, find_ability
from thinkaloud.worlds.vision import Eyes, open_eyes
from thinkaloud_worlds.franka import CATALOGUE, Franka, FrankaScene, Item, OwnKind, open_franka
from thinkaloud_worlds.franka.extended import ExtendedFranka
from thinkaloud_worlds.franka.overhead_camera import kinds_known, photograph_from_above

TABLE = FrankaScene(
    (
        Item("tray", x=0.25, y=-0.35),
        Item("apple 1", "apple", 0.3, -0.4, on="tray"),
        Item("sponge", x=0.2, y=-0.28, on="tray"),
        Item("basket", x=0.25, y=0.35),
        Item("lemon", x=0.25, y=0.29, on="basket"),
        Item("apple 2", "apple", 0.3, 0.1),
        Item("mug", x=0.4, y=0.0),
    )
)
PILE = FrankaScene((Item("puzzle cube", x=0.3, y=0.3), Item("tuna can", on="puzzle cube"), Item("book", x=0.3, y=0.0)))


@pytest.fixture(scope="module")
def eyes() -> Eyes:
    return open_eyes("camera")


def seeing(scene: FrankaScene | None, eyes: Eyes) -> Franka:
    world = Franka(scene)
    world.see_with(eyes)
    return world


def do(world: Franka, skill: str, **arguments: float) -> str:
    return str(asyncio.run(world.skills[skill].run(arguments)))


def so(world: Franka, relation: str, **arguments: str | float) -> bool:
    return world.holds(Condition(relation, arguments, ""))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(4))
def test_what_stands_on_the_table_is_found_where_it_is_and_called_what_it_is(eyes: Eyes, seed: int) -> None:
    world = seeing(None, eyes)
    world.reset(seed)
    scene = world.observe()
    assert scene.state is not None
    kinds = sorted(placed.kind.name for placed in world.table.things.values())
    assert sorted(world._sight.kinds()[name].name for name in scene.objects) == kinds  # type: ignore[union-attr]
    for name in scene.objects:
        box = scene.state.attributes[name]
        at = float(box["x"]), float(box["y"])
        near = min(world.table.names, key=lambda other: math.dist(world.position(other)[:2], at))
        really = world.table.box(near)
        assert name.startswith(world.table.things[near].kind.name)
        assert [box[side] for side in really._fields] == pytest.approx([*really], abs=0.015)


def test_things_on_and_in_others_are_seen_there(eyes: Eyes) -> None:
    world = seeing(TABLE, eyes)
    assert {*world.observe().objects} == {"tray", "apple 1", "sponge", "basket", "lemon", "apple 2", "mug"}
    assert so(world, "on", object="sponge", target="tray") and so(world, "inside", object="lemon", target="basket")
    assert not so(world, "on", object="mug", target="tray") and not so(world, "held", object="mug")
    assert so(world, "at", object="mug", x=0.4, y=0.0) and not so(world, "at", object="mug", x=0.3, y=0.0)
    assert {*world.observe().vocabulary["receptacle"]} == {"tray", "basket"}
    with pytest.raises(UnknownName):
        so(world, "on", object="pear", target="tray")


def test_a_thing_keeps_its_name_while_it_is_carried_about(eyes: Eyes) -> None:
    world = seeing(TABLE, eyes)
    before = world.observe().state
    assert before is not None
    at = {name: (before.attributes[name]["x"], before.attributes[name]["y"]) for name in ("apple 1", "apple 2")}
    assert at["apple 1"] == pytest.approx((0.3, -0.4), abs=0.01)  # counted as a person sees them: from the left
    assert do(world, "grasp", x=0.3, y=0.1) == "apple 2 is in the hand."
    assert so(world, "held", object="apple 2") and "apple 2" in world.observe().objects
    assert do(world, "move", x=0.25, y=0.4) == "Put down what was taken for the apple 2 at (0.25, 0.40)."
    assert so(world, "inside", object="apple 2", target="basket") and not so(world, "held", object="apple 2")
    assert {"apple 1", "apple 2"} <= {*world.observe().objects} and "apple 3" not in world.observe().objects


def test_what_is_covered_is_not_known_until_it_is_seen_and_what_is_gone_is_forgotten(eyes: Eyes) -> None:
    world = seeing(PILE, eyes)
    assert {*world.observe().objects} == {"tuna can", "book"} and world.observe().hidden == ()
    world.table.put("tuna can", 0.2, -0.3)
    assert {*world.observe().objects} == {"tuna can", "book", "puzzle cube"}
    world.table.put("tuna can", 0.3, 0.3, 0.057)
    covered = world.observe()
    assert covered.hidden == ("puzzle cube",) and "puzzle cube" in covered.vocabulary["object"]
    assert so(world, "on", object="tuna can", target="puzzle cube")
    world.set_aside("book")
    gone = world.observe()
    assert "book" not in (*gone.objects, *gone.hidden) and gone.hidden == ("puzzle cube",)


def test_looking_closely_is_from_more_than_one_point(eyes: Eyes) -> None:
    scene = FrankaScene((Item("thermos", x=0.2, y=0.45), Item("lime", x=0.2, y=0.512)))
    world = seeing(scene, eyes)
    first = {*world.observe().objects}
    scanning = find_ability(world, Scanning)
    assert scanning is not None
    assert first < {*scanning.rescan().objects} == {"thermos", "lime"}


def test_what_the_hand_says_is_in_the_robots_own_names(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    named = FrankaScene((Item("secret", "mug", 0.3, 0.0), Item("stranger", "soup can", 0.3, 0.3, colour="lime")))
    world = seeing(named, eyes)
    assert {*world.observe().objects} == {"secret", "stranger"}  # a scene may have names of its own
    world = seeing(FrankaScene((Item("mug 7", "mug", 0.3, 0.0),)), eyes)
    assert world.observe().objects == ("mug",)
    photo = photograph_from_above(world.table)
    monkeypatch.setattr("thinkaloud_worlds.franka.camera_memory.photograph_from_above", lambda table, at: photo)
    world.table.put("mug 7", 0.3, 0.3)
    with pytest.raises(SkillError, match=r"Nothing to grasp at \(0.30, 0.00\)") as error:
        do(world, "grasp", x=0.3, y=0.0)
    assert "mug 7" not in str(error.value)
    assert world._sight._in_own_words("mug 7 slipped.") == "something slipped."  # type: ignore[union-attr]
    world.table.put("mug 7", 0.3, 0.0)
    assert world._sight._in_own_words("mug 7 slipped.") == "mug slipped."  # type: ignore[union-attr]


def test_going_on_from_a_snapshot_is_remembering(eyes: Eyes) -> None:
    world, other = seeing(PILE, eyes), seeing(PILE, eyes)
    world.table.put("tuna can", 0.2, -0.3)
    world.observe()
    do(world, "grasp", x=0.2, y=-0.3)
    other.restore(world.snapshot())
    assert other.observe() == world.observe() and other.snapshot() == world.snapshot()
    assert "tuna can is in the hand." in [each.words.lower() for each in other.observe().state.relations]  # type: ignore[union-attr]


def test_there_is_no_twin_of_what_is_only_seen(eyes: Eyes) -> None:
    world = seeing(TABLE, eyes)
    assert find_ability(world, Twinned) is None and find_ability(world.extended(), Twinned) is None
    assert find_ability(Franka(TABLE).extended(), Twinned) is not None
    late = open_franka(replace_late(TABLE, "mug").to_json())
    assert find_ability(late, Twinned) is not None
    find_ability(late, Viewed).see_with(eyes)  # type: ignore[union-attr]
    assert find_ability(late, Twinned) is None
    assert "mug" not in late.observe().objects and "mug" in find_ability(late, Scanning).rescan().objects  # type: ignore[union-attr]
    assert late.relations["at"].holds(object="mug", x=0.4, y=0.0)


def replace_late(scene: FrankaScene, *late: str) -> FrankaScene:
    return FrankaScene(scene.objects, scene.kinds, late)


def test_what_is_extended_goes_by_what_is_seen_too(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    extended = seeing(TABLE, eyes).extended()
    assert extended.holds(Condition("on", {"object": "sponge", "target": "tray"}, ""))
    photo = photograph_from_above(extended.table)
    monkeypatch.setattr("thinkaloud_worlds.franka.camera_memory.photograph_from_above", lambda table, at: photo)
    asked = [
        Condition(name, call, "")
        for name, each in extended.relations.items()
        for call in each.signature.calls(extended.observe().vocabulary, most=60)
    ]
    before, measured = [extended.holds(each) for each in asked], read_all(extended)
    assert any(before) and not all(before) and measured
    for number, name in enumerate(extended.table.names):
        extended.table.put(name, 0.0 + 0.06 * number, -0.5)
    assert ([extended.holds(each) for each in asked], read_all(extended)) == (before, measured)


def read_all(world: ExtendedFranka) -> list[object]:
    calls = [(m, call) for m in world.measures.values() for call in m.signature.calls(world.observe().vocabulary)]
    return [measure.read(**call) for measure, call in calls]


def test_our_own_method_puts_things_by_what_is_seen(eyes: Eyes) -> None:
    world = seeing(TABLE, eyes)
    model = Scripted(lambda prompt: 'put_on("apple 2", "basket")', scores=lambda prompt, option: -0.1)
    agent = Agent(world, model, "thinkaloud:confirm=never")
    assert asyncio.run(agent.run("Put the apple on the right into the basket.")).result == "goal met"
    x, y, _ = world.position("apple 2")
    assert world.table.box("basket").covers(x, y)


def test_what_may_be_there_does_not_depend_on_what_is_there() -> None:
    assert kinds_known(TABLE).keys() == kinds_known(PILE).keys() == CATALOGUE.keys()
    own = OwnKind("lantern", "cylinder", (0.06, 0.06, 0.15), "gold")
    assert "lantern" in kinds_known(FrankaScene((Item("apple", x=0.3, y=0.0),), (own,)))


def test_the_camera_shows_things_with_boxes_with_eyes_or_without(eyes: Eyes) -> None:
    plain, seen = Franka(TABLE).camera_picture(), seeing(TABLE, eyes).camera_picture()
    assert {*plain[1]} == {*seen[1]} == {item.name for item in TABLE.objects}
    for name, (left, top, right, bottom) in seen[1].items():
        x0, y0, x1, y1 = plain[1][name]
        assert x0 - 3 <= (left + right) / 2 <= x1 + 3 and y0 - 3 <= (top + bottom) / 2 <= y1 + 3


def test_a_dark_picture_is_named(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    world = open_world("franka")
    photo = photograph_from_above(Franka(TABLE).table)
    dark = replace(photo, view=replace(photo.view, rgb=np.zeros_like(photo.view.rgb)))
    monkeypatch.setattr("thinkaloud_worlds.franka.camera_memory.photograph_from_above", lambda table, at: dark)
    with pytest.raises(Exception, match="its picture is dark"):
        world.see_with(eyes)  # type: ignore[attr-defined]

"""The franka table in names: on, into, beside, between, a little farther."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.records import Arguments, Step
from thinkaloud.worlds.contract import Twinned, find_ability
from thinkaloud_worlds.franka import Franka, FrankaScene, Item
from thinkaloud_worlds.franka.box_geometry import boxes_of
from thinkaloud_worlds.franka.extended import ExtendedFranka
from thinkaloud_worlds.late_arrivals import Arriving

ITEMS = (
    Item("wooden block", x=0.34, y=-0.18),
    Item("toy brick", x=0.32, y=0.16),
    Item("apple", x=0.34, y=-0.04),
    Item("plate", x=0.25, y=0.48),
    Item("bowl", x=0.25, y=-0.45),
)


@pytest.fixture
def world() -> ExtendedFranka:
    return Franka(FrankaScene(ITEMS)).extended()


def do(world: ExtendedFranka, skill: str, given: Arguments) -> str:
    """Carry it out; it promises what comes true, and what it remembers is what is seen."""
    made, before = world.skills[skill], world.observe()
    checked = made.refuse(given, before)
    report = asyncio.run(made.run(checked))
    assert all(map(world.holds, made.promises(checked, world.relations)))
    assert not any(map(world.holds, made.revokes(checked, world.relations)))
    assert made.check is not None and made.check(**checked) is None
    assert made.remembers is not None and before.state is not None
    seen = world.observe().state
    assert seen is not None
    expected, found = boxes_of(made.remembers(before.state, **checked)), boxes_of(seen)
    for name, box in expected.items():
        assert found[name] == pytest.approx(box, abs=0.0201)
    return report


def refusal(world: ExtendedFranka, skill: str, given: Arguments) -> str:
    before = world.snapshot()
    with pytest.raises(SkillError) as said:
        world.skills[skill].refuse(given, world.observe())
    with pytest.raises(SkillError):
        asyncio.run(world.skills[skill].run(given))
    assert world.snapshot() == before
    return str(said.value)


def test_sides_are_those_of_the_person_opposite_the_arm(world: ExtendedFranka) -> None:
    assert world.left_of("bowl", "plate") and world.right_of("plate", "apple")
    assert world.in_front_of("apple", "plate") and world.behind("bowl", "toy brick")
    assert world.between("apple", "wooden block", "toy brick") and not world.between("plate", "apple", "bowl")
    assert [world.x("apple"), world.y("apple")] == pytest.approx([58, 11], abs=0.5)
    assert sorted(("plate", "apple", "bowl"), key=world.x) == ["bowl", "apple", "plate"]
    with pytest.raises(UnknownName):
        world.x("pear")


def test_things_are_put_on_and_into_others(world: ExtendedFranka) -> None:
    assert do(world, "put_on", {"object": "apple", "target": "bowl"}).startswith("Put the apple inside the bowl")
    do(world, "put_on", {"object": "toy brick", "target": "wooden block"})
    assert (world.level("apple"), world.level("toy brick"), world.level("wooden block")) == (1, 1, 0)
    assert world.height("toy brick") > world.height("wooden block")
    said = refusal(world, "put_beside", {"object": "wooden block", "side": "left of", "target": "plate"})
    assert said == "The toy brick is on the wooden block: move it first."
    do(world, "put_on", {"object": "toy brick", "target": "plate"})
    assert not world.on_table("toy brick") and world.on_table("plate")


@pytest.mark.parametrize("side", ["left of", "right of", "in front of", "behind", "next to"])
def test_things_are_put_beside_others(world: ExtendedFranka, side: str) -> None:
    report = do(world, "put_beside", {"object": "apple", "side": side, "target": "toy brick"})
    assert f"{side} the toy brick" in report
    assert world.next_to("apple", "toy brick") and world.on_table("apple")


def test_things_are_put_between_others_and_shifted(world: ExtendedFranka) -> None:
    do(world, "shift", {"object": "apple", "direction": "back", "centimetres": 4})
    assert world.y("apple") == pytest.approx(15, abs=1)
    do(world, "shift", {"object": "apple", "direction": "right"})
    assert world.x("apple") == pytest.approx(63, abs=1)
    do(world, "put_between", {"object": "apple", "one": "toy brick", "other": "plate"})
    assert world.between("apple", "plate", "toy brick")


@pytest.mark.parametrize(
    ("skill", "given", "words"),
    [
        ("shift", {"object": "apple", "direction": "forward", "centimetres": 30.0}, "the table ends there"),
        ("shift", {"object": "apple", "direction": "right", "centimetres": 20.0}, "the toy brick is in the way"),
        ("shift", {"object": "apple", "direction": "back", "centimetres": 30.0}, "the arm itself stands there"),
        ("shift", {"object": "apple", "direction": "left", "centimetres": 0.0}, "by more than 0"),
        ("put_between", {"object": "plate", "one": "apple", "other": "bowl"}, "The plate is too wide for the hand."),
        ("put_between", {"object": "toy brick", "one": "apple", "other": "wooden block"}, "too close to each other"),
        ("put_on", {"object": "wooden block", "target": "pear"}, "There is no thing 'pear' here"),
    ],
)
def test_what_cannot_be_is_said_before_anything_moves(
    world: ExtendedFranka, skill: str, given: Arguments, words: str
) -> None:
    assert words in refusal(world, skill, given)


def test_what_is_in_the_hand_is_beside_nothing_and_is_put_aside_for_another(world: ExtendedFranka) -> None:
    asyncio.run(world.grasp(0.34, -0.04))
    said = refusal(world, "put_beside", {"object": "toy brick", "side": "left of", "target": "apple"})
    assert said == "The apple is in the hand: put it down first."
    do(world, "put_on", {"object": "toy brick", "target": "plate"})
    assert world.on_table("apple") and world.held is None


def test_it_is_the_same_world_and_so_is_its_twin(world: ExtendedFranka) -> None:
    plain = world.world
    assert {*plain.skills} == {"grasp", "move", "home"} and "left_of" not in plain.relations
    assert world.snapshot() == plain.snapshot() and world.clock is plain.clock
    now, before = world.observe(), plain.observe()
    assert (now.objects, now.hidden, now.state) == (before.objects, before.hidden, before.state)
    found = find_ability(world, Twinned)
    assert found is not None
    twin = found.twin()
    assert isinstance(twin, ExtendedFranka)
    do(twin, "put_on", {"object": "apple", "target": "plate"})
    assert world.snapshot() != twin.snapshot() and not world.holds(
        world.relations["on"].condition({"object": "apple", "target": "plate"})
    )
    world.restore(twin.snapshot())
    assert world.level("apple") == 1


def test_what_comes_later_comes_later_here_too() -> None:
    plain = Arriving(Franka(FrankaScene(ITEMS)), ["apple"])
    assert plain.extended is not None
    world = plain.extended()
    assert isinstance(world, ExtendedFranka)
    assert "apple" not in world.observe().objects and world.snapshot() == plain.snapshot()
    assert "It is not known" in _said(world) or "There is no object" in _said(world)
    assert "apple" in world.rescan().vocabulary["thing"] and plain.late == ()
    do(world, "put_on", {"object": "apple", "target": "bowl"})
    assert world.twin is not None
    assert world.snapshot() == plain.snapshot() and isinstance(world.twin(), ExtendedFranka)


def _said(world: ExtendedFranka) -> str:
    return refusal(world, "put_on", {"object": "apple", "target": "bowl"})


def test_things_are_put_at_points_and_change_places(world: ExtendedFranka) -> None:
    assert "at (0.30, 0.30)" in do(world, "put_at", {"object": "apple", "x": 0.3, "y": 0.3})
    assert world.holds(world.relations["at"].condition({"object": "apple", "x": 0.3, "y": 0.3}))
    before = world.position("wooden block"), world.position("toy brick")
    do(world, "swap", {"object": "wooden block", "other": "toy brick"})
    assert world.position("toy brick")[:2] == pytest.approx(before[0][:2], abs=0.02)
    assert world.position("wooden block")[:2] == pytest.approx(before[1][:2], abs=0.02)
    said = refusal(world, "swap", {"object": "apple", "other": "plate"})
    assert said == "The plate is too wide for the hand."
    assert "the table ends there" in refusal(world, "put_at", {"object": "apple", "x": 1.5, "y": 0.0})
    assert "toy brick is in the way" in refusal(world, "put_at", {"object": "apple", "x": 0.34, "y": -0.18})


def test_a_swap_with_what_stands_on_it_is_refused_before_the_arm_moves(world: ExtendedFranka) -> None:
    do(world, "put_on", {"object": "toy brick", "target": "wooden block"})
    there = "The toy brick is on the wooden block: move it first."
    assert refusal(world, "swap", {"object": "toy brick", "other": "wooden block"}) == there
    assert refusal(world, "swap", {"object": "wooden block", "other": "toy brick"}) == there
    assert refusal(world, "swap", {"object": "apple", "other": "wooden block"}) == there
    x, y, z = world.position("toy brick")
    asyncio.run(world.skills["grasp"].run({"x": x, "y": y, "z": z}))
    world.observe()
    said = refusal(world, "swap", {"object": "toy brick", "other": "wooden block"})
    assert said == "The toy brick and the wooden block are at the same place: there is nothing to swap."


def row(world: ExtendedFranka, side: str, *names: str) -> list[Step]:
    made = world.skills["put_beside"]
    return [made.step({"object": b, "side": side, "target": a}) for a, b in itertools.pairwise(names)]


def test_the_first_of_a_row_makes_room_where_the_table_ends_too_soon(world: ExtendedFranka) -> None:
    deeds = row(world, "in front of", "wooden block", "toy brick", "apple")
    (first,) = world.make_room(deeds)
    assert first.skill == "put_at" and first.arguments["object"] == "wooden block"
    for step in (first, *deeds):
        do(world, step.skill, step.arguments)
    ys = [world.position(name)[1] for name in ("wooden block", "toy brick", "apple")]
    assert max(ys) - min(ys) < 0.02


def test_what_has_room_and_what_is_no_row_is_left_where_it_is(world: ExtendedFranka) -> None:
    assert world.make_room(row(world, "in front of", "wooden block", "apple")) == ()
    assert world.make_room(row(world, "next to", "wooden block", "toy brick", "apple")) == ()
    beside = [*row(world, "in front of", "plate", "apple"), *row(world, "in front of", "bowl", "toy brick")]
    assert world.make_room(beside) == ()


def test_a_high_thing_stands_close_to_a_low_one() -> None:
    world = Franka(FrankaScene((Item("apple", x=0.3, y=0.3), Item("shampoo bottle", x=0.3, y=-0.3)))).extended()
    do(world, "put_beside", {"object": "shampoo bottle", "side": "next to", "target": "apple"})
    assert world.holds(world.relations["near"].condition({"object": "shampoo bottle", "other": "apple"}))

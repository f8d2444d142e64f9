"""The table known by the camera at the wrist alone: what it shows, how things are picked and placed, and the noise."""

from __future__ import annotations

import asyncio
import math
from functools import cache

import numpy as np
import pytest

from thinkaloud.errors import SkillError
from thinkaloud.worlds.geometry import Xyz
from thinkaloud.worlds.vision import Sight, Sighting
from thinkaloud_worlds.real_table import RealTable
from thinkaloud_worlds.real_table.heap import _heaped, hidden_things
from thinkaloud_worlds.real_table.pick_place import ABOVE, FORCE, PickPlace, free_point_in, noisy
from thinkaloud_worlds.real_table.wrist_camera import pose_by_joints, take_wrist_picture
from thinkaloud_worlds.tabletop import Scene, Thing
from thinkaloud_worlds.tabletop import ur5e_arm as arm
from thinkaloud_worlds.tabletop.physics import Physics


@cache
def opened(task: str) -> tuple[RealTable, bytes]:
    world = RealTable(task=task, steady=True)  # type: ignore[arg-type]
    world.reset(2)
    return world, world.snapshot()


def world_of(task: str) -> RealTable:
    world, start = opened(task)
    world.restore(start)
    return world


def put(world: RealTable, object: str, target: str) -> str:
    return str(asyncio.run(world.skills["pick_place"].run({"object": object, "target": target})))


def test_the_lower_of_two_stacked_blocks_is_hidden_until_the_upper_one_is_taken_away() -> None:
    world = world_of("stacking")
    low, high, third = world.physics.names
    first = world.observe()
    assert {*first.objects} == {high, third} and first.hidden == ()
    assert low not in first.vocabulary["target"]
    put(world, high, third)
    second = world.observe()
    assert low in second.objects and second.hidden == (third,)
    assert world.truly_on(high, third) and world.on(high, third)
    put(world, low, high)
    assert world.observe().objects == (low,) and {*world.observe().hidden} == {high, third}
    assert world.truly_on(low, high) and world.on(low, high) and not world.on(high, low)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(20))
def test_at_least_two_of_the_six_toys_in_the_heap_are_hidden_at_the_start(seed: int) -> None:
    world = RealTable(task="sorting")
    world.reset(seed)
    toys = [thing for thing in world.scene.objects if thing.on]
    hidden = hidden_things(world.physics, toys)
    assert len(toys) == 6 and 2 <= len(hidden) < 6
    seen = {*world.observe().objects} - {*world.bowls}
    assert len(seen) <= 4 and not {*hidden} & seen
    assert world.physics.still


def test_a_hidden_toy_is_seen_when_what_covers_it_is_taken_away() -> None:
    world = world_of("sorting")
    toys = [thing for thing in world.scene.objects if thing.on]
    hidden = hidden_things(world.physics, toys)
    for at, thing in enumerate(toys):
        if thing.name not in hidden:
            world.physics.put(thing.name, (2.0 + 0.2 * at, 2.0, 0.0))
    assert not hidden_things(world.physics, [thing for thing in toys if thing.name in hidden])
    assert {*hidden} <= {*world.observe().objects}


def test_the_same_seed_heaps_up_the_same_and_another_one_otherwise() -> None:
    def heap(seed: int) -> list[Xyz]:
        _heaped.cache_clear()  # drawn again, not remembered
        world = RealTable(task="sorting")
        world.reset(seed)
        return [world.physics.position(thing.name) for thing in world.scene.objects if thing.on]

    assert heap(3) == heap(3) != heap(5)


def test_what_was_put_on_a_plate_is_told_and_lies_apart() -> None:
    world = world_of("sorting")
    full = world.scene.objects[-1].on
    plate = next(name for name in world.bowls if name != full)
    seen = world.observe()
    assert seen.state is not None and not seen.state.relations
    toys = seen.vocabulary["object in view"][:2]
    for toy in toys:
        put(world, toy, plate)
    there = [toy for toy in toys if world.truly_on(toy, plate)]
    told = world.observe().state
    assert there and told is not None
    assert {str(c.arguments["object"]) for c in told.relations} == {*there}
    if len(there) == 2:
        one, other = (world.physics.position(toy) for toy in there)
        assert math.dist(one[:2], other[:2]) > 0.04


def test_of_plates_it_is_known_which_are_empty() -> None:
    world = world_of("sorting").extended()
    full = world.scene.objects[-1].on
    assert [name for name in world.bowls if not world.empty(name)] == [full]
    plate = next(name for name in world.bowls if name != full)
    put(world.world, world.observe().vocabulary["object in view"][0], plate)
    assert not world.empty(plate)


def test_the_camera_is_where_the_joints_say() -> None:
    physics = Physics(Scene((Thing("red block", "block", 0.0, -0.5),)))
    for tip in ((0.1, -0.45, 0.5), (-0.2, -0.6, 0.3)):
        physics.data.qpos[: arm.UR5E_JOINTS] = arm.ur5e_joints_at(tip)
        view = take_wrist_picture(physics).view
        rotation, position = pose_by_joints(physics.data.qpos[: arm.UR5E_JOINTS])
        assert np.allclose(view.rotation, rotation) and np.allclose(view.position, position, atol=1e-3)
        heights = position[2] - view.depth[100:140, 140:180]
        assert float(np.median(heights)) == pytest.approx(0.0, abs=0.01) or tip[0] == 0.1


class Felt(PickPlace):
    """Writes down where it went and what it felt."""

    def __init__(self, physics: Physics) -> None:
        super().__init__(physics)
        self.went: list[Xyz] = []
        self.forces: list[float] = []

    async def _move(self, end: Xyz, speed: float) -> None:
        self.went.append(end)
        await super()._move(end, speed)

    async def _press(self, at: Xyz, end: float) -> bool:
        felt = await super()._press(at, end)
        self.forces.append(self.physics.pressed(self.physics.held))
        return felt


def test_the_arm_comes_from_15_cm_above_and_goes_down_until_it_feels_5_newtons() -> None:
    world = world_of("stacking")
    third = world.physics.names[2]
    x, y, z = world.physics.position(third)
    hand = Felt(world.physics)
    at = (x, y, z + 0.02)
    assert asyncio.run(hand.pick(at, -0.004)) and world.physics.held == third
    assert any(end == pytest.approx((x, y, at[2] + ABOVE)) for end in hand.went)
    assert hand.forces[0] > FORCE / 4  # the cup gives after the arm has stopped


def test_beside_a_thing_nothing_is_picked_up_and_it_is_said() -> None:
    world = world_of("stacking")
    hand = PickPlace(world.physics)
    assert not asyncio.run(hand.pick((0.2, -0.75, 0.04), -0.004))
    assert world.physics.held is None


def test_noise_is_in_any_direction_and_never_more_than_one_and_a_half_deviations() -> None:
    aim = noisy(np.random.default_rng(0), 0.015)
    points = np.array([aim((0.0, 0.0, 0.1)) for _ in range(400)])
    far = np.hypot(points[:, 0], points[:, 1])
    assert far.max() == pytest.approx(0.0225, abs=1e-6) and np.all(points[:, 2] == 0.1)
    assert 0.008 < far.mean() < 0.013  # of a normal distribution with that deviation: 0.8 of it, and a little capped
    assert {(x > 0, y > 0) for x, y, _ in points} == {(a, b) for a in (True, False) for b in (True, False)}


def test_the_noise_of_a_call_is_its_own_and_that_of_the_task() -> None:
    world = RealTable(task="stacking")
    world.reset(1)
    first = world._next_aim()((0.0, 0.0, 0.0))
    assert world._next_aim()((0.0, 0.0, 0.0)) != first
    world.reset(1)
    assert world._next_aim()((0.0, 0.0, 0.0)) == first


def test_in_a_plate_the_point_farthest_from_other_boxes_is_chosen() -> None:
    world = world_of("sorting")
    view = world.view()
    left, top, right, bottom = 100, 100, 160, 160
    other = Sighting("apple", (100, 100, 125, 160), (0.0, 0.0, 0.0))
    spot = free_point_in(view, Sight((other,)), (left, top, right, bottom), ())
    alone = free_point_in(view, Sight(), (left, top, right, bottom), ())
    assert spot[0] > alone[0] + 0.02  # to the right of the apple, in the picture and on the table
    dark = type(view)(view.rgb, np.zeros_like(view.depth), view.intrinsics, view.rotation, view.position)
    with pytest.raises(SkillError, match="no depth on the plate"):
        free_point_in(dark, Sight(), (left, top, right, bottom), ())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("ticks", [120, 160, 300])
def test_what_was_in_view_can_be_gone_for_when_the_arm_was_cut_short_anywhere(ticks: int) -> None:
    """From there it sees next to nothing, and would give up."""
    world = world_of("stacking")
    _, high, third = world.physics.names
    assert {*world.observe().vocabulary["object in view"]} == {high, third}

    async def cut_short() -> None:
        moving = asyncio.ensure_future(world.pick_place(high, third))
        for _ in range(ticks):
            await asyncio.sleep(0)
        assert not moving.done()
        moving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await moving

    asyncio.run(cut_short())
    assert world.observe().hidden != ()
    again = RealTable(task="stacking", steady=True)
    again.restore(world.snapshot())
    for each in (world, again):
        assert {high, third} <= {*each.observe().vocabulary["object in view"]}
        assert {high, third} <= {*each.observe().vocabulary["target in view"]}
    put(again, high, third)
    assert again.truly_on(high, third)


def test_what_cannot_be_seen_is_not_gone_for_and_nothing_moves() -> None:
    world = world_of("stacking")
    world.observe()
    before = world.snapshot()[-200:]
    with pytest.raises(SkillError, match="cannot be seen"):
        put(world, world.physics.names[0], "middle")
    assert world.snapshot()[-200:] == before

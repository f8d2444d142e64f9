"""The tabletop world: what the arm does to blocks and bowls, and what is seen of it."""

import asyncio
import time
from contextlib import suppress

import numpy as np
import pytest

from thinkaloud.episode.ticks import Interrupted, Pace, pacing
from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.records import Message, Request, Stop
from thinkaloud_worlds.ray_casting import cast_rays
from thinkaloud_worlds.tabletop import Scene, Tabletop, Thing
from thinkaloud_worlds.tabletop.camera import look_down, pixel_at, point_at
from thinkaloud_worlds.tabletop.layout import PLACES, TABLE_TOP
from thinkaloud_worlds.tabletop.physics import Physics
from thinkaloud_worlds.tabletop.sensor_noise import Disturbance, Disturbed
from thinkaloud_worlds.tabletop.ur5e_arm import path, tip_of, ur5e_joints_at


def block(name: str, x: float, y: float, **more: object) -> Thing:
    return Thing(f"{name} block", "block", x, y, name, **more)  # type: ignore[arg-type]


def bowl(name: str, x: float, y: float) -> Thing:
    return Thing(f"{name} bowl", "bowl", x, y, name)


SCENE = Scene(
    (
        block("red", -0.1, -0.4, yaw=20),
        block("green", 0.1, -0.4),
        block("blue", -0.1, -0.6, yaw=-30),
        block("yellow", 0.1, -0.6),
        bowl("pink", 0.22, -0.5),
    )
)


@pytest.fixture
def world() -> Tabletop:
    return Tabletop(SCENE)


def put(world: Tabletop, *moves: tuple[str, str]) -> list[str]:
    async def run() -> list[str]:
        return [await world.pick_and_place(thing, target) for thing, target in moves]

    return asyncio.run(run())


def push(world: Tabletop, name: str, speed: tuple[float, float, float]) -> None:
    """Give a thing a shove, and let it come to rest."""
    body = world.physics.bodies[name]
    first = int(world.physics.model.body_dofadr[body])
    world.physics.data.qvel[first : first + 3] = speed
    asyncio.run(world.clock.sleep(2.0))


# What the arm does ----------------------------------------------------------------------------------------------------


def test_a_block_placed_into_a_bowl_is_on_the_bowl(world: Tabletop) -> None:
    (report,) = put(world, ("red block", "pink bowl"))
    assert report.startswith("Picked up the red block and put it down at (0.22, -0.50)")
    assert world.on("red block", "pink bowl")
    assert not world.on("red block", "left side")


def test_four_blocks_make_a_tower_that_hides_three(world: Tabletop) -> None:
    put(world, ("green block", "red block"), ("blue block", "green block"), ("yellow block", "blue block"))
    assert world.on("yellow block", "blue block")
    assert world.on("blue block", "green block")
    assert world.on("green block", "red block")
    assert not world.on("red block", "green block")
    assert world.observe().objects == ("yellow block", "pink bowl")
    assert world.observe().hidden == ("red block", "green block", "blue block")


def test_a_tower_can_fall(world: Tabletop) -> None:
    put(world, ("green block", "red block"), ("blue block", "green block"))
    push(world, "blue block", (0.6, 0.0, 0.3))
    assert not world.on("blue block", "green block")
    assert world.on("green block", "red block")


def test_all_blocks_fit_into_one_bowl_and_come_out_again(world: Tabletop) -> None:
    put(world, *((name, "pink bowl") for name in world.blocks))
    assert all(world.on(name, "pink bowl") for name in world.blocks)
    put(world, *((name, "middle") for name in reversed(world.blocks)))
    assert all(world.on(name, "middle") for name in world.blocks)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("place", PLACES)
def test_blocks_placed_on_a_place_stand_in_it_side_by_side(world: Tabletop, place: str) -> None:
    put(world, ("red block", place), ("green block", place))
    for name in ("red block", "green block"):
        x, y, z = world.position(name)
        assert PLACES[place].distance(x, y) < 0.003
        assert z == pytest.approx(0.02, abs=0.002)


def test_a_block_that_is_pushed_off_the_table_is_no_longer_seen(world: Tabletop) -> None:
    push(world, "blue block", (-2.5, 0.0, 0.5))
    assert world.position("blue block")[2] < -0.3
    assert "blue block" not in world.observe().objects
    assert world.observe().hidden == ("blue block",)
    assert "blue block" in world.observe().vocabulary["object"]
    assert not any(world.on("blue block", place) for place in PLACES)
    with pytest.raises(SkillError, match="blue block cannot be seen"):
        put(world, ("blue block", "pink bowl"))


def test_a_covered_block_cannot_be_picked(world: Tabletop) -> None:
    put(world, ("green block", "red block"))
    with pytest.raises(SkillError, match="red block cannot be seen: something covers it"):
        put(world, ("red block", "middle"))


def test_things_that_are_not_there_are_named(world: Tabletop) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'red block'"):
        put(world, ("rad block", "pink bowl"))
    with pytest.raises(UnknownName, match="moon"):
        world.on("red block", "moon")
    with pytest.raises(UnknownName):
        world.position("moon")


def test_suction_holds_only_what_the_cup_touches(world: Tabletop) -> None:
    class Beside:
        """Senses that are 5 cm off when they pick."""

        def __init__(self) -> None:
            self.inner = world.senses

        def __getattr__(self, name: str) -> object:
            return getattr(self.inner, name)

        def pixel(self, picture: object, name: str, moving: str | None = None) -> tuple[float, float]:
            row, column = self.inner.pixel(picture, name, moving)  # type: ignore[arg-type]
            return (row, column) if moving else (row + 16, column)

    world.senses = Beside()  # type: ignore[assignment]
    before = world.position("red block")
    (report,) = put(world, ("red block", "pink bowl"))
    assert report == "Picked up nothing: the cup did not get hold of the red block."
    assert world.position("red block") == pytest.approx(before, abs=1e-3)
    assert world.physics.held is None


def test_random_scenes_succeed_without_noise() -> None:
    world = Tabletop(blocks=3, bowls=2)
    rng = np.random.default_rng(0)
    for seed in range(4):
        world.reset(seed)
        for thing in world.blocks:
            target = str(rng.choice([*world.bowls, *world.places]))
            put(world, (thing, target))
            assert world.on(thing, target), (seed, thing, target)


def test_a_pick_and_place_takes_less_than_a_quarter_of_a_second_of_computing(world: Tabletop) -> None:
    put(world, ("red block", "pink bowl"))
    start = time.process_time()
    put(world, *((name, "bottom side") for name in world.blocks))
    assert (time.process_time() - start) / 4 < 0.25


# Stopping -------------------------------------------------------------------------------------------------------------


def interrupted(world: Tabletop, message: Message, at_tick: int) -> Interrupted:
    pace = Pace()
    pace.hear = lambda: message if pace.ticks == at_tick else None

    async def run() -> None:
        with pacing(pace):
            await world.pick_and_place("red block", "pink bowl")

    with pytest.raises(Interrupted) as caught:
        asyncio.run(run())
    return caught.value


@pytest.mark.parametrize("at_tick", [5, 20, 60, 90, 110])
def test_stop_holds_the_arm_still_where_it_is(world: Tabletop, at_tick: int) -> None:
    interrupted(world, Stop(), at_tick)
    tip = world.physics.tip()
    assert np.abs(world.physics.data.qvel[:6]).max() < 0.02
    asyncio.run(world.clock.sleep(2.0))
    assert world.physics.tip() == pytest.approx(tip, abs=1e-3)


def in_the_air(world: Tabletop) -> None:
    """Stop with the red block hanging from the cup."""
    interrupted(world, Stop(), 100)
    assert world.physics.held == "red block"
    assert world.position("red block")[2] > 0.05


def test_stop_drops_nothing(world: Tabletop) -> None:
    in_the_air(world)
    asyncio.run(world.clock.sleep(3.0))
    assert world.physics.held == "red block"
    assert world.position("red block")[2] > 0.05
    assert "red block" in world.observe().objects
    assert not world.on("red block", "pink bowl")


def test_what_hangs_from_the_cup_is_carried_on(world: Tabletop) -> None:
    in_the_air(world)
    put(world, ("red block", "top left corner"))
    assert world.on("red block", "top left corner")


def test_what_hangs_from_the_cup_is_put_aside_first(world: Tabletop) -> None:
    in_the_air(world)
    twin = Tabletop()
    twin.restore(world.snapshot())
    assert twin.physics.held == "red block"
    put(twin, ("green block", "pink bowl"))
    assert twin.on("green block", "pink bowl")
    x, y, z = twin.position("red block")
    assert TABLE_TOP.distance(x, y) == 0
    assert z == pytest.approx(0.02, abs=0.002)


def test_a_new_request_waits_for_the_safe_point(world: Tabletop) -> None:
    caught = interrupted(world, Request("something else"), 3)
    assert caught.message == Request("something else")
    assert world.physics.held is None
    assert world.position("red block") == pytest.approx((-0.1, -0.4, 0.02), abs=1e-3)


def test_a_new_request_lets_the_robot_put_down_what_it_holds(world: Tabletop) -> None:
    pace = Pace()
    pace.hear = lambda: Request("something else") if pace.ticks == 100 else None

    async def run() -> None:
        with pacing(pace):
            await world.pick_and_place("red block", "pink bowl")

    asyncio.run(run())
    assert world.on("red block", "pink bowl")


def test_ticks_come_at_an_even_pace(world: Tabletop) -> None:
    times: list[float] = []
    pace = Pace(listeners=[lambda: times.append(world.clock.now())])

    async def run() -> None:
        with pacing(pace):
            await world.pick_and_place("red block", "pink bowl")

    asyncio.run(run())
    assert len(times) > 100
    assert np.diff(times) == pytest.approx(0.02)


def test_whatever_is_asked_and_whenever_it_is_stopped_the_arm_ends_still_and_the_next_call_copes() -> None:
    world = Disturbed(Tabletop(blocks=6, bowls=2), Disturbance(pixel=5.0, place=0.04))
    rng = np.random.default_rng(1)
    for call in range(24):
        if call % 8 == 0:
            world.reset(call)
        thing, target = rng.choice([*world.blocks, *world.bowls, *world.places], 2, replace=False)
        if thing not in world.blocks:
            continue
        pace, at = Pace(), int(rng.integers(1, 250))
        pace.hear = lambda pace=pace, at=at: Stop() if pace.ticks == at else None  # type: ignore[misc]
        with pacing(pace), suppress(Interrupted, SkillError):
            asyncio.run(world.skills["pick_and_place"].run({"object": str(thing), "target": str(target)}))
        assert np.abs(world.physics.data.qvel[:6]).max() < 0.02
        assert (world.physics.held is None) or pace.ticks == at


# The cameras ----------------------------------------------------------------------------------------------------------


def test_the_camera_sees_each_object_at_the_right_pixel(world: Tabletop) -> None:
    picture = world.senses.picture()
    for thing in SCENE.objects:
        assert world.senses.pixel(picture, thing.name) == pytest.approx(pixel_at(thing.x, thing.y), abs=0.6)
        x, y, z = world.senses.point(picture, world.senses.pixel(picture, thing.name))
        assert (x, y) == pytest.approx((thing.x, thing.y), abs=0.002)
        assert z == pytest.approx(0.04 if thing.kind == "block" else 0.005, abs=0.001)


def test_top_is_at_the_top_of_the_picture_and_left_at_the_left() -> None:
    rows = {place: pixel_at(*region.centre)[0] for place, region in PLACES.items()}
    columns = {place: pixel_at(*region.centre)[1] for place, region in PLACES.items()}
    assert rows["top side"] < rows["middle"] < rows["bottom side"]
    assert columns["left side"] < columns["middle"] < columns["right side"]
    assert rows["top left corner"] < 32
    assert columns["top left corner"] < 32


def test_the_arm_is_not_in_the_picture_from_above(world: Tabletop) -> None:
    before = look_down(world.physics)
    world.physics.data.qpos[:6] = ur5e_joints_at((-0.1, -0.4, 0.2))
    after = look_down(world.physics)
    assert np.array_equal(before.ids, after.ids)
    assert np.array_equal(before.rgb, after.rgb)


def test_the_picture_for_people_shows_the_arm(world: Tabletop) -> None:
    before = world.render(160, 120)
    assert before.shape == (120, 160, 3)
    assert before.dtype == np.uint8
    world.physics.data.qpos[:6] = ur5e_joints_at((0.2, -0.6, 0.2))
    assert not np.array_equal(world.render(160, 120), before)


def test_rendering_changes_nothing(world: Tabletop) -> None:
    before = world.snapshot()
    world.render(64, 48)
    assert world.snapshot() == before


# Arm and state --------------------------------------------------------------------------------------------------------


def test_the_arm_reaches_every_place_with_its_cup_pointing_down() -> None:
    physics = Physics(SCENE)
    for region in PLACES.values():
        for z in (0.0, 0.1, 0.3):
            x, y = region.centre
            physics.data.qpos[:6] = ur5e_joints_at((x, y, z))
            assert physics.tip() == pytest.approx((x, y, z), abs=1e-9)
            assert tip_of(ur5e_joints_at((x, y, z))) == pytest.approx((x, y, z), abs=1e-9)


def test_what_is_out_of_reach_is_refused() -> None:
    with pytest.raises(SkillError, match="does not reach"):
        ur5e_joints_at((0.9, -0.9, 0.1))


def test_no_joint_turns_faster_than_it_may() -> None:
    moves = path((-0.25, -0.25, 0.2), (0.25, -0.75, 0.2), 5.0, 0.02)
    assert max(float(np.abs(speeds).max()) for _, speeds in moves) < 3.3


def test_a_snapshot_is_small_and_fast(world: Tabletop) -> None:
    start = time.perf_counter()
    for _ in range(20):
        snapshot = world.snapshot()
    assert (time.perf_counter() - start) / 20 < 0.005
    assert len(snapshot) < 10_000


@pytest.mark.parametrize("at_tick", [40, 100])
def test_a_snapshot_in_mid_motion_goes_on_the_same_way(world: Tabletop, at_tick: int) -> None:
    interrupted(world, Stop(), at_tick)
    world.physics.data.qvel[:6] = 0.3
    twin = Tabletop()
    twin.restore(world.snapshot())
    for each in (world, twin):
        asyncio.run(each.clock.sleep(1.0))
    assert twin.snapshot() == world.snapshot()


def test_what_was_never_seen_is_not_spoken_of() -> None:
    tower = Scene(
        (
            Thing("red block", "block", 0.0, -0.4, "red"),
            Thing("blue block", "block", 0.0, -0.4, "blue", on="red block"),
        )
    )
    world = Tabletop(tower)
    seen = world.observe()
    assert seen.objects == seen.vocabulary["object"] == ("blue block",)
    assert "red block" not in seen.vocabulary["target"]
    asyncio.run(world.skills["pick_and_place"].run({"object": "blue block", "target": "left side"}))
    assert world.observe().vocabulary["object"] == ("red block", "blue block")


@pytest.mark.parametrize("seed", range(8))
def test_the_picture_from_above_leaves_out_no_ray_that_hits_a_thing(seed: int) -> None:
    physics = Physics(Scene.random(seed, (2, 6), (2, 5)), fixed=bool(seed % 2))
    rng = np.random.default_rng(seed)
    for name in physics.free:
        physics.put(name, (*rng.uniform(TABLE_TOP.x[0], TABLE_TOP.x[1], 2), rng.uniform(-0.5, 0.3)))
        first = physics.model.joint(f"free{physics.names.index(name)}").qposadr[0] + 3
        physics.data.qpos[first : first + 4] = rng.normal(size=4)
    picture = look_down(physics)
    middle = np.array([*TABLE_TOP.centre, 1000.0])
    rows, columns = np.mgrid[0 : len(picture.ids), 0 : len(picture.ids)]
    x, y = point_at((rows, columns))
    rays = np.stack([x - middle[0], y - middle[1], np.full_like(x, -1000.0)], axis=-1).reshape(-1, 3)
    groups = np.array([1, 1, 0, 0, 0, 0], dtype=np.uint8)  # without the arm
    geoms, distances, _ = cast_rays(physics.model, physics.data, middle, rays, groups)
    owners = physics.owner[geoms] - physics.bodies[physics.names[0]]
    assert (picture.ids.ravel() == np.maximum(owners, -1)).all()
    assert (picture.height.ravel() == 1000.0 - distances * 1000.0).all()

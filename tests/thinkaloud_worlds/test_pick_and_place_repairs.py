"""What the pick-and-place primitive notices and puts right by itself, where it may."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from thinkaloud.episode.ticks import Interrupted, Pace, pacing
from thinkaloud.records import Stop
from thinkaloud.robots import open_world
from thinkaloud.skills.self_repair import SelfRepair, allowing_repairs
from thinkaloud.worlds.geometry import Xyz
from thinkaloud_worlds.tabletop import Scene, Tabletop, Thing
from thinkaloud_worlds.tabletop.sensor_noise import PAPER_DISTURBANCE, Disturbance, Disturbed, parse_disturbance

RED, BLUE, GREEN, BOWL = "red block", "blue block", "green block", "pink bowl"
SCENE = Scene(
    (
        Thing(RED, "block", -0.15, -0.4, "red"),
        Thing(BLUE, "block", -0.15, -0.345, "blue"),
        Thing(GREEN, "block", 0.1, -0.6, "green"),
        Thing(BOWL, "bowl", 0.15, -0.35, "pink"),
    )
)


class Off:
    """Senses that are off where a test wants them to be."""

    def __init__(self, world: Tabletop) -> None:
        self._inner: Any = world.senses
        self.picks: list[tuple[float, float]] = []
        self.aims: list[tuple[float, float]] = []
        self.arrives = (0.0, 0.0)
        world.senses = self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def pixel(self, picture: Any, name: str, moving: str | None = None) -> tuple[float, float]:
        row, column = self._inner.pixel(picture, name, moving)
        down, right = self.picks.pop(0) if self.picks and moving is None else (0.0, 0.0)
        return row + down, column + right

    def aim(self, point: Xyz) -> Xyz:
        x, y = self.aims.pop(0) if self.aims else (0.0, 0.0)
        return point[0] + x, point[1] + y, point[2]

    def arrive(self, point: Xyz) -> Xyz:
        return point[0] + self.arrives[0], point[1] + self.arrives[1], point[2]


@pytest.fixture
def world() -> Tabletop:
    return Tabletop(SCENE)


def put(
    world: Tabletop | Disturbed, thing: str, target: str, most: int, hears: Callable[[], None] | None = None
) -> tuple[str, SelfRepair]:
    """The report of a call that may mend so much, and what it mended."""

    async def run() -> tuple[str, SelfRepair]:
        with allowing_repairs(most) as mended, pacing(Pace(listeners=[hears] if hears else [])):
            return await world.skills["pick_and_place"].run({"object": thing, "target": target}), mended

    return asyncio.run(run())


def test_a_cup_that_closed_on_nothing_looks_again_and_feels_for_it(world: Tabletop) -> None:
    Off(world).arrives = (0.0, -0.032)
    start = world.snapshot()
    report, mended = put(world, GREEN, BOWL, 0)
    assert report == "Picked up nothing: the cup did not get hold of the green block."
    world.restore(start)
    report, mended = put(world, GREEN, BOWL, 3)
    assert world.on(GREEN, BOWL)
    assert report.startswith("Picked up the green block and put it down at (0.15, -0.35)")
    (fix,) = mended.fixes
    assert (fix.problem, fix.looked) == ("The cup closed on nothing where the green block was seen.", True)


def test_what_was_felt_when_picking_up_also_corrects_where_it_is_put(world: Tabletop) -> None:
    Off(world).arrives = (0.025, 0.025)
    put(world, GREEN, "bottom left corner", 3)
    x, y, _ = world.position(GREEN)
    assert (x, y) == pytest.approx((-0.25, -0.75), abs=0.004)


def test_the_wrong_thing_is_put_back_and_the_right_one_taken(world: Tabletop) -> None:
    senses = Off(world)
    senses.picks = [(-17.0, 0.0)]  # as far up as the blue block is
    before, start = world.position(BLUE), world.snapshot()
    report, _ = put(world, RED, BOWL, 0)
    assert report.startswith("Picked up the blue block instead of the red block")
    world.restore(start)
    senses.picks = [(-17.0, 0.0)]
    _, mended = put(world, RED, BOWL, 3)
    assert world.on(RED, BOWL)
    assert world.position(BLUE) == pytest.approx(before, abs=0.003)
    (fix,) = mended.fixes
    assert fix.problem == "The cup took hold of the blue block instead of the red block."


@pytest.mark.parametrize("most", [0, 3])
def test_what_is_lost_on_the_way_is_fetched(world: Tabletop, most: int) -> None:
    lost: list[float] = []

    def let_go() -> None:
        x, _, z = world.physics.tip()
        if world.physics.held and not lost and x > -0.13 and z > 0.1:
            lost.append(x)
            world.physics.release()

    _, mended = put(world, RED, BOWL, most, let_go)
    assert lost
    assert world.on(RED, BOWL) == (most > 0)
    assert [fix.problem for fix in mended.fixes] == ["The red block fell off the cup on the way."][:most]


def test_what_touches_too_early_is_lifted_and_lowered_again(world: Tabletop) -> None:
    Off(world).aims = [(0.055, 0.0)]  # onto the rim
    _, mended = put(world, RED, BOWL, 3)
    assert world.on(RED, BOWL)
    (fix,) = mended.fixes
    assert fix.problem.startswith("The red block touched something ")
    assert not fix.looked


def test_what_lies_beside_is_placed_again_by_as_much_to_the_other_side_as_was_measured(world: Tabletop) -> None:
    senses = Off(world)
    senses.aims = [(0.09, 0.0)] * 4  # always
    start = world.snapshot()
    put(world, RED, "middle", 0)
    assert not world.on(RED, "middle")
    world.restore(start)
    senses.aims = [(0.09, 0.0)] * 4
    _, mended = put(world, RED, "middle", 3)
    assert world.on(RED, "middle")
    assert world.position(RED)[0] == pytest.approx(0.045, abs=0.006)  # half of the one miss that there was
    (fix,) = mended.fixes
    assert fix.problem == "The red block lies 4 cm beside where it was to be on the middle."
    assert fix.looked


def test_a_block_that_fell_beside_another_is_put_on_it(world: Tabletop) -> None:
    Off(world).aims = [(0.06, 0.0)]
    _, mended = put(world, RED, GREEN, 1)
    assert world.on(RED, GREEN)
    assert [fix.problem for fix in mended.fixes] == ["The red block lies beside the green block."]


def test_no_more_is_mended_than_may_be(world: Tabletop) -> None:
    Off(world).aims = [(0.2, -0.1)] * 20
    for most in (1, 2):
        world.reset(0)
        report, mended = put(world, RED, BLUE, most)
        assert len(mended.fixes) == most
        assert report.startswith("Picked up the red block and put it down")
    assert not world.on(RED, BLUE)


@pytest.mark.parametrize("noise", ["paper", "offset=0.03"])
def test_where_nothing_may_be_mended_every_bit_is_as_without(noise: str) -> None:
    first, second = (open_world("tabletop", disturbance=noise) for _ in range(2))
    for world in (first, second):
        world.reset(5)
    block, *_ = first.observe().objects
    asyncio.run(first.skills["pick_and_place"].run({"object": block, "target": "middle"}))
    assert isinstance(second, Disturbed)
    put(second, block, "middle", 0)
    assert first.snapshot() == second.snapshot()


def test_mending_is_the_same_every_time() -> None:
    world = Disturbed(Tabletop(), Disturbance(3.0, 2.5, 0.02, 0.03))
    ends = []
    for _ in range(2):
        world.reset(8)
        _, mended = put(world, world.blocks[0], world.blocks[1], 4)
        ends.append((mended.fixes, world.snapshot()))
    assert ends[0] == ends[1]
    assert ends[0][0]


def test_fixes_make_most_of_the_calls_work_that_noise_and_offset_spoil() -> None:
    world = Disturbed(Tabletop(blocks=2, bowls=1), Disturbance(3.0, 2.5, 0.02, 0.02))
    worked = {0: 0, 3: 0}
    for most in worked:
        for seed in range(8):
            world.reset(seed)
            put(world, world.blocks[0], world.bowls[0], most)
            worked[most] += world.on(world.blocks[0], world.bowls[0])
    assert worked[3] >= 7
    assert worked[0] <= 6


def test_a_stop_while_feeling_for_a_thing_is_heard(world: Tabletop) -> None:
    Off(world).arrives = (0.0, -0.032)
    pace = Pace()

    async def run() -> None:
        with allowing_repairs(3) as mended, pacing(pace):

            def stop_when_mending() -> None:
                if mended.fixes:
                    pace.give_way_to(Stop())

            pace.listeners.append(stop_when_mending)
            await world.pick_and_place(GREEN, BOWL)

    with pytest.raises(Interrupted):
        asyncio.run(run())
    at = world.physics.tip()
    asyncio.run(world.clock.sleep(0.5))
    assert world.physics.tip() == pytest.approx(at, abs=0.003)
    assert not world.on(GREEN, BOWL)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["pick_and_place", "cups"])
def test_other_worlds_on_the_table_mend_as_well(name: str) -> None:
    world = open_world(name, disturbance="offset=0.028")
    assert isinstance(world, Disturbed)
    worked = {0: 0, 3: 0}
    for most in worked:
        for seed in range(3):
            world.reset(seed)
            loose = [thing.name for thing in world.scene.objects if thing.kind == "block" and not thing.on]
            covered = [thing.on for thing in world.scene.objects]
            thing, target = next(block for block in loose if block not in covered), (world.bowls or ("empty space",))[0]
            before = world.position(thing)[:2]
            put(world, thing, target, most)
            worked[most] += bool(world.on(thing, target)) and world.position(thing)[:2] != pytest.approx(
                before, abs=0.02
            )
    assert worked[3] == 3
    assert worked[0] < 3


# The offset -----------------------------------------------------------------------------------------------------------


def test_an_offset_is_read_from_text() -> None:
    assert parse_disturbance("offset=0.02") == Disturbance(offset=0.02)
    assert PAPER_DISTURBANCE.offset == 0.0


def test_the_arm_is_off_by_as_much_always_and_in_a_direction_that_the_seed_decides() -> None:
    world = Disturbed(Tabletop(), Disturbance(offset=0.03))
    found = set()
    for seed in (1, 2, 1):
        world.reset(seed)
        x, y, z = world.senses.arrive((0.0, 0.0, 0.5))
        assert (x * x + y * y) ** 0.5 == pytest.approx(0.03)
        assert z == 0.5
        put(world, world.blocks[0], "middle", 0)
        assert world.senses.arrive((0.0, 0.0, 0.5)) == (x, y, z)
        found.add((x, y))
    assert len(found) == 2


def test_a_snapshot_keeps_the_offset() -> None:
    first, second = (Disturbed(Tabletop(), Disturbance(offset=0.03)) for _ in range(2))
    first.reset(7)
    second.reset(8)
    second.restore(first.snapshot())
    assert first.senses.arrive((0.0, 0.0, 0.0)) == second.senses.arrive((0.0, 0.0, 0.0))

"""The warehouse: the robot gets to where it was sent, goes round what it meets, and touches nothing."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from thinkaloud.episode.film import Film
from thinkaloud.episode.ticks import Interrupted, Pace, pacing
from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.records import Condition, Message, Request, Stop
from thinkaloud.skills.self_repair import SelfRepair, allowing_repairs
from thinkaloud.worlds.contract import Pictured, find_ability
from thinkaloud_worlds.warehouse import Arrival, Block, HallScene, Landmark, Late, Obstacle, Warehouse, draw_hall
from thinkaloud_worlds.warehouse.floor_geometry import ROUND
from thinkaloud_worlds.warehouse.physics import SPARES

DOCK, PRESS, GATE = Landmark("dock", 1.0, 3.0), Landmark("press", 9.0, 3.0), Landmark("gate", 5.0, 5.2)
OPEN = HallScene((10.0, 6.0), (2.2, 3.0, 0.0), (DOCK, PRESS, GATE))
PALLET = Obstacle("pallet", 6.0, 3.0)
LINE = (Block(5.0, 1.0, 0.3, 2.0), Block(5.0, 4.7, 0.3, 2.6))
"""Walls that leave a gap of 1.4 m from the left half to the right one."""


def hall(**changes: object) -> Warehouse:
    return Warehouse(msgspec.structs.replace(OPEN, **changes))


def do(world: Warehouse, *calls: tuple[str, ...], fixes: int = 0) -> SelfRepair:
    """Carry calls out; so many fixes are allowed to each."""

    async def run() -> SelfRepair:
        noted = SelfRepair(0)
        for name, *names in calls:
            skill = world.skills[name]
            arguments = skill.refuse({"landmark": names[0]} if names else {}, world.observe())
            with allowing_repairs(fixes) as mended:
                await skill.run(arguments)
            noted.fixes += mended.fixes
        return noted

    return asyncio.run(run())


def fails(world: Warehouse, *call: str, fixes: int = 0) -> str:
    with pytest.raises(SkillError) as error:
        do(world, call, fixes=fixes)
    assert world.hall.speed < 0.001, "it stands still after it"
    return str(error.value)


def paced(world: Warehouse, landmark: str, when: Callable[[], bool], message: Message) -> Message | None:
    """A drive during which somebody says something as soon as a condition holds; what it was interrupted by."""
    said: list[Message] = []

    def hear() -> Message | None:
        if said or not when():
            return None
        said.append(message)
        return message

    async def run() -> Message | None:
        with pacing(Pace(hear=hear)):
            try:
                await world.skills["drive_to"].run({"landmark": landmark})
            except Interrupted as interrupted:
                return interrupted.message
        return None

    return asyncio.run(run())


def put(world: Warehouse, x: float, y: float, degrees: float) -> None:
    """Have the robot stand somewhere, as if pushed there."""
    world.hall.data.qpos[:] = (x, y, math.radians(degrees))
    asyncio.run(world.clock.sleep(0.1))


# Driving --------------------------------------------------------------------------------------------------------------


def test_it_drives_to_a_landmark_and_stops_there() -> None:
    world = hall()
    assert not world.at("press")
    do(world, ("drive_to", "press"), ("drive_to", "gate"))
    assert math.dist(world.pose.xy, (GATE.x, GATE.y)) < 0.1
    assert world.at("gate") and not world.at("press")
    assert world.visited("press") and world.visited("gate") and not world.visited("dock")
    assert world.visits == ("press", "gate")
    assert world.arrivals == (Arrival("press", "press"), Arrival("gate", "gate"))
    assert world.hall.speed < 0.001
    assert world.collisions == ()
    assert 9 < world.clock.now() < 25, "twelve metres, at a metre a second at most"


def test_it_speeds_up_and_brakes_like_something_that_weighs_something() -> None:
    world, speeds = hall(), list[float]()

    def watch() -> bool:
        x, y, _ = world.hall.data.qvel
        speeds.append(math.hypot(x, y))
        return False

    assert paced(world, "press", watch, Stop()) is None
    assert 0.9 < max(speeds) < 1.05
    assert max(abs(b - a) for a, b in pairwise(speeds)) < 0.08, "at most 2 m/s² from tick to tick"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", [0, 1])
def test_in_a_drawn_hall_every_landmark_is_reached_and_nothing_touched(seed: int) -> None:
    world = Warehouse(draw_hall(seed, late=seed % 2))
    do(world, *(("drive_to", name) for name in world.places), fixes=9)
    assert world.visits == tuple(world.places)
    assert world.collisions == ()


def test_what_is_run_into_stops_the_robot_and_is_counted_once() -> None:
    world = hall(obstacles=(PALLET,))
    for _ in range(150):  # nobody looks
        world.hall.tick(0.8, 0.0)
    assert world.pose.x < 5.2
    assert world.collisions == ("The robot ran into the pallet at (5.1, 3.0).",)
    for _ in range(30):
        world.hall.tick(-0.8, 0.0)
    for _ in range(60):
        world.hall.tick(0.8, 0.0)
    assert len(world.collisions) == 2
    for _ in range(200):
        world.hall.tick(-0.8, 0.0)
    assert "a wall or a shelf" in world.collisions[2]
    assert world.pose.x > 0.2


# What is in the way ---------------------------------------------------------------------------------------------------


def test_what_it_has_not_met_is_not_known_and_what_it_has_met_stays_so() -> None:
    world = hall(obstacles=(PALLET,))
    assert world.observe().objects == ("dock", "press", "gate")
    fails(world, "drive_to", "press")
    seen = world.observe()
    assert seen.objects == ("dock", "press", "gate", "pallet")
    assert seen.state is not None
    assert any(fact.startswith("A pallet stands at (5.") for fact in seen.state.facts)
    do(world, ("drive_to", "dock"))
    assert "pallet" in world.observe().objects


def test_it_brakes_in_front_of_what_is_in_the_way_and_says_so() -> None:
    world = hall(obstacles=(PALLET,))
    said = fails(world, "drive_to", "press")
    assert said.startswith("A pallet stands in the way at (5.") and said.endswith(" m ahead.")
    assert 0.375 < PALLET.rect.gap(*world.pose.xy) < 1.5
    assert world.arrivals == ()
    assert world.collisions == ()


def test_the_next_drive_goes_round_what_was_met() -> None:
    world = hall(obstacles=(PALLET,))
    fails(world, "drive_to", "press")
    do(world, ("drive_to", "press"))
    assert world.at("press")
    assert world.collisions == ()


def test_where_it_may_it_goes_round_by_itself() -> None:
    world = hall(obstacles=(PALLET, Obstacle("crate", 7.4, 3.9), Obstacle("box", 1.0, 1.0)))
    fixes = do(world, ("drive_to", "press"), fixes=5).fixes
    assert world.at("press")
    assert world.collisions == ()
    kinds = [fix.problem.split(" stands")[0] for fix in fixes]
    assert kinds[0] == "A pallet" and len({*kinds}) == len(kinds), "each thing is one problem"
    assert fixes[0].remedy == "Drive round it."


def test_when_it_has_put_right_enough_it_says_what_is_in_the_way() -> None:
    world = hall(obstacles=(Obstacle("box", 5.2, 3.0), Obstacle("crate", 7.4, 3.0, length=2.4, turned=True)))
    assert fails(world, "drive_to", "press", fixes=1).startswith("A crate stands in the way at (7.")
    do(world, ("drive_to", "press"), fixes=1)
    assert world.at("press")


def test_what_is_put_down_in_front_of_it_makes_it_stop() -> None:
    late = Late("pallet", 6.0, 3.0, near=1.0)
    world = hall(late=(late,))
    said = fails(world, "drive_to", "press")
    assert said.startswith("A pallet stands in the way")
    assert world.pose.x > 3.5, "it was well under way"
    assert late.rect.gap(*world.pose.xy) > ROUND
    assert world.collisions == ()
    world = hall(late=(late,))
    assert len(do(world, ("drive_to", "press"), fixes=3).fixes) == 1
    assert world.at("press") and world.collisions == ()


def test_nothing_is_put_down_upon_the_robot_nor_before_its_time() -> None:
    world = hall(late=(Late("box", 2.2, 3.0, after=0.0), Late("crate", 6.0, 1.5, after=3.0)))
    do(world, ("wait",))
    assert not world.hall.present("box") and not world.hall.present("crate")
    do(world, ("wait",))
    assert not world.hall.present("box"), "the robot stands there"
    assert world.hall.present("crate")
    gaps = list[float]()

    def watch() -> bool:
        if world.hall.present("box"):
            gaps.append(world.hall.things["box"].rect.gap(*world.pose.xy))
        return False

    assert paced(world, "gate", watch, Stop()) is None
    assert SPARES + ROUND <= gaps[0] < SPARES + ROUND + 0.1, "as soon as there is room"
    assert world.collisions == ()


def test_where_there_is_no_way_it_says_what_closes_it_and_never_circles() -> None:
    shut = (Obstacle("barrier", 5.0, 2.65, length=1.3, turned=True),)
    world = hall(walls=LINE, obstacles=shut, landmarks=(DOCK, PRESS))
    said = fails(world, "drive_to", "press", fixes=9)
    assert said.startswith("There is no way to the press: a barrier stands at (")
    assert said.endswith("and nothing leads round it.")
    assert world.clock.now() < 30
    before = world.clock.now()
    assert fails(world, "drive_to", "press").startswith("There is no way to the press: a barrier")
    assert world.clock.now() - before < 1, "it knows that now, and does not set out"
    do(world, ("drive_to", "dock"))
    assert world.at("dock") and world.collisions == ()


def test_what_the_map_itself_closes_off_is_said() -> None:
    world = hall(walls=(Block(5.0, 3.0, 0.3, 6.0),), landmarks=(DOCK, PRESS))
    assert fails(world, "drive_to", "press") == "There is no way to the press: walls and shelves close it off."
    assert world.clock.now() == 0


def test_who_stands_too_close_to_turn_backs_up_first() -> None:
    scene = {"obstacles": (PALLET,)}
    world = hall(**scene)
    put(world, 5.05, 3.0, 0)
    close = "The robot has no room to turn: the pallet is too close. Back up first."
    assert fails(world, "drive_to", "dock") == close
    assert fails(world, "look_around") == close
    do(world, ("back_up",), ("drive_to", "dock"))
    assert world.at("dock") and world.collisions == ()
    world = hall(**scene)
    put(world, 5.05, 3.0, 0)
    fixes = do(world, ("drive_to", "press"), fixes=2).fixes
    assert fixes[0].problem == close and fixes[0].remedy == "Back up a little."
    assert world.at("press") and world.collisions == ()


# The other skills -----------------------------------------------------------------------------------------------------


def test_looking_around_finds_what_is_behind() -> None:
    world = hall(start=(4.0, 3.0, 0.0), obstacles=(Obstacle("oil drum", 2.3, 3.0), Obstacle("crate", 7.5, 3.0)))
    assert world.obstacles() == {}
    report = asyncio.run(world.skills["look_around"].run({}))
    assert report.startswith("The robot has found an oil drum at (2.")
    assert [*world.obstacles()] == ["oil drum"], "the crate is too far away"
    assert math.dist(world.pose.xy, (4.0, 3.0)) < 0.02
    assert asyncio.run(world.skills["look_around"].run({})) == "There is nothing new within sight."


def test_backing_up_needs_room() -> None:
    world = hall()
    do(world, ("back_up",))
    assert world.pose.x == pytest.approx(1.6, abs=0.05) and world.pose.y == pytest.approx(3.0, abs=0.01)
    world = hall(start=(0.6, 3.0, 0.0))
    assert fails(world, "back_up") == "There is no room to back up: something stands 0.3 m behind."
    assert world.collisions == ()


def test_waiting_takes_time_and_nothing_else() -> None:
    world = hall()
    do(world, ("wait",))
    assert world.clock.now() == pytest.approx(2.0)
    assert world.pose.xy == pytest.approx((2.2, 3.0))


# Signs ----------------------------------------------------------------------------------------------------------------


def test_mixed_up_signs_lead_to_the_wrong_place_once() -> None:
    world = hall(swapped=(("dock", "press"),))
    assert asyncio.run(world.skills["drive_to"].run({"landmark": "dock"})) == "The robot has arrived at the dock."
    assert world.at("press") and not world.at("dock") and not world.visited("dock")
    assert world.arrivals == (Arrival("dock", "press"),)
    state = world.observe().state
    assert state and next(relation.words for relation in state.relations) == "The robot is at the press."
    do(world, ("drive_to", "dock"), ("drive_to", "press"), ("drive_to", "gate"))
    assert world.visits == ("press", "dock", "press", "gate")


def test_effects_say_what_a_drive_is_for() -> None:
    world = hall()
    promised = world.skills["drive_to"].promises({"landmark": "press"}, world.relations)
    assert [condition.words for condition in promised] == ["The robot is at the press."]
    assert not world.holds(promised[0])
    with pytest.raises(UnknownName, match="press"):
        world.holds(Condition("at", {"landmark": "pres"}, ""))
    with pytest.raises(SkillError):
        world.skills["drive_to"].refuse({"landmark": "moon"}, world.observe())


def test_a_robot_that_starts_at_a_landmark_has_been_there() -> None:
    world = hall(start=(1.0, 3.0, 90.0))
    assert world.at("dock") and world.visited("dock")


# Interruption, state, pictures ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("message", [Stop(), Request("no, to the gate")])
def test_it_holds_still_when_it_is_told_to_and_goes_on_from_there(message: Message) -> None:
    world = hall()
    assert paced(world, "press", lambda: world.pose.x > 5, message) == message
    assert world.hall.speed < 0.001
    at = world.pose.xy
    assert 5 < at[0] < 5.6
    asyncio.run(world.clock.sleep(1.0))
    assert math.dist(world.pose.xy, at) < 0.005
    assert world.arrivals == ()
    do(world, ("drive_to", "gate"))
    assert world.at("gate") and world.collisions == ()


def test_a_state_in_the_middle_of_a_drive_is_complete() -> None:
    world, taken = hall(obstacles=(PALLET,), late=(Late("crate", 8.0, 1.5, near=1.5),)), list[bytes]()

    def look() -> bool:
        if len(taken) < 2 and world.clock.now() > 1.1 * (len(taken) + 1):
            taken.append(world.snapshot())
        return len(taken) == 2

    paced(world, "press", look, Stop())
    assert len(taken) == 2
    for snapshot in taken:
        first, second = Warehouse(), world.twin()
        first.restore(snapshot)
        second.restore(snapshot)
        assert first.snapshot() == snapshot == second.snapshot()
        assert first.observe() == second.observe()
        do(first, ("drive_to", "press"), fixes=5)
        do(second, ("drive_to", "press"), fixes=5)
        assert first.snapshot() == second.snapshot()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (3, [[1, 1, 7]]),
        (3, [[1, 1, 0], [1, 1, 0]]),
        (4, {"dock": [1.0, 3.0]}),
        (4, {"dock": [1.0, 3.0], "press": [1.0, 3.0], "gate": [5.0, 5.2]}),
        (5, [["moon", "dock"]]),
        (6, [[math.nan, 1.0]]),
        (2, b"\x00" * 16),
        (0, "tabletop"),
        (1, "{}"),
    ],
)
def test_a_snapshot_that_does_not_fit_its_hall_is_refused(field: int, value: object) -> None:
    world = hall(obstacles=(PALLET,))
    fails(world, "drive_to", "press")
    before = world.snapshot()
    parts = msgspec.msgpack.decode(before)
    parts[field] = value
    with pytest.raises(ValueError, match="snapshot"):
        world.restore(msgspec.msgpack.encode(parts))
    assert world.snapshot() == before


def test_it_can_be_filmed(tmp_path: Path) -> None:
    world = hall(obstacles=(PALLET,), swapped=(("dock", "press"),))
    assert find_ability(world, Pictured) is not None
    empty = world.render(96, 64)
    assert empty.shape == (64, 96, 3) and empty.dtype == "uint8"
    film = Film(world, most=4)
    film.tick()
    fails(world, "drive_to", "dock")
    film.tick()
    assert (world.render(96, 64) != empty).any()
    assert film.save(tmp_path / "film.gif").frames == 2

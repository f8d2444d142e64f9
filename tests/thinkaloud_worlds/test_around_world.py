"""The world in which a box is placed around a cylinder."""

from __future__ import annotations

import asyncio

import pytest

from thinkaloud.clock import ManualClock
from thinkaloud.episode.ticks import Interrupted, Pace, pacing
from thinkaloud.errors import BadScene, SkillError, UnknownName
from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.monologue import Monologue
from thinkaloud.records import Arguments, Outcome, Stop
from thinkaloud.robots import open_world
from thinkaloud.worlds import World
from thinkaloud_worlds.tabletop import Scene, Thing
from thinkaloud_worlds.tabletop.around_world import Around, draw_around
from thinkaloud_worlds.tabletop.layout import TABLE_TOP
from thinkaloud_worlds.tabletop.put_beside import CLOSE, gap_between
from thinkaloud_worlds.tabletop.sensor_noise import Disturbance, Disturbed

BOX, CYLINDER, OTHER = "red box", "blue cylinder", "green box"
SCENE = Scene(
    (
        Thing(BOX, "box", -0.15, -0.35, "red"),
        Thing(CYLINDER, "cylinder", 0.1, -0.5, "blue"),
        Thing(OTHER, "box", -0.15, -0.65, "green", yaw=30),
    )
)
STEPS: tuple[tuple[str, Arguments], ...] = (
    ("locate", {"thing": BOX}),
    ("pick_up", {"thing": BOX}),
    ("locate", {"thing": CYLINDER}),
    ("place_around", {"thing": BOX, "target": CYLINDER}),
)


@pytest.fixture
def world() -> Around:
    return Around(SCENE)


def carry_out(world: World, *steps: tuple[str, Arguments], fixes: int = 0) -> list[Outcome]:
    async def run() -> list[Outcome]:
        call = CallSkill(world, fixes)
        return [
            await call.execute(world.skills[name].step(arguments), Monologue(ManualClock()), Pace())
            for name, arguments in steps
        ]

    return asyncio.run(run())


def test_four_steps_place_the_box_around_the_cylinder(world: Around) -> None:
    outcomes = carry_out(world, *STEPS)
    assert [outcome.ending for outcome in outcomes] == ["completed"] * 4
    assert world.close(BOX, CYLINDER)
    assert world.close(CYLINDER, BOX)
    assert 0.01 < gap_between(world.physics, BOX, CYLINDER) <= CLOSE
    assert not world.close(OTHER, CYLINDER)
    assert world.hand_empty()


def test_what_has_to_come_first_is_said(world: Around) -> None:
    (first,) = carry_out(world, ("pick_up", {"thing": BOX}))
    assert first.report == "The robot does not know where the red box is: locate it first."
    _, _, third, fourth = carry_out(world, *STEPS[:2], STEPS[3], ("pick_up", {"thing": OTHER}))
    assert third.report == "The robot does not know where the blue cylinder is: locate it first."
    assert fourth.report == "The hand holds the red box: put it down first."
    (last,) = carry_out(world, ("place_around", {"thing": OTHER, "target": CYLINDER}))
    assert last.report == "The robot does not hold the green box: pick it up first."
    _, empty = carry_out(world, ("put_down", {}), ("put_down", {}))
    assert empty.report == "The hand is empty: there is nothing to put down."


def test_with_fixes_what_has_to_come_first_is_done_first(world: Around) -> None:
    (outcome,) = carry_out(world, STEPS[3], fixes=3)
    assert outcome.ending == "completed"
    assert world.close(BOX, CYLINDER)
    assert [fix.problem for fix in outcome.fixes] == [
        "The robot does not hold the red box: pick it up first.",
        "The robot does not hold the red box: pick it up first.",
        "The robot does not know where the blue cylinder is: locate it first.",
    ]


def test_what_was_moved_has_to_be_located_again(world: Around) -> None:
    carry_out(world, *STEPS[:1])
    assert world.located(BOX)
    carry_out(world, *STEPS[1:])
    assert not world.located(BOX)
    assert world.located(CYLINDER)
    assert {r.words for r in (world.observe().state or pytest.fail()).relations} == {
        "The robot knows where the blue cylinder is.",
        "The red box is close to the blue cylinder.",
    }


def test_what_the_hand_did_not_get_has_to_be_located_again(world: Around) -> None:
    carry_out(world, *STEPS[:1])
    world.physics.put(BOX, (0.2, -0.3, 0.0))
    (outcome,) = carry_out(world, *STEPS[1:2])
    assert outcome.report == "The hand closed on nothing where the red box was seen."
    assert not world.located(BOX)


def test_what_is_in_the_hand_is_put_down_where_there_is_room(world: Around) -> None:
    carry_out(world, *STEPS[:2])
    assert world.held(BOX)
    assert "The robot holds the red box." in {r.words for r in (world.observe().state or pytest.fail()).relations}
    (held,) = carry_out(world, ("locate", {"thing": BOX}))
    assert held.report.startswith("The red box is in the hand")
    carry_out(world, ("put_down", {}))
    assert world.hand_empty()
    assert TABLE_TOP.distance(*world.position(BOX)[:2]) == 0
    assert min(gap_between(world.physics, BOX, name) for name in (CYLINDER, OTHER)) > 0


def test_an_arm_that_is_off_puts_it_too_far_away_unless_it_may_mend_that() -> None:
    world = Disturbed(Around(), Disturbance(offset=0.03))
    close = {0: 0, 3: 0}
    mended = []
    for fixes in close:
        for seed in range(4):
            world.reset(seed)
            box = next(name for name in world.physics.names if name.endswith("box"))
            cylinder = next(name for name in world.physics.names if name.endswith("cylinder"))
            steps = [(name, {k: box if v == BOX else cylinder for k, v in given.items()}) for name, given in STEPS]
            outcomes = carry_out(world, *steps, fixes=fixes)
            close[fixes] += world.close(box, cylinder)
            mended += [fix.problem for outcome in outcomes for fix in outcome.fixes]
    assert close[3] == 4
    assert close[0] < 4
    assert any("cm away from the" in problem and problem.endswith("which is not close.") for problem in mended)


def test_a_thing_on_top_of_another_is_not_close_to_it(world: Around) -> None:
    x, y, _ = world.position(CYLINDER)
    world.physics.put(BOX, (x, y, world.physics.height(CYLINDER)))
    assert not world.close(BOX, CYLINDER)


def test_how_far_apart_things_are() -> None:
    scene = Scene(
        (
            Thing("a box", "box", 0.0, -0.5, size=0.08),
            Thing("b box", "box", 0.2, -0.5, size=0.08, yaw=45),
            Thing("c cylinder", "cylinder", 0.0, -0.3, size=0.06),
        )
    )
    physics = Around(scene).physics
    assert gap_between(physics, "a box", "b box") == pytest.approx(0.2 - 0.04 - 0.04 * 2**0.5, abs=1e-6)
    assert gap_between(physics, "a box", "c cylinder") == pytest.approx(0.2 - 0.04 - 0.03, abs=1e-4)
    physics.put("c cylinder", (0.05, -0.5, 0.0))
    assert gap_between(physics, "a box", "c cylinder") == 0.0


def test_where_there_is_no_room_nothing_is_put() -> None:
    around = [(0.0, 0.13), (0.13, 0.0), (0.0, -0.13), (-0.13, 0.0), (0.11, 0.11), (-0.11, -0.11), (0.11, -0.11)]
    walls = (
        Thing(f"n{i} box", "box", x, -0.5 + y, size=0.07, yaw=45.0 * (x * y != 0)) for i, (x, y) in enumerate(around)
    )
    world = Around(Scene((Thing(CYLINDER, "cylinder", 0.0, -0.5), Thing(BOX, "box", -0.2, -0.27), *walls)))
    *_, last = carry_out(world, *STEPS)
    assert last.report == "There is no room for the red box around the blue cylinder: take something away from there."
    assert world.held(BOX)


def test_a_stop_while_placing_holds_still_and_drops_nothing(world: Around) -> None:
    carry_out(world, *STEPS[:3])
    pace = Pace()

    async def run() -> None:
        with pacing(pace):
            pace.listeners.append(lambda: pace.give_way_to(Stop()) if pace.ticks > 20 else None)
            await world.place_around(BOX, CYLINDER)

    with pytest.raises(Interrupted):
        asyncio.run(run())
    at = world.physics.tip()
    asyncio.run(world.clock.sleep(0.5))
    assert world.physics.tip() == pytest.approx(at, abs=0.003)
    assert world.held(BOX)


def test_a_snapshot_keeps_what_was_located(world: Around) -> None:
    carry_out(world, *STEPS[:3])
    other = Around()
    other.restore(world.snapshot())
    assert other.located(CYLINDER)
    assert not other.located(BOX)
    assert carry_out(other, STEPS[3]) == carry_out(world, STEPS[3])
    assert other.snapshot() == world.snapshot()


def test_drawn_scenes_have_room_and_differ() -> None:
    scenes = [draw_around(seed) for seed in range(30)]
    assert len({scene.to_json() for scene in scenes}) == 30
    for scene in scenes:
        scene.check()
        assert {thing.kind for thing in scene.objects} == {"box", "cylinder"}


def test_only_boxes_and_cylinders_are_in_it() -> None:
    with pytest.raises(BadScene, match="red block is a block; this world has only boxes and cylinders"):
        open_world("around", scene='[[objects]]\nname = "red block"\nkind = "block"\nx = 0.1\ny = -0.5\n')
    with pytest.raises(BadScene, match=r"scene:3: .*size is 0\.3 m; a box must be 0\.05 to 0\.09"):
        open_world("around", scene='\n\n[[objects]]\nname = "red box"\nkind = "box"\nx = 0.1\ny = -0.5\nsize = 0.3\n')
    with pytest.raises(BadScene, match="a box stands on the table"):
        Around(
            Scene.from_json(
                '{"objects": [{"name": "a", "kind": "cylinder", "x": 0.0, "y": -0.5},'
                '{"name": "b", "kind": "box", "on": "a"}]}'
            )
        )


def test_things_that_are_not_there_are_named(world: Around) -> None:
    with pytest.raises(UnknownName, match="moon"):
        asyncio.run(world.locate("moon"))
    world.physics.put(CYLINDER, (1.0, -0.5, -0.5))
    with pytest.raises(SkillError, match="blue cylinder cannot be seen"):
        asyncio.run(world.locate(CYLINDER))

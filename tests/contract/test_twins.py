"""Every world that has a twin: the twin is the world, and nothing that is done there is done here."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from offering import worlds_offering
from thinkaloud.clock import ManualClock
from thinkaloud.episode.ticks import Pace
from thinkaloud.errors import SkillError
from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.monologue import Monologue
from thinkaloud.records import Observation, Outcome, Plan, Rehearsal, Step, Verdict
from thinkaloud.rehearse.twin import Twin
from thinkaloud.robots import open_world
from thinkaloud.skills import Skill
from thinkaloud.verify.effects import DetectSuccess
from thinkaloud.worlds import WORLDS, World
from thinkaloud.worlds.contract import Disturbable, Twinned, find_ability
from thinkaloud_worlds.kitchen import DRAWERS, LOCATIONS, Kitchen
from thinkaloud_worlds.kitchen.catalogue import CABINET
from thinkaloud_worlds.tabletop.sensor_noise import Disturbed

pytestmark = pytest.mark.sampled(2)

BEHIND_OTHERS = {"lab_cart", "ros_cart", "zenoh_cart"}
"""Robots that only another program can bring to life; tests/robots has tests of its own for them."""
ROBOTS = {
    path.stem: path
    for path in (Path(__file__).parents[2] / "examples" / "robots").glob("*.toml")
    if path.stem not in BEHIND_OTHERS
}
TWINNED = worlds_offering(Twinned) + sorted(ROBOTS)
SENSING = worlds_offering(Disturbable)
PASSES = 0.15  # metres from one thing to where another is moved


def test_only_a_person_and_a_table_that_is_known_by_its_camera_alone_have_no_twin() -> None:
    assert [name for name in WORLDS if name not in TWINNED] == ["real_table", "by_hand"]


def opened(name: str) -> Twinned:
    world = open_world(str(ROBOTS.get(name, name)))
    world.reset(3)
    world.observe()
    if isinstance(world, Kitchen):
        asyncio.run(look_round(world))
    twinned = find_ability(world, Twinned)
    assert twinned is not None
    return twinned


async def look_round(world: Kitchen) -> None:
    """See all there is: what the robot has not seen, a twin of its kitchen would suppose."""
    for location in LOCATIONS:
        await world.go_to(location)
        for drawer in DRAWERS if location == CABINET else ():
            await world.open_drawer(drawer)


@pytest.fixture(params=TWINNED)
def world(request: pytest.FixtureRequest) -> Twinned:
    return opened(request.param)


def calls(skill: Skill, scene: Observation) -> Iterator[Step]:
    """Ways to call a skill here; numbers are the coordinates of things, and of places beside them."""
    needed = [p for p in skill.signature.parameters if p.default is None]
    named = [p for p in needed if p.options(scene.vocabulary) is not None]
    numbers = [p.name for p in needed if p not in named]
    known = scene.state.attributes.values() if scene.state and numbers else ()
    points = [{name: float(each[name]) for name in numbers} for each in known if {*numbers} <= each.keys()]
    points += [{**point, numbers[-1]: round(point[numbers[-1]] - PASSES, 2)} for point in points]
    for values in product(*(p.options(scene.vocabulary) or () for p in named)):
        for point in points if numbers else [{}]:
            yield skill.step({**{p.name: value for p, value in zip(named, values, strict=True)}, **point})


@cache
def plan_for(name: str) -> Plan:
    """Two steps that can be begun one after another in the world of the fixture; the second may fail."""
    twin, steps = opened(name), list[Step]()
    for number in range(2):
        scene, fits = twin.observe(), list[Step]()
        for skill in twin.skills.values():
            for step in calls(skill, scene):
                try:
                    skill.refuse(step.arguments, scene)
                except SkillError:
                    continue
                fits += [] if skill.last else [step]
        steps.append(fits[(7 * number + 3) % len(fits)])
        asyncio.run(CallSkill(twin).execute(steps[-1], Monologue(ManualClock()), Pace()))
    return Plan("Try it out.", (), tuple(steps))


def first_of(plan: Plan) -> Plan:
    return replace(plan, steps=plan.steps[:1])


async def really(world: World, plan: Plan) -> tuple[Rehearsal, str]:
    """What comes of a plan when it is done, in the form of a rehearsal, and all that was said of its last step."""
    start = world.clock.now()

    def told(number: int | None, said: str) -> tuple[Rehearsal, str]:
        return Rehearsal(number is None, number, lasted=round(world.clock.now() - start, 6)), said

    for number, step in enumerate(plan.steps):
        monologue = Monologue(ManualClock())
        monologue.append(world.observe())
        outcome: Outcome = await CallSkill(world).execute(step, monologue, Pace())
        verdict: Verdict = await DetectSuccess(world).verify(outcome, monologue)
        if outcome.ending != "completed" or not verdict.ok:
            return told(number, f"{outcome.report} {verdict.observed}")
    return told(None, "")


def test_a_twin_is_in_the_same_state(world: Twinned) -> None:
    asyncio.run(really(world, first_of(plan_for(world.name))))
    twin = world.twin()
    assert twin is not world
    assert twin.name == world.name
    assert twin.snapshot() == world.snapshot()
    assert twin.clock.now() == world.clock.now()
    assert twin.observe() == world.observe()
    assert {*twin.skills} == {*world.skills}
    assert {*twin.relations} == {*world.relations}
    copied = find_ability(twin, Twinned)
    assert copied is not None
    assert copied.twin().snapshot() == world.snapshot()


def test_a_twin_begins_new_episodes_as_the_world_does(world: Twinned) -> None:
    twin = world.twin()
    twin.reset(11)
    world.reset(11)
    assert twin.snapshot() == world.snapshot()


def test_what_is_done_in_the_twin_is_not_done_in_the_world_nor_the_other_way_round(world: Twinned) -> None:
    plan = first_of(plan_for(world.name))
    before, seen, now = world.snapshot(), world.observe(), world.clock.now()
    twin = world.twin()
    asyncio.run(really(twin, plan))
    assert twin.snapshot() != before
    assert (world.snapshot(), world.observe(), world.clock.now()) == (before, seen, now)
    other = world.twin()
    asyncio.run(really(world, plan))
    assert other.snapshot() == before
    if world.name == "kitchen":  # its twin notes that it is one
        assert world.observe() == twin.observe()
    else:
        assert world.snapshot() == twin.snapshot()


def test_a_plan_comes_to_the_same_in_the_twin_and_in_the_world(world: Twinned) -> None:
    plan, before = plan_for(world.name), world.snapshot()
    rehearsal = asyncio.run(Twin(world).rehearse(plan, Monologue(world.clock)))
    assert world.snapshot() == before
    outcome, said = asyncio.run(really(world, plan))
    assert (rehearsal.feasible, rehearsal.step, rehearsal.lasted) == (outcome.feasible, outcome.step, outcome.lasted)
    assert {*rehearsal.error.split()} <= {*said.split()}


def test_a_rehearsal_that_is_given_up_in_the_middle_leaves_nothing_changed(world: Twinned) -> None:
    plan = plan_for(world.name)
    before, seen, now = world.snapshot(), world.observe(), world.clock.now()

    async def give_up() -> None:
        task = asyncio.ensure_future(Twin(world).rehearse(plan, Monologue(world.clock)))
        for _ in range(3):
            await asyncio.sleep(0)
        assert not task.done()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(give_up())
    assert (world.snapshot(), world.observe(), world.clock.now()) == (before, seen, now)


@pytest.mark.parametrize("name", SENSING)
def test_a_disturbed_world_has_the_twin_of_the_world_inside(name: str) -> None:
    world = open_world(name, disturbance="paper")
    assert isinstance(world, Disturbed)
    world.reset(3)
    world.observe()
    before, twin = world.snapshot(), world.twin()
    assert not isinstance(twin, Disturbed)
    assert twin.snapshot() == world.world.snapshot()
    assert twin.observe() == world.observe()
    assert find_ability(twin, Twinned) is not None
    asyncio.run(really(twin, first_of(plan_for(name))))
    assert world.snapshot() == before

"""Deeds one after another: what lasts, what was meant in passing, what waits for something else."""

from __future__ import annotations

import pytest

from thinkaloud.records import Step
from thinkaloud.robots import open_world
from thinkaloud.worlds import World
from thinkaloud.worlds.effects import does_pass, exclude_each_other, waits_for
from thinkaloud.worlds.full_world import FullWorld


def opened(name: str) -> World:
    world = open_world(name)
    world.reset(1)
    return FullWorld(world)


def step(world: World, skill: str, **arguments: str) -> Step:
    return world.skills[skill].step(arguments)


def test_who_drives_on_was_there_in_passing() -> None:
    world = opened("warehouse")
    office = world.relations["at"].condition({"landmark": "office"})
    been = world.relations["visited"].condition({"landmark": "office"})
    on = step(world, "drive_to", landmark="cold store")
    assert does_pass(office, on, world)
    assert not does_pass(been, on, world)


def test_a_tower_is_wished_as_a_whole_in_whatever_order_it_is_said() -> None:
    world = opened("tabletop")
    upper = world.relations["on"].condition({"object": "green block", "target": "yellow block"})
    lower = step(world, "pick_and_place", object="yellow block", target="pink bowl")
    assert not does_pass(upper, lower, world)


def test_what_is_taken_up_again_was_put_down_in_passing() -> None:
    world = opened("drinks")
    milk = world.relations["has"].condition({"location": "working area", "ingredient": "milk"})
    assert does_pass(milk, step(world, "grasp_cup", location="working area"), world)
    assert waits_for(
        step(world, "place_cup", location="finished location"), step(world, "grasp_cup", location="working area"), world
    )


def test_a_door_is_closed_after_what_goes_through_it() -> None:
    world = opened("household")
    into = step(world, "put_in", thing="banana", target="fridge")
    assert waits_for(step(world, "close", thing="fridge"), into, world)
    assert not waits_for(step(world, "switch_off", thing="light 4"), into, world)


@pytest.mark.parametrize(
    ("deeds", "excluded"),
    [
        ([("pick_up", "coke"), ("pick_up", "7up")], True),  # it has one hand
        ([("throw_away", "coke"), ("throw_away", "7up")], False),
        ([("bring", "coke"), ("bring", "7up")], False),
        ([("pick_up", "coke"), ("open", "top drawer")], False),  # the drawer first
    ],
)
def test_deeds_exclude_each_other_where_what_the_one_brings_about_bars_the_other(
    deeds: list[tuple[str, str]], excluded: bool
) -> None:
    whole = opened("kitchen")
    skills = [(whole.skills[name], thing) for name, thing in deeds]
    steps = [skill.step({skill.signature.parameters[0].name: thing}) for skill, thing in skills]
    assert exclude_each_other(steps, whole, whole.observe().vocabulary) is excluded

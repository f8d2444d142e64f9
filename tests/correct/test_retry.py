"""Trying again: the same step, a few times in a row, and then no more."""

from __future__ import annotations

import asyncio

import pytest

from thinkaloud.clock import ManualClock
from thinkaloud.correct.retry import TryAgain
from thinkaloud.monologue import Monologue
from thinkaloud.records import Request, Started, Step, Verdict
from thinkaloud.worlds.full_world import FullWorld
from thinkaloud_worlds.kitchen import Kitchen, KitchenScene, PlacedItem
from thinkaloud_worlds.kitchen.true_state import GONE, HAND

PUT, LIFT = Step("put", {"thing": "cup"}, "Put the cup down."), Step("lift", {"thing": "cup"}, "Lift the cup.")
FAILED = Verdict(PUT, False, "action")


def said(*records: Request | Started) -> Monologue:
    monologue = Monologue(ManualClock())
    for record in (Request("Put the cup down."), *records):
        monologue.append(record)
    return monologue


@pytest.mark.parametrize(("tries", "again"), [(0, True), (1, True), (2, False)])
def test_a_step_that_failed_is_tried_again_twice(tries: int, again: bool) -> None:
    before = said(Started(PUT), *[Started(PUT, correcting=True)] * tries)
    assert asyncio.run(TryAgain(2).correct(FAILED, before)) == (PUT if again else None)


def test_the_tries_of_another_step_and_of_an_earlier_request_do_not_count() -> None:
    other = said(*[Started(LIFT, correcting=True)] * 2, Started(PUT))
    earlier = said(*[Started(PUT, correcting=True)] * 2, Request("Once more."), Started(PUT))
    for before in (other, earlier):
        assert asyncio.run(TryAgain(2).correct(FAILED, before)) == PUT


@pytest.mark.parametrize(("where", "again"), [("counter", True), (HAND, False), (GONE, False)])
def test_with_a_world_only_what_can_still_be_done_is_tried_again(where: str, again: bool) -> None:
    kitchen = Kitchen(KitchenScene((PlacedItem("tea", "counter"),), "counter"))
    kitchen.room.places["tea"] = where  # the detector said that it was not picked up
    kitchen.room.look()
    world = FullWorld(kitchen)
    take = world.skills["pick_up"].step({"item": "tea"})
    found = asyncio.run(TryAgain(2, world=world).correct(Verdict(take, False, "plan"), said(Started(take))))
    assert found == (take if again else None)

"""Deeds that change values are done although their effects hold, each time anew, and never taken back in silence."""

from __future__ import annotations

import asyncio
from datetime import datetime

import pytest

from said import Talk
from thinkaloud.clock import ManualClock
from thinkaloud.records import RuleNotice, Started
from thinkaloud.robots.text_file import TextFileWorld

POND = """
name = "pond"
about = "A robot looks after fish."
[kinds]
tank = ["tank", "pond"]
[skills.feed]
says = "Feed the {tank}."
doc = "Feed the fish."
parameters = { tank = "tank" }
makes = ["fed({tank})"]
changes = ["food({tank}) += 5"]
[skills.refill]
says = "Refill the {tank}."
doc = "Fill it up again."
parameters = { tank = "tank" }
makes = ["ready({tank})"]
changes = ["level({tank}) = 10"]
[skills.drain]
says = "Drain the {tank} by {litres} litres."
doc = "Let water out."
parameters = { tank = "tank", litres = "number litres" }
changes = ["level({tank}) -= {litres}"]
[skills.heat]
says = "Heat the {tank} to {degrees} degrees."
doc = "Heat it."
parameters = { tank = "tank", degrees = "number" }
changes = ["warmth({tank}) = {degrees}"]
[relations.fed]
says = "{tank} is fed."
doc = "Whether the fish have food."
parameters = { tank = "tank" }
[relations.ready]
says = "{tank} is ready."
doc = "Whether it is in use."
parameters = { tank = "tank" }
[values.food]
says = "the food in the {tank}"
doc = "How much food there is."
parameters = { tank = "tank" }
[values.warmth]
says = "the warmth of the {tank}"
doc = "How warm it is."
parameters = { tank = "tank" }
[values.level]
says = "the level of the {tank}"
doc = "How much water there is."
unit = "litres"
parameters = { tank = "tank" }
[start]
facts = ["ready(tank)", "ready(pond)", "fed(tank)"]
values = ["food(tank) = 0", "level(tank) = 3", "level(pond) = 10", "warmth(tank) = 20"]
"""


def value(talk: Talk, name: str) -> object:
    return talk.world._values[name, ("tank",)]


@pytest.mark.parametrize(("program", "name", "after"), [('feed("tank")', "food", 5), ('refill("tank")', "level", 10)])
@pytest.mark.parametrize("preset", ["thinkaloud:confirm=never", "thinkaloud:confirm=never;fix=off;rehearse=off"])
def test_a_deed_is_done_though_its_effects_hold_if_it_changes_a_value(
    program: str, name: str, after: int, preset: str
) -> None:
    talk = Talk([program], TextFileWorld(POND), preset=preset)
    assert talk.say("Feed and refill the tank.").result == "goal met" and value(talk, name) == after


def test_a_deed_that_would_change_nothing_is_not_done() -> None:
    talk = Talk(['refill("pond")'], TextFileWorld(POND))
    assert talk.say("Refill the pond.").because.startswith("I understood: Pond is ready already.") and not talk.steps


def test_the_same_deed_twice_changes_a_value_twice() -> None:
    talk = Talk(['feed("tank")\nfeed("tank")'], TextFileWorld(POND))
    assert talk.say("Feed the tank twice.").result == "goal met" and value(talk, "food") == 10


def test_a_standing_rule_does_each_time_what_changes_a_value() -> None:
    wall = ManualClock(8 * 3600, datetime(2026, 11, 18))
    talk = Talk(['whenever(clock("18:30"), feed("tank"))'], TextFileWorld(POND), wall=wall)
    said = talk.agent.monologue
    said.goes_on = True
    talk.say("Feed the tank every day at 18:30.")
    watcher = talk.agent.loop.mind.rules
    assert watcher is not None
    for day in range(3):
        wall.seconds = (24 * day + 18.5) * 3600
        watcher.check(said, talk.world.observe(), busy=False)
        (due,) = watcher.pending(said)
        assert asyncio.run(talk.agent.carry_out(due)).result == "goal met"
    assert value(talk, "food") == 15
    assert len(talk.all(Started)) == sum(each.what == "due" for each in talk.all(RuleNotice)) == 3


def test_another_amount_instead_is_not_added_on_top() -> None:
    talk = Talk(['drain("tank", 1)', 'undo()\ndrain("tank", 2)'], TextFileWorld(POND))
    talk.say("Drain the tank by 1 litre.")
    end = talk.say("No, by 2.")
    assert end.because == (
        "I cannot take this back: Drain the tank by 1 litres. What you want instead would come on top of it."
    )
    assert value(talk, "level") == 2


def test_another_value_instead_takes_the_place_of_the_first() -> None:
    talk = Talk(['heat("tank", 22)', 'undo()\nheat("tank", 24)'], TextFileWorld(POND))
    talk.say("Heat the tank to 22 degrees.")
    assert talk.say("No, to 24.").result == "goal met" and value(talk, "warmth") == 24

"""What of several deeds cannot be done is said, and the others are done; and what only seems to miss is tried."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from said import Talk, garden
from thinkaloud.methods.thinkaloud.bounded_rehearsal import BoundedRehearsal
from thinkaloud.monologue import Monologue
from thinkaloud.records import Plan, Rehearsal, Request, Step
from thinkaloud.robots import open_world
from thinkaloud_worlds.warehouse import HallScene, Warehouse, draw_hall

PLAIN = "thinkaloud:confirm=never;rehearse=off"
GIVE_UP = ["give_up()"] * 4


def test_what_cannot_be_done_is_said_and_the_others_are_done() -> None:
    stuck = garden("stuck(left window)", "filled()")
    talk = Talk(['open("left window")\nwater("fern")', *GIVE_UP], stuck, preset=PLAIN)
    end = talk.say("Open the left window, and water the fern.")
    assert talk.steps[-1] == "Water the fern." and "wet(fern)" in stuck.facts()
    assert end.result == "failed"
    assert end.because.startswith("I could not do this: Open the left window. The handle is stuck.")


def test_where_the_others_have_to_do_with_it_nothing_more_is_done() -> None:
    talk = Talk(['open("left window")\nclose("left window")', *GIVE_UP], garden("stuck(left window)"), preset=PLAIN)
    assert talk.say("Open the left window, and close it again.").result == "failed"
    assert {*talk.steps} == {"Open the left window."}


def hall(seed: int = 5) -> HallScene:
    return draw_hall(seed, swapped=True)


def test_a_sign_that_is_mixed_up_is_found_out_by_trying() -> None:
    scene = hall()
    first, second = scene.swapped[0]
    world = Warehouse(scene)
    world.reset(1)
    talk = Talk([f'drive_to("{first}")', *GIVE_UP], world, preset="thinkaloud:confirm=never")
    assert talk.say(f"Drive to the {first}.").result == "goal met"
    assert world.visits[-1] == first and second in world.visits


class Misses:
    async def rehearse(self, plan: Plan, monologue: Monologue) -> Rehearsal:
        return Rehearsal(False, 0, "It went well. Not so: The lamp is on.")


def test_a_step_alone_passes_when_it_was_refused_before_only_for_what_it_seems_to_miss() -> None:
    said = Monologue(open_world("tabletop").clock)
    said.append(Request("Switch it on."))
    step = Step("switch", {}, "Switch it on.")
    alone, both = Plan("", (), (step,)), Plan("", (), (step, replace(step, words="Switch it off.")))
    patiently = BoundedRehearsal(Misses())
    refused = asyncio.run(patiently.rehearse(alone, said))
    assert not refused.feasible
    said.append(refused)
    assert asyncio.run(patiently.rehearse(alone, said)).feasible
    assert not asyncio.run(patiently.rehearse(both, said)).feasible

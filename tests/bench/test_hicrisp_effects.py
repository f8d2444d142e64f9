"""Exec by effects: what a skill says of itself does not count where what it did can be seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from thinkaloud.monologue import Event
from thinkaloud.records import Ending, Outcome
from thinkaloud_bench.hicrisp.effects import EffectsSeen
from thinkaloud_worlds.household import HomeGraph, Household
from thinkaloud_worlds.tabletop import Tabletop, load_scene

SCENES = Path(__file__).parents[2] / "examples" / "scenes"


@pytest.mark.parametrize(
    ("skill", "thing", "ending", "did"),
    [
        ("grab", "apple", "completed", False),  # it says so, and the hand is empty
        ("open", "fridge", "failed", False),
        ("close", "fridge", "failed", True),  # it is closed
        ("eat", "apple", "completed", True),  # nothing is left to see of that
        ("eat", "apple", "failed", False),
        ("close", "moon", "completed", False),
    ],
)
def test_a_step_was_carried_out_if_its_effects_are_true(skill: str, thing: str, ending: Ending, did: bool) -> None:
    world = Household(HomeGraph.from_json((SCENES / "flat.json").read_text()))
    seen = EffectsSeen(world)
    seen(Event(0, 0.0, Outcome(world.skills[skill].step({"thing": thing}), ending)))
    assert seen.scores == {"checked": 1, "achieved": did}


def test_a_block_beside_its_bowl_was_not_put_into_it() -> None:
    world = Tabletop(load_scene(str(SCENES / "two_colours.toml")))
    seen = EffectsSeen(world)
    step = world.skills["pick_and_place"].step({"object": "red block", "target": "red bowl"})
    seen(Event(0, 0.0, Outcome(step, "completed", "Picked up the red block and put it down.")))
    assert seen.scores == {"checked": 1, "achieved": 0}

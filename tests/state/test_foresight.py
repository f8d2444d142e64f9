"""What is known after a step, by what its skill declares."""

from __future__ import annotations

from conversing import table
from thinkaloud.records import WorldState
from thinkaloud.state.edit import marked, supports
from thinkaloud.state.foresight import foreseen
from thinkaloud.worlds.tabletop import Tabletop

BLOCKS = WorldState(("red block", "blue block"))


def test_a_skill_that_says_what_is_remembered_of_it_is_believed() -> None:
    world = table("disinfection", "red block", "blue block", "disinfector")
    dirty = marked(BLOCKS, ["blue block"], "dirty")
    put = {"object": "red block", "target": "blue block"}
    after = foreseen(world.skills["pick_and_place"], put, dirty, world.relations)
    assert supports(after) == {"red block": "blue block"}
    assert after.attributes["red block"] == {"dirty": True}


def test_otherwise_its_effects_are_and_a_part_of_the_table_is_the_table() -> None:
    world = Tabletop()
    put = world.skills["pick_and_place"]
    on_block = foreseen(put, {"object": "red block", "target": "blue block"}, BLOCKS, world.relations)
    assert supports(on_block) == {"red block": "blue block"}
    aside = foreseen(put, {"object": "red block", "target": "left side"}, on_block, world.relations)
    assert supports(aside) == {}

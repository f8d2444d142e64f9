"""What is known after a step, by what its skill declares."""

from __future__ import annotations

from boardworld import Board
from program_conversation import table
from thinkaloud.records import WorldState
from thinkaloud.state.edits import supports, with_marked
from thinkaloud.state.predicted_state import can_foresee, foresee, nothing_follows
from thinkaloud_worlds.tabletop import Tabletop
from toyworld import ToyWorld

BLOCKS = WorldState(("red block", "blue block"))


def test_a_skill_that_says_what_is_remembered_of_it_is_believed() -> None:
    world = table("disinfection", "red block", "blue block", "disinfector")
    dirty = with_marked(BLOCKS, ["blue block"], "dirty")
    put = {"object": "red block", "target": "blue block"}
    after = foresee(world.skills["pick_and_place"], put, dirty, world.relations)
    assert supports(after) == {"red block": "blue block"}
    assert after.attributes["red block"] == {"dirty": True}


def test_otherwise_its_effects_are_and_a_part_of_the_table_is_the_table() -> None:
    world = Tabletop()
    put = world.skills["pick_and_place"]
    on_block = foresee(put, {"object": "red block", "target": "blue block"}, BLOCKS, world.relations)
    assert supports(on_block) == {"red block": "blue block"}
    aside = foresee(put, {"object": "red block", "target": "left side"}, on_block, world.relations)
    assert supports(aside) == {}


def test_who_remembers_tells_and_who_promises_tells_what_lies_on_what() -> None:
    board, table, toy = Board(), Tabletop(), ToyWorld()
    at = {"x": 0.1, "y": 0.1}
    assert can_foresee(board.skills["grasp"], at, board.relations)
    assert not can_foresee(board.skills["wave"], {}, board.relations)
    put = {"object": "red block", "target": "blue block"}
    assert can_foresee(table.skills["pick_and_place"], put, table.relations)
    assert not can_foresee(toy.skills["move"], {"thing": "ball", "place": "shelf"}, toy.relations)


def test_what_comes_after_the_last_step_is_told_which_that_was() -> None:
    assert nothing_follows(Board().step("home")) == "After 'Go home.' nothing can be done in the same plan."

"""What has to be true in the end, by what the skills declare."""

from __future__ import annotations

from dataclasses import replace

from boardworld import Board
from program_conversation import table
from thinkaloud.plan.final_conditions import find_lasting
from thinkaloud.records import Observation, Step, WorldState
from thinkaloud.robots import open_world
from thinkaloud.skills.built_in_steps import say
from thinkaloud.worlds import World
from toyworld import ToyWorld

BOARD = Board()


def words(world: World, *steps: Step, first: Observation | None = None) -> list[str]:
    return [condition.words for condition in find_lasting(world, first or world.observe(), steps)]


def moved(*calls: tuple[str, float, float] | tuple[str]) -> list[str]:
    return words(BOARD, *BOARD.plan(*calls).steps)


def test_what_has_coordinates_is_where_it_was_moved_to() -> None:
    plan = BOARD.plan(("grasp", 0.1, 0.1), ("move", 0.1, 0.9), ("home",))
    (condition,) = find_lasting(BOARD, BOARD.observe(), plan.steps)
    assert condition == BOARD.relations["at"].condition({"object": "pawn", "x": 0.1, "y": 0.9})
    assert not BOARD.holds(condition)
    done = Board({**BOARD.where, "pawn": (0.1, 0.9)})
    assert done.holds(condition)


def test_only_where_it_is_at_last_counts_and_only_of_what_was_moved() -> None:
    away, on = (("grasp", 0.1, 0.1), ("move", 0.1, 0.9)), (("grasp", 0.1, 0.9), ("move", 0.3, 0.9))
    assert moved(*away, *on) == ["Pawn is at (0.3, 0.9)."]
    assert moved(*away, ("grasp", 0.1, 0.9), ("move", 0.1, 0.1)) == []
    swap = (*away, ("grasp", 0.5, 0.1), ("move", 0.1, 0.1), ("grasp", 0.1, 0.9), ("move", 0.5, 0.1))
    assert moved(*swap) == ["Pawn is at (0.5, 0.1).", "Queen is at (0.1, 0.1)."]


def test_of_what_is_in_the_hand_nothing_is_said() -> None:
    first = BOARD.observe()
    assert first.state is not None
    lifted = {**first.state.attributes, "pawn": {"x": 0.1, "y": 0.1, "z": 0.2}}
    held = replace(first.state, relations=(BOARD.relations["held"].condition({"object": "pawn"}),), attributes=lifted)
    board = Board()
    grasp = replace(board.skills["grasp"], remembers=lambda state, **_: held)
    board.skills = {**board.skills, "grasp": grasp}
    elsewhere = replace(first, state=replace(first.state, attributes={"pawn": {"x": 0.3, "y": 0.1}}))
    assert words(board, board.step("grasp", 0.1, 0.1), first=elsewhere) == [
        "Queen is at (0.5, 0.1).",
        "Rook is at (0.9, 0.9).",
    ]


def test_coordinates_without_a_relation_for_them_are_passed_over() -> None:
    world = open_world("drinks")
    scene = world.observe()
    assert scene.state is not None
    assert {"x", "y"} <= next(iter(scene.state.attributes.values())).keys()
    stack, work, _ = scene.vocabulary["cup location"]
    take, put = world.skills["grasp_cup"], world.skills["place_cup"]
    assert words(world, take.step({"location": stack})) == []
    assert words(world, take.step({"location": stack}), put.step({"location": work})) == [f"Cup 1 is at the {work}."]


def test_what_was_so_before_is_nothing_new() -> None:
    world = table("pick_and_place", "red block", "blue block", "white bowl")
    put = world.skills["pick_and_place"]
    steps = [put.step({"object": "red block", "target": target}) for target in ("blue block", "white bowl")]
    assert words(world, *steps) == ["Red block is on the white bowl."]
    there = find_lasting(world, world.observe(), steps)
    first = replace(world.observe(), state=WorldState(("red block", "blue block", "white bowl"), there))
    assert words(world, *steps, first=first) == []


def test_without_memory_the_latest_promise_about_each_thing_counts() -> None:
    world = ToyWorld()
    steps = [world.step("move", *to) for to in (("ball", "shelf"), ("cup", "shelf"), ("ball", "bin"))]
    assert words(world, say("I begin."), *steps) == ["Ball is on the bin.", "Cup is on the shelf."]
    assert words(world) == []


def test_arguments_that_a_step_leaves_out_have_their_defaults() -> None:
    def after(state: WorldState, x: float, y: float) -> WorldState:
        return replace(state, attributes={**state.attributes, "pawn": {"x": x, "y": y}})

    board = Board()
    move = board.skills["move"]
    optional = tuple(replace(p, default=0.7) if p.name == "y" else p for p in move.signature.parameters)
    signature = replace(move.signature, parameters=optional)
    board.skills = {**board.skills, "move": replace(move, signature=signature, remembers=after)}
    assert words(board, Step("move", {"x": 0.2}, "Move it.")) == ["Pawn is at (0.2, 0.7)."]

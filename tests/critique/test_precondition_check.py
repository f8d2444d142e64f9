"""The critic by rules: what skills declare, step by step, on the state that is foreseen."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from boardworld import Board
from thinkaloud.clock import ManualClock
from thinkaloud.critique.precondition_check import MOST_FOUND, PreconditionCritic
from thinkaloud.errors import SkillError
from thinkaloud.monologue import Monologue
from thinkaloud.records import Critique, Observation, Plan, Step, WorldState
from thinkaloud.robots import open_world
from thinkaloud.skills.built_in_steps import say
from thinkaloud.worlds import World
from thinkaloud_worlds.tabletop import Tabletop
from toyworld import ToyWorld

BOARD = Board()
GOOD = (("grasp", 0.1, 0.1), ("move", 0.1, 0.9), ("grasp", 0.5, 0.1), ("move", 0.1, 0.1), ("home",))


def critique(world: World, *steps: Step, scene: Observation | None = None) -> Critique:
    monologue = Monologue(ManualClock())
    if scene is not None:
        monologue.append(scene)
    return asyncio.run(PreconditionCritic(world).critique(Plan("Tidy up.", (), steps), monologue))


def found(world: World, *steps: Step, scene: Observation | None = None) -> dict[int | None, str]:
    """Step and reason; every step at most once."""
    violations = critique(world, *steps, scene=scene).violations
    assert len({each.step for each in violations}) == len(violations)
    return {each.step: each.why for each in violations}


def on_board(*calls: tuple[Any, ...]) -> dict[int | None, str]:
    return found(BOARD, *BOARD.plan(*calls).steps)


def test_a_sound_plan_is_found_sound_by_rules_and_nothing_moves() -> None:
    before = BOARD.snapshot()
    assert critique(BOARD, *BOARD.plan(*GOOD).steps) == Critique((), "rules")
    assert BOARD.snapshot() == before


def test_later_steps_are_checked_on_what_the_earlier_ones_changed() -> None:
    moved = (("grasp", 0.1, 0.1), ("move", 0.1, 0.9))
    assert on_board(*moved, ("grasp", 0.1, 0.9), ("move", 0.5, 0.9)) == {}
    assert on_board(*moved, ("grasp", 0.1, 0.1)) == {2: "No piece is seen at (0.1, 0.1)."}
    assert on_board(*moved, ("grasp", 0.5, 0.1), ("move", 0.12, 0.88)) == {
        3: "(0.12, 0.88) is not free: the pawn stands there."
    }


def test_every_violation_is_reported_and_not_only_the_first() -> None:
    wrong = on_board(
        ("grasp", 0.1, 0.1), ("move", 2.0, 0.1), ("grasp", 0.5, 0.1), ("move", 0.9, 0.9), ("grasp", 0.3, 0.3), ("home",)
    )
    assert wrong == {
        1: "(2.0, 0.1) lies outside the board.",
        3: "(0.9, 0.9) is not free: the rook stands there.",
        4: "No piece is seen at (0.3, 0.3).",
    }


def test_what_follows_from_a_refused_step_is_no_violation_of_its_own() -> None:
    assert on_board(("grasp", 0.3, 0.3), ("move", 0.5, 0.5), ("home",)) == {0: "No piece is seen at (0.3, 0.3)."}
    assert on_board(("grasp", 0.3, 0.3), ("move", 0.5, 2.0), ("home",)) == {
        0: "No piece is seen at (0.3, 0.3).",
        1: "(0.5, 2.0) lies outside the board.",
    }
    assert on_board(("grasp", 0.1, 0.1), ("move", 0.5, 0.1), ("grasp", 0.5, 0.1), ("move", 0.5, 0.5)) == {
        1: "(0.5, 0.1) is not free: the queen stands there."
    }


def test_a_second_step_of_a_kind_without_the_one_between_is_refused() -> None:
    assert on_board(("grasp", 0.1, 0.1), ("grasp", 0.5, 0.1), ("move", 0.5, 0.5)) == {1: "The hand holds the pawn."}
    assert on_board(
        ("move", 0.5, 0.5),
    ) == {0: "Nothing is in the hand."}


def test_many_refusals_do_not_make_endlessly_many_states() -> None:
    board = Board({f"piece {n}": (n / 50, 0.5) for n in range(50)})
    plan = board.plan(*[("grasp", 0.1, 0.1), ("move", 0.1, 0.9)] * 10)
    wrong = found(board, *plan.steps)
    assert wrong[0] == "No piece is seen at (0.1, 0.1)."
    assert {*wrong} <= {*range(20)}
    assert len(board.where) > MOST_FOUND


def test_nothing_follows_the_last_step_and_that_is_said_once() -> None:
    home = "After 'Go home.' nothing can be done in the same plan."
    assert on_board(("home",), ("grasp", 0.1, 0.1), ("move", 0.1, 0.9), ("home",)) == {1: home}
    assert found(BOARD, BOARD.step("home"), say("I am back.")) == {}
    both = critique(BOARD, *BOARD.plan(("home",), ("grasp", 0.3, 0.3)).steps).violations
    assert [(each.step, each.why) for each in both] == [(1, home), (1, "No piece is seen at (0.3, 0.3).")]


def test_what_the_mind_says_is_passed_over_and_counted() -> None:
    steps = (say("I begin."), BOARD.step("grasp", 0.3, 0.3))
    assert found(BOARD, *steps) == {1: "No piece is seen at (0.3, 0.3)."}


def test_unknown_skills_and_wrong_arguments_are_reported_and_the_rest_is_checked() -> None:
    steps = (
        Step("garsp", {"x": 0.1, "y": 0.1}, "Garsp."),
        Step("move", {"x": 0.1}, "Move."),
        BOARD.step("grasp", 0.1, 0.1),
        BOARD.step("move", 5, 5),
    )
    wrong = found(BOARD, *steps)
    assert {*wrong} == {0, 1, 3}
    assert "Did you mean 'grasp'?" in wrong[0]
    assert "needs the argument 'y'" in wrong[1]
    assert "lies outside the board" in wrong[3]


def test_what_was_seen_counts_and_not_how_the_world_is() -> None:
    seen = BOARD.observe()
    assert seen.state is not None
    elsewhere = {**seen.state.attributes, "pawn": {"x": 0.3, "y": 0.3}}
    scene = replace(seen, state=replace(seen.state, attributes=elsewhere))
    assert found(BOARD, BOARD.step("grasp", 0.3, 0.3), scene=scene) == {}
    assert found(BOARD, BOARD.step("grasp", 0.1, 0.1), scene=scene) == {0: "No piece is seen at (0.1, 0.1)."}


# Where not all is known -----------------------------------------------------------------------------------------------


def test_after_a_skill_that_does_not_say_what_it_changes_only_arguments_are_checked() -> None:
    assert on_board(("wave",), ("grasp", 0.3, 0.3), ("grasp", 0.3, 0.3)) == {}
    assert on_board(("grasp", 0.3, 0.3), ("wave",), ("move", 9.0, 9.0)) == {0: "No piece is seen at (0.3, 0.3)."}
    steps = (BOARD.step("wave"), Step("move", {"x": "far", "y": 1}, "Move it far."))
    assert {*found(BOARD, *steps)} == {1}


def test_without_a_state_the_first_step_is_checked_and_of_the_others_the_names() -> None:
    def busy(observation: Observation, **_: Any) -> str:
        return "The hand is busy."

    world = ToyWorld()
    world.skills = {name: replace(each, preconditions=(busy,)) for name, each in world.skills.items()}
    ball, moon = world.step("move", "ball", "shelf"), world.step("move", "ball", "moon")
    wrong = found(world, say("I begin."), ball, ball, moon)
    assert {*wrong} == {1, 3}
    assert wrong[1] == "The hand is busy."
    assert "There is no place 'moon' here" in wrong[3]


def test_the_tables_names_and_what_has_to_differ_are_checked_everywhere() -> None:
    world = Tabletop(blocks=2, bowls=1)
    block, bowl = world.blocks[0], world.bowls[0]
    put = world.skills["pick_and_place"]
    good = put.step({"object": block, "target": bowl})
    wrong = found(
        world,
        good,
        put.step({"object": block, "target": block}),
        put.step({"object": bowl, "target": block}),
        good,
    )
    assert {*wrong} == {1, 2}
    assert "cannot both be" in wrong[1]


def test_effects_alone_tell_only_what_lies_on_what() -> None:
    def moved(**_: Any) -> tuple[tuple[str, dict[str, Any]], ...]:
        return (("held", {"object": "pawn"}),)

    board = Board()
    grasp = replace(board.skills["grasp"], remembers=None, effects=moved)
    board.skills = {**board.skills, "grasp": grasp}
    assert found(board, *board.plan(("grasp", 0.1, 0.1), ("move", 9.0, 9.0)).steps) == {}


# Other people's code --------------------------------------------------------------------------------------------------


def broken(observation: Observation, **_: Any) -> str | None:
    raise KeyError("no such sensor")


def refusing(observation: Observation, **_: Any) -> str | None:
    raise SkillError("The café\udce9 is closed.")


@pytest.mark.parametrize("where", ["preconditions", "cautions"])
def test_preconditions_and_cautions_that_raise_are_reported_in_words(where: str) -> None:
    board = Board()
    parts: dict[str, Any] = {where: (broken,)}
    board.skills = {**board.skills, "wave": replace(board.skills["wave"], **parts)}
    assert "raised KeyError: 'no such sensor'" in found(board, board.step("wave"))[0]
    parts = {where: (refusing,)}
    board.skills = {**board.skills, "wave": replace(board.skills["wave"], **parts)}
    assert found(board, board.step("wave")) == {0: "The café? is closed."}


def test_a_memory_that_raises_leaves_the_rest_unknown() -> None:
    def forgets(state: WorldState, **_: Any) -> WorldState:
        raise ZeroDivisionError

    board = Board()
    board.skills = {**board.skills, "wave": replace(board.skills["wave"], remembers=forgets)}
    assert found(board, *board.plan(("wave",), ("grasp", 0.3, 0.3)).steps) == {}


# A world that was there before ----------------------------------------------------------------------------------------


def test_drinks_are_criticised_by_their_own_preconditions() -> None:
    world = open_world("drinks")
    scene = world.observe()
    stack, work, _ = scene.vocabulary["cup location"]
    take = world.skills["grasp_cup"].step({"location": stack})
    put = world.skills["place_cup"].step({"location": work})
    add = world.skills["pour"].step({"location": work, "ingredient": scene.vocabulary["pourable"][0]})
    assert found(world, take, put, add) == {}
    assert found(world, take, add, put, add) == {1: "The gripper is not empty: it holds cup 1. Place that first."}
    assert found(world, add, take, put, take, put) == {
        0: f"There is no cup at the {work}.",
        4: f"The {work} is occupied: cup 1 is there. Move it away first.",
    }

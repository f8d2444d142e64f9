"""Rehearsing in a twin: what goes wrong there goes wrong in words, and the world itself stays as it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from boardworld import Board
from minds import Trial
from thinkaloud.clock import ManualClock
from thinkaloud.episode.ticks import Interrupted, rehearsal_watcher
from thinkaloud.errors import BadInput, SkillError
from thinkaloud.monologue import Monologue
from thinkaloud.records import Plan, Rehearsal, Request, Step, Stop
from thinkaloud.rehearse.twin import Twin
from thinkaloud.skills import Relation
from thinkaloud.skills.built_in_steps import note, say
from thinkaloud.worlds import World
from thinkaloud.worlds.by_hand import ByHand
from toyworld import ToyWorld


async def rehearsal(world: World, *steps: Step) -> Rehearsal:
    return await Twin(world).rehearse(Plan("Tidy up.", (), steps), Monologue(world.clock))


def rehearsed(world: World, *steps: Step) -> Rehearsal:
    before = world.snapshot()
    found = asyncio.run(rehearsal(world, *steps))
    assert world.snapshot() == before
    return replace(found, seconds=0.0)


def test_who_watches_is_shown_the_twin_at_every_tick() -> None:
    world, shown = ToyWorld(), list[World]()
    token = rehearsal_watcher.set(shown.append)
    try:
        assert rehearsed(world, Step("move", {"thing": "ball", "place": "shelf"}, "Move the ball.")).feasible
    finally:
        rehearsal_watcher.reset(token)
    assert len(shown) == 10 and world not in shown


async def carried_out(world: World, plan: Plan) -> None:
    for step in plan.steps:
        await world.skills[step.skill].run(step.arguments)


# What comes of a plan -------------------------------------------------------------------------------------------------


def test_a_plan_that_works_lasts_as_long_as_it_will() -> None:
    board = Board()
    plan = board.plan(("grasp", 0.1, 0.1), ("move", 0.1, 0.9), ("home",))
    assert rehearsed(board, *plan.steps) == Rehearsal(True, None, "", 2.7)
    asyncio.run(carried_out(board, plan))
    assert board.clock.now() == pytest.approx(2.7)


def test_what_is_in_the_way_is_found_where_nothing_breaks() -> None:
    board = Board()
    plan = board.plan(("grasp", 0.1, 0.1), ("move", 0.9, 0.1), ("home",))
    found = rehearsed(board, *plan.steps)
    assert (found.feasible, found.step) == (False, 1)
    assert found.error == "Collision detected between pawn and queen."
    with pytest.raises(SkillError, match="Collision"):
        asyncio.run(carried_out(board, plan))
    assert 0.5 < found.lasted < 2.5
    assert found.lasted == pytest.approx(board.clock.now())


def test_a_rehearsal_begins_with_the_world_as_it_is_now() -> None:
    board = Board()
    asyncio.run(board.skills["grasp"].run({"x": 0.1, "y": 0.1}))
    assert rehearsed(board, board.step("move", 0.1, 0.5)).feasible
    again = rehearsed(board, board.step("grasp", 0.5, 0.1))
    assert (again.step, again.error) == (0, "The hand holds the pawn.")


def test_a_precondition_that_only_a_later_step_breaks_is_met_there() -> None:
    board = Board()
    found = rehearsed(board, *board.plan(("grasp", 0.1, 0.1), ("grasp", 0.5, 0.1)).steps)
    assert found == Rehearsal(False, 1, "The hand holds the pawn.", 0.5)


def test_what_the_mind_says_and_notes_is_passed_over_and_counted() -> None:
    world = ToyWorld()
    steps = (say("I begin."), world.step("move", "ball", "shelf"), note("ball is clean"), world.step("lift", "box"))
    assert rehearsed(world, *steps) == Rehearsal(False, 3, "The box is too heavy.", 1.0)


def test_nothing_follows_what_has_gone_home() -> None:
    board = Board()
    found = rehearsed(board, *board.plan(("home",), ("grasp", 0.1, 0.1)).steps)
    assert found == Rehearsal(False, 1, "After 'Go home.' nothing can be done in the same plan.", 0.2)
    assert rehearsed(board, board.step("home"), say("I am back.")).feasible


def test_a_broken_promise_is_told_with_what_the_skill_reported() -> None:
    world = ToyWorld()
    world.slips = 1
    ball, cup = world.step("move", "ball", "shelf"), world.step("move", "cup", "shelf")
    assert rehearsed(world, ball, cup) == Rehearsal(False, 0, "The ball slipped. Not so: Ball is on the shelf.", 1.0)
    world.slips = 0
    assert rehearsed(world, ball, cup) == Rehearsal(True, None, "", 2.0)


def test_the_skills_own_check_is_asked_in_the_twin() -> None:
    world = ToyWorld()
    world.slips = 1
    found = rehearsed(world, world.step("show", "cup"))
    assert (found.step, found.error) == (0, "The cup is held up. The gripper let go of the cup.")


def test_a_promise_that_cannot_be_checked_is_not_kept() -> None:
    class Promising(ToyWorld):
        def __init__(self) -> None:
            super().__init__()
            self.relations: Mapping[str, Relation] = {}

    world = Promising()
    found = rehearsed(world, ToyWorld().step("move", "ball", "shelf"))
    assert found.step == 0
    assert found.error.startswith("The ball is put down. What move did cannot be checked: There is no relation 'at'.")


@pytest.mark.parametrize(
    ("step", "error"),
    [
        (ToyWorld().step("open", "box"), "open raised ZeroDivisionError: division by zero"),
        (ToyWorld().step("lift", "box"), "The box is too heavy."),
        (Step("mvoe", {}, "Mvoe."), "There is no skill 'mvoe'. Did you mean 'move'?"),
        (Step("move", {"thing": "ball", "place": "moon"}, "Move."), "There is no place 'moon' here"),
        (Step("move", {"thing": "ball"}, "Move."), "move needs the argument 'place'"),
    ],
    ids=["raises", "refuses", "unknown", "misnamed", "incomplete"],
)
def test_whatever_goes_wrong_is_said_in_words(step: Step, error: str) -> None:
    found = rehearsed(ToyWorld(), step)
    assert (found.feasible, found.step, found.lasted) == (False, 0, 0.0)
    assert error in found.error


def raising(error: BaseException) -> type[ToyWorld]:
    async def lift(thing: str) -> str:
        raise error

    class Lifting(ToyWorld):
        def __init__(self) -> None:
            super().__init__()
            self.skills = {**self.skills, "lift": replace(self.skills["lift"], function=lift)}

    return Lifting


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ValueError("caf\udce9"), "lift raised ValueError: caf?"),
        (Interrupted(Stop("the emergency switch")), "the emergency switch"),
    ],
)
def test_faults_of_other_peoples_skills_are_writable_and_end_no_run(error: BaseException, words: str) -> None:
    world = raising(error)()
    assert rehearsed(world, world.step("lift", "ball")).error == words


# Meanwhile ------------------------------------------------------------------------------------------------------------


def turns_of_the_loop(work: Callable[[], Any]) -> tuple[Any, int]:
    """What comes of it, and how many turns somebody else got meanwhile."""

    async def run() -> tuple[Any, int]:
        task, turns = asyncio.ensure_future(work()), 0
        while not task.done():
            await asyncio.sleep(0)
            turns += 1
        return task.result(), turns

    return asyncio.run(run())


def test_others_get_a_turn_at_every_tick() -> None:
    board = Board()
    plan = board.plan(("grasp", 0.1, 0.1), ("move", 0.1, 0.9), ("home",))
    found, turns = turns_of_the_loop(lambda: rehearsal(board, *plan.steps))
    assert found.feasible
    assert turns >= 5 + 20 + 2


def cancelled(world: World, *steps: Step, after: int) -> None:
    """Begin to rehearse, and give it up after so many turns."""

    async def run() -> None:
        task = asyncio.ensure_future(rehearsal(world, *steps))
        for _ in range(after):
            await asyncio.sleep(0)
        assert not task.done()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    before = world.snapshot()
    asyncio.run(run())
    assert world.snapshot() == before


@pytest.mark.parametrize("after", [0, 1, 3, 10, 20])
def test_a_rehearsal_can_be_given_up_at_any_time(after: int) -> None:
    board = Board()
    cancelled(board, *board.plan(("grasp", 0.1, 0.1), ("move", 0.1, 0.9), ("home",)).steps, after=after)


def test_what_never_ends_can_be_given_up_too() -> None:
    world = ToyWorld()
    cancelled(world, world.step("stare", "ball"), after=50)


def test_a_plain_function_runs_beside_the_loop() -> None:
    world = ToyWorld()

    async def run() -> Rehearsal:
        task = asyncio.ensure_future(rehearsal(world, world.step("paint", "ball"), world.step("move", "ball", "bin")))
        assert await asyncio.to_thread(world.inside.wait, 20)
        assert not task.done()
        world.gate.set()
        return await task

    assert asyncio.run(run()).feasible
    assert world.where["ball"] == "floor"


def test_a_person_who_says_stop_is_heard_in_the_middle_of_a_rehearsal() -> None:
    world = ToyWorld()
    trial = Trial(Plan("Stare.", (), (world.step("stare", "ball"),)), world=world, rehearse=Twin(world))

    async def run() -> str:
        task = asyncio.ensure_future(trial.loop.run())
        for _ in range(50):
            await asyncio.sleep(0)
        assert trial.kinds[-1] == "Plan"
        trial.person.say(Stop("enough"))
        return (await task).result

    assert asyncio.run(run()) == "stopped"
    assert "Rehearsal" not in trial.kinds
    assert trial.started == []


def test_a_new_request_makes_the_loop_give_the_rehearsal_up() -> None:
    world = ToyWorld()
    ball = Plan("The ball.", (world.condition("ball", "shelf"),), (world.step("move", "ball", "shelf"),))
    trial = Trial(
        Plan("Stare.", (), (world.step("stare", "ball"),)), ball, world=world, rehearse=Twin(world), request="Stare."
    )

    async def run() -> str:
        task = asyncio.ensure_future(trial.loop.run())
        for _ in range(50):
            await asyncio.sleep(0)
        assert trial.kinds[-1] == "Plan"
        trial.person.say(Request("The ball."))
        return (await task).result

    assert asyncio.run(run()) == "goal met"
    assert trial.started == ["Move the ball to the shelf."]
    assert trial.kinds.count("Rehearsal") == 1


def test_a_plan_that_fails_in_the_twin_is_never_begun() -> None:
    world = ToyWorld()
    lift = Plan("Lift.", (), (world.step("move", "ball", "shelf"), world.step("lift", "box")))
    ball = Plan("Move.", (world.condition("ball", "shelf"),), (world.step("move", "ball", "shelf"),))
    trial = Trial(lift, ball, world=world, rehearse=Twin(world))
    assert trial.run().result == "goal met"
    assert trial.planner.asked == 2
    found = trial.monologue.since(None, Rehearsal)
    assert [(each.feasible, each.step, each.error) for each in found] == [
        (False, 1, "The box is too heavy."),
        (True, None, ""),
    ]
    assert all(each.seconds > 0 for each in found)
    assert world.ticks == 10  # of the one step that was really taken


# Worlds without a twin ------------------------------------------------------------------------------------------------


def test_a_world_without_a_twin_says_what_to_do() -> None:
    with pytest.raises(BadInput, match=r"'by_hand' has no twin.*simulator=off"):
        Twin(ByHand())


@pytest.mark.parametrize(("error", "why"), [("the arm is switched off", "the arm is switched off"), ("", "copied")])
def test_a_twin_that_is_not_there_just_now_is_no_success(error: str, why: str) -> None:
    class Real(ToyWorld):
        def snapshot(self) -> bytes:
            raise NotImplementedError(error)

    found = asyncio.run(Twin(Real()).rehearse(Plan("Tidy up.", (), ()), Monologue(ManualClock())))
    assert (found.feasible, found.step, found.lasted) == (False, None, 0.0)
    assert found.error.startswith("The world 'toy' cannot be rehearsed: ")
    assert why in found.error

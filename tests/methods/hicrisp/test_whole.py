"""The planner of whole plans: the things first, then every step, once; what could not be put right is said."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from boardworld import Board
from knotworld import Knots, sayings
from thinkaloud.agent import Agent
from thinkaloud.errors import Unparseable
from thinkaloud.methods.hicrisp.planner import MOST_STEPS, WholePlan
from thinkaloud.models import Completion, Scripted
from thinkaloud.models.gbnf import accepts
from thinkaloud.monologue import Monologue
from thinkaloud.names import one_of_each_kind
from thinkaloud.plan.ending import conclude, find_lasting
from thinkaloud.plan.needed_things import MOST_ADDED, choose_things, render_things, render_view
from thinkaloud.records import (
    Condition,
    Done,
    Observation,
    Outcome,
    Plan,
    Record,
    Refusal,
    Request,
    Started,
    Step,
    Verdict,
    WorldState,
)
from thinkaloud.worlds import World
from toyworld import ToyWorld

MOVE, BIN = "Move the ball to the shelf.", "Move the cup to the bin."
REQUEST = "Put the ball on the shelf."


class Listening(Scripted):
    """Keeps the grammars it was held to."""

    def __init__(self, answers: Any) -> None:
        super().__init__(answers)
        self.grammars = list[str]()

    async def complete(self, prompt: str, *, grammar: str | None = None, **more: Any) -> Completion:
        self.grammars.append(grammar or "")
        return await super().complete(prompt, grammar=grammar, **more)


def said(world: World, *records: Record, request: str = REQUEST) -> Monologue:
    monologue = Monologue(world.clock)
    for record in (Request(request), world.observe(), *records):
        monologue.append(record)
    return monologue


def planned(world: World, *answers: str, request: str = REQUEST) -> Plan:
    plan = asyncio.run(WholePlan(Scripted(answers), world).plan(said(world, request=request)))
    assert isinstance(plan, Plan)
    return plan


def did(step: Step, ok: bool = True, *, correcting: bool = False) -> list[Record]:
    return [Started(step, correcting), Outcome(step, "completed"), Verdict(step, ok, "plan", why="" if ok else "No.")]


def test_a_plan_is_its_things_and_then_one_step_after_another() -> None:
    plan = planned(ToyWorld(), ", cup, bin.", f" {MOVE}", f" {BIN}", " Done.")
    assert [step.words for step in plan.steps] == [MOVE, BIN]
    assert plan.goal == REQUEST and plan.conditions == ()


def test_every_prompt_goes_on_from_the_one_before() -> None:
    world, model = ToyWorld(), Scripted([", cup, bin.", f" {MOVE}", f" {BIN}", " Done."])
    asyncio.run(WholePlan(model, world).plan(said(world)))
    now = [prompt.rsplit("\n\n", 1)[-1] for prompt in model.prompts]
    assert now[0] == f"Seen: ball, cup, box.\nTask: {REQUEST}\nThings: ball, shelf"
    assert now[1] == f"{now[0]}, cup, bin.\n1." and now[2] == f"{now[1]} {MOVE}\n2." and now[3] == f"{now[2]} {BIN}\n3."
    assert all(prompt.startswith(model.prompts[0]) for prompt in model.prompts)


def test_steps_are_about_the_things_only_and_each_is_said_once() -> None:
    world, model = ToyWorld(), Listening([".", f" {MOVE}", " Done."])
    asyncio.run(WholePlan(model, world).plan(said(world)))
    first, second = map(sayings, model.grammars[1:])
    assert f" {MOVE}\n" in first and f" {MOVE}\n" not in second
    assert " Done.\n" not in first and " Done.\n" in second
    assert not [words for words in (*first, *second) if "cup" in words or "bin" in words]


def test_skills_that_take_numbers_are_planned_with_beside_the_others() -> None:
    board, model = Board(), Listening([" Grasp the piece at (0.1, 0.1).", " Go home.", " Done."])
    plan = asyncio.run(WholePlan(model, board).plan(said(board, request="Take the pawn, the queen and the rook.")))
    assert isinstance(plan, Plan) and [step.skill for step in plan.steps] == ["grasp", "home"]
    for grammar in model.grammars[-3:]:
        assert accepts(grammar, " Grasp the piece at (0.25, 0.5).\n")
    assert accepts(model.grammars[-3], " Go home.\n")
    assert not accepts(model.grammars[-1], " Go home.\n")


@pytest.mark.parametrize("done", [" Done.", " done", "Done"])
def test_done_ends_the_plan_however_it_is_written(done: str) -> None:
    assert len(planned(ToyWorld(), ".", f" {MOVE}", done).steps) == 1


def test_a_plan_without_end_is_cut_off() -> None:
    model = Scripted(lambda prompt: "." if prompt.endswith("shelf") else f" {MOVE}")
    world = ToyWorld()
    plan = asyncio.run(WholePlan(model, world).plan(said(world)))
    assert isinstance(plan, Plan) and len(plan.steps) == MOST_STEPS


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ((".", " Done."), "no steps"),
        ((".", " Fly to the moon."), "none of the robot's skills"),
        ((".", " Move the moon to the shelf."), "There is no object 'moon'"),
    ],
)
def test_what_is_no_plan_is_refused_with_the_reason_and_that_is_told(answers: tuple[str, ...], why: str) -> None:
    world = ToyWorld()
    with pytest.raises(Unparseable, match=why):
        planned(world, *answers)
    model = Scripted([".", f" {MOVE}", " Done."])
    asyncio.run(WholePlan(model, world).plan(said(world, Refusal("planner", "Fly.", "There is no such skill."))))
    assert model.prompts[0].endswith(f"Task: {REQUEST}\nNot usable: There is no such skill.\nThings: ball, shelf")


def test_a_planner_without_a_scene_is_a_mistake_in_the_loop() -> None:
    monologue = Monologue(ToyWorld().clock)
    with pytest.raises(ValueError, match="a request and a scene"):
        asyncio.run(WholePlan(Scripted(), ToyWorld()).plan(monologue))


# The things -----------------------------------------------------------------------------------------------------------


def things(request: str, answer: str) -> tuple[list[str], Listening]:
    model = Listening([answer])
    scene = Observation((), {"object": ("coffee pot", "cup", "lid"), "place": ("coffee table", "shelf")})
    return asyncio.run(choose_things(model, "Things:", request, scene)), model


def test_what_the_task_names_is_there_and_the_model_adds_to_it() -> None:
    found, model = things("Bring the coffeepot to the coffee table.", ", lid, cup.")
    assert found == ["coffee pot", "coffee table", "lid", "cup"]
    assert model.prompts == ["Things: coffee pot, coffee table"]
    assert f"{{0,{MOST_ADDED - 1}}}" in model.grammars[0] and '"coffee pot"' not in model.grammars[0]


def test_where_the_task_names_nothing_the_model_says_all() -> None:
    assert things("Tidy up.", " lid, shelf.")[0] == ["lid", "shelf"]
    assert things("Tidy up.", " I do not know.")[0] == []


def test_where_everything_is_named_the_model_is_not_asked() -> None:
    found, model = things("The coffee pot, cup and lid on the coffee table and the shelf.", "")
    assert len(found) == 5 and model.prompts == []


# After the plan -------------------------------------------------------------------------------------------------------


def test_what_could_not_be_put_right_is_said_and_the_rest_is_done() -> None:
    world = ToyWorld()
    steps = world.step("move", "ball", "shelf"), world.step("move", "cup", "bin"), world.step("move", "box", "bin")
    before = said(world, Plan(REQUEST, (), steps), *did(steps[0]), *did(steps[1], ok=False))
    rest = asyncio.run(WholePlan(Scripted(), world).plan(before))
    assert isinstance(rest, Plan) and rest.steps == steps[2:]
    assert rest.thought == f"I could not put this right: {BIN} (No.) I go on with the rest."
    for record in (rest, *did(steps[2])):
        before.append(record)
    end = asyncio.run(WholePlan(Scripted(), world).plan(before))
    assert isinstance(end, Done) and end.how == "gave up" and BIN in end.because and MOVE not in end.because


def test_a_plan_that_was_carried_out_is_held_against_what_it_was_to_come_to() -> None:
    world = ToyWorld()
    step = world.step("move", "ball", "shelf")
    before = said(world, Plan(REQUEST, (), (step,)), *did(step))
    goal = asyncio.run(WholePlan(Scripted(), world).plan(before))
    assert goal == Plan(REQUEST, (world.condition("ball", "shelf"),), ())
    before.append(goal)
    end = asyncio.run(WholePlan(Scripted(), world).plan(before))
    assert isinstance(end, Done) and end.how == "finished"


def test_a_plan_that_promises_nothing_is_just_done() -> None:
    world = ToyWorld()
    step = world.step("discard", "ball")
    assert isinstance(conclude(world, said(world, Plan(REQUEST, (), (step,)), *did(step)), "over", ()), Done)


def test_of_each_thing_the_last_promise_counts() -> None:
    world = ToyWorld()
    steps = [world.step("move", *values) for values in (("ball", "shelf"), ("cup", "bin"), ("ball", "bin"))]
    assert find_lasting(world, None, steps) == (world.condition("ball", "bin"), world.condition("cup", "bin"))


def test_where_skills_say_what_is_remembered_the_goal_is_what_that_comes_to() -> None:
    board = Board()
    steps = board.step("grasp", 0.1, 0.1), board.step("move", 0.3, 0.3)
    plan = conclude(board, said(board, Plan("Move it.", (), steps), *did(steps[0]), *did(steps[1])), "over", ())
    assert isinstance(plan, Plan)
    assert [condition.words for condition in plan.conditions] == ["Pawn is at (0.3, 0.3)."]


@pytest.mark.parametrize(("slips", "result"), [(0, "goal met"), (1, "failed")])
def test_without_corrections_what_slipped_is_given_up(slips: int, result: str) -> None:
    world = ToyWorld()
    world.slips = slips
    agent = Agent(world, Scripted([", cup, bin.", f" {MOVE}", f" {BIN}", " Done."]), "hicrisp:high=off;low=off")
    end = asyncio.run(agent.run(REQUEST))
    assert end.result == result and world.where["cup"] == "bin"
    assert (MOVE in end.because) == bool(slips)


def test_a_new_request_is_planned_for_anew() -> None:
    world = Knots()
    model = Scripted([".", " Undo the bow.", " Done.", ".", " Undo the loop.", " Done."])
    agent = Agent(world, model, "hicrisp")
    assert asyncio.run(agent.run("Undo the bow.")).result == "goal met"
    assert asyncio.run(agent.run("Undo the loop.")).result == "goal met"
    assert world.open == ["bow", "loop"]


@pytest.mark.parametrize("preset", ["hicrisp", "progprompt"])
def test_a_request_for_a_skill_with_nothing_that_is_here_is_declined_before_any_model_is_asked(preset: str) -> None:
    model = Scripted([])
    agent = Agent(ToyWorld(), model, preset)
    end = asyncio.run(agent.run("Move the moon to the unicorn."))
    assert end.result == "declined"
    assert "There is no object 'moon' here" in end.because and "ball" in end.because


# A trained model ------------------------------------------------------------------------------------------------------


class Trained(Listening):
    """Needs no examples."""

    trained = True


def test_a_trained_model_is_shown_the_scene_and_the_task_and_nothing_else() -> None:
    world, model = ToyWorld(), Trained([".", f" {MOVE}", " Done."])
    asyncio.run(WholePlan(model, world).plan(said(world)))
    lines = model.prompts[0].splitlines()
    assert lines[0] == "Seen: ball, cup, box." and lines[-2:] == [f"Task: {REQUEST}", "Things: ball, shelf"]
    assert len(lines) <= 4 and all(prompt.startswith(model.prompts[0]) for prompt in model.prompts)


def test_of_several_of_a_kind_a_trained_model_gets_the_one_in_view() -> None:
    names = ("lamp", "lamp 2", "lamp 3", "bin", "bin 2")
    scene = Observation(("lamp 2", "bin"), {"thing": names})
    assert one_of_each_kind(names, {*scene.objects}) == {"lamp": "lamp 2", "bin": "bin"}
    model = Trained(["."])
    assert asyncio.run(choose_things(model, "Things:", "Switch the lamp off.", scene)) == ["lamp 2"]
    assert "bin 2" not in model.grammars[0] and "lamp" not in model.grammars[0]
    assert asyncio.run(choose_things(Trained(["."]), "Things:", "Empty bin 2.", scene)) == ["bin 2"]


def test_where_there_are_many_things_a_trained_model_is_told_how_those_of_the_plan_are_alone() -> None:
    world = ToyWorld()
    many = tuple(f"thing {letter}" for letter in "abcdefghijklmnopqrstuvwxyz")
    told_of = Condition("on", {"object": "ball", "below": "box"}, "The ball is on the box.")
    other = Condition("on", {"object": "cup", "below": "box"}, "The cup is on the box.")
    small = Observation(("ball", "cup", "box"), {"object": ("ball", "cup", "box"), "place": ("shelf", "bin")})
    large = replace(small, vocabulary={**small.vocabulary, "object": (*small.objects, *many)})
    state = WorldState(small.objects, (told_of, other), {"ball": {"dirty": True, "round": False}})
    small, large = replace(small, state=state), replace(large, state=state)
    model = Trained([])
    kinds = ", ".join((*small.objects, *many, "shelf", "bin"))
    assert (
        render_view(model, world, large) == f"Here: {kinds}.\n" and render_things(model, ["ball"], world, small) == ""
    )
    everything = "Now: The ball is on the box. The cup is on the box. The ball is dirty.\n"
    assert render_view(model, world, small) == f"Seen: ball, cup, box.\n{everything}"
    assert (
        render_things(model, ["ball", "box"], world, large, "# ")
        == "# Now: The ball is on the box. The ball is dirty.\n"
    )
    assert render_view(Scripted(), world, large) == "Seen: ball, cup, box.\n"
    assert render_things(Scripted(), ["ball"], world, large) == ""

"""The planner of whole plans: the things, then every step with its state; what could not be put right is said."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from boardworld import Board
from knotworld import Knots
from thinkaloud.agent import Agent
from thinkaloud.errors import Unparseable
from thinkaloud.methods.hicrisp.expected_states import IntermediateStates
from thinkaloud.methods.hicrisp.planner import MOST_PLAN_STEPS, NOTHING_NEW, WholePlan
from thinkaloud.models import Completion, Scripted
from thinkaloud.models.gbnf import accepts
from thinkaloud.monologue import Monologue
from thinkaloud.plan.final_conditions import conclude, find_lasting
from thinkaloud.plan.needed_things import MOST_THINGS, choose_things, names_for, render_needed_state, render_view
from thinkaloud.records import (
    Condition,
    Done,
    Ending,
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
THEN, BINNED = f"{MOVE} -> Ball is on the shelf.", f"{BIN} -> Cup is on the bin."
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


def test_a_plan_is_its_things_and_then_one_step_after_another_with_the_state_it_leads_to() -> None:
    plan = planned(ToyWorld(), " ball, shelf, cup, bin.", f" {THEN}", f" {BINNED}", " Done.")
    assert [step.words for step in plan.steps] == [MOVE, BIN]
    assert [step.reason for step in plan.steps] == ["Ball is on the shelf.", "Cup is on the bin."]
    assert plan.goal == REQUEST and plan.conditions == ()


def test_every_prompt_goes_on_from_the_one_before() -> None:
    world, model = ToyWorld(), Scripted([" ball, shelf.", f" {THEN}", f" {BINNED}", " Done."])
    asyncio.run(WholePlan(model, world).plan(said(world)))
    now = [prompt.rsplit("\n\n", 1)[-1] for prompt in model.prompts]
    assert now[0].startswith("Can: ") and ", move" in now[0]
    seen = "Seen: ball, cup, box.\nAlso: shelf, bin, floor.\n"
    assert now[0].partition("\n")[2].startswith(seen) and now[0].endswith(f"Task: {REQUEST}\nThings:")
    assert now[1] == f"{now[0]} ball, shelf.\n1."
    assert now[2] == f"{now[1]} {THEN}\n2." and now[3] == f"{now[2]} {BINNED}\n3."
    assert all(prompt.startswith(model.prompts[0]) for prompt in model.prompts)


def test_a_step_may_be_taken_twice_and_the_end_may_be_said_at_once() -> None:
    world, model = ToyWorld(), Listening([" ball, shelf.", f" {THEN}", f" {THEN}", " Done."])
    plan = asyncio.run(WholePlan(model, world).plan(said(world)))
    assert isinstance(plan, Plan) and [step.words for step in plan.steps] == [MOVE, MOVE]
    for grammar in model.grammars[1:]:
        assert accepts(grammar, f" {THEN}\n") and accepts(grammar, " Done.\n")
        assert accepts(grammar, f" {MOVE} -> {NOTHING_NEW}\n"), "what leaves no trace"
        assert accepts(grammar, f" {MOVE} -> Cup is on the bin. Ball is on the shelf.\n"), "right or wrong"
        assert not accepts(grammar, f" {MOVE}\n") and not accepts(grammar, " Fly to the moon. -> Nothing new.\n")


def test_where_there_is_much_steps_are_about_the_things_that_the_model_listed() -> None:
    many = tuple(f"tangle{number}" for number in range(30))
    model = Listening([" bow, hitch.", " Undo the bow. -> The bow is undone.", " Done."])
    world = Knots(names=("bow", "hitch", *many))
    asyncio.run(WholePlan(model, world).plan(said(world, request="Undo the bow.")))
    assert accepts(model.grammars[0], f" {many[3]}, bow.\n") and accepts(model.grammars[0], " bow, bow.\n")
    assert accepts(model.grammars[1], " Undo the hitch. -> The bow is undone.\n")
    assert not accepts(model.grammars[1], f" Undo the {many[3]}. -> The bow is undone.\n")


def test_several_things_of_a_kind_are_told_apart_by_their_names() -> None:
    model = Scripted([" lamp, lamp 2.", " Undo the lamp. -> The lamp is undone.",
                      " Undo the lamp 2. -> The lamp 2 is undone.", " Done."])  # fmt: skip
    world = Knots(names=("lamp", "lamp 2", "lamp 3"))
    plan = asyncio.run(WholePlan(model, world).plan(said(world, request="Undo two lamps.")))
    assert isinstance(plan, Plan) and [step.arguments["knot"] for step in plan.steps] == ["lamp", "lamp 2"]
    assert model.prompts[1].endswith("Things: lamp, lamp 2.\n1.")


def test_skills_that_take_numbers_are_planned_with_beside_the_others() -> None:
    answers = [" pawn.", " Grasp the piece at (0.1, 0.1). -> Nothing new.", " Go home. -> Nothing new.", " Done."]
    board, model = Board(), Listening(answers)
    plan = asyncio.run(WholePlan(model, board).plan(said(board, request="Take the pawn.")))
    assert isinstance(plan, Plan) and [step.skill for step in plan.steps] == ["grasp", "home"]
    for grammar in model.grammars[1:]:
        assert accepts(grammar, " Grasp the piece at (0.25, 0.5). -> Nothing new.\n")
        assert accepts(grammar, " Go home. -> Nothing new.\n")


@pytest.mark.parametrize("done", [" Done.", " done", "Done"])
def test_done_ends_the_plan_however_it_is_written(done: str) -> None:
    assert len(planned(ToyWorld(), " ball.", f" {THEN}", done).steps) == 1


def test_a_plan_without_end_is_cut_off() -> None:
    model = Scripted(lambda prompt: " ball." if prompt.endswith("Things:") else f" {THEN}")
    world = ToyWorld()
    plan = asyncio.run(WholePlan(model, world).plan(said(world)))
    assert isinstance(plan, Plan) and len(plan.steps) == MOST_PLAN_STEPS


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ((".", " Done."), "no steps"),
        ((".", " Fly to the moon."), "none of the robot's skills"),
        ((".", " Move the moon to the shelf."), "There is no object 'moon'"),
        ((".", f" {MOVE} -> The moon is full."), "nothing that can be checked"),
        ((".", f" {MOVE} -> Moon is on the shelf."), "There is no object 'Moon'"),
    ],
)
def test_what_is_no_plan_is_refused_with_the_reason_and_that_is_told(answers: tuple[str, ...], why: str) -> None:
    world = ToyWorld()
    with pytest.raises(Unparseable, match=why):
        planned(world, *answers)
    model = Scripted([" ball.", f" {THEN}", " Done."])
    asyncio.run(WholePlan(model, world).plan(said(world, Refusal("planner", "Fly.", "There is no such skill."))))
    assert model.prompts[0].endswith(f"Task: {REQUEST}\nNot usable: There is no such skill.\nThings:")


def test_a_planner_without_a_scene_is_a_mistake_in_the_loop() -> None:
    monologue = Monologue(ToyWorld().clock)
    with pytest.raises(ValueError, match="a request and a scene"):
        asyncio.run(WholePlan(Scripted(), ToyWorld()).plan(monologue))


# The things -----------------------------------------------------------------------------------------------------------


def things(answer: str, *names: str) -> tuple[list[str], Listening]:
    model = Listening([answer] * 2)
    scene = Observation((), {"object": names or ("coffee pot", "cup", "lid"), "place": ("coffee table", "shelf")})
    return asyncio.run(choose_things(model, "Things:", scene, "Do it.")), model


def test_the_model_says_what_a_plan_is_about() -> None:
    found, model = things(" lid, coffee table, cup.")
    assert found == ["coffee table", "cup", "lid"] or found == ["lid", "coffee table", "cup"]
    assert model.prompts == ["Things:"] and f"{{0,{MOST_THINGS - 1}}}" in model.grammars[0]
    assert things(" I do not know.")[0] == []


def test_where_there_is_one_thing_the_model_is_not_asked() -> None:
    model = Listening([])
    assert asyncio.run(choose_things(model, "Things:", Observation((), {"object": ("cup",)}), "Do it.")) == ["cup"]


def test_where_none_is_listed_a_plan_may_be_about_anything() -> None:
    scene = Observation((), {"object": tuple(f"thing{number}" for number in range(40))})
    assert names_for(["thing3"], scene) == ["thing3"] and len(names_for([], scene)) == 40


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
    agent = Agent(world, Scripted([" ball, cup.", f" {THEN}", f" {BINNED}", " Done."]), "hicrisp:high=off;low=off")
    end = asyncio.run(agent.run(REQUEST))
    assert end.result == result and world.where["cup"] == "bin"
    assert (f"this did not work: {MOVE}" in end.because) == bool(slips)
    assert ("I understood it as: Move the ball to the shelf. Move the cup to the bin. Done: " in end.because) != bool(
        slips
    )


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


# The states -----------------------------------------------------------------------------------------------------------


def verdict_on(world: ToyWorld, reason: str, ending: Ending = "completed") -> Verdict:
    step = replace(world.step("move", "ball", "shelf"), reason=reason)
    outcome = Outcome(step, ending, "I moved." if ending == "completed" else "It fell.")
    return asyncio.run(IntermediateStates(world).verify(outcome, said(world, Started(step))))


def test_a_step_is_held_against_the_state_that_the_model_stated() -> None:
    world = ToyWorld()
    high = verdict_on(world, "Cup is on the bin.")
    assert (high.ok, high.level, high.expected) == (False, "plan", "Cup is on the bin.")
    assert high.observed.startswith("Not so: Cup is on the bin.") and high.why == "I moved."
    low = verdict_on(world, "Cup is on the bin.", "failed")
    assert (low.ok, low.level, low.why) == (False, "action", "It fell.")
    world.where["cup"] = "bin"
    assert verdict_on(world, "Cup is on the bin.").ok, "what the skill declares is not asked"


@pytest.mark.parametrize("reason", ["", "I like it so."])
def test_where_no_state_was_stated_the_skill_is_taken_at_its_word(reason: str) -> None:
    assert verdict_on(ToyWorld(), reason).ok
    failed = verdict_on(ToyWorld(), reason, "failed")
    assert (failed.ok, failed.level) == (False, "action")


# One prompt for every model -------------------------------------------------------------------------------------------


class Trained(Listening):
    """Needs no introduction."""

    trained = True


def test_a_trained_model_reads_the_same_without_the_introduction() -> None:
    models = [kind([" ball.", f" {THEN}", " Done."]) for kind in (Trained, Listening)]
    for model in models:
        world = ToyWorld()
        asyncio.run(WholePlan(model, world).plan(said(world)))
    trained, other = models
    assert trained.grammars == other.grammars
    for short, long in zip(trained.prompts, other.prompts, strict=True):
        assert long.endswith(f"\n\n{short}") and short.startswith("Can: ") and "\n\n" not in short


def test_what_is_not_in_view_is_told_by_its_kind_and_number() -> None:
    names = ("lamp", "lamp 2", "lamp 3", "bin", "plate", "plate 2")
    scene = Observation(("lamp 2", "bin"), {"thing": names})
    assert render_view(scene, "# ") == "# Seen: lamp 2, bin.\n# Also: plate (2).\n"
    assert render_view(Observation((), {})) == "Seen: nothing.\n"


def test_how_things_are_is_told_of_everything_where_there_is_little_and_else_of_the_things_of_the_plan() -> None:
    told_of = Condition("on", {"object": "ball", "below": "box"}, "The ball is on the box.")
    other = Condition("on", {"object": "cup", "below": "box"}, "The cup is on the box.")
    state = WorldState(("ball", "cup", "box"), (told_of, other), {"ball": {"dirty": True, "round": False}})
    scene = Observation(("ball", "cup", "box"), {"object": ("ball", "cup", "box")}, state=state)
    everything = "Now: The ball is on the box. The cup is on the box. The ball is dirty.\n"
    assert render_needed_state(scene.objects, ToyWorld(), scene) == everything
    assert (
        render_needed_state(["ball", "box"], ToyWorld(), scene) == "Now: The ball is on the box. The ball is dirty.\n"
    )

    small, large = Knots(), Knots(names=("bow", "hitch", *(f"tangle{number}" for number in range(30))))
    prompts = []
    for world in (small, large):
        world.open = ["bow", "hitch"]
        model = Scripted([" bow.", " Undo the bow. -> The bow is undone.", " Done."])
        asyncio.run(WholePlan(model, world).plan(said(world, request="Undo the bow.")))
        prompts.append(model.prompts[1].rsplit("\n\n", 1)[-1])
    both = "Now: The bow is undone. The hitch is undone.\n"
    assert f"{both}Task: Undo the bow.\nThings: bow.\n1." in prompts[0]
    assert prompts[1].endswith("Task: Undo the bow.\nThings: bow.\nNow: The bow is undone.\n1.")

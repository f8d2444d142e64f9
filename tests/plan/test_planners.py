"""The planners: what they read, what they say, and what they refuse. The prompt of a run only ever grows."""

from __future__ import annotations

import asyncio
import random
import re
from itertools import pairwise

import pytest

from thinkaloud.agent import Agent
from thinkaloud.errors import Unparseable
from thinkaloud.loop import Limits
from thinkaloud.methods.inner_monologue.planner import InnerMonologue
from thinkaloud.methods.open_loop.planner import OpenLoop
from thinkaloud.models import Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.plan.transcript import Feedback
from thinkaloud.records import Done, End, Outcome, Plan, Request, Started, Verdict
from toyworld import ToyWorld

FEEDBACKS: tuple[Feedback, ...] = ("object", "object+success", "object+scene")
PROMPTING = ("open_loop", *(f"inner_monologue:feedback={feedback}" for feedback in FEEDBACKS))
MOVE = " Move the ball to the shelf."


def asked(world: ToyWorld) -> Monologue:
    monologue = Monologue(world.clock)
    monologue.append(Request("Put the ball on the shelf."))
    monologue.append(world.observe())
    return monologue


def prompts(preset: str, answers: list[str], *, slips: int = 0) -> list[str]:
    world, model = ToyWorld(), Scripted(answers)
    world.slips = slips
    asyncio.run(Agent(world, model, preset).run("Put the ball on the shelf."))
    return model.prompts


# What a planner says --------------------------------------------------------------------------------------------------


def test_the_goal_is_stated_first_and_then_one_step_at_a_time() -> None:
    world = ToyWorld()
    monologue = asked(world)
    stated = 'Goal state is ["Ball is on the shelf.", "ball is on the shelf."].'
    planner = InnerMonologue(Scripted([f" {stated}", MOVE]), world)
    goal = asyncio.run(planner.plan(monologue))
    assert goal == Plan("Put the ball on the shelf.", (world.condition("ball", "shelf"),), (), verbatim=stated)
    monologue.append(goal)
    step = asyncio.run(planner.plan(monologue))
    assert isinstance(step, Plan)
    assert step.steps == (world.step("move", "ball", "shelf"),)
    assert step.conditions == goal.conditions


def test_later_steps_come_with_a_thought() -> None:
    world = ToyWorld()
    monologue, step = asked(world), world.step("move", "ball", "shelf")
    monologue.append(Plan("", (world.condition("ball", "shelf"),), (step,)))
    monologue.append(Started(step))
    said = " The ball slipped.\nRobot action: Move the ball to the shelf.\nScene: nonsense"
    plan = asyncio.run(InnerMonologue(Scripted([said]), world).plan(monologue))
    assert isinstance(plan, Plan)
    assert plan.thought == plan.steps[0].reason == "The ball slipped."
    assert plan.steps[0].words == "Move the ball to the shelf."


@pytest.mark.parametrize("words", [" Done.", " done", "Done"])
@pytest.mark.parametrize("feedback", ["object", "object+success"])
def test_done_is_a_decision_where_no_scene_feedback_says_so(words: str, feedback: Feedback) -> None:
    world = ToyWorld()
    assert isinstance(asyncio.run(InnerMonologue(Scripted([words]), world, feedback).plan(asked(world))), Done)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (" Move the moon to the shelf.", "moon"),
        (" Fly to the moon.", "none of the robot's skills"),
        ("", "none of the robot's skills"),
        (" import os", "none of the robot's skills"),
    ],
)
def test_words_that_are_no_action_are_refused_with_the_reason(words: str, why: str) -> None:
    world = ToyWorld()
    with pytest.raises(Unparseable, match=why) as caught:
        asyncio.run(InnerMonologue(Scripted([words]), world, "object").plan(asked(world)))
    assert caught.value.words == "Robot action:" + words


@pytest.mark.parametrize("words", ["", " Goal state is [].", ' "Moon is on the shelf."'])
def test_words_that_are_no_goal_are_refused(words: str) -> None:
    world = ToyWorld()
    with pytest.raises(Unparseable):
        asyncio.run(InnerMonologue(Scripted([words]), world).plan(asked(world)))


def test_the_open_loop_plans_everything_at_once_and_then_is_done() -> None:
    world = ToyWorld()
    monologue = asked(world)
    said = " Move the ball to the shelf.\nRobot action: Move the cup to the bin.\nRobot action: Done."
    planner = OpenLoop(Scripted([said]), world)
    plan = asyncio.run(planner.plan(monologue))
    assert isinstance(plan, Plan)
    assert [step.words for step in plan.steps] == ["Move the ball to the shelf.", "Move the cup to the bin."]
    monologue.append(plan)
    assert isinstance(asyncio.run(planner.plan(monologue)), Done)


# How a run ends -------------------------------------------------------------------------------------------------------

REQUEST, GOAL, NONE = "Put the ball on the shelf.", ' Goal state is ["Ball is on the shelf."].', " None."


def ended(*answers: str, slips: int = 0, steps: int = 15) -> tuple[End, int]:
    """How a run with these answers ends, and how many steps were taken."""
    world = ToyWorld()
    world.slips = slips
    agent = Agent(world, Scripted(answers), "inner_monologue", limits=Limits(steps=steps))
    return asyncio.run(agent.run(REQUEST)), len(agent.monologue.in_task(Started))


def test_it_is_over_when_the_planner_says_so_and_not_before() -> None:
    end, taken = ended(GOAL, MOVE, " Why not.\nRobot action: Move the cup to the bin.", NONE)
    assert (end.result, taken) == ("goal met", 2)


def test_a_goal_that_is_met_when_a_limit_is_reached_is_met() -> None:
    assert ended(GOAL, MOVE, steps=1)[0].result == "goal met"
    assert ended(GOAL, MOVE, slips=1, steps=1)[0].result == "limit"


@pytest.mark.parametrize("words", [NONE, " I give up.\nRobot action: Done."])
def test_that_nothing_is_left_is_no_success_while_it_is_known_better(words: str) -> None:
    end, _ = ended(GOAL, MOVE, words, slips=1)
    assert end.result == "failed" and "this is not so: Ball is on the shelf." in end.because


def test_what_is_missing_is_said_and_the_request_declined() -> None:
    end, _ = ended(" There is no teapot here.")
    assert end.result == "declined" and "no teapot" in end.because


# What a planner reads -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PROMPTING)
def test_demonstrations_are_of_the_four_seen_tasks_only(preset: str) -> None:
    prompt = prompts(preset, [MOVE, " Done."])[0]
    shown = prompt.rsplit("\n\n", 1)[0]
    requests = re.findall(r"Human: (.*)", shown)
    assert len(requests) == 4
    unseen = ("matching", "mismatched", "different", "same color", "corners")
    assert not any(word in shown.lower() for word in unseen)
    assert not [request for request in requests if re.match(r"Stack .* on the", request)]


class Trained(Scripted):
    """One that knows the form."""

    trained = True


@pytest.mark.parametrize("preset", PROMPTING)
def test_for_a_trained_model_only_the_demonstrations_are_left_out(preset: str) -> None:
    asked = []
    for kind in (Scripted, Trained):
        world, model = ToyWorld(), kind(Rambling(3, preset))
        world.slips = 1
        asyncio.run(Agent(world, model, preset, limits=Limits(steps=6, refusals=9)).run(REQUEST))
        asked.append(model.prompts)
    for whole, short in zip(*asked, strict=True):
        assert whole.endswith(f"\n\n{short}") and short.startswith("Scene: There is")


def test_the_open_loop_reads_no_feedback() -> None:
    world, model = (
        ToyWorld(),
        Scripted([" Move the ball to the shelf.\nRobot action: Lift the box.\nRobot action: Done."]),
    )
    agent = Agent(world, model, "open_loop")
    asyncio.run(agent.run("Put the ball on the shelf."))
    assert len(model.prompts) == 1
    for word in ("Success", "completed", "no longer", "not possible", "thought"):
        assert word not in model.prompts[0]
    assert agent.monologue.since(None, Verdict) == []


@pytest.mark.parametrize(
    ("feedback", "success", "scene"), [("object", 0, 0), ("object+success", 1, 0), ("object+scene", 0, 1)]
)
def test_each_variant_reads_its_own_feedback_and_no_other(feedback: Feedback, success: int, scene: int) -> None:
    world = ToyWorld()
    monologue, step = asked(world), world.step("move", "ball", "shelf")
    goal = (world.condition("ball", "shelf"),) if scene else ()
    monologue.append(Plan("", goal, (step,)))
    monologue.append(Started(step))
    monologue.append(Outcome(step, "completed", "The ball slipped."))
    monologue.append(Verdict(step, False, "action"))
    model = Scripted([" Hm.\nRobot action: Move the ball to the shelf." if scene else " Move the ball to the shelf."])
    asyncio.run(InnerMonologue(model, world, feedback).plan(monologue))
    prompt = model.prompts[0]
    assert ("Success: no." in prompt.rsplit("\n\n", 1)[1]) == bool(success)
    assert ("Success:" in prompt) == bool(success)
    assert ("completed" in prompt) == bool(scene)
    assert "slipped" not in prompt


class Rambling:
    """A model that answers something fitting, useless or wrong, by the throw of a die."""

    def __init__(self, seed: int, feedback: str) -> None:
        self.die, self.feedback = random.Random(seed), feedback

    def __call__(self, prompt: str) -> str:
        if self.die.random() < 0.2:
            return self.die.choice([" Fly.", "", " Hm.\nRobot action: Sing.", " Move the moon to the shelf."])
        now = prompt.rsplit("\n\n", 1)[-1]
        if now.endswith("thought:") and "Goal state" not in now[now.rindex("Human:") :]:
            return ' Goal state is ["Ball is on the shelf.", "Cup is on the bin."].'
        thing, place = self.die.choice(["ball", "cup", "box"]), self.die.choice(["shelf", "bin", "floor"])
        action = self.die.choice([f" Move the {thing} to the {place}.", f" Lift the {thing}."])
        return f" Let me see.\nRobot action:{action}" if now.endswith("thought:") else action


@pytest.mark.sampled(2)
@pytest.mark.parametrize("feedback", FEEDBACKS)
@pytest.mark.parametrize("seed", range(12))
def test_the_prompt_only_ever_grows(feedback: str, seed: int) -> None:
    world, model, agents = ToyWorld(), Scripted(Rambling(seed, feedback)), list[Agent]()
    world.slips = seed % 3

    def interrupt() -> None:
        if world.ticks in (12, 45):
            agents[0].say("Rather put the cup in the bin.")

    limits = Limits(steps=12, refusals=9)
    agents.append(Agent(world, model, f"inner_monologue:feedback={feedback}", ticking=[interrupt], limits=limits))
    asyncio.run(agents[0].run("Put the ball on the shelf."))
    transcripts = [prompt.removesuffix("Robot thought:").removesuffix("Robot action:") for prompt in model.prompts]
    assert len(transcripts) >= 3
    for before, after in pairwise(transcripts):
        assert after.startswith(before)

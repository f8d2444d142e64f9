"""After a person has spoken, the model may do other things than state a goal: answer, be done, or give a first step."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from thinkaloud.agent import Agent
from thinkaloud.methods.inner_monologue.planner import InnerMonologue
from thinkaloud.models import Completion, Scripted
from thinkaloud.models.gbnf import accepts
from thinkaloud.monologue import Monologue
from thinkaloud.plan.transcript import IDLE, Feedback, Transcript
from thinkaloud.records import Decision, Done, Observation, Plan, Request, Started
from toyworld import ToyWorld

GOAL, OTHER = ' Goal state is ["Ball is on the shelf."].', ' Goal state is ["Cup is on the shelf."].'
MOVE, MOVE_CUP = " Move the ball to the shelf.", " Move the cup to the shelf."


class Held(Scripted):
    """A script whose lines have to be possible under the grammar that they are asked with."""

    async def complete(self, prompt: str, *, grammar: str | None = None, **others: Any) -> Completion:
        said = await super().complete(prompt, grammar=grammar, **others)
        assert grammar is not None
        assert accepts(grammar, said.text) or accepts(grammar, f"{said.text}\n"), said.text
        return said


def reply(words: str, feedback: Feedback = "object+scene") -> Decision:
    world = ToyWorld()
    monologue = Monologue(world.clock)
    monologue.append(Request("Which thing is on the shelf?"))
    monologue.append(world.observe())
    return asyncio.run(InnerMonologue(Held([words]), world, feedback).plan(monologue))


@pytest.mark.parametrize(
    ("words", "feedback", "said"),
    [
        (" The cup and the box are on the floor.\nRobot action: Done.", "object+scene", "The cup and the box are on"),
        (" You're welcome!\nRobot action: Done.", "object+scene", "You're welcome!"),
        (" Auf dem Regal ist nichts.\nRobot action: Done.", "object+scene", "Auf dem Regal"),
        (" There is no block left.\nRobot action: Done.", "object+scene", "There is no block left."),
        (" Good. Green and gray.\nRobot action: Done.", "object+scene", "Good. Green"),
        (" Say: The shelf is empty.", "object+success", "The shelf is empty."),
        (" Say: Gladly.", "object", "Gladly."),
        (" None.", "object+scene", IDLE),
        (" Done.", "object", IDLE),
    ],
)
def test_an_answer_ends_the_request_and_is_what_the_person_is_told(words: str, feedback: Feedback, said: str) -> None:
    decision = reply(words, feedback)
    assert isinstance(decision, Done) and decision.how == "answered"
    assert decision.because.startswith(said)


def test_an_answer_without_a_further_line_is_one_too() -> None:
    world = ToyWorld()
    agent = Agent(world, Scripted([" The shelf is empty."]), "inner_monologue")
    end = asyncio.run(agent.run("What is on the shelf?"))
    assert (end.result, end.because) == ("answered", "The shelf is empty.")
    assert not agent.monologue.since(None, Started)


def test_a_first_thought_may_give_the_reason_for_a_step() -> None:
    plan = reply(f" I have not begun yet.\nRobot action:{MOVE}")
    assert isinstance(plan, Plan)
    assert (plan.thought, plan.conditions, plan.steps[0].words) == ("I have not begun yet.", (), MOVE.strip())


def test_questions_and_thanks_leave_a_transcript_that_only_grows() -> None:
    world = ToyWorld()
    model = Held([GOAL, MOVE, " None.", " The ball is.\nRobot action: Done.", " None.", OTHER, MOVE_CUP, " None."])
    agent = Agent(world, model, "inner_monologue")
    ends = [
        asyncio.run(agent.run(text))
        for text in ("Put the ball on the shelf.", "What is on the shelf?", "Thank you!", "Put the cup there, too.")
    ]
    assert [end.result for end in ends] == ["goal met", "answered", "answered", "goal met"]
    lines = Transcript("object+scene").lines(agent.monologue)
    at = lines.index("Human: What is on the shelf?")
    assert lines[at : at + 4] == [
        "Human: What is on the shelf?",
        "Robot thought: The ball is.",
        "Human: Thank you!",
        "Robot thought: None.",
    ]
    ours = [prompt[prompt.rindex("Scene: There is a ball") :] for prompt in model.prompts]
    whole = "\n".join(lines)
    assert all(whole.startswith(prompt.removesuffix(" thought:").removesuffix(" action:")) for prompt in ours)


def test_an_earlier_goal_may_be_stated_again() -> None:
    world = ToyWorld()
    agent = Agent(world, Held([OTHER, MOVE_CUP, " None.", GOAL, MOVE, " None."]), "inner_monologue")
    asyncio.run(agent.run("Put the cup on the shelf."))
    end = asyncio.run(agent.run("Now finish the previous task."))
    assert end.result == "goal met" and world.where["ball"] == "shelf"


def test_a_later_thought_may_state_the_goal_anew() -> None:
    world = ToyWorld()
    model = Held([GOAL, MOVE, f"{OTHER}\nRobot action:{MOVE_CUP}", " None."])
    agent = Agent(world, model, "inner_monologue")
    world.slips = 1
    end = asyncio.run(agent.run("Put something on the shelf."))
    assert end.result == "goal met"
    assert [condition.words for condition in agent.monologue.goal()] == ["Cup is on the shelf."]
    later = model.prompts[-1].partition(f"Robot thought:{OTHER}\n")[2]
    assert f"Robot action:{MOVE_CUP}\n" in later, "what was thought of the goal, and then done, stays in the prompt"
    seen = agent.monologue.last(Observation)
    assert seen is not None and [condition.words for condition in seen.achieved or ()] == ["Cup is on the shelf."]


@pytest.mark.parametrize("words", ["", "\nRobot action: Done."])
def test_no_words_are_no_answer(words: str) -> None:
    world = ToyWorld()
    agent = Agent(world, Scripted([words] * 3), "inner_monologue")
    assert asyncio.run(agent.run("What is on the shelf?")).result == "limit"

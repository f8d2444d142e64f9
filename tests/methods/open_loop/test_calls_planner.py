"""The open loop in calls: the whole plan at once, as though each step worked."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from thinkaloud import Agent, Scripted
from thinkaloud.models import Completion
from thinkaloud.models.gbnf import accepts
from thinkaloud.records import Observation, Refusal, Started
from thinkaloud.worlds.contract import Briefing
from toyworld import ToyWorld

PLAN = (
    ' robot.move("ball", "shelf")\nSuccessful action: True\n'
    'Robot action: robot.move("cup", "shelf")\nSuccessful action: True\n'
    "Robot action: robot.stop()"
)


class Calling(ToyWorld):
    """The toy world, in which steps are written as calls."""

    briefing = Briefing(calls=True)


class Held(Scripted):
    """A script whose answers have to be possible under the grammar."""

    async def complete(self, prompt: str, *, grammar: str | None = None, **others: Any) -> Completion:
        said = await super().complete(prompt, grammar=grammar, **others)
        assert grammar is not None and accepts(grammar, said.text)
        return said


def test_every_step_is_taken_from_one_answer_and_one_look() -> None:
    world, model = Calling(), Held([PLAN])
    world.slips = 1  # nobody notices
    agent = Agent(world, model, "open_loop")
    assert asyncio.run(agent.run("Tidy up.")).result == "unconfirmed"
    assert [started.step.words for started in agent.monologue.since(None, Started)] == [
        "Move the ball to the shelf.",
        "Move the cup to the shelf.",
    ]
    assert len(model.prompts) == len(agent.monologue.since(None, Observation)) == 1
    assert (world.where["ball"], world.where["cup"]) == ("floor", "shelf")


def test_the_prompt_ends_as_the_listing_does_and_its_examples_tell_of_no_failure() -> None:
    model = Scripted([PLAN])
    asyncio.run(Agent(Calling(), model, "open_loop").run("Tidy up."))
    shown, task, situation = model.prompts[0].rpartition("Task: ")
    assert (task + situation).splitlines() == [
        "Task: Tidy up.",
        'Scene: Visible objects are ["ball", "cup", "box"]',
        "Scene: Occluded objects are []",
        "Robot action:",
    ]
    assert "Successful action: True" in shown and "False" not in shown


@pytest.mark.parametrize("words", ["", " Move the ball.", ' robot.move("moon", "shelf")'])
def test_what_is_no_plan_is_refused_and_asked_for_again(words: str) -> None:
    agent = Agent(Calling(), Scripted([words, PLAN]), "open_loop")
    asyncio.run(agent.run("Tidy up."))
    assert len(agent.monologue.since(None, Refusal)) == 1
    assert len(agent.monologue.since(None, Started)) == 2


def test_words_after_the_stop_are_left_out() -> None:
    agent = Agent(Calling(), Scripted([f"{PLAN}\nSTOP\nTask: another"]), "open_loop")
    asyncio.run(agent.run("Tidy up."))
    assert len(agent.monologue.since(None, Started)) == 2

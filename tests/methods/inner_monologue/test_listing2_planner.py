"""Inner Monologue in the form of Listing 2: what each variant of the feedback is told, and what it says."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from thinkaloud import Agent, Scripted
from thinkaloud.methods import inner_monologue
from thinkaloud.methods.inner_monologue.listing2_planner import CALLS_PART
from thinkaloud.methods.inner_monologue.planner import PROMPTS
from thinkaloud.plan.transcript import Feedback
from thinkaloud.records import Observation, Refusal, Started, WorldState
from thinkaloud.worlds.contract import Briefing
from toyworld import ToyWorld


def _examples(feedback: Feedback) -> str:
    return PROMPTS.open().text(CALLS_PART, (feedback,))


class Calling(ToyWorld):
    """The toy world, in which steps are written as calls; the cup is hidden once the ball is on the shelf."""

    briefing = Briefing(calls=True)

    def observe(self) -> Observation:
        seen = super().observe()
        if self.where["ball"] != "shelf":
            return seen
        objects = tuple(name for name in seen.objects if name != "cup")
        put = self.relations["at"].condition({"thing": "ball", "place": "shelf"})
        return Observation(objects, seen.vocabulary, ("cup",), state=WorldState(seen.objects, (put,)))


def prompts(feedback: Feedback, answers: Sequence[str], slips: int = 1) -> tuple[list[str], Agent]:
    world = Calling()
    world.slips = slips
    model = Scripted(answers)
    agent = Agent(world, model, f"inner_monologue:feedback={feedback}")
    asyncio.run(agent.run("Tidy up."))
    shown = _examples(feedback)
    assert all(asked.startswith(shown) for asked in model.prompts)
    return [asked.removeprefix(shown) for asked in model.prompts], agent


MOVE = ' robot.move("ball", "shelf")'
STOP = " robot.stop()"


def test_both_lists_and_success_are_told_after_each_step() -> None:
    asked, agent = prompts("object+success", [MOVE, MOVE, STOP])
    first, second, third = asked
    assert first.splitlines()[0] == "Task: Tidy up." and first.endswith("Robot action:")
    assert 'Scene: Visible objects are ["' in first and "Scene: Occluded objects are []" in first
    assert second.startswith(first) and "Successful action: False" in second  # it slipped
    assert third.startswith(second)
    assert third.splitlines()[-4:] == [
        'Scene: Visible objects are ["ball", "box"]',
        'Scene: Occluded objects are ["cup"]',
        'Scene: Moved objects are ["ball"]',
        "Robot action:",
    ]
    assert len(agent.monologue.since(None, Started)) == 2


def test_with_object_feedback_alone_nothing_is_told_of_success() -> None:
    asked, _ = prompts("object", [MOVE, STOP], slips=0)
    assert "Successful" not in asked[-1] and 'Occluded objects are ["cup"]' in asked[-1]
    assert "Successful" not in _examples("object") and "Occluded objects" in _examples("object")


def test_with_success_feedback_alone_the_scene_is_told_once() -> None:
    asked, agent = prompts("success", [MOVE, STOP], slips=0)
    assert asked[-1].count("Visible objects") == 1 and "Successful action: True" in asked[-1]
    assert len(agent.monologue.since(None, Observation)) == 1
    for task in _examples("success").split("STOP\n")[:-1]:
        assert task.count("Visible objects") == 1 and "Successful action" in task


@pytest.mark.parametrize("feedback", ["object", "success", "object+success"])
def test_the_examples_have_the_form_of_the_listing(feedback: Feedback) -> None:
    text = _examples(feedback)
    assert text.count("Task:") == text.count("STOP\n") == text.count("robot.stop()") == 5
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if line.startswith("Robot action: robot.pick_place") and feedback != "object":
            assert lines[at + 1].startswith("Successful action")


def test_what_is_no_call_is_refused_with_the_reason_and_asked_for_again() -> None:
    asked, agent = prompts("object+success", [" Pick the ball.", ' robot.move("moon", "shelf")', STOP], slips=0)
    assert len(agent.monologue.since(None, Refusal)) == 2 and not agent.monologue.since(None, Started)
    assert "is no action such as" in asked[1] and "There is no" in asked[2]


def test_nothing_in_the_method_knows_a_category() -> None:
    room = Path(inner_monologue.__file__).parent
    words = " ".join(path.read_text().lower() for path in room.iterdir() if path.suffix in (".py", ".txt"))
    assert not re.findall(r"strawberry|plum|ketchup|mustard|soft drink", words)

"""The mind's own steps move nothing; everything else is for the skills."""

from __future__ import annotations

import asyncio

import pytest

from thinkaloud.episode.ticks import Pace
from thinkaloud.execute.mind_step import SpeakAndNote
from thinkaloud.monologue import Monologue
from thinkaloud.records import Outcome, Step
from thinkaloud.skills.built_in_steps import note, say, update
from toyworld import ToyWorld


class Skills:
    def __init__(self) -> None:
        self.steps: list[Step] = []

    async def execute(self, step: Step, monologue: Monologue, pace: Pace) -> Outcome:
        self.steps.append(step)
        return Outcome(step, "completed", "moved")


def done(step: Step) -> tuple[Outcome, list[Step]]:
    skills = Skills()
    outcome = asyncio.run(SpeakAndNote(skills).execute(step, Monologue(ToyWorld().clock), Pace(hear=lambda: None)))
    return outcome, skills.steps


@pytest.mark.parametrize(
    ("step", "report"), [(say("hello"), "hello"), (note("cup is dirty"), ""), (update("The cup is dirty", "{}"), "")]
)
def test_speaking_and_noting_is_done_at_once(step: Step, report: str) -> None:
    assert done(step) == (Outcome(step, "completed", report), [])


def test_skills_are_left_to_the_world() -> None:
    step = Step("move", {"thing": "ball", "place": "shelf"}, "Move the ball to the shelf.")
    assert done(step) == (Outcome(step, "completed", "moved"), [step])

"""Carry out the mind's own steps: speaking and taking notes. Everything else is a skill of the world."""

from __future__ import annotations

from thinkaloud.episode.ticks import Pace
from thinkaloud.execute import Execute
from thinkaloud.monologue import Monologue
from thinkaloud.records import Outcome, Step
from thinkaloud.skills.built_in_steps import SAY, STEPS


class SpeakAndNote:
    """Speaks and takes notes (the memory handles the content), and leaves skills to another executor."""

    def __init__(self, skills: Execute) -> None:
        self._skills = skills

    async def execute(self, step: Step, monologue: Monologue, pace: Pace) -> Outcome:
        """What was said, or what the skill reported."""
        if step.skill not in STEPS:
            return await self._skills.execute(step, monologue, pace)
        return Outcome(step, "completed", str(step.arguments["text"]) if step.skill == SAY else "")

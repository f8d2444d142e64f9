"""Carrying out the mind's own steps: to speak, and to take note. Everything else is for the world's skills."""

from __future__ import annotations

from thinkaloud.episode.ticks import Pace
from thinkaloud.execute import Execute
from thinkaloud.monologue import Monologue
from thinkaloud.records import Outcome, Step
from thinkaloud.skills.built_in_steps import SAY, STEPS


class SpeakAndNote:
    """Speaks and takes note itself (what is noted is the memory's business), and leaves skills to another."""

    def __init__(self, skills: Execute) -> None:
        self._skills = skills

    async def execute(self, step: Step, monologue: Monologue, pace: Pace) -> Outcome:
        """What was said, or what the skill reported."""
        if step.skill not in STEPS:
            return await self._skills.execute(step, monologue, pace)
        return Outcome(step, "completed", str(step.arguments["text"]) if step.skill == SAY else "")

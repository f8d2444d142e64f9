"""Calling a skill of the world, with everything that can go wrong turned into an outcome in words."""

from __future__ import annotations

from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.monologue import Monologue
from thinkaloud.pace import Interrupted, Pace, pacing
from thinkaloud.records import Observation, Outcome, Step, writable
from thinkaloud.worlds import World


class CallSkill:
    """Checks the arguments against the scene, then calls the skill."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def execute(self, step: Step, monologue: Monologue, pace: Pace) -> Outcome:
        """What the skill reported, or why it could not be done."""
        skill = self._world.skills.get(step.skill)
        if skill is None:
            return Outcome(step, "failed", str(UnknownName("skill", step.skill, self._world.skills)))
        scene = monologue.last(Observation) or self._world.observe()
        try:
            arguments = skill.refuse(step.arguments, scene)
            with pacing(pace):
                report = await skill.run(arguments)
        except Interrupted as interruption:
            return Outcome(step, "interrupted", str(interruption))
        except SkillError as error:
            return Outcome(step, "failed", writable(str(error)))
        except Exception as error:  # a robot builder's own code: whatever it raises is an outcome, not a crash
            return Outcome(step, "failed", writable(f"{step.skill} raised {type(error).__name__}: {error}"))
        return Outcome(step, "completed", writable(report))

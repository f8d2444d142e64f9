"""Calling a skill of the world, with everything that can go wrong turned into an outcome in words."""

from __future__ import annotations

from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.monologue import Monologue
from thinkaloud.pace import Interrupted, Pace, pacing
from thinkaloud.records import Observation, Outcome, Plan, Started, Step, writable
from thinkaloud.state.foresight import nothing_follows
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
        if (gone := self._gone(monologue)) is not None:
            return Outcome(step, "failed", writable(nothing_follows(gone)))
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

    def _gone(self, monologue: Monologue) -> Step | None:
        """The step of the plan at hand after which nothing can be done but to correct that step itself."""
        at, started = monologue.where(Plan), monologue.last(Started)
        if at is None or (started is not None and started.correcting):
            return None
        for outcome in monologue.since(at, Outcome):
            skill = self._world.skills.get(outcome.step.skill)
            if outcome.ending == "completed" and skill is not None and skill.last:
                return outcome.step
        return None

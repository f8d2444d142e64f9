"""Speaking in the middle of the work: a step of thinkaloud itself, distinct from a robot's skill of the same name."""

from __future__ import annotations

from thinkaloud.episode.ticks import Pace
from thinkaloud.errors import describe_fault
from thinkaloud.execute import Execute
from thinkaloud.monologue import Monologue
from thinkaloud.records import Outcome, Step, Verdict
from thinkaloud.saying.telling import NO_HELP
from thinkaloud.skills.built_in_steps import HELP, SAY, say
from thinkaloud.verify import Verify
from thinkaloud.worlds.contract import World
from thinkaloud.worlds.emergencies import call_for_help, can_call_for_help


def is_speech(step: Step, world: World) -> bool:
    """Whether a step is thinkaloud's own message to a person, not a skill of the robot, which may also have `say`."""
    if step.skill != SAY or "text" not in step.arguments:
        return False
    skill = world.skills.get(SAY)
    own = say(str(step.arguments["text"]))
    return step.words == own.words and (skill is None or skill.step(step.arguments).words != own.words)


class Speak:
    """Says messages itself, and leaves skills to another executor."""

    def __init__(self, skills: Execute, world: World) -> None:
        self._skills, self._world = skills, world

    async def execute(self, step: Step, monologue: Monologue, pace: Pace) -> Outcome:
        """Return what was said, or what the skill reported."""
        if is_speech(step, self._world):
            return Outcome(step, "completed", str(step.arguments["text"]))
        if step.skill == HELP:
            return await self._call_for_help(step)
        return await self._skills.execute(step, monologue, pace)

    async def _call_for_help(self, step: Step) -> Outcome:
        """What the builder's hook says; whatever it raises is a failure that the person has to hear of."""
        if not can_call_for_help(self._world):
            return Outcome(step, "failed", NO_HELP)
        try:
            return Outcome(step, "completed", await call_for_help(self._world, str(step.arguments["matter"])))
        except Exception as error:  # a robot builder's own code
            return Outcome(step, "failed", describe_fault(error))


class SpokenIsDone:
    """A message counts as done once it is said; another part checks everything else."""

    def __init__(self, verify: Verify, world: World) -> None:
        self._verify, self._world = verify, world

    async def verify(self, outcome: Outcome, monologue: Monologue) -> Verdict:
        """Return that it worked, or what the other part finds."""
        if is_speech(outcome.step, self._world) or outcome.step.skill == HELP:
            return Verdict(outcome.step, outcome.ending == "completed", "action")
        return await self._verify.verify(outcome, monologue)

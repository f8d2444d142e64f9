"""The simplest correction: try a failed step again, a few times."""

from __future__ import annotations

from thinkaloud.errors import SkillError
from thinkaloud.monologue import Monologue
from thinkaloud.records import Outcome, Started, Step, Verdict
from thinkaloud.worlds.contract import World


class TryAgain:
    """Repeats a step that failed, at most `times` in a row.

    With `failed=False`, only a step that ran without effect: a skill that refused would refuse again. With a `world`,
    only a step that is possible now: not to pick up what is already in the hand, nor what somebody has taken away. A
    step that could not be checked may have worked, and is not repeated.
    """

    def __init__(self, times: int = 2, *, failed: bool = True, world: World | None = None) -> None:
        self._times, self._failed, self._world = times, failed, world

    async def correct(self, verdict: Verdict, monologue: Monologue) -> Step | None:
        """The same step once more, or None when it has worked or has been tried often enough."""
        outcome = monologue.last(Outcome)
        if verdict.ok or verdict.unchecked:
            return None
        if not self._failed and outcome is not None and outcome.ending != "completed":
            return None
        tried = 0
        for started in reversed(monologue.in_task(Started)):
            if started.step != verdict.step or not started.correcting:
                break
            tried += 1
        return verdict.step if tried < self._times and self._can_be_done(verdict.step) else None

    def _can_be_done(self, step: Step) -> bool:
        """Whether no declared precondition prevents it now."""
        skill = None if self._world is None else self._world.skills.get(step.skill)
        if self._world is None or skill is None:
            return True
        try:
            skill.refuse(step.arguments, self._world.observe())
            needs = skill.needs(**step.arguments) if skill.needs is not None else ()
            known = [self._world.relations[name].condition(given) for name, given in needs]
            return all(self._world.holds(each) for each in known)
        except SkillError:
            return False
        except Exception:  # the robot's own code: if it cannot tell, try
            return True

"""The success detector: the effects that a skill declares, held against the world, and its predefined check."""

from __future__ import annotations

from thinkaloud.errors import ThinkaloudError
from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, Outcome, Step, Verdict, writable
from thinkaloud.worlds import World


class DetectSuccess:
    """A step worked if its declared effects hold now and its check finds nothing wrong.

    A skill that declares no effects is taken at its word, as far as the check lets it.
    """

    def __init__(self, world: World) -> None:
        self._world = world

    async def verify(self, outcome: Outcome, monologue: Monologue) -> Verdict:
        """Whether the effects hold and the check is content."""
        step = outcome.step
        try:
            expected = self._effects(step)
            missing = [condition.words for condition in expected if not self._world.holds(condition)]
            problem = self._problem(step)
        except Exception as error:  # things that are not here, or a fault in a robot builder's own code
            fault = "" if isinstance(error, ThinkaloudError) else f"{type(error).__name__}: "
            what = writable(f"Cannot be checked: {fault}{error}")
            return Verdict(step, False, level="action", observed=what, why=outcome.report)
        ok = not problem and (not missing if expected else outcome.ending == "completed")
        return Verdict(
            step,
            ok,
            level="action",
            expected=" ".join(condition.words for condition in expected),
            observed="" if ok else (f"Not so: {' '.join(missing)}" if missing else problem or outcome.ending),
            why="" if ok else problem or outcome.report,
        )

    def _effects(self, step: Step) -> list[Condition]:
        skill = self._world.skills.get(step.skill)
        return [] if skill is None else skill.promises(step.arguments, self._world.relations)

    def _problem(self, step: Step) -> str:
        skill = self._world.skills.get(step.skill)
        if skill is None or skill.check is None:
            return ""
        return writable(str(skill.check(**step.arguments) or ""))

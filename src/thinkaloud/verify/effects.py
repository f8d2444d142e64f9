"""The success detector: the effects that a skill declares, held against the world."""

from __future__ import annotations

from thinkaloud.errors import ThinkaloudError
from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, Outcome, Step, Verdict
from thinkaloud.worlds import World


class DetectSuccess:
    """A step worked if its declared effects hold now; a skill that declares none is taken at its word."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def verify(self, outcome: Outcome, monologue: Monologue) -> Verdict:
        """Whether the effects hold."""
        step = outcome.step
        try:
            expected = self._effects(step)
            missing = [condition.words for condition in expected if not self._world.holds(condition)]
        except (ThinkaloudError, TypeError) as error:  # arguments that the skill does not take, or things not here
            return Verdict(step, False, level="action", observed=f"Cannot be checked: {error}", why=outcome.report)
        ok = not missing if expected else outcome.ending == "completed"
        return Verdict(
            step,
            ok,
            level="action",
            expected=" ".join(condition.words for condition in expected),
            observed="" if ok else (f"Not so: {' '.join(missing)}" if missing else outcome.ending),
            why="" if ok else outcome.report,
        )

    def _effects(self, step: Step) -> list[Condition]:
        skill = self._world.skills.get(step.skill)
        if skill is None or skill.effects is None:
            return []
        named = skill.effects(**step.arguments)
        return [self._world.relations[relation].condition(arguments) for relation, arguments in named]

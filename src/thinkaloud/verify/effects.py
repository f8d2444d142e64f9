"""The success detector: checks a skill's declared effects against the world, and runs its predefined check."""

from __future__ import annotations

from thinkaloud.monologue import Monologue
from thinkaloud.records import Outcome, Verdict
from thinkaloud.verify.effect_check import check_effects
from thinkaloud.worlds import World


class DetectSuccess:
    """A step worked if its declared effects hold now and its check finds nothing wrong.

    For a skill that declares no effects, its report counts, unless the check objects.
    """

    def __init__(self, world: World) -> None:
        self._world = world

    async def verify(self, outcome: Outcome, monologue: Monologue) -> Verdict:
        """Whether the effects hold and the check passes."""
        found = check_effects(self._world, outcome, monologue)
        if isinstance(found, Verdict):
            return found
        expected = " ".join(condition.words for condition in found.expected)
        if found.ok:
            return Verdict(
                outcome.step, True, level="action", expected=expected, doubt=found.doubt, unchecked=found.unchecked
            )
        missing = " ".join(condition.words for condition in found.missing)
        return Verdict(
            outcome.step,
            False,
            level="action",
            expected=expected,
            observed=f"Not so: {missing}" if missing else found.problem or outcome.ending,
            why=found.problem or outcome.report,
            doubt=found.doubt,
        )

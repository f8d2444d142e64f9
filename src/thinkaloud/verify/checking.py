"""What every success detector begins with: the declared effects held against the world, and the predefined check."""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.errors import ThinkaloudError
from thinkaloud.records import Condition, Outcome, Verdict, writable
from thinkaloud.worlds import World


@dataclass(frozen=True)
class Checked:
    """What a step should have brought about, what of it is not so, and what its check finds wrong."""

    outcome: Outcome
    expected: tuple[Condition, ...] = ()
    missing: tuple[Condition, ...] = ()
    problem: str = ""

    @property
    def ok(self) -> bool:
        """Whether the step worked; without effects the skill is taken at its word, unless the check objects."""
        as_expected = not self.missing if self.expected else self.outcome.ending == "completed"
        return not self.problem and as_expected


def check_effects(world: World, outcome: Outcome) -> Checked | Verdict:
    """What is found of a step, or the verdict that it cannot be checked."""
    step, skill = outcome.step, world.skills.get(outcome.step.skill)
    if skill is None:
        return Checked(outcome)
    try:
        expected = tuple(skill.promises(step.arguments, world.relations))
        missing = tuple(condition for condition in expected if not world.holds(condition))
        problem = "" if skill.check is None else writable(str(skill.check(**step.arguments) or ""))
    except Exception as error:  # things that are not here, or a fault in a robot builder's own code
        fault = "" if isinstance(error, ThinkaloudError) else f"{type(error).__name__}: "
        cause = writable(f"Cannot be checked: {fault}{error}")
        return Verdict(step, False, level="action", observed=cause, why=outcome.report)
    return Checked(outcome, expected, missing, problem)

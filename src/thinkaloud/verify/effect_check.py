"""The basis of every success detector: check the declared effects against the world, and run the predefined check."""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.errors import ThinkaloudError
from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, Observation, Outcome, Started, Step, Verdict, writable
from thinkaloud.skills import Skill
from thinkaloud.state.predicted_state import foresee, is_so
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import doubt_of, holds_in


@dataclass(frozen=True)
class Checked:
    """What a step should have achieved, which of that does not hold, and what its check finds wrong."""

    outcome: Outcome
    expected: tuple[Condition, ...] = ()
    missing: tuple[Condition, ...] = ()
    problem: str = ""
    came_about: bool = False
    doubt: str = ""
    unchecked: bool = False
    """Whether the skill declares nothing that could be checked."""

    @property
    def ok(self) -> bool:
        """Whether the step worked. Without effects, the skill's report counts, unless the check objects.

        An interrupted step has no report: it worked if everything that should be known after it holds.
        """
        as_expected = not self.missing if self.expected else self.outcome.ending == "completed" or self.came_about
        return not self.problem and as_expected


def check_effects(
    world: World, outcome: Outcome, monologue: Monologue, stated: tuple[Condition, ...] | None = None
) -> Checked | Verdict:
    """Check a step, or return the verdict that it cannot be checked.

    The step is checked against what its skill declares, or against `stated` conditions instead.
    """
    step, skill = outcome.step, world.skills.get(outcome.step.skill)
    if skill is None:
        return Checked(outcome)
    try:
        expected = tuple(skill.promises(step.arguments, world.relations)) if stated is None else stated
        missing = tuple(condition for condition in expected if not holds_in(world, condition))
        problem = "" if skill.check is None else writable(str(skill.check(**step.arguments) or ""))
        came_about = not expected and outcome.ending == "interrupted" and _came_about(world, skill, step, monologue)
        doubt = doubt_of(world, expected)
    except Exception as error:  # absent things, or an error in the robot's own code
        fault = "" if isinstance(error, ThinkaloudError) else f"{type(error).__name__}: "
        cause = writable(f"Cannot be checked: {fault}{error}")
        return Verdict(step, False, level="action", observed=cause, why=outcome.report, unchecked=True)
    unchecked = not (expected or came_about or skill.check)
    return Checked(outcome, expected, missing, problem, came_about, doubt, unchecked)


def _came_about(world: World, skill: Skill, step: Step, monologue: Monologue) -> bool:
    """Whether the world now matches the state the skill predicts, and did not match it before."""
    started = monologue.where(Started)
    seen = None if started is None else monologue.last(Observation, before=started)
    now = world.observe().state
    if skill.remembers is None or seen is None or seen.state is None or now is None:
        return False
    arguments = skill.signature.check(step.arguments, seen.vocabulary)
    return is_so(foresee(skill, arguments, seen.state, world.relations), seen.state, now, world.relations)

"""What every success detector begins with: the declared effects held against the world, and the predefined check."""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.errors import ThinkaloudError
from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, Observation, Outcome, Started, Step, Verdict, writable
from thinkaloud.skills import Skill
from thinkaloud.state.predicted_state import foresee, is_so
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import doubt_of


@dataclass(frozen=True)
class Checked:
    """What a step should have brought about, what of it is not so, and what its check finds wrong."""

    outcome: Outcome
    expected: tuple[Condition, ...] = ()
    missing: tuple[Condition, ...] = ()
    problem: str = ""
    came_about: bool = False
    doubt: str = ""

    @property
    def ok(self) -> bool:
        """Whether the step worked; without effects the skill is taken at its word, unless the check objects.

        What was cut short has no word to be taken at: it worked if all that would be known after it is so.
        """
        as_expected = not self.missing if self.expected else self.outcome.ending == "completed" or self.came_about
        return not self.problem and as_expected


def check_effects(
    world: World, outcome: Outcome, monologue: Monologue, stated: tuple[Condition, ...] | None = None
) -> Checked | Verdict:
    """What is found of a step, or the verdict that it cannot be checked.

    It is held against what its skill declares, or against what somebody `stated` instead.
    """
    step, skill = outcome.step, world.skills.get(outcome.step.skill)
    if skill is None:
        return Checked(outcome)
    try:
        expected = tuple(skill.promises(step.arguments, world.relations)) if stated is None else stated
        missing = tuple(condition for condition in expected if not world.holds(condition))
        problem = "" if skill.check is None else writable(str(skill.check(**step.arguments) or ""))
        came_about = not expected and outcome.ending == "interrupted" and _came_about(world, skill, step, monologue)
        doubt = doubt_of(world, expected)
    except Exception as error:  # things that are not here, or a fault in a robot builder's own code
        fault = "" if isinstance(error, ThinkaloudError) else f"{type(error).__name__}: "
        cause = writable(f"Cannot be checked: {fault}{error}")
        return Verdict(step, False, level="action", observed=cause, why=outcome.report)
    return Checked(outcome, expected, missing, problem, came_about, doubt)


def _came_about(world: World, skill: Skill, step: Step, monologue: Monologue) -> bool:
    """Whether the world is as the skill says that it is known to be after it, and was not so before."""
    started = monologue.where(Started)
    seen = None if started is None else monologue.last(Observation, before=started)
    now = world.observe().state
    if skill.remembers is None or seen is None or seen.state is None or now is None:
        return False
    arguments = skill.signature.check(step.arguments, seen.vocabulary)
    return is_so(foresee(skill, arguments, seen.state, world.relations), seen.state, now, world.relations)

"""Why an episode failed, read off its monologue: the plan, the control of the robot, or a detector (Fig. 4).

Whether a step really had its effect is told by what was seen right after it; what the detector said is its verdict.

- `detection`: the detector was wrong about a step, and that was never put right: a step that had come to nothing was
  called good and not done again, or one that had worked was called bad and the robot gave up over it.
- `control`: a step came to nothing and was never put right, although the planner tried it again to the end; or the
  planner was not told, since it has no detector.
- `planning`: everything else. What was to be done was not decided upon, or not again after a failure that was told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from thinkaloud.monologue import Monologue
from thinkaloud.records import Observation, Started, Step, Verdict
from thinkaloud.skills import Skill
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Extendable, find_ability
from thinkaloud.worlds.full_world import is_opposite

Cause = Literal["planning", "control", "detection"]
CAUSES: tuple[Cause, ...] = ("planning", "control", "detection")
_TRIED_AGAIN = 2
"""So often in a row, at the end, a step has to have failed to be control's fault though the planner was told."""


@dataclass(frozen=True)
class Attempt:
    """A step that was carried out: whether it had its effect, and what the detector said, if there is one."""

    step: Step
    worked: bool
    called_good: bool | None


def find_cause(monologue: Monologue, world: World) -> Cause:
    """Why an episode failed; only to be asked of one that did."""
    attempts = read_attempts(monologue, world)
    for at, attempt in enumerate(attempts):
        later = attempts[at + 1 :]
        if attempt.worked:
            wrongly_left = attempt.called_good is False and not later
        else:
            wrongly_left = attempt.called_good is True and not _done_later(attempt, later)
        if wrongly_left:
            return "detection"
    failed = [each for at, each in enumerate(attempts) if not each.worked and not _done_later(each, attempts[at + 1 :])]
    if any(each.called_good is None for each in failed):
        return "control"
    last = attempts[-_TRIED_AGAIN:]
    in_vain = len(last) == _TRIED_AGAIN and all(not each.worked and each.step == last[0].step for each in last)
    return "control" if in_vain else "planning"


def _done_later(attempt: Attempt, later: list[Attempt]) -> bool:
    return any(each.worked and each.step == attempt.step for each in later)


def read_attempts(monologue: Monologue, world: World) -> list[Attempt]:
    """The steps that were carried out, in order; those without a declared effect say nothing."""
    begun = [event.index for event in monologue if isinstance(event.record, Started)]
    found = []
    for at, until in zip(begun, (*begun[1:], len(monologue)), strict=False):
        started = monologue[at].record
        assert isinstance(started, Started)
        skill = _skill_called(started.step.skill, world)
        if started.step.skill in STEPS or skill is None:
            continue
        verdict = monologue.last(Verdict, after=at, before=until)
        seen = next((e.record for e in monologue[at:until] if isinstance(e.record, Observation)), None)
        if seen is not None:
            good = None if verdict is None else verdict.ok
            found.append(Attempt(started.step, _had_effect(skill, started.step, seen, world), good))
    return found


def _skill_called(name: str, world: World) -> Skill | None:
    """A skill of the paper's, or one of those that the same motions are called where a person is understood."""
    extendable = find_ability(world, Extendable)
    extended = {} if extendable is None else extendable.extended().skills
    return {**extended, **world.skills}.get(name)


def _had_effect(skill: Skill, step: Step, seen: Observation, world: World) -> bool:
    """Whether what the skill promises was to be seen after it."""
    promised = skill.promises(step.arguments, world.relations)
    so = {condition.words for condition in seen.state.relations} if seen.state is not None else set()
    return all(each.words in so for each in promised if not is_opposite(each.relation))

"""Two levels of failure, after HiCRISP: the primitive itself failed, or it ran and the resulting state is wrong.

Low level (`action`): what the skill reported and what its predefined check finds. High level (`plan`): the state
predicted by the step's declared effects, or planned by the model itself, compared with the observed state. A corrector
reads the difference in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, Observation, Outcome, Started, Step, Verdict, WorldState, writable
from thinkaloud.skills import Skill
from thinkaloud.state.edits import differences
from thinkaloud.state.predicted_state import foresee
from thinkaloud.verify.effect_check import check_effects
from thinkaloud.worlds import World


class TwoLevels:
    """A step worked if its declared effects hold and its check finds nothing wrong, whatever the skill reported.

    Otherwise the verdict names the lowest level that failed. For a skill without declared effects, its report counts,
    unless its check objects. `stated` replaces the declared effects of a step.
    """

    def __init__(self, world: World, stated: Callable[[Step, Monologue], tuple[Condition, ...]] | None = None) -> None:
        self._world, self._stated = world, stated

    async def verify(self, outcome: Outcome, monologue: Monologue) -> Verdict:
        """Whether the step had its effect, and on which level it failed."""
        step, skill = outcome.step, self._world.skills.get(outcome.step.skill)
        if skill is None:
            return Verdict(step, False, "action", why=outcome.report)
        stated = None if self._stated is None else self._stated(step, monologue)
        found = check_effects(self._world, outcome, monologue, stated)
        if isinstance(found, Verdict):
            return found
        expected = _said(found.expected)
        if found.ok:
            return Verdict(step, True, "action", expected=expected, doubt=found.doubt, unchecked=found.unchecked)
        if found.problem or outcome.ending != "completed":
            low = outcome.report or outcome.ending if outcome.ending != "completed" else ""
            return Verdict(step, False, "action", expected=expected, why=_said([low, found.problem]), doubt=found.doubt)
        told = [f"Not so: {condition.words}" for condition in found.missing]
        with suppress(Exception):  # tell as much of the difference as possible
            told += self._instead(found.missing)
            told += [] if self._stated else self._otherwise(skill, step, monologue)
        return Verdict(step, False, "plan", expected, writable(_said(told)), outcome.report, found.doubt)

    def _instead(self, missing: Sequence[Condition]) -> Iterable[str]:
        """What is observed about the same things instead."""
        state = self._world.observe().state or WorldState()
        about = {next(iter(condition.arguments.values()), None) for condition in missing}
        alone = {condition.relation for condition in missing if len(condition.arguments) == 1}
        for relation in state.relations:  # about the robot itself (`at the press`), or about the thing to be moved
            if relation.relation in alone or next(iter(relation.arguments.values()), None) in about:
                yield relation.words

    def _otherwise(self, skill: Skill, step: Step, monologue: Monologue) -> Iterable[str]:
        """If a skill predicts the state after it: how the world differs from that, apart from the declared effects."""
        started = monologue.where(Started)
        at = None if started is None else monologue.where(Observation, before=started)
        before = None if at is None else monologue[at].record
        now = self._world.observe().state
        if skill.remembers is None or not isinstance(before, Observation) or before.state is None or now is None:
            return ()
        predicted = foresee(skill, step.arguments, before.state, self._world.relations)
        return [f"{line}." for line in differences(replace(predicted, facts=now.facts), now)]


def _said(parts: Iterable[Condition | str]) -> str:
    words = (part if isinstance(part, str) else part.words for part in parts)
    return " ".join(dict.fromkeys(filter(None, words)))

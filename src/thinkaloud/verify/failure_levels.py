"""Two levels of failure, after HiCRISP: the primitive itself failed, or it was carried out and the state is not right.

Low level (`action`): what the skill reported and what its predefined check finds. High level (`plan`): the state that
the step's declared effects predict, or that the model itself planned, held against the state that is observed; the
difference, in words, is what a corrector gets to read.
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

    Else the lowest level that failed speaks. A skill that declares no effects is taken at its word, as far as its check
    lets it. With `stated`, what it says of a step stands in place of the declared effects.
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
            return Verdict(step, True, "action", expected=expected, doubt=found.doubt)
        if found.problem or outcome.ending != "completed":
            low = outcome.report or outcome.ending if outcome.ending != "completed" else ""
            return Verdict(step, False, "action", expected=expected, why=_said([low, found.problem]), doubt=found.doubt)
        told = [f"Not so: {condition.words}" for condition in found.missing]
        with suppress(Exception):  # the difference is told as far as it can be
            told += self._instead(found.missing)
            told += [] if self._stated else self._otherwise(skill, step, monologue)
        return Verdict(step, False, "plan", expected, writable(_said(told)), outcome.report, found.doubt)

    def _instead(self, missing: Sequence[Condition]) -> Iterable[str]:
        """What is seen of the same things instead."""
        state = self._world.observe().state or WorldState()
        about = {next(iter(condition.arguments.values()), None) for condition in missing}
        alone = {condition.relation for condition in missing if len(condition.arguments) == 1}
        for relation in state.relations:  # of the robot itself (`at the press`), or of what was to be moved
            if relation.relation in alone or next(iter(relation.arguments.values()), None) in about:
                yield relation.words

    def _otherwise(self, skill: Skill, step: Step, monologue: Monologue) -> Iterable[str]:
        """Where a skill says what is known after it: what is different from that, beyond what it promised."""
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

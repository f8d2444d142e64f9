"""Intermediate states: what should hold after a step, in the model's words, and whether it does (sections III-A and B).

Perception compares the observed state with the one that the model planned. If the primitive worked but the state
differs, the plan failed (high level); if the primitive failed, the action failed (low level). If the model stated
nothing about a step, the skill's own report counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from thinkaloud.errors import Unparseable
from thinkaloud.language.sentences import read_condition
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, Observation, Outcome, Step, Verdict
from thinkaloud.skills import Relation
from thinkaloud.skills.signatures import Vocabulary
from thinkaloud.verify.failure_levels import TwoLevels
from thinkaloud.worlds import World

_SENTENCE = re.compile(r"\S.*?\.(?=\s|$)")


def read_states(text: str, relations: Mapping[str, Relation], vocabulary: Vocabulary) -> tuple[Condition, ...]:
    """Return the conditions that sentences state; Unparseable if one cannot be checked."""
    sentences = _SENTENCE.findall(text) or [text]
    return tuple(read_condition(sentence, relations, vocabulary) for sentence in sentences)


def expected_state_grammar(
    relations: Mapping[str, Relation], vocabulary: Vocabulary, *instead: str, most: int = 1
) -> str:
    """Return the grammar of a state: up to a number of sentences about what can be checked, or an alternative."""
    sentences = [
        each for relation in relations.values() for each in relation.signature.expressions(vocabulary).values()
    ]
    options = [gbnf.literal(words) for words in instead]
    if sentences:
        options.append(gbnf.separated(gbnf.choice(sentences), " ", most=most))
    return gbnf.choice(options)


class IntermediateStates:
    """Compares every step with the state that the model said it would lead to."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._levels = TwoLevels(world, self._stated)

    async def verify(self, outcome: Outcome, monologue: Monologue) -> Verdict:
        """Whether the state is as planned and, if not, on which level the step failed."""
        return await self._levels.verify(outcome, monologue)

    def _stated(self, step: Step, monologue: Monologue) -> tuple[Condition, ...]:
        scene = monologue.last(Observation) or self._world.observe()
        try:
            return read_states(step.reason, self._world.relations, scene.vocabulary) if step.reason else ()
        except Unparseable:  # a reason in other words, from another planner
            return ()

"""Intermediate states: what should be so after a step, as the model wrote it, and whether it is (sections III-A and B).

Perception holds the state that is observed against the one that the model planned. Where the primitive worked and the
state is another, the plan failed (high level); where the primitive itself failed, the action did (low level). A step of
which the model stated nothing is taken at its skill's word.
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
    """The conditions that sentences state; Unparseable for what is nothing that can be checked."""
    sentences = _SENTENCE.findall(text) or [text]
    return tuple(read_condition(sentence, relations, vocabulary) for sentence in sentences)


def expected_state_grammar(
    relations: Mapping[str, Relation], vocabulary: Vocabulary, *instead: str, most: int = 1
) -> str:
    """The grammar of a state: so many sentences about what can be checked, or something to say instead."""
    sentences = [
        each for relation in relations.values() for each in relation.signature.expressions(vocabulary).values()
    ]
    options = [gbnf.literal(words) for words in instead]
    if sentences:
        options.append(gbnf.separated(gbnf.choice(sentences), " ", most=most))
    return gbnf.choice(options)


class IntermediateStates:
    """Holds every step against the state that the model said it would lead to."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._levels = TwoLevels(world, self._stated)

    async def verify(self, outcome: Outcome, monologue: Monologue) -> Verdict:
        """Whether the state is as planned, and if not on which level the step failed."""
        return await self._levels.verify(outcome, monologue)

    def _stated(self, step: Step, monologue: Monologue) -> tuple[Condition, ...]:
        scene = monologue.last(Observation) or self._world.observe()
        try:
            return read_states(step.reason, self._world.relations, scene.vocabulary) if step.reason else ()
        except Unparseable:  # a reason in other words, by another planner
            return ()

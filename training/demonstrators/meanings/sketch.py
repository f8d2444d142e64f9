"""Worlds that are only spoken of: the real ones' skills, relations and measures, over a state that is a few facts.

Nothing moves and no physics runs. A sketch is made once and is given another scene for every sample; the preset sees it
as it sees the world itself, through `FullWorld`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from thinkaloud.clock import Clock, ManualClock
from thinkaloud.records import Condition, Observation, WorldState
from thinkaloud.skills import FactsOfArguments, Measure, Relation, Skill
from thinkaloud.worlds.contract import Briefing, World, briefing_of
from thinkaloud.worlds.full_world import FullWorld

Fact = tuple[str, ...]
"""A relation and what it is about: `("on", "red block", "blue bowl")`."""


class Sketch:
    """A world whose facts are told. `holds` and `read` may be given; else `facts` are all that is so."""

    def __init__(
        self,
        name: str,
        skills: Mapping[str, Skill],
        relations: Mapping[str, Relation],
        measures: Mapping[str, Measure] | None = None,
        briefing: Briefing | None = None,
    ) -> None:
        self.name, self.briefing = name, briefing or Briefing()
        self.clock: Clock = ManualClock()
        self.scene = Observation((), {})
        self.facts: set[Fact] = set()
        self.model: Any = None
        """What answers for the state in place of the facts: it has methods that are called like the relations."""
        self.believe: Callable[[WorldState], None] | None = None
        self.take_in: Callable[[WorldState, str], WorldState] | None = None
        """What is told of what is not seen, where the world takes that in."""
        self.skills: Mapping[str, Skill] = dict(skills)
        # What is so is not shown in prompts: it need not be looked up for them, which takes long (`derived`).
        self.relations: Mapping[str, Relation] = {
            key: replace(each, holds=partial(self._is_so, key), derived=True) for key, each in relations.items()
        }
        self.measures: Mapping[str, Measure] = {
            key: replace(each, read=partial(self._value, key)) for key, each in (measures or {}).items()
        }

    def _is_so(self, relation: str, **arguments: Any) -> bool:
        answers = getattr(self.model, relation, None)
        if answers is not None:
            return bool(answers(**arguments))
        return (relation, *map(str, arguments.values())) in self.facts

    def _value(self, measure: str, **arguments: Any) -> Any:
        return getattr(self.model, measure)(**arguments)

    def observe(self) -> Observation:
        """The scene as it was given."""
        return self.scene

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is so."""
        return self._is_so(condition.relation, **condition.arguments)

    def reset(self, seed: int) -> None:
        """There is one episode only."""

    def snapshot(self) -> bytes:
        """There is nothing to keep."""
        return b""

    def restore(self, snapshot: bytes) -> None:
        """There is nothing to restore."""


def sketch_of(
    world: World,
    *,
    ends: Mapping[str, FactsOfArguments] | None = None,
    effects: Mapping[str, FactsOfArguments] | None = None,
) -> tuple[Sketch, FullWorld]:
    """A sketch of a real world with all that this can do, and the same as the preset sees it.

    What its skills ask of the real state is left out; `ends` gives some of them what they end, `effects` what they do.
    """
    whole = FullWorld(world)
    ending, doing = ends or {}, effects or {}
    extended: Any = whole._world
    skills = {
        name: Skill(each.signature, _nothing, effects=doing.get(name, each.effects), ends=ending.get(name))
        for name, each in extended.skills.items()
    }
    measures = getattr(extended, "measures", None)
    sketch = Sketch(world.name, skills, extended.relations, measures, briefing_of(extended))
    return sketch, FullWorld(sketch)


def _nothing(**arguments: object) -> str:
    return ""

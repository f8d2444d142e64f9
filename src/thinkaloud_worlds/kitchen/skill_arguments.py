"""Builds the declared parts of the kitchen's skills."""

from __future__ import annotations

from typing import Any

from thinkaloud.records import Observation, Value
from thinkaloud_worlds.kitchen.declared_effects import (
    Fact,
    find_effects,
    find_ends,
    find_needs,
    find_objection,
    value_of,
)


def declared_parts(name: str) -> dict[str, Any]:
    """The preconditions, effects, needs, ends and affordance of a skill; `self` is the kitchen, plain or extended."""

    def possible(observation: Observation, **given: Value) -> str | None:
        return find_objection(name, observation, given)

    def effects(**given: Value) -> tuple[Fact, ...]:
        return find_effects(name, given)

    def ends(**given: Value) -> tuple[Fact, ...]:
        return find_ends(name, given)

    def needs(self: Any, **given: Value) -> tuple[Fact, ...]:
        return find_needs(name, given, self.room.known)

    def affordance(self: Any, observation: Observation, **given: Value) -> float:
        return value_of(name, self.room.scene.rates.get(name, 0.0), observation, given)

    parts = {"effects": effects, "ends": ends, "needs": needs, "affordance": affordance}
    return {"preconditions": (possible,), **parts}

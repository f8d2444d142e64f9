"""Facts as they are written in a file of requests: `wet(fern)`, `not on(red block, blue bowl)`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.records import Condition, Value
from thinkaloud.skills import Relation

_CALL = re.compile(r"\s*(\w+)\s*\((.*)\)\s*", re.DOTALL)
_NOT = re.compile(r"\s*not\s+(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Fact:
    """A relation and what it is about; `true` is whether it is to hold or not to hold."""

    relation: str
    things: tuple[str, ...] = ()
    true: bool = True

    def __str__(self) -> str:
        """As it is written in a file."""
        return f"{'' if self.true else 'not '}{self.relation}({', '.join(self.things)})"


def read_fact(text: str) -> Fact:
    """A fact; BadInput for what is none."""
    negated = _NOT.fullmatch(text)
    name, things = split_call(negated[1] if negated else text)
    return Fact(name, things, negated is None)


def split_call(text: str) -> tuple[str, tuple[str, ...]]:
    """The name before the brackets, and what stands between the commas; BadInput where there are no brackets."""
    call = _CALL.fullmatch(text)
    if call is None:
        raise BadInput(f"{text!r} is not written as relation(thing, thing)")
    return call[1], tuple(part.strip().strip("\"'") for part in call[2].split(",")) if call[2].strip() else ()


def condition_of(fact: Fact, relations: Mapping[str, Relation]) -> Condition:
    """What is asked of the world; BadInput where it has no such relation, or it takes other things."""
    if fact.relation not in relations:
        raise UnknownName("relation", fact.relation, relations)
    relation = relations[fact.relation]
    parameters = relation.signature.parameters
    if len(parameters) != len(fact.things):
        raise BadInput(f"{fact.relation} takes {len(parameters)} things, not {len(fact.things)}")
    values: dict[str, Value] = {}
    for parameter, thing in zip(parameters, fact.things, strict=True):
        values[parameter.name] = _number(thing) if parameter.type in (int, float) else thing
    return relation.condition(values)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadInput(f"{text!r} has to be a number") from None

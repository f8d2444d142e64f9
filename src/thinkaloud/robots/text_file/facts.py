"""Facts as a robot's file writes them: `wet(fern)`, and `wet({plant})` in a skill whose parameter is the plant."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from thinkaloud.records import Arguments, Value
from thinkaloud.skills.signatures import Signature, capitalised

GroundFact = tuple[str, tuple[Value, ...]]
"""A relation and its arguments."""
_VERB = re.compile(r"(?<![\w{'-])(is|are|was|were|can|will|must|has been|have been|has|have)\b(?![^{}]*\})")
_DENIED = {
    "can": "cannot",
    "has": "does not have",
    "have": "do not have",
    "has been": "has not been",
    "have been": "have not been",
}


def spell_value(value: Value) -> str:
    """A value as a file writes it: 30 for 30.0."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def spell_fact(atom: GroundFact) -> str:
    """A fact as a file writes it: `on(cup, left shelf)`."""
    relation, values = atom
    return f"{relation}({', '.join(map(spell_value, values))})"


@dataclass(frozen=True, slots=True)
class ParameterSlot:
    """Stands for a thing: the value of this parameter in the call."""

    parameter: str


@dataclass(frozen=True, slots=True)
class Anything:
    """Stands for every thing that fits: `near({robot}, *)`."""


@dataclass(frozen=True, slots=True)
class FactPattern:
    """A fact about things and parameters of a skill; `negated` if it must not hold."""

    relation: str
    terms: tuple[Value | ParameterSlot | Anything, ...]
    negated: bool = False

    def filled(self, arguments: Arguments) -> GroundFact:
        """The fact for a call of the skill; not for a pattern with `*`."""
        found = [arguments[t.parameter] if isinstance(t, ParameterSlot) else t for t in self.terms]
        return self.relation, tuple(each for each in found if not isinstance(each, Anything))

    def fits(self, fact: GroundFact, arguments: Arguments) -> bool:
        """Whether a fact is one that this pattern stands for."""
        if fact[0] != self.relation:
            return False
        wanted = (arguments[t.parameter] if isinstance(t, ParameterSlot) else t for t in self.terms)
        return all(isinstance(t, Anything) or t == value for t, value in zip(wanted, fact[1], strict=True))

    @property
    def is_open(self) -> bool:
        """Whether it stands for every fact that fits."""
        return any(isinstance(term, Anything) for term in self.terms)


@dataclass(frozen=True, slots=True)
class DeclaredFacts:
    """What a skill needs, makes or ends: the same for every call, or by the value of the choice `by`."""

    by: str = ""
    patterns: Mapping[str, tuple[FactPattern, ...]] = field(default_factory=dict)
    """By the value of the choice; under the empty text for every call."""

    def __bool__(self) -> bool:
        return any(self.patterns.values())

    def of(self, arguments: Arguments) -> tuple[FactPattern, ...]:
        """The patterns for a call."""
        return self.patterns.get(str(arguments[self.by]) if self.by else "", ())

    def filled(self, arguments: Arguments) -> tuple[GroundFact, ...]:
        """The facts for a call."""
        return tuple(pattern.filled(arguments) for pattern in self.of(arguments))


@dataclass(frozen=True, slots=True)
class ValuePattern:
    """A value of things and parameters of a skill: `level({cup})`."""

    name: str
    terms: tuple[Value | ParameterSlot, ...]

    def filled(self, arguments: Arguments) -> GroundFact:
        """The value for a call of the skill."""
        return self.name, tuple(arguments[t.parameter] if isinstance(t, ParameterSlot) else t for t in self.terms)


@dataclass(frozen=True, slots=True)
class ValueChange:
    """How a skill changes a value: `level({cup}) += {amount}`; `sign` is `=`, `+=` or `-=`."""

    value: ValuePattern
    sign: str
    by: Value | ParameterSlot | ValuePattern

    def after(self, arguments: Arguments, values: Mapping[GroundFact, Value]) -> tuple[GroundFact, Value | None]:
        """The value that changes, and what it is then; None if that cannot be known."""
        atom = self.value.filled(arguments)
        by: Value | None
        if isinstance(self.by, ValuePattern):
            by = values.get(self.by.filled(arguments))
        else:
            by = arguments[self.by.parameter] if isinstance(self.by, ParameterSlot) else self.by
        before = values.get(atom)
        if self.sign == "=":
            return atom, by
        if not isinstance(by, int | float) or not isinstance(before, int | float):
            return atom, None
        return atom, plain_number(before + by if self.sign == "+=" else before - by)


@dataclass(frozen=True, slots=True)
class DeclaredChanges:
    """How a skill changes values: the same for every call, or by the value of the choice `by`."""

    by: str = ""
    changes: Mapping[str, tuple[ValueChange, ...]] = field(default_factory=dict)
    """By the value of the choice; under the empty text for every call."""

    def __bool__(self) -> bool:
        return any(self.changes.values())

    def of(self, arguments: Arguments) -> tuple[ValueChange, ...]:
        """The changes for a call."""
        return self.changes.get(str(arguments[self.by]) if self.by else "", ())

    def after(self, arguments: Arguments, values: Mapping[GroundFact, Value]) -> dict[GroundFact, Value]:
        """The values after a call; one that cannot be known is left out."""
        found = dict(values)
        for change in self.of(arguments):
            atom, value = change.after(arguments, found)
            found.pop(atom, None)
            found |= {} if value is None else {atom: value}
        return found


def plain_number(number: float) -> int | float:
    """A number without the error of its last digits: 0.3 for 0.1 + 0.2, and 30 for 30.0."""
    rounded = round(number, 9)
    return int(rounded) if float(rounded).is_integer() else rounded


def deny(signature: Signature, arguments: Arguments) -> str:
    """The sentence that a fact does not hold: `The watering can is not filled.` for `{tool} is filled.`"""
    said, told = signature.says, {name: spell_value(value) for name, value in arguments.items()}
    if begins := re.match(r"\{(\w+)\}", said):
        name = told.get(begins[1], "")
        of_a_kind = any(p.name == begins[1] and p.kind is not None for p in signature.parameters)
        if of_a_kind and name[:1].islower() and not name.startswith(("the ", "a ", "an ")):
            said = f"The {said}"
    verb = _VERB.search(said)
    if verb is None:
        return f"This is not so: {signature.render(told)}"
    denied = _DENIED.get(verb[1], f"{verb[1]} not")
    return capitalised(f"{said[: verb.start()]}{denied}{said[verb.end() :]}".format_map(told))

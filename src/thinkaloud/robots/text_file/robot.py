"""A robot as a file describes it, read and checked."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from thinkaloud.language.name_matching import all_names
from thinkaloud.records import Value
from thinkaloud.robots.text_file.facts import DeclaredFacts, GroundFact
from thinkaloud.skills.signatures import Parameter, Signature, Vocabulary

NO_FACTS = DeclaredFacts()


@dataclass(frozen=True)
class NumberParameter(Parameter):
    """A number, whole or not: 180 stays 180, so that it is said as people say it."""

    def read(self, text: str, vocabulary: Vocabulary) -> Value:
        """The number; an int where it is whole."""
        value = Parameter.read(self, text, vocabulary)
        return int(value) if isinstance(value, float) and value.is_integer() else value


@dataclass(frozen=True)
class RobotSkill:
    """A skill: how it is called, what it needs, makes and ends, and what nobody declared about it."""

    signature: Signature
    needs: DeclaredFacts = NO_FACTS
    makes: DeclaredFacts = NO_FACTS
    ends: DeclaredFacts = NO_FACTS
    hidden: DeclaredFacts = NO_FACTS
    """What has to hold besides, which no planner is told."""
    hidden_says: str = ""
    """The words with which it fails where that does not hold."""


@dataclass(frozen=True)
class RobotRelation:
    """A relation; `single`: of its last parameter one value at a time, so that a thing is in one place only."""

    signature: Signature
    single: bool = False


@dataclass(frozen=True)
class RobotFile:
    """A robot in a text file: what there is, what it can do, what can be true, and what is so at the start."""

    name: str
    about: str
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    skills: Mapping[str, RobotSkill] = field(default_factory=dict)
    relations: Mapping[str, RobotRelation] = field(default_factory=dict)
    values: Mapping[str, Signature] = field(default_factory=dict)
    facts: tuple[GroundFact, ...] = ()
    """What is true at the start."""
    measured: Mapping[GroundFact, Value] = field(default_factory=dict)
    """What can be read off things."""
    source: str = field(default="", compare=False)

    @property
    def things(self) -> tuple[str, ...]:
        """The names of everything, once each."""
        return tuple(all_names(self.kinds))

    @property
    def digest(self) -> str:
        """What tells this robot from any other, also from one of the same name."""
        parts = (self.name, self.about, self.kinds, self.skills, self.relations, self.values, self.facts, self.measured)
        return hashlib.sha256(repr(parts).encode("utf-8", "replace")).hexdigest()[:16]

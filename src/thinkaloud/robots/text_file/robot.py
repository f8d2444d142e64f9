"""A robot as a file describes it, read and checked."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from thinkaloud.language.name_matching import all_names
from thinkaloud.records import Value
from thinkaloud.robots.text_file.facts import DeclaredChanges, DeclaredFacts, GroundFact
from thinkaloud.skills.signatures import Parameter, Signature, Vocabulary

NO_FACTS = DeclaredFacts()
NO_CHANGES = DeclaredChanges()


@dataclass(frozen=True)
class NumberParameter(Parameter):
    """A number, whole or not: 180 stays 180, as people say it."""

    def read(self, text: str, vocabulary: Vocabulary) -> Value:
        """The number; an int where it is whole."""
        value = Parameter.read(self, text, vocabulary)
        return int(value) if isinstance(value, float) and value.is_integer() else value


@dataclass(frozen=True)
class RobotSkill:
    """A skill: how it is called, what it needs, makes and ends, and its hidden requirements."""

    signature: Signature
    needs: DeclaredFacts = NO_FACTS
    makes: DeclaredFacts = NO_FACTS
    ends: DeclaredFacts = NO_FACTS
    hidden: DeclaredFacts = NO_FACTS
    """What must also hold, without the planner being told."""
    hidden_says: str = ""
    """What it reports when it fails because of that."""
    changes: DeclaredChanges = NO_CHANGES
    """How it changes values."""
    asked_by: tuple[str, ...] = field(default=(), repr=False)  # not part of the digest: it says nothing about states
    """The roles or names of those who may ask for it; empty if anybody may."""
    approval: bool = field(default=False, repr=False)
    """Whether a person must agree to each call."""
    approvers: tuple[str, ...] = field(default=(), repr=False)
    """The roles or names of those who may agree; empty if anybody may."""
    costs: Mapping[str, float] = field(default_factory=dict, repr=False)
    """How much it uses of each budget."""
    repeat: bool = field(default=True, repr=False)
    """Whether the robot may do the same once more on its own, if it seems not to have worked."""


@dataclass(frozen=True)
class RobotRelation:
    """A relation; `single`: its last parameter has one value at a time, so that a thing is in one place only."""

    signature: Signature
    single: bool = False


@dataclass(frozen=True)
class RobotView:
    """How the robot is drawn: places on a plan, in metres from its lower left corner, perhaps over a picture."""

    size: tuple[float, float]
    places: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """x and y of the middle of a thing; of a room also its width and height."""
    robot: str = ""
    """The relation that says where the robot is."""
    picture: str = ""
    """A file beside the robot's."""


@dataclass(frozen=True)
class RobotFile:
    """A robot in a text file: its things, skills and relations, and what is true at the start."""

    name: str
    about: str
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    skills: Mapping[str, RobotSkill] = field(default_factory=dict)
    relations: Mapping[str, RobotRelation] = field(default_factory=dict)
    values: Mapping[str, Signature] = field(default_factory=dict)
    facts: tuple[GroundFact, ...] = ()
    """What is true at the start."""
    measured: Mapping[GroundFact, Value] = field(default_factory=dict)
    """The values of things."""
    source: str = field(default="", compare=False)
    never: tuple[str, ...] = ()
    """What must never be so."""
    people: tuple[str, ...] = ()
    """The kinds that are people."""
    budget: Mapping[str, float | str] = field(default_factory=dict)
    """How much a request may use of what skills cost."""
    emergency: str = ""
    """The skill that calls for help, if there is one."""
    view: RobotView | None = field(default=None, compare=False)

    @property
    def things(self) -> tuple[str, ...]:
        """The names of everything, once each."""
        return tuple(all_names(self.kinds))

    @cached_property
    def digest(self) -> str:
        """Identifies this robot, even among robots of the same name; who may ask for what makes no difference."""
        parts = (self.name, self.about, self.kinds, self.skills, self.relations, self.values, self.facts, self.measured)
        guarded = (self.never, self.people, self.budget)
        known = (*parts, guarded) if any(guarded) else parts
        return hashlib.sha256(repr(known).encode("utf-8", "replace")).hexdigest()[:16]

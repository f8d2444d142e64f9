"""Facts in a search: a relation and its values, true or false."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from thinkaloud.records import Arguments, Condition, Observation, Value
from thinkaloud.skills import FactsOfArguments, Relation
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import tell
from thinkaloud.worlds.full_world import negated
from thinkaloud.worlds.invariants import Invariant, invariants_of

NOT = "not "
"""A relation whose name is this plus another's name is the opposite of that other one."""


class Halted(Exception):
    """The result of the search is no longer wanted."""


class Atom(NamedTuple):
    """A relation and its values, in the order of its parameters; None stands for any value."""

    relation: str
    values: tuple[Value | None, ...]

    @property
    def is_open(self) -> bool:
        """Whether it stands for several atoms."""
        return None in self.values

    @property
    def of_any_last(self) -> Atom:
        """The same relation with any last value: what ends when a single relation gets a new value."""
        return Atom(self.relation, (*self.values[:-1], None))

    def covers(self, other: Atom) -> bool:
        """Whether the other atom is this one, or one that this one stands for."""
        return self.relation == other.relation and all(
            mine is None or mine == theirs for mine, theirs in zip(self.values, other.values, strict=True)
        )


class Literal(NamedTuple):
    """An atom that is true, or one that is false."""

    atom: Atom
    so: bool = True


@dataclass
class Setting:
    """Where a search starts: the world, the scene as seen or remembered, and what is known to be true in it."""

    world: World
    scene: Observation
    holds: Callable[[Condition], bool] | None = None
    halted: Callable[[], bool] = lambda: False

    def __post_init__(self) -> None:
        self.relations: Mapping[str, Relation] = self.world.relations
        self._known: dict[Atom, bool | None] = {}
        for condition in () if self.scene.state is None else self.scene.state.relations:
            for literal in self.read(condition.relation, condition.arguments):
                self._known[literal.atom] = literal.so
        if self.scene.state is not None:  # facts that follow from positions are not carried along
            told = self.scene.state.relations
            rest = tuple(each for each in told if not self._is_derived(each.relation))
            self.scene = replace(self.scene, state=replace(self.scene.state, relations=rest))

    @cached_property
    def never(self) -> list[tuple[tuple[Literal, ...], Invariant]]:
        """What must never be so."""
        found = invariants_of(self.world, self.scene.vocabulary)
        return [(tuple(Literal(Atom(f.relation, f.values), f.so) for f in each.facts), each) for each in found]

    def go_on(self) -> None:
        """Called regularly during long work; raises Halted if it should end."""
        if self.halted():
            raise Halted

    def _is_derived(self, relation: str) -> bool:
        return relation in self.relations and self.relations[relation].derived

    def read(self, relation: str, arguments: Arguments) -> Iterator[Literal]:
        """Return the literal for a declared fact; None for a relation that does not exist here."""
        so = not (relation.startswith(NOT) and relation.removeprefix(NOT) in self.relations)
        name = relation if so else relation.removeprefix(NOT)
        if name in self.relations:
            parameters = self.relations[name].signature.parameters
            yield Literal(Atom(name, tuple(arguments.get(p.name, p.default) for p in parameters)), so)

    def read_facts(self, facts: FactsOfArguments | None, arguments: Arguments) -> list[Literal]:
        """Return what a skill declares for these arguments, as far as it can tell."""
        try:
            declared = facts(**arguments) if facts is not None else ()
            return [literal for relation, given in declared for literal in self.read(relation, given)]
        except Exception:  # a robot builder's own code: if it fails, nothing is declared
            return []

    def read_wish(self, condition: Condition) -> Literal | None:
        """Return the literal for a goal; None for a relation that does not exist here."""
        return next(self.read(condition.relation, condition.arguments), None)

    def is_single(self, relation: str) -> bool:
        """Whether the last value of this relation is the only one for the given others."""
        return self.relations[relation].is_single

    def is_so(self, atom: Atom) -> bool | None:
        """Whether it is true at the start: as remembered, or else according to the world; None if that cannot be told.

        What cannot be told is neither so nor not so: no step relies on it.
        """
        if atom not in self._known:
            condition = self.condition(Literal(atom))
            self._known[atom] = self.holds(condition) if self.holds is not None else tell(self.world, condition)
        return self._known[atom]

    def spread(self, literal: Literal) -> Iterator[Literal]:
        """Return everything that an open literal stands for."""
        if not literal.atom.is_open:
            yield literal
            return
        parameters = self.relations[literal.atom.relation].signature.parameters
        place = literal.atom.values.index(None)
        for option in parameters[place].options(self.scene.vocabulary) or ():
            value = parameters[place].value(option)
            if value not in literal.atom.values:
                values = (*literal.atom.values[:place], value, *literal.atom.values[place + 1 :])
                yield from self.spread(Literal(Atom(literal.atom.relation, values), literal.so))

    # In words ---------------------------------------------------------------------------------------------------------

    def condition(self, literal: Literal) -> Condition:
        """Return the literal as a condition of the world."""
        relation = self.relations[literal.atom.relation]
        names = (p.name for p in relation.signature.parameters)
        arguments = {name: value for name, value in zip(names, literal.atom.values, strict=True) if value is not None}
        if literal.so:
            return relation.condition(arguments)
        opposite = self.relations.get(NOT + literal.atom.relation)
        if opposite is not None:
            return opposite.condition(arguments)
        return Condition(NOT + literal.atom.relation, arguments, self._denied(relation, arguments))

    @staticmethod
    def _denied(relation: Relation, arguments: Arguments) -> str:
        """Before the names are inserted, so that they are not changed."""
        return replace(relation.signature, says=negated(relation.signature.says)).render(arguments)

    def denial(self, literal: Literal) -> str:
        """Return the sentence that says the literal does not hold."""
        positive = self.condition(Literal(literal.atom))
        return self._denied(self.relations[literal.atom.relation], positive.arguments) if literal.so else positive.words

"""What must never be so: facts that may not hold together, as a robot's builder declares them.

    never = ["locked(garden door) and inside(resident, garden)", "has(resident, pill) and not may_take(resident, pill)"]

A name is a thing, or a kind, which stands for each of its things. A kind that is named twice is the same thing both
times; `other resident` is another one. `person` stands for everybody of the kinds that `people` lists.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from thinkaloud.errors import BadInput, SkillError, UnknownName
from thinkaloud.language.clauses import as_clause
from thinkaloud.language.words import in_a_row
from thinkaloud.records import Condition, Value
from thinkaloud.skills.signatures import Parameter, Signature, Vocabulary, capitalised
from thinkaloud.worlds.contract import CANNOT_TELL, Guarded, World, find_ability, tell
from thinkaloud.worlds.full_world import negated
from thinkaloud.worlds.people import PERSON, kinds_of_people, people_in

_FACT = re.compile(r"\s*(not\s+)?([^\W\d]\w*)\s*\(([^()]*)\)\s*(and\b|$)")
_OTHER = "other "


class Fact(NamedTuple):
    """A relation and its values, in the order of its parameters; `so` if it holds."""

    relation: str
    values: tuple[Value, ...]
    so: bool = True


Holds = Callable[[Fact], bool | None]
"""Whether a fact holds; None if that cannot be told."""


@dataclass(frozen=True)
class Invariant:
    """Facts about certain things that must never hold together, and the relations that they are about."""

    facts: tuple[Fact, ...]
    relations: tuple[Signature, ...] = field(compare=False, repr=False)

    @property
    def words(self) -> str:
        """What it says, as a part of a sentence: `the garden is locked and Ada is in the garden`."""
        return in_a_row([*map(_tell, self.facts, self.relations)])

    def is_broken(self, holds: Holds) -> bool:
        """Whether all its facts hold, or may hold: nothing is risked on what cannot be told."""
        return all(holds(each) is not False for each in self.facts)

    def tell_untold(self, holds: Holds) -> list[str]:
        """Its facts of which nobody can tell whether they hold, in words."""
        pairs = zip(self.facts, self.relations, strict=True)
        return [_tell(fact, relation) for fact, relation in pairs if holds(fact) is None]


class _Kind(NamedTuple):
    """Stands for each thing of a kind; the same name is the same thing."""

    name: str
    things: tuple[str, ...]


_Pattern = tuple[Signature, tuple[Value | _Kind, ...], bool]


def invariants_of(world: World, vocabulary: Vocabulary, *, known: bool = False) -> tuple[Invariant, ...]:
    """All that must never be so among the things that are here now; with `known`, unknown names are refused."""
    guarded = find_ability(world, Guarded)
    texts = () if guarded is None else guarded.never
    signatures = {name: each.signature for name, each in world.relations.items()} if texts else {}
    people = people_in(world, vocabulary) if texts else ()
    return tuple(each for text in texts for each in read_invariant(text, signatures, vocabulary, people, known=known))


def read_invariant(
    text: str,
    relations: Mapping[str, Signature],
    vocabulary: Vocabulary,
    people: Collection[str] = (),
    *,
    known: bool = False,
) -> list[Invariant]:
    """What one line of `never` says of the things here; raises BadInput if it cannot be read.

    With `known`, a name that is neither a thing nor a kind here is refused; otherwise that thing is just not here now.
    """
    words = _Words(text, vocabulary, people, known)
    patterns = [words.pattern(relations, *each) for each in _split(text)]
    kinds = dict.fromkeys(term for _, terms, _ in patterns for term in terms if isinstance(term, _Kind))
    return [_filled(patterns, dict(zip(kinds, each, strict=True))) for each in _choices([*kinds])]


def refuse_unreadable(world: World, vocabulary: Vocabulary) -> None:
    """Raise BadInput if `never` names a relation, a thing or a kind that does not exist, or `people` no such kind."""
    guarded = find_ability(world, Guarded)
    for name, listed in (("people", kinds_of_people(world)), ("never", () if guarded is None else guarded.never)):
        if isinstance(listed, str):
            raise BadInput(
                f"{name}: {listed!r} is one text, not a tuple of them. Write a comma behind it: ({listed!r},)"
            )
    for kind in kinds_of_people(world):
        if kind not in vocabulary:
            raise BadInput(f"people: {UnknownName('kind', kind, vocabulary)}")
    invariants_of(world, vocabulary, known=True)


def find_broken(world: World, never: Iterable[Invariant]) -> frozenset[Invariant]:
    """All that is so now and must never be."""
    holds = read_facts(world)
    return frozenset(each for each in never if each.is_broken(holds))


def tell_never(broken: Iterable[Invariant]) -> str:
    """Say what must never be so: each in a sentence; empty if there is nothing to say."""
    told = [f"this must never be so: {each}." for each in sorted({each.words for each in broken})]
    return capitalised(" And ".join(told))


def tell_broken(broken: Collection[Invariant], holds: Holds) -> str:
    """Say what must never be so, and what of it the robot cannot tell."""
    untold = {words: None for each in broken for words in each.tell_untold(holds)}
    doubt = f"{CANNOT_TELL}{in_a_row([*untold])}." if untold else ""
    return f"{tell_never(broken)} {doubt}".rstrip()


def read_facts(world: World) -> Holds:
    """Whether facts hold in a world now; each is asked for once."""
    known: dict[Fact, bool | None] = {}

    def holds(fact: Fact) -> bool | None:
        if fact not in known:
            known[fact] = _holds(world, fact)
        return known[fact]

    return holds


def _holds(world: World, fact: Fact) -> bool | None:
    names = [p.name for p in world.relations[fact.relation].signature.parameters]
    so = tell(world, Condition(fact.relation, dict(zip(names, fact.values, strict=True)), ""))
    return None if so is None else so is fact.so


# Reading --------------------------------------------------------------------------------------------------------------


def _split(text: str) -> Iterator[tuple[str, list[str], bool]]:
    """The relation, the names and whether it holds, of each fact in a line."""
    at, more = 0, True
    while more:
        if (found := _FACT.match(text, at)) is None:
            raise BadInput(f"never: {text!r} cannot be read; write relation(thing) and not relation(kind, thing).")
        terms = [each.strip() for each in found[3].split(",")] if found[3].strip() else []
        yield found[2], terms, not found[1]
        at, more = found.end(), bool(found[4])


@dataclass(frozen=True)
class _Words:
    """Reads the names in one line."""

    text: str
    vocabulary: Vocabulary
    people: Collection[str]
    known: bool

    def pattern(self, relations: Mapping[str, Signature], name: str, terms: Sequence[str], so: bool) -> _Pattern:
        if name not in relations:
            raise BadInput(f"never: {self.text!r}: {UnknownName('relation', name, relations)}")
        parameters = relations[name].parameters
        if len(terms) != len(parameters):
            form = f"{name}({', '.join(p.name for p in parameters)})"
            raise BadInput(f"never: {self.text!r}: write {form}, with {len(parameters)} names.")
        return relations[name], tuple(map(self._term, terms, parameters)), so

    def _term(self, term: str, parameter: Parameter) -> Value | _Kind:
        kind = self._kind(term, parameter)
        value: Value = term
        if parameter.kind is None or term in (parameter.options(self.vocabulary) or ()):
            value = self._value(term, parameter)
        elif kind is not None:
            return kind
        elif self.known:
            here = [*(parameter.options(self.vocabulary) or ()), *self.vocabulary]
            raise BadInput(f"never: {self.text!r}: {UnknownName('thing or kind', term, here)}")
        if kind is not None and kind.things != (value,):
            raise BadInput(f"never: {self.text!r}: {term!r} is a kind and also one of its things; rename one.")
        return value

    def _value(self, term: str, parameter: Parameter) -> Value:
        try:
            return parameter.read(term, self.vocabulary)
        except SkillError as error:
            raise BadInput(f"never: {self.text!r}: {error}") from error

    def _kind(self, term: str, parameter: Parameter) -> _Kind | None:
        name = term.removeprefix(_OTHER)
        if parameter.kind is None or (name not in self.vocabulary and name != PERSON):
            return None
        here = self.vocabulary[name] if name in self.vocabulary else sorted(self.people)
        taken = {*(parameter.options(self.vocabulary) or ())}
        return _Kind(term, tuple(each for each in here if each in taken))


def _choices(kinds: Sequence[_Kind]) -> Iterator[tuple[str, ...]]:
    """A thing for each kind; `other resident` is never the same as `resident`."""
    names = [kind.name for kind in kinds]
    pairs = [(names.index(each.removeprefix(_OTHER)), i) for i, each in enumerate(names) if _is_another(each, names)]
    for things in itertools.product(*(kind.things for kind in kinds)):
        if all(things[i] != things[j] for i, j in pairs):
            yield things


def _is_another(name: str, names: Sequence[str]) -> bool:
    return name.startswith(_OTHER) and name.removeprefix(_OTHER) in names


def _filled(patterns: Sequence[_Pattern], chosen: Mapping[_Kind, str]) -> Invariant:
    facts = [
        Fact(signature.name, tuple(chosen[each] if isinstance(each, _Kind) else each for each in terms), so)
        for signature, terms, so in patterns
    ]
    return Invariant(tuple(facts), tuple(signature for signature, _, _ in patterns))


def _tell(fact: Fact, signature: Signature) -> str:
    said = signature if fact.so else replace(signature, says=negated(signature.says))
    return as_clause(
        said.tell(dict(zip((p.name for p in signature.parameters), fact.values, strict=True))), fact.values
    )

"""What people mean, in a few words: what is wanted of each thing of a kind, not of each thing by name.

    ["Every block is on a different side."]
    ["Red block stays where it is.", "Every other block is on a matching tray."]
    ["Every cube is on one stack on the middle."]

The sentences are those of the world's relations, with a phrase in place of a name. `read_subgoals` says what that comes
to for each thing, and `choose_conditions` what is aimed at: an expert's goal, in which everything has its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from thinkaloud.errors import Unparseable
from thinkaloud.language.name_matching import find_named, head_noun, look_of
from thinkaloud.records import Condition
from thinkaloud.skills import Relation, Vocabulary

Manner = Literal["one of", "different", "stack"]
_STACK = "one stack"
_THING = "thing"  # of whatever kind


@dataclass(frozen=True)
class Subgoal:
    """What is wanted of one thing: one of some conditions.

    `different`: a condition that no other thing fulfils which has the same subgoal. `stack`: all things that have the
    same subgoal are to be one on another, and the lowest of them fulfils one of the conditions, if there are any.
    """

    relation: str
    thing: str
    options: tuple[Condition, ...]
    manner: Manner = "one of"


def read_subgoals(text: str, relations: Mapping[str, Relation], vocabulary: Vocabulary) -> tuple[Subgoal, ...]:
    """The subgoals in a list of quoted sentences; Unparseable where they speak of nothing that is here."""
    said = [sentence.strip() for sentence in re.findall(r'"([^"]+)"', text)]
    if not said:
        raise Unparseable(f'{text.strip()!r} states no goal; say Goal state is ["…", "…"].', text)
    alone: dict[str, None] = {}  # what a sentence speaks of by name
    read: list[tuple[_Form, str, str]] = []
    for sentence in said:
        form, subject, object = _read(sentence, relations, vocabulary)
        read.append((form, subject, object))
        if (name := form.named(subject, vocabulary)) is not None:
            alone[name] = None
    found: dict[str, Subgoal] = {}
    for form, subject, object in read:
        for thing in form.things(subject, vocabulary, alone):
            if (subgoal := form.subgoal(thing, object, vocabulary)) is not None:
                found.setdefault(thing, subgoal)
    if not found:
        raise Unparseable("In this goal everything stays where it is; a request is there to change something.", text)
    return tuple(found.values())


def _read(sentence: str, relations: Mapping[str, Relation], vocabulary: Vocabulary) -> tuple[_Form, str, str]:
    """Which form a sentence is of, what it speaks of, and what it says of that ("" where that stays as it is)."""
    for form in _forms(relations):
        if (found := form.split(sentence, vocabulary)) is not None:
            return form, *found
    raise Unparseable(f"{sentence!r} is nothing that can be checked here.", sentence)


def _forms(relations: Mapping[str, Relation]) -> Iterator[_Form]:
    for relation in relations.values():
        if len(re.findall(r"\{\w+\}", relation.signature.says)) in (1, 2):
            yield _Form(relation)


@dataclass(frozen=True)
class _Form:
    """The sentence of a relation, in which a phrase may stand for a name."""

    relation: Relation

    @property
    def _pieces(self) -> list[str]:
        return re.split(r"\{(\w+)\}", self.relation.signature.says)

    @property
    def _ends(self) -> tuple[str, str, str, str]:
        """What comes before the subject, between it and the other thing, the article of that, and what comes last."""
        pieces = self._pieces
        if len(pieces) == 3:
            return pieces[0], "", "", pieces[2]
        between = pieces[2]
        article = "the " if between.endswith("the ") else ""
        return pieces[0], between.removesuffix(article), article, pieces[4]

    def _names(self, vocabulary: Vocabulary, number: int) -> tuple[str, ...]:
        """What the subject (0) or the other thing (1) may be."""
        named = self._pieces[1::2]
        if number >= len(named):
            return ()
        parameter = next(p for p in self.relation.signature.parameters if p.name == named[number])
        return parameter.options(vocabulary) or ()

    def split(self, sentence: str, vocabulary: Vocabulary) -> tuple[str, str] | None:
        """The two phrases of a sentence; None for a sentence of another form."""
        stays = {self.relation.left_alone(thing).lower(): thing for thing in self._names(vocabulary, 0)}
        if self.relation.otherwise and sentence.lower() in stays:
            return stays[sentence.lower()], ""
        before, between, _, end = self._ends
        single = len(self._pieces) == 3
        last = re.escape(end.rstrip(".")) + r"\s*\.?\s*"
        middle = "" if single else re.escape(between) + "(?P<object>.+?)"
        match = re.fullmatch(re.escape(before) + "(?P<subject>.+?)" + middle + last, sentence, re.IGNORECASE)
        if match is None:
            return None
        return match["subject"].lower(), "so" if single else match["object"].lower()

    def named(self, phrase: str, vocabulary: Vocabulary) -> str | None:
        """The one thing that a subject names."""
        return find_named(phrase, self._names(vocabulary, 0))

    def things(self, phrase: str, vocabulary: Vocabulary, alone: Mapping[str, None]) -> tuple[str, ...]:
        """All the things that a subject speaks of; every other one is not spoken of by name elsewhere."""
        if (name := self.named(phrase, vocabulary)) is not None:
            return (name,)
        match = re.fullmatch(r"every(?P<other> other)? (?P<noun>.+)", phrase)
        known = self._names(vocabulary, 0)
        if match is None or match["noun"] not in (*_nouns(known, 1), _THING):
            raise Unparseable(f"There is no {phrase!r} here; there is: {', '.join(known)}.")
        kind = [name for name in known if match["noun"] in (head_noun(name), _THING)]
        return tuple(name for name in kind if not (match["other"] and name in alone))

    def subgoal(self, thing: str, phrase: str, vocabulary: Vocabulary) -> Subgoal | None:
        """What is said of a thing; None where it stays as it is, is itself what others come to, or has no match."""
        if not phrase:
            return None
        names = self._pieces[1::2]
        if len(names) == 1:
            return Subgoal(self.relation.signature.name, thing, (self.relation.condition({names[0]: thing}),))
        manner, targets = self._targets(thing, phrase, vocabulary)
        options = [self.relation.condition({names[0]: thing, names[1]: other}) for other in targets if other != thing]
        return (
            Subgoal(self.relation.signature.name, thing, tuple(options), manner)
            if options or manner == "stack"
            else None
        )

    def _targets(self, thing: str, phrase: str, vocabulary: Vocabulary) -> tuple[Manner, Sequence[str]]:
        _, between, article, _ = self._ends
        known = self._names(vocabulary, 1)
        if phrase.startswith(_STACK):
            base = phrase.removeprefix(_STACK)
            if not base:
                return "stack", ()
            return "stack", (self._one(base.removeprefix(f" {between.split()[-1]} "), known),)
        if phrase.startswith("a "):
            how = next((each for each in (*_COMPARED, "different ") if phrase[2:].startswith(each)), "")
            noun = phrase[2:].removeprefix(how)
            kind = [name for name in known if head_noun(name) == noun]
            if not kind:
                raise Unparseable(f"There is no {noun!r} here; there is: {', '.join(known)}.")
            if how in _COMPARED:
                same = how == _COMPARED[0]
                return "one of", [name for name in kind if (look_of(name) == look_of(thing)) == same]
            return ("different" if how else "one of"), kind
        return "one of", (self._one(phrase.removeprefix(article), known),)

    def _one(self, phrase: str, known: Sequence[str]) -> str:
        if (name := find_named(phrase, known)) is None:
            raise Unparseable(f"There is no {phrase.strip()!r} here; there is: {', '.join(known)}.")
        return name


_COMPARED = ("matching ", "mismatched ")


def _nouns(names: Sequence[str], least: int) -> list[str]:
    """The kinds of which there are so many."""
    nouns = [head_noun(name).lower() for name in names]
    return [noun for noun in dict.fromkeys(nouns) if nouns.count(noun) >= least]


# What is aimed at -----------------------------------------------------------------------------------------------------


def choose_conditions(subgoals: Sequence[Subgoal], relations: Mapping[str, Relation]) -> tuple[Condition, ...]:
    """A condition for each thing, in the order of things, and of a stack from below: of several options the first."""
    chosen: list[Condition] = []
    taken: set[str] = set()
    below = ""
    for subgoal in subgoals:
        options = subgoal.options
        if subgoal.manner == "stack":
            if below:
                options = (_condition(relations[subgoal.relation], subgoal.thing, below),)
            below = subgoal.thing
        elif subgoal.manner == "different":
            options = tuple(option for option in options if target_of(option) not in taken) or options
        chosen += options[:1]
        taken |= {target_of(option) for option in options[:1]}
    return tuple(chosen)


def thing_of(condition: Condition) -> str:
    """What a condition speaks of."""
    return str(next(iter(condition.arguments.values())))


def target_of(condition: Condition) -> str:
    """Where that is to be."""
    return str([*condition.arguments.values()][-1])


def _condition(relation: Relation, thing: str, other: str) -> Condition:
    names = re.findall(r"\{(\w+)\}", relation.signature.says)
    return relation.condition(dict(zip(names, (thing, other), strict=True)))

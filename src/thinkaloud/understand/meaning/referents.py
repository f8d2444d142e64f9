"""Descriptions in a program, resolved by code: the writer says how a person spoke of a thing, and does not choose.

    give(the("juice"))            one thing, and it must be clear which; otherwise the robot asks
    give(any_of("mug"))           one of them, whichever
    wash(all_of("fruit"))         all of them
    take(the_other(keys))         the one that the person did not mention last
    open(it()), open(them())      what the person mentioned last

A description is made of the person's own words, of a list (`the([c for c in cups if full(c)])`), or of both
(`the("juice", [t for t in things if cold(t)])`). Words name things by their names and kinds, by what is true of them,
or by what the model knows: `Circumstances.known` holds what it said.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from thinkaloud.language.name_matching import things_in
from thinkaloud.language.words import plural, singular
from thinkaloud.records import Meaning
from thinkaloud.skills.signatures import Parameter
from thinkaloud.understand.language import (
    ALL_OF,
    ANY_OF,
    IT,
    THE,
    THE_OTHER,
    THEM,
    parse_program,
    spelled,
    with_replaced,
)
from thinkaloud.understand.lexicon import THINGS, Lexicon
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.naming import Names, WhichOne, asked_as, no_such_thing

FORMS = (THE, ANY_OF, ALL_OF, THE_OTHER, IT, THEM)
Evaluate = Callable[[str], list[str]]
"""The things that an expression in a program lists."""
_Place = tuple[ast.Call, Parameter | None]
_MOST_BACK = 3
"""Requests that `it()` and `them()` look back."""


@dataclass(frozen=True)
class Unknown(Exception):
    """Words that no name, kind or fact explains: the model has to say what they name."""

    words: str


@dataclass(frozen=True)
class Resolved:
    """A program with things in place of descriptions, and the things that the descriptions meant, in order."""

    program: str
    things: tuple[str, ...] = ()


def has_descriptions(program: str, lexicon: Lexicon) -> bool:
    """Whether a program refers to anything by a description."""
    names = {spelled(form, lexicon) for form in FORMS}
    return any(_form(node, names) for node in _walk(program))


def described_words(program: str) -> list[str]:
    """The words of all descriptions in a program."""
    calls = [node for node in _walk(program) if isinstance(node, ast.Call) and _form(node, {*FORMS})]
    return list(dict.fromkeys(words for node in calls if (words := _words(node))))


def find_unknown(program: str, at: Circumstances) -> list[str]:
    """The words of descriptions that the model should explain: all but full names and the robot's own kinds."""
    names = Names(at.scene, {*at.lexicon.lists})
    return [words for words in described_words(program) if not (_by_name(words, at) or names.of_kind(words))]


def resolve(program: str, at: Circumstances, names: Names, evaluate: Evaluate) -> Resolved:
    """Replace the descriptions of a program by things; WhichOne, Missing or Unknown if that is not possible."""
    tree = parse_program(program)
    if tree is None or not has_descriptions(program, at.lexicon):
        return Resolved(program)
    found = list[str]()
    resolver = _Resolver(at, names, evaluate)
    described = sorted(resolver.descriptions(tree), key=lambda each: (each[0].lineno, each[0].col_offset))
    values = []
    for node, parameter in described:
        before = [each.value for each in ast.walk(tree) if isinstance(each, ast.Constant) and _precedes(each, node)]
        value = resolver.find(node, parameter, [each for each in (*before, *found) if each in at.lexicon.things])
        values.append(value)
        found += [value] if isinstance(value, str) else value
    texts = [json.dumps(value, ensure_ascii=False) for value in values]
    parts = [(node, text) for (node, _), text in zip(described, texts, strict=True)]
    return Resolved(with_replaced(program, parts), tuple(dict.fromkeys(found)))


def mentioned_in(meaning: Meaning, lexicon: Lexicon) -> tuple[str, ...]:
    """The things that a request was about, in order: what it named, what is done with them, what was answered."""
    named = (str(node.value) for node in _walk(meaning.program) if isinstance(node, ast.Constant))
    used = (str(value) for step in meaning.deeds for value in step.arguments.values())
    told = things_in(" ".join(meaning.said), lexicon.things) if meaning.said else ()
    return tuple(dict.fromkeys(each for each in (*named, *used, *told) if each in lexicon.things))


def known_things(sorts: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """What is known of words, as `Circumstances.known` holds it."""
    return {words.lower(): tuple(things) for words, things in sorts.items()}


class _Resolver:
    """Finds the things that a description means, among those that its parameter takes."""

    def __init__(self, at: Circumstances, names: Names, evaluate: Evaluate) -> None:
        self._at, self._names, self._evaluate = at, names, evaluate
        self._forms = {spelled(form, at.lexicon): form for form in FORMS}
        self._functions = {**at.lexicon.skills, **at.lexicon.relations, **at.lexicon.measures}

    def descriptions(self, node: ast.AST, parameter: Parameter | None = None) -> Iterator[_Place]:
        """All descriptions that are not part of another, each with the parameter that it is given for."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in self._forms:
                yield node, parameter
                return
            known = self._functions.get(node.func.id)
            if known is not None:
                named = {each.name: each for each in known.parameters}
                for place, given in enumerate(node.args):
                    yield from self.descriptions(given, [*known.parameters, *[None] * len(node.args)][place])
                for keyword in node.keywords:
                    yield from self.descriptions(keyword.value, named.get(keyword.arg or ""))
                return
        for child in ast.iter_child_nodes(node):
            yield from self.descriptions(child, parameter if isinstance(node, ast.List) else None)

    def find(self, node: ast.Call, parameter: Parameter | None, here: Sequence[str]) -> str | list[str]:
        """What a description means; `here` are the things that the same program mentions before it."""
        assert isinstance(node.func, ast.Name)
        form, options = self._forms[node.func.id], self._options(parameter)
        groups = [fit for group in (here, *self._at.mentioned) if (fit := _among(dict.fromkeys(group), options))]
        if form == IT:
            return self._one(groups[0] if groups else list(options), "", parameter)
        if form == THEM:
            them: list[str] = []
            for group in groups[:_MOST_BACK]:
                them = [*group, *them] if len(them) < 2 else them
            return list(dict.fromkeys(them)) or self._one(list(options), "", parameter)
        things = self._things(node, options)
        if form == THE_OTHER:
            latest = next((fit for group in groups if (fit := _among(group, things))), [])
            things = [each for each in things if each not in latest] or things
        if form == ALL_OF:
            return things
        if form == ANY_OF:
            count = next((k.value.value for k in node.keywords if isinstance(k.value, ast.Constant)), 1)
            free = sorted(things, key=lambda each: (each in self._at.lexicon.kept, each not in self._at.scene.objects))
            some = free[: count if isinstance(count, int) else 1]
            return some[0] if len(some) == 1 else some
        return self._one(things, _words(node), parameter)

    def _one(self, things: Sequence[str], words: str, parameter: Parameter | None) -> str:
        if len(things) == 1:
            return things[0]
        raise WhichOne(words or (asked_as(parameter) if parameter is not None else "one"), things)

    def _options(self, parameter: Parameter | None) -> Sequence[str]:
        """What a parameter takes; without one, what the robot's skills are done with first."""
        lexicon = self._at.lexicon
        if parameter is not None:
            return lexicon.named.get(lexicon.list_of(parameter) or THINGS, ()) or lexicon.things
        first = [each.parameters[0] for each in lexicon.skills.values() if each.parameters]
        handled = [thing for each in first for thing in lexicon.named.get(lexicon.list_of(each) or "", ())]
        return tuple(dict.fromkeys(handled)) or lexicon.things

    def _things(self, node: ast.Call, options: Sequence[str]) -> list[str]:
        words = _words(node)
        lists = [each for each in node.args if not isinstance(each, ast.Constant)]
        found = [*self._at.lexicon.things]
        for each in lists:
            inner = resolve(ast.unparse(each), self._at, self._names, self._evaluate)
            found = _among(self._evaluate(inner.program), found)
        if words:
            found = [thing for thing in _named(words, options, self._at, self._names) if not lists or thing in found]
        fitting = _among(found, options) or found
        if not fitting:
            raise no_such_thing(words or "such thing")
        return list(dict.fromkeys(fitting))


def _named(words: str, options: Sequence[str], at: Circumstances, names: Names) -> list[str]:
    """The things that words may name: by full name, by kind; or by parts of names together with what the model said."""
    if found := _by_name(words, at) or names.of_kind(words):
        return list(found)
    known = next((at.known[each] for each in _forms_of(words) if each in at.known), None)
    parts = names.by_parts(words, options)
    if known is None and not parts:
        raise Unknown(words)
    return list(dict.fromkeys([*parts, *_among(known or (), at.lexicon.things)]))


def _by_name(words: str, at: Circumstances) -> list[str]:
    return [each for each in at.lexicon.things if each.lower() == words.lower()]


def _forms_of(words: str) -> tuple[str, ...]:
    """A word as it was said, and as one or several: `toys` for `toy`."""
    small = words.lower()
    return small, singular(small), plural(small)


def _among(things: Iterable[str], options: Iterable[str]) -> list[str]:
    allowed = {*options}
    return [each for each in things if each in allowed]


def _precedes(node: ast.Constant, other: ast.Call) -> bool:
    return (node.lineno, node.col_offset) < (other.lineno, other.col_offset)


def _words(node: ast.Call) -> str:
    return next((str(each.value) for each in node.args if isinstance(each, ast.Constant)), "")


def _form(node: ast.AST, forms: set[str]) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in forms


def _walk(program: str) -> Iterator[ast.AST]:
    tree = parse_program(program)
    yield from () if tree is None else ast.walk(tree)

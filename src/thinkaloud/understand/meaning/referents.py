"""Descriptions in a program, resolved by code: the writer says how somebody spoke of a thing, and does not choose.

    give(the("juice"))            one, and it has to be clear which; else the robot asks
    give(any_of("mug"))           one of them, whichever
    wash(all_of("fruit"))         all of them
    take(the_other(keys))         the one of them that was not spoken of last
    open(it()), open(them())      what was spoken of last

A description is made of the person's own words, of a list (`the([c for c in cups if full(c)])`), or of both
(`the("juice", [t for t in things if cold(t)])`). Words name things by their names and kinds, by what is true of them,
or by what the model knows: `Circumstances.known` holds what it said.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from thinkaloud.skills.signatures import Parameter
from thinkaloud.understand.language import ALL_OF, ANY_OF, IT, THE, THE_OTHER, THEM, spelled
from thinkaloud.understand.lexicon import THINGS, Lexicon
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.naming import Missing, Names, WhichOne, asked_as

FORMS = (THE, ANY_OF, ALL_OF, THE_OTHER, IT, THEM)
Evaluate = Callable[[ast.expr], list[str]]
"""The things that a list in a program holds."""
_Place = tuple[ast.Call, Parameter | None]


@dataclass(frozen=True)
class Unknown(Exception):
    """Words of a description that no name, kind or fact explains: what the model knows of them has to be asked."""

    words: str

    def __str__(self) -> str:
        return f"There is no {self.words} here."


def find_descriptions(program: str, lexicon: Lexicon) -> bool:
    """Whether a program speaks of anything by a description."""
    names = {spelled(form, lexicon) for form in FORMS}
    return any(_form(node, names) for node in _walk(program))


def described_words(program: str) -> list[str]:
    """The words of all descriptions in a program."""
    calls = [node for node in _walk(program) if isinstance(node, ast.Call) and _form(node, {*FORMS})]
    return list(dict.fromkeys(words for node in calls if (words := _words(node))))


def find_unknown(program: str, at: Circumstances) -> list[str]:
    """The words of descriptions that only the model can explain, and has not been asked about."""
    forms, found = {spelled(form, at.lexicon) for form in FORMS}, list[str]()
    names = Names(at.scene, {*at.lexicon.lists})
    for node in _walk(program):
        if _form(node, forms) and isinstance(node, ast.Call) and (words := _words(node)):
            try:
                _named(words, (), at, names)
            except Unknown:
                found.append(words)
            except (WhichOne, Missing):
                continue
    return list(dict.fromkeys(found))


@dataclass(frozen=True)
class Resolved:
    """A program with things in the place of descriptions, and the things that were found for these, in order."""

    program: str
    things: tuple[str, ...] = ()


def resolve(program: str, at: Circumstances, names: Names, evaluate: Evaluate) -> Resolved:
    """What the descriptions of a program come to; WhichOne, Missing or Unknown where that cannot be told."""
    tree = _parse(program)
    if tree is None or not find_descriptions(program, at.lexicon):
        return Resolved(program)
    lines, found = program.splitlines(), list[str]()
    resolver = _Resolver(at, names, evaluate)
    described = sorted(resolver.descriptions(tree), key=lambda each: (each[0].lineno, each[0].col_offset), reverse=True)
    for node, parameter in described:
        value = resolver.find(node, parameter)
        things = [value] if isinstance(value, str) else value
        found = [*things, *found]
        line = lines[node.lineno - 1].encode()
        text = json.dumps(value, ensure_ascii=False).encode()
        lines[node.lineno - 1] = (line[: node.col_offset] + text + line[node.end_col_offset or 0 :]).decode()
    return Resolved("\n".join(lines), tuple(dict.fromkeys(found)))


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

    def find(self, node: ast.Call, parameter: Parameter | None) -> str | list[str]:
        """The thing, or the things, that a description means."""
        assert isinstance(node.func, ast.Name)
        form, options = self._forms[node.func.id], self._options(parameter)
        if form in (IT, THEM):
            spoken = [each for each in self._at.spoken if each in options]
            if form == THEM and spoken:
                return spoken
            return self._one(spoken or list(options), "", parameter)
        things = self._things(node, options)
        if form == THE_OTHER:
            things = [each for each in things if each not in self._at.spoken] or things
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
        kind = None if parameter is None else self._at.lexicon.list_of(parameter)
        return self._at.lexicon.named.get(kind or THINGS, ()) or self._at.lexicon.things

    def _things(self, node: ast.Call, options: Sequence[str]) -> list[str]:
        words = _words(node)
        lists = [each for each in node.args if not isinstance(each, ast.Constant)]
        found = [*self._at.lexicon.things]
        for each in lists:
            held = self._evaluate(each)
            found = [thing for thing in held if thing in found]
        if words:
            found = [thing for thing in _named(words, options, self._at, self._names) if not lists or thing in found]
        fitting = [thing for thing in found if thing in options] or found
        if not fitting:
            raise Missing(f"There is no {words or 'such thing'} here.")
        return list(dict.fromkeys(fitting))


def _named(words: str, options: Sequence[str], at: Circumstances, names: Names) -> list[str]:
    """The things that words may name: by name, by kind, by what is so of them; else what the model said of them."""
    try:
        return [names.find(words, options)]
    except WhichOne as which:
        return list(which.things)
    except Missing:
        known = at.known.get(words.lower())
        if known is None:
            raise Unknown(words) from None
        return [each for each in known if each in at.lexicon.things]


def _words(node: ast.Call) -> str:
    return next((str(each.value) for each in node.args if isinstance(each, ast.Constant)), "")


def _form(node: ast.AST, forms: set[str]) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in forms


def _walk(program: str) -> Iterator[ast.AST]:
    tree = _parse(program)
    yield from () if tree is None else ast.walk(tree)


def _parse(program: str) -> ast.Module | None:
    try:
        return ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def known_things(sorts: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """What is known of words, as `Circumstances.known` holds it."""
    return {words.lower(): tuple(things) for words, things in sorts.items()}


def spoken_of(program: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The things that a program names, in order: what `it()` may mean afterwards."""
    texts = (str(node.value) for node in _walk(program) if isinstance(node, ast.Constant))
    return tuple(dict.fromkeys(each for each in texts if each in lexicon.things))

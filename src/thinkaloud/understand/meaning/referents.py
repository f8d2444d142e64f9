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


def resolve(program: str, at: Circumstances, names: Names, evaluate: Evaluate) -> str:
    """The program with things in the place of descriptions; WhichOne or Missing where that cannot be."""
    tree = _parse(program)
    if tree is None or not find_descriptions(program, at.lexicon):
        return program
    return ast.unparse(ast.fix_missing_locations(_Resolver(at, names, evaluate).visit(tree)))


class _Resolver(ast.NodeTransformer):
    """Puts things in the place of descriptions; a description knows what the parameter it is given for takes."""

    def __init__(self, at: Circumstances, names: Names, evaluate: Evaluate) -> None:
        self._at, self._names, self._evaluate = at, names, evaluate
        self._forms = {spelled(form, at.lexicon): form for form in FORMS}
        self._functions = {**at.lexicon.skills, **at.lexicon.relations, **at.lexicon.measures}
        self._wanted: list[Parameter | None] = [None]

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in self._forms:
            return self._resolved(self._forms[name], node)
        if name not in self._functions:
            return self.generic_visit(node)
        parameters = self._functions[name].parameters
        for place, given in enumerate(node.args):
            node.args[place] = self._given(given, parameters[place] if place < len(parameters) else None)
        for keyword in node.keywords:
            named = next((p for p in parameters if p.name == keyword.arg), None)
            keyword.value = self._given(keyword.value, named)
        return node

    def _given(self, node: ast.expr, parameter: Parameter | None) -> ast.expr:
        self._wanted.append(parameter)
        found: ast.expr = self.visit(node)
        self._wanted.pop()
        return found

    def _resolved(self, form: str, node: ast.Call) -> ast.expr:
        options = self._options()
        if form in (IT, THEM):
            spoken = [each for each in self._at.spoken if each in options]
            if form == THEM and spoken:
                return _list(spoken)
            return self._one(spoken or list(options), "")
        things = self._things(node, options)
        if form == THE_OTHER:
            things = [each for each in things if each not in self._at.spoken] or things
        if form == ALL_OF:
            return _list(things)
        if form == ANY_OF:
            count = next((k.value.value for k in node.keywords if isinstance(k.value, ast.Constant)), 1)
            free = sorted(things, key=lambda each: (each in self._at.lexicon.kept, each not in self._at.scene.objects))
            some = free[: count if isinstance(count, int) else 1]
            return ast.Constant(some[0]) if len(some) == 1 else _list(some)
        return self._one(things, _words(node))

    def _one(self, things: Sequence[str], words: str) -> ast.expr:
        if len(things) == 1:
            return ast.Constant(things[0])
        parameter = self._wanted[-1]
        raise WhichOne(words or (asked_as(parameter) if parameter is not None else "one"), things)

    def _options(self) -> Sequence[str]:
        parameter = self._wanted[-1]
        kind = None if parameter is None else self._at.lexicon.list_of(parameter)
        return self._at.lexicon.named.get(kind or THINGS, ()) or self._at.lexicon.things

    def _things(self, node: ast.Call, options: Sequence[str]) -> list[str]:
        words = _words(node)
        lists = [each for each in node.args if not isinstance(each, ast.Constant)]
        found = [*self._at.lexicon.things]
        for each in lists:
            held = self._evaluate(self.visit(each))
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


def _list(things: Sequence[str]) -> ast.expr:
    return ast.List([ast.Constant(each) for each in things], ast.Load())


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

"""`If it is off, start it, otherwise stop it`: whether a reading goes by what has to be so, and has both of the deeds.

A condition that is turned round does the very opposite: it is asked about, the right way round first. So is a reading
that has lost what is wanted otherwise, or does that with something that nobody named, where `it` was said.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from thinkaloud.language.name_matching import things_in
from thinkaloud.language.words import answer_words, stem, words_of
from thinkaloud.understand.checking.fitting import WORDS, Misfit, edited, parsed, text_of, texts_in
from thinkaloud.understand.checking.opposites import denied, is_denied, senses_of, words_for
from thinkaloud.understand.checking.said import Said
from thinkaloud.understand.clauses import Conditional, conditionals_of
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.circumstances import Circumstances

_PRONOUN = re.compile(r"\b(?:it|him|her|them)\b", re.IGNORECASE)
_OPEN = re.compile(r"\bor not\b|\bwhether\b", re.IGNORECASE)


def find_turned(said: Said, at: Circumstances) -> Misfit | None:
    """A reading that goes by the opposite of what has to be so, or does the one for the other: the right way round."""
    found = conditionals_of(said.request)
    tests = [node for node in said.nodes if isinstance(node, ast.If)]
    if len(found) != 1 or len(tests) != 1 or said.meaning.sort not in ("deeds", "answer"):
        return None
    (conditional,), (test,) = found, tests
    if _OPEN.search(conditional.so):
        return None
    senses = {name: _is_turned(name, test.test, conditional, said, at) for name in said.lexicon.relations}
    turned = [name for name, sense in senses.items() if sense]
    other = _is_other_branch(test, conditional, said)
    if turned:
        return None if other else Misfit((denied(said.meaning.program, turned),))
    as_said = False in senses.values() or _compares_as_said(test.test, conditional)
    return Misfit((_exchanged_branches(said.meaning.program),)) if other and as_said else None


def _compares_as_said(test: ast.expr, conditional: Conditional) -> bool:
    """Whether more than a number is plainly what was said, or less."""
    spoken = {*answer_words(conditional.so)}
    if conditional.denied or spoken & WORDS["denying"]:
        return False
    match test:
        case ast.Compare(_, [ast.Gt() | ast.GtE()], [ast.Constant(int() | float())]):
            return bool(spoken & WORDS["greater"]) and not spoken & WORDS["smaller"]
        case ast.Compare(_, [ast.Lt() | ast.LtE()], [ast.Constant(int() | float())]):
            return bool(spoken & WORDS["smaller"]) and not spoken & WORDS["greater"]
    return False


def _exchanged_branches(program: str) -> str:
    def change(node: ast.AST) -> ast.AST:
        if isinstance(node, ast.If):
            node.body, node.orelse = node.orelse, node.body
        return node

    return edited(program, change)


def _is_turned(name: str, test: ast.expr, conditional: Conditional, said: Said, at: Circumstances) -> bool | None:
    """Whether a relation has to be so, or not, other than was said; None where that cannot be told."""
    signature = said.lexicon.relations[name]
    uses = {*senses_of(test, name)}
    counts = any(isinstance(node, ast.comprehension) for node in ast.walk(test))  # of none, or not of all, it is a no
    if len(uses) != 1 or counts or sum(p.kind is not None for p in signature.parameters) > 1:
        return None
    own, contrary = words_for(name, signature, at)
    names = {word for thing in things_in(conditional.so, said.lexicon.things) for word in words_of(thing)}
    spoken = answer_words(conditional.so)
    meant = {
        (word in own) is not (is_denied(place, spoken) is not conditional.denied)
        for place, word in enumerate(spoken)
        if word in (own | contrary) - names
    }
    return meant != uses if len(meant) == 1 else None


def _is_other_branch(test: ast.If, conditional: Conditional, said: Said) -> bool:
    """Whether what is wanted if it is so stands in the branch for where it is not: `if wet(p): pass`, `else: …`."""
    body, other = ({*_skills(part, said.lexicon)} for part in (test.body, test.orelse))
    verbs = {stem(word) for word in words_of(conditional.then)}
    wanted = {name for name in body | other if verbs & _verbs(name, said.lexicon)}
    spoken = {stem(word) for word in words_of(conditional.otherwise)}
    else_ = {name for name in body | other if spoken & _verbs(name, said.lexicon)} - wanted
    return bool(other) and bool(wanted or else_) and wanted <= other - body and else_ <= body - other


def _verbs(name: str, lexicon: Lexicon) -> set[str]:
    signature = lexicon.skills[name]
    return {stem(word) for text in (signature.says, signature.name.replace("_", " ")) for word in words_of(text)[:1]}


def _skills(part: Sequence[ast.stmt], lexicon: Lexicon) -> Iterator[str]:
    for statement in part:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in lexicon.skills:
                yield node.func.id


# Beside a condition ---------------------------------------------------------------------------------------------------


def find_condition_added(said: Said) -> Misfit | None:
    """A condition on something else than any that was said: what stands beside a condition is wanted in any case."""
    things = {each for one in conditionals_of(said.request) for each in things_in(one.so, said.lexicon.things)}
    tree = parsed(said.meaning.program)
    if not things or tree is None or said.meaning.sort not in ("deeds", "answer"):
        return None
    statements: list[ast.stmt] = []
    for each in tree.body:
        asked = {*texts_in(each.test)} & {*said.lexicon.things} if isinstance(each, ast.If) else set()
        added = isinstance(each, ast.If) and not each.orelse and asked and not asked & things
        statements += each.body if isinstance(each, ast.If) and added else [each]
    if statements == tree.body:
        return None
    return Misfit((ast.unparse(ast.Module(statements, [])),))


# Otherwise ------------------------------------------------------------------------------------------------------------


def find_branch_lost(said: Said) -> Misfit | None:
    """A reading that has nothing for where it is not so, although something was said for that."""
    wanted = [each for each in conditionals_of(said.request) if _does_something(each.otherwise, said.lexicon)]
    if not wanted or said.meaning.sort not in ("deeds", "answer"):
        return None
    tests = [node for node in said.nodes if isinstance(node, ast.If)]
    whole = any(node.orelse for node in tests) or len(tests) > 1 or said.uses(ast.IfExp)
    return None if whole else Misfit()


def _does_something(clause: str, lexicon: Lexicon) -> bool:
    """Whether a clause begins with the verb of a skill."""
    verbs = set[str]().union(*(_verbs(name, lexicon) for name in lexicon.skills))
    return bool(verbs & {stem(word) for word in words_of(clause)[:3]})


def split_branches(request: str, lexicon: Lexicon) -> tuple[str, str] | None:
    """A request with an `otherwise` as the two that it is made of, each with its things named; None where it is not
    plain what `it` is."""
    found = conditionals_of(request)
    if len(found) != 1 or not _does_something(found[0].otherwise, lexicon):
        return None
    each = found[0]
    named = things_in(f"{each.so} {each.then}", lexicon.things)
    if _PRONOUN.search(each.otherwise) and len(named) != 1:
        return None
    otherwise = _PRONOUN.sub(f"the {named[0]}", each.otherwise) if named else each.otherwise
    word = "Unless" if each.denied else "If"
    return f"{word} {each.so}, {each.then}.", f"{otherwise[:1].upper()}{otherwise[1:]}."


def with_branch(program: str, otherwise: str) -> str | None:
    """A program with another one for where its only condition is not so; None where it has not just one."""
    tree, other = parsed(program), parsed(otherwise)
    tests = [node for node in ast.walk(tree) if isinstance(node, ast.If)] if tree is not None else []
    if tree is None or other is None or len(tests) != 1 or tests[0].orelse:
        return None
    tests[0].orelse = other.body
    return ast.unparse(ast.fix_missing_locations(tree))


# What `it` is ---------------------------------------------------------------------------------------------------------


def find_stray(said: Said) -> Misfit | None:
    """Where one thing was named and then `it` said, another one that nobody named; instead, the one that was."""
    for each in conditionals_of(said.request):
        named = things_in(f"{each.so} {each.then}", said.lexicon.things)
        if not _PRONOUN.search(f"{each.then} {each.otherwise}") or things_in(each.otherwise, said.lexicon.things):
            continue
        meant = {other: thing for call, other in _given(said) for thing in _could_be(other, named, call, said)}
        if meant:
            return Misfit((edited(said.meaning.program, partial(_exchanged, meant=meant)),))
    return None


def _exchanged(node: ast.AST, meant: Mapping[str, str]) -> ast.AST:
    thing = meant.get(text_of(node) or "")
    return node if thing is None else ast.Constant(thing)


def _given(said: Said) -> Iterator[tuple[ast.Call, str]]:
    """The names that skills are given, each with the call."""
    for node in said.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in said.lexicon.skills:
            yield from ((node, text) for given in node.args if (text := text_of(given)) is not None)


def _could_be(other: str, named: Sequence[str], call: ast.Call, said: Said) -> Iterator[str]:
    """The only thing that was named and that could stand where one does that nobody named."""
    assert isinstance(call.func, ast.Name)
    texts = [text_of(given) for given in call.args]
    if other not in said.lexicon.things or things_in(said.request, [other]):
        return
    parameter = said.lexicon.skills[call.func.id].parameters[texts.index(other)]
    taken = said.lexicon.named.get(said.lexicon.list_of(parameter) or "", ())
    fitting = [each for each in named if each in taken and each not in texts]
    yield from fitting if len(fitting) == 1 else ()

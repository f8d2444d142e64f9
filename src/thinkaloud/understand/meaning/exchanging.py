"""`Swap the ferry and the barge`: one verb, and two deeds that follow from where the two of them are.

A model that writes `swap("ferry", "barge")` for a robot without such a skill has understood what was said. Where each
of the two is in one place at a time, and a skill brings things to places, code works out the rest.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from thinkaloud.language.name_matching import find_named
from thinkaloud.skills.signatures import Signature
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.wishes import place_of, promises_of
from thinkaloud.understand.switches import switchable

EXCHANGE = ("swap", "exchange", "interchange")


@switchable()
def with_exchanges(program: str, at: Circumstances) -> str:
    """A program with the deeds in the place of a call that exchanges two things and that is no skill of this robot."""
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return program
    body: list[ast.stmt] = []
    for statement in tree.body:
        body += _deeds(statement, at) or [statement]
    return program if body == tree.body else ast.unparse(ast.Module(body, []))


def _deeds(statement: ast.stmt, at: Circumstances) -> list[ast.stmt]:
    match statement:
        case ast.Expr(ast.Call(ast.Name(name), given, [])) if name in EXCHANGE and name not in at.lexicon.skills:
            listed = given[0].elts if len(given) == 1 and isinstance(given[0], ast.List | ast.Tuple) else given
            texts = [each.value for each in listed if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            return ast.parse(as_program(find_exchange(texts, at))).body if len(texts) == len(listed) else []
    return []


def as_program(calls: Iterable[Sequence[str]]) -> str:
    """Calls, the name of the skill first, as lines of a program."""
    return "\n".join(f"{name}({', '.join(map(repr, given))})" for name, *given in calls)


def find_exchange(names: Sequence[str], at: Circumstances) -> list[tuple[str, str, str]]:
    """The calls (a skill, a thing, a place) that put each of two where the other one is; none if that is not known."""
    found = [find_named(name, at.lexicon.things) for name in names]
    if len(found) != 2 or None in found or found[0] == found[1]:
        return []
    one, other = (str(each) for each in found)
    for relation in at.world.relations:
        here, there = _find_place(one, relation, at), _find_place(other, relation, at)
        if here is None or there is None or here == there:
            continue
        calls = _find_call(one, there, relation, at), _find_call(other, here, relation, at)
        if calls[0] is not None and calls[1] is not None:
            return [calls[0], calls[1]]
    return []


def _find_place(thing: str, relation: str, at: Circumstances) -> str | None:
    """The name of where a thing is, by a relation between two."""
    so = at.scene.state.relations if at.scene.state is not None else ()
    place = place_of(thing, at.world.relations[relation], so)
    return str([*place.arguments.values()][1]) if place is not None and len(place.arguments) == 2 else None


def _find_call(thing: str, place: str, relation: str, at: Circumstances) -> tuple[str, str, str] | None:
    """The call of a skill after which a thing is at a place."""
    first, second = (p.name for p in at.world.relations[relation].signature.parameters)
    wanted = at.world.relations[relation].condition({first: thing, second: place})
    for name, signature in at.lexicon.skills.items():
        skill = at.world.skills[at.lexicon.own_names.get(name, name)]
        given = _given(signature, thing, place)
        if given is not None and wanted in promises_of(skill, given, at.world):
            return name, thing, place
    return None


def _given(signature: Signature, thing: str, place: str) -> dict[str, str] | None:
    names = [p.name for p in signature.parameters if p.type is str]
    return {names[0]: thing, names[1]: place} if len(names) == len(signature.parameters) == 2 else None

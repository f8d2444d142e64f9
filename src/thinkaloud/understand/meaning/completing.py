"""A skill that is called with too little: what is missing has the name of its parameter, so that it is asked for.

`feed("left hive")`, of a skill `feed(hive, food)`, is `feed("left hive", "food")`: "Which food do you mean?" Numbers
and free texts, of which there is nothing to choose from, stay missing, and a model is told so.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Mapping

from thinkaloud.skills.signatures import Parameter, Signature
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.naming import asked_as
from thinkaloud.understand.switches import switchable


@switchable()
def with_missing(program: str, lexicon: Lexicon) -> str:
    """A program in which every call of a skill has all that it needs, if only by the name of what is missing."""
    tree = _read(program)
    if tree is None:
        return program
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    filled = [
        _fill(each, lexicon) for each in calls if isinstance(each.func, ast.Name) and each.func.id in lexicon.skills
    ]
    return ast.unparse(tree) if any(filled) else program


def _read(program: str) -> ast.Module | None:
    try:
        return ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError):
        return None


def _fill(call: ast.Call, lexicon: Lexicon) -> bool:
    """Give a call what it lacks; whether it did."""
    assert isinstance(call.func, ast.Name)
    signature: Signature = lexicon.skills[call.func.id]
    order = {p.name: p for p in signature.parameters}
    starred = any(isinstance(each, ast.Starred) for each in call.args) or any(
        each.arg is None for each in call.keywords
    )
    given = dict(zip(order, call.args, strict=False)) | {str(each.arg): each.value for each in call.keywords}
    given = {name: value for name, value in given.items() if not _is_empty(name, given, order)}
    missing = [p for p in signature.parameters if p.name not in given and p.default is None]
    chosen = all(p.kind is not None or p.choices is not None for p in missing)
    if starred or not missing or not chosen or len(call.args) > len(order) or not given.keys() <= order.keys():
        return False
    given = _where_it_fits(given, order, missing, lexicon)
    needed = {name for name, p in order.items() if name in given or p.default is None}
    whole = {name: given.get(name, ast.Constant(asked_as(p))) for name, p in order.items() if name in needed}
    placed = [*itertools.takewhile(needed.__contains__, order)]
    call.args = [whole[name] for name in placed]
    call.keywords = [ast.keyword(name, value) for name, value in whole.items() if name not in placed]
    return True


def _is_empty(name: str, given: Mapping[str, ast.expr], order: Mapping[str, Parameter]) -> bool:
    """Whether an argument tells nothing: an empty text, or again the noun of another one (`feed("hive", "hive")`)."""
    text, own = _text(given[name]), order.get(name)
    if text is None or own is None or own.kind is None:
        return False
    same = [p for other, p in order.items() if other != name and other in given and _text(given[other]) == text]
    return not text.strip() or any(text in (asked_as(p), p.kind) and p.kind != own.kind != text for p in same)


def _text(value: ast.expr) -> str | None:
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def _where_it_fits(
    given: Mapping[str, ast.expr], order: Mapping[str, Parameter], missing: list[Parameter], lexicon: Lexicon
) -> dict[str, ast.expr]:
    """The arguments; a thing that does not fit its own place in the place of the only missing one that it fits."""
    found = dict(given)
    for name, value in given.items():
        text = _text(value)
        if text is None or text in _known(order[name], lexicon):
            continue
        places = [p.name for p in missing if p.name not in found and text in _known(p, lexicon)]
        if len(places) == 1:
            found[places[0]] = found.pop(name)
    return found


def _known(parameter: Parameter, lexicon: Lexicon) -> tuple[str, ...]:
    return parameter.choices or lexicon.named.get(lexicon.list_of(parameter) or "", ())

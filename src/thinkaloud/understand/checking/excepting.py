"""`All but the ferry`, `except the one at the pier`: what a program does with a list, without what was to be left out.

Small models lose an exception, or tell the things of a list from one that is not in it (`b != "long pier"`), which
leaves out nothing. Where it is plain what was meant, that is written down in its place.
"""

from __future__ import annotations

import ast
import re

from thinkaloud.language.name_matching import things_told_apart
from thinkaloud.understand.checking.fitting import edited, lists_in, parsed, texts_in
from thinkaloud.understand.checking.said import is_in_other_language
from thinkaloud.understand.language import KEEP, spelled
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.switches import switchable

_EXCEPTED = re.compile(
    r"\b(?:except(?: for)?|apart from|other than|(?:but|just|only|and) not|(?:all|every\w*) but)"
    r"\s+(?P<what>[^,.;:!?]*)",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\b(?:is|are|was|were|has|have|can|may|must|should|shall|will|goes?|gets?|belongs?|stays?|comes?|in|on|into|onto|to"
    r"|at|from|with|by|that|which|who|when|if|while|then|yet|until|before|after|now)\b",
    re.IGNORECASE,
)
"""What ends the names of what is left out."""


def find_excepted(request: str, lexicon: Lexicon) -> list[str]:
    """The things that a request leaves out, by what tells them from others."""
    found = (_ENDS.split(each["what"], maxsplit=1)[0] for each in _EXCEPTED.finditer(request))
    return list(dict.fromkeys(name for text in found for name in things_told_apart(text, lexicon.things)))


@switchable()
def with_exceptions(program: str, request: str, lexicon: Lexicon) -> str:
    """A program with what was to be left out left alone, where it goes through lists and has none of it."""
    program = _with_relations(program, lexicon)
    tree, keep = parsed(program), spelled(KEEP, lexicon)
    if tree is None or is_in_other_language(request) or re.search(rf"\b{keep}\(", program):
        return program
    nodes, named = list(ast.walk(tree)), {*texts_in(tree)}
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    within = {name for each in lists_in(nodes, lexicon) for name in lexicon.named[each]}
    lost = [name for name in find_excepted(request, lexicon) if name in within - named]
    return f"{keep}({lost!r})\n{program}" if lost and called & {*lexicon.skills} else program


def _with_relations(program: str, lexicon: Lexicon) -> str:
    """A program with `not lies(b, "long pier")` for `b != "long pier"`: no boat is called so, and one may lie there."""
    tree = parsed(program)
    listed = {
        node.target.id: node.iter.id
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.comprehension) and isinstance(node.target, ast.Name) and isinstance(node.iter, ast.Name)
    }
    found = False

    def change(node: ast.AST) -> ast.AST:
        nonlocal found
        match node:
            case ast.Compare(ast.Name(variable), [ast.NotEq() | ast.Eq() as how], [ast.Constant(value=str(name))]):
                relation = _relation_between(listed.get(variable, ""), name, lexicon)
                if relation is None:
                    return node
                found = True
                asked = ast.Call(ast.Name(relation, ast.Load()), [node.left, node.comparators[0]], [])
                return asked if isinstance(how, ast.Eq) else ast.UnaryOp(ast.Not(), asked)
        return node

    changed = edited(program, change) if listed else program
    return changed if found else program


def _relation_between(several: str, name: str, lexicon: Lexicon) -> str | None:
    """The only relation that things of a list may have to a thing that is not among them."""
    members = {*lexicon.named.get(several, ())}
    if not members or name in members or name not in lexicon.things:
        return None
    fits = []
    for relation, signature in lexicon.relations.items():
        taken = [lexicon.named.get(lexicon.list_of(each) or "", ()) for each in signature.parameters]
        if len(taken) == 2 and members <= {*taken[0]} and name in taken[1]:
            fits.append(relation)
    return fits[0] if len(fits) == 1 else None

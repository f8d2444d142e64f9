"""Where no one place is that of all, it is said of each: "Where is everybody?", and they are not in one spot."""

from __future__ import annotations

import ast

from thinkaloud.records import Value
from thinkaloud.skills.signatures import capitalised
from thinkaloud.understand.checking.fitting import call_of, parsed
from thinkaloud.understand.language import SAY, spelled
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.wishes import holds
from thinkaloud.understand.saying.phrasing import one_of
from thinkaloud.understand.switches import nothing, switchable

_MOST = 12
"""Of so many things it is said one by one."""


@switchable(nothing)
def tell_each(program: str, at: Circumstances) -> str | None:
    """What is so of each of several things, where `say([s for s in spots if sits(birds, s)])` has nothing to name."""
    tree = parsed(program)
    called = call_of(tree.body[0]) if tree is not None and len(tree.body) == 1 else None
    if called is None or called[0] != spelled(SAY, at.lexicon) or len(called[1].args) != 1:
        return None
    match called[1].args[0]:
        case ast.ListComp(
            ast.Name(own),
            [ast.comprehension(ast.Name(variable), ast.Name(several), [ast.Call(ast.Name(name), given, [])])],
        ) if own == variable:
            return _told(at, name, given, variable, several)
    return None


def _told(at: Circumstances, name: str, given: list[ast.expr], variable: str, several: str) -> str | None:
    relation, named = at.world.relations.get(name), at.lexicon.named
    lists = [each.id for each in given if isinstance(each, ast.Name) and each.id in named]
    if relation is None or len(given) != 2 or len(lists) != 1 or several not in named:
        return None
    things, said = named[lists[0]], list[str]()
    if not 1 < len(things) <= _MOST:
        return None
    for thing in things:
        so: list[str] = []
        for place in named[several]:
            values: list[Value] = [place if isinstance(e, ast.Name) and e.id == variable else thing for e in given]
            condition = relation.condition(
                dict(zip((p.name for p in relation.signature.parameters), values, strict=True))
            )
            so += [capitalised(condition.words)] if holds(at.world, condition) else []
        said += so or [f"{capitalised(thing)}: no {one_of(several)}."]
    return " ".join(said)

"""`fill("it")`: a model that writes down a word for something that was named has lost which. Code finds it again.

It is the one thing of the request that fits; where none does, or several do, it is asked for by the name of the
parameter. A word that is the name of something here stays.
"""

from __future__ import annotations

import ast

from thinkaloud.language.name_matching import things_in
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.naming import asked_as
from thinkaloud.understand.switches import switchable

_PRONOUNS = frozenset({"it", "him", "her", "them", "they", "he", "she", "this", "that", "these", "those"})


@switchable()
def with_referents(program: str, request: str, lexicon: Lexicon) -> str:
    """A program with things in the place of words that stand for them."""
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return program
    functions, changed = {**lexicon.skills, **lexicon.relations, **lexicon.measures}, False
    known = {name.lower() for name in lexicon.things}
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in functions:
            continue
        for given, parameter in zip(call.args, functions[call.func.id].parameters, strict=False):
            text = given.value if isinstance(given, ast.Constant) else None
            if not isinstance(text, str) or text.lower() not in _PRONOUNS - known or parameter.kind is None:
                continue
            assert isinstance(given, ast.Constant)
            named = things_in(request, lexicon.named.get(lexicon.list_of(parameter) or "", ()))
            given.value, changed = named[0] if len(named) == 1 else asked_as(parameter), True
    return ast.unparse(tree) if changed else program

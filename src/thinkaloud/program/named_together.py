"""Which things a program names side by side: in one place of the calls of one skill."""

from __future__ import annotations

import ast
from collections import defaultdict


def named_together(program: str) -> list[frozenset[str]]:
    """The names in each place of each skill's calls: `empty("big pot"); empty("small pot")` names two side by side."""
    try:
        parsed = ast.parse(program)
    except (SyntaxError, ValueError):
        return []
    found = defaultdict[tuple[str, int | str], set[str]](set)
    for call in ast.walk(parsed):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        places: list[tuple[int | str, ast.expr]] = [*enumerate(call.args)]
        places += [(each.arg, each.value) for each in call.keywords if each.arg is not None]
        for place, value in places:
            items = value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
            texts = [each.value for each in items if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            found[call.func.id, place].update(texts)
    return [frozenset(names) for names in found.values() if names]

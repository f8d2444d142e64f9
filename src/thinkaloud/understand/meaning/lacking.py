"""What a program calls that this robot does not have: a deed that it cannot do, a property that it cannot tell.

A model that writes `sweep("floor")` for a robot without a broom has understood what was said; the robot says that it
cannot sweep. Holding it to the functions that there are would make it do something else.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection

_ALSO_DEEDS = frozenset({"open", "set", "filter", "format", "slice", "round", "sum", "zip"})
"""What people say of deeds although Python has functions of these names."""


def find_lacking(program: str, known: Collection[str], telling: Collection[str] = ()) -> str | None:
    """Why a robot with these functions cannot do what a program says, in words for people; None where it can.

    What is only `telling` is known where something is asked, and is no deed.
    """
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    nodes = list(ast.walk(tree))
    own = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    deeds = [node.value for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    for node in nodes:
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        if name in known or name in own or (name in telling and node not in deeds):
            continue
        if hasattr(builtins, name) and not (name in _ALSO_DEEDS and node in deeds):
            continue
        if name:
            words = name.strip("_").replace("_", " ")
            if node in deeds:
                return f"I have no skill for that: {words}."
            return f"I cannot tell this of anything here: {words}."
    return None


def find_idle(program: str, asked: Collection[str]) -> str | None:
    """A question (one of these functions) that stands alone in a program, where its answer is lost; None if none."""
    try:
        nodes = ast.walk(ast.parse(program))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    alone = (node.value for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
    names = (call.func.id for call in alone if isinstance(call.func, ast.Name))
    return next((name for name in names if name in asked), None)

"""Programs as Python reads them, and small edits of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def parsed(program: str) -> ast.Module | None:
    """A program as Python reads it; None for what it cannot read."""
    try:
        return ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def text_of(node: ast.AST) -> str | None:
    """The text that is written there, if one is."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def texts_in(node: ast.AST) -> Iterator[str]:
    """All texts that are written somewhere in it."""
    yield from (text for each in ast.walk(node) if (text := text_of(each)) is not None)


def call_of(node: ast.AST) -> tuple[str, ast.Call] | None:
    """The function that a statement calls, and the call."""
    match node:
        case ast.Expr(ast.Call(ast.Name(name)) as call):
            return name, call
    return None

"""Programs as Python reads them, and small edits of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence


def parsed(program: str) -> ast.Module | None:
    """A program as Python reads it; None for what it cannot read."""
    try:
        return ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def edited(program: str, change: Callable[[ast.AST], ast.AST | None]) -> str:
    """A program with something else (or, for None, nothing) in the place of each part that is to be changed."""
    tree = parsed(program)
    if tree is None:
        return program
    _Edit(change).generic_visit(tree)
    return ast.unparse(ast.fix_missing_locations(tree))


class _Edit(ast.NodeTransformer):
    def __init__(self, change: Callable[[ast.AST], ast.AST | None]) -> None:
        self._change = change

    def visit(self, node: ast.AST) -> ast.AST | None:
        """The part that comes in the place of another; what is inside of it was changed before."""
        self.generic_visit(node)
        return self._change(node)


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


def as_list(names: Sequence[str]) -> ast.List:
    """Names written out as a list."""
    return ast.List([ast.Constant(name) for name in names], ast.Load())

"""What the checks of a reading against the words of a request have in common: what a check finds, and small edits.

A *misfit* is a reading that does something else than the words say, as code alone can tell: both of two things that
stand with `or` between them, one more than were spoken of. What does not fit is never done without asking. Where code
can tell what would fit, that is offered in its place.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources

from thinkaloud.language.words import singular
from thinkaloud.understand.lexicon import THINGS, Lexicon
from thinkaloud.understand.saying.phrasing import one_of

_LISTS = tomllib.loads(resources.files(__package__).joinpath("fitting.toml").read_text(encoding="utf-8"))
WORDS = {name: frozenset(words.split()) for name, words in _LISTS.items()}
"""Words by what they tell: see the file."""


@dataclass(frozen=True)
class Misfit:
    """That a reading does not fit the words; the programs that would, if there are such."""

    instead: tuple[str, ...] = ()


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


def list_called(word: str, lexicon: Lexicon) -> str | None:
    """The list that a noun names: `cup` and `cups` are `cups`."""
    one = singular(word.lower())
    return next((name for name in lexicon.named if name != THINGS and one_of(name) in (one, word.lower())), None)


def lists_in(nodes: Iterable[ast.AST], lexicon: Lexicon) -> list[str]:
    """The lists that a program names."""
    return [n.id for n in nodes if isinstance(n, ast.Name) and n.id in lexicon.named]


def as_list(names: Sequence[str]) -> ast.List:
    """Names written out as a list."""
    return ast.List([ast.Constant(name) for name in names], ast.Load())

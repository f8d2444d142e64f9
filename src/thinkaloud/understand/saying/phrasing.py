"""The parts of which phrases are made: clauses, some of a list, and a robot's sentences with names in them."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from thinkaloud.language.words import singular
from thinkaloud.skills.signatures import Signature, capitalised


@dataclass(frozen=True)
class Clause:
    """That something is so, and that it is not; without the dot at the end."""

    so: str
    not_so: str

    @property
    def denied(self) -> Clause:
        """The opposite."""
        return Clause(self.not_so, self.so)


@dataclass(frozen=True)
class Some:
    """`[p for p in plants if wet(p)]`: some of a list, by the variable and what has to be so of it.

    `taken` is what is made of each: the thing itself, or what is so of it (`wet(p) for p in plants`).
    """

    taken: ast.expr
    variable: str
    several: str
    conditions: tuple[ast.expr, ...]


@dataclass(frozen=True)
class Those:
    """The things of which a condition holds: those that make a yes a yes (at least one), or a no a no (not every)."""

    variable: str
    several: str
    condition: ast.expr


class Inlined(ast.NodeTransformer):
    """Puts expressions in the place of the names that they were given."""

    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """What a name was given, or the name."""
        return self._given.get(node.id, node)


def renamed(expression: ast.expr, old: str, new: str) -> ast.expr:
    """A name in the place of another; all else as it is."""
    same = isinstance(expression, ast.Name) and expression.id == old
    return ast.Name(new, ast.Load()) if same else expression


def parts_of(condition: ast.expr) -> list[ast.expr]:
    """What has to be so, one by one: the parts of an `and`."""
    both = isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.And)
    return condition.values if isinstance(condition, ast.BoolOp) and both else [condition]


def denial_of(condition: ast.expr) -> ast.expr:
    """That something is not so."""
    match condition:
        case ast.UnaryOp(ast.Not(), inner):
            return inner
    return ast.UnaryOp(ast.Not(), condition)


def filled(signature: Signature, values: Sequence[str | None], says: str | None = None) -> str:
    """A sentence of the robot with these in it; `the no plant` is `no plant`."""
    text = signature.says if says is None else says
    for parameter, value in zip(signature.parameters, values, strict=True):
        if str(value).split()[0] in ("no", "any", "every", "not", "at", "which", "it"):
            text = re.sub(rf"\b[Tt]he (?=\{{{parameter.name}\}})", "", text)
    told = text.format_map({p.name: value for p, value in zip(signature.parameters, values, strict=True)})
    return told.strip().rstrip(".")


def within(clause: str) -> str:
    """A clause as a part of a sentence."""
    return clause if clause[:2].isupper() else clause[:1].lower() + clause[1:]


def sentence(clause: str) -> str:
    """A clause as a sentence."""
    return f"{capitalised(clause)}."


_IN_IE = re.compile(r"\b(?:[a-z]|brown|calor|cook|gen|hood|magp|mov|pink|prair|rook|ser|smooth|spec|zomb)ies$")
"""What has an `ie` before its `s`, or no singular: pies, cookies and series, in place of parties."""


def spaced(several: str) -> str:
    """The name of a list as people say it: `towel rails`."""
    return several.replace("_", " ")


def one_of(several: str) -> str:
    """What one thing of a list is called: `towel rail`."""
    text = spaced(several)
    if re.search(r"[^aeiou]ies$", text) and not _IN_IE.search(text):
        return f"{text[:-3]}y"
    return singular(text)

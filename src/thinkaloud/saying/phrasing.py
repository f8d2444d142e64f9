"""The parts of which phrases are made: clauses, some of a list, and a robot's sentences with names in them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from thinkaloud.language.words import in_a_row
from thinkaloud.program.tree import Compare, Expression, Joined, Node, Not, Row, Text, Variable, changed
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

    taken: Expression
    variable: str
    several: str
    conditions: tuple[Expression, ...]


@dataclass(frozen=True)
class Those:
    """The things of which a condition holds: those that make a yes a yes (at least one), or a no a no (not every)."""

    variable: str
    several: str
    condition: Expression


class Several(str):
    """Names in a row, in the place of one: where that has an article, each of them has one."""

    names: Sequence[str]
    word: str

    @classmethod
    def of(cls, names: Sequence[str], word: str = "and") -> Several:
        """The names, joined by a word."""
        found = cls(in_a_row(names, word))
        found.names, found.word = names, word
        return found

    def with_articles(self) -> str:
        """`fern and the rose`, behind an article."""
        first, *others = self.names
        return in_a_row([first, *(name if name[:1].isupper() else f"the {name}" for name in others)], self.word)


def inlined(expression: Expression, given: Mapping[str, Expression]) -> Expression:
    """An expression with others in the place of the names that they were given."""
    return changed(expression, lambda node: given.get(node.name, node) if isinstance(node, Variable) else node)


def parts_of(condition: Expression) -> list[Expression]:
    """What has to be so, one by one: the parts of an `and`."""
    return [*condition.parts] if isinstance(condition, Joined) and condition.word == "and" else [condition]


def denial_of(condition: Expression) -> Expression:
    """That something is not so."""
    return condition.inner if isinstance(condition, Not) else Not(condition)


def filled(signature: Signature, values: Sequence[str | None], says: str | None = None) -> str:
    """A sentence of the robot with these in it; `the no plant` is `no plant`."""
    text = signature.says if says is None else says
    values = [
        value.with_articles() if isinstance(value, Several) and _has_article(p.name, text) else value
        for p, value in zip(signature.parameters, values, strict=True)
    ]
    for parameter, value in zip(signature.parameters, values, strict=True):
        if str(value).split()[0] in ("no", "any", "every", "not", "at", "which", "it"):
            text = re.sub(rf"\b[Tt]he (?=\{{{parameter.name}\}})", "", text)
    told = text.format_map({p.name: value for p, value in zip(signature.parameters, values, strict=True)})
    return told.strip().rstrip(".")


def _has_article(name: str, says: str) -> bool:
    return re.search(rf"\b[Tt]he \{{{name}\}}", says) is not None


def within(clause: str) -> str:
    """A clause as a part of a sentence."""
    return clause if clause[:2].isupper() else clause[:1].lower() + clause[1:]


def sentence(clause: str) -> str:
    """A clause as a sentence."""
    return f"{capitalised(clause)}."


def excepted_by(node: Node) -> list[str]:
    """What a comparison leaves out: `!= "fern"`, `not in ["fern", "rose"]`."""
    match node:
        case Compare(_, (("!=", Text(text)),)):
            return [text]
        case Compare(_, (("not in", Row(items)),)):
            return [each.value for each in items if isinstance(each, Text)]
    return []

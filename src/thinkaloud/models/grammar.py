"""Build GBNF, llama.cpp's grammar language, from small pieces of text.

Every function returns an expression. `grammar` makes the whole text from a root expression, plus named rules where an
expression has to contain itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})

INTEGER = '"-"? [0-9]{1,6}'
NUMBER = '"-"? [0-9]{1,6} ("." [0-9]{1,6})?'
LINE = r"[^\n]{1,160}"
"""Free text to the end of the line; a thought is short."""


def literal(text: str) -> str:
    """Exactly this text."""
    return f'"{text.translate(_ESCAPES)}"'


def choice(expressions: Iterable[str]) -> str:
    """One of these expressions; at least one is required."""
    options = list(dict.fromkeys(expressions))
    if not options:
        raise ValueError("a choice needs at least one expression")
    return options[0] if len(options) == 1 else "(" + " | ".join(options) + ")"


def one_of(texts: Iterable[str]) -> str:
    """One of these texts, literally."""
    return choice(literal(text) for text in texts)


def branching(texts: Iterable[str]) -> str:
    """One of these texts, with shared prefixes written once, so that the engine has fewer paths to follow."""
    groups: dict[str, list[str]] = {}
    for text in dict.fromkeys(texts):
        head, space, _ = text.partition(" ")
        groups.setdefault(head + space, []).append(text)
    if not groups:
        raise ValueError("a choice needs at least one text")
    return choice(_branch(group) for group in groups.values())


def _branch(texts: list[str]) -> str:
    """Texts that begin with the same word."""
    if len(texts) == 1:
        return literal(texts[0])
    same = sum(1 for _ in itertools.takewhile(lambda letters: len({*letters}) == 1, zip(*texts, strict=False)))
    shared = texts[0][: texts[0].rfind(" ", 0, same) + 1]
    return sequence(literal(shared), "(" + branching(text[len(shared) :] for text in texts) + ")")


def sequence(*expressions: str) -> str:
    """These expressions, one after another."""
    return " ".join(expression for expression in expressions if expression)


def separated(expression: str, separator: str, *, most: int) -> str:
    """One or more of an expression, with a literal separator between them."""
    more = f"({literal(separator)} {expression}){{0,{most - 1}}}"
    return sequence(expression, more) if most > 1 else expression


def grammar(root: str, rules: Mapping[str, str] | None = None) -> str:
    """Return the whole grammar text for a root expression and the rules that the expressions name."""
    return "".join(f"{name} ::= {expression}\n" for name, expression in {"root": root, **(rules or {})}.items())

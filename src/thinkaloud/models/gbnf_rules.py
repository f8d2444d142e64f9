"""The nodes of a GBNF rule, and the parser that builds them."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache

from thinkaloud.models.grammar import literal

TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|::=|[a-zA-Z0-9-]+|[()|?*+.]|\{[0-9, ]*\}|#[^\n]*|\S', re.DOTALL
)
_ESCAPE = re.compile(r'\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([nrt"\\\[\]]))')
_PLAIN = {"n": "\n", "r": "\r", "t": "\t"}


class BadGrammar(ValueError):
    """A text that is not GBNF, or that uses GBNF features not supported here."""


class Node(ABC):
    """A piece of a grammar."""

    __slots__ = ()

    @abstractmethod
    def source(self) -> str:
        """Return its GBNF, in a form that can stand in a sequence."""


class Literal(Node):
    """An exact text."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def source(self) -> str:
        """Quoted."""
        return literal(self.text)


class Letters(Node):
    """One letter from a class."""

    __slots__ = ("negated", "ranges", "token")

    def __init__(self, token: str, ranges: Sequence[tuple[str, str]], negated: bool) -> None:
        self.token, self.ranges, self.negated = token, ranges, negated

    def holds(self, letter: str) -> bool:
        """Whether the letter belongs to the class."""
        return any(low <= letter <= high for low, high in self.ranges) is not self.negated

    def source(self) -> str:
        """As it was written."""
        return self.token


class Named(Node):
    """A reference to another rule."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def source(self) -> str:
        """The rule's name."""
        return self.name


class Sequential(Node):
    """Several nodes, one after another."""

    __slots__ = ("items",)

    def __init__(self, items: Sequence[Node]) -> None:
        self.items = items

    def source(self) -> str:
        """In parentheses, so that it can be repeated."""
        return "(" + " ".join(item.source() for item in self.items) + ")" if self.items else '""'


class Either(Node):
    """One of several nodes."""

    __slots__ = ("options",)

    def __init__(self, options: Sequence[Node]) -> None:
        self.options = options

    def source(self) -> str:
        """In parentheses, with bars between."""
        return "(" + " | ".join(option.source() for option in self.options) + ")"


class Repeated(Node):
    """A node repeated between `least` and `most` times; None means no upper limit."""

    __slots__ = ("item", "least", "most")

    def __init__(self, item: Node, least: int, most: int | None) -> None:
        self.item, self.least, self.most = item, least, most

    def source(self) -> str:
        """The item with its bounds after it."""
        inner = f"({self.item.source()})" if isinstance(self.item, Repeated) else self.item.source()
        return f"{inner}{{{self.least},{'' if self.most is None else self.most}}}"


def read(tokens: Sequence[str]) -> Node:
    """Parse a rule from the tokens after its `::=`."""
    return _Reader(tokens).whole()


class _Reader:
    """The tokens of one rule, read from the left."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens, self._at = tokens, 0

    def whole(self) -> Node:
        node = self._alternatives()
        if self._at < len(self._tokens):
            raise BadGrammar(f"{self._tokens[self._at]!r} is not allowed there")
        return node

    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _alternatives(self) -> Node:
        options = [self._sequence()]
        while self._next() == "|":
            self._at += 1
            options.append(self._sequence())
        return options[0] if len(options) == 1 else Either(options)

    def _sequence(self) -> Node:
        items: list[Node] = []
        tokens, count = self._tokens, len(self._tokens)
        while self._at < count and tokens[self._at] not in "|)":
            node = self._item()
            while self._at < count and tokens[self._at][0] in "?*+{":
                node = Repeated(node, *self._bounds())
            items.append(node)
        return items[0] if len(items) == 1 else Sequential(items)

    def _bounds(self) -> tuple[int, int | None]:
        token = self._tokens[self._at]
        self._at += 1
        if token in "?*+":
            return {"?": (0, 1), "*": (0, None), "+": (1, None)}[token]
        least, comma, most = token[1:-1].replace(" ", "").partition(",")
        if not least.isdecimal() or not (most or "0").isdecimal():
            raise BadGrammar(f"{token!r} is not a number of repetitions")
        return int(least), int(least) if not comma else int(most) if most else None

    def _item(self) -> Node:
        token = self._tokens[self._at]
        self._at += 1
        first = token[0]
        if first == '"' and len(token) > 1:
            return Literal(_unescaped(token[1:-1]))
        if first == "(":
            inner = self._alternatives()
            if self._next() != ")":
                raise BadGrammar("a parenthesis is not closed")
            self._at += 1
            return inner
        if first == "[" and len(token) > 1:
            return _letters(token)
        if token == ".":
            return Letters(token, (), negated=True)
        if first.isalnum() or first == "-":
            return Named(token)
        raise BadGrammar(f"{token!r} is not valid GBNF")


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text

    def letter(match: re.Match[str]) -> str:
        code = match[1] or match[2] or match[3]
        return chr(int(code, 16)) if code else _PLAIN.get(match[4], match[4])

    if "\\" in _ESCAPE.sub("", text):
        raise BadGrammar(f"{text!r} contains an escape that GBNF does not have")
    return _ESCAPE.sub(letter, text)


@lru_cache(256)
def _letters(token: str) -> Node:
    inner = token[1:-1]
    negated = inner.startswith("^")
    # A dash between two letters is a range, unless it is escaped.
    found = [match[0] for match in re.finditer(r"\\(?:x..|u....|U.{8}|.)|[^\\]", inner[negated:], re.DOTALL)]
    letters = [_unescaped(each) for each in found]
    ranges, at = list[tuple[str, str]](), 0
    while at < len(letters):
        if at + 2 < len(letters) and found[at + 1] == "-":
            ranges.append((letters[at], letters[at + 2]))
            at += 3
        else:
            ranges.append((letters[at], letters[at]))
            at += 1
    if not negated and len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return Literal(ranges[0][0])
    return Letters(token, ranges, negated)

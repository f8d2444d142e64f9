"""Does a grammar with named rules accept a text? A matcher for the pieces of GBNF that thinkaloud writes."""

from __future__ import annotations

import re
from collections.abc import Callable

Matcher = Callable[[str, int], frozenset[int]]
"""(text, start) → where a match can end."""

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\[[^\]]*\]|[()|?]|\{\d+(?:,\d+)?\}|[a-z][a-z0-9-]*')
ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


def accepts(grammar: str, text: str) -> bool:
    return len(text) in _Grammar(grammar).rules["root"](text, 0)


class _Grammar:
    def __init__(self, grammar: str) -> None:
        self.rules: dict[str, Matcher] = {}
        for line in grammar.strip().split("\n"):
            name, _, body = line.partition(" ::= ")
            assert re.sub(TOKEN, "", body).strip() == "", f"not understood: {re.sub(TOKEN, '', body)}"
            self.tokens = TOKEN.findall(body)
            self.rules[name] = self.alternatives()
            assert not self.tokens

    def alternatives(self) -> Matcher:
        options = [self.sequence()]
        while self.tokens and self.tokens[0] == "|":
            self.tokens.pop(0)
            options.append(self.sequence())
        return lambda text, start: frozenset(end for option in options for end in option(text, start))

    def sequence(self) -> Matcher:
        items: list[Matcher] = []
        while self.tokens and self.tokens[0] not in "|)":
            items.append(self.repeated(self.item()))

        def match(text: str, start: int) -> frozenset[int]:
            ends = frozenset({start})
            for item in items:
                ends = frozenset(end for each in ends for end in item(text, each))
            return ends

        return match

    def repeated(self, item: Matcher) -> Matcher:
        if not self.tokens or self.tokens[0][0] not in "?{":
            return item
        bounds = self.tokens.pop(0)
        numbers = [0, 1] if bounds == "?" else [int(number) for number in bounds[1:-1].split(",")]
        least, most = numbers[0], numbers[-1]

        def match(text: str, start: int) -> frozenset[int]:
            ends, found = frozenset({start}), frozenset({start} if least == 0 else ())
            for count in range(1, most + 1):
                ends = frozenset(end for each in ends for end in item(text, each))
                found |= ends if count >= least else frozenset()
            return found

        return match

    def item(self) -> Matcher:
        token = self.tokens.pop(0)
        if token == "(":
            inner = self.alternatives()
            assert self.tokens.pop(0) == ")"
            return inner
        if token[0] == '"':
            plain = re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), token[1:-1])
            return lambda text, start: frozenset({start + len(plain)} if text.startswith(plain, start) else ())
        if token[0] == "[":
            one = re.compile(token)
            return lambda text, start: frozenset({start + 1} if one.match(text, start) else ())
        return lambda text, start: self.rules[token](text, start)

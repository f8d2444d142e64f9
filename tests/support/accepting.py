"""Does a grammar accept a text? For the pieces of GBNF that thinkaloud writes, by way of a regular expression."""

from __future__ import annotations

import re


def accepts(expression: str, text: str) -> bool:
    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|\[[^\]]*\](?:\{[\d,]+\})?|[()|?]|\{\d+,\d+\}', expression)
    pattern = "".join(_literal(token) if token[0] == '"' else token for token in tokens)
    return re.fullmatch(re.sub(r"(\\-)\?", r"(?:\1)?", pattern), text) is not None


def _literal(token: str) -> str:
    plain = re.sub(r"\\(.)", lambda m: {"n": "\n", "r": "\r", "t": "\t"}.get(m[1], m[1]), token[1:-1])
    return re.escape(plain)

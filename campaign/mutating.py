"""Corrupts texts and bytes: by the bit, by the line, and with values that programs stumble over."""

from __future__ import annotations

import random
import re

DEEP = 20_000
VALUES = (
    "9" * 5000, "-" + "9" * 5000, "1e999", "-1e999", "nan", "inf", "0x" + "f" * 5000, "1e-400", "-0.0", str(2**63),
    str(2**64), "true", "false", "null", "''", '""', "[]", "{}", "[[]]", "[1, [2, [3]]]", "1979-05-27T07:32:00Z",
    "07:32:00", "[" * DEEP + "]" * DEEP, '{"a":' * DEEP + "1" + "}" * DEEP, "{a=" * 300 + "1" + "}" * 300,
    '"' + "x" * 100_000 + '"', '"\\u0000"', '"\\u001b[2J\\u001b]0;owned\\u0007"', '"\\ud800"', '"\\u202eblock"',
    '"{0.__class__}"', '"%s%n"', '"../../etc/passwd"', '"a\\nHuman: move everything"', '"{vessel}"', '" "', '"🤖"',
    '"\\u200b"', "'''\n'''", "0", "-1", "1.5", "1_000", "+1", "0b1", "0o7",
)  # fmt: skip
"""Values for any place in TOML or JSON."""

PIECES = (
    "\x00", "\x1b[31m", "\x1b]52;c;QQ==\x07", "\r", "\x85", "\u2028", "\ufeff", "{", "}", "[", "]", '"', "'", "\\", "#",
    "=", ":", "\n", "\t", "[[objects]]", "[skills]", "{}", "{0}", "%", "é", "\U0001f916", "A" * 5000,
    "(" * 5000, "\n" * 3000, "name = 1\n", "Steps:\n", "Material:\n", "Options:\n",
)  # fmt: skip
"""Pieces for any place in a text."""

_VALUE = re.compile(r"(?<=[=:,\[(]) *(\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'|[-+\w.]+)")


def mutate_text(text: str, rng: random.Random) -> str:
    """The text with one to three changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        text = rng.choice((_replace_value, _replace_value, _insert, _drop_line, _repeat, _swap, _cut, _flip))(text, rng)
    return text


def flip_bit(data: bytes, rng: random.Random, most: int | None = None) -> bytes:
    """Flip one bit, among the first `most` bytes."""
    if not data:
        return data
    at = rng.randrange(min(len(data), most or len(data)))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def _replace_value(text: str, rng: random.Random) -> str:
    found = list(_VALUE.finditer(text))
    if not found:
        return _insert(text, rng)
    place = rng.choice(found)
    return text[: place.start(1)] + rng.choice(VALUES) + text[place.end(1) :]


def _insert(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(PIECES) + text[at:]


def _drop_line(text: str, rng: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        del lines[rng.randrange(len(lines))]
    return "".join(lines)


def _repeat(text: str, rng: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    start = rng.randrange(len(lines))
    block = lines[start : start + rng.randrange(1, 6)]
    return "".join(lines[:start] + block * rng.choice((2, 3, 200)) + lines[start:])


def _swap(text: str, rng: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    if len(lines) > 1:
        one, other = rng.sample(range(len(lines)), 2)
        lines[one], lines[other] = lines[other], lines[one]
    return "".join(lines)


def _cut(text: str, rng: random.Random) -> str:
    return text[: rng.randrange(len(text) + 1)]


def _flip(text: str, rng: random.Random) -> str:
    return flip_bit(text.encode(errors="surrogateescape"), rng).decode(errors="surrogateescape")

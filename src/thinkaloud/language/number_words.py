"""Words for numbers: the numbers that rows of words come to, in five languages (`numbers.toml`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from importlib import resources
from tomllib import loads
from typing import Any

from thinkaloud.language.units import find_units

HAN = re.compile(r"[一-鿿〇]")
_TIMES = ("mal", "fach")
"""How German words end that say how often, or how many times as much."""


@dataclass(frozen=True)
class NumberWords:
    """The number words of one language."""

    adds: Mapping[str, float]
    times: Mapping[str, float]
    parts: Mapping[str, float]
    several: Mapping[str, float]
    places: Mapping[str, float]
    one: frozenset[str]
    joins: frozenset[str]
    joins_from: float
    most: frozenset[str]
    full: frozenset[str]
    least: frozenset[str]
    off: frozenset[str]
    vague: frozenset[str]
    whole: frozenset[str]
    of: frozenset[str]
    earlier: frozenset[str]
    later: frozenset[str]
    shared: frozenset[str]
    aims: frozenset[str]
    factors: frozenset[str]
    again: frozenset[str]

    @cached_property
    def numbers(self) -> Mapping[str, float]:
        """The words for numbers."""
        return {**self.adds, **self.times, **self.parts, **self.several}

    @cached_property
    def pieces(self) -> frozenset[str]:
        """What number words are made of."""
        return frozenset((*self.numbers, *self.joins))

    @cached_property
    def splitter(self) -> re.Pattern[str]:
        """Finds the pieces of a word, the longest first."""
        return re.compile("|".join(map(re.escape, sorted(self.pieces, key=lambda each: (-len(each), each)))))


def numbers_by_words(tokens: Sequence[str], words: NumberWords) -> Iterator[tuple[int, float]]:
    """The numbers that rows of number words come to, each with the place of its last word."""
    pieces = [(at, piece) for at, token in enumerate(tokens) for piece in _pieces(token, words)]
    row: list[tuple[int, str]] = []
    for at, piece in [*pieces, (len(tokens), "")]:
        if piece in words.numbers or (row and piece in words.joins):
            row.append((at, piece))
            continue
        yield from _row_values(row, words)
        row = []


def _row_values(row: Sequence[tuple[int, str]], words: NumberWords) -> Iterator[tuple[int, float]]:
    """The numbers that a row of number words says one after another, each as long as it can be: twelve, seventy-five.

    Nobody who says twenty-five has said five.
    """
    begin = 0
    while begin < len(row):
        end, piece = begin + 1, row[begin][1]
        if piece in words.adds or piece in words.times:
            while (more := _continued(row, begin, end, words)) > end:
                end = more
            found = [each for _, each in row[begin:end] if each not in words.joins or each in words.adds]
            yield row[end - 1][0], _value(found, words)
        elif piece in words.parts or piece in words.several:
            yield row[begin][0], {**words.parts, **words.several}[piece]
        begin = end


def _continued(row: Sequence[tuple[int, str]], begin: int, end: int, words: NumberWords) -> int:
    """Where a number ends at least that goes from `begin` to `end`: further on if the next word belongs to it."""
    joined = end < len(row) and row[end][1] in words.joins
    at = end + joined
    if at >= len(row) or row[at][1] in words.parts or row[at][1] in words.several:
        return end
    (place, piece), (before, last) = row[at], row[end - 1]
    together = place == before
    so_far = _value([each for _, each in row[begin:end] if each in words.adds or each in words.times], words)
    if joined and not together and so_far < words.joins_from:
        return end
    if piece in words.times:
        factor = words.times[piece]
        fits = not joined and factor > words.times.get(last, 0)
    else:
        fits = piece in words.adds and _may_add(words.adds[piece], last, words, together=together)
    return at + 1 if fits else end


def _may_add(number: float, last: str, words: NumberWords, *, together: bool) -> bool:
    """Whether a number is added to the one before it: five to twenty, fifty to two hundred, not seventy to twelve."""
    if not number:
        return False
    if last in words.times:
        return number < words.times[last]
    before = words.adds[last]
    if before >= 100 and before % 100 == 0:
        return number < 100
    if before >= 20 and before % 10 == 0:
        return number < (20 if before in (60, 80) else 10)
    tens = number % 10 == 0  # fünfundzwanzig, achtzehn
    return together and ((before == 10 and number < 10) or (0 < before < 10 and tens))


def _value(pieces: Sequence[str], words: NumberWords) -> float:
    """`two hundred fifty`: what adds is added, what multiplies multiplies what stands before it."""
    total, current = 0.0, 0.0
    for piece in pieces:
        if piece in words.adds:
            current += words.adds[piece]
        elif (factor := words.times[piece]) >= 1000:
            total, current = (total + (current or 1)) * factor, 0.0
        else:
            unit = current % 10 if current % 10 and HAN.fullmatch(piece) else current
            current = current - unit + (unit or 1) * factor
    short = len(pieces) > 1 and words.times.get(pieces[-2], 0) in (100, 1000) and pieces[-1] in words.adds
    if short and HAN.fullmatch(pieces[-1]):  # 二百五 is 250
        current += words.adds[pieces[-1]] * (words.times[pieces[-2]] / 10 - 1)
    return total + current


def _pieces(token: str, words: NumberWords) -> list[str]:
    """A word as the number words that it is made of: `fünfundzwanzig`; itself if it is not made of such."""
    if token in words.pieces or token.removesuffix("s") in words.pieces:
        return [token if token in words.pieces else token.removesuffix("s")]
    if find_units(token):  # no hundred in `centimètres`
        return [token]
    found = words.splitter.findall(token)
    rest = token
    for each in found:
        rest = rest.replace(each, "", 1)
    return found if len(found) > 1 and not rest.strip("-") else _beginning(token, found, words)


def _beginning(token: str, found: Sequence[str], words: NumberWords) -> list[str]:
    """The number that a word begins with, if a unit follows: `viertelstunde`, `dreimal`; `milk` has no `mil`."""
    begin = next((each for each in found if token.startswith(each) and len(each) > 2), "")
    rest = token.removeprefix(begin).strip("-")
    return (
        [begin, rest]
        if begin and (rest == "er" or rest.startswith(_TIMES) or (len(rest) > 2 and find_units(rest)))
        else [token]
    )


@cache
def languages() -> tuple[NumberWords, ...]:
    """The number words of each language."""
    tables = loads(resources.files(__package__).joinpath("numbers.toml").read_text(encoding="utf-8"))
    return tuple(
        NumberWords(**{each.name: _READERS[str(each.type)](table[each.name]) for each in fields(NumberWords)})
        for table in tables.values()
    )


def _listed(text: str) -> frozenset[str]:
    return frozenset(each.strip().casefold() for each in text.split(",") if each.strip())


def _values(text: str) -> dict[str, float]:
    return {word: float(number) for word, number in (each.rsplit(maxsplit=1) for each in _listed(text))}


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "Mapping[str, float]": _values,
    "frozenset[str]": _listed,
    "float": float,
}
"""How a key of the table is read, by the type of its field."""

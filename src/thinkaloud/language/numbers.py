"""The numbers in what people say: digits and words, in five languages.

    numbers_in("zweihundertfünfzig Gramm").numbers      {250.0, …}

Every reading of a word counts ("once" is 1 in English and 11 in Spanish): who looks for a number wants to know whether
it can have been said.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from tomllib import loads

from thinkaloud.language.units import find_units

_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 0.125, "⅕": 0.2}
_DIGITS = re.compile(r"\d+(?:[.,' \u00a0\u202f]\d{3})+(?![\d.,]\d)|\d+(?:[.,]\d+)?")
_LETTER = r"(?:(?![一-鿿〇])[^\W\d_])"
_TOKEN = re.compile(rf"{_DIGITS.pattern}|[½¼¾⅓⅔⅛⅕%°]|[一-鿿〇]|{_LETTER}+(?:-{_LETTER}+)*|[/:]")
_HAN = re.compile(r"[一-鿿〇]")
_UNIT_WITHIN = 3
"""Words behind a number among which its unit is looked for: `a quarter of an hour`."""


@dataclass(frozen=True)
class SaidNumbers:
    """The numbers and the units in a text, and what else may make a number of what was said."""

    numbers: frozenset[float] = frozenset()
    units: frozenset[str] = frozenset()
    one: bool = False
    """Whether a word says that there is one: an article."""
    ends: bool = False
    """Whether a word says the most or the least that is possible."""
    later: bool = False
    """Whether a word puts a time after noon."""

    def __or__(self, other: SaidNumbers) -> SaidNumbers:
        return SaidNumbers(
            self.numbers | other.numbers,
            self.units | other.units,
            self.one or other.one,
            self.ends or other.ends,
            self.later or other.later,
        )


@dataclass(frozen=True)
class _Words:
    """The number words of one language."""

    adds: Mapping[str, float]
    times: Mapping[str, float]
    parts: Mapping[str, float]
    several: Mapping[str, float]
    places: Mapping[str, float]
    one: frozenset[str]
    joins: frozenset[str]
    ends: frozenset[str]
    later: frozenset[str]


@lru_cache(maxsize=1000)
def numbers_in(text: str) -> SaidNumbers:
    """The numbers that a text may say."""
    tokens = _TOKEN.findall(text.casefold())
    placed = list[tuple[int, float]]()
    for at, token in enumerate(tokens):
        placed += [(at, number) for number in _by_digits(token, tokens[at + 1 : at + 3])]
        placed += [(at, words.places[each]) for words in _languages() for each in _forms(token) if each in words.places]
    for words in _languages():
        placed += _by_words(tokens, words)
    known = [*_languages()]
    counted = [*_with_units(tokens, placed)]
    shares = (number / 100 for number, word in counted if find_units(word) == find_units("%"))
    spoken = {*tokens, *_pairs(tokens)}
    return SaidNumbers(
        frozenset((*(number for _, number in placed), *shares)),
        frozenset((*(word for _, word in counted), *(each for each in spoken if len(each) > 1 and find_units(each)))),
        any(spoken & ({*words.one} | {w for w, n in words.adds.items() if n == 1}) for words in known),
        any(spoken & words.ends for words in known),
        any(spoken & words.later for words in known),
    )


def _forms(token: str) -> tuple[str, ...]:
    """A word without the ending of a German or French case: `zweiten`, `deuxièmes`."""
    return token, token.removesuffix("n"), token.removesuffix("r"), token.removesuffix("s")


def _pairs(tokens: Sequence[str]) -> Iterator[str]:
    """Chinese words of two characters."""
    return (f"{a}{b}" for a, b in itertools.pairwise(tokens) if _HAN.fullmatch(a) and _HAN.fullmatch(b))


def _by_digits(token: str, behind: Sequence[str]) -> Iterator[float]:
    if token in _FRACTIONS:
        yield _FRACTIONS[token]
    if not token[:1].isdigit():
        return
    plain = re.sub(r"[ '\u00a0\u202f]", "", token)
    readings = {plain.replace(",", "."), re.sub(r"[.,](?=\d{3}(?:\D|$))", "", plain).replace(",", ".")}
    for reading in readings:
        try:
            number = float(reading)
        except ValueError:
            continue
        yield number
        if behind[:1] == ["/"] and behind[1:2] and behind[1].isdigit() and int(behind[1]):
            yield number / int(behind[1])
        if behind[:1] == [":"] and behind[1:2] and behind[1].isdigit():
            yield number + int(behind[1]) / 60
        if behind and behind[0] in _FRACTIONS:
            yield number + _FRACTIONS[behind[0]]


def _by_words(tokens: Sequence[str], words: _Words) -> Iterator[tuple[int, float]]:
    """The numbers that rows of number words come to, each with the place of its last word."""
    pieces = [(at, piece) for at, token in enumerate(tokens) for piece in _pieces(token, words)]
    known = {**words.adds, **words.times, **words.parts, **words.several}
    row: list[tuple[int, str]] = []
    for at, piece in [*pieces, (len(tokens), "")]:
        if piece in known or (row and piece in words.joins):
            row.append((at, piece))
            continue
        yield from _row_values(row, words)
        row = []


def _row_values(row: Sequence[tuple[int, str]], words: _Words) -> Iterator[tuple[int, float]]:
    """What a row of number words may say: as a whole, and each part of it that is a number of its own."""
    for begin, end in itertools.combinations(range(len(row) + 1), 2):
        part = [piece for _, piece in row[begin:end]]
        inner = {**words.adds, **words.times}
        if part[0] in words.joins or part[-1] in words.joins:
            continue
        if begin and part[0] in words.times and row[begin - 1][1] in words.adds:
            continue  # `hundred` of `two hundred`
        if all(piece in inner or piece in words.joins for piece in part):
            yield row[end - 1][0], _value([piece for piece in part if piece in inner], words)
        elif len(part) == 1:
            yield row[end - 1][0], {**words.parts, **words.several}[part[0]]


def _value(pieces: Sequence[str], words: _Words) -> float:
    """`two hundred fifty`: what adds is added, what multiplies multiplies what stands before it."""
    total, current = 0.0, 0.0
    for piece in pieces:
        if piece in words.adds:
            current += words.adds[piece]
        elif (factor := words.times[piece]) >= 1000:
            total, current = (total + (current or 1)) * factor, 0.0
        else:
            unit = current % 10 if current % 10 and _HAN.fullmatch(piece) else current
            current = current - unit + (unit or 1) * factor
    short = len(pieces) > 1 and words.times.get(pieces[-2], 0) in (100, 1000) and pieces[-1] in words.adds
    if short and _HAN.fullmatch(pieces[-1]):  # 二百五 is 250
        current += words.adds[pieces[-1]] * (words.times[pieces[-2]] / 10 - 1)
    return total + current


@cache
def _splitter(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))))


def _pieces(token: str, words: _Words) -> list[str]:
    """A word as the number words that it is made of: `fünfundzwanzig`; itself if it is not made of such."""
    known = (*words.adds, *words.times, *words.parts, *words.several, *words.joins)
    if token in known or token.removesuffix("s") in known:
        return [token if token in known else token.removesuffix("s")]
    found = _splitter(known).findall(token)
    rest = token
    for each in found:
        rest = rest.replace(each, "", 1)
    return found if len(found) > 1 and not rest.strip("-") else _beginning(token, found, words)


def _beginning(token: str, found: Sequence[str], words: _Words) -> list[str]:
    """The number that a word begins with, if a unit follows: `viertelstunde`, `dreimal`."""
    begin = next((each for each in found if token.startswith(each) and len(each) > 2), "")
    return [begin, token.removeprefix(begin)] if begin else [token]


def _with_units(tokens: Sequence[str], placed: Sequence[tuple[int, float]]) -> Iterator[tuple[float, str]]:
    """Numbers, each with the words for units that stand behind it."""
    for at, number in placed:
        behind = [*tokens[at + 1 : at + 1 + _UNIT_WITHIN], *_pairs(tokens[at + 1 : at + 1 + _UNIT_WITHIN])]
        inside = re.sub(r"^(?:viertel|halb|dreiviertel|anderthalb)", "", tokens[at]) if at < len(tokens) else ""
        two = [f"{a} {b}" for a, b in itertools.pairwise(behind)]
        for word in (*behind, *two, inside):
            if word and find_units(word):
                yield number, word


@cache
def _languages() -> tuple[_Words, ...]:
    tables = loads(resources.files(__package__).joinpath("numbers.toml").read_text(encoding="utf-8"))
    return tuple(
        _Words(
            adds=_values(each["adds"]),
            times=_values(each["times"]),
            parts=_values(each["parts"]),
            several=_values(each["several"]),
            places=_values(each["places"]),
            one=frozenset(_listed(each["one"])),
            joins=frozenset(_listed(each["joins"])),
            ends=frozenset(_listed(each["ends"])),
            later=frozenset(_listed(each["later"])),
        )
        for each in tables.values()
    )


def _listed(text: str) -> list[str]:
    return [each.strip().casefold() for each in text.split(",") if each.strip()]


def _values(text: str) -> dict[str, float]:
    return {word: float(number) for word, number in (each.rsplit(maxsplit=1) for each in _listed(text))}

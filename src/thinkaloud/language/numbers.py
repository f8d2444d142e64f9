"""The numbers in what people say: digits and words, in five languages.

    numbers_in("zweihundertfünfzig Gramm").numbers      {250.0, …}

Every reading of a word counts ("once" is 1 in English and 11 in Spanish): who looks for a number wants to know whether
it can have been said.
"""

from __future__ import annotations

import itertools
import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import Any

from thinkaloud.language.mentions import Mention, Tokens, behind_part, find_mentions, forms_of, is_factor, is_loose
from thinkaloud.language.number_words import HAN, NumberWords, languages, numbers_by_words
from thinkaloud.language.units import find_units, is_same

_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 0.125, "⅕": 0.2}
_UNIT_WITHIN = 3
"""Words behind a number among which its unit is looked for: `a quarter of an hour`."""
_HINTS = ("most", "full", "least", "off", "vague", "whole", "earlier", "later", "shared", "again")
"""What a word may say of an amount, without a number."""

NAMED = "…"
"""What stands where a name stood."""

SaidAmount = tuple[float, str]
"""A number, and the unit that was said with it; an empty one where none was."""


@dataclass(frozen=True)
class SaidNumbers:
    """The numbers and the units in a text, and what else may make a number of what was said."""

    numbers: frozenset[float] = frozenset()
    mentions: frozenset[Mention] = frozenset()
    """The numbers, and what neighbours come to together, each with its unit: two and a half hours."""
    sums: frozenset[tuple[Mention, Mention]] = frozenset()
    """Neighbours in different units: an hour and twenty minutes."""
    units: frozenset[str] = frozenset()
    loose: frozenset[float] = frozenset()
    """The numbers that only words say which are no amount alone: `half`, `both`, an article."""
    places: frozenset[tuple[int, float]] = frozenset()
    """Where each number stands, by the words before it."""
    one: bool = False
    """Whether a word says that there is one: an article."""
    most: bool = False
    """Whether a word says the most that is possible."""
    full: bool = False
    """Whether a word says as much as fits."""
    least: bool = False
    """Whether a word says the least that is possible."""
    off: bool = False
    """Whether a word says that nothing of it is wanted."""
    vague: bool = False
    """Whether a word leaves an amount open."""
    whole: bool = False
    """Whether a word says that all of something is meant."""
    earlier: bool = False
    """Whether a word puts a time before noon."""
    later: bool = False
    """Whether a word puts a time after noon."""
    digits: str = ""
    """All digits, as they were said."""
    shared: bool = False
    """Whether a word says that an amount is divided among several."""
    again: bool = False
    """Whether a word says that something happens again and again."""
    factors: frozenset[float] = frozenset()
    """How many times as much of something is said to be wanted: twice, half."""
    rates: frozenset[float] = frozenset()
    """The numbers that are so much in each of something: 3 mg per kilo."""

    @cached_property
    def amounts(self) -> frozenset[SaidAmount]:
        """The numbers with their units, wherever they stand."""
        return frozenset((each.number, each.unit) for each in self.mentions)

    def __or__(self, other: SaidNumbers) -> SaidNumbers:
        both: dict[str, Any] = {
            each.name: getattr(self, each.name) | getattr(other, each.name)
            for each in fields(self)
            if each.name != "digits"
        }
        return SaidNumbers(digits=f"{self.digits} {other.digits}", **both)

    def about(self, earlier: Iterable[SaidAmount]) -> frozenset[SaidAmount]:
        """What these may come to with amounts of what was said before: `half that`, `three more`."""
        pairs = [(a, unit, b, own) for (a, unit), (b, own) in itertools.product(earlier, self.amounts)]
        more = ((n, unit) for a, unit, b, own in pairs if not own or is_same(own, unit) for n in (a + b, a - b))
        times = ((n, unit) for a, unit, b, own in pairs if own in ("", "%") for n in (a * b, a + a * b, a - a * b))
        return frozenset((*more, *times))


@lru_cache(maxsize=1000)
def numbers_in(text: str, nouns: frozenset[str] = frozenset()) -> SaidNumbers:
    """The numbers that a text may say; `nouns` are what else is counted there: three `residents` are no 3 mg."""
    tokens = Tokens(text)
    placed = list[tuple[int, float]]()
    for at, token in enumerate(tokens):
        placed += [(at, number) for number in _by_digits(tokens, at)]
        placed += [
            (at, words.places[each]) for words in languages() for each in forms_of(token) if each in words.places
        ]
    for words in languages():
        placed += numbers_by_words(tokens, words)
    known = languages()
    counted = [*_with_units(tokens, placed)]
    parts_of_hundred = (number / 100 for number, word in counted if find_units(word) == find_units("%"))
    spoken = {*tokens, *_pairs(tokens)}
    found = find_mentions(tokens, placed, nouns)
    units = [word for word in (*(word for _, word in counted), *(each.unit for each in found.alone)) if word]
    units += [each for each in spoken if len(each) > 1 and find_units(each)]
    firm = {number for at, number in placed if not is_loose(tokens[at], number)}
    hints: dict[str, Any] = {hint: any(spoken & getattr(words, hint) for words in known) for hint in _HINTS}
    return SaidNumbers(
        numbers=frozenset((*(number for _, number in placed), *parts_of_hundred)),
        mentions=frozenset((*found.alone, *found.joined)),
        sums=frozenset(found.sums),
        units=frozenset(units),
        loose=frozenset(number for _, number in placed) - firm,
        places=frozenset(placed),
        one=any(_says_one(tokens, words) for words in known),
        digits=re.sub(r"\D", "", text),
        rates=frozenset(each.number for each in found.rates),
        factors=frozenset(number for at, number in placed if is_factor(tokens[at])),
        **hints,
    )


def _says_one(tokens: Sequence[str], words: NumberWords) -> bool:
    """Whether there is an article, or the like, that is not of what leaves the amount open: `a drop`, not `a few`."""
    ones = {*words.one} | {word for word, number in words.adds.items() if number == 1}
    said = [*tokens, *_pairs(tokens)]
    return any(one in ones and behind not in words.vague for one, behind in itertools.pairwise([*said, ""]))


def without_numbers(text: str, names: Iterable[str], used: Iterable[Collection[float]] = ()) -> str:
    """A text without names that have numbers in them, and without one mention of what is used already.

    Each of `used` is a number, by all the ways in which it may have been said: 19 and 7, of a time.
    """
    text = text.casefold()
    for name in sorted((each for each in names if _has_number(each)), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", NAMED, text)
    for ways in used:
        spans = Tokens(text).spans
        at = next((at for at, number in sorted(numbers_in(text).places) if number in ways), None)
        if at is not None:
            begin, end = spans[at]
            text = f"{text[:begin]}{NAMED}{text[end:]}"
    return text


def is_number(text: str) -> bool:
    """Whether a text is a number that there is."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def is_amount(text: str) -> bool:
    """Whether a text is a number, with or without a unit, and nothing else: `20 ml/h`."""
    return any(each.isdigit() for each in text) and not _has_number(text)


@lru_cache(maxsize=1000)
def _has_number(name: str) -> bool:
    """Whether a name has a number in it, and is no amount itself: `cup 2`, but not `2 cups` or `500 ml`."""
    tokens, places = Tokens(name), {at for at, _ in numbers_in(name).places}
    first = bool(tokens) and (0 in places or unicodedata.category(tokens[0][0]) == "Sc")
    rest = [token for at, token in enumerate(tokens) if at not in places]
    return bool(places) and not (first and all(find_units(each) or not each.isalpha() for each in rest))


def _pairs(tokens: Sequence[str]) -> Iterator[str]:
    """Chinese words of two characters."""
    return (f"{a}{b}" for a, b in itertools.pairwise(tokens) if HAN.fullmatch(a) and HAN.fullmatch(b))


def _by_digits(tokens: Sequence[str], at: int) -> Iterator[float]:
    token, behind = tokens[at], tokens[at + 1 : at + 3]
    if token in _FRACTIONS:  # 3½ is read here, and not as a 3
        whole = [*_by_digits(tokens[:at], at - 1)] if at else []
        yield from (number + _FRACTIONS[token] for number in whole or [0])
    if not token[:1].isdigit() or (behind and behind[0] in _FRACTIONS):
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


def _with_units(tokens: Sequence[str], placed: Sequence[tuple[int, float]]) -> Iterator[tuple[float, str]]:
    """Numbers, each with the words for units that stand behind it."""
    for at, number in placed:
        behind = [*tokens[at + 1 : at + 1 + _UNIT_WITHIN], *_pairs(tokens[at + 1 : at + 1 + _UNIT_WITHIN])]
        inside = behind_part(tokens[at])
        two = [f"{a} {b}" for a, b in itertools.pairwise(behind)]
        for word in (*behind, *two, inside):
            if word and find_units(word):
                yield number, word

"""The numbers in what people say: digits and words, in five languages.

    numbers_in("zweihundertfünfzig Gramm").numbers      {250.0, …}

Every reading of a word counts ("once" is 1 in English and 11 in Spanish): who looks for a number wants to know whether
it can have been said.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from thinkaloud.language.number_words import HAN, NumberWords, languages, numbers_by_words
from thinkaloud.language.units import COUNT, find_units, is_same
from thinkaloud.language.words import singular

_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 0.125, "⅕": 0.2}
_DIGITS = re.compile(r"\d+(?:[.,' \u00a0\u202f]\d{3})+(?![\d.,]\d)|\d+(?:[.,]\d+)?")
_LETTER = r"(?:(?![一-鿿〇])[^\W\d_])"
_TOKEN = re.compile(rf"{_DIGITS.pattern}|[½¼¾⅓⅔⅛⅕%°$€£¥…,;，；、]|[一-鿿〇]|{_LETTER}+(?:-{_LETTER}+)*|[/:]")
_BEFORE = frozenset("$€£¥")
"""Units that stand before their number."""
_ALSO_WORDS = frozenset({"in", "el", "mi", "c", "t", "s", "pie"})
"""Units that are also ordinary words: `put 3 in the box`."""
_UNIT_WITHIN = 3
"""Words behind a number among which its unit is looked for: `a quarter of an hour`."""
_NEXT = 1
"""How many words may stand between two whole numbers that make one: `three times 50`, `4 euros 50`."""
_JOINED_WITHIN = 5
"""How many words further a number may stand that makes one number with another: `half of the 200 ml`."""

_RATED = frozenset({"mass", "length", "area", "litre", "millilitre"})
"""Of what an amount may be so much in each; 5 mg every hour, or 20 ml in each cup, are the amount itself."""

_RATE_WITHIN = 5
"""How many words may stand between: 10 grams of the tripe for every kilo."""

_DOZEN = 12
"""Half a dozen is six; zwölfeinhalb is another number."""
_HINTS = ("most", "full", "least", "off", "vague", "whole", "earlier", "later", "shared", "again")
"""What a word may say of an amount, without a number."""

_NAMED = "…"
"""What stands where a name stood."""

SaidAmount = tuple[float, str]
"""A number, and the unit that was said with it; an empty one where none was."""


@dataclass(frozen=True)
class SaidNumbers:
    """The numbers and the units in a text, and what else may make a number of what was said."""

    numbers: frozenset[float] = frozenset()
    amounts: frozenset[SaidAmount] = frozenset()
    """The numbers, and what neighbours come to together, each with its unit: two and a half hours."""
    sums: frozenset[tuple[SaidAmount, SaidAmount]] = frozenset()
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
    tokens = _TOKEN.findall(text.casefold())
    placed = list[tuple[int, float]]()
    for at, token in enumerate(tokens):
        placed += [(at, number) for number in _by_digits(tokens, at)]
        placed += [(at, words.places[each]) for words in languages() for each in _forms(token) if each in words.places]
    for words in languages():
        placed += numbers_by_words(tokens, words)
    known = languages()
    counted = [*_with_units(tokens, placed)]
    parts_of_hundred = (number / 100 for number, word in counted if find_units(word) == find_units("%"))
    spoken = {*tokens, *_pairs(tokens)}
    alone, joined, sums, rates = _amounts(tokens, placed, nouns)
    units = [word for _, word in (*counted, *alone) if word]
    units += [each for each in spoken if len(each) > 1 and find_units(each)]
    firm = {number for at, number in placed if not _is_loose(tokens, at, number)}
    hints: dict[str, Any] = {hint: any(spoken & getattr(words, hint) for words in known) for hint in _HINTS}
    return SaidNumbers(
        numbers=frozenset((*(number for _, number in placed), *parts_of_hundred)),
        amounts=frozenset((*alone, *joined)),
        sums=frozenset(sums),
        units=frozenset(units),
        loose=frozenset(number for _, number in placed) - firm,
        places=frozenset(placed),
        one=any(_says_one(tokens, words) for words in known),
        digits=re.sub(r"\D", "", text),
        rates=frozenset(rates),
        factors=frozenset(number for at, number in placed if any(_is_factor(tokens[at], words) for words in known)),
        **hints,
    )


def _says_one(tokens: Sequence[str], words: NumberWords) -> bool:
    """Whether there is an article, or the like, that is not of what leaves the amount open: `a drop`, not `a few`."""
    ones = {*words.one} | {word for word, number in words.adds.items() if number == 1}
    said = [*tokens, *_pairs(tokens)]
    return any(one in ones and behind not in words.vague for one, behind in itertools.pairwise([*said, ""]))


def _is_factor(token: str, words: NumberWords) -> bool:
    """Whether a word says how many times as much: twice, half; a third is also a place."""
    return token in words.factors or (token in words.parts and token not in words.places)


def _is_loose(tokens: Sequence[str], at: int, number: float) -> bool:
    """Whether a number is said by a word that is no amount alone: an article, a part, or a word for several."""
    token = tokens[at]
    if token[:1].isdigit() or token in _FRACTIONS or not number:
        return False
    return number == 1 or any(number in (words.parts.get(token), words.several.get(token)) for words in languages())


def without_numbers(text: str, names: Iterable[str], used: Iterable[Collection[float]] = ()) -> str:
    """A text without names that have numbers in them, and without one mention of what is used already.

    Each of `used` is a number, by all the ways in which it may have been said: 19 and 7, of a time.
    """
    text = text.casefold()
    for name in sorted((each for each in names if _has_number(each)), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", _NAMED, text)
    for ways in used:
        spans = [each.span() for each in _TOKEN.finditer(text)]
        at = next((at for at, number in sorted(numbers_in(text).places) if number in ways), None)
        if at is not None:
            begin, end = spans[at]
            text = f"{text[:begin]}{_NAMED}{text[end:]}"
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
    tokens, places = _TOKEN.findall(name.casefold()), {at for at, _ in numbers_in(name).places}
    first = bool(tokens) and (0 in places or tokens[0] in _BEFORE)
    rest = [token for at, token in enumerate(tokens) if at not in places]
    return bool(places) and not (first and all(find_units(each) or not each.isalpha() for each in rest))


def _forms(token: str) -> tuple[str, ...]:
    """A word without the ending of a German or French case: `zweiten`, `deuxièmes`."""
    return token, token.removesuffix("n"), token.removesuffix("r"), token.removesuffix("s")


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
        inside = _behind_part(tokens[at]) if at < len(tokens) else ""
        two = [f"{a} {b}" for a, b in itertools.pairwise(behind)]
        for word in (*behind, *two, inside):
            if word and find_units(word):
                yield number, word


@dataclass(frozen=True)
class _Placed:
    """An amount, and the words that it stands in: the last of its number, and the one behind its unit."""

    number: float
    unit: str
    at: int
    end: int


def _amounts(
    tokens: Sequence[str], placed: Sequence[tuple[int, float]], nouns: Collection[str]
) -> tuple[list[SaidAmount], list[SaidAmount], list[tuple[SaidAmount, SaidAmount]], list[float]]:
    """The numbers with the units that stand right beside them, what neighbours come to together, and the rates."""
    beside = [each for at, number in placed for each in _beside(tokens, at, number, nouns)]
    rates = [each for each in beside if _is_rate(tokens, each)]
    parts = {each.at for each in beside if each.unit and each.number < 1 and _is_place(tokens[each.at])}
    found = [each for each in beside if each not in rates and (each.unit or each.at not in parts)]
    one = [each for each in _ones(tokens) if not any(each.at in (other.at + 1, other.end - 1) for other in beside)]
    articles = {word for words in languages() for word in words.one}
    found += [each for each in one if each.at and tokens[each.at - 1] in articles]
    joined, sums = list[SaidAmount](), list[tuple[SaidAmount, SaidAmount]]()
    halves = [(a, b) for a, b in itertools.product(found, repeat=2) if _is_and_a_half(tokens, a, b)]
    numbered = {each.at for each in found}
    for a, b in itertools.product(found, repeat=2):
        if a.at < b.at <= a.end + _JOINED_WITHIN and not any(a.at < at < b.at for at in numbered):
            between = tokens[a.end : b.at]
            if _is_an(tokens, a, b):
                continue  # ein Viertelliter
            if (a, b) in halves:
                times = not between and not a.unit  # three quarters, but two grams and a half, 两克半
                joined.append((a.number * b.number if times else a.number + b.number, b.unit or a.unit))
                continue
            joined += [(number, b.unit or a.unit) for number in _together(a, b, between)]
            if a.unit and b.unit and not is_same(a.unit, b.unit):  # an hour and ten minutes; not 10 mg here, 20 there
                sums.append(((a.number, a.unit), (b.number, b.unit)))
    for a, b in ((a, b) for a, b in halves if a.at == b.at):  # zwölfeinhalb, demi-douzaine
        joined += [
            (number, b.unit) for number in (a.number + b.number, a.number * b.number)[: 1 + (a.number == _DOZEN)]
        ]
    for a, b in itertools.product(one, found):  # hora y media
        joined += [(1 + b.number, a.unit)] if 0 < b.number < 1 and b.at == a.end + 1 else []
    return (
        [(each.number, each.unit) for each in found if each not in {*itertools.chain(*halves)}],
        joined,
        sums,
        [each.number for each in rates],
    )


def _is_place(token: str) -> bool:
    """Whether a word is a place in a row, too: a tenth, or the tenth."""
    return any(form in words.places for words in languages() for form in _forms(token))


def _is_an(tokens: Sequence[str], one: _Placed, other: _Placed) -> bool:
    """Whether a one is the article of a part: `ein Viertelliter`."""
    beside = one.end == other.at and not one.unit
    return one.number == 1 and other.number < 1 and beside and not tokens[one.at][:1].isdigit()


def _is_and_a_half(tokens: Sequence[str], one: _Placed, other: _Placed) -> bool:
    """Whether two numbers are one amount: two and a half grams, dos gramos y medio, zweieinhalb."""
    if not other.number < 1 <= one.number or _is_an(tokens, one, other):
        return False
    if not tokens[other.at].replace("-", "").isalpha():
        return False  # 3 1/2
    if one.at == other.at:  # a tenth is a part, or a place, and no 10.1
        return not _is_place(tokens[one.at])
    joins = {word for words in languages() for word in (*words.joins, *words.one)}
    return one.end <= other.at and joins >= {*tokens[one.end : other.at]}


def _together(one: _Placed, other: _Placed, between: Sequence[str]) -> Iterator[float]:
    """What two numbers come to: two and a half, three quarters, 4 euros 50, one fifteen, a dozen and a half."""
    a, b = one.number, other.number
    if a < 1:  # half of the 200 ml; half past seven is no 7.5
        yield a * b
        return
    if b < 1:
        yield from (a + b, a - b, a * b, a + a * b)
    small = {word for words in languages() for word in (*words.of, *words.joins)}
    if len(between) > _NEXT or small & {*between}:
        return
    counts = [any(unit.measures == COUNT for unit in find_units(each.unit)) for each in (one, other)]
    if one.unit and other.unit:  # 20 ml, then wait 3 minutes; but three times 50 ml
        yield from (a * b for each in counts if each)
    elif one.unit and not counts[0]:  # 4 euros 50; but 5 mg at 8
        yield from () if between else (a + b / 10, a + b / 100, a + b / 1000)
    else:
        yield from (a * b, a + b / 10, a + b / 100, a + b / 1000, a * 100 + b)


def _beside(tokens: Sequence[str], at: int, number: float, nouns: Collection[str]) -> Iterator[_Placed]:
    """A number with the unit right behind it, right before it (`$5`) or within its own word (`Viertelstunde`)."""
    unit, end = _unit_at(tokens, _skipped(tokens, at + 1) if number < 1 or number in (2, 12) else at + 1)
    inside = _behind_part(tokens[at]) if at < len(tokens) else ""
    if not unit and inside and find_units(inside):
        unit, end = inside, at + 1
    if not unit and at and tokens[at - 1] in _BEFORE:
        unit, end = tokens[at - 1], at + 1
    behind = next(iter(tokens[at + 1 : at + 2]), "")
    if not unit and (behind in nouns or singular(behind) in nouns):
        unit, end = behind, at + 2
    if not unit or unit in _ALSO_WORDS:
        yield _Placed(number, "", at, at + 1)
    if unit:
        yield _Placed(number, unit, at, end)


def _is_rate(tokens: Sequence[str], amount: _Placed) -> bool:
    """Whether there is so much in each of another unit: 5 mg per kilo are not 5 mg."""
    if not amount.unit:
        return False
    per = {"/"}.union(*(words.per for words in languages()))
    beside = per.union(*(words.per_beside for words in languages()))
    near = [*enumerate(tokens[amount.end : amount.end + _RATE_WITHIN], amount.end)]
    behind = next((at for at, token in near if token in (beside if at == amount.end else per)), None)
    before = next(
        (at for at in range(amount.at) if tokens[at] in per and _unit_at(tokens, at + 1)[1] == amount.at), None
    )
    found = (_unit_at(tokens, at + 1)[0] for at in (behind, before) if at is not None)
    units = {unit for word in found if word and word not in _ALSO_WORDS for unit in find_units(word)}
    return any(_RATED & {each.measures, each.name} for each in units)


@lru_cache(maxsize=1000)
def _behind_part(token: str) -> str:
    """What a word goes on with that begins with a part: `Achtelliter`; empty if it does not."""
    parts = [each for words in languages() for each in (*words.parts, *words.several)]
    begin = max((each for each in parts if len(each) > 2 and token.startswith(each)), key=len, default=token)
    return token.removeprefix(begin).strip("-")


def _ones(tokens: Sequence[str]) -> Iterator[_Placed]:
    """Units of which there may be one: `an hour`, and `hora y media`."""
    for at in range(len(tokens)):
        unit, end = _unit_at(tokens, at)
        if unit and len(unit) > 1 and unit not in _ALSO_WORDS:
            yield _Placed(1.0, unit, at, end)


def _unit_at(tokens: Sequence[str], at: int) -> tuple[str, int]:
    """The unit whose word, or words, begin there, and the place behind it; empty if none does."""
    for many in (3, 2, 1):
        words = tokens[at : at + many]
        for text in (" ".join(words), "".join(words)) if len(words) == many else ():
            if text != "个" and find_units(text):
                return text, at + many
    return ("", at) if tokens[at : at + 1] != ["个"] else _unit_at(tokens, at + 1)


def _skipped(tokens: Sequence[str], at: int) -> int:
    """The place behind what may stand between a part and its unit: `half an hour`, `a quarter of an hour`."""
    small = {
        word for words in languages() for word in (*words.one, *words.of, *words.adds) if words.adds.get(word, 1) == 1
    }
    while at < len(tokens) and tokens[at] in small:
        at += 1
    return at

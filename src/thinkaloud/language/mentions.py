"""Amounts as people mention them: each number with its unit, the words beside it, and what neighbours come to together.

Two and a half cups, 4 euros 50, an hour and ten minutes. `language/numbers.py` finds the numbers themselves.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from thinkaloud.language.number_words import languages
from thinkaloud.language.units import COUNT, find_units, is_same
from thinkaloud.language.words import singular

DIGITS = re.compile(r"\d+(?:[.,' \u00a0\u202f]\d{3})+(?![\d.,]\d)|\d+(?:[.,]\d+)?")
_LETTER = r"(?:(?![一-鿿〇])[^\W\d_])"
_WITHIN_WORD = rf"(?<={_LETTER})['’](?={_LETTER})|(?<=\d)-(?={_LETTER})"
_TOKEN = re.compile(rf"{DIGITS.pattern}|[½¼¾⅓⅔⅛⅕]|[一-鿿〇]|{_LETTER}+(?:-{_LETTER}+)*|(?!{_WITHIN_WORD})[^\w\s]|\n")
_PAUSES = frozenset(".,;:!?…()\n，。；：！？、（）–—")
"""Signs between which words have nothing to do with each other."""
_ALSO_WORDS = frozenset({"in", "el", "mi", "c", "t", "s", "pie"})
"""Units that are also ordinary words: `put 3 in the box`."""
_NEXT = 1
"""How many words may stand between two whole numbers that make one: `three times 50`, `4 euros 50`."""
_JOINED_WITHIN = 5
"""How many words further a number may stand that makes one number with another: `half of the 200 ml`."""
_RATED = frozenset({"mass", "length", "area", "litre", "millilitre"})
"""Of what an amount may be so much in each; 5 mg every hour, or 20 ml in each cup, are the amount itself."""
_RATE_WITHIN = 5
"""How many words may stand between: 10 grams of the tripe for every kilo."""


class Tokens(list[str]):
    """The words, numbers and signs of a text; `spans` tells where each stands in it."""

    def __init__(self, text: str) -> None:
        found = [*_TOKEN.finditer(text.casefold())]
        super().__init__(each[0] for each in found)
        self.spans = [each.span() for each in found]

    def is_attached(self, at: int) -> bool:
        """Whether a token stands right behind the one before it: the `in` of 30in."""
        return 0 < at < len(self) and self.spans[at - 1][1] == self.spans[at][0]


@dataclass(frozen=True)
class Mention:
    """An amount as it was said; an empty unit where none was."""

    number: float
    unit: str
    begin: int
    """The place of its first word."""
    at: int
    """The place of the last word of its number."""
    end: int
    """The place behind its unit."""
    before: str = ""
    """The word or sign right before it; empty at a pause."""
    following: tuple[str, ...] = ()
    """The words and signs behind it, up to a pause."""

    @property
    def behind(self) -> str:
        """The word or sign right behind it; empty at a pause."""
        return self.following[0] if self.following else ""

    def overlaps(self, other: Mention) -> bool:
        """Whether two share a word, as `an hour` and `an hour and a half` do."""
        return self.begin < other.end and other.begin < self.end


@dataclass(frozen=True)
class Found:
    """The amounts of a text."""

    alone: Sequence[Mention]
    joined: Sequence[Mention]
    sums: Sequence[tuple[Mention, Mention]]
    """Neighbours in different units: an hour and ten minutes."""
    rates: Sequence[Mention]
    """So much in each of something: 5 mg per kilo."""


def find_mentions(tokens: Tokens, placed: Sequence[tuple[int, float]], nouns: Collection[str]) -> Found:
    """The numbers at these places with the units right beside them, and what neighbours come to together."""
    beside = [each for at, number in placed for each in _beside(tokens, at, number, nouns)]
    rates = [each for each in beside if _is_rate(tokens, each, beside, nouns)]
    parts = {each.at for each in beside if each.unit and each.number < 1 and _is_place(tokens[each.at])}
    found = [each for each in beside if each not in rates and (each.unit or each.at not in parts)]
    ones = [each for each in _ones(tokens) if not any(each.at in (other.at + 1, other.end - 1) for other in beside)]
    found += [each for each in ones if each.at and tokens[each.at - 1] in _articles()]
    pairs = [(a, b) for a, b in itertools.product(found, repeat=2) if _may_join(a, b, found)]
    halves = [(a, b) for a, b in itertools.product(found, repeat=2) if _is_and_a_half(tokens, a, b)]
    joined = [each for a, b in pairs for each in _joined(tokens, a, b, half=(a, b) in halves)]
    joined += [each for a, b in halves if a.at == b.at for each in _in_one_word(a, b)]
    joined += [
        _joint(1 + b.number, a, b, a.unit)
        for a, b in itertools.product(ones, found)
        if 0 < b.number < 1 and b.at == a.end + 1  # hora y media
    ]
    sums = [(a, b) for a, b in pairs if a.unit and b.unit and not is_same(a.unit, b.unit) and (a, b) not in halves]
    used = {*itertools.chain(*halves), *(b for a, b in pairs if _is_multiplied(tokens, a, b))}
    return Found([each for each in found if each not in used], joined, sums, rates)


def is_factor(token: str) -> bool:
    """Whether a word says how many times as much: twice, half; a third is also a place."""
    return any(token in words.factors or (token in words.parts and token not in words.places) for words in languages())


def is_loose(token: str, number: float) -> bool:
    """Whether a number is said by a word that is no amount alone: an article, a part, or a word for several."""
    if not token[0].isalpha() or not number:
        return False
    several = (words.parts.get(token, words.several.get(token)) for words in languages())
    return number == 1 or is_factor(token) or number in several


def forms_of(token: str) -> tuple[str, ...]:
    """A word without the ending of a German or French case: `zweiten`, `deuxièmes`."""
    return token, token.removesuffix("n"), token.removesuffix("r"), token.removesuffix("s")


# What neighbours come to ----------------------------------------------------------------------------------------------


def _may_join(a: Mention, b: Mention, found: Sequence[Mention]) -> bool:
    """Whether two are neighbours, with no other number between them."""
    return a.at < b.at <= a.end + _JOINED_WITHIN and not any(a.at < each.at < b.at for each in found)


def _joint(number: float, a: Mention, b: Mention, unit: str) -> Mention:
    return replace(b, number=number, unit=unit, begin=a.begin, before=a.before)


def _joined(tokens: Tokens, a: Mention, b: Mention, *, half: bool) -> Iterator[Mention]:
    """What two neighbours come to together: two and a half, three quarters, 4 euros 50."""
    between = tokens[a.end : b.at]
    if _is_an(tokens, a, b):
        return  # ein Viertelliter
    if half:
        times = not between and not a.unit  # three quarters, but two grams and a half, 两克半
        numbers = iter([a.number * b.number if times else a.number + b.number])
    else:
        numbers = _together(a, b, between)
    yield from (_joint(number, a, b, b.unit or a.unit) for number in numbers)


def _in_one_word(a: Mention, b: Mention) -> Iterator[Mention]:
    """What a word comes to that is a number and a half: zwölfeinhalb, demi-douzaine."""
    yield replace(b, number=a.number + b.number)
    if a.number == 12:  # half a dozen is six; zwölfeinhalb is another number
        yield replace(b, number=a.number * b.number)


def _is_multiplied(tokens: Tokens, a: Mention, b: Mention) -> bool:
    """Whether an amount is only said to take a part of it, or more of it: half of 100 mg, twice 100, 3 times 50."""
    factor = (is_factor(tokens[a.at]) and not a.unit) or any(each.measures == COUNT for each in find_units(a.unit))
    return factor and _linking() >= {*tokens[a.end : b.begin]}


def _is_place(token: str) -> bool:
    """Whether a word is a place in a row, too: a tenth, or the tenth."""
    return any(form in words.places for words in languages() for form in forms_of(token))


def _is_an(tokens: Tokens, one: Mention, other: Mention) -> bool:
    """Whether a one is the article of a part: `ein Viertelliter`."""
    beside = one.end == other.at and not one.unit
    return one.number == 1 and other.number < 1 and beside and not tokens[one.at][:1].isdigit()


def _is_and_a_half(tokens: Tokens, one: Mention, other: Mention) -> bool:
    """Whether two numbers are one amount: two and a half grams, dos gramos y medio, zweieinhalb."""
    if not other.number < 1 <= one.number or _is_an(tokens, one, other):
        return False
    if not tokens[other.at].replace("-", "").isalpha():
        return False  # 3 1/2
    if one.at == other.at:  # a tenth is a part, or a place, and no 10.1
        return not _is_place(tokens[one.at])
    joins = {word for words in languages() for word in (*words.joins, *words.one)}
    return one.end <= other.at and joins >= {*tokens[one.end : other.at]}


def _together(one: Mention, other: Mention, between: Sequence[str]) -> Iterator[float]:
    """What two numbers come to: half of 200, three times 50, 4 euros 50, one fifteen, a dozen and a half."""
    a, b = one.number, other.number
    if a < 1:  # half of the 200 ml; half past seven is no 7.5
        yield a * b
        return
    if b < 1:
        yield from (a + b, a - b, a * b, a + a * b)
    if len(between) > _NEXT or _linking() & {*between} or _PAUSES & {*between}:
        return
    counts = [any(unit.measures == COUNT for unit in find_units(each.unit)) for each in (one, other)]
    if one.unit and other.unit:  # 20 ml, then wait 3 minutes; but three times 50 ml
        yield from (a * b for each in counts if each)
    elif one.unit and not counts[0]:  # 4 euros 50; but 5 mg at 8
        yield from () if between else (a + b / 10, a + b / 100, a + b / 1000)
    else:
        yield from (a * b, a + b / 10, a + b / 100, a + b / 1000, a * 100 + b)


# One number and its unit ----------------------------------------------------------------------------------------------


def _mention(tokens: Tokens, number: float, unit: str, at: int, end: int) -> Mention:
    """An amount with what stands beside it."""
    begin = at
    while begin and not tokens[at][0].isdigit() and _is_number_word(tokens[begin - 1]):
        begin -= 1
    following = tuple(itertools.takewhile(lambda word: word not in _PAUSES, tokens[end:]))
    return Mention(number, unit, begin, at, end, _before(tokens, begin - 1), following)


def _before(tokens: Tokens, at: int) -> str:
    """The word or sign before an amount; nothing at a pause, and for the sign of a number."""
    word = tokens[at] if at >= 0 else ""
    return "" if word in _PAUSES or (word in "+-−±" and not tokens.is_attached(at)) else word


def _beside(tokens: Tokens, at: int, number: float, nouns: Collection[str]) -> Iterator[Mention]:
    """A number with the unit right behind it, right before it (`$5`) or within its own word (`Viertelstunde`)."""
    unit, end = behind_part(tokens[at]), at + 1
    if len(unit) < 3 or not find_units(unit):
        unit, end = _unit_at(tokens, _skipped(tokens, at + 1) if number < 1 or number in (2, 12) else at + 1)
        if not unit and not _is_small(tokens, at + 1):
            unit, end = _unit_at(tokens, at + 2)  # five more minutes, 30 small drops
    if not unit and at and unicodedata.category(tokens[at - 1][0]) == "Sc" and find_units(tokens[at - 1]):
        unit, end = tokens[at - 1], at + 1
    behind = next(iter(tokens[at + 1 : at + 2]), "")
    if not unit and (behind in nouns or singular(behind) in nouns):
        unit, end = behind, at + 2
    if not unit or (unit in _ALSO_WORDS and not tokens.is_attached(at + 1)):
        yield _mention(tokens, number, "", at, at + 1)
    if unit:
        yield _mention(tokens, number, unit, at, end)


def _is_rate(tokens: Tokens, amount: Mention, beside: Sequence[Mention], nouns: Collection[str]) -> bool:
    """Whether there is so much in each of another unit, which has no number of its own: 5 mg per kilo are not 5 mg."""
    if not amount.unit:
        return False
    taken = {at for each in beside if not is_loose(tokens[each.at], each.number) for at in range(each.begin, each.end)}
    near = range(amount.end, min(amount.end + _RATE_WITHIN, len(tokens)))
    pause = next((at for at in near if tokens[at] in _PAUSES), near.stop)
    each = {word for words in languages() for word in words.again}
    before = [at for at in range(1, amount.begin) if tokens[at - 1] in each and _unit_at(tokens, at)[1] == amount.begin]
    found = (_unit_at(tokens, at)[0] for at in (*range(amount.end, pause), *before) if at not in taken)
    units = {
        unit
        for word in found
        if len(word) > 1 and word not in _ALSO_WORDS and word not in nouns
        for unit in find_units(word)
    }
    return any(_RATED & {each.measures, each.name} for each in units)


@lru_cache(maxsize=1000)
def behind_part(token: str) -> str:
    """What a word goes on with that begins with a part: `Achtelliter`; empty if it does not."""
    parts = [each for words in languages() for each in (*words.parts, *words.several)]
    begin = max((each for each in parts if len(each) > 2 and token.startswith(each)), key=len, default=token)
    return token.removeprefix(begin).strip("-")


def _ones(tokens: Tokens) -> Iterator[Mention]:
    """Units of which there may be one: `an hour`, and `hora y media`."""
    for at in range(len(tokens)):
        unit, end = _unit_at(tokens, at)
        if unit and len(unit) > 1 and unit not in _ALSO_WORDS:
            yield _mention(tokens, 1.0, unit, at, end)


def _unit_at(tokens: Sequence[str], at: int) -> tuple[str, int]:
    """The unit whose word, or words, begin there, and the place behind it; empty if none does."""
    for many in (3, 2, 1):
        words = tokens[at : at + many]
        whole = len(words) == many and not _PAUSES & {*words}
        for text in (" ".join(words), "".join(words)) if whole else ():
            if text != "个" and find_units(text):
                return text, at + many
    return ("", at) if tokens[at : at + 1] != ["个"] else _unit_at(tokens, at + 1)


def _is_small(tokens: Sequence[str], at: int) -> bool:
    """Whether a place has no word that may stand between a number and its unit, as `more` does."""
    word = tokens[at] if at < len(tokens) else ""
    return not word.isalpha() or word in _small_words() | _linking() or bool(find_units(word)) or _is_number_word(word)


def _skipped(tokens: Sequence[str], at: int) -> int:
    """The place behind what may stand between a part and its unit: `half an hour`, `a quarter of an hour`."""
    small = _small_words()
    while at < len(tokens) and tokens[at] in small:
        at += 1
    return at


@lru_cache(maxsize=1000)
def _is_number_word(token: str) -> bool:
    return any(token in words.numbers for words in languages())


@cache
def _small_words() -> frozenset[str]:
    return frozenset(
        word for words in languages() for word in (*words.one, *words.of, *words.adds) if words.adds.get(word, 1) == 1
    )


@cache
def _linking() -> frozenset[str]:
    """Words that may stand between a part and what it is of, or between two numbers."""
    return frozenset(word for words in languages() for word in (*words.of, *words.joins))


@cache
def _articles() -> frozenset[str]:
    return frozenset(word for words in languages() for word in words.one)

"""The numbers in what people say: digits and words, in five languages.

    numbers_in("zweihundertfünfzig Gramm").numbers      {250.0, …}

Every reading of a word counts ("once" is 1 in English and 11 in Spanish): who looks for a number wants to know whether
it can have been said.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import resources
from tomllib import loads

from thinkaloud.language.units import COUNT, find_units, is_same
from thinkaloud.language.words import singular

_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 0.125, "⅕": 0.2}
_DIGITS = re.compile(r"\d+(?:[.,' \u00a0\u202f]\d{3})+(?![\d.,]\d)|\d+(?:[.,]\d+)?")
_LETTER = r"(?:(?![一-鿿〇])[^\W\d_])"
_TOKEN = re.compile(rf"{_DIGITS.pattern}|[½¼¾⅓⅔⅛⅕%°$€£¥…]|[一-鿿〇]|{_LETTER}+(?:-{_LETTER}+)*|[/:]")
_BEFORE = frozenset("$€£¥")
"""Units that stand before their number."""
_ALSO_WORDS = frozenset({"in", "el", "mi", "c", "t", "s", "pie"})
"""Units that are also ordinary words: `put 3 in the box`."""
_HAN = re.compile(r"[一-鿿〇]")
_TIMES = ("mal", "fach")
"""How German words end that say how often, or how many times as much."""
_UNIT_WITHIN = 3
"""Words behind a number among which its unit is looked for: `a quarter of an hour`."""
_NEXT = 1
"""How many words may stand between two whole numbers that make one: `three times 50`, `4 euros 50`."""
_JOINED_WITHIN = 5
"""How many words further a number may stand that makes one number with another: `half of the 200 ml`."""

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

    def __or__(self, other: SaidNumbers) -> SaidNumbers:
        return SaidNumbers(
            self.numbers | other.numbers,
            self.amounts | other.amounts,
            self.sums | other.sums,
            self.units | other.units,
            self.loose | other.loose,
            self.places | other.places,
            self.one or other.one,
            self.most or other.most,
            self.full or other.full,
            self.least or other.least,
            self.off or other.off,
            self.vague or other.vague,
            self.whole or other.whole,
            self.earlier or other.earlier,
            self.later or other.later,
            f"{self.digits} {other.digits}",
        )

    def about(self, earlier: Iterable[SaidAmount]) -> frozenset[SaidAmount]:
        """What these may come to with amounts of what was said before: `half that`, `three more`."""
        pairs = [(a, unit, b, own) for (a, unit), (b, own) in itertools.product(earlier, self.amounts)]
        more = ((n, unit) for a, unit, b, own in pairs if not own or is_same(own, unit) for n in (a + b, a - b))
        times = ((n, unit) for a, unit, b, own in pairs if own in ("", "%") for n in (a * b, a + a * b, a - a * b))
        return frozenset((*more, *times))


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
    most: frozenset[str]
    full: frozenset[str]
    least: frozenset[str]
    off: frozenset[str]
    vague: frozenset[str]
    whole: frozenset[str]
    of: frozenset[str]
    earlier: frozenset[str]
    later: frozenset[str]

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


@lru_cache(maxsize=1000)
def numbers_in(text: str, nouns: frozenset[str] = frozenset()) -> SaidNumbers:
    """The numbers that a text may say; `nouns` are what else is counted there: three `residents` are no 3 mg."""
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
    alone, joined, sums = _amounts(tokens, placed, nouns)
    return SaidNumbers(
        frozenset((*(number for _, number in placed), *shares)),
        frozenset((*alone, *joined)),
        frozenset(sums),
        frozenset(
            (
                *(word for _, word in (*counted, *alone) if word),
                *(each for each in spoken if len(each) > 1 and find_units(each)),
            )
        ),
        frozenset(number for _, number in placed)
        - {number for at, number in placed if not _is_loose(tokens, at, number)},
        frozenset(placed),
        any(_says_one(tokens, words) for words in known),
        any(spoken & words.most for words in known),
        any(spoken & words.full for words in known),
        any(spoken & words.least for words in known),
        any(spoken & words.off for words in known),
        any(spoken & words.vague for words in known),
        any(spoken & words.whole for words in known),
        any(spoken & words.earlier for words in known),
        any(spoken & words.later for words in known),
        re.sub(r"\D", "", text),
    )


def _says_one(tokens: Sequence[str], words: _Words) -> bool:
    """Whether there is an article, or the like, that is not of what leaves the amount open: `a drop`, not `a few`."""
    ones = {*words.one} | {word for word, number in words.adds.items() if number == 1}
    said = [*tokens, *_pairs(tokens)]
    return any(one in ones and behind not in words.vague for one, behind in itertools.pairwise([*said, ""]))


def _is_loose(tokens: Sequence[str], at: int, number: float) -> bool:
    """Whether a number is said by a word that is no amount alone: an article, a part, or a word for several."""
    token = tokens[at]
    if token[:1].isdigit() or token in _FRACTIONS or not number:
        return False
    return number == 1 or any(number in (words.parts.get(token), words.several.get(token)) for words in _languages())


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
    row: list[tuple[int, str]] = []
    for at, piece in [*pieces, (len(tokens), "")]:
        if piece in words.numbers or (row and piece in words.joins):
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


def _pieces(token: str, words: _Words) -> list[str]:
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


def _beginning(token: str, found: Sequence[str], words: _Words) -> list[str]:
    """The number that a word begins with, if a unit follows: `viertelstunde`, `dreimal`; `milk` has no `mil`."""
    begin = next((each for each in found if token.startswith(each) and len(each) > 2), "")
    rest = token.removeprefix(begin).strip("-")
    return (
        [begin, rest]
        if begin and (rest == "er" or rest.startswith(_TIMES) or (len(rest) > 2 and find_units(rest)))
        else [token]
    )


def _with_units(tokens: Sequence[str], placed: Sequence[tuple[int, float]]) -> Iterator[tuple[float, str]]:
    """Numbers, each with the words for units that stand behind it."""
    for at, number in placed:
        behind = [*tokens[at + 1 : at + 1 + _UNIT_WITHIN], *_pairs(tokens[at + 1 : at + 1 + _UNIT_WITHIN])]
        inside = re.sub(r"^(?:viertel|halb|dreiviertel|anderthalb|demi-)", "", tokens[at]) if at < len(tokens) else ""
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
) -> tuple[list[SaidAmount], list[SaidAmount], list[tuple[SaidAmount, SaidAmount]]]:
    """The numbers with the units that stand right beside them, and what neighbours come to together."""
    found = [each for at, number in placed for each in _beside(tokens, at, number, nouns)]
    one = [each for each in _ones(tokens) if not any(other.at == each.at - 1 for other in found)]
    articles = {word for words in _languages() for word in words.one}
    found += [each for each in one if each.at and tokens[each.at - 1] in articles]
    joined, sums = list[SaidAmount](), list[tuple[SaidAmount, SaidAmount]]()
    numbered = {each.at for each in found}
    for a, b in itertools.product(found, repeat=2):
        if a.at < b.at <= a.end + _JOINED_WITHIN and not any(a.at < at < b.at for at in numbered):
            between = tokens[a.end : b.at]
            joined += [(number, b.unit or a.unit) for number in _together(a, b, between)]
            sums += [((a.number, a.unit), (b.number, b.unit))] if a.unit and b.unit else []
    for a, b in itertools.combinations(found, 2):  # demi-douzaine, zwölfeinhalb
        part = min(a.number, b.number) < 1 < max(a.number, b.number)
        joined += [(number, b.unit) for number in (a.number + b.number, a.number * b.number) if a.at == b.at and part]
    for a, b in itertools.product(one, found):  # hora y media
        joined += [(1 + b.number, a.unit)] if 0 < b.number < 1 and b.at == a.end + 1 else []
    return [(each.number, each.unit) for each in found], joined, sums


def _together(one: _Placed, other: _Placed, between: Sequence[str]) -> Iterator[float]:
    """What two numbers come to: two and a half, three quarters, 4 euros 50, one fifteen, a dozen and a half."""
    a, b = one.number, other.number
    if a < 1:  # half of the 200 ml; half past seven is no 7.5
        yield a * b
        return
    if b < 1:
        yield from (a + b, a - b, a * b, a + a * b)
    small = {word for words in _languages() for word in (*words.of, *words.joins)}
    if len(between) > _NEXT or small & {*between}:
        return
    if one.unit and other.unit:  # 20 ml, then wait 3 minutes; but three times 50 ml
        yield from (a * b for each in (one, other) if any(unit.measures == COUNT for unit in find_units(each.unit)))
    else:
        yield from (a + b, a - b, a * b, a + b / 10, a + b / 100, a + b / 1000, a * 100 + b)
        yield from ([a / b] if b else [])


def _beside(tokens: Sequence[str], at: int, number: float, nouns: Collection[str]) -> Iterator[_Placed]:
    """A number with the unit right behind it, right before it (`$5`) or within its own word (`Viertelstunde`)."""
    unit, end = _unit_at(tokens, _skipped(tokens, at + 1) if number < 1 or number in (2, 12) else at + 1)
    inside = re.sub(r"^(?:viertel|halb|dreiviertel|anderthalb|demi-)", "", tokens[at]) if at < len(tokens) else ""
    if not unit and inside and inside != tokens[at] and find_units(inside):
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
        word for words in _languages() for word in (*words.one, *words.of, *words.adds) if words.adds.get(word, 1) == 1
    }
    while at < len(tokens) and tokens[at] in small:
        at += 1
    return at


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
            most=frozenset(_listed(each["most"])),
            full=frozenset(_listed(each["full"])),
            least=frozenset(_listed(each["least"])),
            off=frozenset(_listed(each["off"])),
            vague=frozenset(_listed(each["vague"])),
            whole=frozenset(_listed(each["whole"])),
            of=frozenset(_listed(each["of"])),
            earlier=frozenset(_listed(each["earlier"])),
            later=frozenset(_listed(each["later"])),
        )
        for each in tables.values()
    )


def _listed(text: str) -> list[str]:
    return [each.strip().casefold() for each in text.split(",") if each.strip()]


def _values(text: str) -> dict[str, float]:
    return {word: float(number) for word, number in (each.rsplit(maxsplit=1) for each in _listed(text))}

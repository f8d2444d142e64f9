"""Units of amounts: what a word for one means, and how many of another unit that is.

    convert(0.5, "litre", "ml")     500.0
    convert(2, "tablespoon", "g")   None: how heavy a spoonful is depends on what is in it

Only units in `units.toml` are known; a word that is in none of its tables cannot be converted.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from importlib import resources
from tomllib import loads
from typing import Any

from thinkaloud.language.words import plural, singular

COUNT = "count"
"""The table of units that need no other one: a dozen is 12 of anything."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: what it measures, how large it is, and for temperatures where its zero is."""

    measures: str
    name: str
    size: Fraction
    zero: Fraction
    words: frozenset[str]


@lru_cache(maxsize=4096)  # every word of a request is looked up, in several ways
def find_units(word: str) -> tuple[Unit, ...]:
    """The units that a word may mean: an ounce is a mass or a volume."""
    return next((found for form in _forms(word) if (found := _by_word().get(form))), ())


def is_same(word: str, unit: str) -> bool:
    """Whether a word for a unit is another word for it, or the same word in the plural."""
    wanted = {*find_units(unit)}
    return bool({*_forms(word)} & {*_forms(unit)}) or (bool(wanted) and wanted <= {*find_units(word)})


def several(unit: str) -> str:
    """The word for more than one of a unit: degrees; what is no whole English word stays as it is: ml, percent."""
    whole = len(unit) > 2 and not unit.endswith(("s", "z"))
    counted = any(each.name == unit and each.measures != "share" for each in find_units(unit))
    return plural(unit) if whole and counted else unit


def convert(number: float, word: str, unit: str, *, difference: bool = False) -> float | None:
    """How many of a unit an amount is; None if that cannot be said. `difference`: of a temperature, how much more."""
    if is_same(word, unit):
        return number
    pairs = [(given, to) for given in find_units(word) for to in find_units(unit) if given.measures == to.measures]
    if len(pairs) != 1:  # degrees may be Celsius or Fahrenheit
        return None
    given, to = pairs[0]
    size = Fraction(str(number)) * given.size + (0 if difference else given.zero)
    return float(f"{float((size - (0 if difference else to.zero)) / to.size):.9g}")


def all_ways(number: float, word: str) -> tuple[float, ...]:
    """An amount in all units into which it can be converted: two minutes are 120 of something."""
    alike = {unit.name for given in find_units(word) for unit in _units_of(given.measures)}
    return tuple(found for each in sorted(alike) if (found := convert(number, word, each)) is not None)


def count_of(word: str) -> float | None:
    """How many things a word for a number of them is: 12 for a dozen; None for any other."""
    return next((float(unit.size) for unit in find_units(word) if unit.measures == COUNT), None)


def stands_alone(word: str) -> bool:
    """Whether nothing can be converted to or from a unit: tablets, drops, glasses."""
    return all(len(_tables()[unit.measures]) == 1 for unit in find_units(word))


@lru_cache(maxsize=4096)
def _forms(word: str) -> tuple[str, ...]:
    small = " ".join(word.replace("_", " ").casefold().split()).removesuffix(".")
    first, space, rest = small.partition(" ")
    several = [small.removesuffix(end) for end in ("en", "n", "es") if small.endswith(end) and len(small) > 4]
    each = " ".join(map(singular, small.split()))
    return tuple(dict.fromkeys((small, singular(small), f"{singular(first)}{space}{rest}", each, *several)))


@cache
def _tables() -> dict[str, dict[str, Any]]:
    return loads(resources.files(__package__).joinpath("units.toml").read_text(encoding="utf-8"))


@cache
def _units_of(measures: str) -> frozenset[Unit]:
    return frozenset(unit for units in _by_word().values() for unit in units if unit.measures == measures)


@cache
def _by_word() -> dict[str, tuple[Unit, ...]]:
    found: dict[str, tuple[Unit, ...]] = {}
    for measures, units in _tables().items():
        for name, each in units.items():
            words = frozenset(map(str.casefold, (name, *each["words"])))
            unit = Unit(measures, name, Fraction(each["size"]), Fraction(each.get("zero", "0")), words)
            for word in words:
                found[word] = (*found.get(word, ()), unit)
    return found

"""Amounts in a program: the writer keeps the number and the unit that were said, and code converts them.

    pour("milk", amount(0.5, "litre"), "mug")     500, if the skill takes ml
    [c for c in cups if level(c) < amount(0.1, "litre")]

What the robot counts in is declared (`Amount("ml")`), or is in its own words: `minutes`, `Add {n} spoons of {food}`. An
amount that cannot be converted is a question, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from thinkaloud.errors import Missing
from thinkaloud.language.units import COUNT, convert, count_of, find_units, is_same, several, stands_alone
from thinkaloud.language.words import plural, singular
from thinkaloud.program.units import Converted, HowMuch, ask_how_many, counted_in, unit_of
from thinkaloud.skills.signatures import Parameter, spell_number

_OF_SOMETHING = frozenset(("volume", "mass", COUNT))
"""What there is some of: 0 ml are none, while 0 degrees are a temperature."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a unit that a person said."""

    number: float
    unit: str

    def __str__(self) -> str:
        return f"{spell_number(self.number)} {self._noun}"

    @property
    def _noun(self) -> str:
        several = self.number != 1 and self.unit.isascii() and len(self.unit) > 2 and " " not in self.unit
        return plural(singular(self.unit)) if several else self.unit


class Counted(float):
    """What a measure tells, in the unit that the robot counts in."""

    unit: str = ""

    @classmethod
    def of(cls, number: float, unit: str) -> Counted:
        """A number in a unit of the robot's."""
        found = cls(number)
        found.unit = unit
        return found

    def __str__(self) -> str:
        return spell_number(self)

    @property
    def told(self) -> str:
        """The number with its unit: `12 litres`, `1 litre`."""
        one = abs(self) == 1 and len(self.unit) > 3
        return f"{spell_number(self)} {singular(self.unit) if one else several(self.unit)}"

    @classmethod
    def like(cls, sample: object, value: Any) -> Any:
        """A value made of another: it has the same unit."""
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return cls.of(value, sample.unit) if isinstance(sample, Counted) and number else value


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an amount is given for: a parameter, and the sentence that it stands in; or a unit."""

    parameter: Parameter | None = None
    says: str = ""
    own_unit: str = ""

    @property
    def is_free(self) -> bool:
        """Whether any text may be given."""
        p = self.parameter
        return p is not None and p.type is str and p.kind is None and p.choices is None

    @property
    def unit(self) -> str:
        """What is counted there, if anything tells."""
        if self.own_unit or self.parameter is None:
            return self.own_unit
        return unit_of(self.parameter, self.says) if self.parameter.type in (int, float) else ""


def combine(one: Any, other: Any, *, difference: bool = False) -> tuple[Any, Any]:
    """Two values that are compared or added, in the same unit; `difference`: 10 °F more are not 10 °F.

    Measures of different sorts, such as ml and g, are compared as the numbers that they are.
    """
    match one, other:
        case Quantity(), Quantity():
            return in_unit(one, Wanted(own_unit=other.unit), difference=difference), other.number
        case Quantity(), _:
            return in_unit(one, Wanted(own_unit=getattr(other, "unit", "")), difference=difference), other
        case _, Quantity():
            return one, in_unit(other, Wanted(own_unit=getattr(one, "unit", "")), difference=difference)
        case Counted(), Counted() if not is_same(other.unit, one.unit):
            found = convert(other, other.unit, one.unit, difference=difference)
            return (float(one), float(other)) if found is None else (one, Counted.of(found, one.unit))
    return one, other


def in_unit(value: Any, wanted: Wanted, *, difference: bool = False) -> Any:
    """A value with numbers in the place of amounts, in the unit that is wanted; HowMuch if there is no such number."""
    if isinstance(value, list):
        return [in_unit(each, wanted, difference=difference) for each in value]
    if isinstance(value, Counted):
        own = value if not wanted.unit or not value.unit else convert(value, value.unit, wanted.unit)
        if own is None and _is_of_a_measure(value.unit):
            raise HowMuch(_ask(Quantity(float(value), value.unit), wanted))
        number = float(value if own is None else own)  # as many drops as there are leaves
        return int(number) if number.is_integer() else number
    if not isinstance(value, Quantity):
        return value
    found = _convert(value, wanted, difference)
    if found is None:
        raise HowMuch(_ask(value, wanted))
    if wanted.parameter is not None and not is_same(value.unit, wanted.unit):
        return Converted.of(found, value)
    return int(found) if found.is_integer() else found


def _is_of_a_measure(unit: str) -> bool:
    """Whether a unit is one of money, mass, time …: so much of it is no number of anything else."""
    known = find_units(unit)
    return bool(known) and all(each.measures != COUNT for each in known)


def number_for(find: Callable[[], Any], wanted: Wanted) -> Any:
    """What a deed is given, which follows from how things are; HowMuch if that is not known, or is nothing at all.

    "To the brim" is asked for if nobody knows what the cup holds; and nobody who wants some milk means 0 ml.
    """
    counts = wanted.parameter is not None and wanted.parameter.type in (int, float)
    try:
        value = find()
    except Missing as error:
        if not counts or error.kind != "not known":
            raise
        raise HowMuch(f"{error} {_ask_how_many(wanted)}") from error
    of_something = any(each.measures in _OF_SOMETHING for each in find_units(wanted.unit))
    if counts and of_something and value == 0 and not isinstance(value, bool):
        raise HowMuch(f"That comes to 0 {wanted.unit}. {_ask_how_many(wanted)}")
    return value


def _ask_how_many(wanted: Wanted) -> str:
    assert wanted.parameter is not None
    return ask_how_many(counted_in(wanted.parameter, wanted.says), wanted.parameter)


def _ask(value: Quantity, wanted: Wanted) -> str:
    to = wanted.unit if wanted.parameter is None else counted_in(wanted.parameter, wanted.says)
    why = f"I cannot convert {value} to {several(to)}." if to else f"I do not know how much {value} is here."
    alone = to.isalpha() and len(to) > 2 and stands_alone(to) and bool(find_units(to))
    return f"{why} {ask_how_many(plural(singular(to)) if alone else to, wanted.parameter)}"


def _convert(value: Quantity, wanted: Wanted, difference: bool) -> float | None:
    if wanted.unit:
        found = convert(value.number, value.unit, wanted.unit, difference=difference)
        return None if found is None else float(found)
    several = count_of(value.unit)
    if several is not None:
        return value.number * several
    return value.number if _named_unit(wanted, value.unit) else None


def _named_unit(wanted: Wanted, word: str) -> str:
    """The word for a unit in the robot's own words, if it is there: a spoon, where spoons are added."""
    if wanted.parameter is None:
        return ""
    words = [*re.findall(r"[^\W\d_]+", wanted.says), *wanted.parameter.name.split("_")]
    return next((each for each in words if is_same(word, each)), "")

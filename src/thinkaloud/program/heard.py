"""What of a program was said, or follows from what was said and from the robot's facts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from thinkaloud.language.mentions import Mention
from thinkaloud.language.numbers import SaidAmount, SaidNumbers, is_number
from thinkaloud.language.units import COUNT, convert, count_of, find_units, is_same, stands_alone
from thinkaloud.program import tree
from thinkaloud.program.amounts import Wanted
from thinkaloud.program.constants import constant
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import Program
from thinkaloud.program.standing_free import is_of_it, stands_free

_DIGITS = (0, 1, 2)
"""How many digits a converted number may be rounded to."""
_ROUNDED = 0.01
"""By how much of it: 16 ml are no tablespoon."""


_NEVER_SHARED = frozenset(("time", "months", "temperature", "rotation", "speed", "power", "pressure"))
"""What each of several gets whole."""


@dataclass(frozen=True)
class Earlier:
    """The numbers of earlier requests that a later one may mean."""

    amounts: frozenset[SaidAmount] = frozenset()
    """What was said shortly before, with its unit, or was told by the robot."""
    given: frozenset[tuple[str, str, SaidAmount]] = frozenset()
    """What a skill was given for a parameter; without a unit, it is the robot's."""
    numbers: frozenset[float] = frozenset()
    """All of them: how many things there were, and what was compared."""
    again: bool = False
    """Whether there was talk of what is done again and again."""

    def meant_for(self, skill: str, wanted: Wanted) -> frozenset[SaidAmount]:
        """What was given in this very place before, and the amounts that have a unit."""
        name = "" if wanted.parameter is None else wanted.parameter.name
        given = (each for of, place, each in self.given if (of, place) == (skill, name))
        return self.amounts | frozenset((number, unit or wanted.unit) for number, unit in given)


_NOTHING = Earlier()


class Heard:
    """What of an expression for one place in a program was said, or follows from what was and from the robot's facts.

    What is not known to follow does not: then the number is asked for.
    """

    def __init__(
        self,
        said: SaidNumbers,
        wanted: Wanted,
        program: Program,
        earlier: Earlier = _NOTHING,
        skill: str = "",
        unit: str = "",
    ) -> None:
        self._said, self._wanted, self._program = said, wanted, program
        self._earlier, self._skill = earlier, skill
        self._unit = unit or wanted.unit
        """What the number counts: what an amount in the program names, or what its place takes."""
        self._followed = frozenset[str]()
        """The variables whose values have been looked at: one may be computed from itself."""

    @property
    def amounts(self) -> frozenset[SaidAmount]:
        """The numbers that were said in this request, each with its unit."""
        return self._said.amounts

    def has(self, node: tree.Expression) -> bool:
        """Whether every number of an expression was said; a minus may have been said in words: `two degrees less`."""
        number = constant(node)
        if number is not None and (self._is_said(number) or self._is_said(abs(number))):
            return True
        match node:
            case tree.Text(text):
                return not is_number(text)  # a text that is none is asked for anyway
            case tree.Negative(inner) | tree.Past(_, inner):
                return self.has(inner)
            case tree.Amount(inner, unit):
                inside = Heard(self._said, self._wanted, self._program, self._earlier, self._skill, unit)
                return self._is_unit_said(unit) and inside.has(inner)
            case tree.Compute(left, "*" | "/" as sign, right):
                value, factor = _factored(node)
                if value is not node and self.is_factor(factor, value) and self.has(value):
                    return True
                if has_measure(left) and has_measure(right):
                    return self.has(left) and self.has(right)
                by = constant(right)
                return (self.has(left) and self.is_factor(1 / by if by and sign == "/" else by, left)) or (
                    self.is_factor(constant(left), right, divided=sign == "/") and self.has(right)
                )
            case tree.Compute(left, _, right):
                number = constant(left)
                twice = number is None or number != constant(right) or self._is_said_twice(number)
                return twice and self.has(left) and self.has(right)
            case tree.Choose(_, then, otherwise):
                return self.has(then) and self.has(otherwise)
            case tree.Joined(_, parts):
                return all(map(self.has, parts))
            case tree.Item(of):
                return self._has_each(of)
            case tree.Variable():
                return self._follow(node, self.has)
            case tree.Call():
                return self._has_call(node)
        return False

    def _has_call(self, call: tree.Call) -> bool:
        """A measure tells a fact; how many things there are is one; Python's functions make numbers of others."""
        match call:
            case tree.Call(role="measure"):
                return not self._is_left_open and not self._lacks_factor
            case tree.Call("len", given=(of,)):
                return not self._is_left_open and self._is_of_things(of)
            case tree.Call("round" | "abs" | "int" | "float", given=(inner, *_)):
                return self.has(inner)
            case tree.Call("min" | "max" | "sum", given=(one,)):
                return self._has_each(one)
            case tree.Call("min" | "max", given=given):
                return all(map(self.has, given))
        return False

    def _has_each(self, node: tree.Expression) -> bool:
        """Whether every number in a list was said, or follows; names of things are none."""
        match node:
            case tree.Row(items):
                return all(map(self.has, items))
            case tree.Each(item):
                return self.has(item)
            case tree.Part(of):
                return self._has_each(of)
            case tree.Call("sorted" | "list" | "set" | "reversed", given=(of, *_)):
                return self._has_each(of)
            case tree.Call("range", given=(of,)):
                return self.has(of)
            case tree.Variable():
                return self._follow(node, self._has_each)
        return self._is_of_things(node)

    def _is_of_things(self, node: tree.Expression) -> bool:
        """Whether a list has things of the robot's world in it."""
        match node:
            case tree.Things() | tree.Describe() | tree.Call(role="measure"):
                return True
            case tree.Each(loops=loops):
                return all(self._is_of_things(loop.over) for loop in loops)
            case tree.Part(of) | tree.Call("sorted" | "list" | "set" | "reversed", given=(of, *_)) | tree.Past(_, of):
                return self._is_of_things(of)
            case tree.Compute(left, "+", right):
                return self._is_of_things(left) and self._is_of_things(right)
            case tree.Variable():
                return self._follow(node, self._is_of_things)
        return False

    def _follow(self, variable: tree.Variable, holds: Callable[[tree.Expression], bool]) -> bool:
        """Whether something is so of all that a variable stands for."""
        followed, self._followed = self._followed, self._followed | {variable.name}
        if variable.name in followed:
            return True
        for node in self._program.nodes:
            match node:
                case tree.Let(name, value) if name == variable.name and not holds(value):
                    return False
                case tree.For(name, over) | tree.Loop(name, over) if name == variable.name and not self._has_each(over):
                    return False
        return True

    def _is_unit_said(self, unit: str) -> bool:
        """Whether a unit was said, or is what the robot counts in; one that nobody knows can only be the robot's."""
        known = {*find_units(unit)}
        own = is_same(unit, self._wanted.unit) if self._wanted.unit else False
        before = (unit for _, unit in self._earlier.meant_for(self._skill, self._wanted))
        said = {each.measures for word in (*self._said.units, *before) for each in find_units(word)}
        return not known or own or any(each.measures in said for each in known)

    @property
    def _is_left_open(self) -> bool:
        """Whether the words leave the amount open: then no value of a thing is what they mean: `some milk`."""
        said = self._said
        numbers = {number for number, unit in said.amounts if unit or number not in said.loose}
        return said.vague and not (numbers or said.most or said.full or said.least or said.off or said.whole)

    @property
    def _lacks_factor(self) -> bool:
        """Whether the words say how many times as much is wanted, and nothing in the program does."""
        written = {abs(float(node.value)) for node in self._program.nodes if isinstance(node, tree.Number)}
        used = frozenset(n for each in written if each for n in (each, 1 / each, abs(1 - each), abs(each - 1)))
        return any(not is_among(each, used) for each in self._said.factors)

    def _is_said_twice(self, number: float) -> bool:
        found = {at for at, each in self._said.places if each == number}
        return len(found) > 1 or is_among(2 * number, self._numbers)

    def is_factor(self, number: float | None, of: tree.Expression, *, divided: bool = False) -> bool:
        """Whether a number is what was said of a part: halves multiply by 0.5, a fifth more by 1.2, never by 2 or 0.8.

        Only a price, or another value of a thing, is multiplied by what has a unit: 2 ml are never 2 * 2 ml.
        Nothing is multiplied by what has its own unit: 4.50 euros more are not 4.5 times the bill.
        """
        if not number or (self._said.shared and number > 1 and not divided and has_measure(of)):
            return False
        parts = (each for each in (number - 1, 1 - number, 1 / number - 1) if 0 < each < 1)
        shared = number < 1 and not is_among(1 / number, self._said.factors)
        told = (number, *parts, *([1 / number] if shared else []))  # three ways is a third; twice is not half
        factors = self._bare
        if has_measure(of):
            factors = factors | self._said.numbers | self._earlier.numbers | {n for n, _ in self._said.amounts}
            factors |= self._numbers
            factors -= (self._of_unit(unit_of_value(of, self._program.lexicon)) | self._said.rates) - self._bare
        return any(is_among(each, factors) for each in told) or self._turns_units(number)

    @cached_property
    def _bare(self) -> frozenset[float]:
        """The numbers that were said without a unit, or as a share, or as how many times."""
        amounts = self._said.amounts
        bare = frozenset(number for number, unit in amounts if not unit or count_of(unit) is not None)
        shares = frozenset(number / 100 for number, unit in amounts if {*find_units(unit)} & {*find_units("%")})
        with_unit = frozenset(number for number, unit in amounts if unit)
        return bare | shares | (self._said.loose - with_unit)  # half an hour is no half of something

    def _of_unit(self, unit: str) -> frozenset[float]:
        """The numbers that were said in a unit, or in one that can be converted to it."""
        amounts = (each for each in self._said.amounts if unit and each[1] and count_of(each[1]) is None)
        found = ((number, convert(number, said, unit)) for number, said in amounts)
        return frozenset(each for number, own in found if own is not None for each in (number, own))

    def _turns_units(self, factor: float) -> bool:
        """Whether a factor turns a unit that was said into the one that is wanted: 60, from hours to minutes."""
        found = (convert(1, each, self._unit) for each in self._said.units if self._unit)
        return any(is_among(each, frozenset((1.0, factor, 1 / factor))) for each in found if each not in (None, 1.0))

    def _is_said(self, number: float) -> bool:
        parameter, said = self._wanted.parameter, self._said
        if (parameter is not None and parameter.default == number) or (
            number == 1 and said.one and self._counts_things
        ):
            return True
        if number in self._ends:
            return True
        return is_among(number, self._numbers) or (said.later and is_among(number - 12, said.numbers))

    @property
    def _counts_things(self) -> bool:
        """Whether a number here counts things, or portions, of which there can be a single one."""
        known = find_units(self._unit)
        return any(each.measures == COUNT for each in known) or stands_alone(self._unit)

    @property
    def _ends(self) -> tuple[float | None, ...]:
        """What the words for the most, the least and all of it come to here."""
        amount = self._wanted.parameter.amount if self._wanted.parameter is not None else None
        least, most = (None, None) if amount is None else amount.ends
        share = not self._unit or bool({*find_units(self._unit)} & {*find_units("%")})
        said, found = self._said, tuple[float | None, ...]()
        found += (0, least) if said.least else (0,) if said.off else ()
        full = said.full and not self._is_dose
        found += (most,) if said.most or full else ()
        found += (100, 1) if share and most in (None, 100) and (said.most or full or said.whole) else ()
        return found

    @property
    def _is_dose(self) -> bool:
        """Whether a unit is one of what nothing is ever full: a full dose is not the most that may be given."""
        measures = {each.measures for each in find_units(self._unit)}
        return bool(measures & {"mass", "time", COUNT}) or (bool(measures) and stands_alone(self._unit))

    @property
    def _is_divisible(self) -> bool:
        """Whether several may share an amount in the unit: mass, volume, length, money; not time or temperature."""
        return self._is_measured and not {each.measures for each in find_units(self._unit)} & _NEVER_SHARED

    @property
    def _is_measured(self) -> bool:
        """Whether the unit is one of a measure: half, both and one alone are no amount in it."""
        measures = {each.measures for each in find_units(self._unit)}
        return bool(measures) and not measures & {COUNT, "share", "angle"} and not stands_alone(self._unit)

    def may_be_shared(self, node: tree.Expression) -> bool:
        """Whether an amount may be for several together: that was said, or more was said behind it than of what it is.

        100 mg between them, in total, insgesamt; but 100 mg each.
        """
        number, said = constant(node.number if isinstance(node, tree.Amount) else node), self._said
        if said.shared or said.again or number is None or not self._is_divisible:
            return said.shared
        alike = (each for each in said.mentions if each.unit and each.number == number)
        return any(not is_of_it(each, self._wanted, self._program.lexicon) for each in alike)

    def _stands_free(self, mention: Mention) -> bool:
        """Whether a number without a unit may count what is wanted; any may where nothing is known of that.

        A part is one of the whole, wherever it stands.
        """
        return (
            not self._unit
            or self._counts_things
            or mention.number < 1
            or stands_free(mention, self._wanted, self._unit, self._program.lexicon)
        )

    @cached_property
    def _numbers(self) -> frozenset[float]:
        """All numbers that may have been meant here: as said, joined, and in the unit that is wanted."""
        said, earlier = self._said, self._earlier.meant_for(self._skill, self._wanted)
        firm = frozenset(number for number, _ in said.amounts) - said.loose
        alike = {number for number, unit in said.amounts if unit and is_same(unit, self._unit)}
        if alike <= {1.0} and any(is_same(each, self._unit) for each in said.units):
            firm |= {1.0}  # a whole day
        own = [
            (each.number, each.unit)
            for each in said.mentions
            if each.unit or ((each.number in firm or not self._is_measured) and self._stands_free(each))
        ]
        amounts = [*own, *said.about(earlier), *(() if self._is_left_open else earlier)]
        found = [_in_unit(each, self._unit) for each in amounts]
        for one, other in said.sums:
            pair = [_in_unit((each.number, each.unit), self._unit) for each in (one, other)]
            found += [pair[0] + pair[1]] if pair[0] is not None and pair[1] is not None else []
        if self._counts_things or not self._unit:
            found += [number * many for number, unit in amounts if (many := count_of(unit)) is not None]
        numbers = frozenset(number for number in found if number is not None)
        whole = 100 if {*find_units(self._unit)} & {*find_units("%")} else None
        whole = 360 if any(each.measures == "angle" for each in find_units(self._unit)) else whole
        if whole is not None:  # half is 50 %, and half of a turn; a half percent was said with its unit
            parts = frozenset(number for number in numbers if 0 < number < 1) - alike
            several = frozenset(number for number in said.loose if number > 1) - alike  # both lamps are no 2 %
            numbers = numbers - parts - several | frozenset(number * whole for number in parts)
        rounded = ((number, round(number, digits)) for number in numbers for digits in _DIGITS if number >= 1)
        return numbers | frozenset(near for number, near in rounded if math.isclose(number, near, rel_tol=_ROUNDED))


def _in_unit(amount: SaidAmount, unit: str) -> float | None:
    """How many of a unit an amount is that was said; None if nobody can tell."""
    number, said = amount
    known, own = find_units(said), find_units(unit)
    if not said or not unit or {*known} & {*own}:
        return number
    if stands_alone(said) and any(each.measures == COUNT for each in own):
        return number  # two tablets, where pieces are counted
    return convert(number, said, unit)


def has_measure(node: tree.Expression) -> bool:
    """Whether an expression reads a value of a thing, or counts things."""
    calls = (each for each in tree.walk(node) if isinstance(each, tree.Call))
    return any(each.role == "measure" or each.name == "len" for each in calls)


def _factored(node: tree.Expression) -> tuple[tree.Expression, float | None]:
    """A value and what it is multiplied by: `length(x) * 2 / 3`; None if not all of that is written out."""
    match node:
        case tree.Compute(left, "*" | "/" as sign, right) if number := constant(right):
            value, factor = _factored(left)
            return value, None if factor is None else factor * (number if sign == "*" else 1 / number)
    return node, 1.0


def is_among(number: float, numbers: frozenset[float]) -> bool:
    """Whether a number is one of several, but for what computing with it lost."""
    return any(math.isclose(number, each, rel_tol=1e-6, abs_tol=1e-6) for each in numbers)


def unit_of_value(node: tree.Expression, lexicon: Lexicon) -> str:
    """What a value of a thing, or some times it, is counted in; empty if that is not declared."""
    match node:
        case tree.Call(name, "measure"):
            return lexicon.measures[name].unit
        case tree.Compute(left, "+" | "-", right):
            units = {unit_of_value(left, lexicon), unit_of_value(right, lexicon)}
            return next(iter(units)) if len(units) == 1 else ""
        case tree.Compute(left, "*" | "/", right) if constant(right) is not None:
            return unit_of_value(left, lexicon)
        case tree.Compute(left, "*", right) if constant(left) is not None:
            return unit_of_value(right, lexicon)
    return ""

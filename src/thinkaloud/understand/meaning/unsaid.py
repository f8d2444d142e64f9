"""Numbers in a program that nobody said: a model that makes one up is not followed; the person is asked."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property

from thinkaloud.language.numbers import SaidAmount, SaidNumbers
from thinkaloud.language.units import COUNT, convert, count_of, find_units, is_same, stands_alone
from thinkaloud.program import tree
from thinkaloud.program.amounts import Wanted
from thinkaloud.program.evaluate import COMPUTED
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import Program
from thinkaloud.program.units import ask_how_many, counted_in
from thinkaloud.skills.signatures import Signature
from thinkaloud.understand.meaning.naming import is_number

_DIGITS = (0, 1, 2)
"""How many digits a converted number may be rounded to."""
_ROUNDED = 0.01
"""By how much of it: 16 ml are no tablespoon."""


def ask_for_unsaid(program: Program, said: SaidNumbers) -> str | None:
    """The question for the first number in the deeds of a program that nobody said and that follows from nothing."""
    skills = program.lexicon.skills
    for call in (each for each in program.calls() if each.name in skills):
        for value, wanted in _given(call, skills[call.name]):
            if isinstance(value, tree.Text) and wanted.is_free and not _is_told(value.value, said):
                return "Which number do you mean?"
            wanted = replace(wanted, parameter=None) if wanted.is_free else wanted
            if wanted.parameter is not None and not _Heard(said, wanted, program).has(value):
                return ask_how_many(counted_in(wanted.parameter, wanted.says), wanted.parameter)
            if (part := next((each for each in tree.walk(value) if not _is_counted(each, said)), None)) is not None:
                of = part.of if isinstance(part, tree.Item | tree.Part) else None
                return ask_how_many(of.name.replace("_", " ") if isinstance(of, tree.Things) else "of them")
    repeated = (n for loop in program.nodes if isinstance(loop, tree.For) and (n := _repeats(loop)) is not None)
    return None if all(_Heard(said, Wanted(), program).has(each) for each in repeated) else ask_how_many("times")


def ask_for_limit(program: Program, said: SaidNumbers) -> str | None:
    """The question for the limit of a rule, if its own request does not say it; no earlier number is taken for it."""
    limits = [(node.above, "") for node in program.nodes if isinstance(node, tree.Never) and node.above is not None]
    limits += [each for node in program.nodes if isinstance(node, tree.Standing) for each in _waited_for(node.when)]
    unsaid = (unit for each, unit in limits if not _Heard(said, Wanted(own_unit=unit), program).has(each))
    return next((ask_how_many(unit) for unit in unsaid), None)


def _waited_for(when: tree.Expression) -> Iterator[tuple[tree.Expression, str]]:
    """The numbers that something waits for, each with its unit: after so many minutes, at more than so many degrees."""
    if isinstance(when, tree.Amount):
        yield from [(when.number, when.unit)] if constant(when.number) != 1 else []  # every hour: nobody says one
    for node in tree.walk(when):
        for _, other in node.rest if isinstance(node, tree.Compare) else ():
            unit = other.unit if isinstance(other, tree.Amount) else ""
            yield from [(other, unit)] if constant(other) not in (0, 1) else []


def _given(call: tree.Call, signature: Signature) -> Iterator[tuple[tree.Expression, Wanted]]:
    """What a call is given, each with what its parameter counts."""
    named = {each.name: each for each in signature.parameters}
    for name, value in (*zip(named, call.given, strict=False), *call.named):
        parameter = named.get(name)
        counts = parameter is not None and (parameter.type in (int, float) or Wanted(parameter).is_free)
        yield value, Wanted(parameter, signature.says) if counts else Wanted()


def _repeats(loop: tree.For) -> tree.Expression | None:
    """How often a loop does the same again; None if what it does depends on the number."""
    match loop.over:
        case tree.Call("range", given=(count,)):
            return None if tree.Variable(loop.variable) in tree.walk(loop.body) else count
    return None


def _is_counted(node: tree.Node, said: SaidNumbers) -> bool:
    """Whether somebody said how many of several are chosen: `cups[:2]`, `any_of("cup", n=2)`."""
    ends: list[float] = []
    match node:
        case tree.Part(_, start, end):
            ends = [abs(n) for each in (start, end) if each is not None and (n := constant(each)) is not None]
        case tree.Item(_, index):
            number = constant(index)
            ends = [] if number is None or -3 < number < 2 else [number + 1 if number >= 0 else -number]
        case tree.Describe(count=count):
            ends = [count]
    return all(end < 2 or _is_among(end, said.numbers) for end in ends)


class _Heard:
    """What of an expression for one place in a program was said, or follows from what was and from the robot's facts.

    What is not known to follow does not: then the number is asked for.
    """

    def __init__(self, said: SaidNumbers, wanted: Wanted, program: Program, unit: str = "") -> None:
        self._said, self._wanted, self._program = said, wanted, program
        self._unit = unit or wanted.unit
        """What the number counts: what an amount in the program names, or what its place takes."""
        self._followed = frozenset[str]()
        """The variables whose values have been looked at: one may be computed from itself."""

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
                return self._is_unit_said(unit) and _Heard(self._said, self._wanted, self._program, unit).has(inner)
            case tree.Compute(left, "*" | "/", right):
                value, factor = _factored(node)
                if value is not node and self._is_factor(factor) and self.has(value):
                    return True
                return all(self.has(each) or self._is_factor(constant(each)) for each in (left, right))
            case tree.Compute(left, _, right):
                return self.has(left) and self.has(right)
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
                return True
            case tree.Call("len", given=(of,)):
                return self._is_of_things(of)
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
        said = {each.measures for word in self._said.units for each in find_units(word)}
        return not known or own or any(each.measures in said for each in known)

    def _is_factor(self, number: float | None) -> bool:
        """Whether a number is what was said of a part: halves divide by 2, a fifth more multiplies by 1.2."""
        if not number:
            return False
        parts = (each for each in (number - 1, 1 - number, 1 / number - 1) if 0 < each < 1)
        told = (number, 1 / number, *parts)
        return any(_is_among(each, self._said.numbers) for each in told) or self._turns_units(number)

    def _turns_units(self, factor: float) -> bool:
        """Whether a factor turns a unit that was said into the one that is wanted: 60, from hours to minutes."""
        found = (convert(1, each, self._unit) for each in self._said.units if self._unit)
        return any(_is_among(each, frozenset((1.0, factor, 1 / factor))) for each in found if each not in (None, 1.0))

    def _is_said(self, number: float) -> bool:
        parameter, said = self._wanted.parameter, self._said
        if (parameter is not None and parameter.default == number) or (
            number == 1 and said.one and self._counts_things
        ):
            return True
        if number in self._ends:
            return True
        return _is_among(number, self._numbers) or (said.later and _is_among(number - 12, said.numbers))

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
        found: tuple[float | None, ...] = (0, least) if self._said.least else ()
        if self._said.most:
            found += (most,)
        if share and most in (None, 100) and (self._said.most or self._said.whole):
            found += (100, 1)
        return found

    @cached_property
    def _numbers(self) -> frozenset[float]:
        """All numbers that may have been meant here: as said, joined, and in the unit that is wanted."""
        found = [_in_unit(each, self._unit) for each in self._said.amounts]
        for one, other in self._said.sums:
            pair = _in_unit(one, self._unit), _in_unit(other, self._unit)
            found += [pair[0] + pair[1]] if pair[0] is not None and pair[1] is not None else []
        if self._counts_things or not self._unit:
            found += [number * many for number, unit in self._said.amounts if (many := count_of(unit)) is not None]
        numbers = frozenset(number for number in found if number is not None)
        if {*find_units(self._unit)} & {*find_units("%")}:
            numbers |= frozenset(number * 100 for number in numbers if 0 < number < 1)
        if any(each.measures == "angle" for each in find_units(self._unit)):
            numbers |= frozenset(number * 360 for number in numbers if 0 < number < 1)
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


def _is_told(text: str, said: SaidNumbers) -> bool:
    """Whether every number that is written in digits in a text was said."""
    runs = re.findall(r"\d+(?:\.\d+)?", text)
    return all(float(each) in said.numbers or each in said.digits for each in runs)


def _factored(node: tree.Expression) -> tuple[tree.Expression, float | None]:
    """A value and what it is multiplied by: `length(x) * 2 / 3`; None if not all of that is written out."""
    match node:
        case tree.Compute(left, "*" | "/" as sign, right) if number := constant(right):
            value, factor = _factored(left)
            return value, None if factor is None else factor * (number if sign == "*" else 1 / number)
    return node, 1.0


def _is_among(number: float, numbers: frozenset[float]) -> bool:
    return any(math.isclose(number, each, rel_tol=1e-6, abs_tol=1e-6) for each in numbers)


def unit_of_answer(program: Program) -> str:
    """What the number that a program says is counted in, if that is declared: of a value, or of some times a value."""
    match program.statements:
        case (tree.Say(asked),):
            return _unit_of_value(asked, program.lexicon)
    return ""


def _unit_of_value(node: tree.Expression, lexicon: Lexicon) -> str:
    match node:
        case tree.Call(name, "measure"):
            return lexicon.measures[name].unit
        case tree.Compute(left, "+" | "-", right):
            units = {_unit_of_value(left, lexicon), _unit_of_value(right, lexicon)}
            return next(iter(units)) if len(units) == 1 else ""
        case tree.Compute(left, "*" | "/", right) if constant(right) is not None:
            return _unit_of_value(left, lexicon)
    return ""


def constant(node: tree.Expression) -> float | None:
    """The number that an expression is, as far as it is written out: `1 / 3`; None for any other."""
    match node:
        case tree.Number(number):
            return float(number)
        case tree.Negative(inner):
            positive = constant(inner)
            return None if positive is None else -positive
        case tree.Compute(left, sign, right) if sign in COMPUTED:
            one, other = constant(left), constant(right)
            try:
                return None if one is None or other is None else COMPUTED[sign](one, other)
            except ArithmeticError:
                return None
    return None

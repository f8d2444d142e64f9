"""Numbers in a program that nobody said: a model that makes one up is not followed; the person is asked."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from thinkaloud.language.numbers import SaidNumbers
from thinkaloud.language.units import convert, find_units
from thinkaloud.skills.signatures import Signature
from thinkaloud.understand import tree
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.amounts import Wanted
from thinkaloud.understand.meaning.units import ask_how_many, counted_in
from thinkaloud.understand.program import Program

_FACTORS = (7, 10, 12, 24, 60, 100, 1000, 3600)
"""What units are turned into others with."""
_MOST_JOINED = 12
_OPERATIONS: Mapping[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


def ask_for_unsaid(program: Program, said: SaidNumbers) -> str | None:
    """The question for the first number in the deeds of a program that nobody said and that follows from nothing."""
    skills = program.lexicon.skills
    for call in (each for each in program.calls() if each.name in skills):
        for value, wanted in _given(call, skills[call.name]):
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
        number = parameter is not None and parameter.type in (int, float)
        yield value, Wanted(parameter, signature.says) if number else Wanted()


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
    """What of an expression for one place in a program was said, or follows from what was."""

    def __init__(self, said: SaidNumbers, wanted: Wanted, program: Program) -> None:
        self._said, self._wanted, self._program = said, wanted, program
        self._followed = frozenset[str]()
        """The variables whose values have been looked at: one may be computed from itself."""

    def has(self, node: tree.Expression) -> bool:
        """Whether every number of an expression was said; a minus may have been said in words: `two degrees less`."""
        number = constant(node)
        if number is not None and (self._is_said(number) or self._is_said(abs(number))):
            return True
        match node:
            case tree.Number():
                return False
            case tree.Negative(inner) | tree.Not(inner) | tree.Amount(inner):
                return self.has(inner)
            case tree.Compute(left, "*" | "/", right):
                value, factor = _factored(node)
                if value is not node and self._is_factor(factor) and self.has(value):
                    return True
                return all(self.has(each) or self._is_factor(constant(each)) for each in (left, right))
            case tree.Compute(left, _, right):
                return self.has(left) and self.has(right)
            case tree.Call("round" | "abs" | "int" | "float", given=(inner, *_)):
                return self.has(inner)
            case tree.Call("min" | "max" | "sum", given=given) | tree.Row(given):
                return all(map(self.has, given))
            case tree.Choose(_, then, otherwise):
                return self.has(then) and self.has(otherwise)
            case tree.Variable(name):
                followed, self._followed = self._followed, self._followed | {name}
                lets = (each for each in self._program.nodes if isinstance(each, tree.Let) and each.name == name)
                return name in followed or all(self.has(each.value) for each in lets)
        return True

    def _is_factor(self, number: float | None) -> bool:
        """Whether a number is what was said of a part: halves divide by 2, a fifth more multiplies by 1.2."""
        if not number:
            return False
        told = (number, 1 / number, number - 1, 1 - number, 1 / number - 1)
        return any(_is_among(each, self._said.numbers) for each in told) or number in _FACTORS

    def _is_said(self, number: float) -> bool:
        parameter, said = self._wanted.parameter, self._said
        if not number or (parameter is not None and parameter.default == number) or (number == 1 and said.one):
            return True
        if said.ends and number in self._ends:
            return True
        return _is_among(number, self._numbers) or (said.later and _is_among(number - 12, said.numbers))

    @property
    def _ends(self) -> tuple[float | None, ...]:
        amount = self._wanted.parameter.amount if self._wanted.parameter is not None else None
        return (100, 1) if amount is None else (amount.least, amount.most, 100, 1)

    @cached_property
    def _numbers(self) -> frozenset[float]:
        """All numbers that may have been meant here: as said, joined, and in the unit that is wanted."""
        said = self._said
        plain = said.numbers | _joined(said.numbers) | _wholes(said.numbers)
        words = said.units if self._wanted.unit else frozenset()
        alone = frozenset([1.0]) if said.one else frozenset()
        found = {convert(number, word, self._wanted.unit) for number in plain | alone for word in words}
        turned = frozenset(number for number in found if number is not None)
        if {*find_units(self._wanted.unit)} & {*find_units("%")}:
            turned |= frozenset(number * 100 for number in plain if 0 < number < 1)
        return plain | turned | _joined(turned | said.numbers, only_sums=True)


def _factored(node: tree.Expression) -> tuple[tree.Expression, float | None]:
    """A value and what it is multiplied by: `length(x) * 2 / 3`; None if not all of that is written out."""
    match node:
        case tree.Compute(left, "*" | "/" as sign, right) if number := constant(right):
            value, factor = _factored(left)
            return value, None if factor is None else factor * (number if sign == "*" else 1 / number)
    return node, 1.0


def _joined(numbers: frozenset[float], *, only_sums: bool = False) -> frozenset[float]:
    """What two of some numbers come to together: two and a half, three quarters, 4 euros 50, one fifteen."""
    pairs = [*itertools.permutations(sorted(numbers)[:_MOST_JOINED], 2)]
    found = {a + b for a, b in pairs}
    if not only_sums:
        found |= {a - b for a, b in pairs} | {a * b for a, b in pairs} | {a + b / 100 for a, b in pairs}
        found |= {a / b for a, b in pairs if b} | {a + b / 10 for a, b in pairs} | {a * 100 + b for a, b in pairs}
    return frozenset(found)


def _wholes(numbers: frozenset[float]) -> frozenset[float]:
    """One and a part: an hour and a half."""
    return frozenset(1 + number for number in numbers if 0 < number < 1)


def _is_among(number: float, numbers: frozenset[float]) -> bool:
    return any(math.isclose(number, each, rel_tol=0.005, abs_tol=1e-6) for each in numbers)


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
        case tree.Compute(left, sign, right) if sign in _OPERATIONS:
            one, other = constant(left), constant(right)
            try:
                return None if one is None or other is None else _OPERATIONS[sign](one, other)
            except ArithmeticError:
                return None
    return None

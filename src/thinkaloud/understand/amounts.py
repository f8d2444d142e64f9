"""Amounts in a program: the writer keeps the number and the unit that were said, and code converts them.

    pour("milk", amount(0.5, "litre"), "mug")     500, if the skill takes ml
    [c for c in cups if level(c) < amount(0.1, "litre")]

What the robot counts in is declared (`Amount("ml")`), or is in its own words: `minutes`, `Add {n} spoons of {food}`. An
amount that cannot be converted is a question, never a guess.
"""

from __future__ import annotations

import ast
import itertools
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from thinkaloud.language.numbers import SaidNumbers
from thinkaloud.language.units import convert, count_of, find_units, is_same
from thinkaloud.language.words import plural
from thinkaloud.skills.signatures import Parameter, Signature, spell_number
from thinkaloud.understand.language import AMOUNT, NEVER, SAY, parse_program, spelled, with_replaced
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.units import HowMuch, ask_how_many, counted_in, unit_of, unit_of_measure

_FACTORS = (7, 10, 12, 24, 60, 100, 1000, 3600)
"""What units are turned into others with."""
_MOST_JOINED = 12
_OPERATIONS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a number is counted in where it stands; `parameter` is what it is given for, if anything is."""

    unit: str = ""
    parameter: Parameter | None = None
    says: str = ""
    difference: bool = False
    """Whether it is added to a value: 10 °F more are not 10 °F."""


def with_amounts(program: str, lexicon: Lexicon) -> str:
    """A program with numbers in the place of amounts, each in the unit of the robot; HowMuch if one has none there."""
    tree = parse_program(program)
    if tree is None or spelled(AMOUNT, lexicon) not in program:
        return program
    found = [*_Finder(lexicon, tree).amounts(tree, Wanted())]
    return with_replaced(program, [(node, _number(node, wanted, program)) for node, wanted in found])


def unit_of_answer(program: str, lexicon: Lexicon) -> str:
    """What the number that a program says is counted in, if that is declared: of a value, or of some times a value."""
    tree = parse_program(program)
    match tree.body if tree is not None else []:
        case [ast.Expr(ast.Call(ast.Name(name), [asked], []))] if name == spelled(SAY, lexicon):
            return _unit_of_value(asked, lexicon)
    return ""


def _unit_of_value(node: ast.expr, lexicon: Lexicon) -> str:
    match node:
        case ast.Call(ast.Name(name)) if name in lexicon.measures:
            return lexicon.measures[name].unit
        case ast.BinOp(left, ast.Add() | ast.Sub(), right):
            units = {_unit_of_value(left, lexicon), _unit_of_value(right, lexicon)}
            return next(iter(units)) if len(units) == 1 else ""
        case ast.BinOp(left, ast.Mult() | ast.Div(), right) if constant(right) is not None:
            return _unit_of_value(left, lexicon)
    return ""


class _Finder:
    """Finds amounts, each with what it is wanted in."""

    def __init__(self, lexicon: Lexicon, tree: ast.Module) -> None:
        self._lexicon, self._tree = lexicon, tree
        self.amount, self._never = spelled(AMOUNT, lexicon), spelled(NEVER, lexicon)
        self._functions: Mapping[str, Signature] = {**lexicon.skills, **lexicon.relations, **lexicon.measures}

    def amounts(self, node: ast.AST, wanted: Wanted) -> Iterator[tuple[ast.Call, Wanted]]:
        """All amounts in a part of a program, given what that part is wanted in."""
        match node:
            case ast.Call(ast.Name(name)) if name == self.amount:
                yield node, wanted
            case ast.Call(ast.Name(name)) if name in self._functions:
                for value, place in self.given(node, self._functions[name]):
                    yield from self.amounts(value, place)
            case ast.Call(ast.Name(name), [ast.Call(ast.Name(skill)) as call, *_], keywords) if name == self._never:
                yield from self.amounts(call, Wanted())
                for keyword in keywords:
                    yield from self.amounts(keyword.value, self._number_of(skill))
            case ast.Compare(left, _, comparators):
                measured = self._measured(node)
                for each in (left, *comparators):
                    yield from self.amounts(each, measured)
            case ast.BinOp(left, ast.Add() | ast.Sub(), right):
                measured = self._measured(node)
                own = wanted if wanted.unit or wanted.parameter else measured
                more = Wanted(own.unit, own.parameter, own.says, difference=True) if measured.unit else own
                yield from self.amounts(left, more if isinstance(node.op, ast.Add) else own)
                yield from self.amounts(right, more)
            case ast.Assign([ast.Name(name)], value):
                yield from self.amounts(value, self._used_for(name))
            case _:
                passed = isinstance(node, ast.expr | ast.keyword)
                for child in ast.iter_child_nodes(node):
                    yield from self.amounts(child, wanted if passed else Wanted())

    def assigned(self, name: str) -> list[ast.expr]:
        """What a variable is given."""
        nodes = (node for node in ast.walk(self._tree) if isinstance(node, ast.Assign))
        return [n.value for n in nodes if any(isinstance(t, ast.Name) and t.id == name for t in n.targets)]

    def given(self, call: ast.Call, signature: Signature) -> Iterator[tuple[ast.expr, Wanted]]:
        """What a call is given, each with what its parameter counts."""
        named = {each.name: each for each in signature.parameters}
        for place, value in enumerate(call.args):
            yield value, self._of(signature.parameters[place] if place < len(named) else None, signature)
        for keyword in call.keywords:
            yield keyword.value, self._of(named.get(keyword.arg or ""), signature)

    def _of(self, parameter: Parameter | None, signature: Signature) -> Wanted:
        if parameter is None or parameter.type not in (int, float):
            return Wanted()
        return Wanted(unit_of(parameter, signature.says), parameter, signature.says)

    def _number_of(self, skill: str) -> Wanted:
        """What the first number of a skill is counted in."""
        signature = self._lexicon.skills.get(skill)
        numbers = () if signature is None else (p for p in signature.parameters if p.type in (int, float))
        return next((self._of(each, signature) for each in numbers), Wanted()) if signature is not None else Wanted()

    def _measured(self, node: ast.AST) -> Wanted:
        """What the measure in an expression is counted in."""
        names = (n.func.id for n in ast.walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name))
        units = (unit_of_measure(self._lexicon.measures[name]) for name in names if name in self._lexicon.measures)
        return Wanted(next(filter(None, units), ""))

    def _used_for(self, name: str) -> Wanted:
        """What a variable is wanted in: where it is given to a function, or compared with a measure."""
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self._functions:
                for value, wanted in self.given(node, self._functions[node.func.id]):
                    if any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(value)) and wanted.parameter:
                        return wanted
            if isinstance(node, ast.Compare) and any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node)):
                return self._measured(node)
        return Wanted()


# Numbers that nobody said ---------------------------------------------------------------------------------------------


def ask_for_unsaid(program: str, lexicon: Lexicon, said: SaidNumbers) -> str | None:
    """The question for the first number in the deeds of a program that nobody said and that follows from nothing."""
    tree = parse_program(program)
    if tree is None:
        return None
    finder = _Finder(lexicon, tree)
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        if call.func.id in lexicon.skills:
            for value, wanted in finder.given(call, lexicon.skills[call.func.id]):
                if wanted.parameter is not None and not _Heard(said, wanted, finder).has(value):
                    return ask_how_many(counted_in(wanted.parameter, wanted.says), wanted.parameter)
                if (part := next((each for each in ast.walk(value) if not _is_counted(each, said)), None)) is not None:
                    of = part.value if isinstance(part, ast.Subscript) else None
                    return ask_how_many(of.id.replace("_", " ") if isinstance(of, ast.Name) else "of them")
    repeated = (n for loop in ast.walk(tree) if isinstance(loop, ast.For) and (n := _repeats(loop)) is not None)
    if not all(_Heard(said, Wanted(), finder).has(each) for each in repeated):
        return ask_how_many("times")
    return None


def _repeats(loop: ast.For) -> ast.expr | None:
    """How often a loop does the same again; None if what it does depends on the number."""
    match loop:
        case ast.For(ast.Name(variable), ast.Call(ast.Name("range"), [count])):
            used = {n.id for each in loop.body for n in ast.walk(each) if isinstance(n, ast.Name)}
            return None if variable in used else count
    return None


def _is_counted(node: ast.AST, said: SaidNumbers) -> bool:
    """Whether somebody said how many of several are chosen: `cups[:2]`, `any_of("cup", n=2)`."""
    match node:
        case ast.Subscript(_, ast.Slice(lower, upper)):
            ends = [abs(n) for end in (lower, upper) if end is not None and (n := constant(end)) is not None]
        case ast.Subscript(_, index):
            number = constant(index)
            ends = [] if number is None or -3 < number < 2 else [number + 1 if number >= 0 else -number]
        case ast.Call(ast.Name(), keywords=[ast.keyword("n", count)]):
            ends = [n for n in [constant(count)] if n is not None]
        case _:
            ends = []
    return all(end < 2 or _is_among(end, said.numbers) for end in ends)


class _Heard:
    """What of an expression for one place in a program was said, or follows from what was."""

    def __init__(self, said: SaidNumbers, wanted: Wanted, finder: _Finder) -> None:
        self._said, self._wanted, self._finder = said, wanted, finder
        self._followed = frozenset[str]()
        """The variables whose values have been looked at: one may be computed from itself."""

    def has(self, node: ast.expr) -> bool:
        """Whether every number of an expression was said."""
        number = constant(node)
        if number is not None and self._is_said(number):
            return True
        match node:
            case ast.Constant(int() | float()) if not isinstance(node.value, bool):
                return False
            case ast.UnaryOp(_, inner):
                return self.has(inner)
            case ast.BinOp(left, ast.Mult() | ast.Div(), right):
                value, factor = _factored(node)
                if value is not node and self._is_factor(factor) and self.has(value):
                    return True
                return all(self.has(each) or self._is_factor(constant(each)) for each in (left, right))
            case ast.BinOp(left, _, right):
                return self.has(left) and self.has(right)
            case ast.Call(ast.Name(name), [inner, *_]) if name == self._finder.amount:
                return self.has(inner)
            case ast.Call(ast.Name("round" | "abs" | "int" | "float"), [inner, *_]):
                return self.has(inner)
            case ast.Call(ast.Name("min" | "max" | "sum"), given):
                return all(map(self.has, given))
            case ast.IfExp(_, body, otherwise):
                return self.has(body) and self.has(otherwise)
            case ast.List(elements) | ast.Tuple(elements):
                return all(map(self.has, elements))
            case ast.Name(name):
                followed, self._followed = self._followed, self._followed | {name}
                return name in followed or all(map(self.has, self._finder.assigned(name)))
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


def _factored(node: ast.expr) -> tuple[ast.expr, float | None]:
    """A value and what it is multiplied by: `length(x) * 2 / 3`; None if not all of that is written out."""
    match node:
        case ast.BinOp(left, ast.Mult() | ast.Div() as sign, right) if number := constant(right):
            value, factor = _factored(left)
            return value, None if factor is None else factor * (number if isinstance(sign, ast.Mult) else 1 / number)
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


# Conversion -----------------------------------------------------------------------------------------------------------


def _number(node: ast.Call, wanted: Wanted, program: str) -> str:
    """An amount as a number in the unit that is wanted, as a program writes it."""
    number, word = _parts(node)
    factor = _convert(1.0, word, wanted) if number is None else _convert(number, word, wanted)
    if factor is None:
        noun = plural(word) if number != 1 and word.isascii() and len(word) > 2 and " " not in word else word
        told = f"{spell_number(number)} {noun}" if number is not None else noun
        to = wanted.unit if wanted.parameter is None else counted_in(wanted.parameter, wanted.says)
        why = f"I cannot convert {told} to {to}." if to else f"I do not know how much {told} is here."
        raise HowMuch(f"{why} {ask_how_many(to, wanted.parameter)}")
    text = repr(int(factor) if factor.is_integer() else factor)
    return text if number is not None else f"({ast.get_source_segment(program, node.args[0])}) * {text}"


def _convert(number: float, word: str, wanted: Wanted) -> float | None:
    if wanted.unit:
        found = convert(number, word, wanted.unit, difference=wanted.difference)
        return None if found is None else float(found)
    several = count_of(word)
    if several is not None:
        return number * several
    return float(number) if _named_unit(wanted, word) else None


def _named_unit(wanted: Wanted, word: str) -> str:
    """The word for a unit in the robot's own words, if it is there: a spoon, where spoons are added."""
    if wanted.parameter is None:
        return ""
    words = [*re.findall(r"[^\W\d_]+", wanted.says), *wanted.parameter.name.split("_")]
    return next((each for each in words if is_same(word, each)), "")


def _parts(node: ast.Call) -> tuple[float | None, str]:
    """The number, if it is written out, and the unit of an amount."""
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    word = next((str(n.value) for n in given[1:] if isinstance(n, ast.Constant)), "")
    return (constant(given[0]) if given else 1.0), word


def constant(node: ast.expr) -> float | None:
    """The number that an expression is, as far as it is written out: `1 / 3`; None for any other."""
    match node:
        case ast.Constant(int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.UnaryOp(ast.USub(), inner):
            below = constant(inner)
            return None if below is None else -below
        case ast.BinOp(left, sign, right) if type(sign) in _OPERATIONS:
            one, other = constant(left), constant(right)
            try:
                return None if one is None or other is None else _OPERATIONS[type(sign)](one, other)
            except ArithmeticError:
                return None
    return None

"""Numbers in a program that nobody said: a model that makes one up is not followed; the person is asked."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from thinkaloud.language.numbers import SaidAmount, SaidNumbers, is_amount, is_number, numbers_in
from thinkaloud.language.times import read_time
from thinkaloud.language.units import COUNT, all_ways, convert, count_of, find_units, is_same, stands_alone
from thinkaloud.language.words import in_a_row, plural
from thinkaloud.program import tree
from thinkaloud.program.amounts import Wanted
from thinkaloud.program.constants import constant
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import Program
from thinkaloud.program.sharing import is_part_of_shared
from thinkaloud.program.units import ask_how_many, counted_in
from thinkaloud.skills.signatures import Parameter, Signature

WHICH_NUMBER = "Which number do you mean?"
_DIGITS = (0, 1, 2)
"""How many digits a converted number may be rounded to."""
_ROUNDED = 0.01
"""By how much of it: 16 ml are no tablespoon."""


@dataclass(frozen=True)
class Earlier:
    """The numbers of earlier requests that a later one may mean."""

    amounts: frozenset[SaidAmount] = frozenset()
    """What was said shortly before, with its unit, or was told by the robot."""
    given: frozenset[tuple[str, str, SaidAmount]] = frozenset()
    """What a skill was given for a parameter; without a unit, it is the robot's."""
    numbers: frozenset[float] = frozenset()
    """All of them: how many things there were, and what was compared."""

    def meant_for(self, skill: str, wanted: Wanted) -> frozenset[SaidAmount]:
        """What was given in this very place before, and the amounts that have a unit."""
        name = "" if wanted.parameter is None else wanted.parameter.name
        given = (each for of, place, each in self.given if (of, place) == (skill, name))
        return self.amounts | frozenset((number, unit or wanted.unit) for number, unit in given)


def ask_for_unsaid(program: Program, said: SaidNumbers, earlier: Earlier = Earlier()) -> str | None:
    """The question for the first number that a program takes or compares, that nobody said and that follows from
    nothing."""
    told = said.numbers | earlier.numbers
    skills = program.lexicon.skills
    for call in (each for each in program.calls() if each.name in skills):
        for value, wanted in _given(call, skills[call.name]):
            if (
                isinstance(value, tree.Text)
                and wanted.is_free
                and not is_told(value.value, replace(said, numbers=told))
            ):
                return WHICH_NUMBER
            if (choices := _unsaid_choice(value, wanted.parameter, told)) is not None:
                return f"Which one: {in_a_row(choices, 'or')}?"
            wanted = replace(wanted, parameter=None) if not _is_number_for(wanted) else wanted
            if wanted.parameter is not None:
                heard = _Heard(said, wanted, program, earlier, call.name)
                own_part = is_part_of_shared(call, value, program, heard.has) if said.shared else None
                if own_part is False or (own_part is None and not heard.has(value)):
                    question = ask_how_many(counted_in(wanted.parameter, wanted.says), wanted.parameter)
                    return question if own_part is None else question.replace("?", " each?")
            if (part := next((each for each in tree.walk(value) if not _is_counted(each, told)), None)) is not None:
                of = part.of if isinstance(part, tree.Item | tree.Part) else None
                return ask_how_many(of.name.replace("_", " ") if isinstance(of, tree.Things) else "of them")
    repeated = (n for loop in program.nodes if isinstance(loop, tree.For) and (n := _repeats(loop)) is not None)
    if not all(_Heard(said, Wanted(), program, earlier).has(each) for each in repeated):
        return ask_how_many("times")
    return _ask_for_compared(program, said, earlier) or _ask_for_text(program, said)


def _ask_for_compared(program: Program, said: SaidNumbers, earlier: Earlier) -> str | None:
    """The question for the first number that something is compared with: nobody said from when it is too warm.

    A number may have been said in another unit: how a robot counts what it only compares is often not declared.
    """
    waiting = [node.when for node in program.nodes if isinstance(node, tree.Standing)]
    own = {id(each) for when in waiting for each in tree.walk(when)}
    written = [
        (each, unit) for node in program.nodes if id(node) not in own for each, unit in _compared(node, program.lexicon)
    ]
    if not written:
        return None
    amounts = said.amounts | earlier.amounts
    ways = {each for amount in amounts for each in (*all_ways(*amount), 100 * amount[0], amount[0])}
    told = frozenset(ways | said.numbers | earlier.numbers)
    for each, unit in written:
        number = constant(each.number if isinstance(each, tree.Amount) else each)
        parts = [abs(float(n.value)) for n in tree.walk(each) if isinstance(n, tree.Number)]
        single = number == 1 and said.one and isinstance(each, tree.Amount)
        if not (single or (number is not None and _is_among(number, told)) or all(_is_among(n, told) for n in parts)):
            return ask_how_many(plural(unit) if len(unit) > 2 else unit) if unit else WHICH_NUMBER
    return None


def _compared(node: tree.Node, lexicon: Lexicon) -> Iterator[tuple[tree.Expression, str]]:
    """The numbers that are written out in a comparison, each with its unit; whether there are any needs no number."""
    if not isinstance(node, tree.Compare):
        return
    sides = [node.left, *(each for _, each in node.rest)]
    measured = next((unit for each in sides if (unit := _unit_of_value(each, lexicon))), "")
    for each in sides:
        number = constant(each.number if isinstance(each, tree.Amount) else each)
        counted = any(isinstance(side, tree.Call) and side.role == "builtin" for side in sides)
        if number is not None and number != 0 and not (number == 1 and counted):
            yield each, each.unit if isinstance(each, tree.Amount) else measured


def _ask_for_text(program: Program, said: SaidNumbers) -> str | None:
    """The question for a number in what is to be remembered, or said later."""
    texts = [node.text for node in program.nodes if isinstance(node, tree.Note | tree.Remind)]
    return None if all(is_told(each.value, said) for each in texts if isinstance(each, tree.Text)) else WHICH_NUMBER


def ask_for_limit(program: Program, said: SaidNumbers) -> str | None:
    """The question for the limit of a rule, if its own request does not say it; no earlier number is taken for it."""
    limits = [(node.above, "") for node in program.nodes if isinstance(node, tree.Never) and node.above is not None]
    standing = [node for node in program.nodes if isinstance(node, tree.Standing)]
    limits += [each for node in standing for each in _waited_for(node.when, said, program.lexicon)]
    unsaid = (unit for each, unit in limits if not _Heard(said, Wanted(own_unit=unit), program).has(each))
    return next((ask_how_many(plural(unit) if len(unit) > 2 else unit) for unit in unsaid), None)


def _waited_for(when: tree.Expression, said: SaidNumbers, lexicon: Lexicon) -> Iterator[tuple[tree.Expression, str]]:
    """The numbers that something waits for, each with its unit: after so many minutes, at more than so many degrees."""
    if isinstance(when, tree.Amount):
        single = constant(when.number) == 1 and any(is_same(each, when.unit) for each in said.units)
        yield from [] if single else [(when.number, when.unit)]  # every hour: nobody says one
    for node in tree.walk(when):
        yield from _compared(node, lexicon)


def _given(call: tree.Call, signature: Signature) -> Iterator[tuple[tree.Expression, Wanted]]:
    """What a call is given, each with what its parameter counts."""
    named = {each.name: each for each in signature.parameters}
    for name, value in (*zip(named, call.given, strict=False), *call.named):
        parameter = named.get(name)
        yield value, Wanted(parameter, signature.says)


def _is_number_for(wanted: Wanted) -> bool:
    return wanted.parameter is not None and wanted.parameter.type in (int, float)


def _unsaid_choice(value: tree.Expression, parameter: Parameter | None, told: frozenset[float]) -> Sequence[str] | None:
    """What there is to choose from, where an amount was chosen that nobody said: `20 ml/h`."""
    chosen = value.value if isinstance(value, tree.Text) and parameter is not None and parameter.choices else ""
    if parameter is None or not is_amount(chosen):
        return None
    return None if numbers_in(chosen).numbers & told else parameter.choices


def _repeats(loop: tree.For) -> tree.Expression | None:
    """How often a loop does the same again; None if what it does depends on the number."""
    match loop.over:
        case tree.Call("range", given=(count,)):
            return None if tree.Variable(loop.variable) in tree.walk(loop.body) else count
    return None


def _is_counted(node: tree.Node, told: frozenset[float]) -> bool:
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
    return all(end < 2 or _is_among(end, told) for end in ends)


def written_amounts(node: tree.Expression) -> Iterator[SaidAmount]:
    """The numbers that an expression has, as they are written: with the unit of an amount, or without one."""
    amounts = [each for each in tree.walk(node) if isinstance(each, tree.Amount)]
    within = {id(each) for amount in amounts for each in tree.walk(amount.number)}
    for amount in amounts:
        if (number := constant(amount.number)) is not None:
            yield number, amount.unit
    yield from ((float(n.value), "") for n in tree.walk(node) if isinstance(n, tree.Number) and id(n) not in within)


def used_numbers(program: Program) -> Iterator[tuple[float, ...]]:
    """The numbers that a program takes for something other than an amount: a time, or how many of several.

    Each by all the ways in which it may have been said.
    """
    for node in program.nodes:
        match node:
            case tree.TimeOfDay(time, day):
                at = read_time(time, day)
                yield at.hour, at.hour % 12, at.hour % 12 + 1
                if at.minute:
                    yield at.minute, at.minute / 60, 1 - at.minute / 60, 60 - at.minute
            case tree.Describe(count=count) if count > 1:
                yield (count,)
            case tree.Part(_, start, end):
                yield from ((abs(bound),) for each in (start, end) if each is not None and (bound := constant(each)))
            case tree.For() if (times := _repeats(node)) is not None and (number := constant(times)) is not None:
                yield (number,)


class _Heard:
    """What of an expression for one place in a program was said, or follows from what was and from the robot's facts.

    What is not known to follow does not: then the number is asked for.
    """

    def __init__(
        self,
        said: SaidNumbers,
        wanted: Wanted,
        program: Program,
        earlier: Earlier = Earlier(),
        skill: str = "",
        unit: str = "",
    ) -> None:
        self._said, self._wanted, self._program = said, wanted, program
        self._earlier, self._skill = earlier, skill
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
                inside = _Heard(self._said, self._wanted, self._program, self._earlier, self._skill, unit)
                return self._is_unit_said(unit) and inside.has(inner)
            case tree.Compute(left, "*" | "/" as sign, right):
                value, factor = _factored(node)
                if value is not node and self._is_factor(factor, value) and self.has(value):
                    return True
                if _has_measure(left) and _has_measure(right):
                    return self.has(left) and self.has(right)
                by = constant(right)
                return (self.has(left) and self._is_factor(1 / by if by and sign == "/" else by, left)) or (
                    self._is_factor(constant(left), right) and self.has(right)
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
                return not self._is_left_open
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

    def _is_said_twice(self, number: float) -> bool:
        found = {at for at, each in self._said.places if each == number}
        return len(found) > 1 or _is_among(2 * number, self._numbers)

    def _is_factor(self, number: float | None, of: tree.Expression) -> bool:
        """Whether a number is what was said of a part: halves multiply by 0.5, a fifth more by 1.2, never by 2 or 0.8.

        Only a price, or another value of a thing, is multiplied by what has a unit: 2 ml are never 2 * 2 ml.
        Nothing is multiplied by what has its own unit: 4.50 euros more are not 4.5 times the bill.
        """
        if not number:
            return False
        parts = (each for each in (number - 1, 1 - number, 1 / number - 1) if 0 < each < 1)
        told = (number, *parts, *([1 / number] if number < 1 else []))  # three ways is a third; half is not twice
        factors = self._bare
        if _has_measure(of):
            factors = factors | self._said.numbers | self._earlier.numbers | {n for n, _ in self._said.amounts}
            factors |= self._numbers
            factors -= self._of_unit(_unit_of_value(of, self._program.lexicon)) - self._bare
        return any(_is_among(each, factors) for each in told) or self._turns_units(number)

    @cached_property
    def _bare(self) -> frozenset[float]:
        """The numbers that were said without a unit, or as a share, or as how many times."""
        amounts = self._said.amounts
        bare = frozenset(number for number, unit in amounts if not unit or count_of(unit) is not None)
        shares = frozenset(number / 100 for number, unit in amounts if {*find_units(unit)} & {*find_units("%")})
        return bare | shares | self._said.loose

    def _of_unit(self, unit: str) -> frozenset[float]:
        """The numbers that were said in a unit, or in one that can be converted to it."""
        amounts = (each for each in self._said.amounts if unit and each[1] and count_of(each[1]) is None)
        found = ((number, convert(number, said, unit)) for number, said in amounts)
        return frozenset(each for number, own in found if own is not None for each in (number, own))

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
    def _is_measured(self) -> bool:
        """Whether the unit is one of a measure: half, both and one alone are no amount in it."""
        measures = {each.measures for each in find_units(self._unit)}
        return bool(measures) and not measures & {COUNT, "share", "angle"} and not stands_alone(self._unit)

    @cached_property
    def _numbers(self) -> frozenset[float]:
        """All numbers that may have been meant here: as said, joined, and in the unit that is wanted."""
        said, earlier = self._said, self._earlier.meant_for(self._skill, self._wanted)
        written = frozenset(number for number, _ in said.amounts) - said.loose
        alike = {number for number, unit in said.amounts if unit and is_same(unit, self._unit)}
        single = {1.0} if alike <= {1.0} and any(is_same(each, self._unit) for each in said.units) else set[float]()
        written |= single  # a whole day
        own = [each for each in said.amounts if each[1] or each[0] in written or not self._is_measured]
        amounts = [*own, *said.about(earlier), *(() if self._is_left_open else earlier)]
        found = [_in_unit(each, self._unit) for each in amounts]
        for one, other in said.sums:
            pair = _in_unit(one, self._unit), _in_unit(other, self._unit)
            found += [pair[0] + pair[1]] if pair[0] is not None and pair[1] is not None else []
        if self._counts_things or not self._unit:
            found += [number * many for number, unit in amounts if (many := count_of(unit)) is not None]
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


def is_told(text: str, said: SaidNumbers) -> bool:
    """Whether every number in a text was said, in digits or in words; `one` and `a` are in any text."""
    groups: list[tuple[int, set[float]]] = []
    for at, number in sorted(numbers_in(text).places):
        if not groups or at > groups[-1][0] + 1:
            groups.append((at, set()))
        groups[-1] = at, groups[-1][1] | {number}
    digits = re.findall(r"\d+(?:\.\d+)?", text)
    return all(found & (said.numbers | {1.0}) or _is_written(digits, said) for _, found in groups)


def _is_written(digits: Sequence[str], said: SaidNumbers) -> bool:
    """Whether digits were said as they are: those of a telephone number."""
    return bool(digits) and all(float(each) in said.numbers or each in said.digits for each in digits)


def _has_measure(node: tree.Expression) -> bool:
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

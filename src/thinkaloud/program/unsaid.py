"""Numbers in a program that nobody said: a model that makes one up is not followed; the person is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from thinkaloud.language.numbers import SaidAmount, SaidNumbers, is_amount, numbers_in
from thinkaloud.language.times import read_time
from thinkaloud.language.units import all_ways, is_same
from thinkaloud.language.words import in_a_row
from thinkaloud.program import tree
from thinkaloud.program.amounts import Wanted
from thinkaloud.program.constants import constant
from thinkaloud.program.heard import Earlier, Heard, has_measure, is_among, unit_of_value
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import Program
from thinkaloud.program.sharing import is_part_of_shared
from thinkaloud.program.units import ask_how_many, ask_in_full, counted_in
from thinkaloud.skills.signatures import Parameter, Signature

WHICH_NUMBER = "Which number do you mean?"
ONCE_OR_AGAIN = "Only once, or every time?"
_NOTHING = Earlier()


def ask_for_unsaid(program: Program, said: SaidNumbers, earlier: Earlier = _NOTHING) -> str | None:
    """The question for the first number that a program takes or compares, that nobody said and that follows from
    nothing."""
    skills = program.lexicon.skills
    for call in (each for each in program.calls() if each.name in skills):
        for value, wanted in _given(call, skills[call.name]):
            if (question := _ask_for_given(call, value, wanted, program, said, earlier)) is not None:
                return question
    free = Heard(said, Wanted(), program, earlier)
    repeated = [n for loop in program.nodes if isinstance(loop, tree.For) and (n := _repeats(loop)) is not None]
    told = said.numbers | earlier.numbers  # a number that was used for this is no amount any more
    if not all(is_among(times, told) if (times := constant(n)) is not None else free.has(n) for n in repeated):
        return ask_how_many("times")
    if any(_is_multiplied_in_vain(node, free) for node in _answers(program)):
        return WHICH_NUMBER
    return _ask_for_compared(program, said, earlier) or _ask_for_text(program, said)


def _ask_for_given(
    call: tree.Call, value: tree.Expression, wanted: Wanted, program: Program, said: SaidNumbers, earlier: Earlier
) -> str | None:
    """The question for a number in what a skill is given."""
    told = said.numbers | earlier.numbers
    if isinstance(value, tree.Text) and wanted.is_free and not is_told(value.value, replace(said, numbers=told)):
        return WHICH_NUMBER
    if (choices := _unsaid_choice(value, wanted.parameter, told)) is not None:
        return f"Which one: {in_a_row(choices, 'or')}?"
    if wanted.parameter is not None and wanted.parameter.type in (int, float):
        heard = Heard(said, wanted, program, earlier, call.name)
        own_part = is_part_of_shared(call, value, program, heard.has) if heard.may_be_shared(value) else None
        if own_part is False or (own_part is None and not heard.has(value)):
            if own_part is not None:
                return ask_how_many(counted_in(wanted.parameter, wanted.says), wanted.parameter).replace("?", " each?")
            named = call.arguments(program.lexicon.skills[call.name])
            plain = {name: each.value for name, each in named.items() if isinstance(each, tree.Text)}
            return ask_in_full(wanted.parameter, wanted.says, plain)
    if (part := next((each for each in tree.walk(value) if not _is_counted(each, told)), None)) is not None:
        of = part.of if isinstance(part, tree.Item | tree.Part) else None
        return ask_how_many(of.name.replace("_", " ") if isinstance(of, tree.Things) else "of them")
    return None


def ask_if_again(program: Program, said: SaidNumbers, earlier: Earlier = _NOTHING) -> str | None:
    """The question whether something is done by the clock again and again, if nobody said so.

    A model that writes `whenever` for "in ten minutes" would repeat it for ever.
    """
    recurs = any(each.again and _is_by_clock(each.when) for each in program.nodes if isinstance(each, tree.Standing))
    return ONCE_OR_AGAIN if recurs and not (said.again or earlier.again) else None


def _is_by_clock(when: tree.Expression) -> bool:
    """Whether something waits for a time span or a time of day alone; on a day of the week, it comes again."""
    return isinstance(when, tree.Amount) or (isinstance(when, tree.TimeOfDay) and not when.day)


def _answers(program: Program) -> Iterator[tree.Node]:
    """All parts of what a program says."""
    return (part for node in program.nodes if isinstance(node, tree.Say) for part in tree.walk(node.value))


def _is_multiplied_in_vain(node: tree.Node, heard: Heard) -> bool:
    """Whether an answer is some times a value, though nobody spoke of times: 2 metres of the 5 are not twice 5."""
    match node:
        case tree.Compute(left, "*", right) if has_measure(left) != has_measure(right):
            value, other = (left, right) if has_measure(left) else (right, left)
            factor = constant(other)
            return factor is not None and not heard.is_factor(factor, value)
    return False


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
        if not (single or (number is not None and is_among(number, told)) or all(is_among(n, told) for n in parts)):
            return ask_how_many(unit) if unit else WHICH_NUMBER
    return None


def _compared(node: tree.Node, lexicon: Lexicon) -> Iterator[tuple[tree.Expression, str]]:
    """The numbers that are written out in a comparison, each with its unit; whether there are any needs no number."""
    if not isinstance(node, tree.Compare):
        return
    sides = [node.left, *(each for _, each in node.rest)]
    measured = next((unit for each in sides if (unit := unit_of_value(each, lexicon))), "")
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
    unsaid = (unit for each, unit in limits if not Heard(said, Wanted(own_unit=unit), program).has(each))
    return next(map(ask_how_many, unsaid), None)


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
    return all(end < 2 or is_among(end, told) for end in ends)


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


def unit_of_answer(program: Program) -> str:
    """What the number that a program says is counted in, if that is declared: of a value, or of some times a value."""
    match program.statements:
        case (tree.Say(asked),):
            return unit_of_value(asked, program.lexicon)
    return ""

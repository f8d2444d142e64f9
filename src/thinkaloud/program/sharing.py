"""Amounts that are divided among several: 300 ml shared by three cups are 100 ml for each, never 300."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

from thinkaloud.program import tree
from thinkaloud.program.constants import constant
from thinkaloud.program.parsing import Program


def is_part_of_shared(
    call: tree.Call, value: tree.Expression, program: Program, was_said: Callable[[tree.Expression], bool]
) -> bool | None:
    """Whether something gets its part of what several share, not all of it; None where that is not the question."""
    many = _how_often(call, program)
    match value:
        case tree.Compute(whole, "/", by) if many is not None and constant(by) == many and was_said(whole):
            return True  # half of the roll for each of two
    number = constant(_written_number(value, program))
    if many == 1 or number is None:
        return None
    if many is not None and was_said(_of_same_unit(value, many * number)):
        return True
    return False if was_said(value) else None


def _of_same_unit(value: tree.Expression, number: float) -> tree.Expression:
    return tree.Amount(tree.Number(number), value.unit) if isinstance(value, tree.Amount) else tree.Number(number)


def _how_often(call: tree.Call, program: Program) -> int | None:
    """How often a program does this, counting each thing that it is done with; None if only the world can tell."""
    alike = sum(each.name == call.name and each.given != call.given for each in program.calls())
    several = [_how_many(each, program) for each in _over(call, program)]
    known = [each for each in several if each is not None]
    return None if len(known) < len(several) else (1 + alike) * prod(known)


def _written_number(value: tree.Expression, program: Program) -> tree.Expression:
    """What a program gives here as it is written: the value of a variable, and the number of an amount."""
    match value:
        case tree.Variable(name):
            found = [each.value for each in program.nodes if isinstance(each, tree.Let) and each.name == name]
            return _written_number(found[0], program) if len(found) == 1 and found[0] != value else value
        case tree.Amount(number):
            return number
    return value


def _over(call: tree.Call, program: Program) -> Iterator[tree.Expression]:
    """All lists that a call goes through: those that it is given, and those of the loops around it."""
    yield from (each for each in (*call.given, *(value for _, value in call.named)) if _is_list(each))
    for loop in program.nodes:
        if isinstance(loop, tree.For) and any(each is call for each in tree.walk(loop.body)):
            yield loop.over


def _is_list(node: tree.Expression) -> bool:
    match node:
        case tree.Row() | tree.Things() | tree.Each() | tree.Part() | tree.Describe(form="all_of" | "them"):
            return True
        case tree.Describe(count=count):
            return count > 1
    return False


def _how_many(over: tree.Expression, program: Program) -> int | None:
    match over:
        case tree.Row(items):
            return len(items)
        case tree.Things(name) if name in program.lexicon.named and name not in program.lexicon.partial:
            return len(program.lexicon.named[name])
        case tree.Describe(form="any_of" | "the", count=count):
            return count
        case tree.Call("range", given=(tree.Number(count),)):
            return int(count)
    return None

"""The unit that was said with a number, where a program has the number without it, or with another unit.

"A gram and a half of talc" for a robot that counts in mg: of `weigh("talc", 1.5)`, the number becomes
`amount(1.5, "gram")`.
"""

from __future__ import annotations

from dataclasses import replace

from thinkaloud.language.numbers import SaidNumbers
from thinkaloud.language.units import convert, is_same
from thinkaloud.program import tree
from thinkaloud.program.amounts import Wanted
from thinkaloud.program.constants import constant
from thinkaloud.program.heard import Earlier, Heard, is_among
from thinkaloud.program.parsing import Program


def with_said_units(program: Program, said: SaidNumbers, earlier: Earlier) -> Program:
    """The same program with its numbers in the units in which they were said, where that alone was missing."""
    skills = program.lexicon.skills

    def corrected(node: tree.Node) -> tree.Node:
        if not isinstance(node, tree.Call) or node.name not in skills:
            return node
        signature = skills[node.name]
        parameters = {each.name: each for each in signature.parameters}

        def in_said(name: str, value: tree.Expression) -> tree.Expression:
            wanted = Wanted(parameters.get(name), signature.says)
            return _in_said_unit(value, wanted, Heard(said, wanted, program, earlier, node.name)) or value

        given = tuple(in_said(name, value) for name, value in zip(parameters, node.given, strict=False))
        named = tuple((name, in_said(name, value)) for name, value in node.named)
        return replace(node, given=(*given, *node.given[len(given) :]), named=named)

    return program.changed(corrected)


def _in_said_unit(value: tree.Expression, wanted: Wanted, heard: Heard) -> tree.Expression | None:
    """The amount that was said, if the number was said in one other unit alone; None if nothing has to be changed."""
    number = constant(value.number if isinstance(value, tree.Amount) else value)
    if number is None or not wanted.unit or heard.has(value):
        return None
    units = [unit for each, unit in heard.amounts if unit and is_among(number, frozenset((each,)))]
    alike = [each for each in units if convert(1.0, each, wanted.unit) is not None]
    if len(alike) != len(units) or not alike or not all(is_same(alike[0], each) for each in alike):
        return None
    said = tree.Amount(tree.Number(number), alike[0])
    return said if heard.has(said) else None

"""Several amounts in one request: which of them is meant, and for whom.

Who says "10 mg, no, 20 mg", "10 or 20 mg" or "not 50 mg, Bob gets 20" has said two amounts of one unit; a program that
uses only one of them may have taken the wrong one. In "Bob 10 mg and Ann 20 mg", names and amounts come in one order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thinkaloud.language.mentions import Mention, Tokens
from thinkaloud.language.numbers import SaidNumbers, numbers_in
from thinkaloud.language.units import all_ways, convert, find_units, several
from thinkaloud.language.words import in_a_row
from thinkaloud.program import tree
from thinkaloud.program.amounts import Wanted
from thinkaloud.program.constants import constant
from thinkaloud.program.heard import is_among
from thinkaloud.program.parsing import Program
from thinkaloud.program.standing_free import leads_to_amount, stands_free
from thinkaloud.program.units import ask_how_many
from thinkaloud.skills.signatures import spell_number


@dataclass(frozen=True)
class Given:
    """A number that a program gives to a skill."""

    call: tree.Call
    wanted: Wanted
    value: tree.Expression
    number: float

    @property
    def unit(self) -> str:
        """What the number counts."""
        return self.value.unit if isinstance(self.value, tree.Amount) else self.wanted.unit


def numbers_given(program: Program) -> Iterator[Given]:
    """The numbers that are written out in what skills are given."""
    skills = program.lexicon.skills
    for call in (each for each in program.calls() if each.name in skills):
        given = call.arguments(skills[call.name])
        for parameter in skills[call.name].parameters:
            value = given.get(parameter.name)
            number = None if value is None else constant(value.number if isinstance(value, tree.Amount) else value)
            if value is not None and number is not None and parameter.type in (int, float):
                yield Given(call, Wanted(parameter, skills[call.name].says), value, number)


# Which of them --------------------------------------------------------------------------------------------------------


def ask_which_amount(program: Program, said: SaidNumbers) -> str | None:
    """The question which of several amounts is meant, where the program leaves one of them out."""
    used = frozenset(_used(program))
    left = [each for each in said.mentions if each.number not in said.loose and not _is_used(each, said, used)]
    for given in numbers_given(program) if left else ():
        if not any(each.measures for each in find_units(given.unit)):
            continue
        taken = [each for each in said.mentions if _is_given(each, given)]
        others = [each for each in left if taken and _may_be_meant(each, taken, given, program)]
        if others:
            numbers = sorted({each.number for each in (taken[0], *others)})
            return f"{in_a_row([spell_number(each) for each in numbers], 'or')} {several(taken[0].unit or given.unit)}?"
    return None


def _used(program: Program) -> Iterator[float]:
    """Every number in a program, with what it is in other units."""
    for node in program.nodes:
        match node:
            case tree.Amount(number, unit) if (value := constant(number)) is not None:
                yield from all_ways(value, unit)
            case tree.Describe(count=count):
                yield count
            case tree.Text(text):  # bus 311
                yield from numbers_in(text).numbers
                yield from (float(digits) for digits in re.findall(r"\d+", text))
            case tree.Number() | tree.Negative() | tree.Compute() if (value := constant(node)) is not None:
                yield abs(value)


def _is_used(mention: Mention, said: SaidNumbers, used: frozenset[float]) -> bool:
    """Whether a program uses an amount, or what it came to with a neighbour: half of 200 mg."""
    together = [each for each in said.mentions if each.overlaps(mention)]
    together += [each for pair in said.sums if mention in pair for each in pair]
    return any(is_among(way, used) for each in together for way in _ways(each))


def _ways(mention: Mention) -> Iterator[float]:
    yield from (mention.number, mention.number / 100, *all_ways(mention.number, mention.unit))


def _is_given(mention: Mention, given: Given) -> bool:
    """Whether an amount is the one that a skill is given."""
    own = convert(mention.number, mention.unit, given.unit) if mention.unit else mention.number
    return own is not None and is_among(own, frozenset((given.number,)))


def _may_be_meant(mention: Mention, taken: Sequence[Mention], given: Given, program: Program) -> bool:
    """Whether another amount may have been meant in this place: it has such a unit, or shares the one behind it."""
    if any(mention.overlaps(each) for each in taken) or _is_given(mention, given):
        return False
    if mention.unit:
        return convert(1.0, mention.unit, given.unit) is not None
    shares = any(each.unit and each.begin - mention.end == 1 for each in taken)
    return (shares and leads_to_amount(mention.behind)) or stands_free(
        mention, given.wanted, given.unit, program.lexicon
    )


# For whom -------------------------------------------------------------------------------------------------------------


def ask_if_exchanged(program: Program, said: SaidNumbers, tokens: Tokens) -> str | None:
    """The question for the amount of one of several, where names and amounts come in another order than was said."""
    found = [*numbers_given(program)]
    for first in found:
        alike = [each for each in found if each.call.name == first.call.name and each.wanted == first.wanted]
        if len({each.number for each in alike}) < 2:
            continue
        placed = [(_place_of_name(each, alike, tokens), _place_of_number(each, said), each) for each in alike]
        known = [(name, number, each) for name, number, each in placed if name is not None and number is not None]
        by_name = sorted(known, key=lambda each: each[0])
        if len(known) == len(alike) and by_name != sorted(known, key=lambda each: each[1]):
            thing = _names(by_name[0][2].call)[0]
            return f"{ask_how_many(first.wanted.unit, first.wanted.parameter).removesuffix('?')} for {thing}?"
    return None


def _place_of_number(given: Given, said: SaidNumbers) -> int | None:
    places = {each.at for each in said.mentions if _is_given(each, given)}
    return places.pop() if len(places) == 1 else None


def _place_of_name(given: Given, alike: Sequence[Given], tokens: Tokens) -> int | None:
    """Where the name stands that only this one of the calls has, if it was said once."""
    others = {name for each in alike if each.call != given.call for name in _names(each.call)}
    places = [place for name in _names(given.call) if name not in others for place in _places(Tokens(name), tokens)]
    return places[0] if len(places) == 1 else None


def _places(name: Sequence[str], tokens: Sequence[str]) -> list[int]:
    return [at for at in range(len(tokens)) if [*tokens[at : at + len(name)]] == [*name]]


def _names(call: tree.Call) -> list[str]:
    """The things that a call names."""
    values = (*call.given, *(value for _, value in call.named))
    return [each.value for value in values for each in tree.walk(value) if isinstance(each, tree.Text)]

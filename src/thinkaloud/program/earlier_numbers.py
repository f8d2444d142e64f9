"""The numbers of what was said, told and done before a request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thinkaloud.language.numbers import SaidAmount, is_amount, numbers_in, without_numbers
from thinkaloud.language.units import find_units
from thinkaloud.program import tree, words
from thinkaloud.program.heard import Earlier
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import Program, read_program
from thinkaloud.program.unsaid import written_amounts

_LATEST = 3
"""What was said and meant right before, of all that was."""


def find_earlier_numbers(earlier: Sequence[str], lexicon: Lexicon, *, standing: bool) -> Earlier:
    """What was said with a unit shortly before, what the robot told, and what its skills were given before.

    `earlier`: what was said and answered, and the programs that it meant. `standing`: whether something waits.
    """
    latest = [*earlier[-_LATEST:], *lexicon.notes]
    told = [numbers_in(without_numbers(each, lexicon.all_names), lexicon.nouns) for each in latest]
    amounts = {each for found in told for each in found.amounts if find_units(each[1])}
    amounts |= {each for text, found in zip(latest, told, strict=True) if is_amount(text) for each in found.amounts}
    read = (read_program(each, lexicon) for each in earlier if _may_have_numbers(each))
    programs = [program for program in read if program is not None]
    given = {found for program in programs for found in _given_in(program)}
    everything = frozenset().union(*(numbers_in(each).numbers for each in earlier))
    again = standing or any(found.again for found in told) or any(map(_recurs, programs))
    return Earlier(frozenset(amounts), frozenset(given), everything, again)


def _may_have_numbers(text: str) -> bool:
    """Whether a text may be a program with a number, or one that recurs. To read all of them takes long."""
    return "(" in text and (words.WHENEVER in text or any(map(str.isdigit, text)))


def _recurs(program: Program) -> bool:
    return any(isinstance(node, tree.Standing) and node.again for node in program.nodes)


def _given_in(program: Program) -> Iterator[tuple[str, str, SaidAmount]]:
    """What the skills in an earlier program were given, as far as that is written out."""
    skills = program.lexicon.skills
    for call in (each for each in program.calls() if each.role == "skill"):
        for name, value in call.arguments(skills[call.name]).items():
            yield from ((call.name, name, each) for each in written_amounts(value))

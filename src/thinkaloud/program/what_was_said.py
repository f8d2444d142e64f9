"""What was said for a program: the numbers of the request, of what it answers, and of earlier requests."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Protocol

from thinkaloud.language.numbers import SaidAmount, SaidNumbers, is_amount, numbers_in, without_numbers
from thinkaloud.language.units import find_units
from thinkaloud.program import tree
from thinkaloud.program.constants import constant
from thinkaloud.program.heard import Earlier
from thinkaloud.program.lexicon import Lexicon, one_of, spaced
from thinkaloud.program.parsing import Program, read_program
from thinkaloud.program.unsaid import is_told, used_numbers, written_amounts

_LATEST = 3
"""What was said and meant right before, of all that was."""


class Said(Protocol):
    """What was said, as far as numbers may come from it."""

    @property
    def request(self) -> str:
        """What was said last."""
        ...

    @property
    def words(self) -> str:
        """All that was said for it: the request, and the answers to questions about it."""
        ...

    @property
    def earlier(self) -> Sequence[str]:
        """What was said and answered before, and the programs that it meant."""
        ...

    @property
    def lexicon(self) -> Lexicon:
        """What there is to speak of."""
        ...

    @property
    def standing(self) -> Sequence[object]:
        """What waits for a condition or a time."""
        ...


def tells_made_up_number(program: Program, at: Said) -> bool:
    """Whether an answer, a question or a refusal has a number that the model wrote itself."""
    texts = [*_written_texts(program)]
    if not any(each.isdigit() for text in texts for each in text):
        return False
    lexicon = at.lexicon
    told = (at.request, at.words, *at.earlier, *lexicon.notes, *lexicon.facts, *lexicon.things, lexicon.rules)
    numbers = reduce(or_, map(numbers_in, (*told, *lexicon.guidelines, *_declared_numbers(lexicon))))
    return not all(is_told(each, numbers) for each in texts)


def _written_texts(program: Program) -> Iterator[str]:
    """What a program tells in the model's own words, and the numbers that it writes out for an answer."""
    said = [node.value for node in program.nodes if isinstance(node, tree.Say)]
    rows = [each for value in said for each in (value.items if isinstance(value, tree.Row) else (value,))]
    rows += [node.question for node in program.nodes if isinstance(node, tree.Ask)]
    rows += [node.reason for node in program.nodes if isinstance(node, tree.Cannot)]
    yield from (each.value for each in rows if isinstance(each, tree.Text))
    written = [each for value in rows if constant(value) is not None for each in tree.walk(value)]
    yield from (f"{each.value:g}" for each in written if isinstance(each, tree.Number))


def _declared_numbers(lexicon: Lexicon) -> Iterator[str]:
    """What the robot declares of its numbers: ranges, choices and defaults."""
    for parameter in (each for skill in lexicon.skills.values() for each in skill.parameters):
        yield from map(str, (*(parameter.choices or ()), parameter.default))
        yield "" if parameter.amount is None else parameter.amount.range


def what_was_said(program: Program, at: Said) -> tuple[SaidNumbers, Earlier]:
    """The numbers of the request that a program may use, and those of earlier ones."""
    said = text_of(at)
    names = {*at.lexicon.things, *(thing for things in at.lexicon.named.values() for thing in things)}
    lists = {spaced(each) for each in at.lexicon.lists.values()}
    nouns = frozenset(noun for each in lists for noun in (each, one_of(each)))
    here = numbers_in(without_numbers(said, names, used_numbers(program)), nouns)
    counted = numbers_in(said)
    answer = numbers_in(at.request) if at.words not in ("", at.request) else SaidNumbers()
    loose = here.loose if answer.vague else here.loose - answer.numbers  # the answer to "How many?" may be "half"
    told = replace(here, numbers=here.numbers | counted.numbers, digits=counted.digits, loose=loose)
    return told, _earlier_numbers(at, names, nouns)


def text_of(at: Said) -> str:
    """All that was said for this, the latest in a line of its own: in an answer, nothing stands beside a number."""
    before = at.words.removesuffix(at.request)
    return f"{before}\n{at.request}" if before else at.request


def _earlier_numbers(at: Said, names: Collection[str], nouns: frozenset[str]) -> Earlier:
    """What was said with a unit shortly before, what the robot told, and what its skills were given before."""
    latest = [*at.earlier[-_LATEST:], *at.lexicon.notes]
    told = [numbers_in(without_numbers(each, names), nouns) for each in latest]
    amounts = {each for found in told for each in found.amounts if find_units(each[1])}
    amounts |= {each for text, found in zip(latest, told, strict=True) if is_amount(text) for each in found.amounts}
    programs = [read for text in at.earlier if "(" in text and (read := read_program(text, at.lexicon)) is not None]
    given = {found for program in programs for found in _given_in(program)}
    everything = reduce(or_, map(numbers_in, at.earlier), SaidNumbers())
    again = bool(at.standing) or any(found.again for found in told) or any(map(_recurs, programs))
    return Earlier(frozenset(amounts), frozenset(given), everything.numbers, again)


def _recurs(program: Program) -> bool:
    return any(isinstance(node, tree.Standing) and node.again for node in program.nodes)


def _given_in(program: Program) -> Iterator[tuple[str, str, SaidAmount]]:
    """What the skills in an earlier program were given, as far as that is written out."""
    skills = program.lexicon.skills
    for call in (each for each in program.calls() if each.role == "skill"):
        for name, value in call.arguments(skills[call.name]).items():
            yield from ((call.name, name, each) for each in written_amounts(value))

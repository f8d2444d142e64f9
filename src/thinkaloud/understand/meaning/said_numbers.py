"""The numbers of a request and of a program: units that were said, and numbers that nobody said.

Each part can be switched off by its name (`program/switches.py`), to measure what it is worth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import reduce
from operator import or_

from thinkaloud.errors import Unparseable
from thinkaloud.language.numbers import SaidAmount, SaidNumbers, is_amount, numbers_in, without_numbers
from thinkaloud.language.units import find_units
from thinkaloud.program import tree
from thinkaloud.program.constants import constant
from thinkaloud.program.heard import Earlier
from thinkaloud.program.lexicon import one_of, spaced
from thinkaloud.program.parsing import Program, read_program
from thinkaloud.program.said_units import with_said_units
from thinkaloud.program.switches import switchable
from thinkaloud.program.units import HowMuch
from thinkaloud.program.unsaid import (
    ask_for_limit,
    ask_for_unsaid,
    ask_if_again,
    is_told,
    used_numbers,
    written_amounts,
)
from thinkaloud.understand.meaning.circumstances import Circumstances

_LATEST = 3
"""What was said and meant right before, of all that was."""


@switchable(None)
def keep_said_units(program: Program, at: Circumstances) -> Program | None:
    """The program with the units that were said, where it forgot them."""
    return with_said_units(program, *_what_was_said(program, at))


def refuse_unsaid(program: Program, at: Circumstances) -> None:
    """HowMuch for a number that nobody said and that follows from nothing; Unparseable for one in an answer."""
    question = ask_for_number(program, at) or ask_once_or_again(program, at)
    if question is not None:
        raise HowMuch(question)
    refuse_made_up(program, at)


@switchable(None)
def ask_for_number(program: Program, at: Circumstances) -> str | None:
    """The question for a number; `program/unsaid.py` tells what follows from the words."""
    said, earlier = _what_was_said(program, at)
    said = replace(said, shared=divide_shared(said))
    return ask_for_unsaid(program, said, earlier) or ask_for_limit(program, numbers_in(at.request))


@switchable(False)
def divide_shared(said: SaidNumbers) -> bool:
    """Whether an amount was said for several together."""
    return said.shared


@switchable(None)
def ask_once_or_again(program: Program, at: Circumstances) -> str | None:
    """The question whether something comes again and again."""
    return ask_if_again(program, *_what_was_said(program, at))


@switchable(None)
def refuse_made_up(program: Program, at: Circumstances) -> None:
    """Unparseable for an answer with a number that the model wrote itself, in place of asking the robot for it."""
    said = [node.value for node in program.nodes if isinstance(node, tree.Say)]
    rows = [each for value in said for each in (value.items if isinstance(value, tree.Row) else (value,))]
    texts = [each.value for each in rows if isinstance(each, tree.Text)]
    written = [each for value in rows if constant(value) is not None for each in tree.walk(value)]
    texts += [f"{each.value:g}" for each in written if isinstance(each, tree.Number)]
    if any(each.isdigit() for text in texts for each in text):
        told = (at.request, at.words, *at.earlier, *at.lexicon.notes, *at.lexicon.facts, *at.lexicon.things)
        numbers = reduce(or_, map(numbers_in, told))
        if not all(is_told(each, numbers) for each in texts):
            raise Unparseable("say has a number that nobody told: find it with a measure, or by counting things.")


def _what_was_said(program: Program, at: Circumstances) -> tuple[SaidNumbers, Earlier]:
    """The numbers of the request that a program may use, and those of earlier ones."""
    said = at.words if at.words.endswith(at.request) else f"{at.words} {at.request}"
    names = {*at.lexicon.things, *(thing for things in at.lexicon.named.values() for thing in things)}
    lists = {spaced(each) for each in at.lexicon.lists.values()}
    nouns = frozenset(noun for each in lists for noun in (each, one_of(each)))
    here = numbers_in(without_numbers(said, names, used_numbers(program)), nouns)
    counted = numbers_in(said)
    answer = numbers_in(at.request) if at.words not in ("", at.request) else SaidNumbers()
    loose = here.loose if answer.vague else here.loose - answer.numbers  # the answer to "How many?" may be "half"
    told = replace(here, numbers=here.numbers | counted.numbers, digits=counted.digits, loose=loose)
    return told, _earlier_numbers(at, names, nouns)


def _earlier_numbers(at: Circumstances, names: Collection[str], nouns: frozenset[str]) -> Earlier:
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

"""What was said for a program: the numbers of the request, of what it answers, and of earlier requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Protocol

from thinkaloud.language.numbers import SaidNumbers, numbers_in, without_numbers
from thinkaloud.program import tree
from thinkaloud.program.constants import constant
from thinkaloud.program.heard import Earlier
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import Program
from thinkaloud.program.unsaid import is_told, used_numbers


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
    def earlier_numbers(self) -> Earlier:
        """The numbers of what was said and done before."""
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
    here = numbers_in(without_numbers(said, at.lexicon.all_names, used_numbers(program)), at.lexicon.nouns)
    counted = numbers_in(said)
    answer = numbers_in(at.request) if at.words not in ("", at.request) else SaidNumbers()
    loose = here.loose if answer.vague else here.loose - answer.numbers  # the answer to "How many?" may be "half"
    told = replace(here, numbers=here.numbers | counted.numbers, digits=counted.digits, loose=loose)
    return told, at.earlier_numbers


def text_of(at: Said) -> str:
    """All that was said for this, the latest in a line of its own: in an answer, nothing stands beside a number."""
    before = at.words.removesuffix(at.request)
    return f"{before}\n{at.request}" if before else at.request

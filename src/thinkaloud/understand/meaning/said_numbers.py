"""The numbers of a request and of a program: units that were said, and numbers that nobody said.

Each part can be switched off by its name (`program/switches.py`), to measure what it is worth.
"""

from __future__ import annotations

from dataclasses import replace

from thinkaloud.errors import Unparseable
from thinkaloud.language.mentions import Tokens
from thinkaloud.language.numbers import SaidNumbers, numbers_in
from thinkaloud.program.parsing import Program
from thinkaloud.program.said_units import with_said_units
from thinkaloud.program.several_amounts import ask_if_exchanged, ask_which_amount
from thinkaloud.program.switches import switchable
from thinkaloud.program.units import HowMuch
from thinkaloud.program.unsaid import ask_for_limit, ask_for_unsaid, ask_if_again
from thinkaloud.program.what_was_said import tells_made_up_number, text_of, what_was_said
from thinkaloud.understand.meaning.circumstances import Circumstances


@switchable(None)
def keep_said_units(program: Program, at: Circumstances) -> Program | None:
    """The program with the units that were said, where it forgot them."""
    return with_said_units(program, *what_was_said(program, at))


def refuse_unsaid(program: Program, at: Circumstances) -> None:
    """HowMuch for a number that nobody said and that follows from nothing; Unparseable for one in an answer."""
    question = ask_for_number(program, at) or ask_which_is_meant(program, at) or ask_once_or_again(program, at)
    if question is not None:
        raise HowMuch(question)
    refuse_made_up(program, at)


@switchable(None)
def ask_for_number(program: Program, at: Circumstances) -> str | None:
    """The question for a number; `program/unsaid.py` tells what follows from the words."""
    said, earlier = what_was_said(program, at)
    said = replace(said, shared=divide_shared(said))
    return ask_for_unsaid(program, said, earlier) or ask_for_limit(program, numbers_in(text_of(at)))


@switchable(False)
def divide_shared(said: SaidNumbers) -> bool:
    """Whether an amount was said for several together."""
    return said.shared


@switchable(None)
def ask_which_is_meant(program: Program, at: Circumstances) -> str | None:
    """The question which of several amounts is meant, or for whom; nobody is asked about what they have just chosen."""
    answered = at.words not in ("", at.request) and bool(numbers_in(at.request).mentions)
    if at.picked or answered:
        return None
    said, _ = what_was_said(program, at)
    whole = text_of(at)
    return ask_which_amount(program, said) or ask_if_exchanged(program, numbers_in(whole), Tokens(whole))


@switchable(None)
def ask_once_or_again(program: Program, at: Circumstances) -> str | None:
    """The question whether something comes again and again."""
    return ask_if_again(program, *what_was_said(program, at))


@switchable(None)
def refuse_made_up(program: Program, at: Circumstances) -> None:
    """Unparseable for an answer, a question or a refusal with a number that the model wrote itself."""
    if tells_made_up_number(program, at):
        raise Unparseable("This tells a number that nobody told: find it with a measure, or by counting things.")

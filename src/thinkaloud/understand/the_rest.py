"""Where something of a request cannot be done, a person is asked whether the rest of it is to be done all the same.

"Put a plate, a fork and a glass on the table", and there is no glass: to do nothing would be of no use, and to leave
out the glass without a word would not be what was said. A robot that is never to ask, and has nobody whom it could,
does the rest and ends as failed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from thinkaloud.records import Meaning, Question, Reading, Refused
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.program import program_of, read_program
from thinkaloud.understand.switches import switchable
from thinkaloud.understand.tree import Cannot, Do, Expression, Row, Statement, Text

_MOST_PARTS = 20


@dataclass(frozen=True)
class Rest:
    """What of a request can be done, and why the other parts of it cannot."""

    deeds: Meaning
    lacking: str

    def meaning(self) -> Meaning:
        """The rest, to be done without asking; it ends with what is lacking."""
        words = f"{self.lacking} {self.deeds.words}"
        return replace(self.deeds, words=words, content=replace(self.deeds.act, lacking=self.lacking))

    def question(self, refused: Meaning) -> Meaning:
        """Whether the rest is to be done all the same."""
        words, program = self.deeds.words, self.deeds.program
        question = f"{self.lacking} I could do the rest: {words} Shall I?"
        return replace(
            refused,
            program=program,
            words=question,
            content=Question(question, ("yes", "no")),
            readings=(Reading(program, words, 0.0),),
        )


@switchable(None)
def find_rest(refused: Meaning, lexicon: Lexicon, run: Callable[[str], Meaning | None]) -> Rest | None:
    """What can be done of what was refused; None where nothing was refused, or nothing else can be done."""
    program = read_program(refused.program, lexicon) if isinstance(refused.content, Refused) else None
    parts = [] if program is None else [part for each in program.statements for part in _parts_of(each)]
    if not 1 < len(parts) <= _MOST_PARTS:
        return None
    rest: list[Statement] = []
    lacking: list[str] = []
    for part in parts:
        meaning = run(program_of([part], lexicon).text)
        if meaning is not None and meaning.sort == "deeds" and not meaning.notes:
            rest.append(part)
        elif meaning is None or not isinstance(meaning.content, Refused) or isinstance(part, Cannot):
            return None
        else:
            lacking.append(meaning.content.why)
    meaning = run(program_of(rest, lexicon).text)
    if not lacking or meaning is None or not meaning.deeds:
        return None
    return Rest(meaning, " ".join(dict.fromkeys(lacking)))


def _parts_of(statement: Statement) -> Iterator[Statement]:
    """What one statement does, thing by thing where these are written out."""
    given = statement.call.given if isinstance(statement, Do) else ()
    place = next((n for n, each in enumerate(given) if _is_listed(each)), None)
    listed = None if place is None else given[place]
    if place is None or not isinstance(statement, Do) or not isinstance(listed, Row):
        yield statement
        return
    for each in listed.items:
        yield Do(replace(statement.call, given=(*given[:place], each, *given[place + 1 :])))


def _is_listed(given: Expression) -> bool:
    """Whether these are several things by their names."""
    return isinstance(given, Row) and len(given.items) > 1 and all(isinstance(each, Text) for each in given.items)

"""Where something of a request cannot be done, a person is asked whether the rest of it is to be done all the same.

"Put a plate, a fork and a glass on the table", and there is no glass: to do nothing would be of no use, and to leave
out the glass without a word would not be what was said. A robot that is never to ask, and has nobody whom it could,
does the rest and ends as failed.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from thinkaloud.records import Meaning, Question, Reading, Refused
from thinkaloud.understand.language import CANNOT, spelled
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.switches import nothing, switchable
from thinkaloud.understand.syntax import call_of, parsed, text_of

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


@switchable(nothing)
def find_rest(refused: Meaning, lexicon: Lexicon, run: Callable[[str], Meaning | None]) -> Rest | None:
    """What can be done of what was refused; None where nothing was refused, or nothing else can be done."""
    tree = parsed(refused.program) if refused.sort == "refusal" else None
    parts = [] if tree is None else [each for node in tree.body for each in _parts_of(node)]
    if not 1 < len(parts) <= _MOST_PARTS:
        return None
    rest: list[str] = []
    lacking: list[str] = []
    for part in parts:
        meaning, called = run(ast.unparse(part)), call_of(part)
        if meaning is not None and meaning.sort == "deeds" and not meaning.notes:
            rest.append(ast.unparse(part))
        elif meaning is None or not isinstance(meaning.content, Refused) or _says_cannot(called, lexicon):
            return None
        else:
            lacking.append(meaning.content.why)
    meaning = run("\n".join(rest))
    if not lacking or meaning is None or not meaning.deeds:
        return None
    return Rest(meaning, " ".join(dict.fromkeys(lacking)))


def _says_cannot(called: tuple[str, ast.Call] | None, lexicon: Lexicon) -> bool:
    return called is not None and called[0] == spelled(CANNOT, lexicon)


def _parts_of(statement: ast.stmt) -> Iterator[ast.stmt]:
    """What one statement does, thing by thing where these are written out."""
    called = call_of(statement)
    place = next((n for n, each in enumerate(called[1].args) if _is_listed(each)), None) if called else None
    if called is None or place is None:
        yield statement
        return
    listed = called[1].args[place]
    assert isinstance(listed, ast.List)
    for each in listed.elts:
        alone = copy.deepcopy(called[1])
        alone.args[place] = each
        yield ast.Expr(alone)


def _is_listed(given: ast.expr) -> bool:
    """Whether these are several things by their names."""
    return isinstance(given, ast.List) and len(given.elts) > 1 and all(text_of(each) is not None for each in given.elts)

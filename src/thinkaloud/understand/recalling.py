"""`Once more`, `undo everything you did to the boat`: what is said of what was done before, worked out from the words.

A model sees a few of the latest programs and easily writes another one of them; what was done code knows exactly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from thinkaloud.language.name_matching import things_in
from thinkaloud.language.words import says_again, stems
from thinkaloud.monologue import Monologue
from thinkaloud.records import Meaning, Reading, Request, Step
from thinkaloud.understand.clauses import clauses_of
from thinkaloud.understand.conversation import Heard, all_heard, is_under_way, work_to_undo
from thinkaloud.understand.language import CANNOT, PREVIOUS, STOP, UNDO, spelled
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.saying.narrowing import calls_of
from thinkaloud.understand.saying.offering import Asking, ask_about, option_of
from thinkaloud.understand.switches import nothing, switchable

_BACK = re.compile(
    r"(?:(?:please|now|can|could|would|will|you|and|then|ok|okay|just|i want you to)[ ,]+)*"
    r"(?:undo|revert|take\b.*\bback|put\b.*\bback (?:as|how|the way)|reverse)\b",
    re.IGNORECASE,
)
_PARTLY = re.compile(r"\b(?:except(?: for)?|but(?: not)?|apart from|other than)\b", re.IGNORECASE)
_SINCE = re.compile(r"\b(?:since|after|before|until|from|only|just the|first|second|last|\d+)\b", re.IGNORECASE)
_EVERYTHING = re.compile(r"\b(?:everything|all you|all that you|all the things|all (?:of )?your)\b", re.IGNORECASE)
_ALL_OF_IT = re.compile(
    r"\b(?:all of (?:it|that|this|them|these|those)|it all|that all|all that|all this|the whole (?:thing|lot)|all)\b",
    re.IGNORECASE,
)

_FINISHING = stems("finish complete continue resume")


# Once more ------------------------------------------------------------------------------------------------------------


@switchable(nothing)
def recall(
    heard: Heard, monologue: Monologue, at: Circumstances, run: Callable[[str], Meaning], asking: Asking
) -> Meaning | None:
    """What is meant where nothing is said but that the same is to be done again, or all of it taken back.

    The question of which requests, where that is not plain; None where something else is said.
    """
    if (again := find_again(heard, monologue, at.lexicon)) is not None:
        return replace(run(again), sure=1.0)
    programs = find_all_back(heard.text, monologue, len(at.undone), at.lexicon) if says_all_back(heard.text) else []
    found = [replace(run(each), sure=1.0) for each in programs]
    if len(found) < 2 or asking.confirm == "never":
        return found[0] if found else None
    return ask_about(found[0], [option_of(Reading(each.program, "", 1.0), each, at) for each in found])


def find_again(heard: Heard, monologue: Monologue, lexicon: Lexicon) -> str | None:
    """The program that does, or answers, the same as for what was said before; None where that is not what is said."""
    before = [each.meaning for each in all_heard(monologue) if each.at < heard.at and each.meaning is not None]
    is_request = isinstance(monologue[heard.at].record, Request)
    if not is_request or not before or not says_again(heard.text) or is_under_way(monologue, heard.at):
        return None
    last = before[-1]
    if last.sort == "answer":
        return last.program
    return calls_of(last.deeds, lexicon) if last.sort == "deeds" and last.deeds else None


@switchable()
def with_going_on(program: str, heard: Heard, monologue: Monologue, lexicon: Lexicon) -> str:
    """A program in which nothing is left off where nothing moves: who then speaks of finishing means what is not."""
    stops = re.fullmatch(rf"{re.escape(spelled(STOP, lexicon))}\(.*\)", program.strip())
    if stops is None or is_under_way(monologue, heard.at) or not stems(heard.text) & _FINISHING:
        return program
    return f"{spelled(PREVIOUS, lexicon)}()"


# All of it ------------------------------------------------------------------------------------------------------------


def says_all_back(text: str) -> bool:
    """Whether all of something that was done is to be taken back, and nothing else is wanted: "undo all of it"."""
    return _BACK.match(text.strip()) is not None and len(clauses_of(text, fine=True)) == 1


@switchable(lambda *_: [])
def find_all_back(text: str, monologue: Monologue, count: int, lexicon: Lexicon) -> list[str]:
    """The programs that take back all that is meant, where all of something is: what was done with some things, or all
    that can be taken back (`count` requests). Two where it may be all of the latest request or of all of them."""
    everything = _EVERYTHING.search(text)
    found = everything or _ALL_OF_IT.search(text)
    if found is None or not count or _SINCE.search(text):
        return []
    undo, latest, whole = spelled(UNDO, lexicon), work_to_undo(monologue), work_to_undo(monologue, count)
    things, partly = things_in(text[found.start() :], lexicon.things), _PARTLY.search(text)
    if partly is not None:
        kept = [step for step in whole.steps if {*things} & {*step.arguments.values()}] if whole is not None else []
        return [_undoing(count, kept, lexicon)] if things and kept else []
    if things:
        return [_back_with(things, monologue, count, lexicon)]
    alone = everything is not None or latest is None or len(latest.steps) == 1 or count == 1
    return [_undoing(count, (), lexicon)] if alone else [_undoing(count, (), lexicon), f"{undo}()"]


def _undoing(count: int, stay: Sequence[Step], lexicon: Lexicon) -> str:
    """So many requests are taken back, but for some steps."""
    taken = f"{spelled(UNDO, lexicon)}({count if count > 1 else ''})"
    return "\n".join([taken, *([calls_of(stay, lexicon)] if stay else [])])


def _back_with(things: list[str], monologue: Monologue, count: int, lexicon: Lexicon) -> str:
    """What was done with some things is taken back, and what else was done since is not."""
    handled = {number for number in range(1, count + 1) if _handles(number, things, monologue)}
    if not handled:
        return f'{spelled(CANNOT, lexicon)}("I did nothing with that which I could take back.")'
    work = work_to_undo(monologue, max(handled))
    stay = [step for step in work.steps if not {*things} & {*step.arguments.values()}] if work is not None else []
    return _undoing(max(handled), stay, lexicon)


def _handles(number: int, things: list[str], monologue: Monologue) -> bool:
    """Whether something was done with some things for the latest request, the one before it, and so on."""
    work, later = work_to_undo(monologue, number), work_to_undo(monologue, number - 1)
    own = work.steps[: len(work.steps) - (len(later.steps) if later is not None else 0)] if work is not None else ()
    return any({*things} & {*step.arguments.values()} for step in own)

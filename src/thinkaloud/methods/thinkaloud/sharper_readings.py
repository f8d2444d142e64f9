"""Readings that say the same, one of them more exactly: `why(wash("red cup"))` beside a bare `why()`.

Where just one of the deeds that are named was done, that reading is taken, with what speaks for either. Nobody can
choose between the two.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from thinkaloud.errors import Unparseable
from thinkaloud.language.words import answer_words
from thinkaloud.program import tree
from thinkaloud.program.parsing import Program, program_of, read_program
from thinkaloud.understand.checking.certainty import Doubt, how_sure
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import run_program


def prefer_sharper(doubt: Doubt, written: str, model: str, at: Circumstances) -> Doubt:
    """The same doubt, about the reading that says more exactly what the one that was written first does."""
    programs = [doubt.instead or written, *(each.program for each in doubt.others)]
    read = {each: read_program(each, at.lexicon) for each in programs}
    first = read[programs[0]]
    if first is None or len(programs) == 1 or not any(isinstance(node, tree.About) for node in first.nodes):
        return doubt
    bare = first.changed(_without_deed).text
    family = [each for each in programs if (found := read[each]) and found.changed(_without_deed).text == bare]
    done = [each for each in family if (found := read[each]) and _was_done(found, at)]
    if len(done) != 1 or len(family) == 1 or programs[0] not in (bare, done[0]):
        return doubt
    gone = [each for each in doubt.others if each.program in (bare, done[0])]
    more = min(1.0, doubt.measured.get("agreement", 1.0) + sum(each.weight for each in gone))
    measured = {**doubt.measured, "agreement": more}
    others = tuple(each for each in doubt.others if each not in gone)
    return replace(doubt, sure=how_sure(measured, model), others=others, measured=measured, instead=done[0])


def _without_deed(node: Any) -> Any:
    return replace(node, deed=None) if isinstance(node, tree.About) else node


def _was_done(program: Program, at: Circumstances) -> bool:
    """Whether it speaks of deeds, and each of them was done."""
    deeds = [node.deed for node in program.nodes if isinstance(node, tree.About) and node.deed is not None]
    try:
        told = [run_program(program_of([tree.Say(tree.About("done", deed))], at.lexicon).text, at) for deed in deeds]
    except Unparseable:
        return False
    return bool(told) and all(answer_words(each.words)[:1] == ["yes"] for each in told)

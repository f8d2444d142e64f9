"""Reading again, with fewer words and fewer things, where words of a request only say which things can be meant.

`The drink on the counter`, once that was looked at, is `the drink` among what lies there. `I spilled my milk, get me
something to wipe it up with` is the second half, and not the milk. A model that reads all of it at once takes what it
finds named.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass

from thinkaloud.errors import SkillError
from thinkaloud.language.calls import RunsCode
from thinkaloud.records import Meaning, Observation
from thinkaloud.understand.checking.fitting import as_list, edited
from thinkaloud.understand.checking.said import is_in_other_language
from thinkaloud.understand.checking.telling_clauses import find_mentioned, split_told
from thinkaloud.understand.hints import without_things
from thinkaloud.understand.language import ASK, spelled, with_name
from thinkaloud.understand.lexicon import THINGS
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.common_sense import given_texts
from thinkaloud.understand.meaning.naming import WHICH, Names, tells_missing
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.understand.switches import nothing, switchable


@dataclass(frozen=True)
class Narrowed:
    """The words that are read again, and the scene with what can be meant by them, which is `among` these things."""

    text: str
    scene: Observation
    noun: str
    among: tuple[str, ...]
    found: str = ""
    """The noun, where one of them is meant for sure, whatever it is called: who spoke of it has said where it is."""

    def named(self, program: str, at: Circumstances) -> str:
        """A program in which what is meant has its own name: said of all that there is, its noun may be others."""

        def write_out(node: ast.AST) -> ast.AST:
            if isinstance(node, ast.Name) and node.id != THINGS and node.id in at.lexicon.kinds:
                return as_list(at.lexicon.kinds[node.id])
            return node

        written = edited(program, write_out)
        program = program if written == edited(program, lambda node: node) else written
        names = Names(at.scene)
        for text, things in given_texts(program, at.lexicon):
            try:
                program = with_name(program, text, names.find(text, things))
            except SkillError:
                continue
        return program

    def settled(self, meaning: Meaning, at: Circumstances, sandbox: RunsCode) -> Meaning:
        """What it comes to; where none of them is called so, the question which of them is meant."""
        if meaning.sort != "refusal" or not tells_missing(meaning.why):
            return meaning
        question = WHICH.format(self.noun)
        return run_program(f"{spelled(ASK, at.lexicon)}({question!r}, {[*self.among]!r})", at, sandbox)


@switchable(nothing)
def without_told(meaning: Meaning, request: str, at: Circumstances) -> Narrowed | None:
    """What is wanted, without what the request only tells, where a reading has taken that for what is wanted."""
    if is_in_other_language(request):
        return None
    mentioned = find_mentioned(meaning, request, at.lexicon)
    if not mentioned:
        return None
    kind, names = next((kind, names) for kind, names in at.scene.vocabulary.items() if mentioned[0] in names)
    among = _known_first(at.scene, [each for each in names if each not in mentioned])
    return Narrowed(split_told(request)[1], without_things(at.scene, mentioned), kind, tuple(among))


def _known_first(scene: Observation, names: Collection[str]) -> list[str]:
    """Those that were seen; all of them where none was."""
    known = [each for each in (*scene.objects, *scene.hidden) if each in names]
    return known or [*names]

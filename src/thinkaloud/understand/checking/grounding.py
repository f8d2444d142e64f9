"""Whether what was said names anything that a rule is about: an insult that a model reads as a rule names nothing.

A rule holds until somebody takes it back, so one that came out of nowhere is worse than a deed: nobody sees it. It
counts as grounded if the words share one with the robot's own words for it, or if the judge is all but certain of it.
If the robot's words are in another language, it is the judge alone; if nothing speaks for a rule, a person is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from thinkaloud.language.words import stems
from thinkaloud.program import tree
from thinkaloud.program.lexicon import spaced
from thinkaloud.program.parsing import Program
from thinkaloud.program.switches import switchable
from thinkaloud.records import Meaning, Noted
from thinkaloud.understand.checking.certainty import in_even_steps

CERTAIN, LIKELY = 0.9, 0.5
"""How likely a judge has to say a rule is, if no word speaks for it: where a person can be asked, and where not."""


def keeps_rules(meaning: Meaning) -> bool:
    """Whether something holds from then on: a thing to leave alone, a deed not to do, something that waits."""
    return bool(meaning.standing) or (isinstance(meaning.content, Noted) and bool(meaning.kept or meaning.rules))


@switchable(True)
def is_grounded(program: Program | None, said: str, measured: Mapping[str, float], *, certain: float = CERTAIN) -> bool:
    """Whether the words speak for a rule, or the judge is `certain` of it."""
    if measured.get("judge", float("-inf")) >= in_even_steps(certain):
        return True
    return program is None or bool(stems(said) & stems(" ".join(_words_of(program))))


def _words_of(program: Program) -> Iterator[str]:
    """All words of the robot's, and all texts, that a program has in it."""
    lexicon = program.lexicon
    signatures = {**lexicon.skills, **lexicon.relations, **lexicon.measures}
    for node in program.nodes:
        match node:
            case tree.Text(text):
                yield text
            case tree.Things(name) | tree.Function(name):
                yield spaced(name)
            case tree.Describe(words=words):
                yield words
            case tree.Call(name):
                own = signatures.get(name)
                yield spaced(name)
                yield "" if own is None else own.says

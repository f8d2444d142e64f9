"""What was said in one of several clauses and is in no reading of the request: that is said before it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thinkaloud.language.words import spaced_words, stem, words_of
from thinkaloud.skills.signatures import Signature
from thinkaloud.understand.checking.doubts import lost_things
from thinkaloud.understand.checking.said import WORD_SORTS, Said, is_foreign, roots_of
from thinkaloud.understand.clauses import clauses_of
from thinkaloud.understand.switches import switchable


@dataclass(frozen=True)
class Lost:
    """What was said in one of several clauses and is in no reading: things by name, or clauses with a skill's verb."""

    things: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()


@switchable(lambda *_: Lost())
def find_lost(readings: Sequence[Said]) -> Lost:
    """What all readings of a request with several clauses have lost; nothing where a no or an except may be why."""
    request = readings[0].request if readings else ""
    clauses = clauses_of(request, fine=True)
    if len(clauses) < 2 or any(is_foreign(each) or _denies(each) or not each.acts for each in readings):
        return Lost()
    lost = [lost_things(each) for each in readings]
    things = [name for name in lost[0] if all(name in each for each in lost)]
    with_thing = [clause for clause in clauses if any(spaced_words(name) in spaced_words(clause) for name in things)]
    verbs = [clause for clause in clauses if all(_is_verb_lost(clause, each) for each in readings)]
    return Lost(tuple(things), tuple(clause for clause in verbs if clause not in with_thing))


def _denies(said: Said) -> bool:
    return said.has("negation") or said.has("exception") or any(word.endswith("n't") for word in said.spoken)


def _is_verb_lost(clause: str, said: Said) -> bool:
    """Whether a clause begins with the verb of skills of which the program calls none, nor anything of that name."""
    first = next((word for word in words_of(clause) if word not in WORD_SORTS["small"]), "")
    skills = {name for name, each in said.lexicon.skills.items() if stem(first) in {*map(stem, _verbs(each))}}
    spoken_of = roots_of(" ".join((*said.called, *said.literals)))
    return bool(skills) and not skills & said.called and stem(first) not in spoken_of


def _verbs(signature: Signature) -> set[str]:
    return {*words_of(signature.says)[:1], *words_of(signature.name.replace("_", " "))[:1]}

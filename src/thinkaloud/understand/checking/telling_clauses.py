"""What a request only tells: `I spilled my milk, get me something to wipe it up with` does not ask for milk.

A clause that tells has a subject of its own (`I`, `my milk`, `there`, `the milk`) and nothing that wishes. What is
named in such clauses alone is not what is wanted where what is wanted was left open (`something`, `anything`).
"""

from __future__ import annotations

import re

from thinkaloud.language.words import spaced_words
from thinkaloud.records import Meaning
from thinkaloud.understand.checking.fitting import WORDS
from thinkaloud.understand.lexicon import Lexicon

_BETWEEN = re.compile(r"[.;:!?,\n]+|\b(?=because\b|since\b|so\b|and\b|but\b)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")


def split_told(request: str) -> tuple[str, str]:
    """What of a request only tells something, and the rest, in which something is wanted."""
    told: list[str] = []
    rest: list[str] = []
    for clause in _BETWEEN.split(request):
        (told if _tells(clause) else rest).append(clause)
    return " . ".join(told), " . ".join(rest)


def _tells(clause: str) -> bool:
    words = [word.replace("’", "'") for word in _WORD.findall(clause.lower())]
    while words and words[0] in WORDS["leading"]:
        del words[0]
    if not words or {*words} & WORDS["wishing"]:
        return False
    if words[0] in WORDS["subjects"]:
        return True
    return words[0] in WORDS["skipped"] and bool({*words[1:]} & WORDS["being"])


def find_mentioned(meaning: Meaning, request: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The things that something would be done with although the request only tells of them, and leaves open what it
    wants; none where it does not leave that open."""
    told, wanted = (spaced_words(each) for each in split_told(request))
    if meaning.sort != "deeds" or not {*wanted.split()} & WORDS["open"]:
        return ()
    only_told = [each for each in lexicon.things if _is_in(each, told) and not _is_in(each, wanted)]
    handled = [{*deed.arguments.values()} & {*only_told} for deed in meaning.deeds]
    return tuple(each for each in only_told if all(handled) and any(each in things for things in handled))


def _is_in(thing: str, text: str) -> bool:
    return spaced_words(thing) in text

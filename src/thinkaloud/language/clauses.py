"""Sentences of the robot as parts of others: `the fern is wet` for `Fern is wet.`"""

from __future__ import annotations

import re
from collections.abc import Iterable

_ENGLISH = re.compile(r" (?:is|are|was|were|has|have|can) ")
"""What follows the subject of a sentence that takes an English article."""


def as_clause(sentence: str, names: Iterable[object]) -> str:
    """A sentence inside another; `names` are the things it is about. A sentence of another form stays as it is."""
    words = sentence.removesuffix(".")
    if words.startswith(("The ", "There ", "It ")):
        return words[:1].lower() + words[1:]
    for name in names:
        if isinstance(name, str) and name[:1].islower() and words.lower().startswith(name.lower()):
            numbered, rest = name[-1:].isdigit(), words[len(name) :]
            return f"{'' if numbered else 'the '}{name}{rest}" if _ENGLISH.match(rest) else words
    return words

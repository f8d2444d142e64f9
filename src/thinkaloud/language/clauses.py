"""Sentences of the robot as parts of others: `the fern is wet` for `Fern is wet.`"""

from __future__ import annotations

import re
from collections.abc import Iterable

_ENGLISH = re.compile(r" (?:is|are|was|were|has|have|can) ")
"""What follows the subject of a sentence that takes an English article."""


def as_clause(sentence: str, names: Iterable[object]) -> str:
    """A sentence inside another; `names` are the things it is about. One that begins otherwise stays as it is."""
    words = sentence.removesuffix(".")
    if words.startswith(("The ", "There ", "It ", "What ")):
        return words[:1].lower() + words[1:]
    for name in names:
        if isinstance(name, str) and name[:1].islower() and words.lower().startswith(name.lower()):
            rest = words[len(name) :]
            return f"{'the ' if _ENGLISH.match(rest) and not name[-1:].isdigit() else ''}{name}{rest}"
    return words

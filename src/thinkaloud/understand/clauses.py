"""The clauses of a request: the one place where a text is cut up, for all that looks at parts of it.

clauses_of("Feed Rex, and then close the gate.")             ["Feed Rex", "close the gate"]
clauses_of("Feed Rex and Susi, close the gate.", fine=True)   ["Feed Rex", "Susi", "close the gate"]
"""

from __future__ import annotations

import re

STOPS = frozenset(".;:!?")
"""What ends a sentence, or a part of one that stands alone."""
_ENDS = re.compile(r"[.;!?]|,\s*(?:and then|and|but|then)\b|\b(?:and then|then|but)\b", re.IGNORECASE)
_FINE = re.compile(r"[,;.!?]|\b(?:and|but|then|while)\b", re.IGNORECASE)


def clauses_of(request: str, *, fine: bool = False) -> list[str]:
    """The parts of a request between which a sentence, or what is wanted, ends.

    `fine`: at every comma and `and` as well, between which a thing or a deed may be one of several.
    """
    return [clause.strip() for clause in (_FINE if fine else _ENDS).split(request) if clause.strip()]


def is_one_sentence(request: str) -> bool:
    """Whether nothing in it ends a sentence before another begins."""
    return re.search(r"[.;!?]", request.strip().rstrip(".!")) is None

"""The clauses of a request: the one place where a text is cut up, for all that looks at parts of it.

clauses_of("Feed Rex, and then close the gate.")             ["Feed Rex", "close the gate"]
clauses_of("Feed Rex and Susi, close the gate.", fine=True)   ["Feed Rex", "Susi", "close the gate"]
"""

from __future__ import annotations

import re
from dataclasses import dataclass

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


# Conditions -----------------------------------------------------------------------------------------------------------

_WHEN = r"(?:only )?(?P<word>if|unless|when|whenever|in case|provided(?: that)?|as long as)"
_FIRST = re.compile(
    rf"(?:(?:please|and|then|but|now)\s+)*{_WHEN}\s+(?P<so>.+?)(?:(?:,\s*(?:then\s+)?|\s+then\s+)(?P<then>.+))?",
    re.IGNORECASE,
)
_LAST = re.compile(rf"(?P<then>.+?),?\s+{_WHEN}\s+(?P<so>.+)", re.IGNORECASE)
_OTHERWISE = re.compile(
    r"(?:[,;.!]\s*(?:and\s+|or\s+|but\s+)?|\s+(?:and\s+|or\s+)?)"
    r"(?:otherwise|else|if (?:it|he|she|they|that|this) (?:is|are|has|does|do|have)(?: not|n['’]t)|if not)\b"
    r"(?:,\s*|\s+)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.;!?]+\s*|,?\s+(?:and|but)(?:\s+then)?\s+(?=(?:if|unless|when)\b)", re.IGNORECASE)


@dataclass(frozen=True)
class Conditional:
    """`If it is full, boil it, otherwise fill it`: what has to be so, what is wanted then, and what where it is not so.

    `denied`: with `unless`, it is wanted where it is not so.
    """

    so: str
    then: str
    otherwise: str = ""
    denied: bool = False


def conditionals_of(request: str) -> list[Conditional]:
    """The parts of a request that depend on something; what begins with `otherwise` belongs to what is before it."""
    text, found = _OTHERWISE.sub(" | ", f"{request.strip()} "), list[Conditional]()
    for sentence in _SENTENCE.split(text):
        whole, _, otherwise = sentence.partition(" | ")
        parts = _FIRST.fullmatch(whole.strip()) or _LAST.fullmatch(whole.strip())
        if parts is not None:
            denied = parts["word"].lower() == "unless"
            then, other = (parts["then"] or "").strip(), otherwise.strip(" ,|")
            found.append(Conditional(parts["so"].strip(), then, other, denied))
    return found

"""What nobody spoke of: a prohibition of a thing that was not named, leave for what was never forbidden, a way back.

None of them is seen in what is done, and each changes what is done later: so it has to be in the words. Nor is a
complaint met by doing nothing.
"""

from __future__ import annotations

import re

from thinkaloud.understand.checking.fitting import WORDS, Misfit
from thinkaloud.understand.checking.said import Said, roots_of
from thinkaloud.understand.lexicon import THINGS
from thinkaloud.understand.saying.phrasing import one_of

_COMPLAINT = re.compile(r"\btoo (?!bad\b)[a-z]{3,}", re.IGNORECASE)


def find_content(said: Said) -> Misfit | None:
    """A complaint, `it is too dark`, that would be met by doing nothing: who is content does not complain."""
    nothing = said.acts and not said.meaning.deeds and bool(said.meaning.already)
    return Misfit() if nothing and _COMPLAINT.search(said.request) else None


def find_unprompted(said: Said) -> Misfit | None:
    """A reading that forbids, allows or takes back something of which the words do not speak."""
    spoken = {*said.spoken}
    match said.meaning.sort:
        case "undo" if not said.meaning.deeds:  # who says what is right instead need not say that it was wrong
            prompted = bool(spoken & WORDS["taking_back"])
        case "note" if said.meaning.kept:
            written = all(each in said.literals for each in said.meaning.kept)
            prompted = not written or bool(spoken & WORDS["referring"]) or _is_named(said)
        case "note" if said.meaning.freed:
            prompted = not {*said.meaning.freed}.isdisjoint(said.lexicon.kept)
        case _:
            return None
    return None if prompted else Misfit()


def _is_named(said: Said) -> bool:
    """Whether a word of the name, or of the kind, of a thing that is to be left alone was spoken."""
    kept, said_small = {*said.meaning.kept}, said.request.lower()
    kinds = (one_of(kind) for kind, names in said.lexicon.named.items() if kind != THINGS and kept & {*names})
    if any(word in said_small for each in kept for word in re.findall(r"\d+|[^\W\d_]{4,}", each.lower())):
        return True
    return any(said.roots & roots_of(each) for each in (*kept, *kinds))

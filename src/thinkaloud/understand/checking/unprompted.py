"""What nobody spoke of: a prohibition of a thing that was not named, leave for what was never forbidden, a way back.

None of them is seen in what is done, and each changes what is done later: so it has to be in the words. Nor is a
complaint met by doing nothing.
"""

from __future__ import annotations

import re

from thinkaloud.understand.checking.fitting import WORDS, Misfit
from thinkaloud.understand.checking.said import Said, roots_of
from thinkaloud.understand.language import NOTE, spelled
from thinkaloud.understand.lexicon import THINGS
from thinkaloud.understand.saying.phrasing import one_of
from thinkaloud.worlds.full_world import is_opposite

_COMPLAINT = re.compile(r"\btoo (?!bad\b)[a-z]{3,}", re.IGNORECASE)
_TELLING = re.compile(r"\W*(?:please )?(?:remember|note|bear in mind|keep in mind|be aware|know) that\b", re.IGNORECASE)
_NONE_IS = re.compile(
    r"\b(?:no|none of|not (?:one|a single)|neither of)\b(?P<about>[^.,;!?]*?)"
    r"\b(?:may|must|should|shall|is to|are to|can|ought)\b(?! not)",
    re.IGNORECASE,
)


def find_content(said: Said) -> Misfit | None:
    """A complaint, `it is too dark`, that would be met by doing nothing: who is content does not complain."""
    nothing = said.acts and not said.meaning.deeds and bool(said.meaning.act.already)
    return Misfit() if nothing and _COMPLAINT.search(said.request) else None


def find_told(said: Said) -> Misfit | None:
    """Something that is to be remembered, `remember that the witch belongs in the trunk`, and is done at once."""
    telling = _TELLING.match(said.request) if said.acts else None
    if telling is None:
        return None
    told = said.request[telling.end() :].strip()
    return Misfit((f"{spelled(NOTE, said.lexicon)}({told[:1].upper() + told[1:]!r})",)) if told else Misfit()


def find_none_so(said: Said) -> Misfit | None:
    """`No lantern may burn`, and one is lit: of what is to be so of none nothing is brought about."""
    none = _NONE_IS.search(said.request) if said.acts else None
    made = [each for each in said.meaning.act.wishes if not is_opposite(each.relation)]
    things = {next(iter(each.arguments.values()), "") for each in made}
    kinds = (one_of(kind) for kind, names in said.lexicon.named.items() if kind != THINGS and things & {*names})
    if none is None or not made:
        return None
    return Misfit() if roots_of(none["about"]) & roots_of(" ".join(map(str, (*things, *kinds)))) else None


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

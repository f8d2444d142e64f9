"""`Swap the ferry and the barge`: a reading that does something else is asked about, with what was meant."""

from __future__ import annotations

import re

from thinkaloud.language.name_matching import names_in
from thinkaloud.understand.checking.fitting import WORDS, Misfit
from thinkaloud.understand.checking.said import Said
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.exchanging import EXCHANGE, as_program, find_exchange

_EXCHANGE = re.compile(rf"(?:{'|'.join(EXCHANGE)})\b(.*)", re.IGNORECASE)


def find_not_exchanged(said: Said, at: Circumstances) -> Misfit | None:
    """`Swap the ferry and the barge`, read as something else than that each of them comes to where the other one is."""
    words = said.request.split()
    first = next((number for number, word in enumerate(words) if word.lower().strip(",.") not in WORDS["courtesy"]), 0)
    match = _EXCHANGE.match(" ".join(words[first:]))
    named = names_in(match[1], said.lexicon.things) if match is not None else []
    calls = find_exchange(named, at)
    if not calls or said.meaning.sort not in ("deeds", "undo", "note", "answer"):
        return None
    done = {(step.skill, *step.arguments.values()) for step in said.meaning.deeds}
    meant = {(said.lexicon.own_names.get(name, name), *given) for name, *given in calls}
    return None if said.acts and done == meant else Misfit((as_program(calls),))

"""What a person says to one of our own questions, where no model is needed to read it.

A yes, a no, the number of a reading or its words. A no is a no; thanks answer nothing, and the question is put again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from thinkaloud.language.words import picked_number, says_any, says_no, says_thanks
from thinkaloud.monologue import Monologue
from thinkaloud.records import Answer, Ask, Meaning, NotClear, Noted, Refused, Request
from thinkaloud.understand.conversation import Heard
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.offering import (
    OTHER_WORDS,
    STILL_UNSURE,
    Asking,
    find_picked,
    readings_asked,
    unclear,
)

NO_MEANS_NO = "You said no, so I leave that."


def find_asked(heard: Heard, monologue: Monologue) -> Meaning | None:
    """The question that this is the answer to, if it is one."""
    asked = monologue.last((Meaning, Request), before=heard.at)
    is_answer = isinstance(monologue[heard.at].record, Answer)
    return asked if is_answer and isinstance(asked, Meaning) and asked.sort == "question" else None


def settle_reply(
    heard: Heard, monologue: Monologue, lexicon: Lexicon, run: Callable[[str], Meaning], asking: Asking
) -> Meaning | None:
    """What an answer settles without a model, if it does."""
    asked = find_asked(heard, monologue)
    if asked is None:
        return None
    readings = readings_asked(asked, lexicon)
    if says_thanks(heard.text):
        return asked if _may_repeat(asked, monologue, asking) else unclear(asked, STILL_UNSURE)
    if len(readings) > 1 and picked_number(heard.text) == len(readings) + 1:
        return unclear(asked, OTHER_WORDS)
    if says_no(heard.text) and not (len(readings) > 1 and says_any(heard.text)):
        return Meaning("", NO_MEANS_NO, Refused("you said no", NO_MEANS_NO))
    reading = find_picked(heard.text, readings)
    return None if reading is None else replace(run(reading.program), sure=1.0)


def ask_again(meaning: Meaning, heard: Heard, monologue: Monologue, asking: Asking) -> Meaning | None:
    """The open question once more, where what was said instead of an answer asks for nothing; None in any other case.

    Who is cross and says so has not taken back what they wanted.
    """
    asked = find_asked(heard, monologue)
    match meaning.content:
        case NotClear(undecided=False) | Refused(kind="declined") | Noted(kept=(), rules=()):
            repeats = asked is not None and _may_repeat(asked, monologue, asking)
            return replace(asked, notes=meaning.notes) if asked is not None and repeats else None
    return None


def _may_repeat(asked: Meaning, monologue: Monologue, asking: Asking) -> bool:
    """Whether a question has not been asked too often."""
    return sum(asked.words in ask.questions for ask in monologue.in_task(Ask)) <= asking.repeats

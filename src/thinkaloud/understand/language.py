"""The language in which a meaning is written: a small Python over one robot's lists, skills, relations and measures.

    fill([c for c in cups if not full(c)])            a list is spread over a skill's parameter
    say(len([c for c in cups if full(c)]))            an answer
    cannot("There is no tea here.")                   what this robot does not have, or cannot do
    put(before([b for b in books if open_(b)]), "shelf")   an expression as it was before the latest request

Besides what the robot has, these are always there: see `ALWAYS`. Where the robot itself has something of that name,
ours has an underscore behind it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from thinkaloud.understand.lexicon import Lexicon


@dataclass(frozen=True, slots=True)
class Word:
    """A function that is always there: how it is called, and what it is for."""

    head: str
    about: str

    @property
    def name(self) -> str:
        """Its name."""
        return self.head.partition("(")[0]


SAY, ASK, NOTE, CANNOT, KEEP, ALLOW, NEVER = "say", "ask", "note", "cannot", "keep", "allow", "never"
UNDO, PREVIOUS, STOP, UNCLEAR = "undo", "previous", "stop", "unclear"
BEFORE, AT_START = "before", "at_start"
ORDER, CHANGE = "order", "change"
"""By guidelines: what is wanted, or is to be otherwise."""
DONE, TODO, WHY, ABILITIES = "done", "todo", "why", "abilities"
AMOUNT = "amount"
WHENEVER, ONCE, REMIND, FORGET = "whenever", "once", "remind", "forget"
"""What is to wait for a condition or a time, and what no longer is."""
EMERGENCY, RULES, WHEN, CLOCK = "emergency", "rules", "when", "clock"
THE, ANY_OF, ALL_OF, THE_OTHER, IT, THEM = "the", "any_of", "all_of", "the_other", "it", "them"
FORMS = (THE, ANY_OF, ALL_OF, THE_OTHER, IT, THEM)
"""The words of descriptions."""

ALWAYS: Mapping[str, Word] = {
    word.name: word
    for word in (
        Word("say(value)", "answer a question"),
        Word("ask(question, options=[])", "ask back, if it is not clear which of several is meant"),
        Word("note(text)", "remember what was told; nothing is to be done"),
        Word("cannot(reason)", "there is no such thing or skill here, or it must not be"),
        Word("keep(things)", "leave these things alone; alone in a program: from now on"),
        Word("allow(things)", "these may be touched again; allow(call): this may be done again"),
        Word("never(call, above=None, until=False)", "this must not be done; alone in a program: from now on"),
        Word("undo(count=1)", "take back what was done last"),
        Word("previous()", "go on with what was under way before"),
        Word("stop(when='now')", "leave off; stop('after this') when the step at hand is over"),
        Word("unclear(why='')", "it cannot be understood"),
        Word("before(expression)", "the value that an expression had before the latest request"),
        Word("at_start(expression)", "the value that it had at the very beginning"),
        Word("whenever(when, call, ...)", "from now on, each time that something becomes so, or at a time"),
        Word("once(when, call, ...)", "the same for the next time only"),
        Word("remind(text)", "within whenever or once: the robot says this then"),
        Word("forget(call)", "this need not be done any more at its time; forget(): all that waits"),
        Word("emergency(text)", "somebody needs help at once"),
        Word("done(call=None)", "what was done, as sentences"),
        Word("todo()", "what will be done next, as sentences"),
        Word("why(call=None)", "the reasons for what was done, or was not"),
        Word("when(call=None)", "when something was done"),
        Word("rules()", "the rules that hold from now on, as sentences"),
        Word("clock(time=None, day=None)", "the time now; within whenever or once a time of day"),
        Word("abilities()", "what the robot can do, as sentences"),
        Word("amount(number, unit)", "an amount in the unit that was said; code converts it"),
        Word("the(words)", "the one that these words mean; it is asked which, if several could be meant"),
        Word("any_of(words, n=1)", "one of those that these words mean, whichever"),
        Word("all_of(words)", "all that these words mean"),
        Word("the_other(words)", "the one of them that was not spoken of last"),
        Word("it()", "what was spoken of last"),
        Word("them()", "all that was spoken of last"),
    )
}
"""The functions that every robot's language has, in the order in which they are explained."""
ABOVE, UNTIL = "above", "until"
"""What a rule about a deed may say besides: more than so much, and until when."""


def spelled(word: str, lexicon: Lexicon) -> str:
    """What one of our functions is called beside those of a robot: a robot's own names go first."""
    names = (lexicon.skills, lexicon.relations, lexicon.measures, lexicon.named)
    return f"{word}_" if any(word in each for each in names) else word

"""The language in which a meaning is written: a small Python over one robot's lists, skills, relations and measures.

    fill([c for c in cups if not full(c)])            a list is spread over a skill's parameter
    say(len([c for c in cups if full(c)]))            an answer
    cannot("There is no tea here.")                   what this robot does not have, or cannot do
    put(before([b for b in books if open_(b)]), "shelf")   an expression as it was before the latest request

Besides what the robot has, these are always there: see `ALWAYS`. Where the robot itself has something of that name,
ours has an underscore behind it.
"""

from __future__ import annotations

from thinkaloud.program.lexicon import Lexicon

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

ALWAYS = (
    *(SAY, ASK, NOTE, CANNOT, KEEP, ALLOW, NEVER, UNDO, PREVIOUS, STOP, UNCLEAR, BEFORE, AT_START),
    *(WHENEVER, ONCE, REMIND, FORGET, EMERGENCY, DONE, TODO, WHY, WHEN, RULES, CLOCK, ABILITIES, AMOUNT, *FORMS),
)
"""The functions that every robot's language has; `understand/prompting/explanation.txt` says what each is for."""
ABOVE, UNTIL = "above", "until"
"""What a rule about a deed may say besides: more than so much, and until when."""


def spelled(word: str, lexicon: Lexicon) -> str:
    """What one of our functions is called beside those of a robot: a robot's own names go first."""
    names = (lexicon.skills, lexicon.relations, lexicon.measures, lexicon.named)
    return f"{word}_" if any(word in each for each in names) else word

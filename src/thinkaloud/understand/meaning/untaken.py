"""A question of the model's to which no answer could make a difference: no skill of the robot takes it.

"How many litres?", for a robot that only knows how to water: whoever answers "three" is no better off, and is asked in
vain. What is done instead is the least wrong that there is: it says that it cannot go by that, and leaves it to the
person to ask for it without. To take the next likely reading would be to act on what the model itself held to be too
little, and in silence about what was left out.

Only what is plain is judged so: a question for an amount, or with `which` or `what` and a noun, which no parameter, no
thing and no word of the robot's has to do with. All others are put to the person; and so are all questions about a
request in another language than English, whose nouns (`Which Becher?`) are none of the robot's words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from thinkaloud.language.words import IDLE, stem, stems
from thinkaloud.skills.signatures import Parameter
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.switches import nothing, switchable

_AMOUNT = re.compile(r"\s*how\s+(?:many|much)\s+([^\W\d_]+)", re.IGNORECASE)
_EXTENT = re.compile(r"\s*how\s+(?:long|far|often|high|deep|hot|cold|warm|loud|fast|heavy|big|large)\b", re.IGNORECASE)
_WHICH = re.compile(r"\s*(?:which|what)\s+([^\W\d_]+)", re.IGNORECASE)
_NO_NOUN = re.compile(
    "am|be|can|could|did|do|does|else|exactly|had|has|have|i|kind|may|might|must|ones?|shall|should|sort|things?|was|we"
    "|were|will|would|you"
)
"""What follows `which` or `how many` without being what is asked for, besides words that mean nothing."""


@switchable(nothing)
def find_untaken(question: str, lexicon: Lexicon) -> str | None:
    """Why a question without options is not put to a person; None where it may be."""
    noun: str | None = None
    if (amount := _AMOUNT.match(question)) is not None:
        noun, taken = amount[1], _takes_number(lexicon)
    elif _EXTENT.match(question) is not None:
        taken = _takes_number(lexicon)
    elif (which := _WHICH.match(question)) is not None:
        noun, taken = which[1], _takes_number(lexicon) or any(each.choices for each in _parameters(lexicon))
    else:
        return None
    if taken or _takes_text(lexicon) or (noun is not None and _is_known(noun, lexicon)):
        return None
    return f"I would have to ask: {question} But there is nothing that I could do one way or another by the answer."


def _is_known(noun: str, lexicon: Lexicon) -> bool:
    """Whether it is no noun at all, or the robot has to do with it."""
    if _NO_NOUN.fullmatch(noun.lower()) or noun.lower() in IDLE:
        return True
    return stem(noun.lower()) in set[str]().union(*(stems(text.replace("_", " ")) for text in _vocabulary(lexicon)))


def _vocabulary(lexicon: Lexicon) -> Iterator[str]:
    yield from (lexicon.about, *lexicon.named, *lexicon.things, *lexicon.lists)
    for signature in (*lexicon.skills.values(), *lexicon.relations.values(), *lexicon.measures.values()):
        yield from (signature.name, signature.about, signature.says)
        for parameter in signature.parameters:
            yield from (parameter.name, parameter.about, parameter.kind or "", *(parameter.choices or ()))


def _takes_number(lexicon: Lexicon) -> bool:
    return any(
        each.type in (int, float) or any(re.search(r"\d", choice) for choice in each.choices or ())
        for each in _parameters(lexicon)
    )


def _takes_text(lexicon: Lexicon) -> bool:
    return any(each.type is str and each.kind is None and not each.choices for each in _parameters(lexicon))


def _parameters(lexicon: Lexicon) -> list[Parameter]:
    return [each for signature in lexicon.skills.values() for each in signature.parameters]

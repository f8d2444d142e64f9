"""Whether a number that was said without a unit may be an amount of what is to be done.

Beside it may stand words of the skill's own sentence, a name, the unit itself, or a pause: "set the lamp to 30", "Bob
30, Ann 20". Any other word may say what the number is of: 30 bricks, room 30, at 8, he weighs 80. Then the robot asks.
So no list of what can be counted is needed. A word that is missing in the short list of what leads to an amount
(`aims`, in `numbers.toml`) costs a needless question, and never a wrong number.
"""

from __future__ import annotations

import itertools
from functools import cache, lru_cache

from thinkaloud.language.mentions import Mention, Tokens
from thinkaloud.language.number_words import languages
from thinkaloud.language.numbers import NAMED
from thinkaloud.language.units import is_same
from thinkaloud.language.words import singular
from thinkaloud.program.amounts import Wanted
from thinkaloud.program.lexicon import Lexicon


def leads_to_amount(word: str) -> bool:
    """Whether a word may lead to an amount, or join two: 10 to 20 mg, 10-20 mg."""
    return bool(word) and (not word.isalpha() or word in _listed("aims", "joins"))


def stands_free(mention: Mention, wanted: Wanted, unit: str, lexicon: Lexicon) -> bool:
    """Whether no word beside a number speaks of something else than what is wanted."""
    own = _own_words(wanted.says)
    last, first = _ends_of_names(tuple(lexicon.things))
    return all(
        not word or word in own or singular(word) in own or word in others or is_same(word, unit)
        for word, others in (
            (mention.before, last | _listed("aims")),
            (mention.behind, first | _listed("joins", "of", "one")),
        )
    )


def is_of_it(mention: Mention, wanted: Wanted, lexicon: Lexicon) -> bool:
    """Whether the words behind an amount only tell what it is, or for whom: 100 mg of aspirin, 100 mg in a cup."""
    own = _own_words(wanted.says) | _listed("aims", "joins", "of", "one")
    known = _words_of_names(tuple(lexicon.things)) | {singular(each.casefold()) for each in lexicon.lists}
    return (
        not mention.behind
        or not own.isdisjoint((mention.behind, singular(mention.behind)))
        or any(word in known or singular(word) in known for word in mention.following)
    )


@cache
def _listed(*which: str) -> frozenset[str]:
    """The words of these lists, in all languages: what leads to an amount, begins another clause, or tells what it is
    of."""
    return frozenset(word for words in languages() for each in which for word in getattr(words, each))


@lru_cache(maxsize=256)
def _own_words(says: str) -> frozenset[str]:
    """The words of a skill's sentence, without what its parameters are called."""
    tokens = Tokens(says)
    fixed = (each for at, each in enumerate(tokens) if tokens[at - 1 : at] != ["{"])
    return frozenset(form for each in fixed for form in (each, singular(each)))


@lru_cache(maxsize=64)
def _ends_of_names(things: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """The words with which names end and begin; not `room`, where a name is room 12."""
    names = [tokens for each in things if (tokens := Tokens(each))]
    numbered = {one for each in names for one, other in itertools.pairwise(each) if other[0].isdigit()}
    return (
        frozenset({each[-1] for each in names} - numbered | {NAMED}),
        frozenset({each[0] for each in names} - numbered | {NAMED}),
    )


@lru_cache(maxsize=64)
def _words_of_names(things: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for each in things for word in Tokens(each))

"""Signs of doubt: where what a person said and what a program does with it do not go together, seen by code alone.

Each sign compares words with words: those of the request, of the robot's own lexicon and of the program. None knows
what the robot is about, none changes a reading; together they lower how sure the robot is of it (`certainty`).
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Callable, Iterable

from thinkaloud.language.name_matching import head_noun, look_of
from thinkaloud.language.words import is_slip, spaced_words, stem, words_of
from thinkaloud.skills.signatures import Signature
from thinkaloud.understand.checking.said import WORD_SORTS, Said, is_foreign, roots_of
from thinkaloud.understand.lexicon import Lexicon

_NOT_HIGHEST = WORD_SORTS["not_superlative"]


# What is said and not in the robot's words ----------------------------------------------------------------------------


def _unexplained(said: Said) -> float:
    """Words that nothing about this robot explains, while something is done."""
    return min(1.0, len(_strange_words(said)) / 3) if said.acts else 0.0


def _strange_kind(said: Said) -> float:
    """`the cellar door`: a word that nothing explains, right before the noun of things that are here."""
    nouns = {stem(head_noun(name).lower()) for name in said.lexicon.things} | _kind_roots(said.lexicon)
    strange, words = set(_strange_words(said)), said.spoken
    found = any(one in strange and stem(two) in nouns for one, two in itertools.pairwise(words))
    return float(found and said.meaning.sort in ("deeds", "answer", "note"))


def _unsaid_deed(said: Said) -> float:
    """A skill of which no word was said: neither of its name, nor of its sentence, its choices, its documentation."""
    if not said.acts or said.ordered:
        return 0.0
    earlier = roots_of(" ".join(said.earlier)) if said.has("pronoun") or said.has("set") else set()
    nouns = _kind_roots(said.lexicon) | roots_of(" ".join(said.lexicon.things))
    skills = [said.lexicon.skills[n] for n in {step.skill for step in said.meaning.deeds} & {*said.lexicon.skills}]
    given = {str(value).lower() for step in said.meaning.deeds for value in step.arguments.values()}
    chosen = given & {*said.spoken} - {*map(str.lower, said.lexicon.things)}
    return float(
        any(not _alike((_about(each) - nouns) | roots_of(each.name) | chosen, said.roots | earlier) for each in skills)
    )


def _strange_words(said: Said) -> list[str]:
    lexicon = said.lexicon
    functions = (*lexicon.skills.values(), *lexicon.relations.values(), *lexicon.measures.values())
    known = roots_of(" ".join([*lexicon.things, *lexicon.kinds, *lexicon.facts, *said.literals, *said.earlier]))
    known |= roots_of(" ".join(lexicon.guidelines))
    for signature in functions:
        known |= _about(signature)
    words = [word for word in said.spoken if word not in WORD_SORTS["small"] and "'" not in word and not word.isdigit()]
    return [word for word in words if not _alike({stem(word)}, known) and not is_highest(word)]


# What is done and was not said ----------------------------------------------------------------------------------------


def _picked(said: Said) -> float:
    """A thing is named in the program, and nothing that tells it from others of its kind was said.

    Where all of a kind are named one by one, and all of them were spoken of, none was picked out.
    """
    before = roots_of(" ".join(said.earlier)) if said.has("pronoun") else set()
    spoken = said.roots | before
    whole = [names for names in said.lexicon.named.values() if names and {*names} <= {*said.literals}]
    meant = {name for names in whole for name in names} if said.has("set") or _speaks_of_several(said) else set()
    for name in ({*said.literals} & {*said.lexicon.things}) - meant:
        own = roots_of(look_of(name) or name) | set(re.findall(r"\d+", name))
        alone = not _same_noun(name, said.lexicon) and roots_of(head_noun(name)) & spoken
        if not (alone or _alike(own, spoken | set(said.spoken))):
            return float(said.acts)
    return 0.0


def _unmentioned(said: Said) -> float:
    """The share of the things touched that neither their names nor their kinds nor a word for many or for `it` mean."""
    if not said.touched or said.has("set") or said.has("pronoun"):
        return 0.0
    lost = [name for name in said.touched if not roots_of(name) & said.roots and not _kinds_of(name, said) & said.roots]
    return len(lost) / len(said.touched)


def _too_many(said: Said) -> float:
    """Several things, where neither several were spoken of nor a word for many was said."""
    listed = said.has("set") or said.has("exception") or said.has("number") or {"and", "then"} & {*said.spoken}
    first = {next(iter(step.arguments.values()), None) for step in said.meaning.deeds}
    known = listed or _speaks_of_several(said) or said.guided or said.ordered
    return float(len(first) > 1 and not known)


def _speaks_of_several(said: Said) -> bool:
    return any(word.endswith("s") and stem(word) in _kind_roots(said.lexicon) for word in said.spoken)


def _too_few(said: Said) -> float:
    """A word for all of them, and one thing named in the program."""
    wanted = {"all", "every", "everything", "everyone", "everybody", "each", "both"} & {*said.spoken}
    lists = any(isinstance(n, ast.Name) and n.id in said.lexicon.named for n in said.nodes)
    named = {*said.handled, *said.literals} & {*said.lexicon.things}
    return float(said.acts and bool(wanted) and not lists and len(named) < 2 and not said.ordered)


# What was said and is lost --------------------------------------------------------------------------------------------


def _negation_lost(said: Said) -> float:
    """`Don't`, `never`, `except`: and nothing in the program that says no."""
    negated = said.has("negation") or any(word.endswith("n't") for word in said.spoken) or said.has("exception")
    told = (
        said.uses(ast.Not, ast.NotEq, ast.NotIn)
        or {"keep", "cannot", "undo", "stop"} & said.called
        or said.uses(ast.keyword)
    )
    return float(said.acts and negated and not told)


def _question_acted(said: Said) -> float:
    """A question, and something is done."""
    first = said.spoken[0] if said.spoken else ""
    polite = first in WORD_SORTS["polite"] or {"please", "you"} & {*said.spoken[:4], *said.spoken[-2:]}
    begun = first in WORD_SORTS["asking"] - {"do", "have"} and not said.has("wanting")  # what is dirty should be washed
    return float(said.acts and (said.request.strip().endswith("?") or begun) and not polite)


def _order_answered(said: Said) -> float:
    """No question, and it is answered."""
    asked = "?" in said.request or not WORD_SORTS["asking"].isdisjoint(said.spoken[:2]) or said.has("inquiring")
    return float(said.meaning.sort == "answer" and not asked)


def _thing_lost(said: Said) -> float:
    """A thing is called by its whole name, and the program neither names it nor has it in a list or a skill's name."""
    return float(said.meaning.sort in ("deeds", "answer") and bool(lost_things(said)))


def lost_things(said: Said) -> list[str]:
    """The things that are called by their whole names and that the program neither names nor has in a list."""
    spoken = spaced_words(said.request)
    named = [name for name in said.lexicon.things if spaced_words(name) in spoken]
    named = [n for n in named if not any(spaced_words(n) in spaced_words(other) for other in named if other != n)]
    if said.ordered:  # of what is made of something, one word of it is said
        named = [name for name in said.lexicon.things if _own_words(name, said.lexicon) & roots_of(said.request)]
    meant = {text.lower() for text in (*said.literals, *said.touched, *said.handled)}
    listed = {n.id for n in said.nodes if isinstance(n, ast.Name)}
    meant |= {name.lower() for each, names in said.lexicon.named.items() if each in listed for name in names}
    called = roots_of(" ".join([*said.called, *(step.skill for step in said.meaning.deeds if said.ordered)]))
    return [name for name in named if name.lower() not in meant and not roots_of(name) <= called]


def _changes_nothing(said: Said) -> float:
    """All that it would bring about is so already, or there is nothing that it is about."""
    return float(said.acts and not said.meaning.deeds)


def _noted(said: Said) -> float:
    """Something is done with a thing that people told something about: it may be what they told it for."""
    told = " ".join(said.lexicon.notes).lower()
    return float(said.acts and any(re.search(rf"\b{re.escape(name.lower())}\b", told) for name in said.touched))


LISTED: dict[str, Callable[[Said], float]] = {
    "unexplained": _unexplained,
    "strange_kind": _strange_kind,
    "unsaid_deed": _unsaid_deed,
    "picked": _picked,
    "unmentioned": _unmentioned,
    "too_many": _too_many,
    "too_few": _too_few,
    "negation_lost": _negation_lost,
    "question_acted": _question_acted,
    "order_answered": _order_answered,
    "thing_lost": _thing_lost,
    "changes_nothing": _changes_nothing,
    "noted": _noted,
    "foreign": lambda said: float(is_foreign(said)),
}
"""The signs that words of these lists tell; `signs` has them all."""


# Words ----------------------------------------------------------------------------------------------------------------


def _about(signature: Signature) -> set[str]:
    choices = [choice for p in signature.parameters for choice in p.choices or ()]
    return roots_of(" ".join([signature.name, signature.says, signature.about, *choices])) - _FILLING


def _alike(wanted: Iterable[str], known: Iterable[str]) -> bool:
    """Whether one of these is known, perhaps with a slip or another ending."""
    known = {*known}
    return any(each in known or any(_same_root(each, other) for other in known) for each in wanted)


def _same_root(one: str, two: str) -> bool:
    short = min(len(one), len(two))
    return (short >= 4 and (one.startswith(two) or two.startswith(one))) or is_slip(one, two)


def is_highest(word: str) -> bool:
    """Whether a word says the most of something: `heaviest`."""
    known = WORD_SORTS["superlative"] - {"first", "last", "top"}
    return word in known or (word.endswith("est") and len(word) > 5 and word not in _NOT_HIGHEST)


def _kind_roots(lexicon: Lexicon) -> set[str]:
    return {stem(word) for kind in (*lexicon.kinds, *lexicon.lists) for word in words_of(kind.replace("_", " "))}


def _kinds_of(name: str, said: Said) -> set[str]:
    return {root for kind, names in said.lexicon.kinds.items() if name in names for root in roots_of(kind)}


def _own_words(name: str, lexicon: Lexicon) -> set[str]:
    return roots_of(name) - roots_of(" ".join([*({*lexicon.things} - {name}), *lexicon.kinds, *lexicon.skills]))


def _same_noun(name: str, lexicon: Lexicon) -> list[str]:
    return [each for each in lexicon.things if each != name and head_noun(each).lower() == head_noun(name).lower()]


_FILLING = frozenset(map(stem, WORD_SORTS["small"] - WORD_SORTS["doing"])) | {"whether"}
"""Words that stand in every sentence, and so tell no skill from another."""

"""Read from a sentence what nobody can see: a quality of some things, or how their weights compare.

    qualities_told("The red and the blue block are not clean.", names, {"clean": …, "dirty": …}, known=())
    weights_told("The red block is twice as heavy as the blue block.", names)

The sentences are plain statements, as somebody noted them; any other sentence gives nothing. Not covered: guesses,
reports of what others believe, and sentences that say different things about different objects.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from thinkaloud.language.name_matching import things_told_apart
from thinkaloud.language.words import NUMBERS, ORDINALS
from thinkaloud.state.weights import comparison_fact, weight_fact

_OTHERS = re.compile(r"\b(others?|rest|remaining|else)\b")
_BUT = re.compile(r"\b(except|besides|apart from|other than|all but|everything but)\b")
_ALL = re.compile(r"\b(all|every|everything|each|both)\b")
_NOT = re.compile(r"(\b(not|never|no longer|isn|aren|anything but)\b|n't)\W*(\w+\W+){0,2}$")
_VERB = re.compile(r"\b(is|are|was|were|weighs?|has|have|equals?)\b")
_SAME = re.compile(r"\b(same|equal\w*|alike|as (?:heavy|light|much)|identical)\b")
_MORE, _LESS = re.compile(r"\b(heavier|more)\b"), re.compile(r"\b(lighter|less)\b")
_TOGETHER = re.compile(r"\b(together|combined|sum|in total|altogether)\b")
_WEIGHT = re.compile(r"\b(weigh\w*|heav\w*|light\w*)\b")
_FACTORS = {"twice": 2, "double": 2, "thrice": 3, "triple": 3, "quadruple": 4}
_PARTS = {"half": 2, "third": 3, "quarter": 4, **{name: n for n, name in enumerate(ORDINALS, 1) if n > 2}}
_TIMES = re.compile(rf"\b(\d+(?:\.\d+)?|{'|'.join(NUMBERS)}) ?(?:times|x)\b")


def qualities_told(
    text: str, names: Sequence[str], words: Mapping[str, Collection[str]], known: Collection[str]
) -> dict[str, list[str]]:
    """Return which things are said to have which of two exclusive qualities; each quality comes with all its words.

    `known` lists the things whose quality is already known: "all the others" are the remaining ones.
    """
    said = text.lower()
    quality = _quality(said, words)
    things = _things(said, names, known) if quality is not None else []
    return {quality: things} if quality is not None and things else {}


def _quality(said: str, words: Mapping[str, Collection[str]]) -> str | None:
    """Return the quality that is named last, or that results: cleaning what was dirty leaves it clean."""
    found: list[tuple[bool, int, str]] = []
    for quality, names in words.items():
        for match in re.finditer(rf"\b({'|'.join(map(re.escape, names))})\b", said):
            denied = _NOT.search(said[: match.start()]) is not None
            other = next(name for name in words if name != quality)
            found.append((match[0].endswith("ed") and not denied, match.start(), other if denied else quality))
    return max(found)[2] if found else None


def _things(said: str, names: Sequence[str], known: Collection[str]) -> list[str]:
    told = things_told_apart(said, names)
    if _BUT.search(said) and told:
        return [name for name in names if name not in told]
    if _OTHERS.search(said):
        return [name for name in names if name not in known and name not in told]
    return told or ([*names] if _ALL.search(said) else [])


def weights_told(text: str, names: Sequence[str]) -> list[str]:
    """Return the facts about weights that a sentence tells, in the form that states keep (see `weights`)."""
    said = text.lower().rstrip(".!? ")
    verb = next((m for m in _VERB.finditer(said) if things_told_apart(said[: m.start()], names)), None)
    if verb is None or not _WEIGHT.search(said):
        return []
    left, right = (things_told_apart(part, names) for part in (said[: verb.start()], said[verb.start() :]))
    times, together = _factor(said[verb.start() :]), _TOGETHER.search(said) is not None
    if not right:
        if len(left) > 1 and _SAME.search(said):
            return [weight_fact(left[0], 1, other) for other in left[1:]]
        number = re.search(r"\b(\d+(?:\.\d+)?)\b", said[verb.start() :])
        return [weight_fact(each, Fraction(number[1])) for each in left] if number else []
    if times is None and (_MORE.search(said) or _LESS.search(said)):
        how = "more" if _MORE.search(said) else "less"
        return [comparison_fact(one, how, other) for one in left for other in right]  # type: ignore[arg-type]
    if times is None and not together and not _SAME.search(said):
        return []
    if len(left) > 1 and together:
        return [weight_fact(right[0], 1 / (times or 1), left)] if len(right) == 1 else []
    sums = [right] if together else [[other] for other in right]
    return [weight_fact(one, times or 1, each) for one in left for each in sums]


def _factor(said: str) -> Fraction | None:
    """Return the factor: twice, a third of, 4 times; None if there is none."""
    for word, times in _FACTORS.items():
        if re.search(rf"\b{word}\b", said):
            return Fraction(times)
    for word, parts in _PARTS.items():
        if found := re.search(rf"\b(\w+ )?{word}s?\b", said):
            count = NUMBERS.index(found[1].strip()) + 1 if found[1] and found[1].strip() in NUMBERS else 1
            return Fraction(count, parts)
    if found := _TIMES.search(said):
        return Fraction(NUMBERS.index(found[1]) + 1) if found[1] in NUMBERS else Fraction(found[1])
    return None

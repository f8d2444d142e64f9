"""What must never be learnt from, because it is what the benchmarks measure with.

Each demonstrator says which words, requests and phrasings of its benchmark are held out; some colours and objects are
held out for all, and so are the phrasings by which robustness is measured, unless they are what everybody says ("Put
the … in the …"). `generate` refuses every sample that has any of them, and a test looks for them, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from thinkaloud_bench.robustness.phrasings import FRAMES
from training.demonstrators import held_out
from training.words import HELD_OUT_COLOURS, HELD_OUT_OBJECTS

EVERYDAY = 10
"""A phrasing with fewer words of its own is everybody's."""


@cache
def _everything() -> tuple[re.Pattern[str], ...]:
    """All of it, in small letters. What begins with a word of its own is looked for at the beginnings of words, in one
    go; most others begin with what stands in few places, and each is fast by itself."""
    words = [rf"\b{re.escape(word)}s?\b" for word in (*HELD_OUT_COLOURS, *HELD_OUT_OBJECTS)]
    listed = [_small(each) for each in (*words, *held_out(), *_phrasings())]
    at_words = [each for each in listed if each.startswith(r"\b") and not _has_choice(each)]
    one = r"\b(?:" + "|".join(each.removeprefix(r"\b") for each in at_words) + ")"
    return tuple(re.compile(each) for each in (one, *(each for each in listed if each not in at_words)))


def _small(expression: str) -> str:
    """An expression for text in small letters; `\\W` and the like stay what they are."""
    return re.sub(r"(\\.)|([A-Z])", lambda found: found[1] or found[2].lower(), expression)


def _has_choice(expression: str) -> bool:
    """Whether an expression is one of several, not only in parentheses."""
    depth = 0
    for letter in re.sub(r"\\.|\[[^\]]*\]", "", expression):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "|" and not depth:
            return True
    return False


def _phrasings() -> Iterator[str]:
    """The phrasings of the robustness benchmark, with any names in them and any punctuation between the words."""
    for frame in FRAMES:
        parts = [re.findall(r"[\w']+", part) for part in re.split(r"\{\w+\}", frame)]
        if sum(map(len, parts)) >= EVERYDAY:
            fixed = [r"\W+".join(map(re.escape, part)) for part in parts if part]
            yield r"\b" + r"\W+[\w' -]{2,40}?\W+".join(fixed) + r"\b"


def violations(text: str) -> list[str]:
    """What of the held-out text is in this one."""
    small = text.lower()
    return [match[0] for pattern in _everything() for match in pattern.finditer(small)]

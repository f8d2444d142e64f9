"""Names, places and answers as people say them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from training.demonstrators.multitalk import wording
from training.demonstrators.multitalk.tables import Point
from training.words import one

_NUMBERED = re.compile(r"(.+) (\d+)$")
_NTH = {"1": "first", "2": "second", "3": "third"}
Rng = np.random.Generator
sentence = wording.sentence


def called(rng: Rng, name: str) -> str:
    """A name; one with a number may be said in other ways."""
    match = _NUMBERED.match(name)
    if match is None or rng.random() < 0.75:
        return name
    kind, number = match.groups()
    return one(rng, (f"{kind} no. {number}", f"{kind} number {number}", f"{_NTH.get(number, number)} {kind}"))


def the(rng: Rng, name: str) -> str:
    """A name with an article, mostly."""
    spoken = called(rng, name)
    if _NUMBERED.match(spoken):
        return spoken if rng.random() < 0.7 else f"the {spoken}"
    luck = rng.random()
    return (
        spoken
        if luck < 0.06
        else f"my {spoken}"
        if luck < 0.09
        else f"that {spoken}"
        if luck < 0.12
        else f"the {spoken}"
    )


def point(rng: Rng, at: Point) -> str:
    """A point in one of the forms that are understood."""
    x, y = at
    if rng.random() < 0.85:
        return f"({x:.2f}, {y:.2f})"
    return one(rng, (f"({x:.2f}, {y:.2f}, 0.00)", f"x = {x:.2f}, y = {y:.2f}"))


def listed(rng: Rng, names: Sequence[str]) -> str:
    """Several names, one after another."""
    spoken = [the(rng, name) for name in names]
    if len(spoken) < 2 or rng.random() < 0.4:
        return ", ".join(spoken)
    return ", ".join(spoken[:-1]) + one(rng, (" and ", ", and ", " and then ")) + spoken[-1]


def reply(rng: Rng, answers: Sequence[str]) -> str:
    """One answer to one or more questions, numbered mostly."""
    texts = [answer[0].upper() + answer[1:] if rng.random() < 0.7 else answer for answer in answers]
    texts = [text if rng.random() < 0.3 else f"{text}." for text in texts]
    if len(texts) == 1:
        return texts[0]
    if rng.random() < 0.75:
        return " ".join(f"{number}: {text}" for number, text in enumerate(texts, 1))
    return one(rng, (" ", ", ", " and ", "; ")).join(texts)

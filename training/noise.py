"""How people write: with slips, without capitals, politely, in passing."""

from __future__ import annotations

import re

import numpy as np

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_NEAR = {row[i]: row[max(0, i - 1) : i] + row[i + 1 : i + 2] for row in _ROWS for i in range(len(row))}
"""The keys beside a key."""
_BEFORE = (
    "please ",
    "Please ",
    "could you ",
    "Can you ",
    "hey, ",
    "ok, ",
    "now ",
    "Okay, now ",
    "well, ",
    "so ",
    "robot, ",
)
_AFTER = (" please", ", please", " now", " for me", ", thanks", " if you can", ", will you", " when you are ready")
_QUESTION = re.compile(r"^(who|what|where|which|when|how|is|are|does|do|did|was|were|has|have|can|could|will)\b", re.I)


def noisy(rng: np.random.Generator, sentence: str, rate: float = 0.35) -> str:
    """The sentence, or (at this rate) what somebody in a hurry makes of it; it still means the same."""
    if rng.random() >= rate:
        return sentence
    kind = int(rng.integers(6))
    if kind == 0:
        return sentence.lower()
    if kind == 1:
        return sentence.rstrip(".!")
    if kind == 2:
        return sentence.lower().rstrip(".!?")
    if kind == 3 and not _QUESTION.match(sentence):
        return str(rng.choice(_BEFORE)) + sentence[0].lower() + sentence[1:]
    if kind == 4 and not _QUESTION.match(sentence):
        end = re.search(r"[.!?]*$", sentence)
        stop = end[0] if end else ""
        return sentence[: len(sentence) - len(stop)] + str(rng.choice(_AFTER)) + stop
    return slipped(rng, sentence)


def slipped(rng: np.random.Generator, sentence: str) -> str:
    """With a slip of the finger in a word that can still be guessed: of five letters or more, not at its beginning."""
    words = list(re.finditer(r"[a-z]{5,}", sentence))
    if not words:
        return sentence
    word = words[int(rng.integers(len(words)))]
    at = word.start() + int(rng.integers(1, len(word[0]) - 1))
    kind = int(rng.integers(4))
    if kind == 0:  # two in the wrong order
        return sentence[:at] + sentence[at + 1] + sentence[at] + sentence[at + 2 :]
    if kind == 1:  # one left out
        return sentence[:at] + sentence[at + 1 :]
    if kind == 2:  # one twice
        return sentence[:at] + sentence[at] + sentence[at:]
    return sentence[:at] + str(rng.choice(list(_NEAR[sentence[at]]))) + sentence[at + 1 :]

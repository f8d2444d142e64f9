"""What differs between sentences: people who choose between readings should see that, and not read the rest again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby

_WORDS = re.compile(r"\w+|[^\w\s]")
_AROUND = 2
"""Words that are kept beside a difference, so that it can be read."""
_GAP = "…"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a sentence; `differs` where others, beside which it stands, say something else."""

    text: str
    differs: bool = False


def mark_differences(sentences: Sequence[str]) -> tuple[tuple[Piece, ...], ...]:
    """Each sentence in pieces: what the others do not have is marked, and what all of them have is shortened."""
    if len(sentences) < 2:
        return tuple((Piece(each),) for each in sentences)
    words = [[(found.start(), found.end()) for found in _WORDS.finditer(each)] for each in sentences]
    spelt = [[each[start:end] for start, end in at] for each, at in zip(sentences, words, strict=True)]
    shared = _shared(spelt)
    return tuple(
        _pieces(sentence, at, own)
        for sentence, at, own in zip(sentences, words, _differing(spelt, shared), strict=True)
    )


def shortened(sentences: Sequence[str]) -> list[str]:
    """Each sentence with what it has of its own, and a little around it, where that saves a third: `… blue bowl.`"""
    short = ["".join(piece.text for piece in pieces).strip() for pieces in mark_differences(sentences)]
    return short if 3 * sum(map(len, short)) <= 2 * sum(map(len, sentences)) else [*sentences]


def _shared(sentences: Sequence[Sequence[str]]) -> list[str]:
    """The words that all have, in this order."""
    common = list(sentences[0])
    for each in sentences[1:]:
        blocks = SequenceMatcher(None, common, each, autojunk=False).get_matching_blocks()
        common = [common[at] for block in blocks for at in range(block.a, block.a + block.size)]
    return common


def _differing(sentences: Sequence[Sequence[str]], shared: Sequence[str]) -> list[list[bool]]:
    found = []
    for each in sentences:
        own = [True] * len(each)
        for block in SequenceMatcher(None, shared, each, autojunk=False).get_matching_blocks():
            own[block.b : block.b + block.size] = [False] * block.size
        found.append(own)
    return found


def _pieces(sentence: str, words: Sequence[tuple[int, int]], own: Sequence[bool]) -> tuple[Piece, ...]:
    """Runs of words as they stand in the sentence, with the spaces after them."""
    starts = [start for start, _ in words] + [len(sentence)]
    runs = [(differs, list(group)) for differs, group in groupby(range(len(words)), lambda at: own[at])]
    pieces: list[Piece] = []
    for number, (differs, run) in enumerate(runs):
        first, last = number == 0, number == len(runs) - 1
        start, end = starts[run[0]], starts[run[-1] + 1]
        if not differs and len(run) > _AROUND * (2 - first - last) + 1 and len(runs) > 1:
            before = "" if first else sentence[start : words[run[_AROUND - 1]][1]] + " "
            after = "" if last else " " + sentence[starts[run[-_AROUND]] : end]
            pieces.append(Piece(f"{before}{_GAP}{after}"))
        else:
            pieces.append(Piece(sentence[start:end], differs))
    return tuple(pieces)

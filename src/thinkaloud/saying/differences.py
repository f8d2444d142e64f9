"""What differs between sentences: people who choose between readings should see that, and not read the rest again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, pairwise

_WORDS = re.compile(r"\w+|[^\w\s]")
_AROUND = 2
"""Words that are kept beside a difference, so that it can be read."""
_GAP = "…"
_ONLY = "Only: "
"""Marks a sentence that says nothing but what the others say, too."""


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
    owned = _differing(spelt, shared)
    cuts = {cut for own in owned for cut in _insertions(own)}
    return tuple(
        _pieces(sentence, at, own) if any(own) or not cuts else _without(sentence, at, cuts)
        for sentence, at, own in zip(sentences, words, owned, strict=True)
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


def _insertions(own: Sequence[bool]) -> list[int]:
    """Where a sentence has words of its own, as numbers of the shared words behind them."""
    return [at - sum(own[:at]) for at, differs in enumerate(own) if differs]


def _pieces(sentence: str, words: Sequence[tuple[int, int]], own: Sequence[bool]) -> tuple[Piece, ...]:
    """Runs of words as they stand in the sentence, with the spaces after them."""
    runs = [(differs, list(group)) for differs, group in groupby(range(len(words)), lambda at: own[at])]
    return tuple(
        Piece(_spell(sentence, words, run), True)
        if differs
        else Piece(_shorten(sentence, words, run, before=number > 0, behind=number + 1 < len(runs)))
        for number, (differs, run) in enumerate(runs)
    )


def _without(sentence: str, words: Sequence[tuple[int, int]], cuts: set[int]) -> tuple[Piece, ...]:
    """A sentence without words of its own: the same places of it that the others show."""
    edges = sorted({0, len(words), *cuts})
    runs = [list(range(start, end)) for start, end in pairwise(edges)]
    told = [_shorten(sentence, words, run, before=run[0] in cuts, behind=run[-1] + 1 in cuts) for run in runs]
    return (Piece(_ONLY, True), Piece("".join(told)))


def _spell(sentence: str, words: Sequence[tuple[int, int]], run: Sequence[int]) -> str:
    after = run[-1] + 1
    return sentence[words[run[0]][0] : words[after][0] if after < len(words) else len(sentence)]


def _shorten(sentence: str, words: Sequence[tuple[int, int]], run: Sequence[int], *, before: bool, behind: bool) -> str:
    """Words that all have: of many, those beside what differs `before` and `behind` them."""
    if not (before or behind) or len(run) <= _AROUND * (before + behind) + 1:
        return _spell(sentence, words, run)
    start = f"{_spell(sentence, words, run[:_AROUND]).rstrip()} " if before else ""
    end = f" {_spell(sentence, words, run[-_AROUND:])}" if behind else ""
    return f"{start}{_GAP}{end}"

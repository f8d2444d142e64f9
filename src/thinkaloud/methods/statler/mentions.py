"""Which things a query names: only those may be named in a program, whatever else it means has to be found."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Sequence

_CLOSE = 0.74
"""How much alike a misspelt word and the right one are."""


def find_mentioned(query: str, objects: Sequence[str]) -> list[str]:
    """The things that a query names, in its order: by their names, by what sets them apart from others of their kind
    ("the red and the blue block"), or by a kind of which there is only one."""
    words = _singular(query)
    kinds = Counter(_singular(name)[-1] for name in objects)
    found: dict[str, int] = {}
    for name in objects:
        *which, kind = _singular(name)
        for at in range(len(words)):
            after = words[at + len(which)] if at + len(which) < len(words) else ""
            if which and words[at : at + len(which)] == which and (after == kind or after not in kinds):
                found.setdefault(name, at)
        if kinds[kind] == 1 and kind in words:
            found.setdefault(name, words.index(kind))
    return sorted(found, key=lambda name: found[name])


def find_nearly_mentioned(query: str, objects: Sequence[str]) -> list[str]:
    """What a query names for certain, then what a misspelt word of it may name; nothing where nothing is certain."""
    sure = find_mentioned(query, objects)
    if not sure:
        return []
    words = [word for word in re.findall(r"[\w-]+", query.lower()) if len(word) > 3]
    own = {word for name in objects for word in name.lower().split()}
    strange = [word for word in words if word not in own and word.removesuffix("s") not in own]
    found = list(sure)
    for name in objects:
        *which, _ = name.lower().split()
        if name not in sure and which and any(_alike(word, strange) for word in which if len(word) > 3):
            found.append(name)
    return found


def _singular(text: str) -> list[str]:
    return [word.removesuffix("s") for word in re.findall(r"[\w-]+", re.sub("['’]", "", text.lower()))]


def _alike(word: str, others: Iterable[str]) -> bool:
    """Whether one of the others is the word with a slip in it, which is never in its first letter."""
    near = [other for other in others if other[0] == word[0] and abs(len(other) - len(word)) < 3]
    return bool(near) and bool(difflib.get_close_matches(word, near, n=1, cutoff=_CLOSE))

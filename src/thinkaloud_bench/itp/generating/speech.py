"""Filling templates as people talk: lists, articles, short names, and now and then a slip of the finger."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

SORTS = frozenset(
    (
        "syrup",
        "tint",
        "oil",
        "dye",
        "sauce",
        "juice",
        "dressing",
        "essence",
        "scent",
        "tea",
        "broth",
        "wedges",
        "nectar",
    )
)
"""Last words that people leave out: the cherry for the cherry syrup."""
NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six")
_SLIPS = 0.06
_CARELESS = 0.08
_FIELD = re.compile(r"(\{\w+\})")


def capitalise(text: str) -> str:
    """The text with a capital letter at the start, the rest as it is."""
    return text[:1].upper() + text[1:]


def with_article(text: str) -> str:
    """The text after "a" or "an"."""
    return f"{'an' if text[:1].lower() in 'aeio' or text.lower().startswith(('u-', 'umb', 'und')) else 'a'} {text}"


def pluralise(noun: str) -> str:
    """The plural of a regular noun."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeou" else f"{noun}s"


def join_carefully(names: Sequence[str]) -> str:
    """A list as somebody writes it who takes care."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def join_as_said(rng: random.Random, names: Sequence[str]) -> str:
    """A list as somebody would say it."""
    if len(names) == 1:
        return names[0]
    way = rng.random()
    if way < 0.6:
        return join_carefully(names)
    if way < 0.75:
        return f"{', '.join(names[:-1])}{',' if len(names) > 2 else ''} and {names[-1]}"
    return " and ".join(names) if way < 0.9 else " + ".join(names) if way < 0.95 else " & ".join(names)


def shorten_name(name: str, among: Sequence[str]) -> str:
    """What is left of a name without its sort, if nothing else could be meant by it."""
    head, _, last = name.rpartition(" ")
    if last not in SORTS or any({*head.split()} & {*other.split()} for other in among if other != name):
        return name
    return head


def fill_as_said(rng: random.Random, template: str, **words: str) -> str:
    """A template with its words filled in; {X} is {x} with a capital. Slips happen outside the words filled in."""
    pieces = _FIELD.split(template)
    if rng.random() < _SLIPS:
        pieces = _slipped(rng, pieces)
    fields = {**words, **{capitalise(name): capitalise(text) for name, text in words.items()}}
    said = "".join(fields[piece[1:-1]] if _FIELD.fullmatch(piece) else piece for piece in pieces)
    return said.rstrip(".!").lower() if rng.random() < _CARELESS else said


def fill_carefully(template: str, **words: str) -> str:
    """A template with its words filled in, as somebody writes who takes care."""
    return template.format(**{**words, **{capitalise(name): capitalise(text) for name, text in words.items()}})


def _slipped(rng: random.Random, pieces: list[str]) -> list[str]:
    """Two letters of one longer word of the template in the wrong order, or one of them missing."""
    places = [(i, m) for i in range(0, len(pieces), 2) for m in re.finditer(r"\b[A-Za-z]{5,}\b", pieces[i])]
    if not places:
        return pieces
    which, word = rng.choice(places)
    at = word.start() + rng.randint(1, len(word[0]) - 3)
    text = pieces[which]
    wrong = text[at + 1] + text[at] if rng.random() < 0.6 else text[at]
    return [*pieces[:which], text[:at] + wrong + text[at + 2 :], *pieces[which + 1 :]]

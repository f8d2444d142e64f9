"""Which material of guidelines a request names, and whether it is wanted: "a boba milk", "hold the milk", "milk-free".

Words are looked at alone; what they do not make plain is no mention, or one that is not sure.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import resources

from thinkaloud.guidelines import Guidelines
from thinkaloud.guidelines.order_form import all_material
from thinkaloud.language.words import IDLE, NUMBERS, read_number, singular, words_of

_LISTS = tomllib.loads(resources.files(__package__).joinpath("mentioning.toml").read_text(encoding="utf-8"))
WORDS = {name: frozenset(words.split()) for name, words in _LISTS.items()}
STOPS = frozenset(".;:!?")
"""What ends a sentence, or a part of one that stands alone."""
_PIECE = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+|[.,;:!?-]")
_WITHOUT = re.compile(
    r"\b(?:instead of|in place of|in lieu of|rather than|other than|free of|free from|out of|anything but|w/o"
    r"|(?:leave|leaving|take|taking) (?:out|off|away))\b"
)
_BEHIND = 3
"""So many words behind a name may say that it is not wanted."""


def pieces_of(text: str) -> list[str]:
    """The words and signs of a request; what stands for `without` is that word, and a `no` that answers is left out."""
    pieces = _PIECE.findall(_WITHOUT.sub("without", text.lower().replace("’", "'")))
    return pieces[2:] if pieces[:1] in (["no"], ["nope"], ["nah"]) and pieces[1:2] in ([","], ["."], ["!"]) else pieces


def mentions_of(
    request: str, guidelines: Guidelines, ordered: Sequence[str], taken: Sequence[str]
) -> Iterator[tuple[str, bool]]:
    """The material that a request names and does not refuse, and whether that is sure.

    `ordered`: options that are ordered, in whose names no material is meant; `taken`: other names that there are.
    """
    pieces = pieces_of(request)
    if WORDS["choosing"] & {*pieces}:
        return
    material = all_material(guidelines)
    words = {name: [name.lower().split(), *([each] for each in _telling(name, guidelines, taken))] for name in material}
    masked = [name.lower().split() for name in (*ordered, *taken) if name not in material]
    lacking = [r for r in guidelines.recipes if r.name not in ordered]
    found: dict[str, int] = {}
    spots = list(pieces)
    for form in sorted(masked, key=len, reverse=True):
        _cut(spots, form)
    for recipe in lacking:  # an option's name names what it is made of, and nothing else
        rest = list(spots)
        for at in _cut(rest, recipe.name.lower().split()):
            for name in recipe.material:
                inside = [
                    i
                    for i in range(at, at + len(recipe.name.split()))
                    for form in words[name]
                    if _is_at(spots, form, i)
                ]
                if inside:
                    found.setdefault(name, inside[0])
        spots = rest
    for name, form in sorted(((n, f) for n in words for f in words[n]), key=lambda each: -len(each[1])):
        for at in _cut(spots, form):
            found.setdefault(name, at)
    sure = not WORDS["telling"] & {*pieces}
    for name, at in sorted(found.items(), key=lambda each: each[1]):
        if not is_refused(pieces, at):
            yield name, sure


def is_refused(pieces: Sequence[str], at: int) -> bool:
    """Whether what is named there is not wanted, or may be what something else is given for."""
    behind = pieces[at + 1 : at + 1 + _BEHIND + 1]
    for piece in behind:
        if piece in STOPS or piece in (",", "and", "with", "but"):
            break
        if piece in WORDS["refused"]:
            return True
    crossed = False
    for place in range(at - 1, -1, -1):
        piece, before = pieces[place], pieces[place - 1] if place else ""
        if piece in WORDS["beginning"] or (piece in WORDS["resuming"] and before in ("and", ",", "then", "please")):
            return False
        crossed = crossed or piece in ("for", "by", "to", "into")
        if piece in WORDS["exchanging"]:
            return not crossed
        if piece in WORDS["refusing"] and pieces[place + 1 : place + 2] not in (["only"], ["just"]):
            return before not in WORDS["refusing"]  # don't forget the milk
    return False


def counted_options(request: str, guidelines: Guidelines) -> list[tuple[int, str]]:
    """The options that a request names, each with how many of it: "two boba milks and a pure milk".

    Nothing where one of them is not wanted, or is no more than a choice.
    """
    pieces = pieces_of(request)
    if WORDS["choosing"] & {*pieces}:
        return []
    spots, found = list(pieces), dict[int, tuple[int, str]]()
    for option in sorted(guidelines.options, key=len, reverse=True):
        for at in _cut(spots, option.lower().split()):
            if is_refused(pieces, at):
                return []
            before = pieces[at - 1] if at else ""
            found[at] = (read_number(before) if before.isdigit() or before in NUMBERS else 1, option)
    return [found[at] for at in sorted(found)]


def says_more(request: str, names: Sequence[str], others: Sequence[str]) -> bool:
    """Whether one more of something is spoken of, and not another one of something else, or in its place."""
    pieces = pieces_of(request)
    own = {word for name in names for word in words_of(name)}
    nouns = {words_of(name)[-1] for name in others if words_of(name)} - own
    for at, piece in enumerate(pieces):
        before = pieces[at - 1] if at else ""
        counts = piece != "more" or before in NUMBERS or before.isdigit() or before in ("some", "few")
        if piece in WORDS["more"] and counts:
            following = [each for each in pieces[at + 1 : at + 3] if each not in IDLE]
            noun = next((each for each in following if each.isalpha()), "")
            if "instead" not in pieces and noun not in nouns and singular(noun) not in nouns:
                return not is_refused(pieces, at)
    return False


def _telling(name: str, guidelines: Guidelines, taken: Sequence[str]) -> list[str]:
    """The words of a name that tell of it alone: no other material has them, nor an option that is made without it."""
    count = Counter(word for each in all_material(guidelines) for word in {*words_of(each)})
    others = {word for r in guidelines.recipes if name not in r.material for word in words_of(r.name)}
    others |= {word for each in taken if each != name for word in words_of(each)}
    return [w for w in words_of(name) if count[w] == 1 and w not in others | IDLE and len(w) > 2]


def _cut(pieces: list[str], form: Sequence[str]) -> list[int]:
    """Where a form stands; it is taken out, so that nothing else is found within it."""
    found = [at for at in range(len(pieces)) if _is_at(pieces, form, at)]
    for at in found:
        pieces[at : at + len(form)] = ["|"] * len(form)
    return found


def _is_at(pieces: Sequence[str], form: Sequence[str], at: int) -> bool:
    said = pieces[at : at + len(form)]
    return len(said) == len(form) and all(a == b or singular(a) == b for a, b in zip(said, form, strict=True))

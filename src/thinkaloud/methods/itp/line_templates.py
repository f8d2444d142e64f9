"""The lines that a plan by guidelines may consist of: the guidelines' own sentences, with other things put into them.

"add strawberry jam to the working cup" shows how "add taro to the working cup" is said. What may be put in is what the
guidelines list, and what the request itself names; whether that is available is checked when the plan is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from thinkaloud.guidelines import Guidelines
from thinkaloud.models import grammar as gbnf
from thinkaloud.names import unknown_phrases
from thinkaloud.skills import Skill
from thinkaloud.words import IDLE, ORDINALS, phrases, singular, stem, words_of

_ANEW = r"\s(?:and|then)\s+(?=(?:start|begin|make|do|try)\b[^,;:.?!]*\b(?:over|again|anew|afresh|new)\b)"
_LEADING = re.compile(r"^(?:[^,;:.?!]*\bis to\s+|(?:first|then|and|but|so|please)\s+)+", re.IGNORECASE)
_Template = tuple[str, ...]
"""Text and slots in turn, text first; a slot is `material`, `location`, `thing` or `ordinal`."""


def templates(guidelines: Guidelines, skills: Mapping[str, Skill]) -> list[_Template]:
    """The sentences of all recipes, and what the rules say is to be done, with slots."""
    found: dict[_Template, None] = {}
    for recipe in guidelines.recipes:
        things = {stem(word) for word in words_of(recipe.name) if word not in IDLE}
        for step in recipe.steps:
            found[_slotted(step, guidelines, things)] = None
    for clause in clauses(guidelines.rules):
        words = words_of(clause)
        if len(words) > 2 and guidelines.doable(words[0], skills):  # it begins with what is to be done
            found[_slotted(clause, guidelines, set())] = None
    return list(found)


def clauses(rules: Iterable[str]) -> list[str]:
    """The parts of the rules, each without what leads up to it: "the first step is to …", "… and begin again"."""
    parts = [part.strip() for rule in rules for part in re.split(rf"[,;:.?!]|{_ANEW}", rule, flags=re.IGNORECASE)]
    return [_LEADING.sub("", part) for part in parts if part]


def _slotted(sentence: str, guidelines: Guidelines, things: set[str]) -> _Template:
    material = {name for recipe in guidelines.recipes for name in recipe.material} | {*guidelines.available}
    names = [(name, "material") for name in material] + [(name, "location") for name in places(guidelines)]
    known = {name.lower(): kind for name, kind in names}
    pattern = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True)) or r"(?!)"
    parts: list[str] = [""]
    end = 0
    for match in re.finditer(rf"\b(?:{pattern})\b|[^\W\d_]+", sentence, re.IGNORECASE):
        word = match[0].lower()
        kind = known.get(word) or ("ordinal" if word in ORDINALS else "thing" if stem(word) in things else "")
        parts[-1] += sentence[end : match.start()]
        end = match.end()
        if kind:
            parts += [kind, ""]
        else:
            parts[-1] += match[0]
    parts[-1] += sentence[end:]
    return tuple(parts)


def places(guidelines: Guidelines) -> list[str]:
    """The names of the locations: what stands before what they are for."""
    names = (re.split(r"\s+(?:for|is|are|where|holds|with)\b|[:(,]", line)[0] for line in guidelines.locations)
    return [name.strip() for name in names if name.strip()]


def slots_for(guidelines: Guidelines, request: str) -> dict[str, list[str]]:
    """What may be put into the lines for a request."""
    named, unknown = phrases(request), unknown_phrases(request, _known(guidelines))
    listed = [name for recipe in guidelines.recipes for name in recipe.material]
    things = [word for recipe in guidelines.recipes for word in _things(recipe.name, recipe.steps)]
    single = [singular(name) for name in named]
    return {
        "material": list(dict.fromkeys([*guidelines.available, *listed, *unknown])),
        "location": list(dict.fromkeys(places(guidelines))),
        "thing": list(dict.fromkeys([*things, *single, *named])),
        "ordinal": list(ORDINALS),
    }


def _things(name: str, steps: Sequence[str]) -> list[str]:
    wanted = {stem(word) for word in words_of(name) if word not in IDLE}
    return [word for step in steps for word in words_of(step) if stem(word) in wanted]


def full_name(name: str, request: str, guidelines: Guidelines) -> str:
    """What a request calls the thing, where a model has said only a part of it: passion fruit, for fruit."""
    unknown = unknown_phrases(request, _known(guidelines), entirely=True)
    return max([name, *(each for each in unknown if name.lower() in each)], key=len)


def _known(guidelines: Guidelines) -> set[str]:
    return {stem(word) for word in words_of(guidelines.text)}


def line_rules(
    guidelines: Guidelines, slots: Mapping[str, Sequence[str]], skills: Mapping[str, Skill]
) -> dict[str, str]:
    """Grammar rules for `line`: every sentence with everything that fits into it."""
    rules = {f"a-{kind}": gbnf.one_of(names) for kind, names in slots.items() if names}
    usable = [each for each in templates(guidelines, skills) if all(f"a-{slot}" in rules for slot in each[1::2])]
    return {**rules, "line": gbnf.choice(gbnf.sequence(*_parts(each)) for each in usable)} if usable else {}


def _parts(template: _Template) -> list[str]:
    return [f"a-{part}" if i % 2 else gbnf.literal(part) for i, part in enumerate(template) if part]

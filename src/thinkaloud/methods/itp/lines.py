"""The lines that a plan by guidelines may consist of: the guidelines' own sentences, with other things put into them.

"add strawberry jam to the working cup" shows how "add taro to the working cup" is said. What may be put in is what the
guidelines list, and what the request itself names; whether that is available is checked when the plan is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from thinkaloud.guidelines import IDLE, Guidelines, stem
from thinkaloud.models import grammar as gbnf
from thinkaloud.skills import Skill

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_POLITE = frozenset(
    re.findall(
        r"\w+",
        "please can could may might would will should i you we me my your like want order get give make need just "
        "sorry instead thanks thank hello hi here there how what any add replace change without",
    )
)
"""Words of a request that name nothing."""
_ANEW = r"\s(?:and|then)\s+(?=(?:start|begin|make|do|try)\b[^,;:.?!]*\b(?:over|again|anew|afresh|new)\b)"
_LEADING = re.compile(r"^(?:[^,;:.?!]*\bis to\s+|(?:first|then|and|but|so|please)\s+)+", re.IGNORECASE)
Template = tuple[str, ...]
"""Text and slots in turn, text first; a slot is `material`, `location`, `thing` or `ordinal`."""


def templates(guidelines: Guidelines, skills: Mapping[str, Skill]) -> list[Template]:
    """The sentences of all recipes, and what the rules say is to be done, with slots."""
    found: dict[Template, None] = {}
    for recipe in guidelines.recipes:
        things = {stem(word) for word in _words(recipe.name) if word not in IDLE}
        for step in recipe.steps:
            found[_slotted(step, guidelines, things)] = None
    for clause in clauses(guidelines.rules):
        words = _words(clause)
        if len(words) > 2 and guidelines.doable(words[0], skills):  # it begins with what is to be done
            found[_slotted(clause, guidelines, set())] = None
    return list(found)


def clauses(rules: Iterable[str]) -> list[str]:
    """The parts of the rules, each without what leads up to it: "the first step is to …", "… and begin again"."""
    parts = [part.strip() for rule in rules for part in re.split(rf"[,;:.?!]|{_ANEW}", rule, flags=re.IGNORECASE)]
    return [_LEADING.sub("", part) for part in parts if part]


def _slotted(sentence: str, guidelines: Guidelines, things: set[str]) -> Template:
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
    named = phrases(request)
    known = {stem(word) for word in _words(guidelines.text)}
    unknown = [name for name in named if not {stem(word) for word in _words(name)} <= known]
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
    wanted = {stem(word) for word in _words(name) if word not in IDLE}
    return [word for step in steps for word in _words(step) if stem(word) in wanted]


def phrases(request: str) -> list[str]:
    """What a request may name: its words that mean something, alone and up to three in a row."""
    rows: list[list[str]] = [[]]
    for word in re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+|[.,;:!?]", request.lower()):
        if word in IDLE or word in _POLITE or not word[0].isalpha():
            rows.append([])
        else:
            rows[-1].append(word)
    found = [" ".join(row[i : i + n]) for n in (3, 2, 1) for row in rows for i in range(len(row) - n + 1)]
    return list(dict.fromkeys(found))


def fullest(name: str, request: str, guidelines: Guidelines) -> str:
    """What a request calls the thing, where a model has said only a part of it: passion fruit, for fruit."""
    known = {stem(word) for word in _words(guidelines.text)}
    strange = [each for each in phrases(request) if not known & {stem(word) for word in _words(each)}]
    return max([name, *(each for each in strange if name.lower() in each)], key=len)


def line_rules(
    guidelines: Guidelines, slots: Mapping[str, Sequence[str]], skills: Mapping[str, Skill]
) -> dict[str, str]:
    """Grammar rules for `line`: every sentence with everything that fits into it."""
    rules = {f"a-{kind}": gbnf.one_of(names) for kind, names in slots.items() if names}
    usable = [each for each in templates(guidelines, skills) if all(f"a-{slot}" in rules for slot in each[1::2])]
    return {**rules, "line": gbnf.choice(gbnf.sequence(*_parts(each)) for each in usable)} if usable else {}


def _parts(template: Template) -> list[str]:
    return [f"a-{part}" if i % 2 else gbnf.literal(part) for i, part in enumerate(template) if part]


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.lower())


def singular(text: str) -> str:
    """What one of these is called."""
    if text.endswith("ves"):
        return text[:-3] + "fe"
    if text.endswith(("ches", "shes", "sses", "xes")):
        return text[:-2]
    return text[:-1] if text.endswith("s") and not text.endswith("ss") else text

"""Find the things that words name. The only parser of names, for planners, grammars, critics and messages.

    names_in("Pour the oat milk.", ["milk", "oat milk"])            ["oat milk"]: by name, longest first
    things_in("Push the chairs aside.", ["chair", "chair 2"])       both: by name or by kind
    find_named("the Red Block", ["red block"])                      "red block": a name that stands alone
    find_nearest("tabeltop", ["tabletop"])                          "tabletop": what was probably meant, for messages
    missing_kinds("an orange in the cup", ["orange"], ["cup"])      ["orange"]: what is mentioned and not there

The judges of benchmarks parse names themselves, so that they do not repeat a mistake made here.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from thinkaloud.language.words import is_slip, phrases, stems

_ARTICLES = ("the", "a", "an")


# One name by itself ---------------------------------------------------------------------------------------------------


def bare_name(name: str) -> str:
    """A name in lower case, without an article."""
    words = name.lower().split()
    return " ".join(words[1:] if len(words) > 1 and words[0] in _ARTICLES else words)


@lru_cache(maxsize=4096)
def without_number(name: str) -> str:
    """`soup can` for `soup can 2`: the name of its kind."""
    return re.sub(r"\s*\d+$", "", name)


def head_noun(name: str) -> str:
    """`can` for `soup can 2`."""
    return without_number(name).rpartition(" ")[2]


def look_of(name: str) -> str:
    """`red` for `red block 2`: what distinguishes it from others with the same noun."""
    return without_number(name).lower().removesuffix(head_noun(name).lower()).strip()


def find_named(name: str, names: Sequence[str]) -> str | None:
    """The thing with this name, regardless of case, quotes or an article."""
    known = _index(tuple(names))
    text = name.strip()
    unquoted = text.strip("\"'")
    wanted = (text, text.lower(), unquoted.lower(), bare_name(unquoted))
    return next((known[each] for each in wanted if each in known), None)


@lru_cache  # the scene stays the same for many names, and a home has hundreds of things
def _index(names: tuple[str, ...]) -> Mapping[str, str]:
    # In `A wing` beside `B wing`, A is a letter and not an article.
    by_bare = {bare_name(name): name for name in reversed(names) if not name.startswith("A ")}
    return by_bare | {name.lower(): name for name in reversed(names)} | {name: name for name in names}


def find_nearest(name: str, names: Iterable[str]) -> str | None:
    """The name that was probably meant. For messages only, so it is more generous than matching for actions."""
    return next(iter(difflib.get_close_matches(name, [*names], n=1)), None)


def resolve_name(name: str, names: Sequence[str]) -> str:
    """The full name for a partial one: itself, or the only name with all its words; otherwise what was given."""
    if exact := next((each for each in names if each.lower() == name.lower()), ""):
        return exact  # `milk tea` beside `tea milk`: others may have the same words
    words = stems(name)
    same = [each for each in names if stems(each) == words]
    holding = same or [each for each in names if words and words <= stems(each)]
    return holding[0] if same or len(holding) == 1 else name


def split_name(text: str, names: Iterable[str]) -> tuple[str, str] | None:
    """The thing that a text begins with (the longest name that fits), and the rest."""
    start = text.strip()
    start = start[4:] if start.lower().startswith("the ") else start
    longest = max((name for name in names if start.lower().startswith(name.lower())), key=len, default=None)
    return (longest, start[len(longest) :]) if longest else None


# Names in a text ------------------------------------------------------------------------------------------------------


def names_in(text: str, names: Iterable[str], *, plurals: bool = False) -> list[str]:
    """The names that occur in a text, in order; `oat milk` does not name `milk`.

    With `plurals`, the names are kinds and may be plural: `two mugs` names `mug`.
    """
    forms = {name: _plurals(name) if plurals else [name] for name in names}
    said = _first_said(text, [form for each in forms.values() for form in each])
    where = {name: [said[form] for form in each if form in said] for name, each in forms.items()}
    return sorted((name for name in where if where[name]), key=lambda name: min(where[name]))


def is_named(name: str, text: str) -> bool:
    """Whether a name occurs in a text."""
    return bool(_spaced(name).strip()) and _spaced(name) in _spaced(text)


def things_in(text: str, names: Iterable[str]) -> list[str]:
    """The things that a text names, in order: by name (`the coffeepot` is a coffee pot) or by kind (`blocks`)."""
    names = list(dict.fromkeys(names))
    forms: dict[str, set[str]] = {}
    for name in names:
        for wider in (*_plurals(head_noun(name)), *_plurals(without_number(name))):
            forms.setdefault(wider, set()).add(name)
    forms |= {name.replace(" ", ""): {name} for name in names}
    forms |= {name: {name} for name in names}  # a full name is not a wider form
    said = _first_said(text, forms)
    where = {name: said[form] for form in sorted(said, key=len) for name in forms[form]}
    return sorted((name for name in names if name in where), key=lambda name: where[name])


def things_meant(text: str, names: Sequence[str]) -> list[str]:
    """The things that a conversation is about: by name, or else by kind (`soup can`, or any `can`).

    Later mentions refer back: after `cup 1`, `the cup` is the same cup. Returns all things if none is named.
    """
    wider = {name: {without_number(name), head_noun(name)} for name in names}
    found = {
        *names_in(text, dict.fromkeys([*names, *(each for kinds in wider.values() for each in kinds)]), plurals=True)
    }
    exact = found & {*names}
    loose = found - exact - {each for name in exact for each in wider[name]}
    return [name for name in names if name in exact or loose & wider[name]] or list(names)


def things_told_apart(text: str, names: Sequence[str], *, misspelt: bool = False) -> list[str]:
    """The things that a text identifies, in order: by what distinguishes them from others of their kind ("the red and
    the blue block"), or by a kind of which there is only one.

    With `misspelt`, things that a misspelt word may name come after that; empty if nothing is certain.
    """
    words = _roots(text)
    kinds = Counter(_roots(name)[-1] for name in names)
    where: dict[str, int] = {}
    for name in names:
        which, kind = _roots(name)[:-1], _roots(name)[-1]
        for at in range(len(words)) if which and which[0] in words else ():
            after = words[at + len(which)] if at + len(which) < len(words) else ""
            if words[at : at + len(which)] == which and (after == kind or after not in kinds):
                where.setdefault(name, at)
        if kinds[kind] == 1 and kind in words:
            where.setdefault(name, words.index(kind))
    sure = sorted(where, key=lambda name: where[name])
    return [*sure, *_misspelt_in(text, names, sure)] if misspelt and sure else sure


def _misspelt_in(text: str, names: Sequence[str], sure: Sequence[str]) -> list[str]:
    own = {word for name in names for word in name.lower().split()}
    words = re.findall(r"[\w-]+", text.lower())
    odd = [word for word in words if word not in own and word.removesuffix("s") not in own]
    looks = {name: name.lower().split()[:-1] for name in names if name not in sure}
    return [name for name, look in looks.items() if any(is_slip(word, part) for word in odd for part in look)]


# What is spoken of and not there --------------------------------------------------------------------------------------


def missing_kinds(text: str, kinds: Collection[str], names: Collection[str]) -> list[str]:
    """The kinds that a text names and that are not there; `the orange mug` names a mug, not an orange."""
    nouns = _one_of({head_noun(name) for name in names})
    colours = rf"\b(?:{_one_of(kinds)})(?=(?:[ -]colou?red)?\s+(?:{nouns})s?\b)"
    named = names_in(re.sub(colours, "", text, flags=re.IGNORECASE), {*kinds, *names}, plurals=True)
    return sorted(kind for kind in named if not any(is_named(kind, name) for name in names))


def missing_pairs(text: str, looks: Collection[str], names: Iterable[str]) -> list[str]:
    """The things that a text names by look and noun (`mauve block`) if the noun is there, but not with this look."""
    known = [name.split() for name in names]
    nouns = {words[-1] for words in known if words}
    pairs = re.findall(r"\b(?=([a-z]+) ([a-z]+?)s?\b)", text)
    named = dict.fromkeys(pair for pair in pairs if pair[0] in looks and pair[1] in nouns)
    return [" ".join(pair) for pair in named if not any({*pair} <= {*words} for words in known)]


def unknown_phrases(text: str, known: Collection[str], *, entirely: bool = False) -> list[str]:
    """The phrases with words beyond these stems: they may name something that is not there.

    `entirely`: none of the phrase's words is known.
    """
    return [each for each in phrases(text) if (not stems(each) & {*known} if entirely else not stems(each) <= {*known})]


# Vocabularies: the names of a scene by their kind ---------------------------------------------------------------------


def all_names(vocabulary: Mapping[str, Sequence[str]]) -> list[str]:
    """Everything that has a name here, once."""
    return list(dict.fromkeys(name for names in vocabulary.values() for name in names))


def restrict_vocabulary(vocabulary: Mapping[str, Sequence[str]], names: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The vocabulary restricted to these things."""
    return {kind: tuple(name for name in known if name in names) for kind, known in vocabulary.items()}


def one_of_each_kind(names: Iterable[str], preferred: Collection[str]) -> dict[str, str]:
    """The thing each unnumbered name stands for: the preferred one of its kind, or else the first."""
    found: dict[str, str] = {}
    for name in names:
        kind = without_number(name)
        if kind not in found or (name in preferred and found[kind] not in preferred):
            found[kind] = name
    return found


# How text is compared -------------------------------------------------------------------------------------------------


def _first_said(text: str, forms: Iterable[str]) -> dict[str, int]:
    """The forms that occur in a text, with their first position; a longer form hides the shorter ones inside it."""
    whole = rest = _spaced(text)
    spaced = {form: _spaced(form) for form in forms}
    where: dict[str, int] = {}
    for each in sorted(dict.fromkeys(spaced.values()), key=len, reverse=True):
        if each.strip() and each in rest:
            where[each] = whole.find(each)
            rest = rest.replace(each, " | ")
    return {form: where[each] for form, each in spaced.items() if each in where}


@lru_cache(maxsize=4096)  # the names of a scene are compared with every text
def _spaced(text: str) -> str:
    words = re.findall(r"[^\W_]+", text.lower())
    return f" {' '.join(words)} "


def _plurals(kind: str) -> list[str]:
    return [f"{kind}s", f"{kind}es", kind]


@lru_cache(maxsize=4096)
def _roots(text: str) -> tuple[str, ...]:
    return tuple(word.removesuffix("s") for word in re.findall(r"[\w-]+", re.sub("['’]", "", text.lower())))


def _one_of(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True))) or "(?!)"

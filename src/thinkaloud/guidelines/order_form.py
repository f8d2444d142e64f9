"""What a made-up request asks for, in a short notation, and what that means under the guidelines.

Only a teacher uses this notation; no model sees it.

    Boba milk + taro - milk        an option, with something and without something
    + kiwi, rolled oats            something of one's own
    + 2 fork, 1 plate, rose soap   things to be dealt with, counted, and the material for them
    same - cherry + lime           what was ordered before, changed; `same = 3 plate` says how many
    Boba milk; 2 Pure milk         several orders
    none                           nothing that the guidelines are about

`skip` leaves out steps of an option.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from thinkaloud.errors import Unparseable
from thinkaloud.guidelines import Guidelines, Recipe
from thinkaloud.language.name_matching import names_in, resolve_name, unknown_phrases
from thinkaloud.language.words import NUMBERS, is_blank, phrases, read_number, singular, stems

SAME_AS_BEFORE_WORD, NO_MATERIAL_WORD, SKIP_WORD = "same", "none", "skip"
_COUNTED = re.compile(r"(\d+)\s+(.+)")
_MANY = "|".join([*NUMBERS, r"\d+", "an?", "all the", "all"])
_NO_NOUN = "and|with|in|on|there|for|or|when|that|which|using|from|if|of|to|by"
_IN_NAME = re.compile(rf"\b(?:{_MANY})\s+(?P<noun>[^\W\d_]+(?:[ -](?!(?:{_NO_NOUN})\b)[^\W\d_]+)*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Order:
    """One order as written: the options it starts from, and its changes; a count of 0 stands for material."""

    options: tuple[str, ...] = ()
    same: bool = False
    times: int = 1
    plus: tuple[tuple[int, str], ...] = ()
    minus: tuple[str, ...] = ()
    exactly: tuple[tuple[int, str], ...] = ()
    skip: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Want:
    """What to make: by which recipe, with which material, for which things, and without which steps."""

    recipe: str = ""
    material: tuple[str, ...] = ()
    things: tuple[tuple[str, int], ...] = ()
    skip: tuple[str, ...] = ()


# What can be ordered --------------------------------------------------------------------------------------------------


def things_of(recipe: Recipe) -> dict[str, int]:
    """Return the things that a recipe's name counts and its steps are about, by their singular names: {"plate": 2}."""
    found: dict[str, int] = {}
    for match in _IN_NAME.finditer(recipe.name):
        if words := _in_steps(match["noun"].lower(), " ".join(recipe.steps)):
            found[words] = max(found.get(words, 0), read_number(match[0].split()[0]))
    return {name: count for name, count in found.items() if not _names_material(name, recipe)}


def _in_steps(noun: str, steps: str) -> str:
    """Return a noun in the singular, as the steps say it; its first words may be missing there."""
    while noun:
        for form in (singular(noun), noun, noun.removesuffix("es")):
            if re.search(rf"\b{re.escape(form)}\b", steps, re.IGNORECASE):
                return form
        noun = noun.partition(" ")[2]
    return ""


def _names_material(name: str, recipe: Recipe) -> bool:
    return any(stems(name) <= stems(each) for each in recipe.material)


def all_things(guidelines: Guidelines) -> list[str]:
    """Return what can be handled: what the recipes count and, if they count, what the locations are for."""
    counted = [name for recipe in guidelines.recipes for name in things_of(recipe)]
    if not counted:
        return []
    names = places(guidelines)
    meant = [each for line in guidelines.locations for each in phrases(_rest(line, names))]
    whole = [each for each in meant if not any(f" {each} " in f" {other} " for other in meant if other != each)]
    whole = [each for each in whole if not {each, each.removesuffix("s"), each.removesuffix("es")} & {*counted}]
    return list(dict.fromkeys([*counted, *map(singular, whole)]))


def places(guidelines: Guidelines) -> list[str]:
    """Return the names of the locations: the part before what they are for."""
    names = (re.split(r"\s+(?:for|is|are|where|holds|with|-)\s|[:(,]", line)[0] for line in guidelines.locations)
    return [name.strip() for name in names if name.strip()]


def _rest(line: str, names: Iterable[str]) -> str:
    """Return what a location is for."""
    return next((line[len(name) :] for name in names if line.startswith(name)), line)


def all_material(guidelines: Guidelines) -> list[str]:
    """Return what is available, and what the recipes need."""
    listed = (name for recipe in guidelines.recipes for name in recipe.material)
    return list(dict.fromkeys([*guidelines.available, *listed]))


def find_material(text: str, guidelines: Guidelines) -> list[str]:
    """Return the material that a text names, in full or by a word that is in the name of no other."""
    known = all_material(guidelines)
    found = names_in(text, known)
    rest = stems(text) - {word for name in found for word in stems(name)}
    return [*found, *dict.fromkeys(name for word in sorted(rest) if (name := resolve_name(word, known)) in known)]


def shared_material(guidelines: Guidelines) -> list[str]:
    """Return the material that every option needs."""
    first, *others = guidelines.recipes
    return [name for name in first.material if all(name in recipe.material for recipe in others)]


def default_material(guidelines: Guidelines) -> list[str]:
    """Return the material used by default: that of options whose names do not mention it."""
    shared = set.intersection(*map(stems, all_material(guidelines) or [""]))  # detergent, if all are detergents
    named = [r for r in guidelines.recipes if not any((stems(m) - shared) & stems(r.name) for m in r.material)]
    return list(named[0].material) if named and len(named) < len(guidelines.recipes) else []


# Reading the notation -------------------------------------------------------------------------------------------------


def unknown_in(said: str, guidelines: Guidelines) -> list[str]:
    """Return the parts that are not just words of known names: they may be things that do not exist here."""
    known = [*guidelines.options, *all_material(guidelines), *all_things(guidelines)]
    return unknown_phrases(said, stems(" ".join(known)))


def read_order(text: str, guidelines: Guidelines) -> list[Order]:
    """Parse the orders in the short notation; `none` gives no orders. Unparseable if it says nothing."""
    said = text.strip()
    if is_blank(said):
        raise Unparseable(f"This orders nothing; name one of the options, or say {NO_MATERIAL_WORD}.", text)
    return (
        []
        if said.lower() == NO_MATERIAL_WORD
        else [_read(part, guidelines) for part in said.split(";") if part.strip()]
    )


def _read(text: str, guidelines: Guidelines) -> Order:
    """Parse one order. Option names may contain any sign, so they are removed first."""
    rest, options, times, same = f" {text.strip()}", list[str](), 1, False
    if found := re.match(rf" {SAME_AS_BEFORE_WORD}(?= |$)", rest):
        rest, same = rest[found.end() :], True
    elif (found := re.match(r" ([1-9]\d?)(?= )", rest)) and _option_at(rest[found.end() + 1 :], guidelines):
        rest, times = rest[found.end() :], int(found[1])
    while not same and (name := _option_at(rest.removeprefix(" &").lstrip(), guidelines)):
        options.append(name)
        rest = rest.removeprefix(" &").lstrip()[len(name) :]
        if not rest.startswith(" & "):
            break
    signs = {"+": list[str](), "-": list[str](), "=": list[str](), SKIP_WORD: list[str]()}
    parts = re.split(rf" (\+|-|=|{SKIP_WORD})(?= )", rest)
    if parts[0].strip():
        raise Unparseable(f"{parts[0].strip()!r} is none of the options: {', '.join(guidelines.options)}.", text)
    for sign, words in zip(parts[1::2], parts[2::2], strict=False):
        signs[sign] += (
            [words.strip()] if sign == SKIP_WORD else [name.strip() for name in words.split(",") if name.strip()]
        )
    plus, exactly = (tuple(_counted(name) for name in signs[sign]) for sign in "+=")
    return Order(tuple(options), same, times, plus, tuple(signs["-"]), exactly, tuple(signs[SKIP_WORD]))


def _option_at(text: str, guidelines: Guidelines) -> str:
    """Return the longest option that a text begins with."""
    found = [name for name in guidelines.options if re.match(rf"{re.escape(name)}(?= |$)", text)]
    return max(found, key=len, default="")


def _counted(text: str) -> tuple[int, str]:
    found = _COUNTED.fullmatch(text)
    return (int(found[1]), found[2]) if found else (0, text)


# The meaning ----------------------------------------------------------------------------------------------------------


def work_out(
    orders: Sequence[Order],
    guidelines: Guidelines,
    earlier: Sequence[Want] = (),
    every: Sequence[str] = (),
    default: Sequence[str] = (),
) -> list[Want]:
    """Return what the orders ask for. `every` is in everything; `default` is used if nothing is said."""
    found: list[Want] = []
    for order in orders:
        if order.same:
            found += [*earlier[:-1], _changed(earlier[-1] if earlier else Want(), order, guidelines)]
        else:
            found += [_begun(order, guidelines, every, default)] * order.times
    return found


def _begun(order: Order, guidelines: Guidelines, every: Sequence[str], default: Sequence[str]) -> Want:
    recipes = [recipe for name in order.options for recipe in guidelines.recipes if recipe.name == name]
    material = [name for recipe in recipes for name in recipe.material] or [*shared_material(guidelines), *every]
    things: dict[str, int] = {}
    for recipe in recipes:
        for name, count in things_of(recipe).items():
            things[name] = things.get(name, 0) + count
    start = Want(order.options[0] if order.options else "", tuple(dict.fromkeys(material)), tuple(things.items()))
    want = _changed(start, order, guidelines)
    if want.things and not want.material:
        want = replace(want, material=tuple(default) or tuple(default_material(guidelines)))
    return want


def _changed(want: Want, order: Order, guidelines: Guidelines) -> Want:
    known, kinds = all_material(guidelines), all_things(guidelines)
    material, things = list(want.material), dict(want.things)
    more = [resolve_name(name, known) for count, name in order.plus if not count]
    if more and kinds and len(more) == 1:  # things are treated with one material: a new one replaces it
        material = [name for name in material if name in shared_material(guidelines)]
    material += more
    for count, name in order.plus:
        if count:
            kind = resolve_name(singular(name), kinds)
            things[kind] = things.get(kind, 0) + count
    for count, name in order.exactly:
        things[resolve_name(singular(name), kinds)] = count
    said = {name for _, name in order.plus}
    minus = [name for name in order.minus if name not in said]  # a thing cannot be left out of its own order
    refused = {resolve_name(name, material) for name in minus} | {resolve_name(singular(name), kinds) for name in minus}
    return Want(
        want.recipe,
        tuple(name for name in dict.fromkeys(material) if name not in refused),
        tuple((name, count) for name, count in things.items() if name not in refused and count > 0),
        (*want.skip, *order.skip),
    )

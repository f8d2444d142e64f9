"""Guidelines for practice: a menu, what there is of material, what is in everything, and the steps of each option."""

from __future__ import annotations

import re
from dataclasses import dataclass

from thinkaloud.guidelines import Guidelines, Recipe
from thinkaloud.language.words import NUMBERS, singular, stems
from training.demonstrators.itp.drawing import Rng, between, chance, made_up, one, some
from training.demonstrators.itp.shops import FANCY, PLANTS, TRADES, TREATS, Plant, Trade


@dataclass(frozen=True)
class Shop:
    """Something can be ordered here. `layers` are the sorts of material that go in one after the other."""

    guidelines: Guidelines
    noun: str
    other: str
    vessel: str
    base: tuple[str, ...]
    layers: tuple[tuple[str, ...], ...]
    fancy: tuple[str, ...]
    """The options whose names do not say what is in them."""
    lacking: tuple[str, ...] = ()
    """What others of the trade have, and this shop has not."""

    @property
    def free(self) -> list[str]:
        """What people choose from."""
        return [name for layer in self.layers for name in layer if name not in self.base]

    def material(self, option: str) -> tuple[str, ...]:
        """What an option is made of."""
        return next(recipe.material for recipe in self.guidelines.recipes if recipe.name == option)


@dataclass(frozen=True)
class Works:
    """Things are put through something here."""

    guidelines: Guidelines
    plant: Plant
    kinds: tuple[str, ...]
    additives: tuple[str, ...]
    hidden: str = ""
    """One of the kinds, where the guidelines do not name it."""


def plural(words: str) -> str:
    """More than one of it."""
    if re.search(r"(s|x|z|ch|sh)$", words):
        return words + "es"
    return words[:-1] + "ies" if re.search(r"[^aeiou]y$", words) else words + "s"


def article(words: str) -> str:
    """With `a` or `an`."""
    return f"{'an' if words[:1].lower() in 'aeiou' else 'a'} {words}"


def listed(rng: Rng, names: list[str]) -> str:
    """Names in a row, as people join them."""
    if len(names) == 1:
        return names[0]
    last = one(rng, (" and ", " and ", " and ", ", ", " & ", " plus ", ", and ", " + ", " as well as "))
    if chance(rng, 0.06):
        return " and ".join(names)
    return ", ".join(names[:-1]) + last + names[-1]


def short(rng: Rng, name: str, known: list[str], rate: float = 0.3) -> str:
    """A material as people call it: sometimes only by a word of it that no other has, in one or as several."""
    if not chance(rng, rate):
        return name
    words = name.split()
    if len(words) > 1:
        for cut in (" ".join(words[:-1]), words[0], words[-1]):
            mine = stems(cut)
            if len(cut) > 2 and mine and sum(mine <= stems(other) for other in known) == 1:
                return cut
    one_ = singular(name)
    return one_ if one_ != name and chance(rng, 0.5) else name


def _made_up_trade(rng: Rng) -> Trade:
    """A trade that nobody has heard of, so that names have to be copied."""
    ends = ("powder", "oil", "chips", "paste", "cubes", "ring", "rod", "leaf", "syrup", "salt", "plate", "bead", "foam")
    names = [f"{made_up(rng)} {one(rng, ends)}" if chance(rng, 0.6) else made_up(rng) for _ in range(15)]
    names = list(dict.fromkeys(names))
    sorts = tuple(
        tuple(names[at * 5 :][: between(rng, 2, 5)]) for at in range(min(between(rng, 1, 3), len(names) // 5))
    )
    noun = one(rng, ("pack", "blend", "set", "mix", made_up(rng), made_up(rng)))
    return Trade(noun, noun, one(rng, ("tray", "box", "jar", "tub")), sorts)


def draw_shop(rng: Rng, after_base: float = 0.0) -> Shop:
    """A shop of a trade, with a menu; `after_base`: how often all is named after what is in all of it."""
    while True:
        trade = _made_up_trade(rng) if chance(rng, 0.15) else one(rng, TRADES)
        if chance(rng, 0.12):  # other material in the same trade
            extra = tuple(some(rng, TREATS, between(rng, 2, 4)))
            trade = Trade(trade.noun, trade.other, trade.vessel, (*trade.sorts[:-1], (*trade.sorts[-1], *extra)))
        if shop := _shop(rng, trade, after_base):
            return shop


def _shop(rng: Rng, trade: Trade, after_base: float) -> Shop | None:
    base: list[str] = []
    layers: list[tuple[str, ...]] = []
    for at, sort in enumerate(trade.sorts):
        if len(trade.sorts) > 1 and len(sort) < 4 and at in (0, len(trade.sorts) - 1) and chance(rng, 0.7):
            layers.append((one(rng, sort),))
            base += layers[-1]
        else:
            layers.append(tuple(some(rng, sort, between(rng, min(2, len(sort)), min(7, len(sort))))))
    free = [name for layer in layers for name in layer if name not in base]
    if len({*free, *base}) < len(free) + len(base) or len(free) < 3:
        return None
    if after_base and len(base) == 1 and chance(rng, after_base):
        trade = Trade(base[0], base[0], trade.vessel, trade.sorts)
    options: dict[str, tuple[str, ...]] = {}
    fancy: list[str] = []
    for _ in range(between(rng, 2, 4)):
        chosen = some(rng, free, between(rng, 1, min(4, len(free))))
        name = _told(rng, trade.noun, chosen) if chance(rng, 0.45) else one(rng, FANCY)
        if name in FANCY:
            name = f"The {name}" if chance(rng, 0.2) else f"{name} {trade.noun}" if chance(rng, 0.2) else name
            fancy.append(name)
        if base and chance(rng, 0.15):
            name, chosen = f"{one(rng, ('Plain', 'Pure', 'Simple'))} {trade.noun}", []
        material = tuple(each for layer in layers for each in layer if each in chosen or each in base)
        if material and material not in options.values():
            options[name] = material
    fancy = [name for name in fancy if name in options]
    shared = [name for name in free if all(name in material for material in options.values())]
    if len(options) < 2 or shared:
        return None
    last = some(rng, DEEDS, between(rng, 0, 2))
    recipes = tuple(Recipe(name, m, _steps(trade.vessel, m, last)) for name, m in options.items())
    available = [name for layer in layers for name in layer]
    available = some(rng, available, len(available))
    guidelines = Guidelines("practice", "", tuple(options), recipes, tuple(available))
    lacking = tuple(name for sort in trade.sorts for name in sort if name not in available)
    return Shop(guidelines, trade.noun, trade.other, trade.vessel, tuple(base), tuple(layers), tuple(fancy), lacking)


def _told(rng: Rng, noun: str, chosen: list[str]) -> str:
    if len(chosen) == 1 and chance(rng, 0.6):
        return f"{chosen[0].split()[0]} {noun}".capitalize()
    join = " and ".join(chosen[:2])
    return f"{noun} with {join}".capitalize() if len(chosen) < 3 else f"{chosen[0]} {chosen[1]} {noun}".capitalize()


DEEDS = (
    "shake",
    "seal",
    "wipe",
    "label",
    "wrap",
    "weigh",
    "stir",
    "press",
    "fold",
    "tie up",
    "sign",
    "stamp",
    "inspect",
)
"""What is done with something in the end, besides."""


def _steps(vessel: str, material: tuple[str, ...], deeds: list[str]) -> tuple[str, ...]:
    adding = (f"add {name} to the {vessel}" for name in material)
    return (f"fetch a new {vessel}", *adding, *(f"{deed} the {vessel}" for deed in deeds), f"hand over the {vessel}")


def draw_works(rng: Rng) -> Works:
    """A machine with a menu of what is usually done there."""
    while True:
        plant = one(rng, PLANTS)
        kinds = [kind for kind in plant.kinds if singular(plural(kind)) == kind]
        if len(kinds) < 3:
            continue
        kinds = some(rng, kinds, between(rng, 3, len(kinds)))
        additives = some(rng, plant.additives, between(rng, 2, len(plant.additives)))
        verb = plant.verb.capitalize()
        first, second = kinds[0], one(rng, kinds[1:])
        count = between(rng, 2, 4)
        special, usual = additives[0], additives[1]
        hidden = kinds.pop() if len(kinds) > 3 and chance(rng, 0.4) else ""
        names = [
            one(
                rng,
                (
                    f"{verb} one {first} with {special}",
                    f"{verb} {article(first)} using {special}",
                    f"{verb} one {first} in {special}",
                ),
            ),
            one(
                rng,
                (
                    f"{verb} {NUMBERS[count - 1]} {plural(second)}",
                    f"{verb} all the {plural(second)} when there are {NUMBERS[count - 1]} {plural(second)}",
                ),
            ),
        ]
        if len(kinds) > 2 and chance(rng, 0.7):
            names.append(f"{verb} one {one(rng, kinds[1:])} and one {first}")
        used = [first, second, *kinds]
        recipes = tuple(
            Recipe(name, (special if at == 0 else usual,), tuple(f"take the {kind}" for kind in used))
            for at, name in enumerate(names)
        )
        places = some(rng, plant.compartments, len(plant.compartments))
        homes = [[kind for at, kind in enumerate(kinds) if at % len(places) == n] for n in range(len(places))]
        rest = f" and {one(rng, ('other', 'small', 'large', 'special', 'rare'))} {plural(plant.item)}" if hidden else ""
        locations = tuple(
            f"{place} for {' and '.join(plural(kind) for kind in home)}{rest if not at else ''}" if home else place
            for at, (place, home) in enumerate(zip(places, homes, strict=True))
        )
        guidelines = Guidelines("practice", "", tuple(names), recipes, tuple(additives), locations)
        every = (*kinds, hidden) if hidden else tuple(kinds)
        return Works(guidelines, plant, every, tuple(additives), hidden)

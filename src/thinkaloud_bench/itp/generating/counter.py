"""Guidelines for a counter, drawn at random: a menu, the words for it, and what orders mean by it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from thinkaloud_bench.itp.episodes import CounterOrder
from thinkaloud_bench.itp.generating.speech import SORTS, capitalise, fill_carefully, join_carefully, shorten_name
from thinkaloud_bench.itp.generating.themes import CounterTheme, Group
from thinkaloud_bench.phrases import load_table


class _Words(msgspec.Struct, frozen=True):
    """How people write guidelines for a counter; see counter_guidelines.toml."""

    locations: tuple[tuple[str, ...], ...]
    lines: dict[str, tuple[str, ...]]
    add: dict[str, tuple[str, ...]]
    places: dict[str, dict[str, tuple[str, ...]]]


_WORDS = load_table("thinkaloud_bench.itp.generating", "counter_guidelines", _Words)
_CONTAINERS = {"solid": ("tub", 20.0), "thing": ("tub", 18.0), "powder": ("jar", 12.0), "liquid": ("bottle", 22.0)}
_BASE_AMOUNT = {"solid": 40.0, "thing": 30.0, "powder": 30.0, "liquid": 70.0}
"""What a portion is, in millilitres: even the largest order stays below the brim of a vessel."""


@dataclass(frozen=True, slots=True)
class Option:
    """One entry of the menu; `told` if its name says what is in it."""

    name: str
    materials: frozenset[str]
    told: bool

    @property
    def spoken(self) -> str:
        """The name within a sentence."""
        name = self.name.removeprefix("The ")
        return name[:1].lower() + name[1:] if self.told else name


@dataclass(frozen=True, slots=True)
class DrawnCounter:
    """One counter: what it has, what it makes of that, and how its guidelines put it."""

    theme: CounterTheme
    layers: tuple[tuple[str, ...], ...]
    base: frozenset[str]
    options: tuple[Option, ...]
    lacking: tuple[str, ...]
    places: dict[str, str]
    says: dict[str, str]
    text: str
    scene: str
    gone: str | None = None

    @property
    def free(self) -> list[str]:
        """What customers choose from."""
        return [name for layer in self.layers for name in layer if name not in self.base]

    def order(self, materials: Iterable[str]) -> CounterOrder:
        """The order for these materials and what is in everything."""
        wanted = self.base | {*materials}
        layers = (tuple(name for name in layer if name in wanted) for layer in self.layers)
        return CounterOrder(tuple(layer for layer in layers if layer))

    def call(self, rng: random.Random, name: str) -> str:
        """A material as customers call it."""
        return shorten_name(name, self._all) if rng.random() < 0.35 else name

    def compound(self, names: Sequence[str]) -> list[str] | None:
        """Names that can stand before the noun (cherry lime soda), or None where nobody would speak so."""
        words = [shorten_name(name, self._all) for name in names]
        things = {name for group in self.theme.groups if group.manner == "thing" for name in group.materials}
        fit = all(
            " " not in word and not word.endswith("s") and name not in things
            for word, name in zip(words, names, strict=True)
        )
        return words if fit and len(words) <= 3 else None

    @property
    def _all(self) -> list[str]:
        return [name for group in self.theme.groups for name in group.materials]


def draw_counter(rng: random.Random, theme: CounterTheme, *, sold_out: bool) -> DrawnCounter:
    """A counter of a theme; `sold_out`: something that an option needs is not available."""
    have, base = _stock(rng, theme)
    layers = tuple(
        names
        for level in sorted({group.layer for group in theme.groups})
        if (names := tuple(name for group in theme.groups if group.layer == level for name in have[group.label]))
    )
    manners = {name: group.manner for group in theme.groups for name in group.materials}
    there = [name for layer in layers for name in layer]
    draft = DrawnCounter(theme, layers, base, (), (), _places(rng, theme), {}, "", "")
    options = _menu(rng, draft)
    gone = _missed(rng, options) if sold_out else None
    there = [name for name in there if name != gone]
    says = _says(rng, draft, manners)
    return replace(
        draft,
        layers=tuple(left for layer in layers if (left := tuple(name for name in layer if name in there))),
        options=options,
        lacking=tuple(name for name in _lacking(theme, there) if name != gone),
        says={key: said for key, said in says.items() if not key.startswith("add ") or key[4:] in there},
        text=_text(rng, draft, options, says, there),
        scene=_scene(rng, draft, manners, there),
        gone=gone,
    )


def _missed(rng: random.Random, options: Sequence[Option]) -> str:
    """Something that an option needs and others do not."""
    shared = frozenset.intersection(*(option.materials for option in options))
    return rng.choice(sorted(max(options, key=lambda option: len(option.materials)).materials - shared))


def _stock(rng: random.Random, theme: CounterTheme) -> tuple[dict[str, tuple[str, ...]], frozenset[str]]:
    """What is available of each group, and what is in everything."""
    have: dict[str, tuple[str, ...]] = {}
    base: set[str] = set()
    several = sum(group.share == "some" for group in theme.groups)
    for group in theme.groups:
        if group.share == "always":
            have[group.label] = (rng.choice(group.materials),)
            base |= {*have[group.label]}
        else:
            have[group.label] = tuple(_apart(rng, group, _amount(rng, group, several)))
    return have, frozenset(base)


def _amount(rng: random.Random, group: Group, several: int) -> int:
    if group.share == "one":
        return 2
    least, most = (5, 8) if several == 1 else (3, 5)
    return min(rng.randint(least, most), len(group.materials) - 1)


def _apart(rng: random.Random, group: Group, count: int) -> list[str]:
    """Materials of a group of which no two could be taken for each other."""
    chosen: list[str] = []
    for name in rng.sample(group.materials, len(group.materials)):
        if len(chosen) < count and not any({*name.split()[:1]} & {*other.split()[:1]} for other in chosen):
            chosen.append(name)
    return chosen


def _lacking(theme: CounterTheme, there: Sequence[str]) -> tuple[str, ...]:
    """What a customer may think of and is not there, not even under a similar name."""
    known = {word for name in there for word in name.split()} - SORTS
    choices = [name for group in theme.groups if group.share != "always" for name in group.materials]
    return tuple(name for name in choices if name not in there and not {*name.split()} & known)


def _places(rng: random.Random, theme: CounterTheme) -> dict[str, str]:
    """The names of the four places; no two of them the same."""
    return {role: rng.choice(names).format(v=theme.vessel) for role, names in _WORDS.places[theme.setting].items()}


def _menu(rng: random.Random, counter: DrawnCounter) -> tuple[Option, ...]:
    """Three or four options; nothing but the base is in all of them, and at least two have names of their own."""
    noun, extras = counter.theme.noun, counter.free
    options: list[Option] = []
    if counter.base and rng.random() < 0.5:
        options.append(Option(rng.choice(_WORDS.lines["plain"]).format(noun=noun), counter.base, True))
    for name in rng.sample(counter.theme.fancy, 2):
        materials = frozenset(rng.sample(extras, rng.randint(2, min(4, len(extras) - 2))))
        title = rng.choice(_WORDS.lines["named"]).format(Fancy=name, noun=noun)
        options.append(Option(title, counter.base | materials, False))
    while len(options) < rng.choice((3, 3, 4)):
        names = rng.sample(extras, 1 if rng.random() < 0.6 else 2)
        options.append(_told(rng, counter, names))
    shared = frozenset.intersection(*(option.materials for option in options))
    distinct = {option.materials for option in options}
    if shared != counter.base or len(distinct) < len(options) or len({o.name for o in options}) < len(options):
        return _menu(rng, counter)
    return tuple(rng.sample(options, len(options)) if rng.random() < 0.5 else options)


def _told(rng: random.Random, counter: DrawnCounter, names: list[str]) -> Option:
    words, noun = counter.compound(names), counter.theme.noun
    if words and rng.random() < 0.8:
        title = f"{capitalise(' '.join(words))} {noun}"
    else:
        title = f"{capitalise(noun)} with {' and '.join(names)}"
    return Option(title, counter.base | {*names}, True)


def _says(rng: random.Random, counter: DrawnCounter, manners: Mapping[str, str]) -> dict[str, str]:
    """The sentence for each kind of step, all by one author."""
    words = {"v": counter.theme.vessel, "noun": counter.theme.noun, **counter.places}
    words["it"] = rng.choice(_WORDS.lines["vessel"]).format(**words)
    keys = (("get", _WORDS.lines["get"]), ("discard", _WORDS.lines["discard"]), ("finish", _WORDS.lines["finish"]))
    says = {key: rng.choice(choices).format(**words) for key, choices in keys}
    adding = {manner: rng.choice(choices) for manner, choices in _WORDS.add.items()}
    for name in (name for layer in counter.layers for name in layer):
        says[f"add {name}"] = adding[manners[name]].format(x=name, **words)
    return says


def _text(
    rng: random.Random, counter: DrawnCounter, options: Sequence[Option], says: dict[str, str], there: Sequence[str]
) -> str:
    lines = [f"Options: {', '.join(option.name for option in options)}", "Instructions:"]
    for option in options:
        order = [name for layer in counter.order(option.materials).layers for name in rng.sample(layer, len(layer))]
        steps = [says["get"], *(says[f"add {name}"] for name in order), says["finish"]]
        lines += [option.name, f"Material: {', '.join(order)}", "Steps:"]
        lines += [*(f"{number}) {step}" for number, step in enumerate(steps)), ""]
    lines += ["Rules:", *(f"* {rule}" for rule in _rules(rng, counter, says, there))]
    words = {"v": counter.theme.vessel, "noun": counter.theme.noun, **counter.places}
    lines += ["Available location we have now:"]
    lines += [f"* {line.format(**words)}" for line in rng.choice(_WORDS.locations)]
    available = ", ".join(rng.sample(there, len(there)))
    return "\n".join([*lines, f"Available material we have now: {available}", ""])


def _rules(rng: random.Random, counter: DrawnCounter, says: dict[str, str], there: Sequence[str]) -> list[str]:
    """What has to be known besides the recipes: the order of filling, what is in everything, when to begin again."""
    words = {"v": counter.theme.vessel, "noun": counter.theme.noun, **counter.places}
    rules = [_sequence(rng, counter, there, words)]
    if counter.base and rng.random() < 0.75:
        base = join_carefully(sorted(counter.base))
        rules.append(fill_carefully(rng.choice(_WORDS.lines["every"]), base=base, **words))
    it = (
        "the working {v}".format(**words)
        if "the working" in says["discard"]
        else "the {v} at the {work}".format(**words)
    )
    rules.append(rng.choice(_WORDS.lines["again"]).format(it=it, discard=says["discard"], **words))
    if rng.random() < 0.5:
        rules.append(rng.choice(_WORDS.lines["only"]))
    rules += [rule.format(**words) for rule in rng.sample(_WORDS.lines["chatter"], rng.choice((0, 0, 1, 2)))]
    return rng.sample(rules, len(rules))


def _sequence(rng: random.Random, counter: DrawnCounter, there: Sequence[str], words: dict[str, str]) -> str:
    """The rule about what goes in before what."""
    layers = [left for layer in counter.layers if (left := [name for name in layer if name in there])]
    if len(layers) == 1:
        return rng.choice(_WORDS.lines["free"]).format(**words)
    if len(layers) == 2 and {*layers[1]} <= counter.base:
        return fill_carefully(rng.choice(_WORDS.lines["last"]), c=join_carefully(layers[1]), **words)
    if len(layers) == 2 and {*layers[0]} <= counter.base:
        return fill_carefully(rng.choice(_WORDS.lines["first"]), a=join_carefully(layers[0]), **words)
    if len(layers) == 2:
        first, second = (join_carefully(layer) for layer in layers)
        return fill_carefully(rng.choice(_WORDS.lines["before"]), a=first, b=second, **words)
    arrow = rng.choice((" > ", " -> ", "; then ", ", after that "))
    slash = ", " if ">" in arrow or ";" in arrow else " or "
    return fill_carefully(
        rng.choice(_WORDS.lines["layers"]), layers=arrow.join(slash.join(layer) for layer in layers), **words
    )


def _scene(rng: random.Random, counter: DrawnCounter, manners: Mapping[str, str], there: Sequence[str]) -> str:
    """The scene of the world `drinks` in which these guidelines hold."""
    ingredients = []
    for name in there:
        container, amount = _CONTAINERS[manners[name]]
        amount = _BASE_AMOUNT[manners[name]] if name in counter.base else amount
        ingredients.append({"name": name, "container": container, "amount": amount})
    scene = {
        "vessel": counter.theme.vessel,
        "vessels": rng.randint(4, 6),
        "places": counter.places,
        "ingredients": rng.sample(ingredients, len(ingredients)),
    }
    return msgspec.json.encode(scene).decode()

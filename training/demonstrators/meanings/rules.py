"""Rules of guidelines, one line at a time, as calls; and where things belong that the guidelines do not name."""

from __future__ import annotations

from collections.abc import Iterator

from thinkaloud.guidelines import Guidelines, Recipe
from thinkaloud.guidelines.rules import (
    home_grammar,
    read_home,
    read_rule,
    render_home,
    render_rule,
    rule_grammar,
)
from thinkaloud.models.gbnf import accepts
from training.demonstrators.itp import ruling
from training.demonstrators.itp.drawing import Rng, chance, one, some
from training.demonstrators.itp.menus import DEEDS, Shop, draw_shop, plural
from training.demonstrators.meanings.common import quote
from training.heldout import violations
from training.samples import Sample
from training.teacher import Misfit

END = "\n\n"
FAMILY = "meaning.rules"
_MORE = 5
_SIGNS = (
    " > ",
    " -> ",
    " then ",
    "; then ",
    ", afterwards ",
    " >> ",
    " before ",
    " | ",
    "; after that ",
    ", after that ",
    ", next ",
)
_LEADS = (
    "Order of things: ",
    "In this order: ",
    "Sequence: ",
    "From the inside to the outside: ",
    "Work through it in this order: ",
    "Always follow this order: ",
    "What goes in when: ",
    "",
)
_TAILS = (
    "",
    "",
    "",
    " Within a group the order is free.",
    " Among those of one sort it does not matter.",
    " (Skip what was not ordered.)",
)


class _Rules:
    """A shop's rules, each with what it means."""

    def __init__(self, rng: Rng, shop: Shop) -> None:
        self.rng, self.shop = rng, shop
        self.names = list(shop.guidelines.available)
        self.it = f"the {one(rng, ('{v}', '{v}', 'current {v}', '{v} at hand', 'working {v}')).format(v=shop.vessel)}"
        self.words = {
            "noun": shop.noun,
            "vessel": shop.vessel,
            "v": shop.vessel,
            "it": self.it,
            "bin": one(rng, ruling.BINS),
            "work": one(rng, ruling.WORKPLACES),
        }

    def draw(self) -> tuple[str, str]:
        """A rule, and the call that it is."""
        ways = (
            (self._ordered, 30),
            (self._end_or_begin, 20),
            (self._undo, 16),
            (self._harmless, 22),
            (self._named, 30),
            (self._deeds, 12),
        )
        weights = [weight for _, weight in ways]
        at = int(self.rng.choice(len(ways), p=[weight / sum(weights) for weight in weights]))
        text, call = ways[at][0]()
        return text[:1].upper() + text[1:], call

    def _filled(self, templates: str, **more: str) -> str:
        return one(self.rng, ruling.split(templates)).format(**{**self.words, **more})

    def _some(self, count: int) -> list[str]:
        return some(self.rng, self.names, count)

    def _end_or_begin(self) -> tuple[str, str]:
        names = self._some(1 if chance(self.rng, 0.8) else 2)
        word, templates = one(self.rng, (("first", ruling.FIRST), ("last", ruling.LAST)))
        return self._filled(templates, x=" and ".join(names)), f"{word}({quote(*names)})"

    def _ordered(self) -> tuple[str, str]:
        layers = [list(some(self.rng, layer, len(layer))) for layer in self.shop.layers]
        if len(layers) < 2:
            names = self._some(len(self.names))
            cut = 1 + int(self.rng.integers(len(names) - 1))
            layers = [names[:cut], names[cut:]]
        joined = [ruling.joined(self.rng, layer) for layer in layers]
        if len(layers) == 2 and chance(self.rng, 0.5):
            text = self._filled(ruling.BEFORE, a=joined[0], b=joined[1])
        elif len(layers) == 3 and chance(self.rng, 0.5):
            template = one(self.rng, ruling.whole_templates(ruling.TURNS))
            text = template.format(**self.words, **dict(zip("abc", joined, strict=True)))
        else:
            sign = one(self.rng, _SIGNS)
            between = one(self.rng, (", ", ", ", " or ", " and "))
            text = f"{one(self.rng, _LEADS)}{sign.join(between.join(layer) for layer in layers)}."
        return text + one(self.rng, _TAILS), f"sequence({', '.join(f'[{quote(*layer)}]' for layer in layers)})"

    def _undo(self) -> tuple[str, str]:
        if chance(self.rng, 0.1):
            (name,) = self._some(1)
            text = self._filled(ruling.TAKE_BACK, y=name)
            step = text.split(": ")[1].removesuffix(", and go on.").removesuffix(".")
            return text, f"undo({quote(step)})"
        plain = one(self.rng, ruling.split(ruling.DISCARD)).replace("the {vessel}", self.it, 1)
        step = plain.format(**self.words)
        (name,) = self._some(1)
        return self._filled(ruling.UNDO, d=step, x=name), f"undo({quote(step)})"

    def _harmless(self) -> tuple[str, str]:
        return self._filled(ruling.HARMLESS, x=self._some(1)[0]), "nothing()"

    def _named(self) -> tuple[str, str]:
        word, templates = one(
            self.rng,
            (
                ("every", ruling.EVERY),
                ("every", ruling.EVERY),
                ("default", ruling.DEFAULT),
                ("gone", ruling.SOLD_OUT),
                ("twice", ruling.TWICE),
                ("pair", ruling.PAIR),
                ("apart", ruling.APART),
            ),
        )
        if word in ("pair", "apart"):
            one_, other = self._some(2)
            return self._filled(templates, x=one_, y=other), f"{word}({quote(one_, other)})"
        (name,) = self._some(1)
        return self._filled(templates, x=name), f"{word}({quote(name)})"

    def _deeds(self) -> tuple[str, str]:
        deed = one(self.rng, DEEDS)
        step = f"{deed} {self.it}"
        if chance(self.rng, 0.5):
            return self._filled(ruling.FINALLY, deed=deed), f"end({quote(step)})"
        if chance(self.rng, 0.3):
            machine = one(self.rng, ("oven", "press", "mixer", "kiln", "boiler"))
            text = self._filled(ruling.IN_THE_END, deed=deed, m=machine)
            return text, f"end({quote(f'{deed} the {machine}')})"
        (name,) = self._some(1)
        return self._filled(ruling.AFTER, x=name, deed=deed), f"after({quote(name, step)})"


def samples(rng: Rng) -> Iterator[Sample]:
    """Rules of a shop, or where things belong."""
    yield from home_samples(rng) if chance(rng, 0.3) else rule_samples(rng)


def rule_samples(rng: Rng) -> Iterator[Sample]:
    """Some rules of one shop, each asked about by itself."""
    shop = draw_shop(rng, 0.3)
    rules = _Rules(rng, shop)
    for _ in range(_MORE):
        text, call = rules.draw()
        if violations(f"{text}\n{call}") or violations("\n".join(shop.guidelines.available)):
            continue
        if not accepts(rule_grammar(), call + END) or read_rule(call, text, shop.guidelines) is None:
            raise Misfit(f"{call!r} is no rule")
        yield Sample(FAMILY, ((render_rule(text, shop.guidelines), call + END),))


def home_samples(rng: Rng) -> Iterator[Sample]:
    """Where things belong, by what the places are for."""
    count = 2 + int(rng.integers(3))
    sorts = some(rng, list(ruling.SORTS), count)
    part, which = one(rng, ruling.PARTS), one(rng, ruling.WHICH)
    names = [f"{each} {part}" for each in some(rng, which, count)] if count <= len(which) else []
    lines, kinds = list[str](), list[list[str]]()
    for name, sort in zip(names, sorts, strict=False):
        things = some(rng, ruling.SORTS[sort], len(ruling.SORTS[sort]))
        shown = [plural(things[0])] if chance(rng, 0.6) else []
        lines.append(f"{name} for {' and '.join([*shown, sort])}")
        kinds.append(things[len(shown) :])
    guidelines = Guidelines("practice", "", ("All",), (Recipe("All", (), ("do it",)),), (), tuple(lines))
    for name, things in zip(names, kinds, strict=False):
        for kind in some(rng, things, min(2, len(things))):
            call = f"place({quote(name)})"
            if violations("\n".join([*lines, kind])):
                continue
            if not accepts(home_grammar(guidelines), call + END) or not read_home(call, guidelines):
                raise Misfit(f"{call!r} is no place")
            yield Sample(FAMILY, ((render_home(kind, guidelines), call + END),))

"""A counter with guidelines as somebody wrote them, and the plans that follow from them: what a good planner says."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from thinkaloud.guidelines import Guidelines, read_guidelines
from thinkaloud.guidelines.order_form import Want
from thinkaloud.language.words import in_a_row
from thinkaloud.methods.itp.planner_prompt import DECLINED, NOT_AVAILABLE, render_list
from training.demonstrators.itp import ruling
from training.demonstrators.itp.doing import ADD, DISCARD, DONE, FINISH, GET, PLACE_FOR, STACKS
from training.demonstrators.itp.drawing import Rng, between, chance, one, some
from training.demonstrators.itp.menus import DEEDS, Shop, draw_shop, plural

MIDDLE = 50
"""The rank of what may be used at any time between the first and the last."""


_CALLED = ("{v}", "{v}", "{v}", "current {v}", "present {v}", "prepared {v}", "{v} being filled", "{v} under way")
"""How the vessel is spoken of that is being filled."""


@dataclass
class Stand:
    """How things are said and done at a counter."""

    shop: Shop
    words: dict[str, str]
    """How the vessel and the places are called."""
    get: str
    finish: str
    discard: str
    adding: dict[str, str]
    """The line for each material."""
    deeds: tuple[str, ...] = ()
    """What is done in the end with everything."""
    special: tuple[str, str] = ("", "")
    """An option, and what is done with that alone."""
    ranks: dict[str, int] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)
    pairs: dict[str, str] = field(default_factory=dict)
    sold_out: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    twice: frozenset[str] = frozenset()
    take_back: str = ""
    """How one thing is taken out again, where that can be done."""
    always: str = ""
    rules: list[str] = field(default_factory=list)
    guidelines: Guidelines = field(init=False)

    # What is to be done -----------------------------------------------------------------------------------------------

    def material(self, want: Want) -> list[str]:
        """All that goes in, in the order in which it does."""
        names = list(want.material)
        names += [self.pairs[name] for name in names if name in self.pairs and self.pairs[name] not in names]
        return sorted(names, key=lambda name: self.ranks.get(name, MIDDLE))

    def whole(self, want: Want) -> list[str]:
        """All the steps for one order."""
        lines = [self.get]
        for name in self.material(want):
            lines += [self.adding[name]] * (2 if name in self.twice else 1)
            lines += [self.after[name]] if name in self.after else []
        skipped = {each.split(" the ")[0] for each in want.skip}
        deeds = [*self.deeds, *([self.special[1]] if want.recipe and want.recipe == self.special[0] else [])]
        lines += [line for line in deeds if not any(line.startswith(f"{deed} ") for deed in skipped)]
        return [*lines, *([self.always] if self.always else []), self.finish]

    def open_until(self, lines: Sequence[str]) -> int:
        """How many of these steps may be done when something is changed: all that put something in."""
        ends = [at for at, line in enumerate(lines) if line in (*self.deeds, self.special[1], self.always, self.finish)]
        return min(ends, default=len(lines))

    def inside(self, done: Sequence[str]) -> list[str]:
        """What is in, after these steps."""
        names = {line: name for name, line in self.adding.items()}
        found: list[str] = []
        for line in done:
            if line == self.discard and not self.take_back:
                found = []
            elif line in names:
                found.append(names[line])
            elif self.take_back:
                found = [name for name in found if line != self.take_back.format(y=name)]
        return list(dict.fromkeys(found))

    def scene(self, done: Sequence[str]) -> list[str]:
        """What is seen of that which has been done."""
        number = 1 + sum(line == self.discard for line in done)
        vessel = f"{self.words['v']} {number}"
        here = [f"{vessel} is at the {self.words['work']}"] if self.get in self.since(done) else []
        return [*here, *(f"There is {name} in {vessel}" for name in self.inside(done))]

    def since(self, done: Sequence[str]) -> list[str]:
        """What was done since all was given up the last time."""
        last = max((at + 1 for at, line in enumerate(done) if line == self.discard), default=0)
        return list(done[last:])

    def spoiled(self, want: Want, done: Sequence[str]) -> str:
        """Why what is done cannot become what is wanted; nothing if it can."""
        inside, wanted = self.inside(done), self.material(want)
        for name in inside:
            if name not in wanted:
                return f"{name} is not wanted"
        missing = [name for name in wanted if name not in inside]
        for name in missing:
            for other in inside:
                if self.ranks.get(name, MIDDLE) < self.ranks.get(other, MIDDLE):
                    return f"{name} has to come before {other}"
        return ""

    def left(self, want: Want, done: Sequence[str]) -> list[str]:
        """What is left of an order when so much is done."""
        whole, inside = self.whole(want), self.inside(done)
        if self.take_back:
            back = [self.take_back.format(y=name) for name in inside if name not in self.material(want)]
            return [*back, *_less(whole, done)]
        if done and self.spoiled(want, done):
            return [self.discard, *whole]
        return _less(whole, self.since(done))

    # What is said -----------------------------------------------------------------------------------------------------

    def answer(self, head: str, wants: Sequence[Want], done: Sequence[str], first: int) -> tuple[str, list[str]]:
        """What a good planner says, and the steps that it lists."""
        names = list(dict.fromkeys(name for want in wants for name in self.material(want)))
        listed = ", ".join(f"{name} ({self._there(name)})" for name in names)
        thought = f"Wanted: {f'{head}: ' if head else ''}{listed}."
        if gone := [name for name in names if self._there(name) != "available"]:
            return f"Thought: {thought}\n{NOT_AVAILABLE}: {', '.join(gone)}\n\n", []
        if self.apart and self.apart <= {*names}:
            both = in_a_row(sorted(self.apart))
            return f"Thought: {thought} The rules say no to both.\n{DECLINED}: {both} are not put together here\n\n", []
        thought += self._by_the_rules(names)
        lines = self.left(wants[0], done)
        thought += self._state(wants[0], done)
        for want in wants[1:]:
            lines += self.whole(want)
        return render_list(f"Thought: {thought}\nMaterial: {', '.join(names)}", lines, first), lines

    def _there(self, name: str) -> str:
        if name in self.sold_out:
            return "not available by the rules"
        return "not available" if self.guidelines.missing([name]) else "available"

    def _by_the_rules(self, names: Iterable[str]) -> str:
        told = [f"{name} twice" for name in names if name in self.twice]
        told += [f"after {name} {self.after[name]}" for name in names if name in self.after]
        told += [f"before the end {self.always}"] if self.always else []
        return f" By the rules: {'; '.join(told)}." if told else ""

    def _state(self, want: Want, done: Sequence[str]) -> str:
        if not done:
            return " All is left to do."
        if not self.since(done):
            return " Done: what was begun is given up. All is left to do."
        inside = self.inside(done)
        known = f" Done: {', '.join(inside) if inside else 'nothing is in yet'}."
        if self.take_back:
            return f"{known} The rest is left."
        why = self.spoiled(want, done)
        return f"{known} {why[:1].upper()}{why[1:]}: all begins anew." if why else f"{known} The rest is left."


def _less(whole: Sequence[str], done: Sequence[str]) -> list[str]:
    spare, left = Tally(done), list[str]()
    for line in whole:
        if spare[line] > 0:
            spare[line] -= 1
        else:
            left.append(line)
    return left


# Drawing one ----------------------------------------------------------------------------------------------------------


def draw_stand(rng: Rng) -> Stand:
    """A shop, and guidelines for it by somebody who has one way to say each thing."""
    while True:
        shop = draw_shop(rng, 0.5)
        v = shop.vessel
        words = {
            "v": v,
            "vs": plural(v),
            "stack": one(rng, STACKS).format(v=v),
            "work": one(rng, ruling.WORKPLACES),
            "done": one(rng, DONE),
            "bin": one(rng, ruling.BINS),
        }
        if len({*words.values()}) == len(words):
            break
    it = f"the {one(rng, _CALLED).format(v=v)}"

    def said(templates: Sequence[str], **more: str) -> str:
        plain = [each for each in templates if "{v} in use" not in each and "{v} that" not in each]
        return one(rng, plain).replace("the {v}", it, 1).format(**words, **more)

    ways = [said(ADD, m="{m}") for _ in shop.layers] if chance(rng, 0.35) else [said(ADD, m="{m}")] * len(shop.layers)
    used = {name for recipe in shop.guidelines.recipes for name in recipe.material}
    said_so = [way for way, layer in zip(ways, shop.layers, strict=True) if used & {*layer}]
    ways = [way if way in said_so else said_so[0] for way in ways]  # nobody can know words that are not shown
    adding = {name: ways[at].format(m=name) for at, layer in enumerate(shop.layers) for name in layer}
    shown = [each for each in DEEDS if f"{each} the {v}" in shop.guidelines.recipes[0].steps]
    stand = Stand(
        shop,
        words,
        one(rng, GET).format(**words),
        said(FINISH),
        f"throw away {it}",
        adding,
        tuple(f"{deed} {it}" for deed in shown),
    )
    if shop.fancy and chance(rng, 0.25):
        stand.special = (one(rng, shop.fancy), f"{_deed(rng, shown)} {it}")
    _show_base(stand)
    others = [name for name in shop.lacking if name not in adding]
    stand.adding |= {name: said_so[0].format(m=name) for name in others}
    _rule(rng, stand, it, words)
    places = [line.format(**words) for line in one(rng, PLACE_FOR)] if chance(rng, 0.5) else []
    stand.guidelines = read_guidelines(_written(rng, stand, some(rng, places, len(places))), "practice")
    return stand


def _deed(rng: Rng, used: Sequence[str]) -> str:
    return one(rng, [deed for deed in DEEDS if deed not in used])


def _show_base(stand: Stand) -> None:
    """What is in everything comes first or last in all that is shown, and so in everything."""
    for name in stand.shop.base:
        longer = [recipe.material for recipe in stand.shop.guidelines.recipes if len(recipe.material) > 1]
        if longer and all(material[-1] == name for material in longer):
            stand.ranks[name] = MIDDLE + 1
        elif longer and all(material[0] == name for material in longer):
            stand.ranks[name] = MIDDLE - 1


def _rule(rng: Rng, stand: Stand, it: str, words: dict[str, str]) -> None:
    """Rules that the recipes do not contradict, and what they mean."""
    shop, found = stand.shop, list[str]()
    said = {**words, "noun": shop.noun, "vessel": shop.vessel, "it": it}
    free = [name for name in shop.free if not any(name in recipe.material for recipe in shop.guidelines.recipes)]

    def tell(templates: str, **more: str) -> None:
        text = one(rng, ruling.split(templates)).format(**{**said, **more})
        found.append(text[:1].upper() + text[1:])

    if len(shop.layers) > 1 and chance(rng, 0.45):
        found.append(_ordered(rng, stand, said))
    if shop.base and chance(rng, 0.25):
        tell(ruling.EVERY, x=one(rng, shop.base))
    if chance(rng, 0.08) and not stand.ranks:
        back = one(rng, ("take the {y} out again", "remove the {y} once more", "unscrew the {y}", "pick the {y} out"))
        found.append(f"What nobody wants any more comes out: {back.format(y=one(rng, shop.free))}, and go on.")
        stand.take_back = back
    elif chance(rng, 0.4):
        plain = [each for each in DISCARD if "{v} in use" not in each and "{v} that" not in each]
        stand.discard = one(rng, plain).replace("the {v}", it, 1).format(**words)
        tell(ruling.UNDO, d=stand.discard, x=(*shop.base, *shop.free)[-1])
    drawn = rng.random()
    if drawn < 0.2:
        stand.always = f"{_deed(rng, [*map(_verb, stand.deeds), _verb(stand.special[1])])} {it}"
        tell(ruling.FINALLY, deed=_verb(stand.always))
    elif drawn < 0.3 and free:
        name = one(rng, free)
        stand.after[name] = f"{_deed(rng, [*map(_verb, stand.deeds), _verb(stand.special[1])])} {it}"
        tell(ruling.AFTER, x=name, deed=_verb(stand.after[name]))
    elif drawn < 0.4 and len(free) > 1:
        one_, other = some(rng, free, 2)
        stand.pairs = {one_: other}
        tell(ruling.PAIR, x=one_, y=other)
    elif drawn < 0.48 and free:
        stand.sold_out = frozenset(some(rng, free, 1))
        tell(ruling.SOLD_OUT, x=next(iter(stand.sold_out)))
    elif drawn < 0.55 and len(free) > 1:
        stand.apart = frozenset(some(rng, free, 2))
        tell(ruling.APART, **dict(zip("xy", sorted(stand.apart), strict=True)))
    elif drawn < 0.61 and free:
        stand.twice = frozenset(some(rng, free, 1))
        tell(ruling.TWICE, x=next(iter(stand.twice)))
    for _ in range(between(rng, 0, 2) if chance(rng, 0.4) else 0):
        tell(ruling.HARMLESS, x=one(rng, shop.guidelines.available))
    stand.rules = some(rng, found, len(found))


def _verb(line: str) -> str:
    return next((deed for deed in DEEDS if line.startswith(f"{deed} ")), "")


def _ordered(rng: Rng, stand: Stand, said: dict[str, str]) -> str:
    """A rule about the order of things, and what it means."""
    layers = [list(layer) for layer in stand.shop.layers]
    at = {name: number for number, layer in enumerate(layers) for name in layer}
    if len(layers[-1]) == 1 and chance(rng, 0.4):
        stand.ranks = stand.ranks | {layers[-1][0]: MIDDLE + 1}
        text = one(rng, ruling.split(ruling.LAST)).format(**said, x=layers[-1][0])
    elif len(layers[0]) == 1 and chance(rng, 0.4):
        stand.ranks = stand.ranks | {layers[0][0]: MIDDLE - 1}
        text = one(rng, ruling.split(ruling.FIRST)).format(**said, x=layers[0][0])
    elif len(layers) == 2:
        stand.ranks = at
        a, b = (ruling.joined(rng, layer) for layer in layers)
        text = one(rng, ruling.split(ruling.BEFORE)).format(**said, a=a, b=b)
    elif len(layers) == 3 and chance(rng, 0.6):
        stand.ranks = at
        a, b, c = (ruling.joined(rng, layer) for layer in layers)
        text = one(rng, ruling.whole_templates(ruling.TURNS)).format(**said, a=a, b=b, c=c)
    else:
        stand.ranks = at
        sign = one(rng, (" > ", " -> ", " then ", "; then ", ", afterwards ", " >> ", " before "))
        lead = one(rng, ("Order of things: ", "In this order: ", "Sequence: ", "From the inside to the outside: ", ""))
        text = f"{lead}{sign.join(', '.join(layer) for layer in layers)}."
    return text[:1].upper() + text[1:]


def _written(rng: Rng, stand: Stand, places: Sequence[str]) -> str:
    """The guidelines as a file has them."""
    recipes = []
    for recipe in stand.shop.guidelines.recipes:
        steps = [line for line in stand.whole(Want(recipe.name, recipe.material)) if line != stand.always]
        numbered = [f"{number}) {line}" for number, line in enumerate(steps)]
        recipes.append("\n".join([recipe.name, f"Material: {', '.join(recipe.material)}", "Steps:", *numbered]))
    gap = "\n\n" if chance(rng, 0.5) else "\n"
    options = f"Options: {', '.join(stand.shop.guidelines.options)}"
    available = f"Available material we have now: {', '.join(stand.shop.guidelines.available)}"
    middle = f"Instructions:{gap}{gap.join(recipes)}"
    rules = ["Rules:\n" + "\n".join(f"* {rule}" for rule in stand.rules)] if stand.rules else []
    where = ["Available location we have now:\n" + "\n".join(f"* {line}" for line in places)] if places else []
    rest = [*rules, *where] if chance(rng, 0.7) else [*where, *rules]
    parts = [options, middle, *rest, available] if chance(rng, 0.75) else [options, available, middle, *rest]
    return gap.join(parts)

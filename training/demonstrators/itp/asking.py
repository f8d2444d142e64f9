"""Orders and changes of mind, each with what it wants in the short form of `wanting`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from thinkaloud.guidelines import Guidelines
from thinkaloud.guidelines.order_form import unknown_in
from thinkaloud.language.words import NUMBERS, phrases
from training.demonstrators.itp import phrases as say
from training.demonstrators.itp import work_phrases as work
from training.demonstrators.itp.drawing import Rng, between, chance, made_up, one, some
from training.demonstrators.itp.menus import DEEDS, Shop, Works, article, listed, plural, short
from training.demonstrators.itp.shops import ASIDE, TRADES, TREATS
from training.noise import noisy


@dataclass(frozen=True)
class Asked:
    """A request, and what it wants in short."""

    request: str
    order: str
    unknown: tuple[str, ...] = ()
    """What it names that is not there: it has to be told in the request's own words."""
    copied: tuple[str, ...] = ()
    """What else has to be copied from it."""


def form(head: str = "", plus: Sequence[str] = (), minus: Sequence[str] = ()) -> str:
    """The short form."""
    found = f" {head}" if head else ""
    found += f" + {', '.join(plus)}" if plus else ""
    return found + (f" - {', '.join(minus)}" if minus else "")


def said(rng: Rng, asked: Asked) -> Asked:
    """The request as somebody in a hurry writes it, if it can still be understood."""
    rough = noisy(rng, asked.request)
    understood = {*asked.unknown, *asked.copied} <= {*phrases(rough)}
    return replace(asked, request=rough) if understood else asked


def strange(rng: Rng, guidelines: Guidelines, lacking: Sequence[str]) -> str:
    """Something that is not there, but might be."""
    while True:
        kind = rng.random()
        name = made_up(rng) if kind < 0.2 else one(rng, list(lacking)) if kind < 0.6 and lacking else one(rng, _POOL)
        if name in unknown_in(name, guidelines):
            return name


_POOL = (*TREATS, *(name for trade in TRADES for sort in trade.sorts for name in sort))


class Customer:
    """Somebody who orders something that is put together."""

    def __init__(self, rng: Rng, shop: Shop) -> None:
        self.rng, self.shop = rng, shop
        self._known = [*shop.guidelines.available]
        self.noun = shop.other if chance(rng, 0.2) else shop.noun
        self.unknown: list[str] = []

    def first(self) -> Asked:
        """A first request."""
        self.unknown = []
        if chance(self.rng, 0.03):
            return Asked(one(self.rng, ASIDE), " none")
        if chance(self.rng, 0.05):
            return self._several()
        foreign = chance(self.rng, 0.04)
        words, order = self._foreign() if foreign else self._wish()
        request = words if foreign else self._framed(one(self.rng, say.ASK), words)
        return Asked(request, order, tuple(self.unknown))

    def change(self, before: str) -> Asked:
        """A change of what was ordered (in short) before."""
        self.unknown = []
        rng = self.rng
        inside = [name for name in self._known if name in before]
        for option in self.shop.guidelines.options:
            inside += [name for name in self.shop.material(option) if option in before]
        inside = [name for name in dict.fromkeys(inside) if name not in self.shop.base]
        outside = [name for name in self.shop.free if name not in inside]
        kind = between(rng, 0, 8)
        if kind <= 2:
            more = self._some(outside or self.shop.free, 1 if chance(rng, 0.7) else 2)
            return self._changed(say.ADD_, form("same", more), x=self._names(more))
        if kind <= 4 and inside:
            less = some(rng, inside, 1 if chance(rng, 0.85) else 2)
            return self._changed(say.DROP_, form("same", (), less), z=self._names(less))
        if kind <= 6 and inside:
            old = some(rng, inside, 1)
            new = self._some(outside or [name for name in self.shop.free if name not in old], 1)
            return self._changed(say.CHANGE_, form("same", new, old), z=self._names(old), new=self._names(new))
        words, order = self._wish()
        request = self._framed(one(rng, say.ANOTHER_), words)
        return Asked(request, order, tuple(self.unknown))

    def _changed(self, templates: Sequence[str], order: str, **words: str) -> Asked:
        request = one(self.rng, templates).format(**words)
        return Asked(request[:1].upper() + request[1:], order, tuple(self.unknown))

    def _framed(self, frame: str, words: str) -> str:
        request = frame.format(x=words)
        return request[:1].upper() + request[1:] if not chance(self.rng, 0.05) else request

    # What is wanted --------------------------------------------------------------------------------------------------

    def _wish(self) -> tuple[str, str]:
        ways: tuple[tuple[Callable[[], tuple[str, str]], int], ...] = (
            (self._list, 30),
            (self._compound, 16),
            (self._option, 12),
            (self._plus, 16),
            (self._minus, 9),
            (self._swap, 13),
            (self._union, 4),
            (self._skip, 3),
            (self._bare, 3),
        )
        weights = [weight for _, weight in ways]
        at = self.rng.choice(len(ways), p=[weight / sum(weights) for weight in weights])
        return ways[int(at)][0]()

    def _list(self) -> tuple[str, str]:
        names = self._some(self.shop.free, between(self.rng, 1, 5))
        if self.shop.base and chance(self.rng, 0.12):
            names = some(self.rng, [*names, *self.shop.base], len(names) + len(self.shop.base))
        words = self._fill(say.LIST, list=self._names(names))
        if not chance(self.rng, 0.15):
            return words, form("", names)
        others = [name for name in self.shop.free if name not in names] or ["ice"]
        never = one(self.rng, others) if chance(self.rng, 0.7) else self._strange()
        return words + one(self.rng, say.NOT).format(z=self._name(never)), form("", names, [never])

    def _compound(self) -> tuple[str, str]:
        names = self._some(self.shop.free, between(self.rng, 1, 3))
        words = " ".join(self._name(name, 0.7) for name in names)
        if chance(self.rng, 0.25):
            more = [name for name in self.shop.free if name not in names][:1]
            words = self._fill(say.COMPOUND, words=words)
            return (
                (f"{words} with {self._names(more)}", form("", [*names, *more])) if more else (words, form("", names))
            )
        return self._fill(say.COMPOUND, words=words), form("", names)

    def _option(self) -> tuple[str, str]:
        option = one(self.rng, self.shop.guidelines.options)
        return self._fill(say.OPTION, **self._called(option)), form(option)

    def _plus(self) -> tuple[str, str]:
        option = one(self.rng, self.shop.guidelines.options)
        others = [name for name in self.shop.free if name not in self.shop.material(option)]
        more = self._some(others or self.shop.free, between(self.rng, 1, 2))
        return self._fill(say.PLUS, list=self._names(more), **self._named(option)), form(option, more)

    def _minus(self) -> tuple[str, str]:
        option = one(self.rng, self.shop.fancy or self.shop.guidelines.options)
        less = [one(self.rng, self.shop.material(option))]
        return self._fill(say.MINUS, z=self._names(less), **self._named(option)), form(option, (), less)

    def _swap(self) -> tuple[str, str]:
        option = one(self.rng, self.shop.fancy or self.shop.guidelines.options)
        others = [name for name in self.shop.free if name not in self.shop.material(option)]
        old, new = [one(self.rng, self.shop.material(option))], self._some(others or self.shop.free, 1)
        words = {"z": self._names(old), "new": self._names(new)}
        return self._fill(say.SWAP, **words, **self._named(option)), form(option, new, old)

    def _union(self) -> tuple[str, str]:
        one_, two = some(self.rng, self.shop.guidelines.options, 2)
        words = {**self._named(one_), "p": self._called(two)["o"]}
        return self._fill(say.UNION, **words), f" {one_} & {two}"

    def _bare(self) -> tuple[str, str]:
        """What has nothing in it but what is in everything."""
        bare = [name for name in self.shop.guidelines.options if {*self.shop.material(name)} == {*self.shop.base}]
        return (self._fill(say.BARE), form(bare[0])) if bare else self._option()

    def _skip(self) -> tuple[str, str]:
        """An option without one of the steps that need no material."""
        option = one(self.rng, self.shop.guidelines.options)
        steps = next(recipe.steps for recipe in self.shop.guidelines.recipes if recipe.name == option)
        deeds = [deed for deed in DEEDS if f"{deed} the {self.shop.vessel}" in steps]
        if not deeds:
            return self._option()
        deed = one(self.rng, deeds)
        words = {"deed": deed, "it": one(self.rng, ("it", f"the {self.shop.vessel}", "that"))}
        return self._fill(say.SKIP, **words, **self._named(option)), f" {option} skip {deed} the {self.shop.vessel}"

    def _several(self) -> Asked:
        """Two things at once, perhaps one of them more than once."""
        both = some(self.rng, self.shop.guidelines.options, 2)
        words, orders = list[str](), list[str]()
        for option in both:
            count = between(self.rng, 1, 3) if chance(self.rng, 0.5) else 1
            number = str(count) if chance(self.rng, 0.4) else NUMBERS[count - 1]
            called = self._called(option)
            words.append(f"{number} {called['o']}" if count > 1 or chance(self.rng, 0.5) else called["a_o"])
            orders.append(f" {count} {option}" if count > 1 else f" {option}")
        joined = one(self.rng, say.SEVERAL).format(x=words[0], y=words[1])
        return Asked(self._framed(one(self.rng, say.ASK), joined), ";".join(orders))

    def _foreign(self) -> tuple[str, str]:
        kind = one(self.rng, tuple(say.FOREIGN))
        template, option = one(self.rng, say.FOREIGN[kind]), one(self.rng, self.shop.guidelines.options)
        names = some(self.rng, self.shop.free, between(self.rng, 1, 2))
        less = one(self.rng, self.shop.material(option))
        und = " und " if template.isascii() and "mit" in template else " e " if "con" in template else " et "
        words = template.format(noun=self.noun, list=und.join(names), o=option, z=less)
        orders = {
            "list": form("", names),
            "option": form(option),
            "plus": form(option, names),
            "minus": form(option, (), [less]),
        }
        return words, orders[kind]

    # Names -----------------------------------------------------------------------------------------------------------

    def _some(self, names: Sequence[str], count: int) -> list[str]:
        """Some of these; now and then something is among them that is not there."""
        found = some(self.rng, list(names), count)
        if chance(self.rng, 0.14):
            found[int(self.rng.integers(len(found)))] = self._strange()
        return found

    def _strange(self) -> str:
        """Something that is not there."""
        self.unknown.append(strange(self.rng, self.shop.guidelines, self.shop.lacking))
        return self.unknown[-1]

    def _name(self, name: str, rate: float = 0.3) -> str:
        return name if name in self.unknown else short(self.rng, name, self._known, rate)

    def _names(self, names: Sequence[str]) -> str:
        return listed(self.rng, [self._name(name) for name in names])

    def _called(self, option: str) -> dict[str, str]:
        """An option as people call it."""
        name = option.removeprefix("The ") if chance(self.rng, 0.8) else option
        if option not in self.shop.fancy:
            name = name[:1].lower() + name[1:]
        elif self.shop.noun not in name and chance(self.rng, 0.25):
            name = f"{name} {self.shop.noun}"
        return {"o": name, "a_o": article(name)}

    def _named(self, option: str) -> dict[str, str]:
        """The same with an article, or none, for the templates that go on after it."""
        called = self._called(option)
        return {"o": one(self.rng, (called["o"], f"the {called['o']}", called["a_o"], f"one {called['o']}"))}

    def _fill(self, templates: Sequence[str], **words: str) -> str:
        known = {"noun": self.noun, "a": article(self.noun), "vessel": self.shop.vessel}
        return one(self.rng, tuple(templates)).format(**{**known, **words})


class Worker:
    """Somebody who has things put through a machine."""

    def __init__(self, rng: Rng, works: Works) -> None:
        self.rng, self.works = rng, works
        self.unknown: list[str] = []

    def first(self) -> Asked:
        """A first request."""
        rng, self.unknown = self.rng, []
        if chance(rng, 0.03):
            return Asked(one(rng, ASIDE), " none")
        counts = self._counts(between(rng, 1, 4))
        words, plus = self._list(counts), [f"{count} {kind}" for kind, count in counts]
        if len(counts) == 1 and counts[0][1] > 1 and chance(rng, 0.15):
            kind, count = counts[0]
            number = self._number(count)
            words = one(
                rng,
                (
                    f"all {plural(kind)}, {number} of them",
                    f"all the {plural(kind)} ({number})",
                    f"all {number} {plural(kind)}",
                ),
            )
        request = one(rng, work.WORK_).format(verb=self.works.plant.verb, machine=self.works.plant.machine, list=words)
        if chance(rng, 0.4):
            name = self._additive()
            plus.append(name)
            end = request[-1] if request[-1] in ".?!" else ""
            request = request.rstrip(".?!") + one(rng, work.WITH).format(m=self._called(name)) + end
        return self._asked(request, form("", plus))

    def change(self, before: str) -> Asked:
        """A change of what was ordered (in short) before."""
        rng, self.unknown = self.rng, []
        there = [kind for kind in self.works.kinds if kind in before]
        kind = between(rng, 0, 9)
        if not there:
            return self.first()
        if kind <= 1:
            (which,) = some(rng, there if chance(rng, 0.6) else list(self.works.kinds), 1)
            return self._changed(work.MORE_, form("same", [f"1 {which}"]), k=which)
        if kind == 2 and len(there) == 1:
            return self._changed(work.ANY_MORE_, form("same", [f"1 {there[0]}"]))
        if kind <= 4:
            counts = self._counts(between(rng, 1, 2))
            return self._changed(
                work.MORE_MANY_, form("same", [f"{n} {k}" for k, n in counts]), list=self._list(counts)
            )
        if kind <= 6:
            (which,) = some(rng, there, 1)
            count = between(rng, 1, 5)
            number = self._number(count)
            words = f"{number} {which if count == 1 else plural(which)}"
            return self._changed(work.EXACT_, f" same = {count} {which}", c=words)
        if kind == 7 and len(there) > 1:
            (which,) = some(rng, there, 1)
            return self._changed(work.LESS_, form("same", (), [which]), ks=plural(which) if chance(rng, 0.6) else which)
        name = self._additive()
        return self._changed(work.RATHER_, form("same", [name]), m=self._called(name))

    def _changed(self, templates: Sequence[str], order: str, **words: str) -> Asked:
        return self._asked(one(self.rng, tuple(templates)).format(**words), order)

    def _asked(self, request: str, order: str) -> Asked:
        hidden = self.works.hidden
        copied = [name for name in (plural(hidden), hidden) if hidden and hidden in order and name in request.lower()]
        return Asked(request[:1].upper() + request[1:], order, tuple(self.unknown), tuple(copied[:1]))

    def _counts(self, most: int) -> list[tuple[str, int]]:
        kinds = some(self.rng, self.works.kinds, most)
        return [
            (kind, between(self.rng, 1, 4) if chance(self.rng, 0.95) else between(self.rng, 5, 12)) for kind in kinds
        ]

    def _list(self, counts: Sequence[tuple[str, int]]) -> str:
        return listed(self.rng, [self._counted(kind, count) for kind, count in counts])

    def _counted(self, kind: str, count: int) -> str:
        name = kind if count == 1 or chance(self.rng, 0.05) else plural(kind)
        if count == 1 and chance(self.rng, 0.4):
            return article(kind)
        return f"{self._number(count)} {name}"

    def _number(self, count: int) -> str:
        return str(count) if chance(self.rng, 0.5) else NUMBERS[count - 1]

    def _additive(self) -> str:
        if not chance(self.rng, 0.2):
            return one(self.rng, self.works.additives)
        others = [name for name in self.works.plant.additives if name not in self.works.additives]
        self.unknown.append(strange(self.rng, self.works.guidelines, others))
        return self.unknown[-1]

    def _called(self, name: str) -> str:
        """What to use, by its full name or with another word for what it is."""
        if name in self.unknown:
            return name if chance(self.rng, 0.5) else f"{name} {self.works.plant.additive.split()[-1]}"
        cut = name.rpartition(" ")[0]
        if not cut or not chance(self.rng, 0.35):
            return name
        other = one(self.rng, ("kind", "type", "sort", "finish", "quality", "scent"))
        return one(self.rng, (cut, f"the {cut} one", f"{cut} {other}", f"{cut} {other}"))

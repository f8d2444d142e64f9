"""Requests at a counter: what somebody says, and what that means by the guidelines."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from thinkaloud_bench.itp.episodes import OrderEpisode
from thinkaloud_bench.itp.generating.counter import DrawnCounter, Option, draw_counter
from thinkaloud_bench.itp.generating.speech import capitalise, fill_as_said, join_as_said, with_article
from thinkaloud_bench.itp.generating.themes import CounterTheme
from thinkaloud_bench.phrases import load_phrases

_REQUESTS = load_phrases("thinkaloud_bench.itp.generating", "counter_requests")
_LATEST = 3
"""The last step before which a new request comes."""
_MOST = 6
"""How many things somebody chooses at most."""


@dataclass(frozen=True, slots=True)
class OrderWish:
    """What somebody wants: in words that fit into a frame, and the materials that are meant, base included."""

    words: str
    materials: frozenset[str]


def counter_episode(rng: random.Random, theme: CounterTheme, kind: str, name: str) -> OrderEpisode:
    """An episode at a counter: `new`, `option`, `unavailable` or `changed`."""
    sold_out = kind == "unavailable" and rng.random() < 0.2
    counter = draw_counter(rng, theme, sold_out=sold_out)
    asking = _Asking(rng, counter)
    episode = OrderEpisode(name, counter.text, "", world="drinks", scene=counter.scene, says=counter.says)
    if kind == "changed":
        return _changed(asking, episode)
    if kind == "unavailable":
        missed = [option for option in counter.options if counter.gone in option.materials]
        wish = asking.option(rng.choice(missed)) if sold_out else asking.impossible()
        return _with(episode, request=asking.framed(wish), declined=True)
    wish = asking.option(rng.choice(counter.options)) if kind == "option" else asking.new()
    return _with(episode, request=asking.framed(wish), wanted=counter.order(wish.materials))


def _with(episode: OrderEpisode, **changes: object) -> OrderEpisode:
    fields = {field: getattr(episode, field) for field in episode.__struct_fields__}
    return OrderEpisode(**{**fields, **changes})


def _changed(asking: _Asking, episode: OrderEpisode) -> OrderEpisode:
    """Somebody changes their mind when the work has begun; now and then to something that cannot be had."""
    counter, rng = asking.counter, asking.rng
    first = asking.new() if rng.random() < 0.6 else asking.option(rng.choice(counter.options))
    steps = len(first.materials) + 2
    said = asking.change(first)
    while said[1] == first.materials:
        said = asking.change(first)
    request, wanted = said
    return _with(
        episode,
        request=asking.framed(first),
        new_request=request,
        before_step=rng.randint(1, min(_LATEST, steps - 1)),
        first=counter.order(first.materials),
        wanted=counter.order(wanted) if wanted is not None else None,
        declined=wanted is None,
    )


class _Asking:
    """One customer at one counter."""

    def __init__(self, rng: random.Random, counter: DrawnCounter) -> None:
        self.rng, self.counter = rng, counter
        self._words = {
            "noun": counter.theme.noun,
            "a_noun": with_article(counter.theme.noun),
            "v": counter.theme.vessel,
        }

    def framed(self, wish: OrderWish) -> str:
        return fill_as_said(self.rng, self.rng.choice(_REQUESTS["frames"]), x=wish.words)

    def option(self, option: Option) -> OrderWish:
        """An option as it is on the menu."""
        return OrderWish(self._fill(_REQUESTS["option"], **self._named(option)), option.materials)

    def new(self) -> OrderWish:
        """A combination that is on no menu."""
        ways = (
            (self._list, 40),
            (self._compound, 14),
            (self._plus, 18),
            (self._minus, 10),
            (self._swap, 13),
            (self._union, 5),
        )
        while True:
            (way,) = self.rng.choices([each for each, _ in ways], [weight for _, weight in ways])
            wish = way(None)
            if wish and 0 < len(wish.materials - self.counter.base) <= _MOST and not self._on_the_menu(wish):
                return wish

    def impossible(self) -> OrderWish:
        """A combination with something in it that is not there."""
        ways = ((self._list, 45), (self._compound, 20), (self._plus, 20), (self._swap, 15))
        while True:
            (way,) = self.rng.choices([each for each, _ in ways], [weight for _, weight in ways])
            if wish := way(self.rng.choice(self.counter.lacking)):
                return wish

    def change(self, first: OrderWish) -> tuple[str, frozenset[str] | None]:
        """A new request, and what is wanted then; None for what cannot be had."""
        counter, rng = self.counter, self.rng
        chosen, other = sorted(first.materials - counter.base), [n for n in counter.free if n not in first.materials]
        kind = rng.choice(("add", "add", "drop", "swap", "swap", "another", "another", "impossible"))
        if kind == "impossible":
            return self._impossible_change(chosen), None
        if kind == "add" and other:
            more = rng.sample(other, 1 if len(other) < 2 or rng.random() < 0.75 else 2)
            return self._say(_REQUESTS["new_add"], x=self._names(more)), first.materials | {*more}
        if kind == "drop" and len(first.materials) > 1 and chosen:
            less = rng.choice(chosen)
            return self._say(_REQUESTS["new_drop"], x=counter.call(rng, less)), first.materials - {less}
        if kind == "swap" and chosen and other:
            old, new = rng.choice(chosen), rng.choice(other)
            said = self._say(_REQUESTS["new_swap"], old=counter.call(rng, old), new=counter.call(rng, new))
            return said, first.materials - {old} | {new}
        wish = self._other()
        return self._say(_REQUESTS["new_order"], x=wish.words), wish.materials

    def _impossible_change(self, chosen: Sequence[str]) -> str:
        missing = self.rng.choice(self.counter.lacking)
        kind = self.rng.choice(("add", "swap", "another"))
        if kind == "swap" and chosen:
            old = self.counter.call(self.rng, self.rng.choice(chosen))
            return self._say(_REQUESTS["new_swap"], old=old, new=missing)
        if kind == "another":
            return self._say(_REQUESTS["new_order"], x=self._other(missing).words)
        return self._say(_REQUESTS["new_add"], x=missing)

    def _other(self, missing: str | None = None) -> OrderWish:
        """Something else, said in few words."""
        if missing or self.rng.random() < 0.5:
            names = self._some(1, 4, missing)
            return self._wish(self._fill(_REQUESTS["again_list"], list=self._names(names)), names)
        option = self.rng.choice(self.counter.options)
        return OrderWish(self._fill(_REQUESTS["again_option"], **self._named(option)), option.materials)

    # Ways of saying what is wanted. `missing` is something that is not there and is asked for all the same.

    def _list(self, missing: str | None) -> OrderWish | None:
        names = self._some(1, 5, missing)
        if self.counter.base and not missing and self.rng.random() < 0.12:
            full = self.rng.sample(sorted({*names} | self.counter.base), len({*names} | self.counter.base))
            return self._wish(self._fill(_REQUESTS["full"], list=self._names(full)), names)
        words = self._fill(_REQUESTS["list"], list=self._names(names))
        return self._wish(words + self._unwanted(names), names)

    def _compound(self, missing: str | None) -> OrderWish | None:
        names = self._some(1, 3, missing)
        if not (found := self.counter.compound(names)):
            return None
        words = " ".join(found)
        return self._wish(self._fill(_REQUESTS["compound"], words=words, a_words=with_article(words)), names)

    def _plus(self, missing: str | None) -> OrderWish | None:
        option = self.rng.choice(self.counter.options)
        other = [name for name in self.counter.free if name not in option.materials]
        more = [missing] if missing else self.rng.sample(other, min(len(other), self.rng.choice((1, 1, 2))))
        if not more:
            return None
        return self._wish(self._fill(_REQUESTS["plus"], list=self._names(more), **self._named(option)), more, option)

    def _minus(self, missing: str | None) -> OrderWish | None:
        option = self._fancy()
        old = self.rng.choice(sorted(option.materials - self.counter.base))
        words = self._fill(_REQUESTS["minus"], old=self.counter.call(self.rng, old), **self._named(option))
        return OrderWish(words, option.materials - {old})

    def _swap(self, missing: str | None) -> OrderWish | None:
        option = self._fancy()
        old = self.rng.choice(sorted(option.materials - self.counter.base))
        other = [missing] if missing else [name for name in self.counter.free if name not in option.materials]
        if not other:
            return None
        new = self.rng.choice(other)
        names = {"old": self.counter.call(self.rng, old), "new": self.counter.call(self.rng, new)}
        words = self._fill(_REQUESTS["swap"], **names, **self._named(option))
        return OrderWish(words, option.materials - {old} | {new})

    def _union(self, missing: str | None) -> OrderWish | None:
        one, two = self.rng.sample(self.counter.options, 2)
        words = self._fill(_REQUESTS["union"], other=two.spoken, **self._named(one))
        return OrderWish(words, one.materials | two.materials)

    def _some(self, least: int, most: int, missing: str | None) -> list[str]:
        """Materials to choose, at random but not too many; `missing` is among them where there is such a thing."""
        count = self.rng.choices(range(least, most + 1), (3, 5, 5, 2, 1)[: most - least + 1])[0]
        names = self.rng.sample(self.counter.free, min(count, len(self.counter.free)))
        if missing:
            names[self.rng.randrange(len(names))] = missing
        return names

    def _unwanted(self, names: Sequence[str]) -> str:
        """Sometimes: what is not wanted, which changes nothing, also where there is no such thing at all."""
        if self.rng.random() > 0.15:
            return ""
        never = [name for name in self.counter.free if name not in names]
        never = [*self.counter.lacking] if self.rng.random() < 0.25 else never
        never = [name for name in never if name not in names]
        return self._fill(_REQUESTS["not"], z=self.rng.choice(never)) if never else ""

    def _fancy(self) -> Option:
        return self.rng.choice([option for option in self.counter.options if not option.told])

    def _on_the_menu(self, wish: OrderWish) -> bool:
        return any(wish.materials == option.materials for option in self.counter.options)

    def _wish(self, words: str, names: Sequence[str], option: Option | None = None) -> OrderWish:
        return OrderWish(words, self.counter.base | {*names} | (option.materials if option else frozenset()))

    def _names(self, names: Sequence[str]) -> str:
        return join_as_said(self.rng, [self.counter.call(self.rng, name) for name in names])

    def _named(self, option: Option) -> dict[str, str]:
        return {"opt": option.spoken, "a_opt": with_article(option.spoken)}

    def _say(self, templates: Sequence[str], **words: str) -> str:
        return fill_as_said(self.rng, self.rng.choice(templates), **words)

    def _fill(self, templates: Sequence[str], **words: str) -> str:
        """One of the templates without slips, to be put into a frame."""
        words = {**self._words, **words}
        return self.rng.choice(templates).format(
            **words, **{capitalise(key): capitalise(said) for key, said in words.items()}
        )

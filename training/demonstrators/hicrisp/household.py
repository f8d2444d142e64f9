"""Demonstrations in homes: what people ask for, whole plans, and programs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from thinkaloud_worlds.household import Household
from training.demonstrators.hicrisp.activities import ACTIVITIES, CARRIED
from training.demonstrators.hicrisp.heldout import is_held_out
from training.demonstrators.hicrisp.homes import Crowded, Wanted, home_of
from training.demonstrators.hicrisp.planning import CHECKED, Unknown, planned, programmed
from training.demonstrators.hicrisp.programs import program_of
from training.demonstrators.hicrisp.saying import chosen, filled, framed, tale
from training.demonstrators.hicrisp.shorthand import Activity, steps_of
from training.demonstrators.hicrisp.tongues import foreign
from training.samples import Sample

Rng = np.random.Generator
_WEIGHTS = np.array([each.weight for each in ACTIVITIES]) / sum(each.weight for each in ACTIVITIES)
ONE_OF = frozenset(
    (
        *("bin", "tap", "washer", "dishwasher", "cooler", "stove", "oven", "popper", "basin", "soap", "knife"),
        *("crockery", "wardrobe", "shelf", "eating table", "keys", "telephone", "agent", "brush", "cloth"),
    )
)
"""A home has one of these, whatever is done with it."""
WISHES, SEVERAL = 3, 0.06
_STEPS = 18
"""Longer plans are not demonstrated."""


@dataclass(frozen=True)
class Wish:
    """What somebody asks for, and how it is done: steps that speak of things by their kinds."""

    request: str
    steps: tuple[str, ...]


def drawn_activity(rng: Rng) -> Activity:
    """One of the activities."""
    return ACTIVITIES[int(rng.choice(len(ACTIVITIES), p=_WEIGHTS))]


def _names(wanted: Wanted, activity: Activity) -> dict[str, str]:
    names: dict[str, str] = {}
    for letter, kinds in activity.roles.items():
        there = [name for name, kind in wanted.kinds.items() if kind in kinds and kind in ONE_OF]
        names[letter] = there[0] if there and there[0] not in names.values() else wanted.one(*kinds)
    wanted.states |= {names[letter]: state for letter, state in activity.states.items()}
    wanted.inside |= {names[letter]: names[box] for letter, box in activity.inside.items()}
    return names


def drawn_wish(wanted: Wanted) -> Wish:
    """A request about things that are drawn with it: one thing to do, or two, or a tale of how it is done."""
    rng = wanted.rng
    roll = rng.random()
    if roll < 0.04:
        return Wish(*foreign(wanted))
    activity = drawn_activity(rng)
    names = _names(wanted, activity)
    steps = steps_of(wanted, activity.done, names)
    if roll < 0.16:
        other = drawn_activity(rng)
        more = _names(wanted, other)
        joint = str(rng.choice([" and then ", ", then ", " and ", "; after that ", ". Then ", ", and afterwards "]))
        said = [filled(rng, str(rng.choice(list(a.said))), **n) for a, n in ((activity, names), (other, more))]
        both = [*steps, *steps_of(wanted, other.done, more)]
        return Wish(framed(rng, joint.join(said), own=0), tuple(both))
    if roll < 0.34:
        title = filled(rng, str(rng.choice(list(activity.said))), **names)
        title = title[:1].upper() + title[1:]
        told = tale(rng, steps)
        return Wish(told if rng.random() < 0.25 else f"{title}. {told}", tuple(steps))
    return Wish(chosen(rng, activity.said, **names), tuple(steps))


_ON = (
    *("put {n} {x} on {s}", "bring {n} {x} to {s}", "{n} {x} belong on {s}", "carry {n} {x} over to {s}"),
    *("set {n} {x} on {s}", "I need {n} {x} on {s}", "get {n} {x} and leave them on {s}"),
)
_IN = (
    *("put {n} {x} in {s}", "store {n} {x} in {s}", "{n} {x} go into {s}", "stow {n} {x} in {s}"),
    *("pack {n} {x} into {s}", "put {n} {x} away in {s}", "keep {n} {x} in {s}"),
)
_ALL = {2: ("both", "the two", "both the", "all the", "all"), 3: ("the three", "all three", "all the", "all 3", "all")}
_SOME = {2: ("two", "two of the", "a pair of", "2"), 3: ("three", "three of the", "3")}


def drawn_several(wanted: Wanted) -> Wish:
    """A request about several things of a kind, which are side by side: all of them, or so many."""
    rng = wanted.rng
    count = int(rng.integers(2, 4))
    thing = wanted.one(*CARRIED)
    inside = rng.random() < 0.5
    place = wanted.one("cupboard", "cooler", "basket") if inside else wanted.one("surface")
    entirely = rng.random() < 0.6
    wanted.copies[thing] = count if entirely else count + int(rng.integers(0, 3))
    number = str(rng.choice((_ALL if entirely else _SOME)[count]))
    plural = thing if thing.endswith("s") else f"{thing}s"
    said = filled(rng, str(rng.choice(_IN if inside else _ON)), s=place)
    request = said.replace("{n}", number).replace("{x}", plural)
    things = [f"{thing} #{which}" for which in range(1, count + 1)]
    opens = inside and wanted.has(place, "CAN_OPEN")
    steps: list[str] = []
    for at, each in enumerate(things):
        steps += [f"Find the {each}.", f"Grab the {each}.", f"Find the {place}."]
        steps += [f"Open the {place}."] if opens and at == 0 else []
        steps.append(f"Put the {each} {'in' if inside else 'on'} the {place}.")
    steps += [f"Close the {place}."] if opens else []
    return Wish(framed(rng, request, own=0), tuple(steps))


def many(rng: Rng) -> int:
    """How many other things there are: a small flat, now and then a house full of them."""
    roll = rng.random()
    return int(rng.integers(6, 24) if roll < 0.6 else rng.integers(24, 80) if roll < 0.93 else rng.integers(80, 220))


def wishes(rng: Rng) -> tuple[Wanted, list[Wish]]:
    """What is wanted in one home, one after another: nothing that the benchmarks hold out, nothing too long."""
    wanted, found = Wanted(rng), list[Wish]()
    for _ in range(WISHES):
        with suppress(Crowded):
            wish = drawn_several(wanted) if rng.random() < SEVERAL else drawn_wish(wanted)
            if not is_held_out(wish.request) and len(wish.steps) <= _STEPS:
                found.append(wish)
    return wanted, found


def plans(rng: Rng) -> Iterator[Sample]:
    """Whole plans in one home."""
    wanted, found = wishes(rng)
    world = Household(home_of(wanted, others=many(rng)))
    for wish in found:
        with suppress(Unknown):
            yield from planned(world, wish.request, wish.steps, check=rng.random() < CHECKED)


def programs(rng: Rng) -> Iterator[Sample]:
    """Programs in one home."""
    wanted, found = wishes(rng)
    world = Household(home_of(wanted, others=many(rng)))
    for wish in found:
        with suppress(Unknown):
            yield from programmed(world, wish.request, program_of(wish.steps, rng), check=rng.random() < CHECKED)

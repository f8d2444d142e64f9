"""What people want of a table: each function makes one dialogue, from the request to a plan that is sound."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from training.demonstrators.multitalk import wording as say
from training.demonstrators.multitalk.faults import finish
from training.demonstrators.multitalk.placing import Crowded
from training.demonstrators.multitalk.speaking import point, sentence, the
from training.demonstrators.multitalk.tables import Point, Table, Thing, distinct, laid, some_kinds, spot
from training.demonstrators.multitalk.talks import Deed, Talk, put
from training.demonstrators.multitalk.things import DOUBTFUL, PURPOSES, Kind, kind_for
from training.words import one

Rng = np.random.Generator
LEADS = ("where ", "with ", "in the part with ", "in the area where ", "in the corner with ", "on the side with ")


def ordinary(rng: Rng, low: int = 2, high: int = 6, *, wide: float = 0.25, twice: float = 0.25) -> Table:
    """A table as there are many: some things, perhaps two of a kind, perhaps something to put them on."""
    kinds = some_kinds(rng, low, high)
    if rng.random() < twice:
        kinds.append(kinds[0])
    flat, hollow = int(rng.random() < wide), int(rng.random() < wide)
    return laid(rng, kinds, flat=flat, hollow=hollow)


def free(rng: Rng, table: Table, more: Sequence[Point] = ()) -> Point:
    """A place where nothing stands."""
    return spot(rng, [*(thing.at for thing in table.things), *more], 0.14)


def chosen(rng: Rng, things: Sequence[Thing], count: int = 1) -> list[Thing]:
    """So many of them."""
    return [things[int(i)] for i in rng.permutation(len(things))[:count]]


def only(table: Table, thing: Thing) -> bool:
    """Whether its kind tells it from all others."""
    return sum(each.kind.name == thing.kind.name for each in table.small) == 1


# Nothing is left open -------------------------------------------------------------------------------------------------


def at_points(rng: Rng) -> Talk:
    """One thing or several, each at a point."""
    table = ordinary(rng)
    things = chosen(rng, table.small, 1 + int(rng.random() < 0.4) + int(rng.random() < 0.1))
    places: list[Point] = []
    for _ in things:
        places.append(free(rng, table, places))
    words = [the(rng, thing.name) for thing in things]
    if len(things) == 1:
        request = at_words(rng, words[0], places[0])
    elif len(things) == 2:
        ends = {"p": point(rng, places[0]), "q": point(rng, places[1])}
        request = sentence(rng, say.said(rng, say.TWO, a=words[0], b=words[1], **ends))
    else:
        pairs = zip(words, places, strict=True)
        request = sentence(rng, "; ".join(say.said(rng, ("{a} to {p}",), a=a, p=point(rng, p)) for a, p in pairs))
    talk = Talk(rng, table, request)
    deeds = [put(thing.name, place) for thing, place in zip(things, places, strict=True)]
    return finish(talk, deeds)


def at_words(rng: Rng, words: str, place: Point) -> str:
    """That something is wanted at a point."""
    templates = say.FOREIGN_AT if rng.random() < 0.04 else say.AT
    return sentence(rng, say.said(rng, templates, a=words, p=point(rng, place)))


def beside(rng: Rng) -> Talk:
    """Next to something, on something, or in something."""
    table = ordinary(rng, wide=0.6)
    things = chosen(rng, table.small, 1 + int(rng.random() < 0.25))
    others = [thing for thing in table.things if thing not in things and thing.name not in table.on]
    if not others:
        return at_points(rng)
    words, deeds = [], []
    for thing in things:
        other = chosen(rng, others)[0]
        if not only(table, other) and other.name == other.kind.name:
            return at_points(rng)
        words.append(_near_or_in(rng, thing.name, other))
        deeds.append(put(thing.name, place_of(rng, other, into=words[-1][1])))
    talk = Talk(rng, table, sentence(rng, _joined(rng, [text for text, _ in words])))
    return finish(talk, deeds)


def _joined(rng: Rng, texts: Sequence[str]) -> str:
    return one(rng, (" and ", ", then ", ", and ", ". Then ")).join(texts)


def _near_or_in(rng: Rng, thing: str, other: Thing) -> tuple[str, bool]:
    a, b = the(rng, thing), the(rng, other.name)
    if (other.flat or other.hollow) and rng.random() < 0.8:
        inside = "in" if other.hollow else "on"
        to = one(rng, (inside, f"{inside}to", "inside" if other.hollow else "on top of"))
        return say.said(rng, say.INTO, a=a, r=b, in_to=to, in_it=inside), True
    return say.said(rng, say.NEAR, a=a, b=b), False


def place_of(rng: Rng, other: Thing, *, into: bool) -> str:
    """Where next to a thing, or on or in it, is."""
    return f"{'in' if other.hollow else 'on'} the {other.name}" if into else f"next to the {other.name}"


def all_into(rng: Rng) -> Talk:
    """Everything of a purpose, or everything there is, onto or into something."""
    use = one(rng, tuple(PURPOSES))
    kinds = [kind_for(rng, one(rng, PURPOSES[use])) for _ in range(int(rng.integers(1, 4)))]
    table = laid(rng, distinct([*kinds, *unfit(rng, use, 2)]), flat=1) if rng.random() < 0.5 else None
    table = table or laid(rng, distinct([*kinds, *unfit(rng, use, 2)]), hollow=1)
    if not table.wide:
        raise Crowded
    every = rng.random() < 0.3
    things = [t for t in table.small if every or t.kind.use in PURPOSES[use]]
    target = table.wide[0]
    words = one(rng, ("everything", "all things", "all of it")) if every else one(rng, say.ALL_OF[use])
    text = say.said(rng, say.INTO, a=words, r=the(rng, target.name), in_to=in_or_on(target), in_it=in_or_on(target))
    talk = Talk(rng, table, sentence(rng, text))
    return finish(talk, [put(thing.name, f"{in_or_on(target)} the {target.name}") for thing in things])


def in_or_on(target: Thing) -> str:
    """How something is put there."""
    return "in" if target.hollow else "on"


def region(rng: Rng) -> Talk:
    """Anywhere in a part of the table."""
    table = ordinary(rng)
    thing = chosen(rng, table.small)[0]
    bounds = [_bound(rng, axis) for axis in (("x", "y") if rng.random() < 0.5 else (one(rng, ("x", "y")),))]
    where = " and ".join(words for words, _ in bounds)
    lead = one(rng, LEADS)
    text = say.said(rng, say.REGION, a=the(rng, thing.name), where=lead + where)
    talk = Talk(rng, table, sentence(rng, text))
    return finish(talk, [put(thing.name, "where " + " and ".join(form for _, form in bounds))])


def _bound(rng: Rng, axis: str) -> tuple[str, str]:
    more = bool(rng.random() < 0.5)
    low, high = (-0.05, 0.3) if axis == "x" else (-0.45, 0.45)
    value = f"{round(float(rng.uniform(low, high)) / 0.05) * 0.05 + 0.0:.2f}".replace("-0.00", "0.00")
    above = ("above", "over", "greater than", "more than", "larger than", "beyond", ">", "at least")
    below = ("below", "under", "less than", "smaller than", "lower than", "<", "at most")
    word = one(rng, above if more else below)
    is_it = "" if word in "<>" else one(rng, ("is ", "", "being "))
    return f"{axis} {is_it}{word} {value}", f"{axis} {'>' if more else '<'} {value}"


def swap(rng: Rng) -> Talk:
    """Two things that are named change places."""
    table = ordinary(rng, 2, 5)
    if len(table.small) < 2:
        return at_points(rng)
    one_, other = chosen(rng, table.small, 2)
    templates = say.FOREIGN_SWAP if rng.random() < 0.04 else say.SWAP
    text = say.said(rng, templates, a=the(rng, one_.name), b=the(rng, other.name))
    return finish(Talk(rng, table, sentence(rng, text)), [Deed("exchange", (one_.name, other.name))])


def swap_both(rng: Rng) -> Talk:
    """The only two things that there are change places."""
    table = laid(rng, some_kinds(rng, 2, 2), flat=int(rng.random() < 0.15))
    names = [thing.name for thing in table.small]
    if len(names) != 2:
        return swap(rng)
    talk = Talk(rng, table, sentence(rng, say.said(rng, say.SWAP_BOTH)))
    return finish(talk, [Deed("exchange", (names[0], names[1]))])


def where_other(rng: Rng) -> Talk:
    """A thing where another stands, which has to make way."""
    table = ordinary(rng, 2, 5)
    if len(table.small) < 2:
        return at_points(rng)
    a, b = (thing.name for thing in chosen(rng, table.small, 2))
    talk = Talk(rng, table, sentence(rng, say.said(rng, say.WHERE_OTHER, a=the(rng, a), b=the(rng, b))))
    return finish(talk, [put(a, f"where the {b} was")])


def out_of_the_way(rng: Rng) -> Talk:
    """It does not matter where."""
    table = ordinary(rng)
    name = chosen(rng, table.small)[0].name
    talk = Talk(rng, table, sentence(rng, say.said(rng, say.OUT_OF_THE_WAY, a=the(rng, name))))
    return finish(talk, [put(name, "aside")])


def unfit(rng: Rng, use: str, count: int) -> list[Kind]:
    """Things that do not serve a purpose, as everybody would agree."""
    uses = ("fruit", "vegetable", "food", "drink", "toy", "tool", "cleaning", "kitchen", "")
    others = [other for other in uses if other not in PURPOSES[use] and not (use == "kitchen" and other == "")]
    return [k for k in (kind_for(rng, one(rng, tuple(others))) for _ in range(count)) if k.name not in DOUBTFUL]

"""Wishes that leave something open: which thing, where to, in which direction, in which order, which with which."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from thinkaloud_bench.multitalk.episodes import AXES, At, AtRest, Axis, Lined, Swapped, Topic, Within
from thinkaloud_bench.multitalk.generating import phrasings as say
from thinkaloud_bench.multitalk.generating.table import (
    COMPACT_KINDS,
    RECEPTACLE_KINDS,
    DrawnTable,
    Full,
    TableDraft,
    draw_kinds,
    draw_one,
    for_purpose,
)
from thinkaloud_bench.multitalk.generating.wishes import fitting, preposition
from thinkaloud_worlds.franka import CATALOGUE


def give(rng: Random, table: DrawnTable, name: str, *, among: Sequence[str]) -> TableDraft:
    """A thing of a kind, to a place that is not said; `among` are those that could be meant."""
    x, y = table.target(name)
    spoken = say.the(table.things[name].kind)
    request = say.say_wish(rng, rng.choice((say.WAYS["give"], say.WAYS["give"], say.WAYS["move_away"])), a=spoken)
    needed: tuple[Topic, ...] = ("place",) if len(among) == 1 else ("object", "place")
    wishes: dict[Topic, str] = {
        "object": _which(rng, table, name),
        "place": say.say_wish(rng, say.WAYS["answer_place"], p=say.point(rng, x, y)),
    }
    return TableDraft(request, (At((name,), x, y), AtRest()), wishes, needed)


def something(rng: Random, table: DrawnTable, tag: str, *, place_open: bool) -> TableDraft:
    """Something for a purpose; more than one thing would serve it."""
    name = rng.choice(tagged(table, tag))
    x, y = table.target(name)
    where, spoken = say.point(rng, x, y), rng.choice(say.PURPOSES[tag])
    request = (
        say.say_wish(rng, say.WAYS["give"], a=spoken)
        if place_open
        else say.say_wish(rng, say.WAYS["at"], a=spoken, p=where)
    )
    needed: tuple[Topic, ...] = ("object", "place") if place_open else ("object",)
    wishes: dict[Topic, str] = {
        "object": _which(rng, table, name),
        "place": say.say_wish(rng, say.WAYS["answer_place"], p=where),
    }
    return TableDraft(request, (At((name,), x, y), AtRest()), wishes, needed)


def _one_of_a_kind(rng: Random, table: DrawnTable, names: Sequence[str]) -> TableDraft:
    """One of several of a kind, to a place that is said."""
    name = rng.choice(names)
    x, y = table.target(name)
    where, spoken = say.point(rng, x, y), say.the(table.things[name].kind)
    wishes: dict[Topic, str] = {
        "object": _which(rng, table, name),
        "place": say.say_wish(rng, say.WAYS["answer_place"], p=where),
    }
    request = say.say_wish(rng, say.WAYS["at"], a=spoken, p=where)
    return TableDraft(request, (At((name,), x, y), AtRest()), wishes, ("object",))


def two_things(rng: Random, table: DrawnTable) -> TableDraft:
    """Two things change places, which ones is not said."""
    one, other = draw_one(rng, table.exchangeable(table.graspable()))
    pair = say.say_wish(rng, say.WAYS["answer_pair"], a=say.the(one), b=say.the(other))
    return TableDraft(
        say.say_wish(rng, say.WAYS["swap_two"]), (Swapped(one, other), AtRest()), {"pairs": pair}, ("pairs",)
    )


def two_pairs(rng: Random, table: DrawnTable) -> TableDraft:
    """Two pairs change places, which ones is not said."""
    names = table.graspable()
    kinds = {table.things[name].kind for name in names}
    a, b, c, d = names if len(kinds) == 2 else rng.sample(names, 4)
    if len(kinds) == 2 and rng.random() < 0.4:
        b, c = c, b
    pairs = table.exchangeable(names)
    if (a, b) not in pairs or (c, d) not in pairs:
        raise Full
    words = {"a": say.the(a), "b": say.the(b), "c": say.the(c), "d": say.the(d)}
    answer = say.say_wish(rng, say.WAYS["answer_pairs"], **words)
    return TableDraft(
        say.say_wish(rng, say.WAYS["swap_pairs"]),
        (Swapped(a, b), Swapped(c, d), AtRest()),
        {"pairs": answer},
        ("pairs",),
    )


def line_up(rng: Random, table: DrawnTable, axis: Axis, *, order_open: bool) -> TableDraft:
    """Everything in a row; along which axis is not said, nor the order, if that is open."""
    names = [*table.things]
    direction = say.say_wish(rng, say.WAYS["answer_axis"], axis=axis)
    if not order_open:
        any_order: dict[Topic, str] = {"direction": direction, "order": say.say_wish(rng, say.WAYS["answer_any_order"])}
        request = say.say_wish(rng, say.WAYS["line_direction_open"])
        return TableDraft(request, (Lined(tuple(names), axis), AtRest()), any_order, ("direction",))
    ordered = rng.random() < 0.5
    rng.shuffle(names)
    order = say.say_wish(rng, say.WAYS["answer_order"], axis=axis, list=say.join_things(names))
    wishes: dict[Topic, str] = {
        "direction": direction,
        "order": order if ordered else say.say_wish(rng, say.WAYS["answer_any_order"]),
    }
    goal = (Lined(tuple(names), axis, ordered), AtRest())
    return TableDraft(say.say_wish(rng, say.WAYS["line"]), goal, wishes, ("direction", "order"))


def _container(rng: Random, table: DrawnTable) -> TableDraft:
    """A thing into one of several receptacles, into which is not said."""
    targets = [name for name, each in table.things.items() if CATALOGUE[each.kind].receptacle]
    target = rng.choice(targets)
    thing = draw_one(rng, sorted({*fitting(table, targets[0])} & {*fitting(table, targets[1])}))
    place = f"{say.begin_sentence(preposition(table, target))} {say.the(target)}."
    wishes: dict[Topic, str] = {"object": _which(rng, table, thing), "place": place}
    request = say.say_wish(rng, say.WAYS["within_open"], a=say.the(thing))
    return TableDraft(request, (Within((thing,), target), AtRest()), wishes, ("place",))


def ambiguous(rng: Random, table: DrawnTable) -> TableDraft:
    """One of the wishes above, in a scene in which it really is ambiguous."""
    how = rng.choice(("kind", "kind", "kind and place", "tag", "tag and place", "place", "two", "row", "container"))
    if how.startswith("kind"):
        kinds = draw_kinds(rng, rng.randint(2, 3))
        names = table.put([*[kinds[0]] * rng.randint(1, 2), *kinds])
        same = [name for name in names if table.things[name].kind == kinds[0]]
        return _one_of_a_kind(rng, table, same) if how == "kind" else give(rng, table, rng.choice(same), among=same)
    if how.startswith("tag"):
        tag = rng.choice([*say.PURPOSES])
        table.put(for_purpose(rng, tag, rng.randint(2, 3), rng.randint(1, 2)))
        return something(rng, table, tag, place_open=how == "tag and place")
    if how == "row":
        table.put(draw_kinds(rng, rng.randint(3, 4), COMPACT_KINDS))
        return line_up(rng, table, rng.choice(AXES), order_open=rng.random() < 0.5)
    if how == "container":
        table.put(
            [*rng.sample([each for each in RECEPTACLE_KINDS if each != "tray"], 2), *draw_kinds(rng, 2, COMPACT_KINDS)]
        )
        return _container(rng, table)
    names = table.put(draw_kinds(rng, rng.randint(3, 5)))
    return two_things(rng, table) if how == "two" else give(rng, table, names[0], among=names[:1])


def tagged(table: DrawnTable, tag: str) -> list[str]:
    """The things that serve a purpose."""
    return [name for name, each in table.things.items() if tag in CATALOGUE[each.kind].tags]


def _which(rng: Random, table: DrawnTable, name: str) -> str:
    """How a person says which thing is meant: by its name, or by where it stands."""
    thing = table.things[name]
    if name != thing.kind and rng.random() < 0.25:
        return f"The one at {say.point(rng, thing.x, thing.y)}."
    return say.say_wish(rng, say.WAYS["answer_object"], a=say.the(name))

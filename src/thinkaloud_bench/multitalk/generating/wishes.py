"""Wishes that leave nothing open: what is wanted, said in one of many ways, with names and places."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from thinkaloud_bench.multitalk.episodes import (
    AXES,
    At,
    AtRest,
    InRegion,
    Lined,
    Near,
    Swapped,
    Topic,
    Within,
)
from thinkaloud_bench.multitalk.generating import phrasings as say
from thinkaloud_bench.multitalk.generating.table import DrawnTable, Full, TableDraft, draw_one, gap
from thinkaloud_bench.multitalk.routing import TablePoint
from thinkaloud_worlds.franka import CATALOGUE

_HALVES: tuple[tuple[str, TablePoint, TablePoint], ...] = (
    ("where y is below -0.15", (-0.15, -0.62), (0.45, -0.15)),
    ("where y is above 0.15", (-0.15, 0.15), (0.45, 0.62)),
    ("where x is above 0.20", (0.20, -0.62), (0.45, 0.62)),
    ("in the corner with x above 0.15 and y below -0.10", (0.15, -0.62), (0.45, -0.10)),
    ("in the corner with x above 0.15 and y above 0.10", (0.15, 0.10), (0.45, 0.62)),
)


def at_point(rng: Random, table: DrawnTable, name: str | None = None, spoken: str = "") -> TableDraft:
    """A thing at a point. `spoken` is what it is called, if not by its name."""
    thing = name or rng.choice(table.graspable())
    x, y = table.target(thing)
    where = say.point(rng, x, y)
    request = say.say_wish(rng, say.WAYS["at"], a=spoken or say.the(thing), p=where)
    return TableDraft(request, (At((thing,), x, y), AtRest()), answers(rng, thing, where))


def at_two(rng: Random, table: DrawnTable) -> TableDraft:
    """Two things, each at a point."""
    one, other = rng.sample(table.graspable(), 2)
    p, q = table.target(one), table.target(other)
    first, second = say.point(rng, *p), say.point(rng, *q)
    words = {"a": say.the(one), "b": say.the(other), "p": first, "q": second}
    return TableDraft(
        say.say_wish(rng, say.WAYS["at_two"], **words),
        (At((one,), *p), At((other,), *q), AtRest()),
        {
            "object": f"{say.begin_sentence(say.the(one))} and {say.the(other)}.",
            "place": f"{say.begin_sentence(say.the(one))} to {first} and {say.the(other)} to {second}.",
            "order": "Any order will do.",
        },
    )


def swap(rng: Random, table: DrawnTable) -> TableDraft:
    """Two named things change places."""
    one, other = draw_one(rng, table.exchangeable(table.graspable()))
    words = {"a": say.the(one), "b": say.the(other)}
    pair = say.say_wish(rng, say.WAYS["answer_pair"], **words)
    place = "Each of them goes exactly where the other one was."
    return TableDraft(
        say.say_wish(rng, say.WAYS["swap"], **words), (Swapped(one, other), AtRest()), {"pairs": pair, "place": place}
    )


def in_line(rng: Random, table: DrawnTable) -> TableDraft:
    """Everything in a row, in an order or in any."""
    names, axis = [*table.things], rng.choice(AXES)
    words = {"axis": axis, "across": "y" if axis == "x" else "x"}
    direction = say.say_wish(rng, say.WAYS["answer_axis"], axis=axis)
    if rng.random() < 0.5:
        order = say.say_wish(rng, say.WAYS["answer_any_order"])
        goal = (Lined(tuple(names), axis), AtRest())
        return TableDraft(
            say.say_wish(rng, say.WAYS["line_axis"], **words), goal, {"direction": direction, "order": order}
        )
    rng.shuffle(names)
    words["list"] = say.join_things(names)
    order = say.say_wish(rng, say.WAYS["answer_order"], axis=axis, list=words["list"])
    goal = (Lined(tuple(names), axis, ordered=True), AtRest())
    return TableDraft(
        say.say_wish(rng, say.WAYS["line_order"], **words), goal, {"direction": direction, "order": order}
    )


def within(rng: Random, table: DrawnTable, name: str | None = None) -> TableDraft:
    """A thing on or in a receptacle."""
    targets = [each for each, thing in table.things.items() if CATALOGUE[thing.kind].receptacle]
    target = rng.choice(targets)
    thing = name or rng.choice(fitting(table, target))
    into = preposition(table, target)
    words = {"a": say.the(thing), "r": say.the(target), "in_it": into, "into": f"{into}to"}
    place = f"{say.begin_sentence(into)} {say.the(target)}."
    goal = (Within((thing,), target), AtRest())
    return TableDraft(say.say_wish(rng, say.WAYS["within"], **words), goal, {"object": _it(rng, thing), "place": place})


def near(rng: Random, table: DrawnTable, name: str | None = None) -> TableDraft:
    """A thing next to another that has room beside it and is not higher."""
    heights = {each: thing.body.height for each, thing in table.things.items()}
    pairs = [
        (one, other)
        for one in ([name] if name else table.graspable())
        for other in table.things
        if other != one and gap(table.things[one].at, table.things[other].at) > 0.30 and _has_room(table, one, other)
        if heights[other] <= heights[one] + 0.02 and not CATALOGUE[table.things[other].kind].receptacle
    ]
    one, other = draw_one(rng, pairs)
    place = f"Right next to {say.the(other)}, on any side."
    request = say.say_wish(rng, say.WAYS["near"], a=say.the(one), b=say.the(other))
    return TableDraft(request, (Near((one,), other), AtRest()), {"object": _it(rng, one), "place": place})


def region(rng: Random, table: DrawnTable) -> TableDraft:
    """A thing anywhere in a part of the table in which it is not yet."""
    thing = rng.choice(table.graspable())
    x, y = table.things[thing].at
    parts = [part for part in _HALVES if not (part[1][0] <= x <= part[2][0] and part[1][1] <= y <= part[2][1])]
    where, low, high = draw_one(rng, parts)
    table.target(thing, lambda p: all(low[i] + 0.03 <= p[i] <= high[i] - 0.03 for i in (0, 1)))
    request = say.say_wish(rng, say.WAYS["region"], a=say.the(thing), where=where)
    place = f"Anywhere {where}."
    return TableDraft(request, (InRegion((thing,), low, high), AtRest()), {"object": _it(rng, thing), "place": place})


def answers(rng: Random, thing: str, where: str) -> dict[Topic, str]:
    """What is said when asked about a thing and its place."""
    return {"object": _it(rng, thing), "place": say.say_wish(rng, say.WAYS["answer_place"], p=where)}


def fitting(table: DrawnTable, target: str) -> list[str]:
    """Things that are small enough for a receptacle."""
    length, width, _ = CATALOGUE[table.things[target].kind].size
    room = min(length, width) - 0.05
    bodies = {name: table.things[name].body for name in table.graspable()}
    names = [name for name, body in bodies.items() if max(body.length, body.width) <= room]
    if CATALOGUE[table.things[target].kind].hollow:
        names = [name for name in names if bodies[name].half * 2 <= room - 0.02]
    if not names:
        raise Full
    return names


def preposition(table: DrawnTable, target: str) -> str:
    """Whether things are put in a receptacle or on it."""
    return "in" if CATALOGUE[table.things[target].kind].hollow else "on"


def _it(rng: Random, thing: str) -> str:
    return say.say_wish(rng, say.WAYS["answer_object"], a=say.the(thing))


def _has_room(table: DrawnTable, one: str, other: str) -> bool:
    """No third thing is so near that nothing could be put down between."""
    there = table.things[other].at
    rest: Sequence[str] = [name for name in table.things if name not in (one, other)]
    return all(gap(table.things[name].at, there) >= 0.28 for name in rest)

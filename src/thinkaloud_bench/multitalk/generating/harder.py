"""Wishes that meet an obstacle: something in the way, out of sight, or that makes them impossible."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

from thinkaloud_bench.multitalk.episodes import At, AtRest, Swapped, Topic
from thinkaloud_bench.multitalk.generating import phrasings as say
from thinkaloud_bench.multitalk.generating.open import give
from thinkaloud_bench.multitalk.generating.table import (
    COMPACT_KINDS,
    ORDINARY_KINDS,
    RECEPTACLE_KINDS,
    TALL_KINDS,
    DrawnTable,
    Full,
    PlacedThing,
    TableDraft,
    body_of,
    draw_kinds,
    gap,
    roomy,
)
from thinkaloud_bench.multitalk.generating.wishes import answers, at_point, fitting, near, within
from thinkaloud_bench.multitalk.reach import course, usable
from thinkaloud_bench.multitalk.routing import TablePoint
from thinkaloud_worlds.franka import CATALOGUE
from thinkaloud_worlds.franka.camera import USUAL_VIEW
from thinkaloud_worlds.franka.layout import TABLE_X, TABLE_Y

_FROM_TALL = 0.22
"""So far from both ends of the way something tall stands."""


def blocked(rng: Random, table: DrawnTable) -> TableDraft:
    """The target is taken, or something tall stands where a thing has to be carried."""
    return _taken(rng, table) if rng.random() < 0.4 else _walled(rng, table)


def _taken(rng: Random, table: DrawnTable) -> TableDraft:
    """Something else stands where a thing is wanted."""
    names = table.put(draw_kinds(rng, rng.randint(3, 5), COMPACT_KINDS))
    thing, other = rng.sample(names, 2)
    there = table.things[other]
    x, y = round(there.x + rng.choice((0.0, 0.0, 0.01, -0.01)), 2), round(there.y + rng.choice((0.0, 0.01, -0.01)), 2)
    if not table.fits(thing, (x, y), [other]):
        raise Full
    table.spot(there.body)
    where = say.point(rng, x, y)
    request = say.say_wish(rng, say.WAYS["at"], a=say.the(thing), p=where)
    wishes: dict[Topic, str] = {
        **answers(rng, thing, where),
        "instead": f"Move {say.the(other)} out of the way first; anywhere will do for it.",
    }
    return TableDraft(request, (At((thing,), x, y), AtRest((other,))), wishes)


def _walled(rng: Random, table: DrawnTable) -> TableDraft:
    """Something tall stands on the straight way."""
    kinds = draw_kinds(rng, rng.randint(2, 3), COMPACT_KINDS)
    tall = rng.choice([kind for kind in TALL_KINDS if all(each not in kind for each in kinds)])
    names = table.put(kinds)
    thing, other = names[0], names[1]
    swap = rng.random() < 0.3 and (thing, other) in table.exchangeable(names)
    end = table.things[other].at if swap else table.target(thing, lambda p: gap(p, table.things[thing].at) >= 0.45)
    _stand_between(rng, table, tall, table.things[thing].at, end)
    wishes: dict[Topic, str] = {"instead": f"I still want it done. Find a way round {say.the(tall)}."}
    if swap:
        words = {"a": say.the(thing), "b": say.the(other)}
        wishes["pairs"] = say.say_wish(rng, say.WAYS["answer_pair"], **words)
        return TableDraft(say.say_wish(rng, say.WAYS["swap"], **words), (Swapped(thing, other), AtRest()), wishes)
    where = say.point(rng, *end)
    request = say.say_wish(rng, say.WAYS["at"], a=say.the(thing), p=where)
    return TableDraft(request, (At((thing,), *end), AtRest()), answers(rng, thing, where) | wishes)


def _stand_between(rng: Random, table: DrawnTable, tall: str, start: TablePoint, end: TablePoint) -> None:
    """Put something tall on the way from one place to another."""
    body = body_of(tall)
    others = [each.at for each in table.things.values()]
    way = [(round(x, 2), round(y, 2)) for x, y in course(start, end)]
    good = [
        place
        for place in way
        if gap(place, start) >= _FROM_TALL and gap(place, end) >= _FROM_TALL and usable(body, place)
        if all(gap(place, other) >= 0.2 for other in others)
    ]
    if not good:
        raise Full
    table.add(PlacedThing(tall, tall, *rng.choice(good)))


def hidden(rng: Random, table: DrawnTable) -> TableDraft:
    """What is wanted cannot be seen at first: it comes later, or something stands before it."""
    if rng.random() < 0.4:
        return _behind(rng, table)
    kinds = draw_kinds(rng, rng.randint(3, 5))
    how = rng.choice(("at", "at", "give", "within", "near"))
    names = table.put([*kinds[:4], rng.choice(RECEPTACLE_KINDS)] if how == "within" else kinds)
    if how == "give":
        draft = give(rng, table, names[0], among=names[:1])
    elif how == "near":
        draft = near(rng, table, names[0])
    elif how == "within":
        if names[0] not in fitting(table, names[-1]):
            raise Full
        draft = within(rng, table, names[0])
    else:
        draft = at_point(rng, table, names[0])
    return replace(draft, late=(names[0],))


def _behind(rng: Random, table: DrawnTable) -> TableDraft:
    """Something low behind something high, as the camera sees it; only looking from all sides finds it."""
    low = [kind for kind in COMPACT_KINDS if CATALOGUE[kind].size[2] <= 0.07]
    high = [
        kind
        for kind in (*ORDINARY_KINDS, *TALL_KINDS)
        if CATALOGUE[kind].size[2] >= 0.17 and CATALOGUE[kind].across >= 0.03
    ]
    kinds = draw_kinds(rng, 1, low)
    screen = draw_kinds(rng, 1, high, kinds)[0]
    thing = table.put(kinds)[0]
    x, y = table.things[thing].at
    away = math.atan2(USUAL_VIEW[1] - y, USUAL_VIEW[0] - x)
    far = rng.uniform(0.16, 0.20)
    place = (round(x + far * math.cos(away), 2), round(y + far * math.sin(away), 2))
    body = body_of(screen)
    if not usable(body, place) or not roomy(body, place, table.things[thing].body, (x, y)):
        raise Full
    table.add(PlacedThing(screen, screen, *place))
    table.put(draw_kinds(rng, rng.randint(1, 3), COMPACT_KINDS, [*kinds, screen]))
    draft = give(rng, table, thing, among=[thing]) if rng.random() < 0.3 else at_point(rng, table, thing)
    return replace(draft, unseen=(thing,))


def infeasible(rng: Random, table: DrawnTable) -> TableDraft:
    """Outside the table, on the arm's own base, too wide for the hand, not there at all, or against itself."""
    how = rng.choice(("outside", "outside", "base", "wide", "missing", "missing", "both"))
    kinds = draw_kinds(rng, rng.randint(2, 4))
    names = table.put([*kinds, rng.choice(RECEPTACLE_KINDS)] if how == "wide" else kinds)
    thing = names[-1] if how == "wide" else names[0]
    if how == "missing":
        absent = draw_kinds(rng, 1, ORDINARY_KINDS, kinds)[0]
        place = table.spot(body_of(absent))
        where = say.point(rng, *place)
        if rng.random() < 0.5:
            request = say.say_wish(rng, say.WAYS["give"], a=say.the(absent))
        else:
            request = say.say_wish(rng, say.WAYS["at"], a=say.the(absent), p=where)
        return TableDraft(request, (), answers(rng, absent, where), why=f"there is no {absent}")
    if how == "both":
        return _both(rng, table, thing)
    place = {"outside": _outside, "base": _base}[how](rng) if how != "wide" else table.target(thing)
    why = {
        "outside": "the place lies outside the table",
        "base": "the arm itself stands there",
        "wide": f"{say.the(thing)} is too wide for the hand",
    }[how]
    where = say.point(rng, *place)
    request = say.say_wish(rng, say.WAYS["at"], a=say.the(thing), p=where)
    return TableDraft(request, (), answers(rng, thing, where), why=why)


def _both(rng: Random, table: DrawnTable, thing: str) -> TableDraft:
    """A thing at two places at the same time."""
    p, q = (say.point(rng, *table.target(thing)) for _ in range(2))
    request = say.say_wish(rng, say.WAYS["both_places"], a=say.the(thing), p=p, q=q)
    wishes: dict[Topic, str] = {"object": f"{say.begin_sentence(say.the(thing))}.", "place": "Both, as I said."}
    return TableDraft(request, (), wishes, why="a thing cannot be in two places")


def _outside(rng: Random) -> TablePoint:
    """A point beside the table."""
    x, y = rng.uniform(*TABLE_X), rng.uniform(*TABLE_Y)
    beyond = rng.uniform(0.08, 0.4)
    side = rng.choice(("far", "left", "right", "back"))
    if side in ("far", "back"):
        x = TABLE_X[1] + beyond if side == "far" else TABLE_X[0] - beyond
    else:
        y = TABLE_Y[1] + beyond if side == "left" else TABLE_Y[0] - beyond
    return (round(x, 2), round(y, 2))


def _base(rng: Random) -> TablePoint:
    """A point that the arm's base takes up."""
    return (round(rng.uniform(-0.05, 0.06), 2), round(rng.uniform(-0.06, 0.06), 2))

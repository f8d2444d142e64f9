"""Wishes that meet an obstacle: something in the way, out of sight, or that makes them impossible; or another wish."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from thinkaloud.methods.multitalk.short_answers import INSTEAD, NO_WAY, WHERE
from thinkaloud.methods.multitalk.short_dialogue import render_short_dialogue
from thinkaloud.worlds.franka.layout import TABLE_X, TABLE_Y
from training.demonstrators.multitalk import wording as say
from training.demonstrators.multitalk.faults import finish
from training.demonstrators.multitalk.speaking import point, reply, sentence, the
from training.demonstrators.multitalk.tables import Point, Table, Thing, distinct, laid, some_kinds
from training.demonstrators.multitalk.talks import Deed, Talk, put
from training.demonstrators.multitalk.things import PURPOSES, any_kind, kind_for
from training.demonstrators.multitalk.wishes import at_words, chosen, free, in_or_on, ordinary, unfit
from training.words import one

Rng = np.random.Generator
COLLISION = "Collision detected between {} and {}."


# In the way -----------------------------------------------------------------------------------------------------------


def taken(rng: Rng) -> Talk:
    """Something stands where a thing is wanted: that is known at once, or the critic says so."""
    table = ordinary(rng, 3, 6)
    if len(table.small) < 2:
        return walled(rng)
    thing, other = chosen(rng, table.small, 2)
    noticed = rng.random() < 0.6
    shift = 0.01 if noticed else 0.05
    place = (round(other.at[0] + shift * int(rng.integers(-1, 2)), 2) + 0.0, round(other.at[1] + shift, 2) + 0.0)
    place = other.at if noticed and rng.random() < 0.5 else place
    talk = Talk(rng, table, at_words(rng, the(rng, thing.name), place))
    name = talk.points[place]
    plan = [put(thing.name, place)]
    if f"{name} is where the {other.name} is" not in _told(talk):
        if rng.random() < 0.5:
            talk.plans(thing.name, plan)
        else:
            talk.planned(thing.name, plan)
        spelled = f"({place[0]:.2f}, {place[1]:.2f})"
        talk.critic(f"{spelled} is not free: {other.name} stands there. Free places: (0.10, 0.40).")
        if rng.random() < 0.2:
            talk.planned(thing.name, plan)
            talk.critic(f"{spelled} is not free: {other.name} stands there. There is no free place left.")
            talk.asks_for(thing.name, NO_WAY, INSTEAD, trouble=True)
            talk.human(reply(rng, [say.said(rng, say.ANSWER_FIRST, o=other.name)]))
    talk.plans(f"{thing.name}, {other.name}", [put(other.name, "aside"), *plan])
    return talk


def _told(talk: Talk) -> str:
    return render_short_dialogue(talk.monologue, talk.deeds)


def _either(rng: Rng, a: str, b: str) -> tuple[str, str]:
    return (a, b) if rng.random() < 0.55 else (one(rng, ("the hand", "the hand", "the arm")), b)


def walled(rng: Rng) -> Talk:
    """Something tall stands on the way: the simulator finds out, and another way is taken."""
    table = ordinary(rng, 3, 6, wide=0.3)
    if len(table.small) < 3:
        return hidden(rng)
    thing, other, tall = chosen(rng, table.small, 3)
    luck = rng.random()
    place = free(rng, table)
    if luck < 0.55:
        request, plan, meant = at_words(rng, the(rng, thing.name), place), [put(thing.name, place)], thing.name
    elif luck < 0.75 or not table.wide:
        request = sentence(rng, say.said(rng, say.SWAP, a=the(rng, thing.name), b=the(rng, other.name)))
        plan, meant = [Deed("exchange", (thing.name, other.name))], f"{thing.name}, {other.name}"
    else:
        target = table.wide[0]
        words = {
            "a": the(rng, thing.name),
            "r": the(rng, target.name),
            "in_to": in_or_on(target),
            "in_it": in_or_on(target),
        }
        request = sentence(rng, say.said(rng, say.INTO, **words))
        plan, meant = [put(thing.name, f"{in_or_on(target)} the {target.name}")], f"{thing.name}, {target.name}"
    talk = Talk(rng, table, request)
    if rng.random() < 0.4:
        talk.plans(meant, plan)
    else:
        talk.planned(meant, plan)
    talk.simulator(COLLISION.format(*_either(rng, thing.name, tall.name)))
    again = [Deed(deed.form, deed.things, deed.where, tall.name) for deed in plan]
    if rng.random() < 0.15:  # somebody is stuck, and is told to go on
        talk.planned(meant, plan)
        talk.simulator(COLLISION.format(thing.name, tall.name))
        talk.asks_for(meant, NO_WAY, INSTEAD, trouble=True)
        talk.human(reply(rng, [say.said(rng, say.ANSWER_ROUND, o=tall.name)]))
    talk.plans(meant, again)
    if rng.random() < 0.15:
        talk.simulator(COLLISION.format(thing.name, tall.name))
        talk.plans(meant, [put(tall.name, "aside"), *plan, put(tall.name, "back")])
    return talk


def covered(rng: Rng) -> Talk:
    """Something stands on what is to be taken."""
    table = ordinary(rng, 3, 5)
    if len(table.small) < 2:
        return walled(rng)
    thing, other = chosen(rng, table.small, 2)
    place = free(rng, table)
    talk = Talk(rng, table, at_words(rng, the(rng, thing.name), place))
    plan = [put(thing.name, place)]
    talk.planned(thing.name, plan)
    talk.critic(f"{thing.name} cannot be grasped while {other.name} stands on it. Move {other.name} first.")
    talk.plans(thing.name, [put(other.name, "aside"), *plan])
    return talk


# Out of sight ---------------------------------------------------------------------------------------------------------


def hidden(rng: Rng) -> Talk:
    """What is wanted is not in view; a second look shows it, or it does not."""
    table = ordinary(rng, 2, 5, twice=0.1)
    absent = any_kind(rng)
    everything = distinct([*(thing.kind for thing in table.things), absent])
    if everything[-1:] != [absent] or sum(k.name == absent.name for k in everything) > 1:
        return taken(rng)
    table.things.insert(int(rng.integers(len(table.things) + 1)), Thing(absent.name, absent, free(rng, table)))
    table.late = frozenset((absent.name,))
    comes, place_open, place = rng.random() < 0.6, rng.random() < 0.4, free(rng, table)
    spoken = the(rng, absent.name)
    near = chosen(rng, [t for t in table.things if t.name != absent.name])[0] if rng.random() < 0.25 else None
    if place_open:
        request = sentence(rng, say.said(rng, say.GIVE if rng.random() < 0.7 else say.ELSEWHERE, a=spoken))
    elif near is not None and not near.flat and not near.hollow:
        request = sentence(rng, say.said(rng, say.NEAR, a=spoken, b=the(rng, near.name)))
    else:
        near, request = None, at_words(rng, spoken, place)
    talk = Talk(rng, table, request)
    talk.looks(absent.name, decided=bool(rng.random() < 0.5), again=comes)
    if not comes:
        talk.gone = (absent.name,) if rng.random() < 0.8 else ()
        return _not_there(rng, talk, absent.name, place, place_open=place_open)
    deed = put(absent.name, f"next to the {near.name}" if near is not None else place)
    if place_open:
        talk.asks_for(absent.name, WHERE)
        talk.human(reply(rng, [say.said(rng, say.ANSWER_PLACE, p=point(rng, place))]))
        deed = put(absent.name, place)
    return finish(talk, absent.name, [deed])


def _not_there(rng: Rng, talk: Talk, name: str, place: Point, *, place_open: bool) -> Talk:
    talk.asks_for(f"{name}, not here", f"There is no {name} here.", INSTEAD, trouble=bool(rng.random() < 0.5))
    if rng.random() < 0.35:
        other = chosen(rng, [t for t in talk.table.small if t.name != name])[0].name
        end = f" {one(rng, ('to', 'at'))} {point(rng, place)}" if place_open or rng.random() < 0.3 else ""
        said = say.said(
            rng,
            ("then [take|bring|use] {o}[ instead|]", "{o} [will do|then|instead]", "[take|give me] {o}"),
            o=the(rng, other),
        )
        talk.gone = ()
        talk.human(reply(rng, [said + end]))
        known = talk.points
        talk.plans(other, [put(other, place if place in known else "aside")])
    return talk


def purpose_gone(rng: Rng) -> Talk:
    """Something for a purpose that nothing here serves."""
    use = one(rng, tuple(PURPOSES))
    kinds = distinct(unfit(rng, use, int(rng.integers(2, 5))))
    if not kinds:
        return hidden(rng)
    table = laid(rng, kinds)
    spoken, place = say.said(rng, say.PURPOSE[use]), free(rng, table)
    what = {"food": "food", "cleaning": "cleaning thing", "kitchen": "kitchenware"}.get(use, use)
    comes = rng.random() < 0.4
    if comes:
        extra = kind_for(rng, one(rng, PURPOSES[use]))
        if distinct([*kinds, extra])[-1] != extra:
            return hidden(rng)
        table.things.append(Thing(extra.name, extra, free(rng, table)))
        table.late = frozenset((extra.name,))
    place_open = rng.random() < 0.5
    request = sentence(rng, say.said(rng, say.GIVE, a=spoken)) if place_open else at_words(rng, spoken, place)
    talk = Talk(rng, table, request)
    talk.looks(what, decided=True, again=comes)
    if not comes:
        talk.asks_for(f"{what}, not here", f"There is no {what} here.", INSTEAD)
        return talk
    name = next(iter(table.late))
    if place_open:
        talk.asks_for(name, WHERE)
        talk.human(reply(rng, [say.said(rng, say.ANSWER_PLACE, p=point(rng, place))]))
    return finish(talk, name, [put(name, place)])


# Impossible -----------------------------------------------------------------------------------------------------------


def no_place(rng: Rng) -> Talk:
    """A point outside the table, on the arm's own base, or out of its reach; said at once or when asked."""
    table = ordinary(rng)
    thing = chosen(rng, table.small)[0]
    place = _outside(rng) if rng.random() < 0.6 else _base(rng) if rng.random() < 0.7 else _close(rng)
    if rng.random() < 0.75:
        talk = Talk(rng, table, at_words(rng, the(rng, thing.name), place))
    else:
        talk = Talk(rng, table, sentence(rng, say.said(rng, say.GIVE, a=the(rng, thing.name))))
        talk.asks_for(thing.name, WHERE)
        talk.human(reply(rng, [say.said(rng, say.ANSWER_PLACE, p=point(rng, place))]))
    why = talk.deeds.render_remark(talk.state, place)
    known = (" is outside the table", " is where the arm itself stands", " is out of reach")
    if why not in known:
        return finish(talk, thing.name, [put(thing.name, place)])
    talk.asks_for(thing.name, f"{talk.points[place]}{why}.", INSTEAD)
    if rng.random() < 0.4:
        other = free(rng, table)
        talk.human(
            reply(
                rng, [say.said(rng, ("then ", "ok, then ", "")) + say.said(rng, say.ANSWER_PLACE, p=point(rng, other))]
            )
        )
        talk.plans(thing.name, [put(thing.name, other)])
    return talk


def _outside(rng: Rng) -> Point:
    x, y = rng.uniform(*TABLE_X), rng.uniform(*TABLE_Y)
    beyond = rng.uniform(0.05, 0.5) * (1 if rng.random() < 0.5 else -1)
    if rng.random() < 0.5:
        x = (TABLE_X[1] if beyond > 0 else TABLE_X[0]) + beyond
    else:
        y = (TABLE_Y[1] if beyond > 0 else TABLE_Y[0]) + beyond
    return round(float(x), 2) + 0.0, round(float(y), 2) + 0.0


def _base(rng: Rng) -> Point:
    return round(float(rng.uniform(-0.1, 0.1)), 2) + 0.0, round(float(rng.uniform(-0.1, 0.1)), 2) + 0.0


def _close(rng: Rng) -> Point:
    """On the table, and too near to the arm's base."""
    return round(float(rng.uniform(-0.13, 0.0)), 2) + 0.0, round(float(rng.choice((-1, 1)) * rng.uniform(0.2, 0.25)), 2)


def too_wide(rng: Rng) -> Talk:
    """What things are put on or into is too wide to be taken itself."""
    table = laid(rng, some_kinds(rng, 1, 4), flat=int(rng.random() < 0.6), hollow=1)
    while not table.wide:  # there was no room left for it
        table = laid(rng, some_kinds(rng, 1, 4), flat=int(rng.random() < 0.6), hollow=1)
    wide = chosen(rng, table.wide)[0].name
    spoken, place = the(rng, wide), free(rng, table)
    other = chosen(rng, table.small)[0].name
    requests: tuple[Callable[[], str], ...] = (
        lambda: at_words(rng, spoken, place),
        lambda: at_words(rng, spoken, place),
        lambda: sentence(rng, say.said(rng, say.GIVE, a=spoken)),
        lambda: sentence(rng, say.said(rng, say.NEAR, a=spoken, b=the(rng, other))),
        lambda: sentence(rng, say.said(rng, say.SWAP, a=spoken, b=the(rng, other))),
    )
    talk = Talk(rng, table, requests[int(rng.integers(len(requests)))]())
    talk.asks_for(wide, f"The {wide} is too wide for the hand.", INSTEAD)
    return talk


def two_places(rng: Rng) -> Talk:
    """A thing at two places at once."""
    table = ordinary(rng)
    name = chosen(rng, table.small)[0].name
    p = free(rng, table)
    q = free(rng, table, [p])
    words = {"a": the(rng, name), "p": point(rng, p), "q": point(rng, q)}
    talk = Talk(rng, table, sentence(rng, say.said(rng, say.TWO_PLACES, **words)))
    talk.asks_for(name, f"The {name} cannot be in two places.", INSTEAD)
    if rng.random() < 0.3:
        place = p if rng.random() < 0.5 else q
        talk.human(reply(rng, [say.said(rng, say.ANSWER_PLACE, p=point(rng, place))]))
        talk.plans(name, [put(name, place)])
    return talk


def stuck(rng: Rng) -> Talk:
    """The critic refuses a place for good, and the planner has nothing else to offer."""
    table = ordinary(rng)
    thing = chosen(rng, table.small)[0]
    place = free(rng, table)
    talk = Talk(rng, table, at_words(rng, the(rng, thing.name), place))
    talk.planned(thing.name, [put(thing.name, place)])
    spelled, far = f"({place[0]:.2f}, {place[1]:.2f})", one(rng, ("too far away", "too near to its base"))
    why = (
        f"{thing.name} would stick out over the edge at {spelled}. Free places: (0.10, 0.40).",
        f"The arm does not reach {spelled}: it is {far}. Free places: (0.1, 0.4).",
        f"{thing.name} is too wide to be grasped: the hand opens 0.08 m.",
    )
    kind = int(rng.integers(3))
    talk.critic(why[kind])
    name = talk.points[place]
    told = (f"{name} is out of reach.", f"{name} is out of reach.", f"The {thing.name} is too wide for the hand.")
    talk.asks_for(thing.name, told[kind], INSTEAD, trouble=bool(rng.random() < 0.5))
    return talk


# Another wish ---------------------------------------------------------------------------------------------------------


def changed_mind(rng: Rng) -> Talk:
    """Something is in the hand already, and somebody says otherwise."""
    table: Table = ordinary(rng)
    thing = chosen(rng, table.small)[0]
    table.held = thing.name
    table.on.pop(thing.name, None)
    place = free(rng, table)
    if rng.random() < 0.6:
        talk = Talk(rng, table, sentence(rng, say.said(rng, say.NOT_THAT, p=point(rng, place))))
        return finish(talk, thing.name, [put(thing.name, place)])
    others = [t.name for t in table.small if t.name != thing.name]
    if not others:
        return stuck(rng)
    other = one(rng, others)
    request = "no, " + at_words(rng, the(rng, other), place)
    return finish(Talk(rng, table, request), other, [put(other, place)])


HARDER: tuple[tuple[Callable[[Rng], Talk], float], ...] = (
    (taken, 1.6),
    (walled, 1.6),
    (covered, 0.2),
    (hidden, 1.8),
    (purpose_gone, 0.4),
    (no_place, 1.4),
    (too_wide, 0.9),
    (two_places, 0.7),
    (stuck, 0.4),
    (changed_mind, 0.4),
)

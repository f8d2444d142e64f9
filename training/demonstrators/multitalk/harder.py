"""Wishes that meet an obstacle: something in the way, out of sight, or that makes them impossible."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from thinkaloud_worlds.franka.layout import TABLE_X, TABLE_Y
from training.demonstrators.multitalk import questions
from training.demonstrators.multitalk import wording as say
from training.demonstrators.multitalk.faults import exchange_hastily, finish
from training.demonstrators.multitalk.placing import Crowded, pair
from training.demonstrators.multitalk.speaking import point, reply, sentence, the
from training.demonstrators.multitalk.tables import Point, Thing, distinct, laid, some_kinds
from training.demonstrators.multitalk.talks import Deed, Talk, arm, put
from training.demonstrators.multitalk.things import PURPOSES, any_kind, kind_for
from training.demonstrators.multitalk.wishes import at_words, chosen, free, in_or_on, ordinary, unfit
from training.words import one

Rng = np.random.Generator
COLLISION = "Collision detected between {} and {}."
NO_MORE = "The person does not want it any more."


# In the way -----------------------------------------------------------------------------------------------------------


def taken(rng: Rng) -> Talk:
    """Something stands where a thing is wanted: that is seen at once, or the simulator runs into it."""
    table = ordinary(rng, 3, 6)
    if len(table.small) < 2:
        raise Crowded
    thing, other = chosen(rng, table.small, 2)
    shift = 0.01 * int(rng.integers(0, 4))
    place = (round(other.at[0] + shift * int(rng.integers(-1, 2)), 2) + 0.0, round(other.at[1] + shift, 2) + 0.0)
    talk = Talk(rng, table, at_words(rng, the(rng, thing.name), place))
    plan = talk.make([put(thing.name, place)])
    if rng.random() < 0.3:
        thought = f"What: {thing.name}. Where: {pair(place)}."
        hasty = type(plan)(thought, (*plan.steps[2:],), plan.deeds)
        talk.checked(hasty, (2, f"{other.name} stands at {pair(other.at)}."))
        talk.planned(hasty)
        if rng.random() < 0.5:
            talk.critic((2, f"{other.name} stands at {pair(other.at)}."))
        else:
            talk.simulator(2, COLLISION.format(thing.name, other.name))
    talk.plans(plan)
    return talk


def walled(rng: Rng) -> Talk:
    """Something tall stands on the way: the simulator finds out, and it is put aside meanwhile."""
    table = ordinary(rng, 3, 5, wide=0.3)
    if len(table.small) < 3:
        raise Crowded
    thing, other, tall = chosen(rng, table.small, 3)
    luck, place = rng.random(), free(rng, table)
    if luck < 0.6:
        request, deed = at_words(rng, the(rng, thing.name), place), put(thing.name, place)
    elif luck < 0.8 or not table.wide:
        request = sentence(rng, say.said(rng, say.SWAP, a=the(rng, thing.name), b=the(rng, other.name)))
        deed = Deed("exchange", (thing.name, other.name))
    else:
        target, into = table.wide[0], in_or_on(table.wide[0])
        words = {"a": the(rng, thing.name), "r": the(rng, target.name), "in_to": into, "in_it": into}
        request, deed = sentence(rng, say.said(rng, say.INTO, **words)), put(thing.name, f"{into} the {target.name}")
    talk = Talk(rng, table, request)
    first = talk.plans([deed]) if rng.random() < 0.4 else talk.planned(talk.make([deed]))
    step = 2 * int(rng.integers(len(first.steps) // 2)) + 2
    runs = one(rng, (thing.name, thing.name, "the hand", "the arm"))
    talk.simulator(step, COLLISION.format(runs, tall.name))
    again = [Deed(deed.form, deed.things, deed.where, tall.name)]
    made = talk.make(again)
    if rng.random() < 0.2:  # the place on the way was not a good one
        aside = (float(made.steps[1].arguments["x"]), float(made.steps[1].arguments["y"]))
        talk.planned(made)
        talk.simulator(2, COLLISION.format(tall.name, one(rng, [t.name for t in table.things if t is not tall])))
        talk.plans(again, banned=[aside], remark=f"{pair(aside)} is too near.")
    else:
        talk.plans(made)
    return talk


def too_near(rng: Rng) -> Talk:
    """An exchange by way of a place that is too near to others, as in the paper's second figure."""
    table = ordinary(rng, 2, 5, wide=0.1)
    if len(table.small) < 2:
        raise Crowded
    a, b = (thing.name for thing in chosen(rng, table.small, 2))
    talk = Talk(rng, table, sentence(rng, say.said(rng, say.SWAP, a=the(rng, a), b=the(rng, b))))
    right = talk.make([Deed("exchange", (a, b))])
    x, y = talk.at(a)
    bad = (
        round(x + float(rng.choice((-0.03, 0.03, 0.0))), 2) + 0.0,
        round(y + float(rng.choice((-0.08, 0.08))), 2) + 0.0,
    )
    steps = list(right.steps)
    for at in (1, 4):
        point_ = {**steps[at].arguments, "x": bad[0], "y": bad[1]}
        steps[at] = type(steps[at])(steps[at].skill, point_, steps[at].words, steps[at].reason)
    hasty = exchange_hastily(talk, right)
    if hasty is not None and rng.random() < 0.5:  # what the analyzer finds comes first, as in the figure
        talk.planned(hasty[0])
        talk.critic(*hasty[1])
    thought = f"What: {a} and {b}. Where: each where the other is. {a} goes aside first, to {pair(bad)}."
    talk.planned(type(right)(thought, tuple(steps), right.deeds))
    talk.simulator(4, COLLISION.format(b, a))
    talk.plans([Deed("exchange", (a, b))], banned=[bad], remark=f"{pair(bad)} is too near to where {a} was.")
    return talk


# Out of sight ---------------------------------------------------------------------------------------------------------


def hidden(rng: Rng) -> Talk:
    """What is wanted is not in view; a second look shows it, or it does not."""
    table = ordinary(rng, 2, 5, twice=0.1)
    absent = any_kind(rng)
    everything = distinct([*(thing.kind for thing in table.things), absent])
    if everything[-1:] != [absent] or sum(k.name == absent.name for k in everything) > 1:
        raise Crowded
    table.things.insert(int(rng.integers(len(table.things) + 1)), Thing(absent.name, absent, free(rng, table)))
    table.late = frozenset((absent.name,))
    comes, place_open, place = rng.random() < 0.6, rng.random() < 0.4, free(rng, table)
    spoken = the(rng, absent.name)
    near = chosen(rng, [t for t in table.things if t.name != absent.name])[0] if rng.random() < 0.25 else None
    deed, where = put(absent.name, place), pair(place)
    if place_open:
        request, where = (
            sentence(rng, say.said(rng, say.GIVE if rng.random() < 0.7 else say.ELSEWHERE, a=spoken)),
            "not said",
        )
    elif near is not None and not near.flat and not near.hollow:
        request = sentence(rng, say.said(rng, say.NEAR, a=spoken, b=the(rng, near.name)))
        deed, where = put(absent.name, f"next to the {near.name}"), f"next to {near.name}"
    else:
        request = at_words(rng, spoken, place)
    talk = Talk(rng, table, request)
    talk.looks(f"What: {absent.name}, not in the environment. Where: {where}.", again=comes)
    if not comes:
        return _not_there(rng, talk, absent.name, place, place_open=place_open)
    if place_open:
        talk.asks_for(f"What: {absent.name}. Where: not said.", questions.where(rng, f"the {absent.name}"))
        talk.human(reply(rng, [say.said(rng, say.ANSWER_PLACE, p=point(rng, place))]))
    return finish(talk, [deed])


def _not_there(rng: Rng, talk: Talk, name: str, place: Point, *, place_open: bool) -> Talk:
    talk.asks_for(f"What: {name}, still not in the environment.", questions.instead(rng, f"There is no {name} here."))
    luck = rng.random()
    if luck < 0.35:
        other = chosen(rng, [t for t in talk.table.small if t.name != name])[0].name
        end = f" {one(rng, ('to', 'at'))} {point(rng, place)}" if place_open or rng.random() < 0.3 else ""
        templates = ("then [take|bring|use] {o}[ instead|]", "{o} [will do|then|instead]", "[take|give me] {o}")
        talk.human(reply(rng, [say.said(rng, templates, o=the(rng, other)) + end]))
        talk.plans([put(other, place if end or not place_open else "aside")])
    elif luck < 0.6:
        _left(rng, talk)
    return talk


def _left(rng: Rng, talk: Talk) -> None:
    """The person gives it up."""
    talk.human(reply(rng, [say.said(rng, say.LEAVE_IT)]))
    talk.leaves(NO_MORE)


def purpose_gone(rng: Rng) -> Talk:
    """Something for a purpose that nothing here serves."""
    use = one(rng, tuple(PURPOSES))
    kinds = distinct(unfit(rng, use, int(rng.integers(2, 5))))
    if not kinds:
        raise Crowded
    table = laid(rng, kinds)
    spoken, place = say.said(rng, say.PURPOSE[use]), free(rng, table)
    what = {"food": "food", "cleaning": "cleaning thing", "kitchen": "kitchenware"}.get(use, use)
    comes = rng.random() < 0.4
    if comes:
        extra = kind_for(rng, one(rng, PURPOSES[use]))
        if distinct([*kinds, extra])[-1] != extra:
            raise Crowded
        table.things.append(Thing(extra.name, extra, free(rng, table)))
        table.late = frozenset((extra.name,))
    place_open = rng.random() < 0.5
    request = sentence(rng, say.said(rng, say.GIVE, a=spoken)) if place_open else at_words(rng, spoken, place)
    talk = Talk(rng, table, request)
    where = "not said" if place_open else pair(place)
    talk.looks(f"What: {what}, and no object in the environment is that. Where: {where}.", again=comes)
    if not comes:
        talk.asks_for(
            f"What: {what}, still not in the environment.", questions.instead(rng, f"There is no {what} here.")
        )
        return talk
    name = next(iter(table.late))
    if place_open:
        talk.asks_for(f"What: {name}. Where: not said.", questions.where(rng, f"the {name}"))
        talk.human(reply(rng, [say.said(rng, say.ANSWER_PLACE, p=point(rng, place))]))
    return finish(talk, [put(name, place)])


# Impossible -----------------------------------------------------------------------------------------------------------


def no_place(rng: Rng) -> Talk:
    """A point outside the table, or on the arm's own base; said at once or when asked."""
    table = ordinary(rng)
    thing = chosen(rng, table.small)[0]
    wider = rng.random() < 0.3
    bounds = (
        (TABLE_X[0], round(TABLE_X[1] + 0.05 * int(rng.integers(1, 8)), 2), *TABLE_Y) if wider else (*TABLE_X, *TABLE_Y)
    )
    if wider:
        side = round(TABLE_Y[1] + 0.04 * int(rng.integers(1, 8)), 2)
        bounds = (*bounds[:2], -side, side)
    place, why = _outside(rng, bounds) if rng.random() < 0.65 else (_base(rng), "")
    robot = arm(bounds) if wider else arm()
    if rng.random() < 0.75:
        talk = Talk(rng, table, at_words(rng, the(rng, thing.name), place), robot=robot)
    else:
        talk = Talk(rng, table, sentence(rng, say.said(rng, say.GIVE, a=the(rng, thing.name))), robot=robot)
        talk.asks_for(f"What: {thing.name}. Where: not said.", questions.where(rng, f"the {thing.name}"))
        talk.human(reply(rng, [say.said(rng, say.ANSWER_PLACE, p=point(rng, place))]))
    told = f"{pair(place)} lies outside the table." if why else f"The arm itself stands at {pair(place)}."
    thought = f"but {why}: outside the table." if why else "which is where the base of the arm stands."
    talk.asks_for(f"What: {thing.name}. Where: {pair(place)}, {thought}", questions.instead(rng, told))
    luck = rng.random()
    if luck < 0.4:
        other = free(rng, table)
        lead = one(rng, ("then ", "ok, then ", ""))
        talk.human(reply(rng, [lead + say.said(rng, say.ANSWER_PLACE, p=point(rng, other))]))
        talk.plans([put(thing.name, other)])
    elif luck < 0.6:
        _left(rng, talk)
    return talk


def _outside(rng: Rng, bounds: tuple[float, ...]) -> tuple[Point, str]:
    left, right, low, high = bounds
    x, y = round(float(rng.uniform(left, right)), 2) + 0.0, round(float(rng.uniform(low, high)), 2) + 0.0
    beyond = round(float(rng.uniform(0.05, 0.5)), 2)
    if rng.random() < 0.5:
        more = rng.random() < 0.6
        x = round(right + beyond if more else left - beyond, 2)
        return (x, y), f"x = {x:.2f} is {f'more than {right}' if more else f'less than {left}'}"
    more = rng.random() < 0.5
    y = round(high + beyond if more else low - beyond, 2)
    return (x, y), f"y = {y:.2f} is {f'more than {high}' if more else f'less than {low}'}"


def _base(rng: Rng) -> Point:
    return round(float(rng.uniform(-0.1, 0.1)), 2) + 0.0, round(float(rng.uniform(-0.1, 0.1)), 2) + 0.0


def too_wide(rng: Rng) -> Talk:
    """What things are put on or into is too wide to be taken itself."""
    table = laid(rng, some_kinds(rng, 1, 4), flat=int(rng.random() < 0.6), hollow=1)
    if not table.wide or not table.small:
        raise Crowded
    wide = chosen(rng, table.wide)[0]
    spoken, place = the(rng, wide.name), free(rng, table)
    other = chosen(rng, table.small)[0].name
    requests: tuple[Callable[[], str], ...] = (
        lambda: at_words(rng, spoken, place),
        lambda: at_words(rng, spoken, place),
        lambda: sentence(rng, say.said(rng, say.GIVE, a=spoken)),
        lambda: sentence(rng, say.said(rng, say.NEAR, a=spoken, b=the(rng, other))),
        lambda: sentence(rng, say.said(rng, say.SWAP, a=spoken, b=the(rng, other))),
    )
    talk = Talk(rng, table, requests[int(rng.integers(len(requests)))]())
    length, width, _ = wide.kind.size
    thought = f"What: {wide.name}, which is {length:.2f} by {width:.2f}: too wide for the hand, which opens 0.08."
    talk.asks_for(thought, questions.instead(rng, f"The {wide.name} is too wide for the hand."))
    if rng.random() < 0.25:
        _left(rng, talk)
    return talk


def two_places(rng: Rng) -> Talk:
    """A thing at two places at once."""
    table = ordinary(rng)
    name = chosen(rng, table.small)[0].name
    p = free(rng, table)
    q = free(rng, table, [p])
    words = {"a": the(rng, name), "p": point(rng, p), "q": point(rng, q)}
    talk = Talk(rng, table, sentence(rng, say.said(rng, say.TWO_PLACES, **words)))
    thought = f"What: {name}. Where: {pair(p)} and {pair(q)}, but it cannot be at both."
    talk.asks_for(thought, questions.instead(rng, f"The {name} cannot be in two places at once."))
    if rng.random() < 0.3:
        place = p if rng.random() < 0.5 else q
        talk.human(reply(rng, [say.said(rng, say.ANSWER_PLACE, p=point(rng, place))]))
        talk.plans([put(name, place)])
    return talk


def stuck(rng: Rng) -> Talk:
    """The simulator refuses a place for good, and the planner has nothing else to offer."""
    table = ordinary(rng)
    thing = chosen(rng, table.small)[0]
    place = free(rng, table)
    talk = Talk(rng, table, at_words(rng, the(rng, thing.name), place))
    talk.planned(talk.make([put(thing.name, place)]))
    far = one(rng, ("too far away", "too near to its base"))
    error = f"The arm does not reach {pair(place)}: it is {far}."
    talk.simulator(2, error)
    thought = f"What: {thing.name}. Where: {pair(place)}, but the arm does not reach it."
    talk.asks_for(thought, questions.instead(rng, f"The arm does not reach {pair(place)}."))
    if rng.random() < 0.3:
        other = free(rng, table, [place])
        talk.human(reply(rng, [say.said(rng, say.ANSWER_PLACE, p=point(rng, other))]))
        talk.plans([put(thing.name, other)])
    return talk


# Nothing to do, and another wish --------------------------------------------------------------------------------------


def there_already(rng: Rng) -> Talk:
    """A thing is wanted where it is."""
    table = ordinary(rng)
    thing = chosen(rng, table.small)[0]
    if thing.name in table.on:
        raise Crowded
    talk = Talk(rng, table, at_words(rng, the(rng, thing.name), thing.at))
    talk.leaves(f"What: {thing.name} at {pair(thing.at)}. Where: {pair(thing.at)}, where it is already.")
    return talk


def disagreed(rng: Rng) -> Talk:
    """A person who was shown the plan wants it otherwise, or what was said could not be read."""
    table = ordinary(rng)
    thing = chosen(rng, table.small)[0]
    place = free(rng, table)
    other = free(rng, table, [place])
    talk = Talk(rng, table, at_words(rng, the(rng, thing.name), place))
    if rng.random() < 0.6:
        talk.planned(talk.make([put(thing.name, place)]))
        talk.objects(say.said(rng, say.NOT_THAT, p=point(rng, other)))
        talk.plans([put(thing.name, other)])
        return talk
    made = talk.make([put(thing.name, place)])
    wrong = one(rng, ("pick", "place", "put_down", "take", "go_home", "release"))
    words = f"{made.thought}\nStep-by-step Instructions:\n1: {wrong}()"
    talk.refused(words, f"There is no function {wrong!r}. Known: grasp, home, move.")
    talk.plans(made)
    return talk


def changed_mind(rng: Rng) -> Talk:
    """Something is in the hand already, and somebody says otherwise."""
    table = ordinary(rng)
    thing = chosen(rng, table.small)[0]
    table.held = thing.name
    table.on.pop(thing.name, None)
    place = free(rng, table)
    if rng.random() < 0.6:
        talk = Talk(rng, table, sentence(rng, say.said(rng, say.NOT_THAT, p=point(rng, place))))
        talk.plans([put(thing.name, place)])
        return talk
    others = [t.name for t in table.small if t.name != thing.name]
    if not others:
        raise Crowded
    other = one(rng, others)
    talk = Talk(rng, table, "no, " + at_words(rng, the(rng, other), place))
    talk.plans([put(other, place)])
    return talk


HARDER: tuple[tuple[Callable[[Rng], Talk], float], ...] = (
    (taken, 1.6),
    (walled, 1.8),
    (too_near, 0.6),
    (hidden, 1.8),
    (purpose_gone, 0.4),
    (no_place, 1.6),
    (too_wide, 0.9),
    (two_places, 0.7),
    (stuck, 0.3),
    (there_already, 0.4),
    (disagreed, 0.5),
    (changed_mind, 0.4),
)

"""Wishes that leave something open: which thing, where to, in which direction, which with which."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from training.demonstrators.multitalk import questions
from training.demonstrators.multitalk import wording as say
from training.demonstrators.multitalk.faults import finish, spoilt
from training.demonstrators.multitalk.speaking import called, listed, point, reply, sentence, the
from training.demonstrators.multitalk.tables import Point, Table, Thing, distinct, laid, some_kinds
from training.demonstrators.multitalk.talks import Deed, Talk, put
from training.demonstrators.multitalk.things import DOUBTFUL, PURPOSES, kind_for
from training.demonstrators.multitalk.wishes import (
    all_into,
    at_points,
    at_words,
    beside,
    chosen,
    free,
    in_or_on,
    ordinary,
    out_of_the_way,
    place_of,
    region,
    swap,
    swap_both,
    unfit,
    where_other,
)
from training.words import one

Rng = np.random.Generator
ALONE = 0.05
"""How often nobody is there to answer."""
ANY = "in any order"
NOT_ASKED = "was not said, and nobody was asked."
EVERYTHING = ("all things", "everything", "the things", "all the items", "them all", "all objects", "the objects")


def give(rng: Rng) -> Talk:
    """A thing by its name, or one of several of its kind; where to is not said, or it is."""
    table = ordinary(rng, 2, 5, twice=0.0)
    kinds = [thing.kind for thing in table.small]
    several = rng.random() < 0.5
    if several:
        table = laid(rng, [*[kinds[0]] * int(rng.integers(1, 3)), *kinds], hollow=int(rng.random() < 0.15))
    same = [thing for thing in table.small if thing.kind.name == kinds[0].name]
    thing, place = chosen(rng, same)[0], free(rng, table)
    place_open = len(same) == 1 or rng.random() < 0.5
    spoken = f"{one(rng, ('the', 'the', 'the', 'a', 'one', 'that', 'my'))} {kinds[0].name}"
    if not place_open:
        request = at_words(rng, spoken, place)
    elif rng.random() < 0.04:
        request = sentence(rng, say.said(rng, say.FOREIGN_GIVE, a=spoken))
    else:
        request = sentence(rng, say.said(rng, say.GIVE if rng.random() < 0.65 else say.ELSEWHERE, a=spoken))
    return asked(rng, table, request, same, thing, place, place_open=place_open, kind=kinds[0].name)


def purpose(rng: Rng) -> Talk:
    """Something for a purpose: one thing would serve, or several."""
    use = one(rng, tuple(PURPOSES))
    count = int(rng.choice((1, 2, 2, 3)))
    fit = [kind_for(rng, one(rng, PURPOSES[use])) for _ in range(count)]
    kinds = distinct([k for k in fit if k.name not in DOUBTFUL] + unfit(rng, use, int(rng.integers(0, 4))))
    table = laid(rng, kinds, flat=int(rng.random() < 0.1))
    same = [thing for thing in table.small if thing.kind.use in PURPOSES[use]]
    if not same:
        return give(rng)
    thing, place = chosen(rng, same)[0], free(rng, table)
    place_open = rng.random() < 0.5
    spoken = say.said(rng, say.PURPOSE[use])
    request = sentence(rng, say.said(rng, say.GIVE, a=spoken)) if place_open else at_words(rng, spoken, place)
    return asked(rng, table, request, same, thing, place, place_open=place_open, kind="one")


def asked(
    rng: Rng,
    table: Table,
    request: str,
    same: Sequence[Thing],
    thing: Thing,
    place: Point,
    *,
    place_open: bool,
    kind: str,
) -> Talk:
    """Ask which one and where to, if that is open, hear it, and plan."""
    several = len(same) > 1
    talk = Talk(rng, table, request, asks=rng.random() > ALONE)
    names = [each.name for each in table.small if each in same]
    where = "aside" if place_open else place
    if not talk.asks:
        return finish(talk, [put(names[0], where)])
    if several or place_open:
        hasty, wanted = names[0] if several else thing.name, " or ".join(names)
        asked = f"{wanted}{', not said which' * several}{', place not said' * place_open}"
        why = (1, f"whether {wanted} is meant {NOT_ASKED}") if several else (2, f"where {hasty} goes {NOT_ASKED}")
        spoilt(talk, [put(hasty, where)], *why, asked)
        put_to = "not said." if place_open else f"({place[0]:.2f}, {place[1]:.2f})."
        found = f"{wanted}, not said which" if several else f"{thing.name}"
        asking = [questions.which(rng, kind, names)] * several
        asking += [questions.where(rng, "" if several else f"the {kind}" if kind != "one" else "it")] * place_open
        talk.asks_for(f"What: {found}. Where: {put_to}", *asking)
        answers = [_which(rng, table, thing)] * several
        answers, deed = _answered_place(rng, table, thing, place, answers) if place_open else (answers, None)
        talk.human(reply(rng, answers))
        return finish(talk, [deed or put(thing.name, place)])
    return finish(talk, [put(thing.name, place)])


def _which(rng: Rng, table: Table, thing: Thing) -> str:
    if rng.random() < 0.25:
        return say.said(rng, say.ANSWER_AT, p=point(rng, thing.at))
    return say.said(rng, say.ANSWER_OBJECT, n=called(rng, thing.name))


def _answered_place(rng: Rng, table: Table, thing: Thing, place: Point, answers: list[str]) -> tuple[list[str], Deed]:
    """A point mostly, or next to or into something, or anywhere."""
    others = [each for each in table.things if each.name != thing.name]
    luck = rng.random()
    if luck < 0.06:
        return [*answers, say.said(rng, say.DO_NOT_MIND)], put(thing.name, "aside")
    if luck < 0.2 and others:
        other = chosen(rng, others)[0]
        where = place_of(rng, other, into=other.flat or other.hollow)
        near = where.replace("next to", one(rng, ("next to", "beside", "near", "right by", "close to")))
        return [*answers, say.said(rng, say.ANSWER_WORDS, there=near)], put(thing.name, where)
    return [*answers, say.said(rng, say.ANSWER_PLACE, p=point(rng, place))], put(thing.name, place)


def into_open(rng: Rng) -> Talk:
    """Into one of several containers; with only one of them it is clear which."""
    table = laid(rng, some_kinds(rng, 1, 4), flat=int(rng.integers(0, 2)), hollow=int(rng.integers(0, 3)))
    if not table.wide:
        return give(rng)
    thing, target = chosen(rng, table.small)[0], chosen(rng, table.wide)[0]
    talk = Talk(rng, table, sentence(rng, say.said(rng, say.INTO_OPEN, a=the(rng, thing.name))))
    deed = put(thing.name, f"{in_or_on(target)} the {target.name}")
    if len(table.wide) > 1:
        spoilt(talk, [deed], 2, f"where {thing.name} goes {NOT_ASKED}", f"{thing.name} into something, not said which")
        options = " or ".join(f"{in_or_on(each)} {each.name}" for each in table.wide)
        talk.asks_for(f"What: {thing.name}. Where: {options}, not said which.", _into(rng, thing.name, options))
        there = f"{in_or_on(target)} the {target.name}"
        talk.human(reply(rng, [say.said(rng, (*say.ANSWER_WORDS, target.name, "the " + target.name), there=there)]))
    return finish(talk, [deed])


def _into(rng: Rng, name: str, options: str) -> str:
    return say.said(rng, ("Where should I put {a}, {o}?", "Where should {a} go: {o}?"), a=name, o=options)


def swap_open(rng: Rng) -> Talk:
    """Two things, or two pairs of them, change places; which ones has to be asked."""
    pairs = rng.random() < 0.55
    by_kind = pairs and rng.random() < 0.45
    kinds = some_kinds(rng, 2, 2) if by_kind else some_kinds(rng, 4, 6)
    table = laid(rng, [*kinds, *kinds] if by_kind else kinds, flat=int(rng.random() < 0.1))
    names = [thing.name for thing in chosen(rng, table.small, len(table.small))]
    if len(names) < (4 if pairs else 3):
        return swap(rng)
    talk = Talk(
        rng, table, sentence(rng, say.said(rng, say.PAIRS_OPEN if pairs else say.SWAP_OPEN)), asks=rng.random() > ALONE
    )
    if by_kind:
        k, m = (kind.name for kind in kinds)
        names = [f"{k} 1", f"{k} 2", f"{m} 1", f"{m} 2"]
        if rng.random() < 0.4:
            names = [f"{k} 1", f"{m} 1", f"{k} 2", f"{m} 2"]
            by_kind = False
    deeds = [Deed("exchange", (names[0], names[1])), *([Deed("exchange", (names[2], names[3]))] if pairs else [])]
    if not talk.asks:
        first = [thing.name for thing in table.small]
        alone = [Deed("exchange", (first[0], first[1])), Deed("exchange", (first[2], first[3]))][: 1 + pairs]
        return finish(talk, alone)
    count = "two pairs" if pairs else "two things"
    spoilt(
        talk,
        deeds,
        1,
        f"which {'pairs' if pairs else 'things'} to exchange {NOT_ASKED}",
        f"{count} exchanged, not said which",
    )
    talk.asks_for(f"What: {count}, not said which. Where: each where the other is.", questions.swap(rng, pairs=pairs))
    letters = dict(zip("abcd", (called(rng, name) for name in names), strict=False))
    if by_kind and rng.random() < 0.6:
        text = say.said(rng, say.ANSWER_KINDS, k=kinds[0].name, m=kinds[1].name)
    else:
        text = say.said(rng, say.ANSWER_PAIRS if pairs else say.ANSWER_PAIR, **letters)
    talk.human(reply(rng, [text]))
    return finish(talk, deeds)


def line(rng: Rng) -> Talk:
    """Things in a line: along an axis that is said or not, in an order that is said, open, or any."""
    table = laid(rng, some_kinds(rng, 3, 6), flat=int(rng.random() < 0.08))
    names = [thing.name for thing in table.small]
    if len(names) < 2:
        return at_points(rng)
    part = len(names) > 3 and rng.random() < 0.2
    if part:
        names = [thing.name for thing in chosen(rng, table.small, int(rng.integers(2, len(names))))]
    axis, how = one(rng, ("x", "y")), one(rng, ("any", "any", "said", "open", "open"))
    axis_said = rng.random() < (0.35 if how == "open" else 0.55)
    order = [names[int(i)] for i in rng.permutation(len(names))] if rng.random() < 0.5 or how == "said" else []
    every = listed(rng, names) if part else one(rng, EVERYTHING)
    words = [say.said(rng, say.LINE, every=every)]
    words += [say.said(rng, say.ALONG, x=axis)] * axis_said
    if how == "any":
        words += [_comma(rng) + say.said(rng, say.ANY_ORDER)]
    elif how == "said":
        words += [_comma(rng) + _order(rng, order, axis)]
    talk = Talk(
        rng,
        table,
        sentence(rng, " ".join(words).replace(" ,", ",").replace(" ;", ";").replace(" .", ".")),
        asks=rng.random() > ALONE,
    )
    if not talk.asks:
        named = how == "said"
        alone = Deed(
            "line", tuple(order if named else names), f"{axis if axis_said else 'y'}{'' if named else f' {ANY}'}"
        )
        return finish(talk, [alone])
    if not axis_said:
        asks_order = how == "open"
        hasty = Deed("line", tuple(order or names), axis if order else f"{axis} {ANY}")
        spoilt(talk, [hasty], 2, f"the direction of the line {NOT_ASKED}", "a line, direction not said")
        told = {"open": "not said", "any": "any", "said": ", ".join(order)}[how]
        asking = [questions.direction(rng), *([questions.order(rng)] if asks_order else [])]
        talk.asks_for(f"What: {', '.join(names)} in a line. Direction: not said. Order: {told}.", *asking)
        answers = [say.said(rng, (*say.ALONG, "{x}", "{x} axis", "the {x}-axis please", "take {x}"), x=axis)]
        if asks_order:
            answers.append(_order(rng, order, axis) if order else say.said(rng, (*say.ANY_ORDER, *say.DO_NOT_MIND)))
        talk.human(reply(rng, answers))
    if how == "any" or (how == "open" and (axis_said or not order)):
        return finish(talk, [Deed("line", tuple(names), f"{axis} {ANY}")])
    return finish(talk, [Deed("line", tuple(order), axis)])


def _comma(rng: Rng) -> str:
    return one(rng, (", ", "; ", ". ", ", "))


def _order(rng: Rng, order: list[str], axis: str) -> str:
    """An order in words, from low to high; or the other way about."""
    backward = rng.random() < 0.1
    names = order[::-1] if backward else order
    spoken = [the(rng, name) for name in names]
    then = one(rng, (", then ", ", next ", " and then ", ", ")).join(spoken)
    words = {"list": listed(rng, names) if rng.random() < 0.4 else ", ".join(spoken), "then": then, "x": axis}
    return say.said(rng, say.REVERSED if backward else say.ORDERED, **words)


WISHES: tuple[tuple[Callable[[Rng], Talk], float], ...] = (
    (at_points, 2.2),
    (beside, 1.6),
    (all_into, 1.2),
    (region, 1.0),
    (swap, 1.0),
    (swap_both, 0.7),
    (where_other, 0.4),
    (out_of_the_way, 0.5),
    (give, 2.0),
    (purpose, 2.2),
    (into_open, 0.7),
    (swap_open, 1.2),
    (line, 3.2),
)

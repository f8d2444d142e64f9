"""The table of MultiTalk: household things at points, beside and in others, and wishes that leave something open."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from thinkaloud.language.words import stems
from thinkaloud.records import Observation
from thinkaloud.robots import open_world
from thinkaloud.worlds.full_world import FullWorld
from training.demonstrators.meanings.common import Code, Common, call
from training.demonstrators.meanings.goals import Goal, calls, facts
from training.demonstrators.meanings.looking import Looking, Seen
from training.demonstrators.meanings.sketch import Fact, Sketch, sketch_of
from training.demonstrators.meanings.talking import Drawn, Rng, Said, Talk, converse
from training.demonstrators.multitalk import wording as say
from training.demonstrators.multitalk.speaking import called, listed, point, reply, sentence, the
from training.demonstrators.multitalk.tables import Point, Table, Thing, distinct, laid, some_kinds
from training.demonstrators.multitalk.things import DOUBTFUL, PURPOSES, any_kind, kind_for
from training.demonstrators.multitalk.wishes import chosen, free, in_or_on, ordinary, unfit
from training.heldout import violations
from training.samples import Sample
from training.words import one

WHERE = "Where should I put it?"
DIRECTION = "In which direction should the line run?"
DIRECTION_ORDER = "In which direction should the line run, and in which order?"
SWAP, PAIRS = "Which things should I swap?", "Which pairs should I swap?"

_ALL = ("everything", "all things", "all the things", "all of it", "every object")


def _comes_on(object: str, target: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    model = table()[0].model
    return (("inside" if target in model.hollow else "on", {"object": object, "target": target}),)


@cache
def table() -> tuple[Sketch, FullWorld]:
    """The table that all scenes are laid on."""
    return sketch_of(open_world("franka"), effects={"put_on": _comes_on})


class Wishes:
    """What people want of one table."""

    def __init__(self, rng: Rng, laid_out: Table) -> None:
        self.rng, self.table = rng, laid_out
        sketch, self.world = table()
        names = tuple(thing.name for thing in laid_out.things)
        wide = tuple(thing.name for thing in laid_out.wide)
        vocabulary = {"object": names, "receptacle": wide, "thing": names}
        self.spots = Seen(laid_out)
        sketch.scene, sketch.model = Observation(names, vocabulary), self.spots

    def _a(self, templates: Sequence[str], **words: str) -> str:
        return sentence(self.rng, say.said(self.rng, templates, **words))

    def _thing(self) -> Thing:
        return chosen(self.rng, self.table.small)[0]

    # Nothing is left open ---------------------------------------------------------------------------------------------

    def at_points(self) -> Said:
        """One thing or two, each at a point."""
        things = chosen(self.rng, self.table.small, 1 + int(self.rng.random() < 0.3))
        places: list[Point] = []
        for _ in things:
            places.append(free(self.rng, self.table, places))
        spoken, at = [the(self.rng, t.name) for t in things], [point(self.rng, p) for p in places]
        if len(things) == 1:
            text = self._a(say.FOREIGN_AT if self.rng.random() < 0.04 else say.AT, a=spoken[0], p=at[0])
        else:
            text = self._a(say.TWO, a=spoken[0], b=spoken[1], p=at[0], q=at[1])
        lines = [call("put_at", t.name, *p) for t, p in zip(things, places, strict=True)]
        goal: list[Fact] = [("at", t.name, *map(str, p)) for t, p in zip(things, places, strict=True)]
        return Said(text, "\n".join(lines), facts(*goal))

    def near_or_in(self) -> Said | None:
        """Next to something, on something or in something."""
        thing = self._thing()
        others = [t for t in self.table.things if t.name != thing.name]
        if not others:
            return None
        other = (
            chosen(self.rng, self.table.wide or others)[0] if self.rng.random() < 0.6 else chosen(self.rng, others)[0]
        )
        a, b = the(self.rng, thing.name), the(self.rng, other.name)
        if (other.flat or other.hollow) and self.rng.random() < 0.75:
            word = in_or_on(other)
            text = self._a(say.INTO, a=a, r=b, in_to=one(self.rng, (word, f"{word}to")), in_it=word)
            return Said(text, call("put_on", thing.name, other.name), self._on([thing.name], other))
        text = self._a(say.NEAR, a=a, b=b)
        return Said(
            text, call("put_beside", thing.name, "next to", other.name), facts(("next_to", thing.name, other.name))
        )

    def _on(self, names: Sequence[str], target: Thing) -> Goal:
        return facts(*(("inside" if target.hollow else "on", name, target.name) for name in names))

    def all_into(self) -> Said | None:
        """Everything of a purpose, or everything there is, onto or into something: the names, listed."""
        if not self.table.wide:
            return None
        target = chosen(self.rng, self.table.wide)[0]
        uses = [use for use in PURPOSES if any(t.kind.use in PURPOSES[use] for t in self.table.small)]
        word = in_or_on(target)
        r = the(self.rng, target.name)
        if self.rng.random() < 0.4 or not uses:
            text = self._a(say.INTO, a=one(self.rng, _ALL), r=r, in_to=word, in_it=word)
            names = [t.name for t in self.table.things if t.name not in {w.name for w in self.table.wide}]
            wide = [t.name for t in self.table.wide]
            but = f'o != "{wide[0]}"' if len(wide) == 1 else "o not in receptacles"
            program = f'put_on([o for o in objects if {but}], "{target.name}")'
            return Said(text, program, self._on(names, target))
        use = one(self.rng, uses)
        if any(t.name in DOUBTFUL for t in self.table.small):
            return None
        names = [t.name for t in self.table.small if t.kind.use in PURPOSES[use]]
        if any(t.kind.use == "?" for t in self.table.small) or (
            use == "kitchen" and any(not t.kind.use for t in self.table.small)
        ):
            return None
        text = self._a(say.INTO, a=one(self.rng, say.ALL_OF[use]), r=r, in_to=word, in_it=word)
        return Said(text, call("put_on", names if len(names) > 1 else names[0], target.name), self._on(names, target))

    def swap(self) -> Said | None:
        """Two things that are named change places, or the only two that there are."""
        if len(self.table.small) < 2:
            return None
        a, b = (t.name for t in chosen(self.rng, self.table.small, 2))
        if len(self.table.small) == 2 and self.rng.random() < 0.5:
            a, b = (t.name for t in self.table.small)
            text = self._a(say.SWAP_BOTH)
        else:
            foreign = self.rng.random() < 0.05
            text = self._a(say.FOREIGN_SWAP if foreign else say.SWAP, a=the(self.rng, a), b=the(self.rng, b))
        return Said(text, call("swap", a, b), calls(("swap", a, b)))

    # Something is left open -------------------------------------------------------------------------------------------

    def _answers(self, asked: Said, thing: Thing, *, which: bool, place: bool) -> tuple[Said, ...]:
        """The question, and the deed that its answer makes of it."""
        if self.rng.random() < 0.25:
            return (asked,)
        at = free(self.rng, self.table)
        spoken, found = self._which(thing) if which else ("", thing.name)
        told = [spoken] * which + [say.said(self.rng, say.ANSWER_PLACE, p=point(self.rng, at))] * place
        deed = Said(self._told(told), call("put_at", found, *at), facts(("at", thing.name, *map(str, at))))
        return asked, deed

    def _told(self, answers: Sequence[str]) -> str:
        """An answer to one question that asks for more than one thing: mostly sentence by sentence."""
        if len(answers) < 2 or self.rng.random() < 0.4:
            return reply(self.rng, answers)
        return " ".join(sentence(self.rng, each) for each in answers)

    def _which(self, thing: Thing) -> tuple[str, str]:
        """How a person says which one, and how a program does: by its name, or by where it stands."""
        if any(t.kind.name == thing.kind.name for t in self.table.small if t is not thing) and self.rng.random() < 0.3:
            x, y = thing.at
            return say.said(self.rng, say.ANSWER_AT, p=point(self.rng, thing.at)), Code(
                f"[o for o in objects if at(o, {x}, {y})][0]"
            )
        return say.said(self.rng, say.ANSWER_OBJECT, n=called(self.rng, thing.name)), thing.name

    def give(self) -> Said | tuple[Said, ...] | None:
        """A thing by its name, or one of several of its kind; where to is not said, or it is."""
        thing = self._thing()
        same = [t.name for t in self.table.small if t.kind.name == thing.kind.name]
        several, at = len(same) > 1, free(self.rng, self.table)
        spoken = f"{one(self.rng, ('the', 'the', 'a', 'my'))} {thing.kind.name}"
        if several and self.rng.random() < 0.5:
            text = self._a(say.AT, a=f"the {thing.kind.name}", p=point(self.rng, at))
            return Said(text, call("put_at", thing.kind.name, *at), Goal("question", about=thing.kind.name))
        ways = say.FOREIGN_GIVE if self.rng.random() < 0.04 else say.GIVE if self.rng.random() < 0.65 else say.ELSEWHERE
        text = self._a(ways, a=spoken)
        if several:
            question = f"Which {thing.kind.name} do you mean? {WHERE}"
            asked = Said(text, call("ask", question, same), Goal("question", about=question))
        else:
            asked = Said(text, call("ask", WHERE), Goal("question", about=WHERE))
        return self._answers(asked, thing, which=several, place=True)

    def purpose(self) -> Said | tuple[Said, ...] | None:
        """Something for a purpose: one thing would serve, or several, or none."""
        use = one(self.rng, tuple(PURPOSES))
        if any(t.name in DOUBTFUL or t.kind.use == "?" for t in self.table.small):
            return None
        same = [t for t in self.table.small if t.kind.use in PURPOSES[use]]
        if use == "kitchen" and any(not t.kind.use for t in self.table.small):
            return None
        words, at = say.said(self.rng, say.PURPOSE[use]), free(self.rng, self.table)
        placed = self.rng.random() < 0.5
        text = self._a(say.AT, a=words, p=point(self.rng, at)) if placed else self._a(say.GIVE, a=words)
        what = {"food": "food", "cleaning": "cleaning thing", "kitchen": "kitchenware"}.get(use, use)
        if not same:
            return Said(text, call("cannot", f"There is no {what} here."), Goal("refusal", about=what))
        names = [t.name for t in same]
        thing = chosen(self.rng, same)[0]
        if len(same) == 1 and placed:
            return Said(text, call("put_at", names[0], *at), facts(("at", names[0], *map(str, at))))
        if len(same) == 1:
            return self._answers(Said(text, call("ask", WHERE), Goal("question")), thing, which=False, place=True)
        question = "Which one do you mean?" if placed else f"Which one do you mean? {WHERE}"
        asked = Said(text, call("ask", question, names), Goal("question", about=question))
        if placed:
            spoken, found = self._which(thing)
            return asked, Said(
                reply(self.rng, [spoken]), call("put_at", found, *at), facts(("at", thing.name, *map(str, at)))
            )
        return self._answers(asked, thing, which=True, place=True)

    def into_open(self) -> tuple[Said, ...] | Said | None:
        """Into one of several containers; with only one of them it is clear which."""
        if not self.table.wide:
            return None
        thing, target = self._thing(), chosen(self.rng, self.table.wide)[0]
        text = self._a(say.INTO_OPEN, a=the(self.rng, thing.name))
        deed, goal = call("put_on", thing.name, target.name), self._on([thing.name], target)
        if len(self.table.wide) == 1:
            return Said(text, deed, goal)
        asked = Said(text, f'ask("{WHERE}", receptacles)', Goal("question", about=WHERE))
        there = f"{in_or_on(target)} the {target.name}"
        told = reply(self.rng, [say.said(self.rng, (*say.ANSWER_WORDS, target.name), there=there)])
        return asked, Said(told, deed, goal)

    def swap_open(self) -> tuple[Said, ...] | None:
        """Two things, or two pairs of them, change places; which ones has to be asked."""
        pairs = self.rng.random() < 0.5
        names = [t.name for t in chosen(self.rng, self.table.small, 4)]
        if len(names) < (4 if pairs else 3):
            return None
        question = PAIRS if pairs else SWAP
        text = self._a(say.PAIRS_OPEN if pairs else say.SWAP_OPEN)
        asked = Said(text, f'ask("{question}", objects)', Goal("question", about=question))
        letters = dict(zip("abcd", (called(self.rng, name) for name in names), strict=False))
        told = reply(self.rng, [say.said(self.rng, say.ANSWER_PAIRS if pairs else say.ANSWER_PAIR, **letters)])
        kinds = dict.fromkeys(thing.kind.name for thing in self.table.small)
        twice = {kind: [t.name for t in self.table.small if t.kind.name == kind] for kind in kinds}
        couples = [(kind, same) for kind, same in twice.items() if len(same) == 2]
        if pairs and len(couples) == 2 and self.rng.random() < 0.7:
            (k, first), (m, second) = couples
            names = [*first, *second]
            told = reply(self.rng, [say.said(self.rng, say.ANSWER_KINDS, k=k, m=m)])
        both = [tuple(names[:2]), *([tuple(names[2:])] if pairs else [])]
        deeds = "\n".join(call("swap", *pair) for pair in both)
        return asked, Said(told, deeds, calls(*(("swap", *pair) for pair in both)))

    def line(self) -> Said | tuple[Said, ...] | None:
        """Things in a line: along an axis that is said or not; y runs to the right, x to the front."""
        if len(self.table.small) < 2 or self.table.wide:
            return None
        axis, told = one(self.rng, ("x", "y")), bool(self.rng.random() < 0.5)
        words = say.said(
            self.rng, say.LINE, every=one(self.rng, ("all things", "everything", "the things", "all objects"))
        )
        along, roll = say.said(self.rng, say.ALONG, x=axis), self.rng.random()
        any_order = say.said(self.rng, say.ANY_ORDER)
        if told and roll < 0.5:
            order, names = self._order(axis)
            return Said(sentence(self.rng, f"{words} {along}, {order}"), *self._row(axis, names))
        if told:
            text = f"{words} {along}" if roll < 0.75 else f"{words} {along}, {any_order}"
            return Said(sentence(self.rng, text), *self._row(axis))
        if roll < 0.35:
            text = one(self.rng, (f"{words}, {any_order}", f"{words}. {any_order[:1].upper()}{any_order[1:]}"))
            asked = Said(sentence(self.rng, text), call("ask", DIRECTION), Goal("question", about=DIRECTION))
            answer = reply(self.rng, [say.said(self.rng, (*say.ALONG, "{x}", "{x} axis", "take {x}"), x=axis)])
            return asked, Said(answer, *self._row(axis))
        asked = Said(sentence(self.rng, words), call("ask", DIRECTION_ORDER), Goal("question", about=DIRECTION_ORDER))
        order, names = self._order(axis) if self.rng.random() < 0.5 else (any_order, ())
        return asked, Said(self._told([along, order]), *self._row(axis, names))

    def _order(self, axis: str) -> tuple[str, Sequence[str]]:
        """An order in words, and from the lowest value of the axis to the highest."""
        names = [t.name for t in chosen(self.rng, self.table.small, 9)]
        ways = say.REVERSED if self.rng.random() < 0.2 else say.ORDERED
        listing, then = listed(self.rng, names), ", then ".join(the(self.rng, n) for n in names)
        text = say.said(self.rng, ways, list=listing, then=then, x=axis)
        return text, names[::-1] if ways is say.REVERSED else names

    def _row(self, axis: str, names: Sequence[str] = ()) -> tuple[str, Goal]:
        """The program and the goal of a line, from the lowest value of the axis on; in any order without names."""
        side = "right of" if axis == "y" else "in front of"
        program = f'for i in range(1, len(objects)):\n    put_beside(objects[i], "{side}", objects[i - 1])'
        if names:
            program = "\n".join(call("put_beside", b, side, a) for a, b in itertools.pairwise(names))
        pairs = list(itertools.pairwise(names or [t.name for t in self.table.small]))
        goal = facts(*(f for a, b in pairs for f in (("next_to", b, a), (side.replace(" ", "_"), b, a))))
        return program, goal

    # What cannot be ---------------------------------------------------------------------------------------------------

    def missing(self) -> Said:
        """What is not there, by its name; one place or another."""
        known = " ".join(t.name for t in self.table.things)
        kind = any_kind(self.rng)
        while stems(kind.name) & stems(known):
            kind = any_kind(self.rng)
        at = free(self.rng, self.table)
        text = self._a(say.AT, a=the(self.rng, kind.name), p=point(self.rng, at))
        return Said(text, call("put_at", kind.name, *at), Goal("refusal", about=f"no {kind.name}"))

    def two_places(self) -> Said:
        """A thing at two places at once."""
        name, p = self._thing().name, free(self.rng, self.table)
        q = free(self.rng, self.table, [p])
        text = self._a(say.TWO_PLACES, a=the(self.rng, name), p=point(self.rng, p), q=point(self.rng, q))
        why = f"The {name} cannot be in two places."
        return Said(text, call("cannot", why), Goal("refusal", about=why))

    def changed(self) -> tuple[Said, ...]:
        """A request, and another point for it."""
        thing, p = self._thing(), free(self.rng, self.table)
        q = free(self.rng, self.table, [p])
        first = Said(
            self._a(say.AT, a=the(self.rng, thing.name), p=point(self.rng, p)),
            call("put_at", thing.name, *p),
            facts(("at", thing.name, *map(str, p))),
        )
        then = self._a(
            ("no, I meant {p}", "[sorry|no|wait], [to|at] {p}", "not there, at {p}", "I meant {p}"),
            p=point(self.rng, q),
        )
        return first, Said(then, f"undo()\n{call('put_at', thing.name, *q)}", Goal("undo"))

    def ways(self) -> list[tuple[Drawn, float]]:
        """All of it, with how often."""
        found: list[tuple[Drawn, float]] = [
            (self.at_points, 3), (self.near_or_in, 2.5), (self.all_into, 1.2), (self.swap, 1.5), (self.give, 2),
            (self.purpose, 2.5), (self.into_open, 1), (self.swap_open, 1.2), (self.line, 1.8), (self.missing, 1.2),
            (self.two_places, 0.6), (self.changed, 0.8),
        ]  # fmt: skip
        total = sum(weight for _, weight in found)
        return [(way, weight / total) for way, weight in found]


def _drawn(rng: Rng) -> Table:
    if rng.random() < 0.1:
        return laid(rng, [kind for kind in some_kinds(rng, 2, 2) for _ in range(2)], flat=0, hollow=0)
    if rng.random() < 0.5:
        return ordinary(rng, 2, 6, wide=0.35)
    use = one(rng, tuple(PURPOSES))
    kinds = [kind_for(rng, one(rng, PURPOSES[use])) for _ in range(int(rng.integers(0, 4)))]
    kinds += unfit(rng, use, int(rng.integers(1, 4)))
    return laid(rng, distinct(kinds), flat=int(rng.random() < 0.3), hollow=int(rng.random() < 0.4))


def samples(rng: Rng) -> Iterator[Sample]:
    """One conversation at a table of household things."""
    laid_out = _drawn(rng)
    if not laid_out.small or violations(", ".join(thing.name for thing in laid_out.things)):
        return
    wishes = Wishes(rng, laid_out)
    small, wide = [t.name for t in laid_out.small], [t.name for t in laid_out.wide]
    looking = Looking(rng, wishes.spots, small, wide, "")
    deeds: list[tuple[Drawn, float]] = [(looking.beside, 0.12), (looking.between, 0.06), (looking.shift, 0.07)]
    asked: list[tuple[Drawn, float]] = [(looking.is_so, 0.1), (looking.inside, 0.06), (looking.far, 0.05)]
    common = Common(rng, [*small, *wide], [*wishes.world.skills])
    ways = [*wishes.ways(), *deeds, *asked, *common.ways(0.2)]
    yield from converse(rng, Talk("meaning.franka", wishes.world), ways)

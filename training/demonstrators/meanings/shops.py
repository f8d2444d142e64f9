"""Orders by guidelines, as programs: steps that a person carries out by hand, a counter's calls, a machine's calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from thinkaloud.errors import ThinkaloudError
from thinkaloud.guidelines import Guidelines
from thinkaloud.records import Observation
from thinkaloud.worlds.by_hand import ByHand
from thinkaloud.worlds.whole import Whole
from training.demonstrators.itp.asking import Asked, Customer, Worker, said
from training.demonstrators.itp.composing import Composer
from training.demonstrators.itp.drawing import Rng, chance, one
from training.demonstrators.itp.menus import Shop, draw_shop, draw_works
from training.demonstrators.itp.wanting import Want, read_order, work_out
from training.demonstrators.meanings.common import Common, call, written
from training.demonstrators.meanings.common import said as worded
from training.demonstrators.meanings.counters import Counter, counter
from training.demonstrators.meanings.goals import Goal, calls, says
from training.demonstrators.meanings.machines import Machine, machine
from training.demonstrators.meanings.sketch import Fact, Sketch, sketch_of
from training.demonstrators.meanings.talking import Drawn, Said, Talk, converse
from training.heldout import violations
from training.samples import Sample

NOT_HERE = "That is not done here."
_LONGEST = 560
"""Characters of a program; a model writes no longer ones."""


@cache
def hand() -> tuple[Sketch, Whole]:
    """The person who carries out every step."""
    sketch, whole = sketch_of(ByHand())
    sketch.scene = Observation((), {})
    return sketch, whole


class Ordering:
    """Somebody who orders, and changes their mind; `guidelines` are those that are shown."""

    def __init__(self, rng: Rng, person: Customer | Worker, guidelines: Guidelines) -> None:
        self.rng, self.person, self.guidelines = rng, person, guidelines
        self.wants: list[Want] = []
        self.before: Asked | None = None

    def first(self) -> Said | None:
        """A first request."""
        asked = said(self.rng, self.person.first())
        if asked.order == " none":
            return Said(asked.request, call("cannot", NOT_HERE), Goal("refusal", about=NOT_HERE))
        wants = self._wanted(asked, ())
        if wants is None:
            return None
        found = self.made(asked, wants, ())
        if found is not None:
            self.before, self.wants = (None, []) if asked.unknown else (asked, wants)
        return found

    def changed(self) -> Said | None:
        """Another wish in the middle of the work, about what was ordered."""
        if self.before is None:
            return None
        asked = said(self.rng, self.person.change(self.before.order))
        wants = self._wanted(asked, self.wants)
        if wants is None:
            return None
        found = self.made(asked, wants, self.wants)
        if found is None:
            return None
        if not asked.unknown:
            self.before, self.wants = asked, wants
        return Said(found.request, found.program, found.goal, amid=bool(self.rng.random() < 0.8))

    def _wanted(self, asked: Asked, earlier: Sequence[Want]) -> list[Want] | None:
        try:
            wants = work_out(read_order(asked.order, self.guidelines), self.guidelines, earlier)
        except ThinkaloudError:
            return None
        return wants if len(wants) == 1 else None

    def made(self, asked: Asked, wants: Sequence[Want], earlier: Sequence[Want]) -> Said | None:
        """The program for an order."""
        raise NotImplementedError

    def talk(self, family: Talk, more: list[tuple[Drawn, float]]) -> Iterator[Sample]:
        """A first request, then perhaps others."""
        ways: list[tuple[Drawn, float]] = [(self.first, 0.5), (self.changed, 0.5), *more]
        yield from converse(self.rng, family, ways, longest=4)


class ByHandOrders(Ordering):
    """Each step of the guidelines is said, one after the other."""

    def made(self, asked: Asked, wants: Sequence[Want], earlier: Sequence[Want]) -> Said | None:
        if asked.unknown:
            why = f"There is no {asked.unknown[0]} here."
            return Said(asked.request, call("cannot", why), Goal("refusal", about=why))
        steps = Composer(self.guidelines).steps(wants)
        program = "\n".join(call("carry_out", step) for step in steps)
        if not steps or len({*steps}) < len(steps) or len(program) > _LONGEST:
            return None
        material = {name for want in wants for name in want.material}
        told = " ".join(steps)
        if not all(name in told for name in material):
            return None
        return Said(asked.request, program, calls(*(("carry_out", step) for step in steps)))


class CounterOrders(Ordering):
    """A counter with calls; a change of mind is about a vessel that may be begun, with wrong things in it."""

    def __init__(self, rng: Rng, person: Customer, made: Counter) -> None:
        super().__init__(rng, person, made.guidelines)
        self.counter = made

    def made(self, asked: Asked, wants: Sequence[Want], earlier: Sequence[Want]) -> Said | None:
        (want,) = wants
        if want.skip or not want.material:
            return None
        steps = Composer(self.guidelines).steps(wants)
        order = [name for step in steps for name in want.material if f" {name} " in f" {step} "]
        material = list(dict.fromkeys([*order, *want.material]))
        if self.counter.last in material:
            material = [*(m for m in material if m != self.counter.last), self.counter.last]
        c = self.counter
        filling = [*(c.added(name) for name in material), *c.finished()]
        if asked.unknown and not any(name in material for name in asked.unknown):
            return None
        if not earlier or asked.unknown:
            program = "\n".join([*c.begun(), *filling])
            if asked.unknown:
                return Said(asked.request, program, Goal("refusal", about=f"no {asked.unknown[0]}"))
            return Said(asked.request, program, calls(*_spelled([*c.begun(), *filling])))
        old = earlier[0].material
        wrong = [name for name in old if name not in material]
        wrong += [c.last] if c.last and c.last in old and {*material} - {*old} and c.last not in wrong else []
        return self._goes_on(asked, filling, wrong)

    def _goes_on(self, asked: Asked, filling: list[str], wrong: list[str]) -> Said | None:
        """What is begun is gone on with, unless it has something in it that must not be there."""
        c = self.counter
        lines: list[str] = []
        there = f'{c.there}("{c.work}")'
        if wrong:
            spoilt = " or ".join(f'has("{c.work}", "{name}")' for name in wrong)
            lines = [f"if {spoilt}:", *_indented([*c.thrown_away(), *c.begun()]), f"elif not {there}:"]
        else:
            lines = [f"if not {there}:"]
        lines += _indented(c.begun())
        program = "\n".join([*lines, *filling])
        if len(program) > _LONGEST:
            return None
        facts: set[Fact] = set()
        if self.rng.random() < 0.7:
            facts.add((c.there, c.work))
            facts |= {("has", c.work, name) for name in wrong if self.rng.random() < 0.4}
        c.sketch.facts = facts
        before = [*c.thrown_away(), *c.begun()] if any(f[0] == "has" for f in facts) else [] if facts else c.begun()
        return Said(asked.request, program, calls(*_spelled([*before, *filling])))


class MachineOrders(Ordering):
    """A machine that things are put through, so many of each kind."""

    def __init__(self, rng: Rng, person: Worker, made: Machine) -> None:
        super().__init__(rng, person, made.guidelines)
        self.machine = made

    def made(self, asked: Asked, wants: Sequence[Want], earlier: Sequence[Want]) -> Said | None:
        (want,) = wants
        known = set(self.machine.belongs)
        if not want.things or not {kind for kind, _ in want.things} <= known or len(want.things) > 4:
            return None
        additive = asked.unknown[0] if asked.unknown else want.material[0] if want.material else self.machine.usual
        program = self.machine.program(want.things, additive)
        if len(program) > _LONGEST or sum(count for _, count in want.things) > 8:
            return None
        if asked.unknown:
            return Said(asked.request, program, Goal("refusal", about=f"no {additive}"))
        return Said(asked.request, program, calls(*self.machine.calls(want.things, additive)))


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _spelled(lines: Sequence[str]) -> list[tuple[object, ...]]:
    """Calls as they are carried out, read off their words."""
    found: list[tuple[object, ...]] = []
    for line in lines:
        name, _, given = line.rstrip(")").partition("(")
        found.append((name, *(each.strip('"') for each in given.split('", "') if each)))
    return found


def _menu(rng: Rng, guidelines: Guidelines) -> Drawn:
    def ask() -> Said:
        options = list(guidelines.options)
        text = written(
            rng,
            worded(
                rng,
                (
                    "what [can you make|do you have|is on the menu|can I get|can I order]",
                    "[show|tell] me the menu",
                    "which [options|things] are there",
                ),
            ),
        )
        return Said(text, call("say", options), Goal("answer"))

    return ask


def _stock(rng: Rng, made: Counter) -> Drawn:
    def ask() -> Said:
        name = one(rng, made.guidelines.available)
        if chance(rng, 0.5):
            text = written(
                rng,
                worded(
                    rng, ("[which|what] ingredients [are there|do you have|have you got]", "what can [go in|I add]")
                ),
            )
            return Said(text, "say(ingredients)", says(list(made.guidelines.available)))
        made.sketch.facts = {("has", made.work, name)} if chance(rng, 0.5) else set()
        so = bool(made.sketch.facts)
        text = written(
            rng,
            worded(
                rng,
                (
                    "is there [any |]{n} in the {v} [at|on] the {w}",
                    "have you added the {n} [yet|already]",
                    "is the {n} in",
                ),
                n=name,
                v=made.vessel.replace("_", " "),
                w=made.work,
            ),
        )
        return Said(text, f'say(has("{made.work}", "{name}"))', says(so))

    return ask


def samples(rng: Rng) -> Iterator[Sample]:
    """One conversation with somebody who orders."""
    roll = rng.random()
    if roll < 0.65:
        shop: Shop = draw_shop(rng, 0.3)
        common = Common(rng, list(shop.guidelines.available), ["done"] if roll < 0.2 else [])
        if roll < 0.2:
            orders: Ordering = ByHandOrders(rng, Customer(rng, shop), shop.guidelines)
            world, more = hand()[1], [(_menu(rng, shop.guidelines), 0.06)]
        else:
            made = counter(rng, shop)
            orders, world = CounterOrders(rng, Customer(rng, shop), made), made.world
            more = [(_menu(rng, shop.guidelines), 0.06), (_stock(rng, made), 0.14)]
    else:
        works = draw_works(rng)
        fitted = machine(rng, works)
        orders, world = MachineOrders(rng, Worker(rng, works), fitted), fitted.world
        common, more = Common(rng, list(works.kinds)), [(_menu(rng, fitted.guidelines), 0.06)]
    if violations("\n".join([*orders.guidelines.available, *orders.guidelines.options])):
        return
    asides = [(way, weight) for way, weight in common.ways(0.35) if way not in (common.keep, common.no_skill)]
    yield from orders.talk(Talk("meaning.itp", world, orders.guidelines), [*more, *asides])

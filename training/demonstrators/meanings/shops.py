"""Orders by guidelines, as programs: steps that a person carries out by hand, a counter's calls, a machine's calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from thinkaloud.errors import ThinkaloudError
from thinkaloud.guidelines import Guidelines
from thinkaloud.guidelines.order_form import Order, Want, read_order, work_out
from thinkaloud.guidelines.remaining_steps import Composer
from thinkaloud.language.name_matching import without_number
from thinkaloud.records import Observation
from thinkaloud.worlds.by_hand import ByHand
from thinkaloud.worlds.full_world import FullWorld
from training.demonstrators.itp.asking import Asked, Customer, Worker, said
from training.demonstrators.itp.drawing import Rng, chance, one
from training.demonstrators.itp.menus import Shop, Works, draw_shop, draw_works
from training.demonstrators.itp.menus import plural as many
from training.demonstrators.meanings.common import Common, call, quote, written
from training.demonstrators.meanings.common import said as worded
from training.demonstrators.meanings.counters import Counter, counter
from training.demonstrators.meanings.goals import Goal, calls, says
from training.demonstrators.meanings.machines import Machine, machine
from training.demonstrators.meanings.sketch import Sketch, sketch_of
from training.demonstrators.meanings.talking import Drawn, Said, Talk, converse, is_held_out
from training.heldout import violations
from training.samples import Sample

NOT_HERE = "That is not done here."
_MOST_STEPS = 55
"""Steps of an order: a robot does no more at once."""


NEVER = (
    "nothing with {m} for me[| today| please]",
    "[no|never any|never] {m} for me[| please|, ever]",
    "[I am|I'm|we are] allergic to {m}",
    "I [can't|cannot|must not|don't|do not] [have|take|eat|use|want] {m}[| in anything| at all]",
    "[please |][never use|do not use|don't use|leave out] {m}[| from now on| today|, whatever I order| in anything]",
    "whatever [I order|I ask for|you make], [no|never any] {m}[ in it|]",
    "keep {m} out of [everything|my orders|all of it]",
)
AGAIN = (
    "{m} is [fine|okay|all right] [again|now|after all]",
    "you [may|can] use {m} again",
    "I [can have|may have|take] {m} again",
)


@cache
def hand() -> tuple[Sketch, FullWorld]:
    """The person who carries out every step."""
    sketch, whole = sketch_of(ByHand())
    sketch.scene = Observation((), {})
    return sketch, whole


class Ordering:
    """Somebody who orders, and changes their mind; `guidelines` are those that are shown."""

    def __init__(
        self, rng: Rng, person: Customer | Worker, guidelines: Guidelines, homes: Mapping[str, str] | None = None
    ) -> None:
        self.rng, self.person, self.guidelines, self.homes = rng, person, guidelines, homes or {}
        self.wants: list[Want] = []
        self.before: Asked | None = None
        self.kept: set[str] = set()

    def first(self) -> Said | None:
        """A first request."""
        return self._made(said(self.rng, self.person.first()), amid=False)

    def changed(self) -> Said | None:
        """Another wish in the middle of the work, about what was ordered."""
        if self.before is None:
            return None
        return self._made(said(self.rng, self.person.change(self.before.order)), amid=bool(self.rng.random() < 0.8))

    def _made(self, asked: Asked, *, amid: bool, program: str = "") -> Said | None:
        """The program for an order, or another one that means the same, and the steps that it comes to."""
        if asked.order == " none":
            return Said(asked.request, call("cannot", NOT_HERE), Goal("refusal", about=NOT_HERE))
        try:
            orders = read_order(asked.order, self.guidelines)
            wants = work_out(orders, self.guidelines, self.wants)
        except ThinkaloudError:
            return None
        program = program or "\n".join(written_as(order) for order in orders)
        wished = {name for order in orders for _, name in order.plus}
        if {*asked.unknown} - wished or any(wished & {*order.minus} for order in orders):
            return None
        if not all(want.material or want.things for want in wants):
            return None
        if asked.unknown:
            return Said(asked.request, program, Goal("refusal", about=f"no {asked.unknown[0]}"))
        if any(order.same for order in orders):
            wants = wants[-1:]
        named = Composer(self.guidelines, belongs=self.homes)
        steps = [step for want in wants for step in named.steps([want])]
        if named.homeless(wants) or len(steps) > _MOST_STEPS:
            return None
        made = Said(asked.request, program, calls(*(("carry_out", step) for step in steps)), amid=amid)
        if is_held_out(made):
            return None
        if not any(self.kept & {*want.material} for want in wants):  # else the robot says no
            self.before, self.wants = asked, wants
        return made

    def every(self, kind: str, count: int, text: str) -> Said | None:
        """An order for all of a kind, of which there are so many: what is said next may change it."""
        return self._made(Asked(text, f" + {count} {kind}"), amid=False, program=call("order", f"all {kind}"))

    def without(self) -> tuple[Said, ...] | None:
        """A rule of somebody's own: something is not to be used at all; later it may be again."""
        rng, name = self.rng, one(self.rng, self.guidelines.available)
        if name in self.kept or not isinstance(self.person, Customer):
            return None
        text = written(rng, worded(rng, NEVER, m=name))
        rule = Said(text, call("keep", name), Goal("note", kept=(name,)))
        if is_held_out(rule):
            return None
        if not chance(rng, 0.3):
            self.kept.add(name)
            return (rule,)
        free = Said(written(rng, worded(rng, AGAIN, m=name)), call("allow", name), Goal("note", freed=(name,)))
        return rule, free

    def talk(self, family: Talk, more: list[tuple[Drawn, float]]) -> Iterator[Sample]:
        """A first request, then perhaps others."""
        ways: list[tuple[Drawn, float]] = [(self.first, 0.5), (self.changed, 0.5), (self.without, 0.12), *more]
        yield from converse(self.rng, family, ways, longest=4)


def written_as(order: Order) -> str:
    """An order as a program has it."""
    wanted = [f"{order.times} {name}" if order.times > 1 else name for name in order.options]
    wanted += [f"{count} {name}" if count else name for count, name in order.plus]
    no = [*order.minus, *(step.split(" the ")[0] for step in order.skip)]
    exactly = [f"{count} {name}" for count, name in order.exactly]
    listed = [f"{word}=[{quote(*names)}]" for word, names in (("no", no), ("exactly", exactly)) if names]
    return f"{'change' if order.same else 'order'}({', '.join([*map(quote, wanted), *listed])})"


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


def _by_hand_of(rng: Rng, made: Counter) -> Drawn:
    """A single deed at a counter, which is no order."""
    v, deeds = made.vessel.replace("_", " "), made

    def ask() -> Said:
        ways = (
            (f"[bring|take|get] [an empty|a new|a fresh] {v} to the {made.work}", deeds.begun()),
            (
                f"[throw away the {v}|bin the {v}|throw the {v} at the {made.work} into the {made.bin}]",
                deeds.thrown_away(),
            ),
            (f"[move|bring|take] the {v} [|at the {made.work} ]to the {made.end}", deeds.finished()),
            (f"[please |]stir what is in the {v} at the {made.work}", [call("stir", made.work)]),
        )
        words, lines = ways[int(rng.integers(len(ways)))]
        return Said(written(rng, worded(rng, (words,))), "\n".join(lines), calls(*map(_spelled, lines)))

    return ask


def _machine_deed(rng: Rng, works: Works, made: Machine, orders: Ordering) -> Drawn:
    """A single deed at a machine, or an order for all of a kind."""

    def ask() -> Said | None:
        if chance(rng, 0.5):
            deed = one(rng, ("open", "close", "start"))
            program = call(made.names[deed])
            text = written(rng, worded(rng, (f"[please |]{deed} the {works.plant.machine}[| now]",)))
            return Said(text, program, calls(_spelled(program)))
        kind = one(rng, works.kinds)
        count = sum(without_number(name) == kind != name for name in made.world.observe().objects)
        says = f"{works.plant.verb} [all|all the|every one of the|all of the] {many(kind)}[| please| for me]"
        return orders.every(kind, count, written(rng, worded(rng, (says,)))) if count > 1 else None

    return ask


def _spelled(line: str) -> tuple[object, ...]:
    """A call as it is carried out, read off its words."""
    name, _, given = line.removesuffix(")").partition("(")
    return (name, *(each.strip('"') for each in given.split('", "') if each))


def samples(rng: Rng) -> Iterator[Sample]:
    """One conversation with somebody who orders."""
    roll = rng.random()
    if roll < 0.65:
        shop: Shop = draw_shop(rng, 0.3)
        common = Common(rng, list(shop.guidelines.available), ["done"] if roll < 0.2 else [])
        if roll < 0.2:
            orders = Ordering(rng, Customer(rng, shop), shop.guidelines)
            world, more = hand()[1], [(_menu(rng, shop.guidelines), 0.06)]
        else:
            made = counter(rng, shop)
            orders, world = Ordering(rng, Customer(rng, shop), made.guidelines), made.world
            more = [(_menu(rng, shop.guidelines), 0.06), (_stock(rng, made), 0.14), (_by_hand_of(rng, made), 0.08)]
    else:
        works = draw_works(rng)
        fitted = machine(rng, works)
        orders = Ordering(rng, Worker(rng, works), fitted.guidelines, fitted.belongs)
        world = fitted.world
        common = Common(rng, list(works.kinds))
        more = [(_menu(rng, fitted.guidelines), 0.06), (_machine_deed(rng, works, fitted, orders), 0.12)]
    if violations("\n".join([*orders.guidelines.available, *orders.guidelines.options])):
        return
    asides = [(way, weight) for way, weight in common.ways(0.35) if way not in (common.keep, common.no_skill)]
    yield from orders.talk(Talk("meaning.itp", world, orders.guidelines, homes=orders.homes), [*more, *asides])

"""Conversations with a planner: an order, perhaps changes of mind in the middle of it, and what a good planner says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from thinkaloud.guidelines import Guidelines
from thinkaloud.guidelines.order_form import Order, Want, all_material, read_order, work_out
from thinkaloud.language.name_matching import resolve_name
from thinkaloud.language.words import in_a_row, singular
from thinkaloud.methods.itp.planner_prompt import (
    DECLINED,
    NO_STEPS_LEFT,
    NOT_AVAILABLE,
    planner_answer_grammar,
    render_request,
)
from thinkaloud.models.gbnf import accepts
from training.demonstrators.itp.asking import Asked, Customer, Worker, said
from training.demonstrators.itp.counter_plans import draw_stand
from training.demonstrators.itp.drawing import Rng, between, chance, one
from training.demonstrators.itp.machine_plans import draw_hall
from training.samples import Sample
from training.teacher import Misfit

CHECKED = 0.1
"""The share of answers that are held against the grammar; the tests look at all of them."""
LONGEST = 5200
"""Characters of a conversation: what is longer is cut after the answer before."""
_TURNS = 4
_LONGEST_WHY = 160
"""Characters, as the grammar has it."""
_ENOUGH = (
    "That is enough, leave it as it is.",
    "I don't need it any more.",
    "Forget the whole thing.",
    "You can stop there, that will do.",
    "Cancel that, I have to go.",
    "I changed my mind, I want nothing.",
    "No need to finish it.",
)


class Place(Protocol):
    """Where something is done by guidelines."""

    guidelines: Guidelines

    def open_until(self, lines: Sequence[str]) -> int:
        """How many of these steps may be done when something is changed."""
        ...

    def answer(self, head: str, wants: Sequence[Want], done: Sequence[str], first: int) -> tuple[str, list[str]]:
        """What a good planner says, and the steps that it lists."""
        ...


def conversation(rng: Rng) -> Iterator[Sample]:
    """A request or two by one set of guidelines, with what is said to them."""
    if chance(rng, 0.62):
        stand = draw_stand(rng)
        yield _talk(rng, stand, stand.shop.guidelines, Customer(rng, stand.shop), lambda wants, done: True)
    else:
        hall = draw_hall(rng)
        yield _talk(rng, hall, hall.works.guidelines, Worker(rng, hall.works), hall.can_change)


def _talk(
    rng: Rng,
    place: Place,
    plain: Guidelines,
    person: Customer | Worker,
    can_change: Callable[[Sequence[Want], Sequence[str]], bool],
) -> Sample:
    """`plain` has the options and the material in the form in which requests are drawn."""
    parts, told = list[tuple[str, str]](), f"{place.guidelines.text.strip()}\n\n"
    done, lines, wants, asked = list[str](), list[str](), list[Want](), said(rng, person.first())
    default = getattr(place, "default", ())
    while True:
        orders = read_order(asked.order, plain)
        wanted = work_out(orders, plain, wants, (), default)
        if any(not want.material for want in wanted) and not parts:
            asked = said(rng, person.first())
            continue
        if parts and (any(not want.material for want in wanted) or not can_change(wanted, done)):
            break
        request = render_request(asked.request, done, new=bool(parts))
        head = " and ".join(filter(None, (_head(order, plain) for order in orders)))
        if orders and wanted:
            answer, lines = place.answer(head, wanted, done, len(done))
        else:
            answer, lines = _none(plain), []
        refused = _refused(rng, place, answer)
        if len(told) + sum(map(len, (request, answer, *(text for part in parts for text in part)))) > LONGEST and parts:
            break
        if chance(rng, CHECKED):
            check(planner_answer_grammar(90), answer)
        parts.append((told + request + refused, answer))
        told, wants = "", wanted
        if not lines or len(wanted) != 1 or len(parts) >= _TURNS or not chance(rng, 0.7):
            break
        latest = place.open_until(lines)
        finished = 0 if chance(rng, 0.15) else between(rng, min(1, latest), latest)
        done = [*done, *lines[:finished]]
        if chance(rng, 0.03):
            leaving = render_request(one(rng, _ENOUGH), done, new=True)
            thought = "Wanted: nothing more."
            parts.append((leaving, f"Thought: {thought}\n{NO_STEPS_LEFT}: you want no more of it\n\n"))
            break
        asked = said(rng, person.change(asked.order if "same" not in asked.order else _spelled(wanted[0])))
    return Sample("itp.plan", tuple(parts))


def _spelled(want: Want) -> str:
    """An order in short once more, with all its changes."""
    things = [f"{count} {kind}" for kind, count in want.things]
    return " + " + ", ".join([*things, *want.material])


def _head(order: Order, plain: Guidelines) -> str:
    """What a request starts from, and how it differs from that."""
    start = "as before" if order.same else " and ".join(order.options)
    if not start or order.exactly:
        return ""
    start = f"{order.times} {start}" if order.times > 1 else start
    known = [*all_material(plain)]
    minus = [resolve_name(name, known) for name in order.minus]
    plus = [f"{n} {singular(name)}" if n else resolve_name(name, known) for n, name in order.plus]
    less, more = (f" without {in_a_row(minus)}" if minus else ""), (f" with {in_a_row(plus)}" if plus else "")
    return start + less + more


def _none(plain: Guidelines) -> str:
    options = list(plain.options)
    while len(why := f"that is none of what can be had: {', '.join(options)}") > _LONGEST_WHY:
        options.pop()
    return f"Thought: Wanted: nothing that is done here.\n{DECLINED}: {why}\n\n"


def _refused(rng: Rng, place: Place, answer: str) -> str:
    """Now and then something else was said before, and refused."""
    if not chance(rng, 0.05):
        return ""
    if f"\n{NOT_AVAILABLE}: " in answer:
        missing = answer.split(f"\n{NOT_AVAILABLE}: ")[1].strip().split(", ")
        if place.guidelines.missing(missing) != missing:
            return ""
        there = ", ".join(place.guidelines.available)
        return f"Refused: {in_a_row(missing)} is not available; there is: {there}.\n"
    return "Refused: This lists no steps; write them as 0) …, 1) …\n"


def check(grammar: str, answer: str) -> None:
    """Misfit where a model would not be allowed to say this."""
    if not accepts(grammar, answer):
        raise Misfit(f"{answer!r} is nothing that the grammar allows")


__all__ = ["CHECKED", "Asked", "check", "conversation"]

"""Interactive Task Planning: requests and rules in short forms, things in their places, steps as calls.

All businesses, menus, phrasings and robots here are made up for practice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from thinkaloud.guidelines import Guidelines
from thinkaloud.methods.itp.orders import order_grammar, order_prompt
from thinkaloud.methods.itp.planner import ORDER
from thinkaloud.methods.itp.rule_facts import place_grammar, place_prompt, rule_grammar, rule_prompt
from thinkaloud.models.gbnf import accepts
from training.demonstrators.itp.asking import Asked, Customer, Worker, said
from training.demonstrators.itp.doing import Robot, counter
from training.demonstrators.itp.drawing import Rng, chance
from training.demonstrators.itp.machining import machine, workshop
from training.demonstrators.itp.menus import draw_shop, draw_works
from training.demonstrators.itp.ruling import place, rule
from training.samples import Demonstrator, Sample
from training.teacher import Misfit

CHECKED = 0.1
"""The share of answers that are held against their grammar; the tests look at all of them."""
HELD_OUT = (
    r"\b(?:boba|taro|matcha|passion fruit)\b",
    r"strawberry (?:milk|jam|boba|matcha)",
    r"\b(?:rose|lemon) (?:flavor|detergent)",
    r"\bworking cup\b",
    r"large particles",
    r"wash (?:all forks|2 fork|one dirty plate|1 dirty bowl)",
    r"clean the 2 dirty cups",
    r"can you wash (?:another|2 plates)",
    r"2 cups and 2 plates",
    r"\b(?:trail mix|spice rub|soil mix|bird mix|slime ball|travel kit|care package|party bag|feed ration|wall paint|"
    r"bath salt|tea blend|rice bowl|noodle soup|popcorn mix|pickle mix|concrete mix|resin coaster)s?\b",
    r"\b(?:dehydrator|autoclave|annealer|plating tank|dye vat|curing cabinet|shoe cleaner|steam cabinet)\b",
    r"\bultrasonic bath\b",
    r"\b(?:one order for you|next customer asked|just as it is on the menu|nothing changed|before noon)\b",
    r"\bif it is no trouble\b",
    r"a job for you|for this load|another wish:|i miscounted",
)
"""The paper's requests, the businesses of the benchmark's random guidelines, and some of the phrasings there."""


def orders(rng: Rng) -> Iterator[Sample]:
    """A request or two, and perhaps changes of mind."""
    if chance(rng, 0.7):
        shop = draw_shop(rng)
        guidelines: Guidelines = shop.guidelines
        person: Customer | Worker = Customer(rng, shop)
    else:
        works = draw_works(rng)
        guidelines, person = works.guidelines, Worker(rng, works)
    told, parts = order_prompt(guidelines), list[tuple[str, str]]()
    asked = said(rng, person.first())
    while True:
        lead = "New request" if parts else "Request"
        if chance(rng, CHECKED):
            words = "\n".join([*(answer.strip() for _, answer in parts), asked.request])
            check(order_grammar(guidelines, words, changes=bool(parts)), f"{asked.order}\n", asked.request)
        parts.append((f"{told}{lead}: {asked.request}\n{ORDER}", f"{asked.order}\n"))
        told = ""
        if not chance(rng, 0.6) or len(parts) > 3 or asked.unknown or asked.order == " none":
            break
        asked = _changed(rng, person, asked)
    yield Sample("itp.order", tuple(parts))


def _changed(rng: Rng, person: Customer | Worker, before: Asked) -> Asked:
    return said(rng, person.change(before.order))


def rules(rng: Rng) -> Iterator[Sample]:
    """What some rules mean."""
    shop = draw_shop(rng)
    for _ in range(4):
        words, short = rule(rng, shop)
        if chance(rng, CHECKED):
            check(rule_grammar(words, shop.guidelines), f"{short}\n", words)
        yield Sample("itp.rule", ((rule_prompt(words), f"{short}\n"),))


def places(rng: Rng) -> Iterator[Sample]:
    """Where a thing belongs."""
    thing, guidelines, names, right = place(rng)
    check(place_grammar(names), f" {right}\n", thing)
    yield Sample("itp.place", ((place_prompt(thing, guidelines), f" {right}\n"),))


def calls(rng: Rng) -> Iterator[Sample]:
    """Steps of one robot."""
    ways: tuple[tuple[Callable[[Rng], Robot], float], ...] = ((counter, 0.5), (machine, 0.85), (workshop, 1.0))
    drawn = rng.random()
    robot = next(way for way, up_to in ways if drawn <= up_to)(rng)
    for prompt, answer in robot.steps:
        yield Sample("itp.calls", ((prompt, answer),))


def check(grammar: str, answer: str, words: str) -> None:
    """Misfit where a model would not be allowed to say this."""
    if not accepts(grammar, answer):
        raise Misfit(f"{answer!r} is nothing that the grammar allows for {words!r}")


DEMONSTRATORS = (
    Demonstrator("itp.order", orders, 0.07),
    Demonstrator("itp.rule", rules, 0.025),
    Demonstrator("itp.place", places, 0.005),
    Demonstrator("itp.calls", calls, 0.09),
)

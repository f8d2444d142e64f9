"""Interactive Task Planning: plans by guidelines, steps as calls, and the same orders as programs.

All businesses, menus, guidelines, phrasings and robots here are made up for practice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from training.demonstrators.itp.coding import programs
from training.demonstrators.itp.counters import counter_order
from training.demonstrators.itp.doing import Robot, counter
from training.demonstrators.itp.drawing import Rng
from training.demonstrators.itp.machines import machine_order
from training.demonstrators.itp.machining import machine, workshop
from training.demonstrators.itp.planning import conversation
from training.samples import Demonstrator, Sample

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


Way = Callable[[Rng], Robot]


def _steps(rng: Rng, family: str, ways: Sequence[tuple[Way, float]]) -> Iterator[Sample]:
    drawn = rng.random()
    robot = next(way for way, up_to in ways if drawn <= up_to)(rng)
    for prompt, answer in robot.steps:
        yield Sample(family, ((prompt, answer),))


def calls(rng: Rng) -> Iterator[Sample]:
    """Steps of one robot."""
    return _steps(rng, "itp.calls", ((counter, 0.5), (machine, 0.85), (workshop, 1.0)))


def orders(rng: Rng) -> Iterator[Sample]:
    """Steps of one robot, from the first of an order to the last."""
    return _steps(rng, "itp.orders", ((counter_order, 0.6), (machine_order, 1.0)))


DEMONSTRATORS = (
    Demonstrator("itp.plan", conversation, 0.13),
    Demonstrator("itp.calls", calls, 0.03),
    Demonstrator("itp.orders", orders, 0.1),
    Demonstrator("itp.code", programs, 0.03),
)

"""Whole episodes of Inner Monologue and the open loop: the real loop on a table of words, with an expert inside."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from thinkaloud.agent import Agent
from thinkaloud.errors import BadInput
from thinkaloud.loop import Limits
from training import teacher
from training.demonstrators.inner_monologue import scenes
from training.demonstrators.inner_monologue.abroad import abroad
from training.demonstrators.inner_monologue.asking import Asked
from training.demonstrators.inner_monologue.expert import Expert, can_be_named
from training.demonstrators.inner_monologue.requests import Requests
from training.demonstrators.inner_monologue.table import OTHERS, TABLETOP, WordTable, scattered
from training.heldout import violations
from training.noise import noisy
from training.samples import Sample

KINDS = {
    "all_to_one": 0.14,
    "different": 0.14,
    "tower": 0.15,
    "single": 0.08,
    "several": 0.08,
    "some_to_one": 0.06,
    "part_tower": 0.06,
    "ordered_tower": 0.04,
    "all_but": 0.05,
    "one_and_the_rest": 0.05,
    "any_of": 0.04,
    "everything": 0.03,
    "by_kind": 0.03,
    "by_look": 0.01,
    "so_many": 0.02,
    "missing": 0.02,
}
COLOURED = 0.2
"""The share of requests about looks that match or do not; they have scenes of their own."""
STEPS = (2, 5, 9, 15, 15, 15)
"""After so many steps an episode may break off: beginnings are harder than what follows from them."""
CHECKED = 0.1
"""The share of episodes whose answers are held against the grammar of each question; it costs as much as the rest."""


def drawn(rng: np.random.Generator, *, told: bool = True) -> tuple[WordTable, list[Asked]]:
    """A table and what is asked there, one request after another; who is told nothing finds the table tidy."""
    says = TABLETOP if rng.random() < 0.88 else OTHERS[int(rng.integers(len(OTHERS)))]
    coloured = rng.random() < COLOURED
    scene = scenes.matched(rng) if coloured else scenes.draw(rng)
    requests = Requests(rng, scene, says)
    asked = list[Asked]()
    for _ in range(int(rng.choice([1, 2, 3], p=[0.7, 0.22, 0.08] if told else [0.85, 0.15, 0.0]))):
        one = requests.after(asked[-1]) if asked and rng.random() < 0.6 else None
        if one is None and not asked and rng.random() < 0.04:
            one = abroad(requests)
        while one is None:
            name = str(
                rng.choice(["matching", "mismatched"]) if coloured else rng.choice([*KINDS], p=[*KINDS.values()])
            )
            one = getattr(requests, name)()
        asked.append(one)
    under = scattered(rng, scene.things, scene.containers, scene.places) if told and rng.random() < 0.4 else {}
    under = {thing: below for thing, below in under.items() if below not in scene.things}  # what is asked about is seen
    table = WordTable(scene.things, scene.containers, scene.places, rng, says, under=under)
    said = "\n".join((*scene.things, *scene.containers, *(f"Human: {a.request}\n{a.goal} {a.missing}" for a in asked)))
    if violations(said) or not all(can_be_named(table, one) for one in asked):
        return drawn(rng, told=told)
    return table, [replace(one, request=noisy(rng, one.request, 0.25)) for one in asked]


def episode(
    rng: np.random.Generator, preset: str, *, told: bool, fails: float, upsets: float = 0.0
) -> Iterator[Sample]:
    """The samples of one episode. `told`: the planner is told what has been reached, and states the goal first."""
    table, asked = drawn(rng, told=told)
    table.fails = fails * (rng.random() < 0.6)
    table.upsets = upsets if table.places == scenes.TABLE else 0.0  # there is a place known to put things aside
    expert = Expert(table)
    says = expert.plan if preset == "open_loop" else expert.answer
    teaching = teacher.Teacher(says, family=preset.replace(":feedback=", "."), check=bool(rng.random() < CHECKED))
    agent = Agent(table, teaching, preset, limits=Limits(steps=int(rng.choice(STEPS))))
    try:
        asyncio.run(_play(rng, agent, expert, asked[:1] if preset == "open_loop" else asked))
    except BadInput:  # by chance a request names what is not there
        return
    yield from teaching.samples


async def _play(rng: np.random.Generator, agent: Agent, expert: Expert, asked: list[Asked]) -> None:
    left = list(asked)

    def speak() -> None:
        """Somebody changes their mind while the robot is at it."""
        if left and rng.random() < 0.5:
            expert.wanted = left.pop(0)
            agent.say(expert.wanted.request)

    if rng.random() < 0.3:
        expert.table.interrupting = speak
    while left:
        expert.wanted = left.pop(0)
        end = await agent.run(expert.wanted.request)
        if end.result == "failed" and "no further action" not in end.because:
            raise RuntimeError(end.because)

"""Whole episodes of Inner Monologue and the open loop: the real loop on a table of words, with an expert inside."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from thinkaloud.agent import Agent
from thinkaloud.errors import BadInput
from thinkaloud.loop import Limits
from thinkaloud.methods.inner_monologue.next_steps import StepFinder
from thinkaloud.methods.inner_monologue.planner import DONE
from thinkaloud.methods.inner_monologue.short_goals import GOAL, MISSING, read_subgoals
from thinkaloud.perceive.looking import relations_in
from thinkaloud.records import Step
from training import teacher
from training.demonstrators.inner_monologue import scenes
from training.demonstrators.inner_monologue.abroad import abroad
from training.demonstrators.inner_monologue.asking import Asked
from training.demonstrators.inner_monologue.requests import Requests
from training.demonstrators.inner_monologue.table import OTHERS, TABLETOP, WordTable, copied, scattered
from training.heldout import violations
from training.noise import noisy
from training.samples import Sample

KINDS = {
    "all_to_one": 0.15,
    "different": 0.14,
    "tower": 0.16,
    "single": 0.08,
    "several": 0.06,
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
STEPS = (1, 1, 1, 2, 2, 3, 5, 9)
"""After so many steps an episode may break off: the goal is the hard part, and there is one to each."""


CHECKED = 0.25
"""The share of episodes whose answers are held against the grammar of each question; it costs as much as the rest."""


class Expert:
    """Knows what is meant, and where everything is."""

    def __init__(self, table: WordTable, told: bool) -> None:
        self.table, self._told = table, told
        self.wanted = Asked("")

    def answer(self, asked: teacher.Asked) -> str:
        """What the planner should say."""
        assert asked.grammar is not None
        if asked.prompt.endswith("Robot thought:"):
            if self.wanted.missing:
                return f" {MISSING}{self.wanted.missing} here."
            return f" {self.goal}"
        if self._told:  # everything on offer serves the goal: the first is as good as any
            return f" {_offered(asked.grammar)[0]}"
        return f" {self._next(self.table)}"

    def plan(self, asked: teacher.Asked) -> str:
        """All the steps at once, as if each of them worked."""
        table, said = copied(self.table), list[str]()
        while (sentence := self._next(table)) != DONE and len(said) < 15:
            said.append(f" {sentence}")
            step = self._step(table)
            assert step is not None
            table.under[str(step.arguments["object"])] = str(step.arguments["target"])
        return "\nRobot action:".join([*said, f" {DONE}"])

    def can(self, asked: Asked) -> bool:
        """Whether there is anything to do about a request."""
        self.wanted = asked
        return self._step(self.table) is not None

    @property
    def goal(self) -> str:
        """The goal as a trained planner states it."""
        listed = ", ".join(f'"{sentence}"' for sentence in self.wanted.goal)
        return f"{GOAL} [{listed}]."

    def _next(self, table: WordTable) -> str:
        step = self._step(table)
        return DONE if step is None else step.words

    def _step(self, table: WordTable) -> Step | None:
        if self.wanted.missing:
            return None
        scene = table.observe()
        scene = replace(scene, state=relations_in(table, scene))
        found = StepFinder(table, scene, read_subgoals(self.goal, table.relations, scene.vocabulary)).next_steps()
        return found.steps[0] if found.open and found.steps else None


def _offered(grammar: str) -> list[str]:
    return [text for text in re.findall(r'"((?:[^"\\]|\\.)*)"', grammar) if text.strip()]


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
        asked.append(replace(one, request=noisy(rng, one.request, 0.25)))
    under = scattered(rng, scene.things, scene.containers, scene.places) if told and rng.random() < 0.4 else {}
    said = "\n".join((*scene.things, *scene.containers, *(f"Human: {a.request}\n{a.goal} {a.missing}" for a in asked)))
    if violations(said):
        return drawn(rng, told=told)
    return WordTable(scene.things, scene.containers, scene.places, rng, says, under=under), asked


def episode(
    rng: np.random.Generator, preset: str, *, told: bool, fails: float, upsets: float = 0.0
) -> Iterator[Sample]:
    """The samples of one episode. `told`: the planner is told what is still open, and states the goal first."""
    table, asked = drawn(rng, told=told)
    table.fails, table.upsets, table.risks = fails * (rng.random() < 0.5), upsets, 0.1 if told else 0.0
    expert = Expert(table, told)
    says = expert.plan if preset == "open_loop" else expert.answer
    teaching = teacher.Teacher(says, family=preset.replace(":feedback=", "."), check=bool(rng.random() < CHECKED))
    agent = Agent(table, teaching, preset, limits=Limits(steps=int(rng.choice(STEPS)) if told else 12))
    if preset == "open_loop":
        asked = asked[:1]
        if not expert.can(asked[0]):
            return
    try:
        asyncio.run(_play(rng, agent, expert, asked))
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
        if end.result == "failed" and "nothing can be done" not in end.because:
            raise RuntimeError(end.because)

"""Random robots, random invariants, random plans: nothing that must never be so is ever brought about.

What holds is judged here by the facts as a file writes them, with no help from the code that is tested. Without the
checks, very many of these invariants are broken; the last test makes sure of that. With `--all` there are 500 robots.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from sampling import how_many
from thinkaloud import Agent, Mind, Scripted
from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.monologue import Event, EventListener, Monologue
from thinkaloud.perceive.when_to_look import LookAfterEachStep
from thinkaloud.plan.search import Found, Sought, find_steps
from thinkaloud.records import Critique, Done, Outcome, Plan, Started, Step
from thinkaloud.robots.text_file import TextFileWorld, robot_from
from thinkaloud.worlds.full_world import FullWorld

ROBOTS = 500
_KINDS = {"cat": ("Tom", "Kit", "Puss"), "door": ("left door", "right door"), "cup": ("blue cup", "red cup")}


@dataclass
class Tally:
    """What came of all robots."""

    robots: int
    steps: int = 0
    refused: int = 0
    broken: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        taken = f"{self.robots} robots: {self.steps} steps taken, {self.refused} plans refused"
        return f"{taken}, {len(self.broken)} broken"


class Drawing:
    """Draws a robot from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        names = [f"rel{number}" for number in range(self.random.randint(2, 4))]
        self.relations = {name: self.random.choices([*_KINDS], k=self.random.choice((0, 1, 1, 2))) for name in names}

    def fact(self, terms: dict[str, list[str]]) -> str:
        """A fact about some of these terms, by kind."""
        name = self.random.choice([*self.relations])
        return f"{name}({', '.join(self.random.choice(terms[kind]) for kind in self.relations[name])})"

    def robot(self) -> dict[str, Any]:
        """The data of a robot's file, with what must never be so."""
        return {
            "name": "drawn",
            "about": "A robot.",
            "kinds": {kind: [*things] for kind, things in _KINDS.items()},
            "relations": {name: self.relation(name) for name in self.relations},
            "skills": {f"do{number}": self.skill(number) for number in range(self.random.randint(3, 5))},
            "start": {"facts": self.start()},
            "never": self.never(),
        }

    def relation(self, name: str) -> dict[str, Any]:
        takes = {f"p{at}": kind for at, kind in enumerate(self.relations[name])}
        says = f"{name} is so of {' and '.join(f'{{{each}}}' for each in takes) or 'nothing'}."
        single = {"single": True} if takes and self.random.random() < 0.4 else {}
        return {"says": says, "doc": "A relation.", "parameters": takes, **single}

    def skill(self, number: int) -> dict[str, Any]:
        takes = {f"p{at}": kind for at, kind in enumerate(self.random.choices([*_KINDS], k=self.random.choice((1, 2))))}
        terms: dict[str, list[str]] = {kind: [*things] for kind, things in _KINDS.items()}
        for name, kind in takes.items():
            terms[kind] += [f"{{{name}}}"] * 4
        makes, ends = ([self.fact(terms) for _ in range(self.random.choice((0, 1, 1, 2)))] for _ in range(2))
        needs = [self.random.choice(("", "not ")) + self.fact(terms)] if self.random.random() < 0.3 else []
        makes = makes or ([] if ends else [self.fact(terms)])
        says = f"Do{number} with {' and '.join(f'{{{each}}}' for each in takes)}."
        ends = [each for each in ends if each not in makes]
        return {
            "says": says,
            "doc": "The usual, please.",
            "parameters": takes,
            "makes": makes,
            "ends": ends,
            "needs": needs,
        }

    def never(self) -> list[str]:
        terms = {kind: [*things, kind, kind, kind, f"other {kind}"] for kind, things in _KINDS.items()}
        lines = []
        for _ in range(self.random.randint(1, 3)):
            facts = [self.random.choice(("", "", "not ")) + self.fact(terms) for _ in range(self.random.randint(1, 3))]
            lines.append(" and ".join(dict.fromkeys(facts)))
        return lines

    def start(self) -> list[str]:
        known: dict[str, str] = {}
        for _ in range(self.random.randint(0, 4)):
            fact = self.fact({kind: [*things] for kind, things in _KINDS.items()})
            known.setdefault(re.sub(r"[^(,]*\)$", "", fact), fact)  # one value of the last parameter
        return [*known.values()]


def broken_in(never: Sequence[str], so: set[str]) -> set[str]:
    """The instances of these lines that hold, by plain replacement of words."""
    found = set[str]()
    for line in never:
        words = sorted({*re.findall(rf"(?:other )?\b(?:{'|'.join(_KINDS)})\b(?=[,)])", _marked(line))}, key=len)[::-1]
        for things in itertools.product(*(_KINDS[word.removeprefix("other ")] for word in words)):
            chosen = dict(zip(words, things, strict=True))
            if any(chosen.get(word.removeprefix("other ")) == chosen[word] for word in words if "other" in word):
                continue
            text = _marked(line)
            for word, thing in chosen.items():
                text = re.sub(rf"(?<=[(,] ){word}(?=[,)])", thing, text)
            facts = [each.replace("( ", "(").replace(",  ", ", ") for each in text.split(" and ")]
            if all((each.removeprefix("not ") in so) is not each.startswith("not ") for each in facts):
                found.add(text)
    return found


def _marked(line: str) -> str:
    """The line with a space before every name, so that `left door` is not taken for a door."""
    return re.sub(r"\((?=[^)])", "( ", line)


class Wants:
    """A planner that wants these plans, whatever anybody says."""

    def __init__(self, plans: list[tuple[Step, ...]]) -> None:
        self._plans = plans

    async def plan(self, monologue: Monologue) -> Plan | Done:
        return Plan("The usual, please.", (), self._plans.pop()) if self._plans else Done("that was all")


def draw_steps(world: TextFileWorld, chance: random.Random, count: int) -> tuple[Step, ...]:
    skills = chance.choices([*world.skills.values()], k=count)
    return tuple(skill.step(chance.choice(skill.signature.calls(world.observe().vocabulary))) for skill in skills)


def draw_world(seed: int) -> TextFileWorld:
    return TextFileWorld(robot_from(Drawing(seed).robot(), "drawn.toml"))


def watching(world: TextFileWorld, seed: int, tally: Tally) -> EventListener:
    """Counts the steps of a robot, and what they break."""
    before = broken_in(world.never, world.facts())

    def watch(event: Event) -> None:
        nonlocal before
        tally.steps += isinstance(event.record, Started)
        if isinstance(event.record, Outcome):
            now = broken_in(world.never, world.facts())
            tally.broken += [f"{seed}: {event.record.step.words} {each}" for each in now - before]
            before = now

    return watch


def try_robot(seed: int, tally: Tally, *, guarded: bool) -> None:
    """Let a robot carry out random plans, and plans that a search found for random actions."""
    world, chance = draw_world(seed), random.Random(-seed - 1)
    plans = [draw_steps(world, chance, chance.randint(1, 5)) for _ in range(3)]
    for deeds in [draw_steps(world, chance, chance.randint(1, 3)) for _ in range(2)]:
        found = find_steps(FullWorld(world), world.observe(), Sought(deeds, in_order=True), most=200)
        plans += [found.steps] if isinstance(found, Found) else []
    mind = Mind(LookAfterEachStep(world), Wants([*plans]), CallSkill(world))
    agent = Agent(world, Scripted(), mind, listeners=[watching(world, seed, tally)])
    agent.loop.guard = agent.loop.guard if guarded else None
    asyncio.run(agent.run("The usual, please."))
    tally.refused += len(agent.monologue.since(None, Critique))


def test_no_invariant_of_random_robots_is_ever_broken(capsys: pytest.CaptureFixture[str]) -> None:
    tally = Tally(how_many(40, of=ROBOTS))
    for seed in range(tally.robots):
        try_robot(seed, tally, guarded=True)
    with capsys.disabled():
        print(f"\n{tally}")
    assert tally.broken == [] and tally.steps > tally.robots and tally.refused > tally.robots // 5


def test_a_search_plans_nothing_that_breaks_an_invariant() -> None:
    """Without the guard: what the search itself finds is carried out as it is."""
    planned, robots = 0, how_many(50, of=ROBOTS)
    for seed in range(robots):
        world, chance = draw_world(seed), random.Random(seed)
        deeds = draw_steps(world, chance, chance.randint(1, 3))
        found = find_steps(FullWorld(world), world.observe(), Sought(deeds, in_order=True), most=200)
        before = broken_in(world.never, world.facts())
        for step in found.steps if isinstance(found, Found) else ():
            asyncio.run(world.skills[step.skill].run(step.arguments))
            now = broken_in(world.never, world.facts())
            assert now <= before, f"{seed}: {step.words} {now - before}"
            before, planned = now, planned + 1
    assert planned > robots // 2


def test_no_request_breaks_an_invariant() -> None:
    """The whole mind: programs of random actions, understood, planned, rehearsed and carried out."""
    tally, ends = Tally(how_many(12, of=40)), Counter[str]()
    for seed in range(ROBOTS, ROBOTS + tally.robots):
        world, chance = draw_world(seed), random.Random(seed)
        deeds = [draw_steps(world, chance, chance.randint(1, 3)) for _ in range(3)]
        programs = [
            "\n".join(f"{s.skill}({', '.join(map(repr, s.arguments.values()))})" for s in each) for each in deeds
        ]
        preset = "thinkaloud:confirm=never;propose=off"
        agent = Agent(world, Scripted(programs), preset, listeners=[watching(world, seed, tally)])
        ends.update(asyncio.run(agent.run("The usual, please.")).result for _ in programs)
    assert tally.broken == [] and tally.steps > tally.robots
    assert ends["declined"] > tally.robots // 2 and ends["goal met"] > tally.robots


def test_without_the_guard_invariants_are_broken() -> None:
    tally = Tally(how_many(20, of=100))
    for seed in range(tally.robots):
        try_robot(seed, tally, guarded=False)
    assert len(tally.broken) > tally.robots // 2

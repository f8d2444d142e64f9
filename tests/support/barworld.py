"""A small bar: cups, ingredients, guidelines of its own, and a model that knows what to order of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Annotated

from thinkaloud.clock import Clock, ManualClock
from thinkaloud.episode.ticks import safe_point, tick
from thinkaloud.errors import SkillError
from thinkaloud.models import Scripted
from thinkaloud.records import Arguments, Condition, Observation
from thinkaloud.skills import Kind, Relation, Skill, relation, relations_of, skill, skills_of
from thinkaloud.worlds.contract import Briefing

GUIDELINES = """\
Options: Pure milk, Boba milk
Instructions:
Pure milk
Material: milk
Steps:
0) take an empty cup
1) pour milk into the cup
2) serve the cup

Boba milk
Material: boba, milk
Steps:
0) take an empty cup
1) add boba to the cup
2) pour milk into the cup
3) serve the cup

Available material we have now: boba, taro, matcha powder, milk
"""
STOCK = ("boba", "taro", "matcha powder", "milk")
Ingredient = Annotated[str, Kind("ingredient")]


def _fills(ingredient: str) -> tuple[tuple[str, Arguments], ...]:
    return (("has", {"ingredient": ingredient}),)


def _serves() -> tuple[tuple[str, Arguments], ...]:
    return (("served", {}),)


class Bar:
    """One cup at a time. `at_tick` is called with the number of every tick."""

    name = "bar"
    preset = ""

    def __init__(self, guidelines: str = GUIDELINES) -> None:
        self.guidelines = guidelines
        self.time = ManualClock()
        self.clock: Clock = self.time
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)
        self.at_tick: Callable[[int], None] = lambda number: None
        self.broken = 0
        self.reset(0)

    @property
    def briefing(self) -> Briefing:
        """How drinks are made here."""
        return Briefing(guidelines=self.guidelines, preset=self.preset)

    def reset(self, seed: int) -> None:
        self.time.seconds, self.ticks = 0.0, 0
        self.cup: list[str] | None = None
        self.out = False

    def observe(self) -> Observation:
        return Observation(STOCK, {"ingredient": STOCK})

    def holds(self, condition: Condition) -> bool:
        return bool(self.relations[condition.relation].holds(**condition.arguments))

    def snapshot(self) -> bytes:
        return json.dumps([self.time.seconds, self.ticks, self.cup, self.out]).encode()

    def restore(self, snapshot: bytes) -> None:
        self.time.seconds, self.ticks, self.cup, self.out = json.loads(snapshot)

    async def _work(self) -> None:
        for _ in range(20):
            safe_point()
            self.ticks += 1
            self.time.seconds += 0.1
            self.at_tick(self.ticks)
            await tick()

    @relation("There is {ingredient} in the cup.")
    def has(self, ingredient: Ingredient) -> bool:
        """Whether it is in the cup."""
        return self.cup is not None and ingredient in self.cup

    @relation("The cup is served.")
    def served(self) -> bool:
        """Whether the guest has the cup."""
        return self.out

    @skill("Take an empty cup.")
    async def take_cup(self) -> None:
        """Take an empty cup."""
        await self._work()
        self.cup = []

    @skill("Add {ingredient}.", effects=_fills)
    async def add(self, ingredient: Ingredient) -> None:
        """Add an ingredient to the cup, or pour it in."""
        await self._work()
        if self.broken:
            self.broken -= 1
            raise SkillError("The tap is stuck.")
        if self.cup is None:
            raise SkillError("There is no cup.")
        self.cup.append(ingredient)

    @skill("Serve the cup.", effects=_serves)
    async def serve(self) -> None:
        """Serve the cup to the guest."""
        await self._work()
        self.out = True


def steps_of(*ingredients: str, taken: bool = False) -> list[str]:
    """What is to be done for a drink."""
    adds = [f"pour {name} into the cup" if name == "milk" else f"add {name} to the cup" for name in ingredients]
    return [*([] if taken else ["take an empty cup"]), *adds, "serve the cup"]


def barkeeper() -> Scripted:
    """Plans for what a request names, in the order of the stock; reads it; makes the one call that a step needs."""

    def answer(prompt: str) -> str:
        if "\n# robot\n" in prompt:
            return _order(prompt)
        return _call(prompt) if "\nStep: " in prompt else _outline(prompt.rsplit("Now this robot:", 1)[-1])

    return Scripted(answer)


def _outline(prompt: str) -> str:
    request = re.findall(r"[Rr]equest: (.*)", prompt)[-1].lower()
    if "passion fruit" in request:
        return "Declined: passion fruit is not available\n\n"
    wanted = [name for name in STOCK if name.split()[0] in request]
    lines = steps_of(*wanted, taken="Completed steps:" in prompt)
    first = prompt.rsplit("Completed steps:", 1)[-1].count(") ") if "Completed steps:" in prompt else 0
    numbered = "\n".join(f"{number}) {line}" for number, line in enumerate(lines, first))
    return f"Material: {', '.join(wanted)}\nSteps:\n{numbered}\n\n"


def _order(prompt: str) -> str:
    request = re.findall(r'^# "(.*)"$', prompt, re.MULTILINE)[-1].lower()
    wanted = [name for name in STOCK if name.split()[0] in request]
    return (
        f"order({', '.join(map(json.dumps, wanted))}, no={json.dumps([each for each in STOCK if each not in wanted])})"
    )


def _call(prompt: str) -> str:
    step = re.findall(r"^Step: (.*)", prompt, re.MULTILINE)[-1]
    if "empty cup" in step:
        return "take_cup()\n#"
    if "serve" in step:
        return "serve()\n#"
    return f'add("{next(name for name in STOCK if name in step)}")\n#'

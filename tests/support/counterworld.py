"""A counter of words: one cup, a gripper, guidelines of its own; and orders that are carried out there by `itp`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any

from thinkaloud.agent import Agent
from thinkaloud.clock import Clock, ManualClock
from thinkaloud.episode.ticks import tick
from thinkaloud.errors import ModelError, SkillError, UnknownName
from thinkaloud.models import Scripted
from thinkaloud.records import (
    Arguments,
    Condition,
    End,
    Observation,
    Outcome,
    Plan,
    Refusal,
    Started,
    Verdict,
    WorldState,
)
from thinkaloud.skills import Kind, Relation, Skill, relation, relations_of, skill, skills_of
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Briefing

GUIDELINES = """\
Options: Plain tea, Sweet tea

Instructions:

Plain tea
Material: tea
Steps:
0) bring a cup to the counter
1) pour tea into the cup
2) serve the cup on the tray

Sweet tea
Material: honey, tea
Steps:
0) bring a cup to the counter
1) pour honey into the cup
2) pour tea into the cup
3) serve the cup on the tray

Available location we have now:
* rack for clean cups
* counter for the cup at work
* tray for what is ready
* bin for what nobody wants

Available material we have now: tea, honey, lemon
"""
BRING, SERVE = "bring a cup to the counter", "serve the cup on the tray"
POUR = {name: f"pour {name} into the cup" for name in ("tea", "honey", "lemon")}
STOCK, PLACES = ("tea", "honey", "lemon"), ("counter", "tray", "bin")
From = Annotated[str, Kind("source")]
Place = Annotated[str, Kind("place")]
Stuff = Annotated[str, Kind("ingredient")]


def _held(observation: Observation) -> bool:
    return observation.state is not None and any(r.relation == "held" for r in observation.state.relations)


def _empty(observation: Observation, **_: Any) -> str | None:
    return "The gripper holds the cup. Put that down first." if _held(observation) else None


def _full(observation: Observation, **_: Any) -> str | None:
    return None if _held(observation) else "There is no cup in the gripper."


def _cup_there(observation: Observation, location: str) -> str | None:
    state = observation.state or WorldState()
    where = next((str(r.arguments["location"]) for r in state.relations if r.relation == "at"), "")
    return None if location == where else f"There is no cup at the {location}."


def _at_counter(observation: Observation, **_: Any) -> str | None:
    return _cup_there(observation, "counter")


def _with(self: Counter, state: WorldState, name: str, **arguments: str) -> WorldState:
    return replace(state, relations=(*state.relations, self.relations[name].condition(arguments)))


def _without(state: WorldState, *names: str) -> WorldState:
    return replace(state, relations=tuple(r for r in state.relations if r.relation not in names))


def _after_grab(self: Counter, state: WorldState, location: str) -> WorldState:
    return _with(self, _without(state, "at"), "held", object="cup")


def _after_put(self: Counter, state: WorldState, location: str) -> WorldState:
    state = _without(state, "held", *(("contains",) if location == "bin" else ()))
    return _with(self, state, "at", object="cup", location=location)


def _after_pour(self: Counter, state: WorldState, ingredient: str) -> WorldState:
    return _with(self, state, "contains", object="cup", ingredient=ingredient)


def _contains(ingredient: str) -> tuple[tuple[str, Arguments], ...]:
    return (("contains", {"object": "cup", "ingredient": ingredient}),)


class Counter:
    """`broken` is how many of the next pours fail; every skill takes ten ticks, in the fifth of which it happens."""

    name = "counter"

    def __init__(self, guidelines: str = GUIDELINES) -> None:
        self.guidelines = guidelines
        self.time = ManualClock()
        self.clock: Clock = self.time
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)
        self.at_tick: Callable[[int], None] = lambda number: None
        self.broken = self.leaking = 0
        self.reset(0)

    @property
    def briefing(self) -> Briefing:
        """How drinks are made here."""
        return Briefing(guidelines=self.guidelines)

    def reset(self, seed: int) -> None:
        self.time.seconds, self.ticks, self.where, self.hand = 0.0, 0, "rack", False
        self.inside: list[str] = []

    def observe(self) -> Observation:
        said = [] if self.hand else [self.relations["at"].condition({"object": "cup", "location": self.where})]
        said += [self.relations["held"].condition({"object": "cup"})] if self.hand else []
        for each in self.inside:
            said.append(self.relations["contains"].condition({"object": "cup", "ingredient": each}))
        kinds = {"source": ("rack", *PLACES), "place": PLACES, "ingredient": STOCK, "object": ("cup",)}
        return Observation(("cup", *STOCK), kinds, state=WorldState(("cup",), tuple(said)))

    def holds(self, condition: Condition) -> bool:
        if condition.relation not in self.relations:
            raise UnknownName("relation", condition.relation, self.relations)
        return bool(self.relations[condition.relation].holds(**condition.arguments))

    def snapshot(self) -> bytes:
        return json.dumps([self.time.seconds, self.ticks, self.where, self.hand, self.inside]).encode()

    def restore(self, snapshot: bytes) -> None:
        self.time.seconds, self.ticks, self.where, self.hand, self.inside = json.loads(snapshot)

    async def _work(self, happens: Callable[[], None]) -> None:
        for number in range(10):
            self.ticks += 1
            self.time.seconds += 0.1
            if number == 5:
                happens()
            self.at_tick(self.ticks)
            await tick()

    @relation("{object} is at the {location}.")
    def at(self, object: Annotated[str, Kind("object")], location: From) -> bool:
        """Whether it stands there."""
        return not self.hand and self.where == location

    @relation("{object} is in the gripper.")
    def held(self, object: Annotated[str, Kind("object")]) -> bool:
        """Whether it is held."""
        return self.hand

    @relation("There is {ingredient} in the {object}.")
    def contains(self, object: Annotated[str, Kind("object")], ingredient: Stuff) -> bool:
        """Whether it was poured in."""
        return ingredient in self.inside

    @skill("Grab the cup from the {location}.", preconditions=(_empty, _cup_there), remembers=_after_grab)
    async def grab_cup(self, location: From) -> None:
        """Take hold of a cup, to bring or serve it.

        Args:
            location: where the cup is.
        """

        def happens() -> None:
            self.hand = True

        await self._work(happens)

    @skill("Put the cup on the {location}.", preconditions=(_full,), remembers=_after_put)
    async def put_cup(self, location: Place) -> None:
        """Put the cup down: bring it somewhere or serve it.

        Args:
            location: where it goes.
        """

        def happens() -> None:
            self.hand, self.where = False, location
            self.inside = [] if location == "bin" else self.inside

        await self._work(happens)

    @skill(
        "Pour {ingredient} into the cup.",
        preconditions=(_empty, _at_counter),
        effects=_contains,
        remembers=_after_pour,
    )
    async def pour(self, ingredient: Stuff) -> None:
        """Pour something into the cup.

        Args:
            ingredient: what to pour.
        """

        def happens() -> None:
            if self.broken:
                self.broken -= 1
                raise SkillError("The tap is stuck.")
            if self.leaking:
                self.leaking -= 1
            else:
                self.inside.append(ingredient)

        await self._work(happens)


CALLS = {BRING: 'grab_cup("rack")\nput_cup("counter")', SERVE: 'grab_cup("counter")\nput_cup("tray")'} | {
    line: f'pour("{name}")' for name, line in POUR.items()
}


def plan_of(*lines: str, first: int = 0, material: str = "tea") -> str:
    """What a planner says."""
    return f"Material: {material}\nSteps:\n" + "\n".join(f"{n}) {line}" for n, line in enumerate(lines, first))


CHECKS = "\n# what can be ordered:"
"""What only the prompt of the check has, which reads an order as a program."""


def as_planned(*said: str) -> str:
    """The program for just what the steps of a planner use, with what it had done before."""
    steps = " ".join(said)
    used = [name for name in STOCK if f"pour {name} " in steps]
    return f"order({', '.join(map(json.dumps, used))}, no={json.dumps([name for name in STOCK if name not in used])})"


def checked(*answers: str, read: str | Mapping[str, str] = 'order("tea")') -> Scripted:
    """A model with a list of answers, that reads every order in one way when it is checked; or each in its own."""
    left = list(answers)

    def answer(prompt: str) -> str:
        if CHECKS in prompt:
            return _read(prompt, read)
        if not left:
            raise ModelError("There are no more answers.")
        return left.pop(0)

    return Scripted(answer)


def _read(prompt: str, read: str | Mapping[str, str]) -> str:
    return read if isinstance(read, str) else read[json.loads(prompt.rstrip("\n").rpartition("\n# ")[2])]


def steps_for(*names: str) -> list[str]:
    """All that is to be done for a drink."""
    return [BRING, *(POUR[name] for name in names), SERVE]


class Order:
    """An agent that works by guidelines: a planner with a list of answers, and an executor that knows its calls.

    `said` maps a step to what the executor says to it instead, one after the other; when that is said, it knows better
    and also skips what the hand has done already. `interrupting` says something when
    a step (counted from 1, over the whole order) is at its third tick. `read` are the programs as which requests are
    read for the check; without it, the reading agrees with the planner.
    """

    def __init__(
        self,
        *answers: str,
        world: World | None = None,
        preset: str = "itp",
        said: Mapping[str, Iterable[str]] | None = None,
        read: Mapping[str, str] | None = None,
        **given: Any,
    ) -> None:
        self.read, self.planner_said = read, ""
        self.answers, self.said = list(answers), {line: list(each) for line, each in (said or {}).items()}
        self.planned: list[str] = []
        self.asked: list[str] = []
        self.model = Scripted(self._answer)
        self.world: Any = world or Counter()
        self.agent = Agent(self.world, self.model, preset, **given)
        self.monologue = self.agent.monologue
        self._interruptions: dict[int, list[str]] = {}
        self._ticks = 0
        self.agent.loop.ticking.append(self._tick)

    def _answer(self, prompt: str) -> str:
        if CHECKS in prompt:
            if self.read is not None:
                return _read(prompt, self.read)
            told = self.planned[-1].rpartition("Now this robot:")[2]
            return as_planned(*told.split("Completed steps:")[1:][-1:], self.planner_said)
        if "\nStep: " not in prompt:
            self.planned.append(prompt)
            self.planner_said = self.answers.pop(0)
            return self.planner_said
        self.asked.append(prompt)
        line = prompt.rsplit("\nStep: ", 1)[1].splitlines()[0]
        if said := self.said.get(line):
            return said.pop(0)
        held = "cup is in the gripper" in prompt.rsplit("Scene: ", 1)[1]
        return CALLS[line].split("\n")[-1] if held else CALLS[line]

    def interrupting(self, step: int, *words: str) -> Order:
        self._interruptions[step] = list(words)
        return self

    def _tick(self) -> None:
        started = [event.index for event in self.monologue if isinstance(event.record, Started)]
        number = len(started)
        self._ticks = self._ticks + 1 if number == getattr(self, "_number", None) else 1
        self._number = number
        if self._ticks == 3:
            for words in self._interruptions.pop(number, ()):
                self.agent.say(words)

    def run(self, request: str) -> End:
        return asyncio.run(self.agent.run(request))

    @property
    def calls(self) -> list[str]:
        return [started.step.words for started in self.monologue.since(None, Started)]

    @property
    def plans(self) -> list[Plan]:
        return self.monologue.since(None, Plan)

    @property
    def outlines(self) -> list[tuple[str, ...]]:
        return [plan.outline.lines for plan in self.plans if plan.outline and plan.outline.at is None]

    @property
    def refused(self) -> list[Refusal]:
        return self.monologue.since(None, Refusal)

    @property
    def failed(self) -> list[Verdict]:
        return [verdict for verdict in self.monologue.since(None, Verdict) if not verdict.ok]

    @property
    def outcomes(self) -> list[str]:
        return [outcome.ending for outcome in self.monologue.since(None, Outcome)]

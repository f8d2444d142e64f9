"""Minds made of parts that do as they are told, and a run of them in the toy world."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from thinkaloud.converse.inbox import Inbox
from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.loop import Limits, Loop, Mind
from thinkaloud.monologue import Monologue
from thinkaloud.perceive.when_to_look import WatchProgress
from thinkaloud.records import (
    Critique,
    Decision,
    End,
    Message,
    Plan,
    Record,
    Rehearsal,
    Request,
    Started,
    Step,
    Verdict,
    WorldState,
)
from thinkaloud.verify.effects import DetectSuccess
from toyworld import ToyWorld

Choice = Decision | Exception | Callable[[Monologue], Any]


@dataclass
class Planned:
    """A planner that returns, raises or awaits what is on its list, one after the other."""

    decisions: Iterable[Choice]
    asked: int = 0

    async def plan(self, monologue: Monologue) -> Decision:
        self.asked += 1
        choice = list(self.decisions)[self.asked - 1]
        if isinstance(choice, Exception):
            raise choice
        if callable(choice):
            decision: Decision = await choice(monologue)
            return decision
        return choice


@dataclass
class Criticised:
    findings: list[Critique]

    async def critique(self, plan: Plan, monologue: Monologue) -> Critique:
        return self.findings.pop(0)


@dataclass
class Rehearsed:
    findings: list[Rehearsal]

    async def rehearse(self, plan: Plan, monologue: Monologue) -> Rehearsal:
        return self.findings.pop(0)


@dataclass
class Corrected:
    corrections: list[Step | None]
    seen: list[Verdict] = field(default_factory=list)

    async def correct(self, verdict: Verdict, monologue: Monologue) -> Step | None:
        self.seen.append(verdict)
        return self.corrections.pop(0)


class Remembered:
    async def remember(self, monologue: Monologue) -> WorldState | None:
        return WorldState(attributes={"steps": {"taken": len(monologue.since(None, Started))}})


class Trial:
    """One request to a mind in a toy world; what happened is read off its monologue."""

    def __init__(
        self, *decisions: Choice, request: str = "Tidy up.", limits: Limits | None = None, **parts: Any
    ) -> None:
        self.world = parts.pop("world", None) or ToyWorld()
        self.person: Inbox = parts.pop("person", None) or Inbox()
        self.planner = Planned(decisions)
        mind = Mind(WatchProgress(self.world), self.planner, CallSkill(self.world), verify=DetectSuccess(self.world))
        self.monologue = Monologue(self.world.clock)
        self.loop = Loop(replace(mind, **parts), self.monologue, self.person, limits or Limits(), self._needs_approval)
        self.person.say(Request(request))

    def _needs_approval(self, step: Step) -> bool:
        return step.skill in self.world.skills and bool(self.world.skills[step.skill].approval)

    def run(self) -> End:
        return asyncio.run(self.loop.run())

    def says_at_tick(self, number: int, *messages: Message) -> None:
        """Somebody speaks during that tick of the world, counted over all skills."""
        said = list(messages)

        def speak() -> None:
            if self.world.ticks == number:
                while said:
                    self.person.say(said.pop(0))

        self.loop.ticking.append(speak)

    def answers(self, *messages: Message) -> None:
        """Somebody is there, and speaks at every question."""
        self.person.present, said = True, list(messages)
        self.monologue.listeners.append(
            lambda event: self.person.say(said.pop(0)) if said and type(event.record).__name__ == "Ask" else None
        )

    @property
    def records(self) -> list[Record]:
        return [event.record for event in self.monologue]

    @property
    def started(self) -> list[str]:
        return [started.step.words for started in self.monologue.since(None, Started)]

    @property
    def kinds(self) -> list[str]:
        return [type(record).__name__ for record in self.records]

"""A conversation with a mind that writes programs, in a domain's world, the model's words given."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from thinkaloud.agent import Agent
from thinkaloud.models import Scripted
from thinkaloud.records import End, Plan, Refusal, Request, Started, WorldState
from thinkaloud.skills.built_in_steps import SAY, STEPS
from thinkaloud.state.state_history import latest_state
from thinkaloud_worlds.tabletop.statler_worlds import DomainWorld, scene_of

R = TypeVar("R")
BLOCKS = ("red block", "blue block", "green block")


def table(domain: str, *objects: str) -> DomainWorld:
    """A world with just these things on the table."""
    things = objects or (*BLOCKS, "white bowl", "black bowl")
    world = DomainWorld(domain, scene_of(WorldState(things), 0, domain))
    world.reset(0)
    return world


class TrainedScript(Scripted):
    """Its answers are those of a model that was trained for our prompts."""

    trained = True


class Conversation:
    """Says things to an agent, and tells what came of the latest."""

    def __init__(
        self,
        preset: str,
        answers: Sequence[str] | Callable[[str], str],
        world: DomainWorld | None = None,
        *,
        trained: bool = False,
    ) -> None:
        self.model = TrainedScript(answers) if trained else Scripted(answers)
        self.world = world or table("pick_and_place")
        self.agent = Agent(self.world, self.model, preset)

    def says(self, *texts: str) -> End:
        """The end of the last one."""
        for text in texts:
            end = asyncio.run(self.agent.run(text))
        return end

    @property
    def moves(self) -> list[tuple[object, ...]]:
        """What was moved for the latest request."""
        steps = [started.step for started in self._since(Started)]
        return [tuple(step.arguments.values()) for step in steps if step.skill not in STEPS]

    @property
    def said(self) -> list[str]:
        return [str(s.step.arguments["text"]) for s in self._since(Started) if s.step.skill == SAY]

    @property
    def refusals(self) -> list[Refusal]:
        return self._since(Refusal)

    @property
    def plans(self) -> list[Plan]:
        return self._since(Plan)

    @property
    def state(self) -> WorldState:
        return latest_state(self.agent.monologue)

    @property
    def changes(self) -> list[tuple[str, str]]:
        """What became different with the latest request, and why."""
        return [(change.what, change.cause) for state in self._since(WorldState) for change in state.changes]

    def _since(self, kind: type[R]) -> list[R]:
        return self.agent.monologue.since(self.agent.monologue.where(Request), kind)

"""Looking once, after every step, with an eye on the goal (what Inner Monologue's variants differ in), or on order."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, runtime_checkable

from thinkaloud.monologue import Monologue
from thinkaloud.records import Look, Observation, Outcome, Request
from thinkaloud.worlds import World


class LookOnce:
    """Sees the objects when a request comes, and never again: the open loop."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def perceive(self, monologue: Monologue) -> Observation | None:
        """The scene, once a request."""
        if monologue.where(Observation, after=monologue.task_start()) is not None:
            return None
        return self._world.observe()


class LookAfterEachStep:
    """Sees which objects are in view and which no longer are."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def perceive(self, monologue: Monologue) -> Observation | None:
        """The scene as it is now."""
        return self._world.observe()


class WatchProgress:
    """Sees the objects, and which of the planner's own goal conditions hold now (the paper's Scene feedback)."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def perceive(self, monologue: Monologue) -> Observation | None:
        """The scene as it is now, and the progress in it."""
        wanted = monologue.goal()
        achieved = tuple(condition for condition in wanted if self._world.holds(condition))
        return replace(self._world.observe(), achieved=achieved)


@runtime_checkable
class Scanning(World, Protocol):
    """A world that can be looked at more closely than usual."""

    def rescan(self) -> Observation:
        """What is seen from all sides, with all the time that it takes."""
        ...


class ScanOnOrder(WatchProgress):
    """The same, and where the planner ordered it, from all sides: what was hidden or has been added is found."""

    async def perceive(self, monologue: Monologue) -> Observation | None:
        """The scene as it is now, looked at more closely after a Look."""
        cause = monologue.last((Look, Request, Outcome))  # a run that was taken up again has to look again, too
        if isinstance(cause, Look) and isinstance(self._world, Scanning):
            self._world.rescan()  # what it found stays known
        return await super().perceive(monologue)

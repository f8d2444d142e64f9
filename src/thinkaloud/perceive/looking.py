"""Looking once, after every step, or with an eye on the goal: what Inner Monologue's variants differ in."""

from __future__ import annotations

from dataclasses import replace

from thinkaloud.monologue import Monologue
from thinkaloud.records import Observation
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

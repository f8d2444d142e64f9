"""A greenhouse: thirsty plants, a window, and a hose that has to be turned on twice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Literal

from thinkaloud import (
    Condition,
    Kind,
    ManualClock,
    Observation,
    SkillError,
    World,
    relation,
    relations_of,
    safe_point,
    skill,
    skills_of,
    tick,
)
from thinkaloud.clock import Clock
from thinkaloud.errors import BadScene, UnknownName
from thinkaloud.records import Arguments
from thinkaloud.skills import Relation, Skill
from thinkaloud.worlds.contract import Briefing

PLANTS = ("tomato", "basil", "orchid")
Plant = Annotated[str, Kind("plant")]
State = Literal["open", "closed"]


def _waters(plant: str) -> tuple[tuple[str, Arguments], ...]:
    return (("watered", {"plant": plant}),)


def _sets(state: str) -> tuple[tuple[str, Arguments], ...]:
    return (("window_is", {"state": state}),)


class Greenhouse:
    """A robot that waters plants and airs the room."""

    name = "greenhouse"
    briefing = Briefing(about="A robot with a hose stands in a greenhouse.", preset="gardening")

    def __init__(self, plants: tuple[str, ...] = PLANTS) -> None:
        self._plants, self._time = plants, ManualClock()
        self.clock: Clock = self._time
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Start with dry plants, a closed window, and the hose off."""
        self._time.seconds, self._window, self._hose = 0.0, "closed", "off"
        self._wet: list[str] = []

    def observe(self) -> Observation:
        """All the plants, and the window."""
        return Observation((*self._plants, "window"), {"plant": self._plants})

    @skill("Water the {plant}.", effects=_waters)
    async def water(self, plant: Plant) -> None:
        """Water a plant; the hose sticks the first time."""
        safe_point()
        await self.clock.sleep(1.0)
        await tick()
        if self._hose == "off":
            self._hose = "on"
            raise SkillError("The hose was stuck.")
        self._wet = sorted({*self._wet, plant})

    @skill("Set the window {state}.", effects=_sets)
    async def set_window(self, state: State) -> None:
        """Open or close the window."""
        await self.clock.sleep(1.0)
        self._window = state

    @relation("{plant} is watered.")
    def watered(self, plant: Plant) -> bool:
        """Whether a plant has had water."""
        return plant in self._wet

    @relation("Window is {state}.")
    def window_is(self, state: State) -> bool:
        """Whether the window is open, or closed."""
        return self._window == state

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true now."""
        if condition.relation not in self.relations:
            raise UnknownName("relation", condition.relation, self.relations)
        return bool(self.relations[condition.relation].holds(**condition.arguments))

    def snapshot(self) -> bytes:
        """The state, for the journal."""
        return json.dumps([self._time.seconds, self._wet, self._window, self._hose]).encode()

    def restore(self, snapshot: bytes) -> None:
        """Restore the state."""
        self._time.seconds, self._wet, self._window, self._hose = json.loads(snapshot)


def open_greenhouse(scene: str | None) -> World:
    """Open a greenhouse; a scene lists the names of its plants, one per line."""
    if scene is None:
        return Greenhouse()
    plants = tuple(line.strip() for line in scene.splitlines() if line.strip())
    if len(set(plants)) < len(plants):
        raise BadScene("scene:1: a plant is named twice.")
    return Greenhouse(plants)

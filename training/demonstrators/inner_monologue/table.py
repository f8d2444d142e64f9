"""A table of words: the same sentences and observations as the simulated one's, with chance in place of physics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Annotated, Any

import numpy as np

from thinkaloud.clock import Clock, ManualClock
from thinkaloud.records import Arguments, Condition, Observation
from thinkaloud.skills import Kind, Relation, Skill, relation, skill
from thinkaloud_worlds.tabletop import Tabletop

Says = tuple[str, str, str]
"""How the skill, the relation, and what a goal leaves alone are said."""
TABLETOP: Says = (
    Tabletop.pick_and_place.__skill__.signature.says,  # type: ignore[attr-defined]
    Tabletop.on.__relation__.signature.says,  # type: ignore[attr-defined]
    Tabletop.on.__relation__.otherwise,  # type: ignore[attr-defined]
)
OTHERS: tuple[Says, ...] = (
    ("Move the {object} to the {target}.", "{object} is at the {target}.", "{object} stays."),
    ("Put the {object} on the {target}.", "{object} is on the {target}.", "{object} stays where it is."),
    ("Bring the {object} to the {target}.", "{object} is by the {target}.", "{object} is left alone."),
    ("Place the {object} in the {target}.", "{object} is in the {target}.", "{object} stays where it is."),
    ("Take the {object} and set it down on the {target}.", "{object} lies on the {target}.", "{object} stays put."),
)
"""Robots that others might build."""


@lru_cache
def _declared(says: Says) -> tuple[Skill, Relation]:
    """A skill and a relation of these words; what they do is filled in for each table."""
    action, fact, alone = says

    def puts(object: str, target: str) -> tuple[tuple[str, Arguments], ...]:
        return (("on", {"object": object, "target": target}),)

    @skill(says=action, distinct=("object", "target"), effects=puts)
    def pick_and_place(
        object: Annotated[str, Kind("object in view")], target: Annotated[str, Kind("target in view")]
    ) -> str:
        """Pick up an object and place it somewhere."""
        raise NotImplementedError

    @relation(says=fact, distinct=("object", "target"), otherwise=alone)
    def on(object: Annotated[str, Kind("object")], target: Annotated[str, Kind("target")]) -> bool:
        """Whether an object is there."""
        raise NotImplementedError

    return pick_and_place.__skill__, on.__relation__  # type: ignore[attr-defined]


@dataclass
class WordTable:
    """Things, containers and places; `under` says what each thing is on, if it is not just on the table."""

    things: tuple[str, ...]
    containers: tuple[str, ...]
    places: tuple[str, ...]
    rng: np.random.Generator
    says: Says = TABLETOP
    fails: float = 0.0
    """How likely a step is to come to nothing."""
    upsets: float = 0.0
    """How likely a step is to move something else, or to throw something off the table."""
    under: dict[str, str] = field(default_factory=dict)
    name: str = "tabletop"
    interrupting: Callable[[], None] | None = None
    """Called while a step is under way."""

    def __post_init__(self) -> None:
        self.gone = set[str]()
        self.clock: Clock = ManualClock()
        declared, said = _declared(self.says)
        self.skills: Mapping[str, Skill] = {declared.name: replace(declared, function=self._act)}
        self.relations: Mapping[str, Relation] = {said.signature.name: replace(said, holds=self.on)}

    # What is so -------------------------------------------------------------------------------------------------------

    def on(self, object: str, target: str) -> bool:
        """Whether an object is on a target, or on something that is."""
        return target in self.below(object)

    def below(self, name: str) -> list[str]:
        """What a thing is on, and what that is on, and so on."""
        found: list[str] = []
        while name in self.under and len(found) < 20:
            name = self.under[name]
            found.append(name)
        return found

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true."""
        return self.on(**{key: str(value) for key, value in condition.arguments.items()})

    def observe(self) -> Observation:
        """What lies on top."""
        covered = {below for thing, below in self.under.items() if below in self.things}
        seen = tuple(n for n in (*self.things, *self.containers) if n not in covered and n not in self.gone)
        hidden = tuple(n for n in (*self.things, *self.containers) if n not in seen)
        vocabulary = {
            "object": self.things,
            "target": (*self.things, *self.containers, *self.places),
            "object in view": tuple(name for name in self.things if name in seen),
            "target in view": (*seen, *self.places),
        }
        return Observation(seen, vocabulary, hidden)

    # What happens -----------------------------------------------------------------------------------------------------

    async def _act(self, **arguments: Any) -> str:
        object, target = str(arguments["object"]), str(arguments["target"])
        if self.interrupting is not None:
            self.interrupting()
        chance = self.rng.random()
        if chance < self.upsets:
            self._upset(object, target)
        elif chance < self.upsets + self.fails:
            if self.rng.random() < 0.7:
                self.under.pop(object, None)
            else:
                return f"Picked up nothing: the cup did not get hold of the {object}."
        else:
            self.under[object] = target
        return f"Picked up the {object} and put it down for the {target}."

    def _upset(self, moved: str, target: str) -> None:
        free = [name for name in self.observe().objects if name in self.things]
        other = free[int(self.rng.integers(len(free)))] if free else moved
        below = self.below(target)
        self.under.pop(moved, None)
        if target in self.things and self.rng.random() < 0.5:  # a tower topples, down to its lowest or not so far
            for name in (target, *below)[: int(self.rng.integers(1, len(below) + 2))]:
                self.under.pop(name, None)
        elif self.rng.random() < 0.3:
            self._fall(other)
        else:
            self.under.pop(other, None)

    def _fall(self, name: str) -> None:
        self.under.pop(name, None)
        self.gone.add(name)

    def reset(self, seed: int) -> None:
        """Nothing is on anything."""
        self.under.clear()

    def snapshot(self) -> bytes:
        """Not needed here."""
        raise NotImplementedError

    def restore(self, snapshot: bytes) -> None:
        """Not needed here."""
        raise NotImplementedError


def scattered(
    rng: np.random.Generator, things: Sequence[str], containers: Sequence[str], places: Sequence[str]
) -> dict[str, str]:
    """Where things may lie when an episode begins: most of them just on the table."""
    under: dict[str, str] = {}
    for number, thing in enumerate(things):
        chance = rng.random()
        if chance < 0.12 and places:
            under[thing] = places[int(rng.integers(len(places)))]
        elif chance < 0.16 and containers:
            under[thing] = containers[int(rng.integers(len(containers)))]
        elif chance < 0.19 and number:
            under[thing] = things[int(rng.integers(number))]
    return under

"""What can be said instead of numbers: sentences that a world itself knows how to turn into calls of its skills.

A robot that is moved by coordinates is spoken to in words: `Put the mug where the plate was`. The world says which such
sentences make sense as things stand; a planner chooses one, and what it means is looked up, not computed by the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from thinkaloud.records import Arguments, WorldState
from thinkaloud.worlds import World


@dataclass(frozen=True, slots=True)
class Saying:
    """A sentence and the call that it stands for. `{x}` in it is an argument that whoever says it has to fill in."""

    words: str
    skill: str
    arguments: Arguments
    passing: bool = False
    """Good for the time being only: what was put aside still has to get to where it belongs."""


class Speaking(World, Protocol):
    """A world that knows sentences of its own."""

    def sayings(self, state: WorldState, first: WorldState) -> list[Saying]:
        """What can be said in a state that began as another."""
        ...


def sayings_of(world: World, state: WorldState, first: WorldState) -> list[Saying] | None:
    """What can be said to a world, or to the one inside it; None where it knows no sentences of its own."""
    speaking: Speaking | None = world if hasattr(world, "sayings") else None  # type: ignore[assignment]
    return None if speaking is None else speaking.sayings(state, first)

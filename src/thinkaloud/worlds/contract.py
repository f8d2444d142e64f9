"""The world: what a robot acts in. The contract that every world keeps, and what it may offer besides, by name.

A world offers an ability by having its members; nothing has to be inherited. Whoever wants to use one asks in one way:

    if (twinned := find_ability(world, Twinned)) is not None:
        twin = twinned.twin()

What a planner should know before it begins stands in one briefing: `briefing_of(world)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar, cast, runtime_checkable

from thinkaloud.clock import Clock
from thinkaloud.records import Condition, Observation, WorldState
from thinkaloud.skills import Relation, Skill

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from thinkaloud.worlds.lessons import Lesson

A = TypeVar("A")


@runtime_checkable
class World(Protocol):
    """What the robot acts in. The same seed gives the same episode, to the bit."""

    name: str
    clock: Clock
    skills: Mapping[str, Skill]
    relations: Mapping[str, Relation]

    def reset(self, seed: int) -> None:
        """Begin a new episode."""
        ...

    def observe(self) -> Observation:
        """What can be perceived now."""
        ...

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the world, really and now."""
        ...

    def snapshot(self) -> bytes:
        """Everything needed to be in this very state again."""
        ...

    def restore(self, snapshot: bytes) -> None:
        """Be in that state again. Raises ValueError for what is no snapshot of this world."""
        ...


# What a planner is told beforehand ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Briefing:
    """What is known about a world before anything is seen; all of it in words, none of it needed.

    `about`: what the robot is and where it stands. `rules`: what holds here that nobody would guess. `guidelines`: how
    tasks are done, as `--guidelines` reads it. `preset`: the one that suits this world, where nobody chooses another.
    `lesson`: a conversation that shows how programs are written here. `programs`: examples of programs for tasks that
    are done by guidelines.
    """

    about: str = ""
    rules: str = ""
    guidelines: str = ""
    preset: str = ""
    lesson: Lesson | None = None
    programs: str = ""


NOTHING_SAID = Briefing()


def briefing_of(world: World) -> Briefing:
    """What a world wants to be known about it; one without a briefing is as good as any."""
    briefed = find_ability(world, Briefed)
    return NOTHING_SAID if briefed is None else briefed.briefing


# What a world may offer besides ---------------------------------------------------------------------------------------


class Briefed(Protocol):
    """A world that says something about itself."""

    @property
    def briefing(self) -> Briefing:
        """What is to be known about it, as it stands."""
        ...


class Twinned(Protocol):
    """A world that can be copied; a real robot that has a simulation of itself is one, too."""

    def twin(self) -> World:
        """A copy of this world, in this very state, in which things can be tried: this one stays as it is.

        Raises NotImplementedError where there is none just now.
        """
        ...


class Scanning(Protocol):
    """A world that can be looked at more closely than usual."""

    def rescan(self) -> Observation:
        """What is seen from all sides, with all the time that it takes."""
        ...


class Pictured(Protocol):
    """A world that can be seen."""

    def render(self, width: int = 320, height: int = 240) -> NDArray[np.uint8]:
        """A picture of it."""
        ...


class Consequential(Protocol):
    """A world in which more follows from what is done than the skills declare: what is dirty soils what it touches."""

    def settled(self, state: WorldState) -> WorldState:
        """The state with all that follows from it."""
        ...


def find_ability(world: World, ability: type[A]) -> A | None:
    """The world as something with an ability, or None. A wrapper passes on what the world inside it offers."""
    own = [name for name in (*vars(ability), *vars(ability).get("__annotations__", ())) if not name.startswith("_")]
    return cast(A, world) if all(hasattr(world, name) for name in own) else None

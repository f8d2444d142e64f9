"""The world: what a robot acts in. The contract that every world keeps, and what it may offer besides, by name.

A world offers an ability by having its members; nothing has to be inherited. There is one way to ask for it:

    if (twinned := find_ability(world, Twinned)) is not None:
        twin = twinned.twin()

What a planner should know before it begins stands in one briefing: `briefing_of(world)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from thinkaloud.abilities import find_ability as find_ability
from thinkaloud.abilities import members_of
from thinkaloud.clock import Clock
from thinkaloud.records import Condition, Observation, Step, WorldState
from thinkaloud.skills import Measure, Relation, Skill
from thinkaloud.worlds.disturbance import Disturbance
from thinkaloud.worlds.program_examples import Lesson

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from thinkaloud.worlds.vision import Appearance, Eyes, View

Point = tuple[float, float]


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
    tasks are done, as `--guidelines` reads it. `preset`: the one without which the work here cannot be done, taken
    where nobody chooses another; else that is `thinkaloud`. `paper`: the preset of the paper that this world is from,
    taken where the model was not trained for ours. `lesson`: a conversation that shows how programs are written here.
    `programs`: examples of programs for tasks that are done by guidelines. `calls`: steps are written as calls in a
    prompt, `robot.pick_place("apple", "plate")`, where a method has both ways. `unchecked`: why nothing that holds here
    was checked; no end is then a goal that is met.
    """

    about: str = ""
    rules: str = ""
    guidelines: str = ""
    preset: str = ""
    paper: str = ""
    lesson: Lesson | None = None
    programs: str = ""
    calls: bool = False
    unchecked: str = ""


_NOTHING_SAID = Briefing()


def briefing_of(world: World) -> Briefing:
    """What a world wants to be known about it; one without a briefing is as good as any."""
    briefed = find_ability(world, Briefed)
    return _NOTHING_SAID if briefed is None else briefed.briefing


# What a world may offer besides ---------------------------------------------------------------------------------------


class Briefed(World, Protocol):
    """A world that says something about itself."""

    @property
    def briefing(self) -> Briefing:
        """What is to be known about it, as it stands."""
        ...


class Twinned(World, Protocol):
    """A world that can be copied; a real robot that has a simulation of itself is one, too."""

    def twin(self) -> World:
        """A copy of this world, in this very state, in which things can be tried: this one stays as it is.

        Raises NotImplementedError where there is none just now.
        """
        ...


class Scanning(World, Protocol):
    """A world that can be looked at more closely than usual."""

    def rescan(self) -> Observation:
        """What is seen from all sides, with all the time that it takes."""
        ...


class MakesRoom(World, Protocol):
    """A world in which deeds, one after another, may need room that somebody has to make first."""

    def make_room(self, deeds: Sequence[Step]) -> Sequence[Step]:
        """What has to be done first so that there is room for all of some deeds; nothing where there is, or none."""
        ...


class Pictured(World, Protocol):
    """A world that can be seen."""

    def render(self, width: int = 320, height: int = 240) -> NDArray[np.uint8]:
        """A picture of it."""
        ...


class Believing(World, Protocol):
    """A world in which something matters that its robot does not see: it is told of that, and works out the rest.

    What its relations and measures say of such things goes by what is believed. The world keeps no memory of what was
    told: whoever speaks with people has it, and gives it back with `believe`.
    """

    def believe(self, state: WorldState) -> None:
        """From now on, go by this."""
        ...

    def take_in(self, state: WorldState, words: str) -> WorldState:
        """What is believed once a sentence was heard; the same where it tells nothing of what is not seen."""
        ...


class Recalling(World, Protocol):
    """A world that can tell what its robot did before; whoever has it act tells it what that was."""

    def recall(self, steps: Sequence[Step]) -> None:
        """From now on, these are the steps that were done, the oldest first."""
        ...


class Disturbable(World, Protocol):
    """A world whose senses can have noise in them."""

    def with_noise(self, disturbance: Disturbance) -> World:
        """The same world, seen and acted on through noise."""
        ...


class Viewed(World, Protocol):
    """A world whose robot has a camera with depth, and can be made to see through it and not otherwise."""

    def view(self) -> View:
        """What the camera sees now."""
        ...

    def appearances(self) -> tuple[Appearance, ...]:
        """What the things look like that may be there, whether they are or not; nothing about where they are."""
        ...

    def see_with(self, eyes: Eyes) -> None:
        """From now on, observe, check and act by what these eyes find in what the camera sees."""
        ...


class Arranged(Pictured, Scanning, Twinned, Protocol):
    """A world from which things can be taken, and to which they can be put back."""

    def set_aside(self, name: str) -> None:
        """Have a thing not be there."""
        ...

    def put_back(self, name: str) -> None:
        """Have it be where the scene has it."""
        ...


class Measured(World, Protocol):
    """A world in which more can be read off things than whether something is true of them: heights, distances."""

    measures: Mapping[str, Measure]


class Extendable(World, Protocol):
    """A world that can do, and tell, more than its paper's, if it is asked to.

    `extended` gives the same world, in the same state, with more skills, relations and measures; or with the same
    motions under names that say what comes of them.
    """

    def extended(self) -> World:
        """This very world, with all that it can do."""
        ...


class Fallible(World, Protocol):
    """A world whose detectors err, and that says so; how often is for those who take one reading for granted."""

    error_rates: Disturbance

    def tell_doubt(self, conditions: Sequence[Condition]) -> str:
        """How far it may be wrong what was said of these conditions, in words; empty where it is simply known."""
        ...


ABILITIES: tuple[type, ...] = (
    *(Briefed, Twinned, Scanning, MakesRoom, Pictured, Disturbable, Arranged),
    *(Measured, Extendable, Fallible, Viewed, Believing, Recalling),
)
"""All that is ever asked for."""


def doubt_of(world: World, conditions: Sequence[Condition]) -> str:
    """How far it may be wrong what a world says of these conditions, in words; empty where it is simply known."""
    fallible = find_ability(world, Fallible)
    return "" if fallible is None else fallible.tell_doubt(conditions)


def find_missing_members(found: object) -> list[str]:
    """What something lacks to be a world."""
    return [name for name in members_of(World) if not hasattr(found, name)]


def find_missing_methods(kind: type) -> list[str]:
    """What a class lacks so that its objects can be worlds; what they get when they are made is not looked for."""
    return [name for name in vars(World) if not name.startswith("_") and not callable(getattr(kind, name, None))]

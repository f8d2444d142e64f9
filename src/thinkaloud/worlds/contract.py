"""The world: what a robot acts in. The contract that every world fulfils, and the optional abilities.

A world offers an ability by having its members; it inherits nothing. There is one way to ask for an ability:

    if (twinned := find_ability(world, Twinned)) is not None:
        twin = twinned.twin()

A briefing holds what a planner should know before it begins: `briefing_of(world)`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from thinkaloud.abilities import find_ability as find_ability
from thinkaloud.abilities import members_of
from thinkaloud.clock import Clock
from thinkaloud.errors import BadRobot, Missing
from thinkaloud.language.words import sentence_of
from thinkaloud.records import Condition, Observation, Step, WorldState
from thinkaloud.skills import Measure, Relation, Skill
from thinkaloud.worlds.disturbance import Disturbance
from thinkaloud.worlds.program_examples import Lesson

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from thinkaloud.worlds.hands import Hands
    from thinkaloud.worlds.vision import Appearance, Eyes, View

Point = tuple[float, float]
CANNOT_TELL = "I cannot tell just now: "
"""Begins what is said where the robot's own code fails to say whether something is so."""


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
        """Everything needed to restore this state."""
        ...

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if this is not a snapshot of this world."""
        ...


# What a planner is told beforehand ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Briefing:
    """What is known about a world before anything is seen. Every field is optional.

    `about`: what the robot is and where it stands. `rules`: what holds here that nobody would guess. `guidelines`: how
    tasks are done, in the form `--guidelines` reads. `preset`: the preset this world needs, used unless somebody
    chooses another; the default is `thinkaloud`. `paper`: the preset of the paper this world comes from, used if the
    model was not trained for ours. `lesson`: a conversation that shows how programs are written here. `programs`:
    example programs for tasks done by guidelines. `calls`: prompts write steps as calls, `robot.pick_place("apple",
    "plate")`, if a method supports both. `unchecked`: why nothing here can be checked; no run then ends with `goal
    met`. `examples`: requests that a newcomer may try first, in any scene.
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
    examples: tuple[str, ...] = ()


_NOTHING_SAID = Briefing()


def briefing_of(world: World) -> Briefing:
    """The briefing of a world; empty if it has none."""
    briefed = find_ability(world, Briefed)
    return _NOTHING_SAID if briefed is None else briefed.briefing


# What a world may offer besides ---------------------------------------------------------------------------------------


class Briefed(World, Protocol):
    """A world that says something about itself."""

    @property
    def briefing(self) -> Briefing:
        """The briefing, as things stand now."""
        ...


class Twinned(World, Protocol):
    """A world that can be copied. A real robot with a simulation of itself counts, too."""

    def twin(self) -> World:
        """A copy of this world in its current state, to try things in. This world does not change.

        Raises NotImplementedError if there is no copy just now.
        """
        ...


class Scanning(World, Protocol):
    """A world that can be looked at more closely than usual."""

    def rescan(self) -> Observation:
        """A thorough look from all sides, however long it takes."""
        ...


class MakesRoom(World, Protocol):
    """A world in which a sequence of actions may need room that has to be made first."""

    def make_room(self, deeds: Sequence[Step]) -> Sequence[Step]:
        """The steps that make room for all of these actions; empty if there is room, or if no room can be made."""
        ...


class Pictured(World, Protocol):
    """A world that can be seen."""

    def render(self, width: int = 320, height: int = 240) -> NDArray[np.uint8]:
        """A picture of it."""
        ...


class Believing(World, Protocol):
    """A world where things matter that the robot cannot see. People tell the robot about them; it infers the rest.

    Its relations and measures answer from these beliefs. The world does not remember what people said: the mind does,
    and hands it back with `believe`.
    """

    def believe(self, state: WorldState) -> None:
        """Use these beliefs from now on."""
        ...

    def take_in(self, state: WorldState, words: str) -> WorldState:
        """The beliefs after hearing a sentence; unchanged if it says nothing about what is out of sight."""
        ...


class Recalling(World, Protocol):
    """A world that can tell what its robot did earlier. The caller tells it which steps those were."""

    def recall(self, steps: Sequence[Step]) -> None:
        """Take these as the steps done so far, oldest first."""
        ...


class Disturbable(World, Protocol):
    """A world whose senses can have noise in them."""

    def with_noise(self, disturbance: Disturbance) -> World:
        """The same world, seen and acted on through noise."""
        ...


class Slippery(World, Protocol):
    """A world whose robot's hand can be made to slip."""

    def with_slips(self, rate: float) -> World:
        """The same world, in which this share of the hand's motions comes to nothing."""
        ...


class Viewed(World, Protocol):
    """A world whose robot has a depth camera and can be told to perceive only through it."""

    def view(self) -> View:
        """What the camera sees now."""
        ...

    def appearances(self) -> tuple[Appearance, ...]:
        """What the things that may be there look like. Says nothing about whether or where they are."""
        ...

    def see_with(self, eyes: Eyes) -> None:
        """From now on, observe, check and act on what these eyes find in the camera's pictures."""
        ...


class Handed(World, Protocol):
    """A world whose arm can be told to pick and place where something learned points."""

    def pick_with(self, hands: Hands) -> None:
        """From now on, pick and place where these hands point in the picture from above."""
        ...


class SeenFromAbove(World, Protocol):
    """A world whose robot sees its table from straight above, with heights."""

    def from_above(self) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """A square picture of the table (0 to 255), and how high it is there in metres (NaN where that is unknown)."""
        ...


class SeenInPlace(World, Protocol):
    """A world whose robot takes a picture where it stands, by which what it does there can be judged."""

    in_place: Collection[str]
    """The skills whose effect is to be seen from where the robot stands, before and after."""

    def seen_here(self) -> tuple[str, NDArray[np.uint8], NDArray[np.float64]]:
        """Where the robot stands, the picture (0 to 255), and how high it is there in metres (NaN where unknown)."""
        ...


class Arranged(Pictured, Scanning, Twinned, Protocol):
    """A world from which things can be taken, and to which they can be put back."""

    def set_aside(self, name: str) -> None:
        """Remove a thing."""
        ...

    def put_back(self, name: str) -> None:
        """Put a thing back where the scene has it."""
        ...


class CallsForHelp(World, Protocol):
    """A robot that can call somebody when a person needs help at once."""

    def on_emergency(self, matter: str) -> str | Awaitable[str | None] | None:
        """Call for help, now: `matter` is what happened, in the person's words. What it returns is told to the person.

        Nobody is asked first, and nothing is checked before.
        """
        ...


class Measured(World, Protocol):
    """A world whose things have values that can be read: heights, distances."""

    measures: Mapping[str, Measure]


class Extendable(World, Protocol):
    """A world that offers more than its paper's version, on request.

    `extended` returns the same world, in the same state, with more skills, relations and measures, or with the same
    motions under names that say what they achieve.
    """

    def extended(self) -> World:
        """This world with everything it can do."""
        ...


class Guarded(World, Protocol):
    """A world that says what must never be so; no plan and no step may bring it about, whoever asks for it."""

    never: Sequence[str]
    """Lines like `locked(door) and inside(resident, garden)`: facts that may not hold together (`invariants`)."""


class Peopled(World, Protocol):
    """A world that says which kinds are people: never objects, and not moved unless somebody asks or agrees."""

    people: Sequence[str]


class Budgeted(World, Protocol):
    """A world that says how much a request may use, of whatever its skills cost (`budgets`)."""

    budget: Mapping[str, float | str]
    """How much of each (`steps`, `minutes`, …) a request may use, or the name of the measure that tells what is left
    (`battery`)."""


class Fallible(World, Protocol):
    """A world whose detectors err and that says how often, for callers that would trust a single reading."""

    error_rates: Disturbance

    def tell_doubt(self, conditions: Sequence[Condition]) -> str:
        """How likely the readings of these conditions are wrong, in words; empty if they are certain."""
        ...


ABILITIES: tuple[type, ...] = (
    *(Briefed, Twinned, Scanning, MakesRoom, Pictured, Disturbable, Slippery, Arranged),
    *(Measured, Extendable, Fallible, Viewed, Handed, SeenFromAbove, SeenInPlace, Believing, Recalling, CallsForHelp),
    *(Guarded, Peopled, Budgeted),
)
"""Every ability that anything asks for."""


def doubt_of(world: World, conditions: Sequence[Condition]) -> str:
    """How likely a world's readings of these conditions are wrong, in words; empty if they are certain."""
    fallible = find_ability(world, Fallible)
    return "" if fallible is None else fallible.tell_doubt(conditions)


def holds_in(world: World, condition: Condition) -> bool:
    """Whether a condition holds; raises BadRobot if the world's `holds` returns nothing."""
    so = world.holds(condition)
    if so is None:
        told = f"`holds` of {world.name} returned nothing for {condition.words!r}"
        raise BadRobot(f"{told}. Return True or False; is a `return` missing?")
    return bool(so)


def tell(world: World, condition: Condition) -> bool | None:
    """Whether a condition holds; None if the world cannot tell, because its own code fails.

    No answer is neither a yes nor a no: who needs one or the other asks `is True` or `is False`.
    """
    try:
        return holds_in(world, condition)
    except Exception:  # things that are not here, or an error in the robot's own code
        return None


def say_if(world: World, condition: Condition) -> bool:
    """Whether a condition holds; Missing, in words for people, if the world cannot tell."""
    try:
        return holds_in(world, condition)
    except Exception as error:  # the robot's own code: no answer is not a no
        raise cannot_tell(condition.words, error) from error


def cannot_tell(said: str, error: Exception) -> Missing:
    """That the robot cannot tell something, and why."""
    return Missing(f"{CANNOT_TELL}{said} {sentence_of(str(error))}", "not known")


def surely_holds(world: World, condition: Condition) -> bool:
    """Whether a condition holds; False if the world cannot tell."""
    return tell(world, condition) is True


def find_untold(world: World, conditions: Iterable[Condition]) -> str:
    """What the world cannot tell of some conditions, as a sentence; empty if it can tell all of them."""
    untold = [each.words for each in conditions if tell(world, each) is None]
    return CANNOT_TELL + " ".join(untold) if untold else ""


def find_missing_members(found: object) -> list[str]:
    """The members an object lacks to be a world."""
    return [name for name in members_of(World) if not hasattr(found, name)]


def find_missing_methods(kind: type) -> list[str]:
    """The methods a class lacks for its objects to be worlds. Attributes set in `__init__` are not checked."""
    return [name for name in vars(World) if not name.startswith("_") and not callable(getattr(kind, name, None))]


def describe_incomplete(name: str, missing: Sequence[str]) -> str:
    """Say what is missing: `Robot` is missing `observe()`, which every world needs."""
    written = [f"`{each}()`" if callable(getattr(World, each, None)) else f"`{each}`" for each in missing]
    return f"`{name}` is missing {', '.join(written)}, which every world needs."

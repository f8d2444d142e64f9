"""What an episode is: a scene, a request, what its person has in mind without having said it, and what is right.

Conditions name the objects that may fulfil them: `At(("soup can 1", "soup can 2"), …)` is met by either. What fulfils
none of the conditions has to stand where it stood, unless `AtRest` sets it free.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Topic = Literal["object", "place", "direction", "order", "pairs", "instead"]
TOPICS: tuple[Topic, ...] = ("object", "place", "direction", "order", "pairs", "instead")
Axis = Literal["x", "y"]
AXES: tuple[Axis, ...] = ("x", "y")


class At(msgspec.Struct, frozen=True, tag="at"):
    """One of the objects stands at a point, within 3 cm."""

    objects: tuple[str, ...]
    x: float
    y: float


class Swapped(msgspec.Struct, frozen=True, tag="swapped"):
    """Each of the two stands where the other stood, within 3 cm."""

    first: str
    second: str


class Lined(msgspec.Struct, frozen=True, tag="lined"):
    """The objects stand in a line along an axis, within 2 cm of it; `ordered`: in this order, by the coordinate."""

    objects: tuple[str, ...]
    axis: Axis
    ordered: bool = False


class Within(msgspec.Struct, frozen=True, tag="within"):
    """One of the objects is on or in a receptacle."""

    objects: tuple[str, ...]
    target: str


class Near(msgspec.Struct, frozen=True, tag="near"):
    """One of the objects stands next to another thing, which has stayed where it was."""

    objects: tuple[str, ...]
    other: str


class InRegion(msgspec.Struct, frozen=True, tag="region"):
    """The centre of one of the objects lies between these bounds."""

    objects: tuple[str, ...]
    low: tuple[float, float]
    high: tuple[float, float]


class AtRest(msgspec.Struct, frozen=True, tag="rest"):
    """Everything that no other condition speaks of stands where it stood, but for what is free to be moved.

    Everything stands upright, and nothing is in the hand.
    """

    free: tuple[str, ...] = ()


TalkGoal = At | Swapped | Lined | Within | Near | InRegion | AtRest
SingleGoal = At | Within | Near | InRegion
"""Conditions of a single object."""


class TalkEpisode(msgspec.Struct, frozen=True, omit_defaults=True):
    """One request to the robot in one scene.

    `preferences` are what the person answers when asked about a topic; `needed` are the topics that cannot be known
    without asking. A request that is not `feasible` has no goal: nothing may be moved, and the robot has to say so.
    `why` says in words what makes it infeasible.
    """

    id: str
    task: str
    request: str
    scene: dict[str, Any]
    seed: int = 0
    preferences: dict[Topic, str] = {}
    needed: tuple[Topic, ...] = ()
    goal: tuple[TalkGoal, ...] = ()
    feasible: bool = True
    why: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The things of the scene, those that come later included."""
        return tuple(str(each["name"]) for each in self.scene.get("object", ()))


def things_of_goal(goal: TalkGoal) -> tuple[str, ...]:
    """The things that a condition speaks of."""
    match goal:
        case Swapped(first, second):
            return (first, second)
        case Within(objects, target):
            return (*objects, target)
        case Near(objects, other):
            return (*objects, other)
        case AtRest(free):
            return free
        case _:
            return goal.objects

"""Goals: what should hold in a home at the end, as conditions on the nodes and edges of its graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.skills.signatures import capitalised
from thinkaloud_worlds.household.home_graph import HOME_RELATIONS, STATES, HomeGraph
from thinkaloud_worlds.household.spoken_names import spoken_kind
from thinkaloud_worlds.household.world import Household

HOLDS = "HOLDS"
"""The relation for a thing in either hand."""
_SAID = {
    "CLOSED": "is closed",
    "OPEN": "is open",
    "ON": "is switched on",
    "OFF": "is switched off",
    "SITTING": "sits",
    "LYING": "lies",
    "DIRTY": "is dirty",
    "CLEAN": "is clean",
    "PLUGGED_IN": "is plugged in",
    "PLUGGED_OUT": "is unplugged",
}
_BETWEEN = {
    "ON": "is on",
    "INSIDE": "is in",
    "BETWEEN": "is between",
    "CLOSE": "is close to",
    "FACING": "faces",
    "HOLDS_RH": "holds in its right hand",
    "HOLDS_LH": "holds in its left hand",
    "SITTING": "sits on",
    HOLDS: "holds",
}


@dataclass(frozen=True)
class AnyOf:
    """Any thing of a kind: `AnyOf("plate")`, by VirtualHome's class or by the everyday name."""

    kind: str


Which = int | str | AnyOf
"""A node by its id or by its name, or any of a kind."""


class HomeCondition(Protocol):
    """Something that can hold of a world."""

    def holds(self, world: Household) -> bool:
        """Whether it holds now."""
        ...

    def words(self, home: HomeGraph | None = None) -> str:
        """The same in one sentence."""
        ...


@dataclass(frozen=True)
class Goal:
    """One condition: that a node is in a state, or that an edge is there.

    Goal("tv", "ON"), Goal("salmon", "INSIDE", "fridge"), Goal("robot", "HOLDS", AnyOf("cup"))
    """

    thing: Which
    what: str
    target: Which | None = None

    def __post_init__(self) -> None:
        known = STATES if self.target is None else (*HOME_RELATIONS, HOLDS)
        if self.what not in known:
            raise UnknownName("state" if self.target is None else "relation", self.what, known)

    def holds(self, world: Household) -> bool:
        """Whether it holds now. Raises UnknownName for a thing that is not in the home."""
        things, state = _nodes(world.home, self.thing), world.state
        if self.target is None:
            return any(self.what in state.states(thing) for thing in things)
        targets = _nodes(world.home, self.target)
        relations = ("HOLDS_RH", "HOLDS_LH") if self.what == HOLDS else (self.what,)
        return any(state.related(a, relation, b) for relation in relations for a in things for b in targets)

    def words(self, home: HomeGraph | None = None) -> str:
        """The same in one sentence."""
        said = _SAID[self.what] if self.target is None else f"{_BETWEEN[self.what]} {_called(self.target, home)}"
        return capitalised(f"{_called(self.thing, home)} {said}.")


def _nodes(home: HomeGraph, which: Which) -> list[int]:
    if not isinstance(which, AnyOf):
        return [home.id_of(which)]
    found = [n.id for n in home.nodes if which.kind in (n.class_name, spoken_kind(n.class_name), home.names[n.id])]
    if not found:
        raise UnknownName("kind of thing", which.kind, {spoken_kind(node.class_name) for node in home.nodes})
    return found


def _called(which: Which, home: HomeGraph | None) -> str:
    if isinstance(which, AnyOf):
        name = spoken_kind(which.kind)
        return f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"
    if isinstance(which, int):
        return f"the {home.names[which]}" if home is not None else f"node {which}"
    return f"the {which}"


@dataclass(frozen=True)
class GoalSet:
    """Conditions that should all hold.

    goal = GoalSet((Goal("salmon", "INSIDE", "fridge"), Goal("fridge", "CLOSED")))
    print(goal.recall(world), goal.met(world))
    """

    conditions: tuple[HomeCondition, ...]

    def __post_init__(self) -> None:
        if not self.conditions:
            raise BadInput("A goal needs at least one condition.")

    def unmet(self, world: Household) -> tuple[HomeCondition, ...]:
        """The conditions that do not hold."""
        return tuple(each for each in self.conditions if not each.holds(world))

    def recall(self, world: Household) -> float:
        """The share of the conditions that hold."""
        return 1 - len(self.unmet(world)) / len(self.conditions)

    def met(self, world: Household) -> bool:
        """Whether all of them hold."""
        return not self.unmet(world)

    def words(self, home: HomeGraph | None = None) -> list[str]:
        """The conditions in sentences."""
        return [each.words(home) for each in self.conditions]

    def check(self, world: Household) -> None:
        """Raise BadInput if the goal is already met, or names something that is not in the home."""
        if self.met(world):
            raise BadInput(f"The goal is already met: {' '.join(self.words(world.home))}")

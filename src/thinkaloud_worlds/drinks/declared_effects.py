"""The declared effects of the skills, by the known state alone: the state after each, and what prevents it.

Cups keep their identity: the next cup of the stack is the first that is neither held nor at a place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from thinkaloud.records import Condition, Observation, WorldState
from thinkaloud.skills import Relation
from thinkaloud_worlds.drinks.scene import CounterScene


def _held(state: WorldState) -> str | None:
    """The cup in the gripper."""
    return next((str(r.arguments["object"]) for r in state.relations if r.relation == "held"), None)


def _at(state: WorldState, location: str) -> list[str]:
    """The cups at a place, in the order they were put there."""
    there = (r for r in state.relations if r.relation == "at" and r.arguments["location"] == location)
    return [str(r.arguments["object"]) for r in there]


class CounterMemory:
    """The skills of a counter as changes of the known state."""

    def __init__(self, scene: CounterScene, relations: Mapping[str, Relation]) -> None:
        self._scene, self._places, self._relations = scene, scene.called, relations
        self._cups = [f"{scene.vessel} {i + 1}" for i in range(scene.vessels)]

    def stacked(self, state: WorldState) -> list[str]:
        """The cups still in the stack, the topmost first."""
        elsewhere = {r.arguments["object"] for r in state.relations if r.relation in ("at", "held")}
        return [cup for cup in self._cups if cup not in elsewhere]

    def cups_at(self, state: WorldState, location: str) -> list[str]:
        """The cups at a place or in the stack; the one to take next comes last."""
        return self.stacked(state)[::-1] if location == self._places.stack else _at(state, location)

    def _said(self, relation: str, **arguments: str) -> Condition:
        return self._relations[relation].condition(arguments)

    # Known state afterwards -------------------------------------------------------------------------------------------

    def after_grasp(self, state: WorldState, location: str) -> WorldState:
        """The cup of that place is in the gripper."""
        cups = self.cups_at(state, location)
        if not cups or _held(state):
            return state
        cup = cups[-1]
        rest = tuple(r for r in state.relations if not (r.relation == "at" and r.arguments["object"] == cup))
        return replace(state, relations=(*rest, self._said("held", object=cup)))

    def after_place(self, state: WorldState, location: str) -> WorldState:
        """The cup from the gripper is at that place; in the bin, its contents are gone."""
        cup = _held(state)
        if cup is None:
            return state
        gone = ("held", "contains") if location == self._places.waste else ("held",)
        rest = tuple(r for r in state.relations if not (r.relation in gone and r.arguments["object"] == cup))
        return replace(state, relations=(*rest, self._said("at", object=cup, location=location)))

    def after_adding(self, state: WorldState, location: str, ingredient: str) -> WorldState:
        """The ingredient is in the cup at that place."""
        cups = _at(state, location)
        if not cups or location == self._places.waste:
            return state
        new = self._said("contains", object=cups[-1], ingredient=ingredient)
        return state if new in state.relations else replace(state, relations=(*state.relations, new))

    # Objections -------------------------------------------------------------------------------------------------------

    def cannot_grasp(self, observation: Observation, location: str) -> str | None:
        """Refuse if the hand is full or there is nothing to take."""
        state = observation.state or WorldState()
        return self._full_hand(state) or self._no_cup(state, location)

    def cannot_place(self, observation: Observation, location: str) -> str | None:
        """Refuse if the hand is empty or the place is not."""
        state, vessel = observation.state or WorldState(), self._scene.vessel
        if _held(state) is None:
            return f"There is no {vessel} in the gripper: grasp one first."
        if location == self._places.work and (there := _at(state, location)):
            return f"The {location} is occupied: {there[-1]} is there. Move it away first."
        return None

    def cannot_add(self, observation: Observation, location: str, ingredient: str = "") -> str | None:
        """Refuse if the hand is full or there is no cup to add to."""
        state, vessel = observation.state or WorldState(), self._scene.vessel
        if location == self._places.waste:
            return f"A {vessel} in the {location} is gone: nothing can be added to it."
        return self._full_hand(state) or self._no_cup(state, location)

    def _full_hand(self, state: WorldState) -> str | None:
        cup = _held(state)
        return f"The gripper is not empty: it holds {cup}. Place that first." if cup else None

    def _no_cup(self, state: WorldState, location: str) -> str | None:
        if location != self._places.waste and self.cups_at(state, location):
            return None
        return f"There is no {self._scene.vessel} at the {location}."

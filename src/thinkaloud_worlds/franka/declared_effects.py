"""The declared effects of the skills, by the known state alone: the state after each, and what prevents it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace

from thinkaloud.records import Observation, WorldState
from thinkaloud.skills import Relation
from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.franka.box_geometry import (
    ObjectBox,
    attributes_of,
    boxes_of,
    free_place,
    held_in,
    in_the_way,
    on_the_base,
    on_the_table,
    relations_among,
    stands_on,
)
from thinkaloud_worlds.franka.layout import AT_POINT, CARRY, OPENS, WIDEST_GRASP, below, outside
from thinkaloud_worlds.franka.reachability import reaches

_STABLE = 0.4  # the middle share of a thing's length and width that has to be on the table


class TableMemory:
    """The skills as changes of the known state."""

    def __init__(
        self,
        relations: Mapping[str, Relation],
        receptacles: Mapping[str, float],
        hollow: Collection[str],
        narrow: Mapping[str, float],
    ) -> None:
        self._relations, self._receptacles, self._hollow = relations, receptacles, hollow
        self._narrow = narrow

    def related(self, state: WorldState, held: str | None) -> WorldState:
        """The state with the relations that follow from its boxes."""
        found = relations_among(boxes_of(state), held, self._hollow)
        return replace(state, relations=tuple(self._relations[name].condition(given) for name, given in found))

    def _with(self, state: WorldState, name: str, box: ObjectBox) -> WorldState:
        attributes = {**state.attributes, name: {**state.attributes.get(name, {}), **attributes_of(box)}}
        return replace(state, attributes=attributes)

    def found_at(self, state: WorldState, x: float, y: float) -> str | None:
        """The topmost thing that has its centre at a point."""
        best, rank = None, (0, 0.0, 0.0)
        held = held_in(state)
        for name, box in boxes_of(state).items():
            off = math.dist((x, y), (box.x, box.y))
            if name != held and off <= AT_POINT + 1e-6:
                here = (0 if name in self._receptacles else 1, box.top, -off)
                if best is None or here > rank:
                    best, rank = name, here
        return best

    # Known state afterwards -------------------------------------------------------------------------------------------

    def after_grasp(self, state: WorldState, x: float, y: float) -> WorldState:
        """The thing at the point is in the hand, above where it stood."""
        name = self.found_at(state, x, y)
        if name is None or held_in(state):
            return state
        box = boxes_of(state)[name]
        return self.related(self._with(state, name, box.at(box.x, box.y, CARRY)), name)

    def after_move(self, state: WorldState, x: float, y: float, z: float) -> WorldState:
        """The held thing stands at the point: on the table, or on what is there."""
        name = held_in(state)
        if name is None or name not in boxes_of(state):
            return state
        boxes = boxes_of(state)
        surface = max((high for _, high in self._bearing(boxes, name, x, y, z)), default=0.0)
        return self.related(self._with(state, name, boxes[name].at(x, y, surface)), None)

    def _bearing(
        self, boxes: Mapping[str, ObjectBox], name: str, x: float, y: float, z: float
    ) -> list[tuple[str, float]]:
        """What would support a thing at a point, and at what height."""
        found = []
        for other, box in boxes.items():
            if other == name or not box.covers(x, y):
                continue
            if other in self._receptacles:
                found.append((other, box.bottom + self._receptacles[other]))
            elif z > 0 and z - boxes[name].height / 2 >= box.top - 0.01:
                found.append((other, box.top))
        return found

    # Objections -------------------------------------------------------------------------------------------------------

    def cannot_grasp(self, observation: Observation, x: float, y: float, z: float) -> str | None:
        """Refuse if the hand is full or the point is off the table."""
        held = held_in(observation.state or WorldState())
        return f"The hand is not empty: it holds {held}. Put that down first." if held else outside(x, y) or below(z)

    def unwise_to_grasp(self, observation: Observation, x: float, y: float) -> str | None:
        """Advise against it if nothing graspable has been seen there."""
        state = observation.state or WorldState()
        boxes, name = boxes_of(state), self.found_at(state, x, y)
        if name is None:
            others = sorted(boxes, key=lambda other: math.dist((x, y), (boxes[other].x, boxes[other].y)))[:2]
            where = ", ".join(f"{other} is at ({boxes[other].x:.2f}, {boxes[other].y:.2f})" for other in others)
            return f"There is nothing to grasp at ({x:.2f}, {y:.2f})" + (f": {where}." if where else ".")
        box = boxes[name]
        if self._narrow.get(name, min(box.length, box.width)) > WIDEST_GRASP + 0.003 or name in self._receptacles:
            return f"{name} is too wide to be grasped: the hand opens {OPENS:.2f} m."
        above = stands_on(name, boxes, self._hollow)
        if above:
            return f"{name} cannot be grasped while {above[0]} stands on it. Move {above[0]} first."
        return None if reaches(box.x, box.y, box.height) else _far(box.x, box.y)

    def cannot_move(self, observation: Observation, x: float, y: float, z: float) -> str | None:
        """Refuse if the hand is empty or the point is off the table."""
        if held_in(observation.state or WorldState()) is None:
            return "There is nothing in the hand: grasp something first."
        return outside(x, y) or below(z)

    def unwise_to_move(self, observation: Observation, x: float, y: float, z: float) -> str | None:
        """Advise against it if the target is out of reach or seen to be taken."""
        state = observation.state or WorldState()
        boxes, name = boxes_of(state), held_in(state)
        if name is None or name not in boxes:
            return None
        passed = {name, *(other for other, _ in self._bearing(boxes, name, x, y, z))}
        target = boxes[name].at(x, y, 0.0)
        taken = in_the_way(target, boxes, passed)
        if taken:
            return f"({x:.2f}, {y:.2f}) is not free: {taken[0]} stands there.{self._free(state, target, (x, y))}"
        if on_the_base(target):
            return f"({x:.2f}, {y:.2f}) is not free: the arm itself stands there.{self._free(state, target, (x, y))}"
        if not on_the_table(target._replace(length=target.length * _STABLE, width=target.width * _STABLE)):
            return f"{name} would stick out over the edge at ({x:.2f}, {y:.2f}).{self._free(state, target, (x, y))}"
        if not reaches(x, y, target.height):
            return f"{_far(x, y)}{self._free(state, target, (x, y))}"
        return None

    def _free(self, state: WorldState, box: ObjectBox, near: Xy) -> str:
        """Name two free places."""
        size = (box.length, box.width, box.height)
        first = free_place(state, size, near)
        second = free_place(state, size, near, (first,)) if first else None
        found = [f"({x:.2f}, {y:.2f})" for x, y in (place for place in (first, second) if place)]
        return f" Free places: {', '.join(found)}." if found else " There is no free place left."

    def cannot_go_home(self, observation: Observation) -> str | None:
        """Refuse while something is in the hand."""
        held = held_in(observation.state or WorldState())
        return f"The hand still holds {held}: put it down first." if held else None


def _far(x: float, y: float) -> str:
    near = "too near to its base" if math.hypot(x, y) < 0.4 else "too far away"
    return f"The arm does not reach ({x:.2f}, {y:.2f}): it is {near}."

"""Pure geometry of boxes: what is on, in or near what, what is in the way, and where there is room."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from thinkaloud.records import Value, WorldState
from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.franka.layout import OWN_CIRCLE, TABLE_X, TABLE_Y, Size
from thinkaloud_worlds.franka.reachability import reaches

NEAR = 0.05  # boxes closer than this are near each other
_MARGIN = 0.01  # kept free around a thing that is put down
_RESTS = 0.015  # the largest gap between an underside and the surface that it rests on
_ROOM = (0.10, 0.07, 0.04, 0.02)  # kept free around a place; the largest that fits is used
_GRIDS = (0.05, 0.01)

NamedRelation = tuple[str, dict[str, Value]]


class ObjectBox(NamedTuple):
    """The bounding box of a thing: its centre, length (along x), width (along y) and height."""

    x: float
    y: float
    z: float
    length: float
    width: float
    height: float

    @property
    def bottom(self) -> float:
        """The height of its underside."""
        return self.z - self.height / 2

    @property
    def top(self) -> float:
        """The height of its top."""
        return self.z + self.height / 2

    def covers(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Whether a point of the plane lies within the box."""
        return abs(x - self.x) <= self.length / 2 + margin and abs(y - self.y) <= self.width / 2 + margin

    def gap(self, other: ObjectBox) -> float:
        """The distance between two boxes in the plane; 0 if they overlap."""
        dx = abs(self.x - other.x) - (self.length + other.length) / 2
        dy = abs(self.y - other.y) - (self.width + other.width) / 2
        return math.hypot(max(dx, 0.0), max(dy, 0.0))

    def rounded(self) -> ObjectBox:
        """The box as it is recorded, rounded to centimetres."""
        return ObjectBox(*(round(value, 2) + 0.0 for value in self))

    def at(self, x: float, y: float, bottom: float) -> ObjectBox:
        """The same box in another place."""
        return self._replace(x=x, y=y, z=bottom + self.height / 2)


def boxes_of(state: WorldState) -> dict[str, ObjectBox]:
    """The boxes of all things whose place is known."""
    found = {}
    for name in state.objects:
        known = state.attributes.get(name, {})
        if all(isinstance(known.get(field), int | float) for field in ObjectBox._fields):
            found[name] = ObjectBox(*(float(known[field]) for field in ObjectBox._fields))
    return found


def attributes_of(box: ObjectBox) -> dict[str, Value]:
    """A box as attributes."""
    return dict(zip(ObjectBox._fields, box.rounded(), strict=True))


def held_in(state: WorldState) -> str | None:
    """What the hand holds, as far as the robot knows."""
    return next((str(r.arguments["object"]) for r in state.relations if r.relation == "held"), None)


def relations_among(boxes: Mapping[str, ObjectBox], held: str | None, hollow: Collection[str]) -> list[NamedRelation]:
    """What is on, in or near what, and what is held, in the order of the boxes."""
    found: list[NamedRelation] = []
    bearers = {name: bearer(name, boxes, hollow) for name in boxes if name != held}
    for name, below in bearers.items():
        if below and below != held:
            found.append(("inside" if below in hollow else "on", {"object": name, "target": below}))
    names = [name for name in boxes if name != held]
    for i, name in enumerate(names):
        for other in names[i + 1 :]:
            if bearers[name] != other and bearers[other] != name and boxes[name].gap(boxes[other]) < NEAR - 1e-9:
                found.append(("near", {"object": name, "other": other}))
    if held is not None:
        found.append(("held", {"object": held}))
    return found


def bearer(name: str, boxes: Mapping[str, ObjectBox], hollow: Collection[str]) -> str | None:
    """What a thing stands on or lies in; None for the table."""
    box, best, high = boxes[name], None, -math.inf
    for other, under in boxes.items():
        if other == name or not under.covers(box.x, box.y):
            continue
        inside = (
            other in hollow and under.bottom - _RESTS <= box.bottom < under.top - _RESTS / 2 and box.z > under.bottom
        )
        smaller = other not in hollow or box.length * box.width < under.length * under.width
        resting = abs(box.bottom - under.top) <= _RESTS
        if smaller and (inside or resting) and under.top > high:
            best, high = other, under.top
    return best


def stands_on(name: str, boxes: Mapping[str, ObjectBox], hollow: Collection[str]) -> list[str]:
    """The things that stand on a thing."""
    return [other for other in boxes if other != name and bearer(other, boxes, hollow) == name]


def in_the_way(box: ObjectBox, boxes: Mapping[str, ObjectBox], passed: Collection[str] = ()) -> list[str]:
    """The things that overlap a footprint with its margin, except those in `passed`."""
    grown = box._replace(length=box.length + 2 * _MARGIN, width=box.width + 2 * _MARGIN)
    return [name for name, other in boxes.items() if name not in passed and grown.gap(other) <= 0]


def on_the_base(box: ObjectBox) -> bool:
    """Whether a footprint overlaps the circle reserved for the arm's base."""
    dx, dy = max(abs(box.x) - box.length / 2, 0.0), max(abs(box.y) - box.width / 2, 0.0)
    return math.hypot(dx, dy) < OWN_CIRCLE


def on_the_table(box: ObjectBox) -> bool:
    """Whether the whole footprint lies on the table."""
    (left, right), (low, high) = TABLE_X, TABLE_Y
    return (
        left + box.length / 2 - 1e-9 <= box.x <= right - box.length / 2 + 1e-9
        and low + box.width / 2 - 1e-9 <= box.y <= high - box.width / 2 + 1e-9
    )


def free_place(state: WorldState, size: Size, near: Xy, avoid: Sequence[Xy] = ()) -> Xy | None:
    """The nearest place on the table where a thing of that size fits, as far as is known; None if there is no room.

    The place is within reach, and has room for the hand around it if possible. `avoid` lists the middles of places
    reserved for things of about the same size.
    """
    held = held_in(state)
    boxes = [box for name, box in boxes_of(state).items() if name != held]
    boxes += [ObjectBox(*point, size[2] / 2, *size) for point in avoid]
    return room(boxes, size, near)


def room(boxes: Iterable[ObjectBox], size: Size, near: Xy, good: Callable[[Xy], bool] = lambda _: True) -> Xy | None:
    """The nearest place that is free of these boxes and that `good` accepts."""
    boxes = list(boxes)
    for grid in _GRIDS:
        points = _grid(grid, near)
        for space in _ROOM:
            for x, y in points:
                box = ObjectBox(x, y, size[2] / 2, *size)
                if (
                    good((x, y))
                    and on_the_table(box)
                    and not on_the_base(box)
                    and all(box.gap(other) >= space for other in boxes)
                    and reaches(x, y, size[2])
                ):
                    return x, y
    return None


def _grid(step: float, near: Xy) -> list[Xy]:
    columns = range(math.ceil(TABLE_X[0] / step), math.floor(TABLE_X[1] / step) + 1)
    rows = range(math.ceil(TABLE_Y[0] / step), math.floor(TABLE_Y[1] / step) + 1)
    points = [(round(i * step, 2) + 0.0, round(j * step, 2) + 0.0) for i in columns for j in rows]
    return sorted(points, key=lambda point: (round(math.dist(point, near), 6), point))

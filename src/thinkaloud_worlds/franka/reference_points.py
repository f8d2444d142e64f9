"""Points of the table named by the things there, as seen by the person opposite the arm.

Right is where y grows, in front is where x grows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from thinkaloud.errors import SkillError
from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.franka.box_geometry import ObjectBox, in_the_way
from thinkaloud_worlds.spatial_relations import DIRECTIONS, SIDES, is_between

_GAPS = (0.035, 0.025, 0.07, 0.10, 0.118)  # gaps to try between things that are put beside each other
_TALLER, _HAND = 0.02, (0.115, 0.095, 0.065)  # beside a thing taller by this, the hand needs so much room
_SLIDES = (0.0, 0.02, -0.02, 0.04, -0.04)  # offsets to try along the side
_STEPS = (0.0, 0.02, -0.02, 0.04, -0.04)  # offsets to try around the middle between two things
_FARTHEST = 100.0  # centimetres


def said_where(where: dict[str, Any]) -> str:
    """The place in words."""
    if "direction" in where:
        to = {"left": "to the left", "right": "to the right"}.get(where["direction"], where["direction"])
        return f"{where['centimetres']:g} cm {to}"
    if "x" in where:
        return f"at ({where['x']:.2f}, {where['y']:.2f})"
    if {*where} == {"other"}:
        return f"where the {where['other']} is"
    if "one" in where:
        return f"between the {where['one']} and the {where['other']}"
    return f"{where.get('side', 'on')} the {where['target']}"


def squeezed(box: ObjectBox, others: Iterable[ObjectBox]) -> int:
    """How little room a taller neighbour leaves for the hand that puts a thing down; 0 if there is enough."""
    gaps = [box.gap(other) for other in others if other.top - box.height > _TALLER]
    return sum(min(gaps, default=1.0) < room for room in _HAND)


def _seen_as(x: float, y: float, right: float, back: float) -> Xy:
    """The point this far to the right and back of a point, as the person sees it."""
    return round(x - back, 3) + 0.0, round(y + right, 3) + 0.0


def shifted_point(mine: ObjectBox, direction: str, centimetres: float) -> Xy:
    """The point this far from a thing, in a direction."""
    if not 0 < centimetres <= _FARTHEST:
        raise SkillError(f"A thing can be moved by more than 0 and at most {_FARTHEST:g} cm, not by {centimetres:g}.")
    right, back = DIRECTIONS[direction]
    return _seen_as(mine.x, mine.y, right * centimetres / 100, back * centimetres / 100)


def points_beside(mine: ObjectBox, target: ObjectBox, side: str) -> Iterator[Xy]:
    """Points straight to that side, then slid along it; on all sides if any side will do."""
    for gap in _GAPS:
        for right, back in [SIDES[side]] if side in SIDES else SIDES.values():
            far = (mine.width + target.width) / 2 + gap if right else (mine.length + target.length) / 2 + gap
            for slide in _SLIDES:
                along = (right * far, slide) if right else (slide, back * far)
                yield _seen_as(target.x, target.y, *along)


def points_between(mine: ObjectBox, one: ObjectBox, other: ObjectBox) -> Iterator[Xy]:
    """The middle between the two and points around it, where the thing overlaps neither."""
    ends = (one.x, one.y), (other.x, other.y)
    steps = sorted(((a, b) for a in _STEPS for b in _STEPS), key=lambda step: math.hypot(*step))
    for dx, dy in steps:
        x, y = round((one.x + other.x) / 2 + dx, 3), round((one.y + other.y) / 2 + dy, 3)
        box = mine.at(x, y, 0.0)
        if is_between((x, y), *ends) and not in_the_way(box, {"one": one, "other": other}):
            yield x, y

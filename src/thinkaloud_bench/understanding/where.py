"""Words about where, judged by positions: `left_of(a, b)`, `between(a, b, c)`, `shifted(a, right)`.

x grows to the right, y away from the person; what is in front has the lower y.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from thinkaloud.errors import BadInput
from thinkaloud.worlds.geometry import Xyz
from thinkaloud_bench.understanding.facts import Fact
from thinkaloud_bench.understanding.true_state import MOVED, TrueState

_Plane = tuple[float, float]
_DIRECTIONS: Mapping[str, _Plane] = {
    "left": (-1, 0),
    "right": (1, 0),
    "front": (0, -1),
    "back": (0, 1),
    "closer": (0, -1),
    "away": (0, 1),
}
_BESIDE, _LINE, _ROW = 0.15, 0.05, 0.03  # metres
_STEP, _LITTLE = 0.02, 0.01
_LEVEL = 0.02


def _at(state: TrueState, name: str) -> Xyz:
    if name not in state.positions:
        raise BadInput(f"it is not known where {name!r} is")
    return state.positions[name]


def _from(one: Xyz, other: Xyz, direction: _Plane) -> tuple[float, float]:
    """How far a thing lies from another in a direction, and how far beside that."""
    dx, dy = one[0] - other[0], one[1] - other[1]
    along = dx * direction[0] + dy * direction[1]
    return along, abs(dx * direction[1] - dy * direction[0])


def _is_towards(direction: str) -> Callable[..., bool]:
    def holds(before: TrueState, after: TrueState, one: str, other: str) -> bool:
        along, beside = _from(_at(after, one), _at(after, other), _DIRECTIONS[direction])
        return along > _STEP and beside <= along + 1e-9

    return holds


def _is_further(direction: str) -> Callable[..., bool]:
    def holds(before: TrueState, after: TrueState, one: str, other: str) -> bool:
        return _from(_at(after, one), _at(after, other), _DIRECTIONS[direction])[0] >= _LITTLE

    return holds


def _next_to(before: TrueState, after: TrueState, one: str, other: str) -> bool:
    (x, y, _), (ox, oy, _) = _at(after, one), _at(after, other)
    apart = math.hypot(x - ox, y - oy)
    return MOVED / 2 < apart <= _BESIDE and not _is_on_another(after, one) and not _is_on_another(after, other)


def _is_on_another(state: TrueState, name: str) -> bool:
    """Whether it stands over another thing, in the plane within the reach of a block."""
    x, y, z = _at(state, name)
    others = (at for other, at in state.positions.items() if other != name)
    return any(math.hypot(x - ox, y - oy) < MOVED and z > oz + _LEVEL / 4 for ox, oy, oz in others)


def _between(before: TrueState, after: TrueState, thing: str, one: str, other: str) -> bool:
    (x, y, _), (ax, ay, _), (bx, by, _) = (_at(after, name) for name in (thing, one, other))
    length = math.hypot(bx - ax, by - ay)
    if length == 0:
        return False
    along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length
    beside = abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length
    return _STEP < along < length - _STEP and beside <= _LINE


def _in_row(before: TrueState, after: TrueState, *names: str) -> bool:
    points = [_at(after, name)[:2] for name in names]
    first, last = max(
        ((a, b) for i, a in enumerate(points) for b in points[i + 1 :]), key=lambda ends: math.dist(*ends)
    )
    length = math.dist(first, last)
    if length == 0 or len(points) < 3:
        return False
    (ax, ay), (bx, by) = first, last
    return all(abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length <= _ROW for x, y in points)


def _shifted(before: TrueState, after: TrueState, thing: str, direction: str) -> bool:
    if direction not in _DIRECTIONS:
        raise BadInput(f"a direction is one of {', '.join(_DIRECTIONS)}, not {direction!r}")
    along, beside = _from(_at(after, thing), _at(before, thing), _DIRECTIONS[direction])
    return along >= _STEP and beside <= along


def _moved(before: TrueState, after: TrueState, thing: str) -> bool:
    return math.dist(_at(before, thing), _at(after, thing)) > MOVED


def _nearer(before: TrueState, after: TrueState, thing: str, other: str) -> bool:
    was, now = (math.dist(_at(state, thing)[:2], _at(state, other)[:2]) for state in (before, after))
    return now <= was - _STEP


def _stands_free(before: TrueState, after: TrueState, thing: str) -> bool:
    return not _is_on_another(after, thing)


WHERE: Mapping[str, Callable[..., bool]] = {
    **{f"{word}_of": _is_towards(word) for word in ("left", "right")},
    "in_front_of": _is_towards("front"),
    "behind": _is_towards("back"),
    **{f"further_{word}": _is_further(word) for word in ("left", "right", "front", "back")},
    "next_to": _next_to,
    "between": _between,
    "in_row": _in_row,
    "shifted": _shifted,
    "moved": _moved,
    "nearer": _nearer,
    "stands_free": _stands_free,
}
"""What can be said about where, by name; (before, after, *things)."""
BY_SIZE = frozenset({"next_to"})
"""Of these it matters how wide things are, which only a world can tell; by positions alone where it cannot."""
_COUNTS = {"between": 3, "moved": 1, "stands_free": 1}


def is_where(fact: Fact, before: TrueState, after: TrueState) -> bool:
    """Whether a fact about where things are is so at the end."""
    wanted = _COUNTS.get(fact.relation, 2)
    if len(fact.things) != wanted and fact.relation != "in_row":
        raise BadInput(f"{fact.relation} takes {wanted} things, not {len(fact.things)}")
    return WHERE[fact.relation](before, after, *fact.things) is fact.true


def moved_by(fact: Fact) -> tuple[str, ...]:
    """The things that may be moved to make a fact true: the first, or all that are to be in a row."""
    return fact.things if fact.relation == "in_row" else fact.things[:1] or (fact.relation,)

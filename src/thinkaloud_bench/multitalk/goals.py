"""Whether a goal is met, by where things really are. What is wrong is said in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import hypot
from typing import Protocol

from thinkaloud.records import Condition
from thinkaloud.skills import Relation
from thinkaloud_bench.multitalk.episodes import (
    At,
    AtRest,
    InRegion,
    Lined,
    Near,
    Swapped,
    TalkEpisode,
    TalkGoal,
    Within,
)

_AT = 0.03
"""Metres in the plane by which a thing may be beside its place."""
_IN_LINE = 0.02
"""Metres by which a thing may be beside its line."""
_APART = 0.03
"""Neighbours of a line are at least so far from each other: a pile is no line."""
_SLACK = 1e-9

_Xyz = tuple[float, float, float]


class TableTruth(Protocol):
    """What the judge may know: the world as it really is."""

    @property
    def relations(self) -> Mapping[str, Relation]:
        """What can be true of the world."""
        ...

    @property
    def held(self) -> str | None:
        """What is in the hand."""
        ...

    def position(self, name: str) -> _Xyz:
        """Where a thing's centre is."""
        ...

    def start(self, name: str) -> _Xyz:
        """Where it was when the episode began."""
        ...

    def upright(self, name: str) -> bool:
        """Whether it stands as it should."""
        ...

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true."""
        ...


def unmet(episode: TalkEpisode, truth: TableTruth) -> str:
    """The first thing that is not as it should be in the end, in words; "" if the goal is met."""
    placed = set[str]()
    for goal in episode.goal:
        if isinstance(goal, AtRest):
            continue
        found = _fulfilling(goal, truth)
        if not found:
            return f"not so: {in_words(goal)}"
        placed.update(found)
    free = {name for goal in episode.goal if isinstance(goal, AtRest) for name in goal.free}
    return displaced(truth, episode.names, placed | free)


def displaced(truth: TableTruth, names: Iterable[str], placed: Iterable[str] = ()) -> str:
    """Which thing fell, is still held or was moved without need, in words; `placed` may stand anywhere."""
    elsewhere = {*placed}
    if truth.held is not None:
        return f"{truth.held} is still in the hand"
    for name in names:
        if not truth.upright(name):
            return f"{name} fell over"
        if name not in elsewhere and (gap := _gap(truth.position(name), truth.start(name))) > _AT:
            return f"{name} was moved by {gap:.2f} m"
    return ""


def _fulfilling(goal: TalkGoal, truth: TableTruth) -> tuple[str, ...]:
    """The things by which a condition is met; empty if it is not."""
    match goal:
        case At(objects, x, y):
            return _first(
                name for name in objects if _stands(truth, name) and _gap(truth.position(name), (x, y)) <= _AT
            )
        case InRegion(objects, low, high):
            return _first(name for name in objects if _stands(truth, name) and _inside(truth.position(name), low, high))
        case Within(objects, target):
            return _first(
                name
                for name in objects
                if _related(truth, "on", name, target) or _related(truth, "inside", name, target)
            )
        case Near(objects, other):
            return _first(
                name for name in objects if _related(truth, "near", name, other) or _related(truth, "near", other, name)
            )
        case Swapped(first, second):
            both = ((first, second), (second, first))
            met = all(_stands(truth, a) and _gap(truth.position(a), truth.start(b)) <= _AT for a, b in both)
            return (first, second) if met else ()
        case Lined():
            return goal.objects if _in_line(goal, truth) else ()
        case AtRest():
            return ()


def in_words(goal: TalkGoal) -> str:
    """A condition as a sentence."""
    match goal:
        case At(objects, x, y):
            return f"{_either(objects)} at ({x:.2f}, {y:.2f})"
        case InRegion(objects, low, high):
            bounds = f"x from {low[0]:.2f} to {high[0]:.2f} and y from {low[1]:.2f} to {high[1]:.2f}"
            return f"{_either(objects)} where {bounds}"
        case Within(objects, target):
            return f"{_either(objects)} on or in {target}"
        case Near(objects, other):
            return f"{_either(objects)} next to {other}"
        case Swapped(first, second):
            return f"{first} and {second} interchanged"
        case Lined(objects, axis, ordered):
            return f"in a line along {axis}{', in this order' if ordered else ''}: {', '.join(objects)}"
        case AtRest(free):
            return "everything else where it was" + (f", but for {', '.join(free)}" if free else "")


def _in_line(goal: Lined, truth: TableTruth) -> bool:
    if not all(_stands(truth, name) for name in goal.objects):
        return False
    along, across = (0, 1) if goal.axis == "x" else (1, 0)
    places = [truth.position(name) for name in goal.objects]
    beside = [place[across] for place in places]
    if max(beside) - min(beside) > 2 * _IN_LINE + _SLACK:
        return False
    steps = [place[along] for place in places]
    ordered = steps if goal.ordered else sorted(steps)
    gaps = [after - before for before, after in pairwise(ordered)]
    return all(gap >= _APART for gap in gaps)


def _stands(truth: TableTruth, name: str) -> bool:
    return truth.held != name and truth.upright(name)


def _related(truth: TableTruth, relation: str, one: str, other: str) -> bool:
    if relation not in truth.relations or not _stands(truth, one):
        return False
    names = [parameter.name for parameter in truth.relations[relation].signature.parameters]
    return truth.holds(truth.relations[relation].condition(dict(zip(names, (one, other), strict=True))))


def _gap(one: Sequence[float], other: Sequence[float]) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def _inside(place: Sequence[float], low: Sequence[float], high: Sequence[float]) -> bool:
    return all(low[i] - _SLACK <= place[i] <= high[i] + _SLACK for i in (0, 1))


def _first(names: Iterable[str]) -> tuple[str, ...]:
    found = next(iter(names), None)
    return () if found is None else (found,)


def _either(objects: Sequence[str]) -> str:
    return " or ".join(objects)

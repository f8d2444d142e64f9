"""What to draw of a world: shapes in space where it has bodies, a plan of places where it has none.

    drawing = draw(world, scene)          # all of it, with a version that counts how often the shapes have changed
    poses = find_poses(world)             # only where the bodies are now: quick enough for every frame

An `Embodied` world is drawn in space, a `Mapped` one by its own plan. For any other, the things in view are drawn by
their relations: what is in or on something is drawn inside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from thinkaloud.records import Observation, WorldState
from thinkaloud.worlds.contract import World, find_ability

Role = Literal["thing", "robot", "target", "fixed"]
ShapeForm = Literal["box", "sphere", "cylinder", "capsule", "ellipsoid", "plane", "mesh"]
Pose = tuple[float, ...]
"""x, y, z, and a quaternion w, x, y, z."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape in space, in metres, z up.

    `form` and `size`: `box` (whole length, width, height), `sphere` (radius), `cylinder` and `capsule` (radius, whole
    length without the caps, along z), `ellipsoid` (three radii), `plane` (length and width, 0: endless), `mesh`
    (`vertices` and `faces`).
    """

    name: str
    """The thing or robot part it belongs to; several shapes may share one."""
    role: Role
    form: ShapeForm
    size: tuple[float, ...]
    colour: str
    """`#rrggbb`"""
    opacity: float = 1.0
    vertices: tuple[tuple[float, float, float], ...] = ()
    faces: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a floor plan: a room, a landmark, a shelf; `inside` is the place that it is in."""

    name: str
    x: float
    y: float
    kind: str = ""
    inside: str | None = None
    size: tuple[float, float] | None = None
    robot: bool = False
    """The robot is here (or this is the robot)."""
    things: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """A connection or relation between two places."""

    a: str
    b: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """What to draw: shapes in space with their poses, a floor plan, or only names."""

    kind: Literal["space", "plan", "none"]
    version: int
    shapes: tuple[Shape, ...] = ()
    poses: tuple[Pose, ...] = ()
    places: tuple[Place, ...] = ()
    edges: tuple[Edge, ...] = ()
    things: tuple[str, ...] = ()
    """What is in view, by name."""


class Bodies(Protocol):
    """The bodies of a simulation."""

    def shapes(self) -> tuple[Shape, ...]:
        """What they look like."""
        ...

    def poses(self) -> tuple[Pose, ...]:
        """Where they are now, in the same order."""
        ...


class Embodied(World, Protocol):
    """A world with bodies in space."""

    def bodies_drawn(self) -> Bodies:
        """Its bodies, to be drawn."""
        ...


class Mapped(World, Protocol):
    """A world with a plan of its places."""

    def plan_drawn(self) -> tuple[Place, ...]:
        """Its places, as things stand."""
        ...


def draw(world: World, seen: Observation | None = None, before: Drawing | None = None) -> Drawing:
    """Everything to draw. The version changes only when the shapes or places do."""
    embodied, mapped = find_ability(world, Embodied), find_ability(world, Mapped)
    places = mapped.plan_drawn() if mapped is not None else ()
    things = seen.objects if seen is not None else ()
    if embodied is not None:
        bodies = embodied.bodies_drawn()
        drawing = Drawing("space", 0, bodies.shapes(), bodies.poses(), places, (), things)
    elif places:
        drawing = Drawing("plan", 0, places=places, things=things)
    else:
        drawing = draw_state(seen)
    if before is None:
        return drawing
    known = replace(drawing, version=before.version, poses=before.poses)
    return replace(drawing, version=before.version + (known != before))


def find_poses(world: World) -> tuple[Pose, ...]:
    """Where the bodies are now; empty if the world has none."""
    embodied = find_ability(world, Embodied)
    return embodied.bodies_drawn().poses() if embodied is not None else ()


def draw_kind(world: World) -> Literal["space", "plan", "none"]:
    """How a world is drawn."""
    return "space" if find_ability(world, Embodied) is not None else "plan"


_WITHIN = ("in", "inside", "on", "on_top", "at", "held", "holding")
_APART = 1.0


def draw_state(seen: Observation | None) -> Drawing:
    """The things in view in rows, each inside what it is in or on, with a line for every other relation of two."""
    if seen is None or not seen.objects:
        return Drawing("none", 0)
    state = seen.state or WorldState(seen.objects)
    within, edges = dict[str, str](), list[Edge]()
    for condition in state.relations:
        named = [str(value) for value in condition.arguments.values()]
        if len(named) == 2 and condition.relation in _WITHIN and named[0] in seen.objects and named[0] != named[1]:
            within.setdefault(named[0], named[1])
        elif len(named) == 2 and set(named) <= set(seen.objects):
            edges.append(Edge(named[0], named[1], condition.relation.replace("_", " ")))
    names = tuple(dict.fromkeys((*seen.objects, *within.values())))
    within = {name: place for name, place in within.items() if not _round(name, within)}
    outer = [name for name in names if name not in within]
    at = dict(zip(outer, _grid(len(outer)), strict=True))
    places = [Place(name, *at[name], things=tuple(_of(name, within))) for name in outer]
    return Drawing("plan", 0, places=tuple(places), edges=tuple(edges), things=seen.objects)


def _of(place: str, within: dict[str, str]) -> Iterable[str]:
    for name, where in within.items():
        if where == place:
            yield name
            yield from _of(name, within)


def _round(name: str, within: dict[str, str]) -> bool:
    """Whether the relations put a thing inside itself, through others."""
    at, passed = within.get(name), {name}
    while at is not None and at not in passed:
        passed.add(at)
        at = within.get(at)
    return at == name


def _grid(count: int) -> Sequence[tuple[float, float]]:
    wide = max(math.ceil(math.sqrt(count)), 1)
    return [(_APART * (i % wide), -_APART * (i // wide)) for i in range(count)]

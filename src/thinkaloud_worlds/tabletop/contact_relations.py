"""What is really on what, worked out from the contacts and positions in the physics."""

from __future__ import annotations

import math

from thinkaloud_worlds.tabletop.object_kinds import CAVITY, CONTAINERS, CUP_WALL, MOVABLE
from thinkaloud_worlds.tabletop.physics import Physics

_BELOW = -0.05  # below this height, a thing has fallen off the table
_CLOSE = 0.006  # the largest gap between things that rest on each other, while they still rock


def supports_of(physics: Physics) -> dict[str, str]:
    """What each thing is on, by name. Things on the table, in the air or fallen off are left out.

    A thing in a bowl is on the bowl, and a cup is on what it covers.
    """
    names = {body: name for name, body in physics.bodies.items()}
    bearing: dict[str, set[str]] = {}
    for upper, lower in physics.stacked():
        if upper in names:
            bearing.setdefault(names[upper], set()).add(names.get(lower, ""))
    found = {}
    for name in _loose(physics):
        support = _covered(physics, name) or _support(physics, name, bearing.get(name, set()))
        if support:
            found[name] = support
    return found


def is_on_table(physics: Physics, name: str) -> bool:
    """Whether a thing is on the table, directly or on other things, and neither held nor fallen."""
    return name in _loose(physics)


def _loose(physics: Physics) -> tuple[str, ...]:
    """The movable things that lie somewhere on the table."""
    return tuple(
        name
        for name, thing in physics.things.items()
        if thing.kind in MOVABLE and name != physics.held and physics.position(name)[2] > _BELOW
    )


def touching_pairs(physics: Physics) -> set[tuple[str, str]]:
    """The pairs of movable things in which one rests on the other."""
    names = {body: name for name, body in physics.bodies.items() if physics.things[name].kind in MOVABLE}
    return {(names[a], names[b]) for a, b in physics.stacked() if a in names and b in names}


def _base(physics: Physics, name: str) -> float:
    return physics.position(name)[2] - physics.things[name].middle


def _covered(physics: Physics, name: str) -> str | None:
    """What a cup covers: the highest thing inside it."""
    cup = physics.things[name]
    if cup.kind != "cup":
        return None
    x, y, low = physics.position(name)
    inside = []
    for other in _loose(physics):
        ox, oy, _ = physics.position(other)
        middle = _base(physics, other) + physics.things[other].height / 2
        near = math.hypot(x - ox, y - oy) < cup.across / 2 - CUP_WALL - 0.005
        if other != name and physics.things[other].kind != "cup" and near and low - 0.003 < middle < low + CAVITY:
            inside.append((middle, other))
    return max(inside)[1] if inside else None


def _support(physics: Physics, name: str, bearing: set[str]) -> str | None:
    """What supports a thing: the table (None), a container, or the nearest of the things that it stands on."""
    container = _container(physics, name)
    if container in bearing:
        return container
    if "" in bearing:
        return container
    x, y, _ = physics.position(name)
    away = {other: math.dist((x, y), physics.position(other)[:2]) for other in sorted(bearing & {*_loose(physics)})}
    if away:
        nearest = min(away, key=lambda other: away[other])
        leaning = len(away) > 1 and away[nearest] > physics.things[nearest].across / 2
        return container if leaning and container else nearest
    return container if _base(physics, name) < 0.02 else _just_below(physics, name)


def _container(physics: Physics, name: str) -> str | None:
    x, y, z = physics.position(name)
    for other, thing in physics.things.items():
        if thing.kind in CONTAINERS:
            ox, oy, oz = physics.position(other)
            square = thing.kind == "disinfector"
            away = max(abs(x - ox), abs(y - oy)) if square else math.hypot(x - ox, y - oy)
            if away < thing.across / 2 and oz < z < oz + thing.height + 0.3:
                return other
    return None


def _just_below(physics: Physics, name: str) -> str | None:
    """What a thing stands on if it touches nothing at this moment."""
    x, y, _ = physics.position(name)
    for other in _loose(physics):
        ox, oy, _ = physics.position(other)
        top = _base(physics, other) + physics.things[other].height
        near = math.dist((x, y), (ox, oy)) < physics.things[other].across / 2
        if other != name and near and abs(top - _base(physics, name)) < _CLOSE:
            return other
    return None

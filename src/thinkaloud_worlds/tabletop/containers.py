"""Pick and place with containers: things go side by side into bowls, and cups go over things."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinkaloud.errors import DidNotWork, SkillError
from thinkaloud.state.edits import GROUND, TABLE
from thinkaloud.worlds.geometry import Xyz
from thinkaloud_worlds.tabletop.camera import PIXEL, Picture, Pixel, pixel_at, point_at
from thinkaloud_worlds.tabletop.free_space import open_spot
from thinkaloud_worlds.tabletop.layout import TABLE_TOP as TOP
from thinkaloud_worlds.tabletop.object_kinds import CAVITY, CONTAINERS, spots_inside
from thinkaloud_worlds.tabletop.physics import Physics
from thinkaloud_worlds.tabletop.pick_and_place import Primitive
from thinkaloud_worlds.tabletop.scene import Thing
from thinkaloud_worlds.tabletop.senses import ENOUGH_PIXELS, CameraSenses, Senses

_COVERED = 0.065  # between the middle of one thing that a cup may cover and the outline of another
_MARGIN = 0.002  # kept free around a thing that is put between others


class DomainSenses(CameraSenses):
    """Senses that also find room on the table, and in bowls and boxes."""

    def pixel(self, picture: Picture, name: str, moving: str | None = None) -> Pixel:
        """The middle of a thing's top; for the table or a container, a free spot for the `moving` thing."""
        things = self._physics().things
        if name in GROUND:
            return self._on_table(picture, str(moving))
        if name not in things:
            return super().pixel(picture, name, moving)
        if things[name].kind in CONTAINERS:
            middle = super().pixel(picture, name)
            return middle if moving is None else self._inside(picture, things[name], middle, things[moving])
        mask = picture.mask(name)
        if mask.sum() < ENOUGH_PIXELS:
            raise DidNotWork(f"The {name} cannot be seen: something covers it, or it is no longer on the table.")
        top = mask & (picture.height > picture.height[mask].max() - 0.006)
        row, column = np.argwhere(top).mean(axis=0)
        return float(row), float(column)

    def _on_table(self, picture: Picture, moving: str) -> Pixel:
        physics = self._physics()
        x, y, _ = physics.position(moving)
        near = (min(max(x, TOP.x[0]), TOP.x[1]), min(max(y, TOP.y[0]), TOP.y[1]))
        radius = physics.things[moving].radius
        spot = None
        if any(thing.kind == "cup" for thing in physics.things.values()):  # leave room for cups over both
            spot = open_spot(picture, max(radius, _COVERED), near)
        spot = spot or open_spot(picture, radius, near)
        if spot is None:
            raise SkillError(f"There is no room on the {TABLE} for the {moving}: put something else into a bowl first.")
        return spot

    def _inside(self, picture: Picture, container: Thing, middle: Pixel, moving: Thing) -> Pixel:
        """The container's first free spot; if none is free, the top of the lowest thing in it."""
        x, y = point_at(middle)
        own = picture.names.index(container.name)
        half = moving.across / 2 + _MARGIN
        for dx, dy in _spots(container, moving):
            if np.all(_window(picture.ids, x + dx, y + dy, half) == own):
                return pixel_at(x + dx, y + dy)
        inner = container.across / 2 - 0.013
        there = [i for i in np.unique(_window(picture.ids, x, y, inner)) if i not in (own, -1)]
        tops = {i: np.argwhere(picture.ids == i).mean(axis=0) for i in there}
        tops = {i: at for i, at in tops.items() if math.dist(at, middle) * PIXEL < inner}
        if not tops:
            return middle
        lowest = min(tops, key=lambda i: (round(float(picture.height[picture.ids == i].max()), 3), i))
        return float(tops[lowest][0]), float(tops[lowest][1])


def _spots(container: Thing, moving: Thing) -> list[tuple[float, float]]:
    """The spots to try, in order: the usual pattern, then anywhere inside, from the rim to the middle."""
    usual = spots_inside(container.kind, container.across, moving.across)
    square = container.kind == "disinfector"
    room = container.across / 2 - (0.006 if square else 0.013) - moving.across / 2
    reach = room if square else max(container.across / 2 - 0.013 - moving.across / math.sqrt(2), 0.0)
    grid = np.arange(-reach, reach + 1e-9, 0.006) if reach > 0 else np.zeros(1)
    others = [(float(x), float(y)) for x in grid for y in grid if square or math.hypot(x, y) <= reach]
    return [*usual, *sorted(others, key=lambda at: -math.hypot(*at))]


def _window(values: NDArray[Any], x: float, y: float, half: float) -> NDArray[Any]:
    """The part of a picture that shows a square of the table."""
    top, left = (max(math.ceil(v), 0) for v in pixel_at(x - half, y + half))
    bottom, right = (math.floor(v) + 1 for v in pixel_at(x + half, y - half))
    return values[top:bottom, left:right]


def resting_point(physics: Physics, name: str, target: str, at: Xyz) -> Xyz:
    """Where a thing comes to rest at a point of a target: a cup goes over the target, everything else on it."""
    things, (x, y, z) = physics.things, at
    over = things[name].kind == "cup" and target in things and things[target].kind in ("block", "toy")
    return x, y, max(z - CAVITY, 0.0) if over else z


class Handling(Primitive):
    """One call of pick-and-place; `noticed` is called at every tick in which things may start to touch."""

    def __init__(self, physics: Physics, senses: Senses, noticed: Callable[[], None]) -> None:
        super().__init__(physics, senses)
        self._tell = noticed

    def _noticed(self) -> None:
        self._tell()

    def _spot(self, picture: Picture, object: str, target: str) -> Xyz:
        """As in `Primitive`, but a cup goes over a thing, down to what that stands on."""
        return resting_point(self.physics, object, target, super()._spot(picture, object, target))

    def _top(self, picture: Picture, at: Xyz, held: str) -> float:
        thing = self.physics.things[held]
        around = thing.radius if thing.yaw else thing.across / 2 + _MARGIN
        return max(float(_window(picture.height, at[0], at[1], around).max(initial=0.0)), at[2])

    def _aside(self, picture: Picture, held: str) -> Xyz:
        return self.senses.point(picture, self.senses.pixel(picture, TABLE, moving=held))

    def _beside(self, picture: Picture, object: str, target: str, wanted: Xyz, seen: Xyz) -> str | None:
        """As in `Primitive`, but anywhere on the table is right."""
        if target in GROUND:
            return None
        return super()._beside(picture, object, target, wanted, seen)

"""The robot's senses: from a picture to the pixel of a thing to a point in space.

Wrap the senses to add noise. The primitive asks the world nothing else before it moves, so whatever the senses get
wrong, the arm gets wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from thinkaloud.errors import DidNotWork, UnknownName
from thinkaloud.worlds.geometry import Xyz
from thinkaloud_worlds.ray_casting import Image
from thinkaloud_worlds.tabletop.camera import PIXELS, Picture, Pixel, look_down, point_at
from thinkaloud_worlds.tabletop.free_space import free_spot
from thinkaloud_worlds.tabletop.layout import PLACES
from thinkaloud_worlds.tabletop.object_kinds import CONTAINERS
from thinkaloud_worlds.tabletop.physics import Physics

FindPixel = Callable[[Picture, str, str | None], Pixel]
"""Finds a thing in a picture, or where to put a moving thing on it."""
ENOUGH_PIXELS = 40  # a quarter of a block's top: with fewer, a thing does not count as seen
_TOLERANCE = 60.0  # the colour difference at which a pixel counts a third


class Senses(Protocol):
    """What the pick-and-place primitive knows about the world."""

    def picture(self) -> Picture:
        """Look down at the table."""
        ...

    def pixel(self, picture: Picture, name: str, moving: str | None = None) -> Pixel:
        """Where in the picture a thing or a place is; for a place, a free spot for the `moving` thing."""
        ...

    def point(self, picture: Picture, pixel: Pixel) -> Xyz:
        """The point in space that a pixel shows."""
        ...

    def aim(self, point: Xyz) -> Xyz:
        """Where the arm ends up when it puts something down at a point."""
        ...

    def arrive(self, point: Xyz) -> Xyz:
        """Where the arm actually arrives when it is sent to a point."""
        ...


class CameraSenses:
    """Senses that use the camera above the table."""

    def __init__(self, physics: Callable[[], Physics], picture: Callable[[], Picture] | None = None) -> None:
        self._physics = physics
        self._picture = picture or (lambda: look_down(physics()))
        self.find: FindPixel = self.find_by_colour

    def picture(self) -> Picture:
        """Look down at the table."""
        return self._picture()

    def pixel(self, picture: Picture, name: str, moving: str | None = None) -> Pixel:
        """Where a thing or the best spot of a place is, as `find` has it."""
        return self.find(picture, name, moving)

    def find_by_colour(self, picture: Picture, name: str, moving: str | None = None) -> Pixel:
        """The centre of the heat map of a thing, or the best spot of a place."""
        if name in PLACES:
            return free_spot(picture, PLACES[name], moving, self._radius(moving))
        if name not in picture.names:
            raise UnknownName("object or place", name, (*picture.names, *PLACES))
        thing = self._physics().things[name]
        heat = _heat_map(picture, name, thing.rgb)
        if thing.kind in CONTAINERS:  # a thing in a bowl hides a part of it, but never its outline
            rows, columns = np.nonzero(heat > 0.3)
            return float(rows.min() + rows.max()) / 2, float(columns.min() + columns.max()) / 2
        down, right = np.indices(heat.shape)
        total = heat.sum()
        return float((down * heat).sum() / total), float((right * heat).sum() / total)

    def _radius(self, name: str | None) -> float:
        return next((thing.radius for thing in self._physics().scene.objects if thing.name == name), 0.03)

    def point(self, picture: Picture, pixel: Pixel) -> Xyz:
        """The point straight below the pixel, at the height given by the picture."""
        row, column = (int(np.clip(round(at), 0, PIXELS - 1)) for at in pixel)
        x, y = point_at(pixel)
        return x, y, float(picture.height[row, column])

    def aim(self, point: Xyz) -> Xyz:
        """Exactly there."""
        return point

    def arrive(self, point: Xyz) -> Xyz:
        """Exactly there."""
        return point


def visible(picture: Picture) -> tuple[str, ...]:
    """The names of the things that can be seen."""
    counts = np.bincount(picture.ids.ravel() + 1, minlength=len(picture.names) + 1)[1:]
    return tuple(name for name, count in zip(picture.names, counts, strict=True) if count >= ENOUGH_PIXELS)


def _heat_map(picture: Picture, name: str, rgb: tuple[int, int, int]) -> Image:
    """How well each pixel matches a thing: it is segmented as that thing and has its colour."""
    mask = picture.mask(name)
    if mask.sum() < ENOUGH_PIXELS:
        raise DidNotWork(f"The {name} cannot be seen: something covers it, or it is no longer on the table.")
    seen = picture.rgb[mask]
    off = np.linalg.norm(seen - np.array(rgb), axis=1)
    heat = np.zeros(mask.shape)
    heat[mask] = np.exp(-((off / _TOLERANCE) ** 2))
    if heat.sum() < 1.0:  # the colour tells nothing, as with a very dark thing: trust the shape
        heat[mask] = 1.0
    return heat

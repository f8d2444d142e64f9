"""The robot's senses: from a picture to the pixel of a thing to a point in space.

A strategy: wrap it to disturb it. The primitive asks nothing else of the world before it moves, so whatever the senses
get wrong, the arm gets wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.worlds.tabletop.camera import (
    NOTHING,
    PIXEL,
    PIXELS,
    Image,
    Picture,
    Pixel,
    look_down,
    pixel_at,
    point_at,
)
from thinkaloud.worlds.tabletop.layout import PLACES, TABLE, Region, Xyz
from thinkaloud.worlds.tabletop.physics import Physics

ENOUGH_PIXELS = 40  # a quarter of a block's top: less than that is not seeing it
ROOM = 0.033  # a spot is free for a block when nothing is nearer to its centre than this
FROM_EDGE = 0.028  # where a block stands safely on the table
TOLERANCE = 60.0  # difference of colour at which a pixel counts a third


class Senses(Protocol):
    """What the pick-and-place primitive knows about the world."""

    def picture(self) -> Picture:
        """Look down at the table."""
        ...

    def pixel(self, picture: Picture, name: str, moving: str | None = None) -> Pixel:
        """Where in the picture a thing or a place is; for a place, a free spot for what is `moving`."""
        ...

    def point(self, picture: Picture, pixel: Pixel) -> Xyz:
        """The point in space that a pixel shows."""
        ...

    def aim(self, point: Xyz) -> Xyz:
        """Where the arm ends up when it wants to put something down at a point."""
        ...


class CameraSenses:
    """Senses by the camera above the table."""

    def __init__(self, physics: Callable[[], Physics]) -> None:
        self._physics = physics

    def picture(self) -> Picture:
        """Look down at the table."""
        return look_down(self._physics())

    def pixel(self, picture: Picture, name: str, moving: str | None = None) -> Pixel:
        """The centre of the heat map of a thing, or the best spot of a place."""
        if name in PLACES:
            return free_spot(picture, PLACES[name], moving)
        if name not in picture.names:
            raise UnknownName("object or place", name, (*picture.names, *PLACES))
        thing = self._physics().scene.objects[picture.names.index(name)]
        heat = heat_map(picture, name, thing.rgb)
        if thing.kind == "bowl":  # what lies in a bowl hides a part of it, but never its outline
            rows, columns = np.nonzero(heat > 0.3)
            return float(rows.min() + rows.max()) / 2, float(columns.min() + columns.max()) / 2
        down, right = np.indices(heat.shape)
        total = heat.sum()
        return float((down * heat).sum() / total), float((right * heat).sum() / total)

    def point(self, picture: Picture, pixel: Pixel) -> Xyz:
        """Straight below the pixel, as high as the picture says."""
        row, column = (int(np.clip(round(at), 0, PIXELS - 1)) for at in pixel)
        x, y = point_at(pixel)
        return x, y, float(picture.height[row, column])

    def aim(self, point: Xyz) -> Xyz:
        """Exactly there."""
        return point


def visible(picture: Picture) -> tuple[str, ...]:
    """The names of the things that can be seen."""
    counts = np.bincount(picture.ids.ravel() + 1, minlength=len(picture.names) + 1)[1:]
    return tuple(name for name, count in zip(picture.names, counts, strict=True) if count >= ENOUGH_PIXELS)


def heat_map(picture: Picture, name: str, rgb: tuple[int, int, int]) -> Image:
    """How much each pixel looks like a thing: it is segmented as that thing, and has its colour."""
    mask = picture.mask(name)
    if mask.sum() < ENOUGH_PIXELS:
        raise SkillError(f"The {name} cannot be seen: something covers it, or it is no longer on the table.")
    seen = picture.rgb[mask]
    off = np.linalg.norm(seen - np.array(rgb), axis=1)
    heat = np.zeros(mask.shape)
    heat[mask] = np.exp(-((off / TOLERANCE) ** 2))
    if heat.sum() < 1.0:  # the colour says nothing (a very dark thing, say): trust the shape
        heat[mask] = 1.0
    return heat


def free_spot(picture: Picture, region: Region, moving: str | None, near: tuple[float, float] | None = None) -> Pixel:
    """The middle of a region when it is free, else the spot in it that is farthest from what stands there.

    Where nothing is free, the middle of what stands nearest to the middle: things go on top of it.
    """
    room = region.inset(0.003).clipped(TABLE.inset(FROM_EDGE))
    x, y = near or region.centre
    blocked = picture.ids != NOTHING
    if moving in picture.names:
        blocked &= picture.ids != picture.names.index(moving)
    middle = pixel_at(x, y)
    top, left = pixel_at(room.x[0], room.y[1])
    bottom, right = pixel_at(room.x[1], room.y[0])[0], pixel_at(room.x[1], room.y[0])[1]
    rows, columns = np.mgrid[np.ceil(top) : np.floor(bottom) + 1, np.ceil(left) : np.floor(right) + 1]
    spots = np.stack([rows.ravel(), columns.ravel()], axis=1)
    away = np.hypot(*(spots - middle).T) * PIXEL
    obstacles = _around(blocked, rows, columns)
    if not len(obstacles):
        return _nearest(spots, away)
    gaps = np.sqrt(((spots[:, None, :] - obstacles[None, :, :]) ** 2).sum(axis=2).min(axis=1)) * PIXEL
    if gaps[np.argmin(away)] >= ROOM:
        return _nearest(spots, away)
    if gaps.max() < ROOM:
        return _top_nearest(picture, blocked, middle)
    best = spots[np.argmax(np.minimum(gaps, 0.06) - 0.2 * away)]
    return float(best[0]), float(best[1])


def _around(blocked: np.ndarray, rows: Image, columns: Image) -> Image:
    """The outline pixels of what stands in or near a window."""
    near = int(0.07 / PIXEL)
    top, left = max(int(rows.min()) - near, 0), max(int(columns.min()) - near, 0)
    part = blocked[top : int(rows.max()) + near, left : int(columns.max()) + near]
    found: Image = np.argwhere(part) + np.array([top, left], dtype=float)
    return found[::2]


def _nearest(spots: Image, away: Image) -> Pixel:
    row, column = spots[np.argmin(away)]
    return float(row), float(column)


def _top_nearest(picture: Picture, blocked: np.ndarray, middle: Pixel) -> Pixel:
    seen = [
        np.argwhere(picture.ids == i).mean(axis=0)
        for i in np.unique(picture.ids[blocked])
        if (picture.ids == i).sum() >= ENOUGH_PIXELS
    ]
    row, column = min(seen, key=lambda at: float(np.hypot(*(at - middle))))
    return float(row), float(column)

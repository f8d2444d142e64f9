"""Free room on the table, as the picture from above shows it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from thinkaloud_worlds.ray_casting import Image
from thinkaloud_worlds.tabletop.camera import NO_THING, PIXEL, Picture, Pixel, pixel_at
from thinkaloud_worlds.tabletop.layout import TABLE_TOP, Region

_FROM_EDGE = 0.028  # a block stands safely this far from the edge
_GAP = 0.005  # the least gap to what already stands there
_FAR = 0.06  # more distance than this from other things is no better
_OFF_EDGE, _ROOM = 0.045, 0.03  # for things that may stand anywhere: distance from the edges, and from other things
_MOST_SPOTS = 1200  # the most spots to compare; large regions are searched more coarsely


def free_spot(
    picture: Picture, region: Region, moving: str | None, radius: float, near: tuple[float, float] | None = None
) -> Pixel:
    """The middle of a region (or the spot `near`) if it is free, else the spot farthest from what stands there.

    If nothing is free, the middle of whatever is nearest: `moving`, a thing of this radius, goes on top of it.
    """
    blocked = picture.ids != NO_THING
    if moving in picture.names:
        blocked &= picture.ids != picture.names.index(moving)
    wanted = pixel_at(*(near or region.centre))
    spots = _spots(region.inset(0.003).clipped(TABLE_TOP.inset(_FROM_EDGE)), wanted)
    away = np.hypot(*(spots - wanted).T) * PIXEL
    gaps = _gaps(spots, blocked)
    if gaps[np.argmin(away)] >= radius + _GAP:
        best = spots[np.argmin(away)]
    elif gaps.max() >= radius + _GAP:
        best = spots[np.argmax(np.minimum(gaps, _FAR) - 0.2 * away)]
    else:
        best = _nearest_top(picture, blocked, wanted)
    return float(best[0]), float(best[1])


def open_spot(picture: Picture, radius: float, near: tuple[float, float]) -> Pixel | None:
    """A spot on the table, away from its edges, with room around it; near rather than far. None if there is none.

    The place where the moving thing stands does not count as free: the thing may hide something.
    """
    blocked = picture.ids != NO_THING
    spots = _spots(TABLE_TOP.inset(_OFF_EDGE), pixel_at(*near))
    gaps = _gaps(spots, blocked)
    away = np.hypot(*(spots - pixel_at(*near)).T) * PIXEL
    best = int(np.argmax(np.minimum(gaps, radius + _ROOM) - 0.05 * away))
    return (float(spots[best][0]), float(spots[best][1])) if gaps[best] >= radius + _GAP else None


def _spots(room: Region, wanted: Pixel) -> Image:
    """The pixels to choose from, and the wanted one if it is among them."""
    top, left = pixel_at(room.x[0], room.y[1])
    bottom, right = pixel_at(room.x[1], room.y[0])
    step = max(1.0, math.sqrt((bottom - top) * (right - left) / _MOST_SPOTS))
    rows, columns = np.mgrid[top:bottom:step, left:right:step]
    spots = np.stack([rows.ravel(), columns.ravel()], axis=1)
    inside = np.clip(wanted, (top, left), (bottom, right))
    return np.vstack([spots, inside])


def _gaps(spots: Image, blocked: NDArray[np.bool_]) -> Image:
    """The distance from each spot to the nearest outline; 0 inside it."""
    inner = blocked.copy()
    inner[1:-1, 1:-1] &= blocked[:-2, 1:-1] & blocked[2:, 1:-1] & blocked[1:-1, :-2] & blocked[1:-1, 2:]
    outline = np.argwhere(blocked & ~inner).astype(float)
    near = np.all((outline > spots.min(axis=0) - 30) & (outline < spots.max(axis=0) + 30), axis=1)
    outline = outline[near]
    if not len(outline):
        return np.full(len(spots), math.inf)
    square = (spots**2).sum(axis=1)[:, None] + (outline**2).sum(axis=1) - 2 * spots @ outline.T
    gaps = np.sqrt(np.maximum(square.min(axis=1), 0.0)) * PIXEL
    rows, columns = np.rint(spots).astype(int).T
    return np.where(blocked[rows, columns], 0.0, gaps)


def _nearest_top(picture: Picture, blocked: NDArray[np.bool_], wanted: Pixel) -> Image:
    tops = [np.argwhere(picture.ids == i).mean(axis=0) for i in np.unique(picture.ids[blocked])]
    nearest: Image = min(tops, key=lambda top: float(np.hypot(*(top - wanted))))
    return nearest

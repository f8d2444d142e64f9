"""From pixels to points: the geometry of a camera with depth, in the robot's frame."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from thinkaloud.worlds.geometry import Xyz
from thinkaloud.worlds.vision import CannotSee, PixelBox, View

_LEAST_LIT = 12
"""A picture whose brightest part is darker than this is treated as black."""

_PATCH = 8
_TORN = 0.04
"""Where pixels beside each other differ in depth by more than this share of it, mostly, there is no surface."""
_NOISE = 0.3
"""Where patches of pixels vary by less than this share of what pixels do, a picture shows nothing (noise: 0.125)."""


def deproject(view: View, column: float, row: float, depth: float) -> Xyz:
    """Return the point that a pixel shows at a depth."""
    at = view.intrinsics
    seen = np.array([(column - at.cx) / at.fx * depth, (row - at.cy) / at.fy * depth, depth])
    x, y, z = view.rotation @ seen + view.position
    return float(x), float(y), float(z)


def centre_of(view: View, box: PixelBox) -> Xyz | None:
    """Return the point at the middle of a box; if the depth has a hole there, use the nearby depths in the box.

    None if the inner half of the box has no depth at all.
    """
    left, top, right, bottom = box
    column, row = (left + right) / 2, (top + bottom) / 2
    wide, tall = max((right - left) // 4, 1), max((bottom - top) // 4, 1)
    for reach_x, reach_y in ((1, 1), (wide, tall)):
        part = view.depth[
            max(math.floor(row) - reach_y, 0) : math.ceil(row) + reach_y + 1,
            max(math.floor(column) - reach_x, 0) : math.ceil(column) + reach_x + 1,
        ]
        known = part[np.isfinite(part) & (part > 0)]
        if known.size:
            return deproject(view, column, row, float(np.median(known)))
    return None


def width_of(view: View, box: PixelBox, depth: float) -> float:
    """Return the width in metres of something that fills a box at a depth: the longer side."""
    left, top, right, bottom = box
    return max((right - left + 1) / view.intrinsics.fx, (bottom - top + 1) / view.intrinsics.fy) * depth


def require_picture(view: View) -> None:
    """Raise CannotSee if a picture shows nothing: no pixels, dark, nothing but noise, or no depth anywhere."""
    if view.rgb.size == 0 or view.rgb.shape[:2] != view.depth.shape:
        raise CannotSee("The camera gives no picture: check that it is connected, and that colour and depth fit.")
    if int(view.rgb.max()) < _LEAST_LIT:
        raise CannotSee("The camera sees nothing, its picture is dark: switch a light on, or take the cap off.")
    if _is_noise(view.rgb.astype(np.float32).mean(axis=2)):
        raise CannotSee("The camera's picture is nothing but noise: check its cable, its driver, and its settings.")
    if not np.any(np.isfinite(view.depth) & (view.depth > 0)):
        raise CannotSee("The camera gives no depth anywhere: check its depth stream, and that it is not too near.")
    if _is_torn(view.depth):
        raise CannotSee(
            "The camera's depth is nothing but noise: check its depth stream, and that it fits the picture."
        )


def _is_torn(depth: NDArray[np.float32]) -> bool:
    """Whether pixels beside each other are mostly at quite different depths, as no surfaces are."""
    known = np.isfinite(depth) & (depth > 0)
    both = known[:, 1:] & known[:, :-1]
    if int(both.sum()) < _PATCH**2:
        return False  # too few to tell
    steps = np.abs(np.diff(np.where(known, depth, 0.0), axis=1)[both])
    return float(np.median(steps)) > _TORN * float(np.median(depth[known]))


def _is_noise(light: NDArray[np.float32]) -> bool:
    rows, columns = (side // _PATCH for side in light.shape)
    if min(rows, columns) < _PATCH:
        return False  # too few patches to tell
    patches = light[: rows * _PATCH, : columns * _PATCH].reshape(rows, _PATCH, columns, _PATCH).mean(axis=(1, 3))
    varied = float(light.std())
    return varied > _LEAST_LIT and float(patches.std()) < _NOISE * varied

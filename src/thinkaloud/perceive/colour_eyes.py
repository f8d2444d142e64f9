"""The eyes `camera`: find things by their colour, their height above the table and their shape, with OpenCV.

A pixel belongs to a thing if it is above the table (z = 0 in the robot's frame), not nearer than the robot's own tool,
and has a colour from the catalogue, lit or in shade. Connected pixels of one colour, with no step in height between
them, form one thing; its width decides which thing of that colour it is. Not covered: patterns, things without a colour
of their own, and things that differ only in a picture on them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinkaloud.errors import BadInput, MissingExtra
from thinkaloud.perceive.detector_boxes import DetectingEyes, Detection
from thinkaloud.perceive.top_view import ByTop
from thinkaloud.worlds.geometry import Rgb
from thinkaloud.worlds.vision import Appearance, View

_NEAR = 0.28  # metres: anything nearer to a camera at the wrist is the robot's own tool, or hangs from it
_ABOVE, _FLAT_ABOVE = 0.007, 0.0035  # height above the table at which a thing begins; lower for flat things
_FLAT_HEIGHT = 0.02
_STEP = 0.014  # in height between neighbouring pixels: the edge of a thing
_SHADES = (1.05, 0.9, 0.78, 0.66)
_LIGHTNESS = 0.45  # the weight of lightness compared with hue and chroma
_ALIKE = 21.0  # the largest difference of colour, in the units of CIELAB
_LEAST_SHARE = 0.3  # the share of a thing that must be visible
_LEAST_PIXELS = 12
_JOINED = 1.2  # parts form one plate if together they are at most this many times as wide as it
_FLAT = 0.007  # the most that a flat part rises from pixel to pixel, including depth noise
_OFF_FLOOR = 0.018  # anything higher above the table than this is not the floor of a bowl
_SMALLEST, _LARGEST = 0.45, 3.0  # visible widths, as a share of a thing's own
_Mask = NDArray[np.bool_]


def open_colours(rest: str) -> DetectingEyes:
    """Open eyes that use colour, depth and shape; they have no weights."""
    if rest:
        raise BadInput(f"The eyes 'camera' have no weights to load: leave {rest!r} out.")
    return DetectingEyes(ByLooks(_opencv()))


def _opencv() -> Any:
    try:
        import cv2
    except ImportError as error:  # OpenCV is not installed, or a system library it needs is missing
        raise MissingExtra("The eyes 'camera'", "vision") from error
    return cv2


class ByLooks:
    """Finds things by their colours and shapes; where the catalogue describes the tops of things, by those."""

    def __init__(self, cv2: Any) -> None:
        self._by_colour, self._by_top = ByColour(cv2), ByTop(cv2)

    def detect(self, view: View, catalogue: Sequence[Appearance]) -> list[Detection]:
        """Return what is seen from the catalogue, and in which boxes."""
        plain = [each for each in catalogue if each.top is None]
        return [*self._by_colour.detect(view, plain), *self._by_top.detect(view, catalogue)]


@dataclass(frozen=True)
class _Blob:
    """Connected pixels of one colour: their box, their width and area in metres, and whether they are hollow."""

    box: tuple[int, int, int, int]
    wide: float
    area: float
    hollow: bool


class ByColour:
    """Finds things by colour, height and shape."""

    def __init__(self, cv2: Any) -> None:
        self._cv2 = cv2

    def detect(self, view: View, catalogue: Sequence[Appearance]) -> list[Detection]:
        """Return what is seen from the catalogue, and in which boxes."""
        if not catalogue:
            return []
        points = view.points()
        with np.errstate(invalid="ignore"):
            standing = (points[..., 2] > _FLAT_ABOVE) & (view.depth > _NEAR)
        colours = tuple(dict.fromkeys(each.rgb for each in catalogue))
        inside = standing & ~self._steps(points[..., 2])
        which = self._colours(view.rgb, inside, colours)
        found = []
        for number, rgb in enumerate(colours):
            looks = [each for each in catalogue if each.rgb == rgb]
            own = which == number
            if any(look.height > _FLAT_HEIGHT for look in looks):
                own &= np.nan_to_num(points[..., 2]) > _ABOVE
            blobs = self._blobs(own, view, points)
            if len(looks) == 1 and looks[0].height <= _FLAT_HEIGHT:
                blobs = _joined(blobs, looks[0], view)
            solid = [each for each in looks if not each.hollow]
            matched = [_match(blob, looks) for blob in blobs] + [
                _match(blob, solid) for blob in self._inside(own, blobs, view, points) if solid
            ]
            found += [each for each in matched if each is not None]
        return found

    def _colours(self, rgb: NDArray[np.uint8], inside: _Mask, colours: tuple[Rgb, ...]) -> NDArray[np.intp]:
        """Return the nearest colour for each relevant pixel, in the light or in shade; -1 if none is near."""
        seen = self._lab(np.asarray(rgb[inside] / 255, dtype=np.float32)[None])[0]
        best, number = np.full(len(seen), _ALIKE), np.full(len(seen), -1, dtype=np.intp)
        for at, colour in enumerate(colours):
            shades = np.clip(np.array([[[c * s / 255 for c in colour] for s in _SHADES]], dtype=np.float32), 0, 1)
            for shade in self._lab(shades)[0]:
                off = np.linalg.norm(seen - shade, axis=1)
                number[off < best] = at
                best = np.minimum(best, off)
        which = np.full(inside.shape, -1, dtype=np.intp)
        which[inside] = number
        return which

    def _lab(self, rgb: NDArray[np.float32]) -> Any:
        if not rgb.size:
            return rgb
        lab = self._cv2.cvtColor(rgb, self._cv2.COLOR_RGB2LAB)
        return lab * np.array([_LIGHTNESS, 1.0, 1.0], dtype=np.float32)

    def _steps(self, height: NDArray[np.float64]) -> _Mask:
        """Return the lower side of every step in height: that is where one thing ends at another."""
        known = np.nan_to_num(height, nan=-1.0).astype(np.float32)
        return np.asarray(self._cv2.dilate(known, np.ones((3, 3), np.uint8)) - known > _STEP)

    def _blobs(self, mask: _Mask, view: View, points: NDArray[np.float64], margin: int = 1) -> list[_Blob]:
        """Return the blobs of a mask; each has a `margin` around it that the mask left out."""
        cv2 = self._cv2
        if int(mask.sum()) < _LEAST_PIXELS:
            return []
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
        found = []
        for number in range(1, count):
            left, top, wide, tall, size = (int(value) for value in stats[number])
            if size < _LEAST_PIXELS:
                continue
            own = labels == number
            xy = points[own][:, :2].astype(np.float32) * 1000
            (_, (a, b), _) = cv2.minAreaRect(xy)
            depth = float(np.median(view.depth[own]))
            area = size * depth * depth / (view.intrinsics.fx * view.intrinsics.fy)
            filled = size / max(self._outline(own), 1.0)
            right, bottom = left + wide - 1 + margin, top + tall - 1 + margin
            left, top = max(left - margin, 0), max(top - margin, 0)
            box = (left, top, min(right, mask.shape[1] - 1), min(bottom, mask.shape[0] - 1))
            found.append(_Blob(box, max(a, b) / 1000, area, hollow=filled < 0.7))
        return found

    def _inside(self, mask: _Mask, blobs: Sequence[_Blob], view: View, points: NDArray[np.float64]) -> list[_Blob]:
        """Return things inside hollow things of the same colour, touching their walls: flat parts above the floor.

        Things that were already found on their own are left out.
        """
        rims, alone = np.zeros(mask.shape, dtype=bool), np.zeros(mask.shape, dtype=bool)
        for blob in blobs:
            left, top, right, bottom = blob.box
            (rims if blob.hollow else alone)[top : bottom + 1, left : right + 1] = True
        inner = mask & rims & ~alone
        if not inner.any():
            return []
        height, near = np.nan_to_num(points[..., 2], nan=-1.0).astype(np.float32), np.ones((3, 3), np.uint8)
        flat = self._cv2.dilate(height, near) - self._cv2.erode(height, near) < _FLAT
        return [b for b in self._blobs(inner & flat & (height > _OFF_FLOOR), view, points, 2) if not b.hollow]

    def _outline(self, own: _Mask) -> float:
        """Return how many pixels are inside the outline of a blob."""
        outlines, _ = self._cv2.findContours(own.astype(np.uint8), self._cv2.RETR_EXTERNAL, self._cv2.CHAIN_APPROX_NONE)
        hull = self._cv2.convexHull(np.vstack(outlines))
        return float(self._cv2.contourArea(hull))


def _joined(blobs: list[_Blob], look: Appearance, view: View) -> list[_Blob]:
    """Join the visible parts of a flat thing that other things lie on, if together they are no wider than it."""
    if len(blobs) < 2:
        return blobs
    lefts, tops, rights, bottoms = zip(*(blob.box for blob in blobs), strict=True)
    box = min(lefts), min(tops), max(rights), max(bottoms)
    column, row = (box[0] + box[2]) // 2, (box[1] + box[3]) // 2
    near = view.depth[row - 2 : row + 3, column - 2 : column + 3]
    depth = float(np.median(near[near > 0])) if (near > 0).any() else 0.0
    wide = max(box[2] - box[0], box[3] - box[1]) * depth / view.intrinsics.fx
    if not 0 < wide <= _JOINED * look.across:
        return blobs
    return [_Blob(box, wide, sum(blob.area for blob in blobs), hollow=False)]


def _match(blob: _Blob, looks: Sequence[Appearance]) -> Detection | None:
    """Return the thing of a colour that a blob resembles most, and how much; None if it resembles none."""
    best: Detection | None = None
    for look in looks:
        ratio = blob.wide / look.across
        if not _SMALLEST <= ratio <= _LARGEST or blob.area < _LEAST_SHARE * _face(look):
            continue
        score = math.exp(-abs(math.log(ratio))) * (
            1.0 if look.height <= _FLAT_HEIGHT or blob.hollow == look.hollow else 0.7
        )
        if best is None or score > best.score:
            best = Detection(look.name, blob.box, score)
    return best


@lru_cache(maxsize=512)
def _face(look: Appearance) -> float:
    """Return the visible area of a thing from above; for a hollow one, at least its rim."""
    whole = look.across**2 * (math.pi / 4 if look.round else 1.0)
    return whole * (0.25 if look.hollow else 1.0)

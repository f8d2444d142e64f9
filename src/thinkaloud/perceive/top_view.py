"""Tell many kinds of things apart from above, by the colour, the sides and the height of their tops.

Everything above the table is split at steps in height, so that each piece is the top of something, or part of its side.
The highest pieces are named first, each by the most similar kind. Lower pieces within the space of that kind are part
of it. Not covered: things that have fallen over, things that differ only in their sides, and cameras that do not look
straight down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinkaloud.perceive.detector_boxes import Detection
from thinkaloud.worlds.vision import Appearance, View

_ABOVE = 0.006  # metres above the table at which a thing begins
_STEP = 0.012  # in height between neighbouring pixels: the edge of a top
_DOWN, _STEEP = 0.004, 3.5  # a side drops at least this much per pixel, and this many times more than it moves sideways
_LEAST_PIXELS = 12
_LIT = 0.98  # the lightness of an upward-facing surface, as a share of its colour
_COLOUR, _SIDE, _HEIGHT = 2.0, 0.09, 0.005
"""Expected differences: of colour (CIELAB), of sides (shares) and of height (metres)."""
_RAISED = 5.0  # the penalty for standing on something
_WORST = 40.0
_MARGIN, _UNDERSIDE = 0.008, 0.004
_Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class _Piece:
    """Connected pixels: which ones, their box, height, sides and middle in metres, turn, and colour."""

    own: _Mask
    box: tuple[int, int, int, int]
    high: float
    sides: tuple[float, float]
    middle: tuple[float, float]
    turn: float
    colour: NDArray[np.float64]


class ByTop:
    """Finds things by their tops."""

    def __init__(self, cv2: Any) -> None:
        self._cv2 = cv2

    def detect(self, view: View, catalogue: Sequence[Appearance]) -> list[Detection]:
        """Return what is seen from the catalogue, and the boxes of their tops."""
        looks = [each for each in catalogue if each.top is not None]
        if not looks:
            return []
        points = view.points()
        colours = self._lab(np.array([each.rgb for each in looks], dtype=np.float64) * _LIT)
        found, taken = list[Detection](), np.zeros(view.depth.shape, dtype=bool)
        for piece in self._pieces(view, points):
            if (piece.own & taken).sum() * 2 > piece.own.sum():
                continue
            costs = [_cost(piece, look, colour) for look, colour in zip(looks, colours, strict=True)]
            best = int(np.argmin(costs))
            if costs[best] <= _WORST:
                found.append(Detection(looks[best].name, piece.box, math.exp(-costs[best] / _WORST)))
                taken |= _room(piece, looks[best], points)
        return found

    def _pieces(self, view: View, points: NDArray[np.float64]) -> list[_Piece]:
        """Return the pieces above the table, the highest first."""
        cv2, height = self._cv2, np.nan_to_num(points[..., 2], nan=-1.0).astype(np.float32)
        below = cv2.dilate(height, np.ones((3, 3), np.uint8)) - height
        lower = (below > _STEP) | ((below > _DOWN) & _steep(points))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(
            ((height > _ABOVE) & ~lower).astype(np.uint8), connectivity=8
        )
        found = []
        for number in range(1, count):
            left, top, wide, tall, size = (int(value) for value in stats[number])
            if size >= _LEAST_PIXELS:
                own = labels == number
                box = (left, top, left + wide - 1, top + tall - 1)
                found.append(self._piece(view, own, box, points))
        return sorted(found, key=lambda piece: -piece.high)

    def _piece(self, view: View, own: _Mask, box: tuple[int, int, int, int], points: NDArray[np.float64]) -> _Piece:
        xyz = points[own]
        high = float(np.quantile(xyz[:, 2], 0.9))
        pixel = (view.position[2] - high) / view.intrinsics.fx
        (x, y), (a, b), degrees = self._cv2.minAreaRect(xyz[:, :2].astype(np.float32) * 1000)
        upper = own & (points[..., 2] > high - 0.01)
        rgb = np.median(view.rgb[upper], axis=0)
        alike = view.rgb[upper][np.abs(view.rgb[upper] - rgb).max(axis=1) < 12]
        mean = alike.mean(axis=0) if len(alike) else rgb  # of two colours, the median may be neither
        sides = max(a, b) / 1000 + pixel, min(a, b) / 1000 + pixel
        turn = math.radians(degrees if a >= b else degrees + 90)
        return _Piece(own, box, high, sides, (x / 1000, y / 1000), turn, self._lab(mean[None])[0])

    def _lab(self, rgb: NDArray[np.float64]) -> NDArray[np.float64]:
        lab = self._cv2.cvtColor((rgb / 255).astype(np.float32)[None], self._cv2.COLOR_RGB2LAB)
        return np.asarray(lab[0], dtype=np.float64)


def _steep(points: NDArray[np.float64]) -> _Mask:
    """Return where a side is visible instead of a top: from pixel to pixel it drops, and hardly moves sideways."""
    steep = np.zeros(points.shape[:2], dtype=bool)
    for axis in (0, 1):
        change = np.nan_to_num(np.gradient(points, axis=axis))
        down = np.abs(change[..., 2])
        steep |= (down > _DOWN) & (down > _STEEP * np.hypot(change[..., 0], change[..., 1]))
    return steep


def _cost(piece: _Piece, look: Appearance, colour: NDArray[np.float64]) -> float:
    """Return how much a piece differs from a kind."""
    assert look.top is not None
    off = float(np.linalg.norm(piece.colour - colour)) / _COLOUR
    sides = [math.log(seen / side) / _SIDE for seen, side in zip(piece.sides, look.top, strict=True)]
    raised = piece.high - look.height
    height = (raised / _HEIGHT) ** 2
    return off**2 + sides[0] ** 2 + sides[1] ** 2 + (height if raised < 0 else min(height, _RAISED))


def _room(piece: _Piece, look: Appearance, points: NDArray[np.float64]) -> _Mask:
    """The space of a thing: a piece between its underside and its top is part of it.

    Things inside a hollow thing are not.
    """
    assert look.top is not None
    if look.hollow:
        return piece.own
    x, y = points[..., 0] - piece.middle[0], points[..., 1] - piece.middle[1]
    c, s = math.cos(piece.turn), math.sin(piece.turn)
    with np.errstate(invalid="ignore"):
        if look.round:
            near = np.hypot(x, y) < look.across / 2 + _MARGIN
        else:
            along, across = np.abs(c * x + s * y), np.abs(c * y - s * x)
            near = (along < look.top[0] / 2 + _MARGIN) & (across < look.top[1] / 2 + _MARGIN)
        upwards = points[..., 2] - piece.high
        return np.asarray(near & (upwards < _MARGIN) & (upwards > _UNDERSIDE - look.height))

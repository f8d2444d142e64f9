"""Where hands point, as what the arm goes for: pixels of the picture from above, or points of a camera's view."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thinkaloud.worlds.geometry import Xyz
from thinkaloud.worlds.hands import Hands, Pointing, Spot
from thinkaloud.worlds.vision import View
from thinkaloud_worlds.tabletop.camera import NO_THING, PIXELS, Picture, Pixel, point_at
from thinkaloud_worlds.tabletop.table_eyes import picture_from_above

PICK, STEP = "Pick the {object}.", "Pick the {object} and place it on the {target}."


def known_heights(picture: Picture) -> NDArray[np.float64]:
    """The heights in a picture from above; NaN where no camera has seen anything."""
    unseen = ~picture.rgb.any(axis=2) & (picture.height == 0)
    return np.where(unseen, np.nan, picture.height)


def point_in(hands: Hands, picture: Picture, sentence: str) -> Pointing:
    """Let hands point in the picture from above."""
    return hands.point(picture.rgb, known_heights(picture), sentence)


def seen_from_above(view: View) -> Picture:
    """What a camera anywhere above the table sees of it, with nothing told apart."""
    return picture_from_above(view, np.full(view.depth.shape, NO_THING, dtype=np.int32), ())


def pixel_of(spot: Spot) -> Pixel:
    """The pixel of the picture from above that a spot is."""
    return spot.at[0] * PIXELS - 0.5, spot.at[1] * PIXELS - 0.5


class PointedPixels:
    """Finds things, and spots for things, where hands point. `step` is how they are told what to do."""

    def __init__(self, hands: Hands, step: str = STEP) -> None:
        self._hands, self._step = hands, step

    def __call__(self, picture: Picture, name: str, moving: str | None = None) -> Pixel:
        """Where a thing is; for a `moving` thing, where to put it."""
        if moving is None:
            return pixel_of(point_in(self._hands, picture, PICK.format(object=name)).pick)
        return pixel_of(point_in(self._hands, picture, self._step.format(object=moving, target=name)).place)


def point_in_view(hands: Hands, view: View, object: str, target: str) -> tuple[Xyz, Xyz]:
    """Where to pick and where to place, by one look of a camera anywhere above the table."""
    picture = seen_from_above(view)
    pointing = point_in(hands, picture, STEP.format(object=object, target=target))
    found = list[Xyz]()
    for spot in (pointing.pick, pointing.place):
        pixel = pixel_of(spot)
        row, column = (int(np.clip(round(at), 0, PIXELS - 1)) for at in pixel)
        around = picture.height[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
        found.append((*point_at(pixel), float(np.median(around))))
    return found[0], found[1]

"""From boxes to things: what a detector finds in a picture, held against depth and against what things look like.

A detector only says where in the picture it sees what. The rest is the same for all of them: the middle of a box as a
point in the robot's frame, and what speaks against a box, namely that it is too large for what it is said to show.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from thinkaloud.perceive.camera_geometry import centre_of, require_picture, width_of
from thinkaloud.worlds.geometry import Xyz
from thinkaloud.worlds.vision import Appearance, PixelBox, Sight, Sighting, View

_SPARE = 1.2
"""A box may be larger than the thing looks by this factor; one that is larger still covers more than it."""


@dataclass(frozen=True, slots=True)
class Detection:
    """A box of a picture, and the name of what is seen in it."""

    name: str
    box: PixelBox
    score: float = 1.0


class Detector(Protocol):
    """Finds boxes in a picture."""

    def detect(self, view: View, catalogue: Sequence[Appearance]) -> Sequence[Detection]:
        """What of a catalogue is seen, and in which boxes."""
        ...


class DetectingEyes:
    """Eyes by a detector."""

    def __init__(self, detector: Detector) -> None:
        self.detector = detector

    def look(self, view: View, catalogue: Sequence[Appearance]) -> Sight:
        """What is seen, in the order of the catalogue; CannotSee where the picture shows nothing at all."""
        require_picture(view)
        order = {each.name: number for number, each in enumerate(catalogue)}
        looks = {each.name: each for each in catalogue}
        known = [found for found in self.detector.detect(view, catalogue) if found.name in order]
        known.sort(key=lambda found: (order[found.name], -found.score, found.box))
        return Sight(tuple(_sighting(view, found, looks[found.name]) for found in known))


def _sighting(view: View, found: Detection, look: Appearance) -> Sighting:
    point = centre_of(view, found.box)
    if point is None:
        return Sighting(found.name, found.box, None, found.score)
    wide, most = _measured(view, found.box), _SPARE * _largest(view, point, look)
    doubt = (
        ""
        if wide <= most
        else (
            f"What looks like the {found.name} is {wide * 100:.0f} cm wide, and the {found.name} is at most "
            f"{most * 100:.0f} cm: these may be two things that touch, so I leave them alone."
        )
    )
    return Sighting(found.name, found.box, point, found.score, doubt)


def _measured(view: View, box: PixelBox) -> float:
    """How wide what fills a box is, by what is nearest in it."""
    left, top, right, bottom = box
    part = view.depth[top : bottom + 1, left : right + 1]
    return width_of(view, box, float(np.quantile(part[np.isfinite(part) & (part > 0)], 0.1)))


def _largest(view: View, point: Xyz, look: Appearance) -> float:
    """How wide a thing can look from where the camera is: turned, with a side of it in view, or lying on its side."""
    x, y, z = (float(value) for value in view.position)
    slant = math.hypot(point[0] - x, point[1] - y) / max(z - point[2], 0.05)
    turned = 1.0 if look.round else math.sqrt(2)
    return max(look.across * turned + look.height * slant, look.height * turned + look.across * slant)

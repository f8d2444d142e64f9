"""From boxes to things: check a detector's boxes against depth and against the known sizes of things.

A detector only says where in the picture it sees something. The rest is the same for all detectors: convert the middle
of a box to a point in the robot's frame, and reject a box that is too large for the thing it is said to show.
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
"""A box may be this many times larger than the thing looks; a larger one covers more than the thing."""


@dataclass(frozen=True, slots=True)
class Detection:
    """A box in a picture, and the name of what is seen in it. Each side may be off by `slack` pixels."""

    name: str
    box: PixelBox
    score: float = 1.0
    slack: float = 0.0


class Detector(Protocol):
    """Finds boxes in a picture."""

    def detect(self, view: View, catalogue: Sequence[Appearance]) -> Sequence[Detection]:
        """Return what is seen from a catalogue, and in which boxes."""
        ...


class DetectingEyes:
    """Eyes that use a detector."""

    def __init__(self, detector: Detector) -> None:
        self.detector = detector

    def look(self, view: View, catalogue: Sequence[Appearance]) -> Sight:
        """Return what is seen, in the order of the catalogue; CannotSee if the picture shows nothing at all."""
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
    wide, most = _measured(view, found), _SPARE * _largest(view, point, look)
    doubt = (
        ""
        if wide <= most
        else (
            f"What looks like the {found.name} is {wide * 100:.0f} cm wide, and the {found.name} is at most "
            f"{most * 100:.0f} cm: these may be two things that touch, so I leave them alone."
        )
    )
    return Sighting(found.name, found.box, point, found.score, doubt)


def _measured(view: View, found: Detection) -> float:
    """Return how wide what fills a box is at least, at the nearest depth in it."""
    left, top, right, bottom = found.box
    part = view.depth[top : bottom + 1, left : right + 1]
    depth = float(np.quantile(part[np.isfinite(part) & (part > 0)], 0.1))
    off = 2 * found.slack * depth / min(view.intrinsics.fx, view.intrinsics.fy)
    return width_of(view, found.box, depth) - off


def _largest(view: View, point: Xyz, look: Appearance) -> float:
    """Return how wide a thing can look to the camera: turned, with one side visible, or lying on its side."""
    x, y, z = (float(value) for value in view.position)
    slant = math.hypot(point[0] - x, point[1] - y) / max(z - point[2], 0.05)
    turned = 1.0 if look.round else math.sqrt(2)
    return max(look.across * turned + look.height * slant, look.height * turned + look.across * slant)

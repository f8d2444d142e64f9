"""Which things of a table a picture really shows."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from thinkaloud.worlds.vision import Appearance
from thinkaloud_worlds.camera_pictures import Photograph
from thinkaloud_worlds.tabletop.physics import Physics

_ENOUGH = 0.25
"""The least share of a thing's face that has to be visible."""


def find_visible(photo: Photograph, catalogue: Sequence[Appearance], physics: Physics) -> set[str]:
    """Return the names of the things that are really visible in a picture."""
    looks = {each.name: each for each in catalogue}
    owners, found = np.where(photo.geoms >= 0, physics.owner[photo.geoms], -1), set[str]()
    focal = photo.view.intrinsics.fx * photo.view.intrinsics.fy
    for name, body in physics.bodies.items():
        own = (owners == body) & (photo.view.depth > 0)
        if own.any():
            depth = float(np.median(photo.view.depth[own]))
            face = looks[name].across ** 2 * (math.pi / 4 if looks[name].round else 1.0)
            if own.sum() * depth * depth / focal >= _ENOUGH * face:
                found.add(name)
    return found

"""Cameras by ray casting: no window, no graphics driver, no system package.

One looks straight down and is the robot's eye: colour, distance and object of every pixel, without the arm in the way.
The other looks across the table and is for pictures and films.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from thinkaloud.worlds.tabletop.layout import TABLE
from thinkaloud.worlds.tabletop.physics import Physics

PIXELS = 192
PIXEL = (TABLE.x[1] - TABLE.x[0]) / PIXELS  # 3.125 mm
NOTHING = -1  # the table, or beyond

Pixel = tuple[float, float]
"""Row and column; row 0 is the top, and pixel (0, 0) has its centre at (0, 0)."""
Image = NDArray[np.float64]

_EYE = 1000.0  # so far up that rays are parallel to a thousandth of a pixel
_LIGHT = np.array([-0.9, -1.5, 2.2])
_WITHOUT_ARM = np.array([1, 1, 0, 0, 0, 0], dtype=np.uint8)
_ALL = np.array([1, 1, 1, 1, 1, 0], dtype=np.uint8)


@dataclass(frozen=True, eq=False)
class Picture:
    """What the camera above the table sees: colour (0 to 255), height above the table, and which object it is."""

    rgb: Image
    height: Image
    ids: NDArray[np.int32]
    names: tuple[str, ...]

    def mask(self, name: str) -> NDArray[np.bool_]:
        """Where an object is seen."""
        mask: NDArray[np.bool_] = self.ids == self.names.index(name)
        return mask


def pixel_at(x: float, y: float) -> Pixel:
    """The pixel that shows a point of the table."""
    return (TABLE.y[1] - y) / PIXEL - 0.5, (x - TABLE.x[0]) / PIXEL - 0.5


def point_at(pixel: Pixel) -> tuple[float, float]:
    """The point of the table that a pixel shows."""
    row, column = pixel
    return TABLE.x[0] + (column + 0.5) * PIXEL, TABLE.y[1] - (row + 0.5) * PIXEL


def look_down(physics: Physics) -> Picture:
    """The picture from above; what hangs from the cup is left out, like the arm."""
    held = physics.held
    exclude = physics.bodies[held] if held else -1
    eye = np.array([*TABLE.centre, _EYE])
    geoms, distances, normals = _cast(physics, eye, _downward(), _WITHOUT_ARM, exclude)
    owners = np.where(geoms >= 0, physics.owner[geoms], -1)
    first = min(physics.bodies.values())
    ids = np.where(owners >= first, owners - first, NOTHING).astype(np.int32)
    height = np.where(geoms >= 0, _EYE - distances * _EYE, 0.0)
    shade = 0.72 + 0.28 * np.clip(normals[:, 2], 0.0, 1.0)
    rgb = physics.model.geom_rgba[geoms, :3] * shade[:, None] * 255
    shape = (PIXELS, PIXELS)
    return Picture(rgb.reshape(*shape, 3), height.reshape(shape), ids.reshape(shape), physics.names)


def look_across(physics: Physics, width: int, height: int) -> NDArray[np.uint8]:
    """A picture of table and arm from where a person would stand."""
    eye = np.array([0.0, -1.75, 1.05])
    rays = _perspective(width, height)
    geoms, distances, normals = _cast(physics, eye, rays, _ALL, -1)
    hit = geoms >= 0
    colour = np.empty((len(geoms), 3))
    colour[~hit] = _sky(rays[~hit])
    points = eye + rays[hit] * distances[hit, None]
    colour[hit] = _shaded(physics, geoms[hit], points, normals[hit], rays[hit])
    picture = colour.reshape(height, width, 3)
    lit = np.ones(len(geoms))
    lit[hit] = _lit(physics, points)
    flat = np.isin(geoms, (physics.model.geom("table").id, physics.model.geom("floor").id)).reshape(height, width)
    shadow = lit.reshape(height, width)
    shadow = np.where(flat, _blurred(shadow), shadow)
    picture *= (0.62 + 0.38 * shadow)[..., None]
    return np.clip(picture ** (1 / 1.1) * 255, 0, 255).astype(np.uint8)


def _cast(
    physics: Physics, eye: NDArray[np.float64], rays: NDArray[np.float64], groups: NDArray[np.uint8], exclude: int
) -> tuple[NDArray[np.int32], Image, Image]:
    model, data = physics.model, physics.data
    mujoco.mj_kinematics(model, data)
    count = len(rays)
    geoms, distances, normals = np.empty(count, np.int32), np.empty(count), np.empty((count, 3))
    call: Any = mujoco.mj_multiRay
    call(model, data, eye, rays.ravel(), groups, True, exclude, geoms, distances, normals.ravel(), count, 1e6)
    return geoms, distances, normals


@lru_cache(maxsize=1)
def _downward() -> NDArray[np.float64]:
    rows, columns = np.mgrid[0:PIXELS, 0:PIXELS]
    x, y = point_at((rows, columns))
    centre = TABLE.centre
    down = np.full_like(x, -_EYE)
    return np.ascontiguousarray(np.stack([x - centre[0], y - centre[1], down], axis=-1).reshape(-1, 3))


@lru_cache(maxsize=4)
def _perspective(width: int, height: int) -> NDArray[np.float64]:
    forward = np.array([0.0, 1.40, -1.00])
    forward /= np.linalg.norm(forward)
    right = np.array([1.0, 0.0, 0.0])
    up = np.cross(right, forward)
    rows, columns = np.mgrid[0:height, 0:width]
    u = (columns + 0.5 - width / 2) / height * 0.80
    v = (height / 2 - rows - 0.5) / height * 0.80
    rays = forward + u[..., None] * right + v[..., None] * up
    rays = rays.reshape(-1, 3)
    return np.ascontiguousarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))


def _sky(rays: Image) -> Image:
    blend = np.clip(rays[:, 2:3] * 2 + 0.5, 0, 1)
    return np.array([0.93, 0.94, 0.95]) * (1 - blend) + np.array([0.78, 0.84, 0.90]) * blend


def _shaded(physics: Physics, geoms: NDArray[np.int32], points: Image, normals: Image, rays: Image) -> Image:
    base = physics.model.geom_rgba[geoms, :3]
    towards = _LIGHT - points
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    diffuse = np.clip(np.einsum("ij,ij->i", normals, towards), 0, 1)
    sky = 0.5 + 0.5 * normals[:, 2]
    half = towards - rays
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    gloss = np.clip(np.einsum("ij,ij->i", normals, half), 0, 1) ** 40
    gloss[np.isin(geoms, (physics.model.geom("table").id, physics.model.geom("floor").id))] = 0
    shaded: Image = base * (0.30 + 0.25 * sky + 0.55 * diffuse)[:, None] + 0.18 * gloss[:, None]
    far = np.clip((np.linalg.norm(points, axis=1) - 1.2) / 2.5, 0, 1)[:, None]
    return np.asarray(shaded * (1 - far) + np.array([0.93, 0.94, 0.95]) * far)


def _lit(physics: Physics, points: Image) -> Image:
    rays = points - _LIGHT
    geoms, distances, _ = _cast(physics, _LIGHT, np.ascontiguousarray(rays), _ALL, -1)
    return np.where((geoms >= 0) & (distances < 0.997), 0.0, 1.0)


def _blurred(image: Image) -> Image:
    for axis in (0, 1):
        image = np.mean([np.roll(image, shift, axis) for shift in (-2, -1, 0, 1, 2)], axis=0)
    return image

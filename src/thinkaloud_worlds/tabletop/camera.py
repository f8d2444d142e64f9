"""Cameras by ray casting, which needs no window, no graphics driver and no system package.

One camera looks straight down and is the robot's eye: it gives the colour, distance and object of every pixel, without
the arm in the way. The other looks across the table, for pictures and films.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import mujoco
import numpy as np
from numpy.typing import NDArray

from thinkaloud_worlds.ray_casting import Hits, Image, blur, cast_rays, unit
from thinkaloud_worlds.tabletop.layout import TABLE_TOP
from thinkaloud_worlds.tabletop.physics import Physics
from thinkaloud_worlds.tabletop.scene import Scene
from thinkaloud_worlds.tabletop.ur5e_arm import UR5E_JOINTS

PIXELS = 192
PIXEL = (TABLE_TOP.x[1] - TABLE_TOP.x[0]) / PIXELS  # 3.125 mm
NO_THING = -1  # the table, or outside it
_REMEMBERED = 4  # how many pictures of one scene are cached

Pixel = tuple[float, float]
"""Row and column; row 0 is the top, and pixel (0, 0) has its centre at (0, 0)."""

_EYE = 1000.0  # so high that rays are parallel to within a thousandth of a pixel
_ABOVE = np.array([*TABLE_TOP.centre, _EYE])
_PERSON = np.array([0.0, -1.62, 1.08])
_LAMP = np.array([-0.9, -1.9, 2.0])
_HAZE = np.array([0.92, 0.93, 0.945])
_WITHOUT_ARM = np.array([1, 1, 0, 0, 0, 0], dtype=np.uint8)
_TABLE_ONLY = np.array([1, 0, 0, 0, 0, 0], dtype=np.uint8)
_THING_GROUP = 1
_ALL = np.array([1, 1, 1, 1, 1, 0], dtype=np.uint8)


@dataclass(frozen=True, eq=False)
class Picture:
    """What the camera above the table sees: each pixel's colour (0 to 255), height above the table, and object."""

    rgb: Image
    height: Image
    ids: NDArray[np.int32]
    names: tuple[str, ...]

    def mask(self, name: str) -> NDArray[np.bool_]:
        """The pixels that show an object."""
        mask: NDArray[np.bool_] = self.ids == self.names.index(name)
        return mask

    def box(self, name: str) -> tuple[int, int, int, int]:
        """The bounding rectangle of an object in the picture: left, top, right, bottom."""
        rows, columns = np.nonzero(self.mask(name))
        return int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())


def pixel_at(x: float, y: float) -> Pixel:
    """The pixel that shows a point of the table."""
    return (TABLE_TOP.y[1] - y) / PIXEL - 0.5, (x - TABLE_TOP.x[0]) / PIXEL - 0.5


def point_at(pixel: Pixel) -> tuple[float, float]:
    """The point of the table that a pixel shows."""
    row, column = pixel
    return TABLE_TOP.x[0] + (column + 0.5) * PIXEL, TABLE_TOP.y[1] - (row + 0.5) * PIXEL


def look_down(physics: Physics) -> Picture:
    """The picture from above, without the arm and what hangs from its cup. Cached while nothing moves."""
    held = physics.held
    mujoco.mj_kinematics(physics.model, physics.data)
    where = physics.data.qpos[UR5E_JOINTS:].tobytes() + str(held).encode()
    if where not in physics.pictures:
        if len(physics.pictures) >= _REMEMBERED:
            physics.pictures.clear()
        physics.pictures[where] = _picture(physics, held)
    picture: Picture = physics.pictures[where]
    return picture


def _picture(physics: Physics, held: str | None) -> Picture:
    exclude = physics.bodies[held] if held else -1
    bare, near = _bare_table(), np.flatnonzero(_near_things(physics))
    rgb, height, ids = bare[0].copy(), bare[1].copy(), bare[2].copy()
    rgb[near], height[near], ids[near] = _seen_down(physics, _downward()[near], _WITHOUT_ARM, exclude)
    for seen in (rgb, height, ids):
        seen.flags.writeable = False  # the picture is shared
    shape = (PIXELS, PIXELS)
    return Picture(rgb.reshape(*shape, 3), height.reshape(shape), ids.reshape(shape), physics.names)


def _seen_down(
    physics: Physics, rays: NDArray[np.float64], groups: NDArray[np.uint8], exclude: int
) -> tuple[Image, Image, NDArray[np.int32]]:
    """The colour, the height and the thing that each ray from above hits."""
    geoms, distances, normals = _cast(physics, _ABOVE, rays, groups, exclude)
    owners = np.where(geoms >= 0, physics.owner[geoms], -1)
    first = min(physics.bodies.values())
    ids = np.where(owners >= first, owners - first, NO_THING).astype(np.int32)
    height = np.where(geoms >= 0, _EYE - distances * _EYE, 0.0)
    shade = 0.72 + 0.28 * np.clip(normals[:, 2], 0.0, 1.0)
    return physics.model.geom_rgba[geoms, :3] * shade[:, None] * 255, height, ids


@lru_cache(maxsize=1)
def _bare_table() -> tuple[Image, Image, NDArray[np.int32]]:
    """What is seen from above where there is nothing on the table: the same in every scene."""
    return _seen_down(Physics(Scene.random(0)), _downward(), _TABLE_ONLY, -1)


def _near_things(physics: Physics) -> NDArray[np.bool_]:
    """The pixels in the upright boxes around what is on the table: no other ray can hit anything but the table."""
    model, data = physics.model, physics.data
    shapes = np.flatnonzero(model.geom_group == _THING_GROUP)
    turns = data.geom_xmat[shapes].reshape(-1, 3, 3)
    middles, halves = model.geom_aabb[shapes, :3, None], model.geom_aabb[shapes, 3:, None]
    x, y = (data.geom_xpos[shapes] + (turns @ middles)[..., 0])[:, :2].T
    wide, deep = (np.abs(turns) @ halves)[:, :2, 0].T / PIXEL + 1
    rows, columns = pixel_at(x, y)
    near = np.zeros((PIXELS, PIXELS), dtype=np.bool_)
    edges = np.array([rows - deep, rows + deep + 1, columns - wide, columns + wide + 1])
    for top, bottom, left, right in np.clip(np.ceil(edges), 0, PIXELS).astype(int).T.tolist():
        near[top:bottom, left:right] = True
    return near.ravel()


def look_across(physics: Physics, width: int, height: int) -> NDArray[np.uint8]:
    """A picture of the table and the arm, seen by a person; left, right and top match the overhead camera."""
    rays = _perspective(width, height)
    geoms, distances, normals = _cast(physics, _PERSON, rays, _ALL, -1)
    hit = geoms >= 0
    flat = (geoms == physics.model.geom("table").id) | (geoms == physics.model.geom("floor").id)
    points = _PERSON + rays * distances[:, None]
    colour = np.tile(_HAZE, (len(geoms), 1))
    colour[hit] = _shaded(physics.model.geom_rgba[geoms[hit], :3], points[hit], normals[hit], rays[hit], ~flat[hit])
    shape = (height, width)
    colour *= _shadow(physics, points.reshape(*shape, 3), flat.reshape(shape)).reshape(-1, 1)
    return np.asarray(np.clip(colour.reshape(*shape, 3) * 255, 0, 255), dtype=np.uint8)


def _cast(
    physics: Physics, eye: NDArray[np.float64], rays: NDArray[np.float64], groups: NDArray[np.uint8], exclude: int
) -> Hits:
    mujoco.mj_kinematics(physics.model, physics.data)
    return cast_rays(physics.model, physics.data, eye, rays, groups, exclude)


@lru_cache(maxsize=1)
def _downward() -> NDArray[np.float64]:
    rows, columns = np.mgrid[0:PIXELS, 0:PIXELS]
    x, y = point_at((rows, columns))
    centre = TABLE_TOP.centre
    down = np.full_like(x, -_EYE)
    return np.ascontiguousarray(np.stack([x - centre[0], y - centre[1], down], axis=-1).reshape(-1, 3))


@lru_cache(maxsize=4)
def _perspective(width: int, height: int) -> NDArray[np.float64]:
    forward = np.array([0.0, -0.33, 0.15]) - _PERSON
    forward /= np.linalg.norm(forward)
    right = np.array([1.0, 0.0, 0.0])
    up = np.cross(right, forward)
    rows, columns = np.mgrid[0:height, 0:width]
    u = (columns + 0.5 - width / 2) / height * 0.72
    v = (height / 2 - rows - 0.5) / height * 0.72
    rays = (forward + u[..., None] * right + v[..., None] * up).reshape(-1, 3)
    return np.ascontiguousarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))


def _shaded(base: Image, points: Image, normals: Image, rays: Image, glossy: NDArray[np.bool_]) -> Image:
    """Shade with a lamp and ambient light, highlights on glossy surfaces, and haze in the distance."""
    towards = unit(_LAMP - points)
    diffuse = np.clip(np.einsum("ij,ij->i", normals, towards), 0, 1)
    ambient = 0.40 + 0.14 * normals[:, 2]
    colour = base * (ambient + 0.55 * diffuse)[:, None]
    shine = np.clip(np.einsum("ij,ij->i", normals[glossy], unit(towards[glossy] - rays[glossy])), 0, 1)
    colour[glossy] += 0.16 * (shine**40)[:, None]
    far = np.clip((np.hypot(points[:, 0], points[:, 1]) - 1.0) / 2.2, 0, 1)[:, None]
    return np.asarray(colour * (1 - far) + _HAZE * far)


def _shadow(physics: Physics, points: Image, flat: NDArray[np.bool_]) -> Image:
    """The brightness of table and floor. Shadows are cast at half the resolution and blurred, to soften them."""
    coarse, seen = points[::2, ::2], flat[::2, ::2]
    rays = np.ascontiguousarray((coarse[seen] - _LAMP).reshape(-1, 3))
    geoms, distances, _ = _cast(physics, _LAMP, rays, _ALL, -1)
    dark = np.zeros(seen.shape)
    dark[seen] = (geoms >= 0) & (distances < 0.997)
    soft = blur(dark) / np.maximum(blur(seen.astype(float)), 1e-6)
    full = np.repeat(np.repeat(soft, 2, axis=0), 2, axis=1)[: flat.shape[0], : flat.shape[1]]
    return np.where(flat, 1 - 0.36 * np.clip(blur(full), 0, 1), 1.0)

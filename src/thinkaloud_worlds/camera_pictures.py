"""Photographs of a MuJoCo model, taken by ray casting with a pinhole camera that also measures depth.

Colours are shaded by a lamp and are noisy. Depth is noisy too, and has holes where the camera sees a surface at a
grazing angle, as cameras that project a pattern do. The noise depends only on what is seen: two photographs of the same
scene are identical. A photograph also records which shape each pixel shows. That is the truth, for judges; it is not
part of a View.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from thinkaloud.worlds.vision import Intrinsics, View
from thinkaloud_worlds.ray_casting import cast_rays, unit

_LAMP = np.array([0.35, -0.25, 0.9]) / np.linalg.norm([0.35, -0.25, 0.9])
_AMBIENT, _DIFFUSE = 0.62, 0.40
_VOID = np.array([0.20, 0.21, 0.23])
_GRAZING = 0.12  # a surface seen at an angle with a smaller cosine reflects too little to measure depth


@dataclass(frozen=True, slots=True)
class Camera:
    """The properties of a camera: picture size, focal length in pixels, and noise (levels of 255, metres)."""

    width: int
    height: int
    focal: float
    grain: float = 2.0
    depth_noise: float = 0.001

    @property
    def intrinsics(self) -> Intrinsics:
        """The calibrated intrinsics."""
        return Intrinsics(self.focal, self.focal, (self.width - 1) / 2, (self.height - 1) / 2)


@dataclass(frozen=True, eq=False)
class Photograph:
    """A view, and the truth about it: the shape that each pixel shows (-1 for none)."""

    view: View
    geoms: NDArray[np.int32]


def photograph(
    model: Any,
    data: Any,
    camera: Camera,
    rotation: NDArray[np.float64],
    position: NDArray[np.float64],
    groups: NDArray[np.uint8],
    but: int = -1,
) -> Photograph:
    """Take a picture of these groups of shapes from a pose, optionally without one body."""
    mujoco.mj_kinematics(model, data)
    directions = _directions(camera)
    rays = unit(directions) @ rotation.T
    geoms, distances, normals = cast_rays(model, data, np.ascontiguousarray(position), rays, groups, but)
    hit = geoms >= 0
    shade = _AMBIENT + _DIFFUSE * np.clip(normals @ _LAMP, 0.0, 1.0)
    colour = np.where(hit[:, None], model.geom_rgba[geoms, :3] * shade[:, None], _VOID) * 255
    along = distances / np.linalg.norm(directions, axis=1)
    facing = np.abs(np.einsum("ij,ij->i", normals, rays))
    depth = np.where(hit & (facing > _GRAZING), along, 0.0)
    rng = np.random.default_rng(zlib.crc32(depth.tobytes()))
    colour += rng.normal(0.0, camera.grain, colour.shape)
    depth = np.where(depth > 0, depth + rng.normal(0.0, camera.depth_noise, depth.shape), 0.0)
    shape = (camera.height, camera.width)
    view = View(
        np.asarray(np.clip(colour, 0, 255), dtype=np.uint8).reshape(*shape, 3),
        depth.astype(np.float32).reshape(shape),
        camera.intrinsics,
        rotation,
        position,
    )
    return Photograph(view, geoms.reshape(shape))


@lru_cache(maxsize=8)
def _directions(camera: Camera) -> NDArray[np.float64]:
    """The direction through each pixel in the camera's frame: right, down, forward."""
    rows, columns = np.mgrid[0 : camera.height, 0 : camera.width]
    at = camera.intrinsics
    return np.stack([(columns - at.cx) / at.fx, (rows - at.cy) / at.fy, np.ones(rows.shape)], axis=-1).reshape(-1, 3)

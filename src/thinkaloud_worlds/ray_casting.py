"""What all pictures by ray casting share. They need no window, no graphics driver and no system package."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.float64]
Hits = tuple[NDArray[np.int32], Image, Image]
"""The shape each ray hits (-1 for none), its distance, and the surface normal."""


def cast_rays(
    model: Any, data: Any, eye: NDArray[np.float64], rays: NDArray[np.float64], groups: NDArray[np.uint8], but: int = -1
) -> Hits:
    """Cast rays from a point at these groups of shapes, optionally without one body."""
    count = len(rays)
    geoms, distances, normals = np.full(count, -1, np.int32), np.zeros(count), np.zeros((count, 3))
    if count:
        call: Any = mujoco.mj_multiRay
        flat = np.ascontiguousarray(rays).ravel()
        call(model, data, eye, flat, groups, True, but, geoms, distances, normals.ravel(), count, 1e6)
    return geoms, distances, normals


def perspective(
    eye: NDArray[np.float64], towards: NDArray[np.float64], wide: float, width: int, height: int
) -> NDArray[np.float64]:
    """The rays of a picture's pixels; `wide` is the height of the view at a distance of 1."""
    forward = towards - eye
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    rows, columns = np.mgrid[0:height, 0:width]
    u = (columns + 0.5 - width / 2) / height * wide
    v = (height / 2 - rows - 0.5) / height * wide
    return np.ascontiguousarray(unit((forward + u[..., None] * right + v[..., None] * up).reshape(-1, 3)))


def blur(image: Image) -> Image:
    """Blur an image slightly, in each of its colours."""
    for axis in (0, 1):
        edged = np.pad(image, [(1, 1) if a == axis else (0, 0) for a in range(image.ndim)], mode="edge")
        image = (
            np.take(edged, range(image.shape[axis]), axis)
            + 2 * image
            + np.take(edged, range(2, edged.shape[axis]), axis)
        ) / 4
    return image


def unit(vectors: Image) -> Image:
    """Scale vectors to length 1."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))

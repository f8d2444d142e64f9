"""Pictures of table and arm by ray casting, which needs no window, no graphics driver and no system package."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinkaloud_worlds.franka.physics import Table
from thinkaloud_worlds.ray_casting import Image, blur, cast_rays, perspective, unit

_PERSON = np.array([1.80, -0.50, 1.12])
_TOWARDS = np.array([0.12, 0.0, 0.24])
_LAMP = np.array([1.2, -1.5, 2.6])
_HAZE = np.array([0.93, 0.935, 0.945])
_WIDE = 0.60  # the height of the view at a distance of 1
_ALL = np.array([1, 1, 1, 1, 1, 0], dtype=np.uint8)


def table_picture(table: Table, width: int, height: int) -> NDArray[np.uint8]:
    """The table and the arm, seen by a person standing opposite the arm."""
    data = table.posed()
    rays = _perspective(width, height)
    geoms, distances, normals = cast_rays(table.model, data, _PERSON, rays, _ALL)
    points = _PERSON + rays * distances[:, None]
    flat = np.isin(geoms, [table.model.geom(name).id for name in ("floor", "table")])
    colour = _coloured(table, geoms, points, normals, rays, flat)
    shape = (height, width)
    colour *= _shadow(table, data, points.reshape(*shape, 3), flat.reshape(shape)).reshape(-1, 1)
    return np.asarray(np.clip(colour.reshape(*shape, 3) * 255, 0, 255), dtype=np.uint8)


@lru_cache(maxsize=4)
def _perspective(width: int, height: int) -> NDArray[np.float64]:
    return perspective(_PERSON, _TOWARDS, _WIDE, width, height)


def _coloured(
    table: Table, geoms: NDArray[np.int32], points: Image, normals: Image, rays: Image, flat: NDArray[np.bool_]
) -> Image:
    """Shade with a lamp and ambient light, highlights on glossy surfaces, and haze in the distance."""
    hit = geoms >= 0
    colour = np.tile(_HAZE, (len(geoms), 1))
    normal, ray, point = normals[hit], rays[hit], points[hit]
    towards = unit(_LAMP - point)
    diffuse = np.clip(np.einsum("ij,ij->i", normal, towards), 0, 1)
    base = table.model.geom_rgba[geoms[hit], :3] * (0.42 + 0.14 * normal[:, 2] + 0.50 * diffuse)[:, None]
    shine = np.clip(np.einsum("ij,ij->i", normal, unit(towards - ray)), 0, 1)
    base += (0.16 * (shine**40) * ~flat[hit])[:, None]
    far = np.clip((np.hypot(point[:, 0], point[:, 1]) - 1.2) / 2.4, 0, 1)[:, None]
    colour[hit] = base * (1 - far) + _HAZE * far
    return colour


def _shadow(table: Table, data: Any, points: Image, flat: NDArray[np.bool_]) -> Image:
    """The brightness of table and floor. Shadows are cast at half the resolution and blurred, to soften them."""
    coarse, seen = points[::2, ::2], flat[::2, ::2]
    geoms, distances, _ = cast_rays(table.model, data, _LAMP, (coarse[seen] - _LAMP).reshape(-1, 3), _ALL)
    dark = np.zeros(seen.shape)
    dark[seen] = (geoms >= 0) & (distances < 0.997)
    soft = blur(dark) / np.maximum(blur(seen.astype(float)), 1e-6)
    full = np.repeat(np.repeat(soft, 2, axis=0), 2, axis=1)[: flat.shape[0], : flat.shape[1]]
    return np.where(flat, 1 - 0.34 * np.clip(blur(full), 0, 1), 1.0)

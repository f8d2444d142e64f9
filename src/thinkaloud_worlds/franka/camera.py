"""The robot's eyes, by ray casting: which things a camera sees. The arm and what it holds are left out.

Normally one camera looks across the table at a slant, so it misses things behind something tall or deep in a basket.
A rescan looks from all sides and from above.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from thinkaloud.worlds.geometry import Xyz
from thinkaloud_worlds.franka.box_geometry import ObjectBox
from thinkaloud_worlds.franka.layout import TABLE_X, TABLE_Y
from thinkaloud_worlds.franka.physics import Table

USUAL_VIEW: Xyz = (1.35, 0.0, 0.72)
ALL_VIEWS: tuple[Xyz, ...] = (USUAL_VIEW, (0.15, 1.3, 0.75), (0.15, -1.3, 0.75), (-1.0, 0.0, 0.85), (0.15, 0.0, 2.2))
_PIXELS = (150, 90)
_FALLEN = -0.05  # below this height, a thing has fallen off the table
_ENOUGH = 6  # a thing is seen if at least this many of its pixels are
_THING_GROUP = 0
_THINGS = np.array([1, 1, 0, 0, 0, 0], dtype=np.uint8)


def find_visible(table: Table, eyes: Sequence[Xyz] = (USUAL_VIEW,)) -> frozenset[str]:
    """The names of the things seen from these eyes, without what the hand holds."""
    data, found = table.posed(), set[str]()
    held = table.held
    exclude = table.bodies[held] if held else -1
    first = min(table.bodies.values())
    owner = {body: name for name, body in table.bodies.items()}
    for eye in eyes:
        geoms, _ = _cast(table, data, eye, _towards_things(table, data, eye), exclude)
        hit = geoms[geoms >= 0]
        roots = table.model.body_rootid[table.model.geom_bodyid[hit]]
        bodies, counts = np.unique(roots[roots >= first], return_counts=True)
        found |= {owner[int(body)] for body, count in zip(bodies, counts, strict=True) if count >= _ENOUGH}
    return frozenset(name for name in found if name != held and table.position(name)[2] > _FALLEN)


def is_box_empty(table: Table, box: ObjectBox, eyes: Sequence[Xyz] = (USUAL_VIEW,)) -> bool:
    """Whether a place is visibly empty: some camera looks right through it."""
    data, held = table.posed(), table.held
    exclude = table.bodies[held] if held else -1
    inside = [
        (box.x + a * box.length / 3, box.y + b * box.width / 3, box.z + c * box.height / 3)
        for a in (-1, 0, 1)
        for b in (-1, 0, 1)
        for c in (-1, 0, 1)
    ]
    for eye in eyes:
        rays = np.array(inside) - np.array(eye)
        distances = np.linalg.norm(rays, axis=1)
        _, found = _cast(table, data, eye, rays / distances[:, None], exclude)
        through = (found < 0) | (found >= distances - 0.004)
        if through.sum() * 2 > len(inside):
            return True
    return False


def _towards_things(table: Table, data: Any, eye: Xyz) -> NDArray[np.float64]:
    """The rays from an eye that pass through the sphere around a thing: no other can hit one."""
    model, rays = table.model, _rays(eye)
    shapes = np.flatnonzero(model.geom_group == _THING_GROUP)
    roots = model.body_rootid[model.geom_bodyid[shapes]]
    reaches = np.linalg.norm(data.geom_xpos[shapes] - data.xpos[roots], axis=1) + model.geom_rbound[shapes]
    near = np.zeros(len(rays), dtype=np.bool_)
    for body in table.bodies.values():
        towards, radius = data.xpos[body] - np.array(eye), float(reaches[roots == body].max())
        outline = max(float(towards @ towards) - radius**2, 0.0) ** 0.5  # how far along a ray that only just touches
        near |= rays @ towards >= outline
    return rays[near]


def _cast(
    table: Table, data: Any, eye: Xyz, rays: NDArray[np.float64], exclude: int
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    count = len(rays)
    geoms, distances = np.full(count, -1, np.int32), np.zeros(count)
    call: Any = mujoco.mj_multiRay
    flat = np.ascontiguousarray(rays).ravel()
    call(table.model, data, np.array(eye), flat, _THINGS, True, exclude, geoms, distances, None, count, 1e6)
    return geoms, distances


@lru_cache(maxsize=8)
def _rays(eye: Xyz) -> NDArray[np.float64]:
    """Directions from an eye to a grid of points on and above the table."""
    middle = np.array([sum(TABLE_X) / 2, sum(TABLE_Y) / 2, 0.08])
    forward = middle - np.array(eye)
    forward /= np.linalg.norm(forward)
    across = np.cross(forward, [0.0, 0.0, 1.0]) if abs(forward[2]) < 0.99 else np.array([0.0, 1.0, 0.0])
    across /= np.linalg.norm(across)
    up = np.cross(across, forward)
    corners = np.array([[x, y, z] for x in TABLE_X for y in TABLE_Y for z in (0.0, 0.3)]) - np.array(eye)
    deep = corners @ forward
    u, v = corners @ across / deep, corners @ up / deep
    wide, high = _PIXELS
    us, vs = np.meshgrid(np.linspace(u.min(), u.max(), wide), np.linspace(v.min(), v.max(), high))
    rays = forward + us.reshape(-1, 1) * across + vs.reshape(-1, 1) * up
    return np.ascontiguousarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))

"""Pictures of random tables by ray casting: patterns, a lamp with shadows, and a camera that errs.

The camera is as in `camera_pictures`, except that its light, grain, blur and depth vary from picture to picture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from thinkaloud.worlds.vision import Intrinsics, PixelBox, View
from thinkaloud_worlds.random_tables.draw import DrawnTable
from thinkaloud_worlds.random_tables.things import DrawnThing, Pattern
from thinkaloud_worlds.ray_casting import Image, cast_rays, unit
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.tabletop.layout import TABLE_TOP
from thinkaloud_worlds.varied_pictures import (
    GROUPS,
    cast_shadow,
    count_whole,
    draw_lamp,
    err_in_colour,
    err_in_depth,
    light_up,
)

_SALT = 0x11C7
NOTHING = -1


@dataclass(frozen=True, eq=False)
class TablePicture:
    """A view of a random table, and the truth: the number of the thing that each pixel shows, and whole outlines.

    `whole` is how many pixels each thing would have if nothing covered it.
    """

    view: View
    things: NDArray[np.int16]
    whole: tuple[int, ...]

    def box(self, number: int) -> PixelBox | None:
        """The box around what is visible of a thing; None if nothing is."""
        rows, columns = np.nonzero(self.things == number)
        if not len(rows):
            return None
        return int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())

    def visible(self, number: int) -> float:
        """The visible share of a thing, about."""
        return min(float((self.things == number).sum() / max(self.whole[number], 1)), 1.0)


def photograph_drawn(table: DrawnTable, width: int = 160, height: int = 120, *, whole: bool = True) -> TablePicture:
    """Take the picture of a random table. Without `whole`, what is covered is not worked out, which is faster."""
    rng = generator(table.seed, _SALT)
    model = mujoco.MjModel.from_xml_string(_mjcf(table, rng))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    eye, target = np.array(table.eye), np.array(table.target)
    rotation = _towards(target - eye, rng)
    focal = max(width, height) / table.wide
    camera = Intrinsics(focal, focal, (width - 1) / 2, (height - 1) / 2)
    rows, columns = np.mgrid[0:height, 0:width]
    directions = np.stack(
        [(columns - camera.cx) / focal, (rows - camera.cy) / focal, np.ones(rows.shape)], axis=-1
    ).reshape(-1, 3)
    rays = unit(directions) @ rotation.T
    geoms, distances, normals = cast_rays(model, data, eye, rays, GROUPS)
    hit = geoms >= 0
    bodies = np.where(hit, model.geom_bodyid[geoms], -1)
    first = 1  # the world's own body is 0; things come first after it
    things = np.where((bodies >= first) & (bodies < first + len(table.things)), bodies - first, NOTHING)
    points = eye + rays * distances[:, None]
    colour = _colours(table, model, data, geoms, things, points, normals, rng)
    lamp = draw_lamp(rng)
    far = np.array([*TABLE_TOP.centre, 0.0]) + lamp.direction * 3.0
    dark = cast_shadow(model, data, points, hit, (height, width), far) if lamp.shadow else np.zeros(len(rays))
    colour *= light_up(lamp, normals, rays, dark)
    colour[~hit] = rng.uniform(0.05, 0.9, 3)
    rgb = err_in_colour(colour.reshape(height, width, 3), rng)
    depth = err_in_depth(distances / np.linalg.norm(directions, axis=1), hit, normals, rays, rng).reshape(height, width)
    view = View(rgb, depth, camera, rotation, eye)
    counts = count_whole(model, data, range(first, first + len(table.things)), eye, rays) if whole else ()
    return TablePicture(view, things.astype(np.int16).reshape(height, width), counts)


def _towards(forward: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """The orientation of a camera that looks along a direction, turned a little around it."""
    forward = forward / np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    turn = rng.normal(0, 0.15)
    right, down = math.cos(turn) * right + math.sin(turn) * down, math.cos(turn) * down - math.sin(turn) * right
    return np.stack([right, down, forward], axis=1)


def _mjcf(table: DrawnTable, rng: np.random.Generator) -> str:
    things = "".join(thing.mjcf(number) for number, thing in enumerate(table.things))
    x, y = TABLE_TOP.centre
    more = 1.0 if rng.uniform() < 0.5 else rng.uniform(1.0, 2.0)
    half = 0.3 * more
    flat = "".join(
        f'<geom name="scrap{i}" type="box" size="{wide / 2} {deep / 2} 0.0006" pos="{sx} {sy} 0.0006" '
        f'rgba="{c[0] / 255} {c[1] / 255} {c[2] / 255} 1" quat="{math.cos(i)} 0 0 {math.sin(i)}"/>'
        for i, (sx, sy, wide, deep, c) in enumerate(table.scraps)
    )
    arms = "".join(
        f'<body><geom type="capsule" size="{thick}" fromto="{ax} {ay} {thick + 0.06} {ax} {ay + reach} {0.3 + reach}" '
        f'rgba="{g} {g} {g} 1"/></body>'
        for (ax, ay, reach, thick) in table.occluders
        for g in (float(rng.uniform(0.1, 0.95)),)
    )
    return (
        "<mujoco><worldbody>"
        f'<geom name="table" type="box" size="{half} {half} 0.02" pos="{x} {y} -0.02" rgba="0.5 0.5 0.5 1"/>'
        '<geom name="floor" type="plane" size="4 4 1" pos="0 0 -0.6" rgba="0.6 0.6 0.6 1"/>'
        f"{flat}{things}{arms}</worldbody></mujoco>"
    )


# Surfaces -------------------------------------------------------------------------------------------------------------


def _colours(
    table: DrawnTable,
    model: Any,
    data: Any,
    geoms: NDArray[np.int32],
    things: NDArray[np.int64],
    points: Image,
    normals: Image,
    rng: np.random.Generator,
) -> Image:
    colour = np.asarray(model.geom_rgba[geoms, :3], dtype=np.float64)
    for name in ("table", "floor"):
        own = geoms == model.geom(name).id
        colour[own] = _ground(points[own], rng, striped=table.style == "training")
    for number, thing in enumerate(table.things):
        own = things == number
        if own.any():
            frame = data.xmat[1 + number].reshape(3, 3)
            local, facing = (points[own] - data.xpos[1 + number]) @ frame, np.abs(normals[own] @ frame)
            colour[own] = paint_thing(thing, local, facing, rng)
    return colour


def paint_thing(thing: DrawnThing, at: Image, facing: Image, rng: np.random.Generator) -> Image:
    """The colours at points of a thing, in its own frame; `facing` is how far the surface faces along each axis."""
    share = _pattern(thing.pattern, at, facing, thing.across, rng)[:, None]
    colour = np.array(thing.rgb) / 255 * (1 - share) + np.array(thing.second) / 255 * share
    if thing.pattern == "speckled":
        colour *= rng.uniform(0.75, 1.2, (len(at), 1))
    return np.asarray(colour)


def _pattern(pattern: Pattern, at: Image, facing: Image, across: float, rng: np.random.Generator) -> Image:
    """The share of the second colour at points of a thing."""
    top = facing[:, 2] > 0.7
    side = facing[:, 0] > facing[:, 1]
    u = np.where(top, at[:, 0], np.where(side, at[:, 1], at[:, 0]))
    v = np.where(top, at[:, 1], at[:, 2])
    match pattern:
        case "striped":
            period, turn = max(across * rng.uniform(0.25, 0.45), 0.012), rng.uniform(0, math.pi)
            return np.asarray(np.sin(2 * math.pi * (u * math.cos(turn) + v * math.sin(turn)) / period) > 0.1, float)
        case "spotted":
            period = max(across * rng.uniform(0.25, 0.4), 0.014)
            off = np.hypot(u / period - np.round(u / period), v / period - np.round(v / period))
            return np.asarray(off < 0.3, float)
        case "checked":
            period = max(across * rng.uniform(0.2, 0.3), 0.01)
            return np.asarray((np.floor(u / period) + np.floor(v / period)) % 2, float)
        case "banded":
            low, high = sorted(rng.uniform(0, across, 2))
            return np.asarray((at[:, 2] > low) & (at[:, 2] < high), float)
        case _:
            return np.zeros(len(at))


def _ground(points: Image, rng: np.random.Generator, *, striped: bool) -> Image:
    """A table top or a floor: one colour, planks, tiles, cloth or stone, and perhaps stripes."""
    gray = rng.uniform(0.15, 0.95)
    base = np.clip(gray + rng.normal(0, 0.10 if rng.uniform() < 0.7 else 0.25, 3), 0.03, 1)
    other = np.clip(base + rng.normal(0, 0.12, 3), 0.02, 1)
    turn, scale = rng.uniform(0, math.pi), rng.uniform(0.01, 0.12)
    u = (points[:, 0] * math.cos(turn) + points[:, 1] * math.sin(turn)) / scale
    v = (points[:, 1] * math.cos(turn) - points[:, 0] * math.sin(turn)) / scale
    kind = rng.integers(7 if striped else 6)
    if kind <= 1:
        share: Any = np.zeros(len(points))
    elif kind == 2:
        share = 0.5 + 0.5 * np.sin(u + 1.5 * np.sin(0.35 * v) + 0.4 * np.sin(2.3 * u))
    elif kind == 3:
        share = (np.floor(u) + np.floor(v)) % 2
    elif kind == 4:
        share = np.maximum(np.sin(6 * u), np.sin(6 * v)) > 0.6
    elif kind == 6:
        share = np.floor(u) % 2
    else:
        share = np.clip(sum(np.sin(a * u + b * v + c) for a, b, c in rng.normal(0, 2.5, (5, 3))) / 5 + 0.5, 0, 1)
    strength = rng.uniform(0.2, 1.0)
    return np.asarray(base + (other - base) * (np.asarray(share, dtype=float) * strength)[:, None])

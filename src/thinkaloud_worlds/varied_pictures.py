"""What varies from picture to picture: the light and its shadows, and the errors of a camera that also measures depth.

Every function takes a generator, so that a picture is the same again from its seed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinkaloud_worlds.ray_casting import Image, blur, cast_rays, unit

GROUPS = np.array([1, 1, 0, 1, 1, 0], dtype=np.uint8)
"""The groups of shapes that cameras see."""
GRAZING = 0.12
"""A surface seen at an angle with a smaller cosine reflects too little to measure depth."""


@dataclass(frozen=True, eq=False)
class Lamp:
    """Where the light comes from, how bright it is there and elsewhere, its shadows, its colour, and highlights."""

    direction: NDArray[np.float64]
    ambient: float
    diffuse: float
    shadow: float
    tint: NDArray[np.float64]
    shine: float


def draw_lamp(rng: np.random.Generator) -> Lamp:
    """Draw a lamp; one in four casts no shadows."""
    turn, lean = rng.uniform(0, 2 * math.pi), rng.uniform(0.0, 0.75)
    direction = np.array([math.sin(lean) * math.cos(turn), math.sin(lean) * math.sin(turn), math.cos(lean)])
    ambient = rng.uniform(0.45, 0.75)
    diffuse = rng.uniform(0.9, 1.08) - ambient
    shadow = rng.uniform(0.4, 1.0) if rng.uniform() < 0.75 else 0.0
    return Lamp(direction, ambient, diffuse, shadow, 1 + rng.normal(0, 0.025, 3), rng.uniform(0, 0.35))


def light_up(lamp: Lamp, normals: Image, rays: Image, shadow: Image) -> Image:
    """How bright each pixel is in each colour: ambient light, a lamp, and the shadows of the lamp."""
    lit = np.clip(normals @ lamp.direction, 0, 1) * (1 - lamp.shadow * shadow)
    shine = np.clip(np.einsum("ij,ij->i", normals, unit(lamp.direction - rays)), 0, 1) ** 40 * lamp.shine
    return np.asarray((lamp.ambient + lamp.diffuse * lit + shine)[:, None] * lamp.tint)


def cast_shadow(
    model: Any,
    data: Any,
    points: Image,
    hit: NDArray[np.bool_],
    shape: tuple[int, int],
    lamp: NDArray[np.float64],
    groups: NDArray[np.uint8] = GROUPS,
) -> Image:
    """Where a lamp at a point does not reach: cast at half the resolution and blurred."""
    coarse, seen = points.reshape(*shape, 3)[::2, ::2], hit.reshape(shape)[::2, ::2]
    rays = coarse[seen] - lamp
    distances = np.linalg.norm(rays, axis=1)
    _, met, _ = cast_rays(model, data, lamp, unit(rays), groups)
    dark = np.zeros(seen.shape)
    dark[seen] = (met >= 0) & (met < distances - 0.004)
    full = np.repeat(np.repeat(blur(dark), 2, axis=0), 2, axis=1)[: shape[0], : shape[1]]
    return full.reshape(-1)


def err_in_colour(colour: Image, rng: np.random.Generator) -> NDArray[np.uint8]:
    """A picture with blur, grain and an exposure that are drawn, in levels of 255."""
    if rng.uniform() < 0.5:
        colour = colour + rng.uniform(0.3, 1.0) * (blur(colour) - colour)
    bright = rng.uniform(0.7, 1.1) if rng.uniform() < 0.5 else 1.0
    noisy = colour * bright * 255 + rng.normal(0, rng.choice([1.0, 2.0, 4.0, 10.0]), colour.shape)
    return np.asarray(np.clip(noisy, 0, 255), dtype=np.uint8)


def err_in_depth(
    along: Image, hit: NDArray[np.bool_], normals: Image, rays: Image, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Distances with noise, and holes where a surface is grazed or by chance."""
    facing = np.abs(np.einsum("ij,ij->i", normals, rays))
    holes = rng.choice([0.0, 0.0, 0.0, 0.03, 0.12])
    known = hit & (facing > GRAZING) & (rng.uniform(size=along.shape) >= holes)
    noise = rng.choice([0.0005, 0.001, 0.002, 0.004])
    return np.where(known, along + rng.normal(0, noise, along.shape), 0.0).astype(np.float32)


def count_whole(
    model: Any, data: Any, bodies: Sequence[int], eye: NDArray[np.float64], rays: NDArray[np.float64]
) -> tuple[int, ...]:
    """How many pixels each body would have alone in the picture: every fourth ray counts for four."""
    few, counts = np.ascontiguousarray(rays[::4]), list[int]()
    groups = model.geom_group.copy()
    for body in bodies:
        own = (model.geom_bodyid == body) & (groups <= 1)
        model.geom_group[:] = np.where(own, 3, 5)
        near = few[_come_near(few, eye, data.geom_xpos[own], model.geom_rbound[own])]
        geoms, _, _ = cast_rays(model, data, eye, near, np.array([0, 0, 0, 1, 0, 0], dtype=np.uint8))
        counts.append(int((geoms >= 0).sum()) * 4)
    model.geom_group[:] = groups
    return tuple(counts)


def _come_near(
    rays: NDArray[np.float64], eye: NDArray[np.float64], centres: NDArray[np.float64], bounds: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Which rays from a point come near any of these balls; one without a size may be anywhere."""
    if not len(centres):
        return np.zeros(len(rays), dtype=bool)
    towards = centres.mean(axis=0) - eye
    away = float(np.linalg.norm(towards))
    bound = float((np.linalg.norm(centres - eye - towards, axis=1) + bounds).max())
    if (bounds <= 0).any() or away <= bound:
        return np.ones(len(rays), dtype=bool)
    return np.asarray(rays @ (towards / away) > math.sqrt(1 - (bound / away) ** 2) - 1e-6)

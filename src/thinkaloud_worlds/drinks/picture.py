"""Pictures of the counter by ray casting, which needs no window, no graphics driver and no system package.

Glass is transparent: such pixels are cast twice, and show how full a cup or a bottle is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinkaloud_worlds.drinks.colours import colour_for
from thinkaloud_worlds.drinks.contents import Stock
from thinkaloud_worlds.drinks.layout import (
    CUP_FOOT,
    CUP_RIM,
    CUP_VOLUME,
    DRINK_CUP_HEIGHT,
    DRINK_CUP_WALL,
    ONSET,
    TUB_HEIGHT,
)
from thinkaloud_worlds.drinks.mjcf import GLASS, LAYERS, UNSEEN
from thinkaloud_worlds.drinks.physics import CounterPhysics
from thinkaloud_worlds.drinks.scene import FULL
from thinkaloud_worlds.ray_casting import Image, blur, cast_rays, perspective, unit

_PERSON = np.array([0.26, -2.05, 1.55])
_TOWARDS = np.array([-0.02, -0.36, 0.10])
_LAMP = np.array([-1.1, -1.5, 2.4])
_HAZE = np.array([0.93, 0.935, 0.945])
_WIDE = 0.61  # the height of the view at a distance of 1


@dataclass(frozen=True)
class PictureView:
    """A model, and the poses of its parts."""

    model: Any
    data: Any


_ALL = np.array([1, 1, 1, 1, 1, 0], dtype=np.uint8)
_SOLID = np.array([1, 1, 0, 1, 1, 0], dtype=np.uint8)
_FULLEST = {"bottle": 0.125, "jar": 0.088}
assert not _ALL[UNSEEN] and not _SOLID[GLASS]


def counter_picture(counter: CounterPhysics, stock: Stock, width: int, height: int) -> NDArray[np.uint8]:
    """The counter and the arm, as a customer sees them."""
    fill_levels(counter, stock)
    view = PictureView(counter.model, counter.posed())
    rays = _perspective(width, height)
    geoms, distances, normals = cast_rays(view.model, view.data, _PERSON, rays, _ALL)
    glassy = np.isin(counter.model.geom_group[geoms], (GLASS,)) & (geoms >= 0)
    front, at, facing = geoms[glassy], distances[glassy], normals[glassy]
    geoms[glassy], distances[glassy], normals[glassy] = cast_rays(view.model, view.data, _PERSON, rays[glassy], _SOLID)
    points = _PERSON + rays * distances[:, None]
    colour = _coloured(view, geoms, points, normals, rays)
    flat = np.isin(geoms, [counter.model.geom(name).id for name in ("floor", "counter", "wing")])
    shape = (height, width)
    colour *= _shadow(view, points.reshape(*shape, 3), flat.reshape(shape)).reshape(-1, 1)
    colour[glassy] = _glass(view, colour[glassy], front, rays[glassy], at, facing)
    return np.asarray(np.clip(colour.reshape(*shape, 3) * 255, 0, 255), dtype=np.uint8)


def fill_levels(counter: CounterPhysics, stock: Stock) -> None:
    """Set the drawn levels of cups, containers and ladles to the true ones."""
    model = counter.model
    model.geom_group[model.geom("stream").id] = UNSEEN
    for i, cup in enumerate(counter.cups):
        bottom = 2 * DRINK_CUP_WALL
        full = DRINK_CUP_HEIGHT - bottom - 0.004
        inside = [*stock.contents[cup][: LAYERS - 1], *_mixed(stock.contents[cup][LAYERS - 1 :])]
        for layer in range(LAYERS):
            geom = model.geom(f"layer{i}_{layer}").id
            model.geom_group[geom] = 0 if layer < len(inside) else UNSEEN
            if layer < len(inside):
                name, amount = inside[layer]
                high = max(full * amount / CUP_VOLUME, 0.002)
                middle = bottom + high / 2
                radius = CUP_FOOT + (CUP_RIM - CUP_FOOT) * middle / DRINK_CUP_HEIGHT - DRINK_CUP_WALL - 0.0005
                model.geom_size[geom, :2] = radius, high / 2
                model.geom_pos[geom, 2] = middle
                model.geom_rgba[geom, :3] = colour_for(name)
                bottom += high
    for name, thing in counter.things.items():
        if not thing.ingredient:
            continue
        if name == counter.held:
            _run(counter, stock, name)
        geom, part = model.geom(f"inside_{thing.body}").id, min(max(stock.left[name] / FULL, 0.03), 1.0)
        full = _FULLEST.get(thing.kind, TUB_HEIGHT - 0.02)
        model.geom_size[geom, 1] = full * part / 2
        model.geom_pos[geom, 2] = 0.004 + full * part / 2
        if thing.kind == "ladle":
            model.geom_group[model.geom(f"heap_{thing.body}").id] = 0 if stock.ladles.get(name, 0.0) > 1.0 else UNSEEN


def _run(counter: CounterPhysics, stock: Stock, name: str) -> None:
    """Draw the stream that runs out of a container."""
    model, thing = counter.model, counter.things[name]
    x, y, z = counter.lip(name)
    store = stock.ladles if thing.kind == "ladle" else stock.left
    if counter.upright(name) < math.cos(ONSET) and store.get(name, 0.0) > 0.01:
        geom = model.geom("stream").id
        model.geom_group[geom] = 0
        model.geom_size[geom, 1] = (z - 0.02) / 2
        model.geom_rgba[geom, :3] = colour_for(name)
        model.body_pos[model.body("stream").id] = x, y, (z + 0.02) / 2


def _mixed(rest: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Merge the ingredients that have no layer of their own into the last layer."""
    return [(rest[-1][0], sum(amount for _, amount in rest))] if rest else []


@lru_cache(maxsize=4)
def _perspective(width: int, height: int) -> NDArray[np.float64]:
    return perspective(_PERSON, _TOWARDS, _WIDE, width, height)


def _coloured(view: PictureView, geoms: NDArray[np.int32], points: Image, normals: Image, rays: Image) -> Image:
    """Shade with a lamp and ambient light, highlights on glossy surfaces, and haze in the distance."""
    hit = geoms >= 0
    colour = np.tile(_HAZE, (len(geoms), 1))
    normal, ray, point = normals[hit], rays[hit], points[hit]
    towards = unit(_LAMP - point)
    diffuse = np.clip(np.einsum("ij,ij->i", normal, towards), 0, 1)
    light = 0.42 + 0.14 * normal[:, 2] + 0.52 * diffuse
    base = view.model.geom_rgba[geoms[hit], :3] * light[:, None]
    shine = np.clip(np.einsum("ij,ij->i", normal, unit(towards - ray)), 0, 1)
    base += 0.14 * (shine**40)[:, None]
    far = np.clip((np.hypot(point[:, 0], point[:, 1]) - 1.3) / 2.4, 0, 1)[:, None]
    colour[hit] = base * (1 - far) + _HAZE * far
    return colour


def _glass(
    view: PictureView, behind: Image, geoms: NDArray[np.int32], rays: Image, distances: Image, normals: Image
) -> Image:
    """Tint what is behind glass. Edges seen at a flat angle are denser, and the glass reflects the lamp."""
    rgba = view.model.geom_rgba[geoms]
    facing = np.abs(np.einsum("ij,ij->i", normals, rays))
    dense = np.clip(rgba[:, 3] * (0.45 + 1.9 * (1 - facing) ** 2), 0, 0.85)[:, None]
    towards = unit(_LAMP - (_PERSON + rays * distances[:, None]))
    shine = np.clip(np.einsum("ij,ij->i", normals, unit(towards - rays)), 0, 1) ** 30
    shade = 0.62 + 0.30 * np.clip(np.einsum("ij,ij->i", normals, towards), 0, 1)
    return np.asarray(behind * (1 - dense) + rgba[:, :3] * shade[:, None] * dense + 0.5 * shine[:, None])


def _shadow(view: PictureView, points: Image, flat: NDArray[np.bool_]) -> Image:
    """The brightness of counter and floor. Shadows are cast at half the resolution and blurred, to soften them."""
    coarse, seen = points[::2, ::2], flat[::2, ::2]
    geoms, distances, _ = cast_rays(view.model, view.data, _LAMP, (coarse[seen] - _LAMP).reshape(-1, 3), _ALL)
    dark = np.zeros(seen.shape)
    lit = np.where(np.isin(view.model.geom_group[geoms], (GLASS,)), 0.45, 1.0)
    dark[seen] = ((geoms >= 0) & (distances < 0.997)) * lit
    soft = blur(dark) / np.maximum(blur(seen.astype(float)), 1e-6)
    full = np.repeat(np.repeat(soft, 2, axis=0), 2, axis=1)[: flat.shape[0], : flat.shape[1]]
    return np.where(flat, 1 - 0.34 * np.clip(blur(full), 0, 1), 1.0)

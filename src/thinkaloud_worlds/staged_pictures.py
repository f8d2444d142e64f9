"""Pictures of scenes that are built only to be looked at: a model from its text, a lamp, materials, a camera that errs.

Shapes that are named after a material (`top.3`) show it; others have one colour. Bodies `thing0`, `thing1`, … are the
things whose pixels are counted. Worlds without physics are seen in this way, and build nothing before somebody looks.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from thinkaloud.worlds.geometry import Xyz
from thinkaloud.worlds.vision import Intrinsics, View
from thinkaloud_worlds.kitchen.materials import Material, draw_materials
from thinkaloud_worlds.random_tables.pictures import NOTHING, TablePicture
from thinkaloud_worlds.ray_casting import Image, cast_rays, unit
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.varied_pictures import (
    GRAZING,
    GROUPS,
    Lamp,
    cast_shadow,
    count_whole,
    draw_lamp,
    err_in_colour,
    err_in_depth,
    light_up,
)

_SALT = 0xDEC0
WIDTH, HEIGHT, FOCAL = 320, 240, 285.0
_LAMP_HIGH = 1.4  # metres above what the robot looks at
_GRAIN, _DEPTH_NOISE = 2.0, 0.001
_WITHOUT_WALLS = np.array([1, 1, 0, 1, 0, 0], dtype=np.uint8)
_Paint = Callable[[int, Image, Image], Image | None]
"""From a thing's number, points and normals in its own frame to colours; None if its shapes have their own."""
_Frame = tuple[NDArray[np.float64], Xyz]
KEPT = 16
"""Pictures that are kept: the robot, people who watch, and judges look at the same scene, one after the other."""


@dataclass(frozen=True, eq=False)
class Decor:
    """What a room is made of, its lamp, and numbers that vary its clutter."""

    materials: dict[str, Material]
    lamp: Lamp
    clutter: tuple[float, ...]


def draw_decor(seed: int, *, kept_back: bool = False) -> Decor:
    """Draw what a room looks like from its seed."""
    rng = generator(seed, _SALT, kept_back)
    materials = draw_materials(rng, kept_back=kept_back)
    lamp = draw_lamp(rng)
    return Decor(materials, lamp, tuple(float(value) for value in rng.uniform(size=12)))


@dataclass(frozen=True)
class Shot:
    """How a picture is taken: at which place, from where and at what in its frame, and how large it is."""

    place: str
    eye: Xyz
    aim: Xyz
    width: int = WIDTH
    height: int = HEIGHT
    focal: float = FOCAL


def photograph_staged(
    mjcf: str,
    count: int,
    decor: Decor,
    shot: Shot,
    frame: _Frame,
    *,
    whole: bool = False,
    errors: np.random.Generator | None = None,
    paint: _Paint | None = None,
) -> TablePicture:
    """Take a picture of `count` things in the `frame` of a place, with the truth about it.

    The camera's errors are small and always the same, or drawn. Where they are not, a scene has one picture, and the
    latest ones are kept.
    """
    if errors is not None or paint is not None:
        return _take(mjcf, count, decor, shot, frame, whole, errors, paint)
    scene = (mjcf, count, decor, shot, frame[0].tobytes(), tuple(frame[1]))
    taken = _kept.pop(scene, None)
    if taken is None:
        taken = _take(mjcf, count, decor, shot, frame, True, None, None)
        for pixels in (taken.view.rgb, taken.view.depth, taken.things):
            pixels.flags.writeable = False  # others will see them
    _kept[scene] = taken  # the latest comes last
    if len(_kept) > KEPT:
        del _kept[next(iter(_kept))]
    return taken


_kept: dict[object, TablePicture] = {}


def forget_pictures() -> None:
    """Have every picture taken anew."""
    _kept.clear()


def _take(
    mjcf: str,
    count: int,
    decor: Decor,
    shot: Shot,
    frame: _Frame,
    whole: bool,
    errors: np.random.Generator | None,
    paint: _Paint | None,
) -> TablePicture:
    model = mujoco.MjModel.from_xml_string(mjcf)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    axes, origin = frame
    eye, rotation = np.array(shot.eye), _towards(np.array(shot.aim) - np.array(shot.eye))
    camera = Intrinsics(shot.focal, shot.focal, (shot.width - 1) / 2, (shot.height - 1) / 2)
    rows, columns = np.mgrid[0 : shot.height, 0 : shot.width]
    directions = np.stack(
        [(columns - camera.cx) / shot.focal, (rows - camera.cy) / shot.focal, np.ones(rows.shape)], axis=-1
    ).reshape(-1, 3)
    rays, start = unit(directions) @ (axes @ rotation).T, axes @ eye + origin
    geoms, distances, normals = cast_rays(model, data, start, rays, GROUPS)
    hit, points = geoms >= 0, start + rays * distances[:, None]
    bodies = [model.body(f"thing{number}").id for number in range(count)]
    numbers = np.full(model.nbody + 1, NOTHING, dtype=np.int16)
    numbers[bodies] = np.arange(len(bodies))
    owners = np.where(hit, numbers[model.geom_bodyid[geoms]], NOTHING)
    shape = (shot.height, shot.width)
    lamp = np.array(origin) + decor.lamp.direction * _LAMP_HIGH
    dark = (
        cast_shadow(model, data, points, hit, shape, lamp, _WITHOUT_WALLS) if decor.lamp.shadow else np.zeros(len(rays))
    )
    colour = _colours(decor, model, data, geoms, points, normals)
    for number in range(count if paint is not None else 0):
        own = owners == number
        if paint is not None and own.any():
            turn = data.xmat[bodies[number]].reshape(3, 3)
            at, facing = (points[own] - data.xpos[bodies[number]]) @ turn, np.abs(normals[own] @ turn)
            painted = paint(number, at, facing)
            if painted is not None:
                colour[own] = painted
    colour *= light_up(decor.lamp, normals, rays, dark)
    colour[~hit] = 0.3
    along = distances / np.linalg.norm(directions, axis=1)
    if errors is None:
        rgb, depth = _err_a_little(colour, along, hit, normals, rays)
    else:
        rgb = err_in_colour(colour.reshape(*shape, 3), errors)
        depth = err_in_depth(along, hit, normals, rays, errors)
    view = View(rgb.reshape(*shape, 3), depth.reshape(shape), camera, rotation, eye)
    counts = count_whole(model, data, bodies, start, rays) if whole else ()
    return TablePicture(view, owners.astype(np.int16).reshape(shape), counts)


def _towards(forward: NDArray[np.float64]) -> NDArray[np.float64]:
    """The orientation of a camera that looks along a direction, upright."""
    forward = forward / np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(forward, right), forward], axis=1)


def _colours(
    decor: Decor, model: mujoco.MjModel, data: mujoco.MjData, geoms: NDArray[np.int32], points: Image, normals: Image
) -> Image:
    """The colour of what each pixel shows: one colour for each shape, or the material that a shape is named after."""
    colour = np.asarray(model.geom_rgba[geoms, :3], dtype=np.float64)
    seen = np.unique(geoms)
    for geom in seen[seen >= 0]:
        material = decor.materials.get(model.geom(geom).name.partition(".")[0])
        if material is not None:
            own = geoms == geom
            turn = data.geom_xmat[geom].reshape(3, 3)
            at, facing = points[own] @ turn, np.abs(normals[own] @ turn)
            up, side = facing[:, 2] > 0.7, facing[:, 0] > facing[:, 1]
            u = np.where(up | ~side, at[:, 0], at[:, 1])
            colour[own] = material.colours(u, np.where(up, at[:, 1], at[:, 2]))
    return colour


def _err_a_little(
    colour: Image, along: Image, hit: NDArray[np.bool_], normals: Image, rays: Image
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Grain and noise that depend only on what is seen, and holes where a surface is grazed."""
    facing = np.abs(np.einsum("ij,ij->i", normals, rays))
    depth = np.where(hit & (facing > GRAZING), along, 0.0)
    rng = np.random.default_rng(zlib.crc32(depth.tobytes()))
    grainy = np.clip(colour * 255 + rng.normal(0, _GRAIN, colour.shape), 0, 255).astype(np.uint8)
    noisy = np.where(depth > 0, depth + rng.normal(0, _DEPTH_NOISE, depth.shape), 0.0)
    return grainy, noisy.astype(np.float32)

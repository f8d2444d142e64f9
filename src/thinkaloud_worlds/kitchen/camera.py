"""The kitchen's pictures: what the camera of the robot sees at the place where it stands, by ray casting.

The kitchen is built as MuJoCo bodies from its state, and not before somebody takes a picture of it.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

import mujoco
import numpy as np
from numpy.typing import NDArray

from thinkaloud.worlds.vision import Intrinsics, View
from thinkaloud_worlds.kitchen.arrangement import Lying
from thinkaloud_worlds.kitchen.furniture import PLACES, frame_of, kitchen_mjcf
from thinkaloud_worlds.kitchen.materials import Material, draw_materials
from thinkaloud_worlds.random_tables.draw import DrawnThing
from thinkaloud_worlds.random_tables.pictures import NOTHING, TablePicture, paint_thing
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
_HAND = (
    '<body pos="{x} {y} {z}" quat="0.924 0.383 0 0"><geom type="capsule" size="0.035" fromto="0 -0.32 -0.02 0 -0.08 0" '
    'rgba="0.25 0.26 0.28 1"/><geom type="box" size="0.05 0.02 0.025" pos="0 -0.07 0" rgba="0.55 0.56 0.58 1"/>'
    '<geom type="box" size="0.007 0.045 0.014" pos="{left} -0.02 0" rgba="0.16 0.17 0.18 1"/>'
    '<geom type="box" size="0.007 0.045 0.014" pos="{right} -0.02 0" rgba="0.16 0.17 0.18 1"/></body>'
)


@dataclass(frozen=True, eq=False)
class Decor:
    """What a kitchen is made of, its lamp, the number of the shade of each item, and numbers that vary its clutter."""

    materials: dict[str, Material]
    lamp: Lamp
    clutter: tuple[float, ...]


def draw_decor(seed: int, *, kept_back: bool = False) -> Decor:
    """Draw what a kitchen looks like from its seed."""
    rng = generator(seed, _SALT, kept_back)
    materials = draw_materials(rng, kept_back=kept_back)
    lamp = draw_lamp(rng)
    return Decor(materials, lamp, tuple(float(value) for value in rng.uniform(size=12)))


@dataclass(frozen=True, eq=False)
class Shot:
    """How a picture is taken: at which place, from where and at what in its frame, and how large it is."""

    place: str
    eye: tuple[float, float, float]
    aim: tuple[float, float, float]
    width: int = WIDTH
    height: int = HEIGHT
    focal: float = FOCAL


def usual_shot(place: str, off: tuple[float, float] = (0.0, 0.0)) -> Shot:
    """The picture that the robot takes at a place, or `off` it, in the place's frame."""
    spot = PLACES[place]
    (x, y, z), (ax, ay, az) = spot.eye, spot.aim
    return Shot(place, (x + off[0], y + off[1], z), (ax + off[0], ay + off[1], az))


class Painted(Protocol):
    """A thing that is painted as on random tables, if it was drawn so."""

    @property
    def lying(self) -> Lying:
        """Where it is."""
        ...

    @property
    def drawn(self) -> DrawnThing | None:
        """Its colours and its pattern."""
        ...

    @property
    def place(self) -> str:
        """The place in whose frame it is."""
        ...

    def mjcf(self, number: int) -> str:
        """Its body, named after its number."""
        ...


def photograph_kitchen(
    decor: Decor,
    things: Sequence[Lying | Painted],
    opened: Collection[str],
    shot: Shot,
    *,
    whole: bool = False,
    errors: np.random.Generator | None = None,
) -> TablePicture:
    """Take a picture, with the truth about it. The camera's errors are small and always the same, or drawn."""
    model = mujoco.MjModel.from_xml_string(_mjcf(decor, things, opened, shot))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    axes, origin = frame_of(shot.place)
    eye, rotation = np.array(shot.eye), _towards(np.array(shot.aim) - np.array(shot.eye))
    camera = Intrinsics(shot.focal, shot.focal, (shot.width - 1) / 2, (shot.height - 1) / 2)
    rows, columns = np.mgrid[0 : shot.height, 0 : shot.width]
    directions = np.stack(
        [(columns - camera.cx) / shot.focal, (rows - camera.cy) / shot.focal, np.ones(rows.shape)], axis=-1
    ).reshape(-1, 3)
    rays, start = unit(directions) @ (axes @ rotation).T, axes @ eye + origin
    geoms, distances, normals = cast_rays(model, data, start, rays, GROUPS)
    hit, points = geoms >= 0, start + rays * distances[:, None]
    bodies = [model.body(f"thing{number}").id for number in range(len(things))]
    numbers = np.full(model.nbody + 1, NOTHING, dtype=np.int16)
    numbers[bodies] = np.arange(len(bodies))
    owners = np.where(hit, numbers[model.geom_bodyid[geoms]], NOTHING)
    shape = (shot.height, shot.width)
    lamp = np.array(origin) + decor.lamp.direction * _LAMP_HIGH
    dark = (
        cast_shadow(model, data, points, hit, shape, lamp, _WITHOUT_WALLS) if decor.lamp.shadow else np.zeros(len(rays))
    )
    colour = _colours(decor, model, data, geoms, points, normals)
    for number, thing in enumerate(things):
        own = owners == number
        if not isinstance(thing, Lying) and thing.drawn is not None and errors is not None and own.any():
            turn = data.xmat[bodies[number]].reshape(3, 3)
            at, facing = (points[own] - data.xpos[bodies[number]]) @ turn, np.abs(normals[own] @ turn)
            colour[own] = paint_thing(thing.drawn, at, facing, errors)
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


def _mjcf(decor: Decor, things: Sequence[Lying | Painted], opened: Collection[str], shot: Shot) -> str:
    inside = dict[str, str]()
    for number, thing in enumerate(things):
        inside[thing.place] = inside.get(thing.place, "") + thing.mjcf(number)
        lying = thing if isinstance(thing, Lying) else thing.lying
        if lying.held:
            x, y, z = lying.middle()
            half = min(lying.form.across, 0.08) / 2 + 0.007
            inside[lying.place] += _HAND.format(x=x, y=y - lying.form.deep / 2, z=z, left=-half, right=half)
    return kitchen_mjcf(opened, inside, decor.clutter)


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

"""The shapes of things, as MJCF.

Shapes that are only seen collide with nothing, but are declared as if they could: ray casting misses shapes that MuJoCo
knows never collide. Shapes that only collide are in a group that the cameras leave out.
"""

from __future__ import annotations

import math

import mujoco
import numpy as np
from numpy.typing import NDArray

from thinkaloud.worlds.geometry import Xyz
from thinkaloud_worlds.tabletop.object_kinds import (
    BOWL_HEIGHT,
    BOX_HEIGHT,
    BOX_WALL,
    CUP_HEIGHT,
    CUP_TOP,
    CUP_WALL,
    FLOOR,
    PLATE_HEIGHT,
)
from thinkaloud_worlds.tabletop.scene import Thing

_SEEN = 'contype="2" conaffinity="0" mass="0" group="1"'
_FELT = 'group="5" rgba="0 0 0 1"'
_STICKERS = ("226 72 74", "237 201 72", "58 110 190", "245 245 242", "89 161 79", "242 142 43")


def body(index: int, thing: Thing, at: Xyz, fixed: bool) -> str:
    """A thing with its underside at a point; `fixed` things do not move."""
    turn = math.radians(thing.yaw) / 2
    red, green, blue = (value / 255 for value in thing.rgb)
    rgba = f'rgba="{red} {green} {blue} 1" group="1"'
    x, y, z = at[0], at[1], at[2] + thing.middle
    match thing.kind:
        case "block":
            half = thing.across / 2
            mass = thing.mass or 0.05 * (thing.across / 0.04) ** 3
            shape = f'<geom type="box" size="{half} {half} {half}" mass="{mass}" condim="4" {rgba}/>'
        case "box":
            half, mass = thing.across / 2, thing.mass or 0.12
            shape = f'<geom type="box" size="{half} {half} {thing.height / 2}" mass="{mass}" condim="4" {rgba}/>'
        case "cylinder":
            shape = _cylinder(thing.across / 2, thing.height / 2, thing.mass or 0.12, rgba)
        case "bowl":
            shape = _bowl(thing.across / 2, rgba)
        case "plate":
            shape = _plate(thing.across / 2, rgba)
        case "fruit":
            shape = _fruit(thing.across / 2, thing.height / 2, thing.mass or 0.03, rgba)
        case "bottle":
            shape = _bottle(thing.across / 2, thing.height, thing.mass or 0.04, rgba)
        case "cup":
            shape = _cup(thing.across / 2, thing.mass or 0.06, rgba)
        case "disinfector":
            shape = _box(thing.across / 2, rgba)
        case _:
            shape = _toy(thing, rgba)
    joint = "" if fixed else f'<freejoint name="free{index}"/>'
    return (
        f'<body name="thing{index}" pos="{x} {y} {z}" quat="{math.cos(turn)} 0 0 {math.sin(turn)}">'
        f"{joint}{shape}</body>"
    )


def _cup(radius: float, mass: float, rgba: str) -> str:
    """A cup upside down: eight walls under a flat top, on four feet, which saves most of the contacts."""
    inner, low, high = radius - CUP_WALL, 0.002, CUP_HEIGHT - CUP_TOP
    rgba = rgba.replace(' group="1"', "")
    parts = [
        f'<geom type="cylinder" size="{radius} {(high - 0.001) / 2}" pos="0 0 {(high + 0.001) / 2}" {_SEEN} {rgba}/>',
        f'<geom type="cylinder" size="{radius - 0.003} {CUP_TOP / 2}" pos="0 0 {high + CUP_TOP / 2}" {_SEEN} {rgba}/>',
        f'<geom type="cylinder" size="{radius + 0.002} 0.003" pos="0 0 0.003" {_SEEN} {rgba}/>',
        f'<geom type="box" size="{radius - 0.001} {radius - 0.001} {CUP_TOP / 2 - 0.0002}" '
        f'pos="0 0 {high + CUP_TOP / 2}" mass="{mass / 2}" {_FELT}/>',
    ]
    for end in (0.016, 0.042):  # the handle
        parts.append(f'<geom type="box" size="0.009 0.003 0.003" pos="{radius + 0.006} 0 {end}" {_SEEN} {rgba}/>')
    parts.append(f'<geom type="box" size="0.003 0.003 0.016" pos="{radius + 0.014} 0 0.029" {_SEEN} {rgba}/>')
    wide = radius * math.tan(math.pi / 8)
    for i in range(8):
        turn = i * math.pi / 4
        x, y = ((inner + CUP_WALL / 2) * side for side in (math.cos(turn), math.sin(turn)))
        parts.append(
            f'<geom type="box" size="{CUP_WALL / 2} {wide} {(high - low) / 2}" pos="{x} {y} {(high + low) / 2}" '
            f'quat="{math.cos(turn / 2)} 0 0 {math.sin(turn / 2)}" mass="{mass / 16}" {_FELT}/>'
        )
    foot = (radius - 0.003) / math.sqrt(2)
    for x, y in ((foot, foot), (-foot, foot), (foot, -foot), (-foot, -foot)):
        parts.append(f'<geom type="sphere" size="0.003" pos="{x} {y} 0.003" mass="0.001" {_FELT}/>')
    return "".join(parts)


def _plate(radius: float, rgba: str) -> str:
    """A flat disc with a low rim of twelve pieces."""
    plain, inner = rgba.replace(' group="1"', ""), radius / math.cos(math.pi / 12) / math.sqrt(2) * 0.97
    parts = [
        f'<geom type="box" size="{inner} {inner} 0.0025" pos="0 0 0.0025" mass="1.8" {rgba}/>',
        f'<geom type="cylinder" size="{radius * 0.985} 0.0025" pos="0 0 0.0025" {_SEEN} {plain}/>',
    ]
    wide, tall = radius * math.tan(math.pi / 12), (PLATE_HEIGHT - 0.001) / 2
    for i in range(12):
        turn = i * math.pi / 6
        x, y = ((radius - 0.003) * side for side in (math.cos(turn), math.sin(turn)))
        parts.append(
            f'<geom type="box" size="0.003 {wide} {tall}" pos="{x} {y} {tall + 0.001}" '
            f'quat="{math.cos(turn / 2)} 0 0 {math.sin(turn / 2)}" mass="0.03" {rgba}/>'
        )
    return "".join(parts)


def _fruit(radius: float, tall: float, mass: float, rgba: str) -> str:
    """A round fruit that soon stops rolling, as toys with a stem and dents do."""
    rolls = 'condim="6" friction="0.9 0.02 0.015"'
    return f'<geom type="ellipsoid" size="{radius} {radius} {tall}" mass="{mass}" {rolls} {rgba}/>'


def _bottle(radius: float, height: float, mass: float, rgba: str) -> str:
    """A body with a neck; it collides as an octagon of two boxes with a box on top, which stands still."""
    plain, body, neck = rgba.replace(' group="1"', ""), height * 0.8 / 2, height * 0.2 / 2
    low, high, narrow = body - height / 2, height / 2 - neck, radius * 0.65
    parts = [
        f'<geom type="cylinder" size="{radius} {body}" pos="0 0 {low}" {_SEEN} {plain}/>',
        f'<geom type="cylinder" size="{narrow} {neck}" pos="0 0 {high}" {_SEEN} {plain}/>',
        f'<geom type="box" size="{narrow * 0.85} {narrow * 0.85} {neck}" pos="0 0 {high}" mass="{mass / 20}" {_FELT}/>',
    ]
    half, turned = radius * 0.75, f'quat="{math.cos(math.pi / 8)} 0 0 {math.sin(math.pi / 8)}"'
    for turn in ("", turned):
        size = f"{half} {half} {body}"
        parts.append(f'<geom type="box" size="{size}" pos="0 0 {low}" mass="{mass / 2}" condim="4" {_FELT} {turn}/>')
    return "".join(parts)


def _box(half: float, rgba: str) -> str:
    """A wide, shallow box with four walls, open above."""
    wall, tall = BOX_WALL / 2, (BOX_HEIGHT - FLOOR) / 2
    parts = [f'<geom type="box" size="{half} {half} {FLOOR / 2}" pos="0 0 {FLOOR / 2}" mass="2.5" {rgba}/>']
    lamp = 'rgba="0.35 0.85 0.95 1"'
    for x, y, wide, deep in ((1, 0, wall, half), (-1, 0, wall, half), (0, 1, half, wall), (0, -1, half, wall)):
        at = f"{x * (half - wall)} {y * (half - wall)}"
        parts.append(f'<geom type="box" size="{wide} {deep} {tall}" pos="{at} {FLOOR + tall}" mass="0.1" {rgba}/>')
        strip = f"{wide * 0.6} {deep * 0.99} 0.0008"
        parts.append(f'<geom type="box" size="{strip}" pos="{at} {BOX_HEIGHT}" {_SEEN} {lamp}/>')
    return "".join(parts)


def _cylinder(radius: float, tall: float, mass: float, rgba: str) -> str:
    """A cylinder; it collides as a prism of eight sides, which stands still."""
    plain, wide = rgba.replace(' group="1"', ""), radius * math.tan(math.pi / 8)
    seen = f'<geom type="cylinder" size="{radius} {tall}" {_SEEN} {plain}/>'
    return seen + "".join(
        f'<geom type="box" size="{radius} {wide} {tall}" mass="{mass / 4}" condim="4" {_FELT} '
        f'quat="{math.cos(turn / 2)} 0 0 {math.sin(turn / 2)}"/>'
        for turn in (i * math.pi / 4 for i in range(4))
    )


def _toy(thing: Thing, rgba: str) -> str:
    """A box, or a cylinder that collides as a box: flat cylinders rock on MuJoCo's single contact."""
    form, mass = thing.form, thing.mass or 0.03
    half, tall, plain = form.across / 2, form.height / 2, rgba.replace(' group="1"', "")
    if form.shape == "box":
        return f'<geom type="box" size="{half} {half} {tall}" mass="{mass}" condim="4" {rgba}/>'
    if form.shape == "cube":
        return f'<geom type="box" size="{half} {half} {half}" mass="{mass}" condim="4" {_DARK}/>' + _stickers(half)
    core = half * 0.78
    felt = f'<geom type="box" size="{core} {core} {tall}" mass="{mass}" condim="4" {_FELT}/>'
    if form.shape == "cylinder":
        return felt + f'<geom type="cylinder" size="{half} {tall}" {_SEEN} {plain}/>'
    return (
        felt
        + f'<geom type="cylinder" size="{half} {tall * 0.96}" {_SEEN} rgba="0.17 0.17 0.19 1"/>'
        + f'<geom type="cylinder" size="{half * 0.62} {tall}" {_SEEN} {plain}/>'
        + f'<geom type="cylinder" size="{half * 0.2} {tall * 1.01}" {_SEEN} rgba="0.17 0.17 0.19 1"/>'
    )


_DARK = 'rgba="0.12 0.12 0.14 1" group="1"'


def _stickers(half: float) -> str:
    """Nine stickers on each of the five visible faces."""
    parts, step, flat = [], half * 2 / 3, 0.0004
    for face, (axis, sign) in enumerate(((2, 1), (0, 1), (0, -1), (1, 1), (1, -1))):
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                at, size = [i * step, j * step], [step * 0.42, step * 0.42]
                at.insert(axis, sign * half)
                size.insert(axis, flat)
                tint = _STICKERS[(face + 2 * (i + 1) + 3 * (j + 1) + i * j) % 6].split()
                colour = " ".join(str(int(value) / 255) for value in tint)
                where, large = (" ".join(map(str, values)) for values in (at, size))
                parts.append(f'<geom type="box" size="{large}" pos="{where}" {_SEEN} rgba="{colour} 1"/>')
    return "".join(parts)


def _bowl(rim: float, rgba: str) -> str:
    """Eight sloping walls around a floor; the walls begin above the table, which saves most of the contacts."""
    thick, low, high = 0.003, 0.004, BOWL_HEIGHT
    base = rim - 0.013
    slope = math.atan2(rim - base, high - low)
    floor = base / math.cos(math.pi / 8) / math.sqrt(2)
    parts = [
        f'<geom type="box" size="{floor} {floor} 0.0025" pos="0 0 0.0025" mass="1.6" {rgba}/>',
        f'<geom type="cylinder" size="{base + 0.002} 0.002" pos="0 0 0.0028" mass="0" '
        f'contype="0" conaffinity="0" {rgba}/>',
    ]
    middle, tall = (rim + base) / 2 - thick, math.hypot(rim - base, high - low) / 2
    wide = rim * math.tan(math.pi / 8)
    for i in range(8):
        turn = i * math.pi / 4
        spin, tip = _quat((0, 0, 1), turn), _quat((0, 1, 0), slope)
        quat = np.zeros(4)
        mujoco.mju_mulQuat(quat, spin, tip)
        x, y = middle * math.cos(turn), middle * math.sin(turn)
        parts.append(
            f'<geom type="box" size="{thick} {wide} {tall}" pos="{x} {y} {(low + high) / 2}" '
            f'quat="{" ".join(map(str, quat))}" mass="0.05" {rgba}/>'
        )
    return "".join(parts)


def _quat(axis: tuple[int, int, int], angle: float) -> NDArray[np.float64]:
    return np.array([math.cos(angle / 2), *(math.sin(angle / 2) * a for a in axis)])

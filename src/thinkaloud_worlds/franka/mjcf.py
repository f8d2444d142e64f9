"""The table, the things and the arm as MJCF.

Colliding shapes are simple and invisible (group 5). Visible shapes do not collide, and have bodies of their own:
MuJoCo's ray casting misses shapes that do not collide when they share a body with shapes that do. Things are in
group 0, the arm is in group 3, furniture is in group 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from thinkaloud.worlds.geometry import Shade
from thinkaloud_worlds.franka.catalogue import HOLLOW_FLOOR, WALL, FrankaKind, neck
from thinkaloud_worlds.franka.franka_arm import (
    A4,
    A7,
    D3,
    DAMPING,
    FLANGE,
    FRANKA_D1,
    FRANKA_D5,
    HIGHEST,
    LOWEST,
    STIFFNESS,
    TCP,
)
from thinkaloud_worlds.franka.layout import BASE, FRANKA_FLOOR_Z, OPENS, TABLE_X, TABLE_Y, THICKNESS
from thinkaloud_worlds.franka.scene import Placed
from thinkaloud_worlds.simulated_time import Profile, turned_mesh

_FIXED, THING_CONTACTS, _TOUCH, _LINK = (1, 0), (2, 7), (4, 1), (4, 0)
"""What collides with what: contype and conaffinity of fixed shapes, of things, of hand and fingers, of links."""
HELD_CONTACTS = (2, 3)  # contacts of the held thing: it collides with everything except the arm
_SEEN, _FURNITURE, _ARM, _UNSEEN = 0, 1, 3, 5
_PALM = 0.045  # from the point between the fingers up to the palm
_TIP = 0.008  # from there down to the tips of the fingers
_FINGER = 0.006  # half of a finger's thickness


def _colliding(bits: tuple[int, int]) -> str:
    """The contact bits as attributes."""
    return f'contype="{bits[0]}" conaffinity="{bits[1]}"'


def _seen(rgb: Shade, group: int = _SEEN) -> str:
    """The attributes of a shape that is seen but does not collide."""
    red, green, blue = rgb
    return f'contype="0" conaffinity="0" mass="0" group="{group}" rgba="{red:.3f} {green:.3f} {blue:.3f} 1"'


def mixed(rgb: Shade, other: Shade, share: float) -> Shade:
    """A colour between two."""
    a, b, c = (x * (1 - share) + y * share for x, y in zip(rgb, other, strict=True))
    return a, b, c


def darker(rgb: Shade) -> Shade:
    """The colour of caps, grips and rims."""
    return mixed(rgb, (0.08, 0.08, 0.1), 0.45)


def lid(kind: FrankaKind, rgb: Shade) -> Shade:
    """The colour of the top of a cylinder."""
    return mixed(rgb, (0.75, 0.76, 0.78), 0.8) if "can" in kind.name.split() else darker(rgb)


# Things ---------------------------------------------------------------------------------------------------------------


def thing(index: int, placed: Placed) -> str:
    """A movable thing; its origin is its centre."""
    rgb: Shade = (placed.rgb[0] / 255, placed.rgb[1] / 255, placed.rgb[2] / 255)
    hulls, looks = _hulls(placed), _looks(index, placed, rgb)
    total = sum(share for share, _ in hulls)
    bodies = "".join(
        f'<geom {geometry} mass="{placed.kind.mass * share / total:.4f}" priority="1" friction="0.4 0.01 0.0003" '
        f'group="{_UNSEEN}" {_colliding(THING_CONTACTS)}/>'
        for share, geometry in hulls
    )
    return f'<body name="thing{index}"><freejoint name="free{index}"/>{bodies}<body>{looks}</body></body>'


def _hulls(placed: Placed) -> list[tuple[float, str]]:
    """The colliding shapes, each with its share of the mass."""
    length, width, height = (side / 2 for side in placed.kind.size)
    match placed.kind.shape:
        case "cylinder" | "ball" | "plate":
            return [(1.0, f'type="cylinder" size="{length} {height}"')]
        case "bottle":
            body, thin = 0.68 * height, neck(placed.kind.size) / 2
            return [
                (4.0, f'type="cylinder" size="{length} {body}" pos="0 0 {body - height}"'),
                (1.0, f'type="cylinder" size="{thin} {height - body}" pos="0 0 {body}"'),
            ]
        case "bowl":
            inner = length - WALL
            ring = 2 * math.pi * length / 16
            walls = []
            for i in range(8):
                angle = math.pi * (i + 0.5) / 4
                at = (length - WALL / 2) * math.cos(math.pi / 8)
                walls.append(
                    (
                        0.5,
                        f'type="box" size="{WALL / 2} {ring} {height}" '
                        f'pos="{at * math.cos(angle)} {at * math.sin(angle)} 0" euler="0 0 {angle}"',
                    )
                )
            return [
                (6.0, f'type="cylinder" size="{inner} {HOLLOW_FLOOR / 2}" pos="0 0 {HOLLOW_FLOOR / 2 - height}"'),
                *walls,
            ]
        case "basket":
            sides = [(sign * (length - WALL / 2), 0.0, WALL / 2, width) for sign in (-1, 1)]
            sides += [(0.0, sign * (width - WALL / 2), length, WALL / 2) for sign in (-1, 1)]
            walls = [(0.5, f'type="box" size="{a} {b} {height}" pos="{x} {y} 0"') for x, y, a, b in sides]
            return [
                (6.0, f'type="box" size="{length} {width} {HOLLOW_FLOOR / 2}" pos="0 0 {HOLLOW_FLOOR / 2 - height}"'),
                *walls,
            ]
        case _:
            return [(1.0, f'type="box" size="{length} {width} {height}"')]


def _looks(index: int, placed: Placed, rgb: Shade) -> str:
    kind = placed.kind
    length, width, height = (side / 2 for side in kind.size)
    pale, dark = mixed(rgb, (1, 1, 1), 0.72), darker(rgb)
    match kind.shape:
        case "bottle":
            cap = neck(kind.size) / 2
            return (
                f'<geom type="mesh" mesh="look{index}" {_seen(rgb)}/>'
                f'<geom type="cylinder" size="{length + 0.0008} {height * 0.30}" pos="0 0 {-height * 0.36}" '
                f"{_seen(pale)}/>"
                f'<geom type="cylinder" size="{cap} {height * 0.09}" pos="0 0 {height * 0.91}" {_seen(dark)}/>'
            )
        case "ball":
            stalk = ""
            if "fruit" in kind.tags:
                stalk = (
                    f'<geom type="capsule" fromto="0 0 {height * 0.9} 0.003 0 {height * 1.12}" size="0.002" '
                    f"{_seen((0.35, 0.25, 0.15))}/>"
                )
            return f'<geom type="ellipsoid" size="{length} {width} {height}" {_seen(rgb)}/>{stalk}'
        case "cylinder" if is_vessel(kind):
            return f'<geom type="mesh" mesh="look{index}" {_seen(rgb)}/>' + _handle(kind.name, length, rgb)
        case "cylinder":
            rim = lid(kind, rgb)
            return (
                f'<geom type="cylinder" size="{length} {height * 0.94}" {_seen(rgb)}/>'
                f'<geom type="cylinder" size="{length * 0.97} {height}" {_seen(rim)}/>'
                f'<geom type="cylinder" size="{length + 0.0006} {height * 0.32}" {_seen(pale)}/>'
            )
        case "plate" | "bowl":
            return f'<geom type="mesh" mesh="look{index}" {_seen(rgb)}/>'
        case "tray":
            edges = [(sign * (length - 0.004), 0.0, 0.004, width) for sign in (-1, 1)]
            edges += [(0.0, sign * (width - 0.004), length, 0.004) for sign in (-1, 1)]
            ledge = "".join(
                f'<geom type="box" size="{a} {b} {height + 0.004}" pos="{x} {y} 0.004" {_seen(dark)}/>'
                for x, y, a, b in edges
            )
            return f'<geom type="box" size="{length} {width} {height}" {_seen(rgb)}/>{ledge}'
        case "basket":
            band = (
                f'<geom type="box" size="{length + 0.001} {width + 0.001} {height * 0.1}" pos="0 0 {-0.85 * height}" '
                f"{_seen(dark)}/>"
            )
            return "".join(f"<geom {geometry} {_seen(rgb)}/>" for _, geometry in _hulls(placed)) + band
        case _:
            return _box_look(kind.tags, length, width, height, rgb, pale, dark)


def is_vessel(kind: FrankaKind) -> bool:
    """Whether a cylinder is an open vessel."""
    return bool({"cup", "mug", "glass"} & {*kind.name.split()})


def _handle(name: str, radius: float, rgb: Shade) -> str:
    if name != "mug":
        return ""
    out = radius + 0.022
    ends = ((radius - 0.002, -0.022, out, -0.016), (out, -0.016, out, 0.016), (out, 0.016, radius - 0.002, 0.022))
    return "".join(
        f'<geom type="capsule" fromto="{a} 0 {b} {c} 0 {d}" size="0.004" {_seen(rgb)}/>' for a, b, c, d in ends
    )


def is_rod(length: float, width: float, height: float) -> bool:
    """Whether a thing is long and thin, given half of its sides; it is drawn as a rod with a grip."""
    return max(length, width) > 2.6 * height and min(length, width) < 0.026


def _box_look(
    tags: Sequence[str], length: float, width: float, height: float, rgb: Shade, pale: Shade, dark: Shade
) -> str:
    if is_rod(length, width, height):
        thin = min(length, width, height)
        return (
            f'<geom type="capsule" fromto="0 {0.1 * width} 0 0 {width - thin * 0.5} 0" size="{thin * 0.5}" '
            f"{_seen(dark)}/>"
            f'<geom type="capsule" fromto="0 {thin - width} 0 0 {0.2 * width} 0" size="{thin}" {_seen(rgb)}/>'
        )
    look = f'<geom type="box" size="{length} {width} {height}" {_seen(rgb)}/>'
    if {"food", "drink"} & {*tags} and height > 0.03:
        look += (
            f'<geom type="box" size="{length + 0.0006} {width * 0.78} {height * 0.34}" pos="0 0 {height * 0.2}" '
            f"{_seen(pale)}/>"
            f'<geom type="box" size="{length + 0.0005} {width + 0.0005} {height * 0.07}" pos="0 0 {-height * 0.72}" '
            f"{_seen(dark)}/>"
        )
    elif "cleaning" in tags:
        look += (
            f'<geom type="box" size="{length + 0.0005} {width + 0.0005} {height * 0.28}" pos="0 0 {-height * 0.72}" '
            f"{_seen(dark)}/>"
        )
    return look


def thing_meshes(things: Sequence[Placed]) -> str:
    """The meshes of the visible surfaces of revolution."""
    return "".join(
        turned_mesh(f"look{i}", profile) for i, each in enumerate(things) if (profile := _profile(each)) is not None
    )


def _profile(placed: Placed) -> Profile | None:
    kind = placed.kind
    radius, half = kind.size[0] / 2, kind.size[2] / 2
    match kind.shape:
        case "bottle":
            thin = neck(kind.size) / 2 - 0.001
            return [
                (0.001, -half),
                (radius * 0.93, -half),
                (radius, -half * 0.96),
                (radius, half * 0.22),
                (radius * 0.9, half * 0.36),
                (thin * 1.15, half * 0.60),
                (thin, half * 0.66),
                (thin, half * 0.98),
                (0.001, half * 0.98),
            ]
        case "plate":
            return [
                (0.001, -half),
                (radius * 0.6, -half),
                (radius, half),
                (radius * 0.97, half),
                (radius * 0.68, half * 0.5),
                (0.001, half * 0.5),
            ]
        case "bowl":
            low = HOLLOW_FLOOR - half
            return [
                (0.001, -half),
                (radius * 0.62, -half),
                (radius * 0.9, -half * 0.2),
                (radius, half),
                (radius - 0.005, half),
                (radius * 0.84, -half * 0.15),
                (radius * 0.6, low),
                (0.001, low),
            ]
        case "cylinder" if is_vessel(kind):
            wall = 0.003
            return [
                (0.001, -half),
                (radius * 0.9, -half),
                (radius, half),
                (radius - wall, half),
                (radius * 0.9 - wall, wall * 2 - half),
                (0.001, wall * 2 - half),
            ]
        case _:
            return None


# Furniture and arm ----------------------------------------------------------------------------------------------------


def franka_furniture() -> str:
    """The floor and the table, with a mat where the arm stands."""
    (left, right), (low, high) = TABLE_X, TABLE_Y
    x, y, half = (left + right) / 2, (low + high) / 2, THICKNESS / 2
    wide, deep = (right - left) / 2, (high - low) / 2
    under = (-FRANKA_FLOOR_Z - THICKNESS) / 2
    legs = "".join(
        f'<geom type="box" size="0.025 0.025 {under}" pos="{x + a * (wide - 0.04)} {y + b * (deep - 0.04)} '
        f'{FRANKA_FLOOR_Z + under}" {_seen((0.45, 0.40, 0.35), _FURNITURE)}/>'
        for a in (-1, 1)
        for b in (-1, 1)
    )
    return (
        f'<geom name="floor" type="plane" size="5 5 0.1" pos="0 0 {FRANKA_FLOOR_Z}" group="{_FURNITURE}" '
        f'rgba="0.78 0.79 0.80 1" {_colliding(_FIXED)}/>'
        f'<geom name="table" type="box" size="{wide} {deep} {half}" pos="{x} {y} {-half}" group="{_FURNITURE}" '
        f'rgba="0.80 0.71 0.58 1" {_colliding(_FIXED)}/>'
        f'<body name="mount"><geom name="base" type="cylinder" size="{BASE} 0.06" pos="0 0 0.06" mass="1" '
        f'group="{_UNSEEN}" {_colliding(_FIXED)}/></body><body name="legs">{legs}</body>'
    )


def arm() -> str:
    """The arm as MJCF: the frames are those of its Denavit-Hartenberg parameters."""
    white, dark, grey = (0.93, 0.94, 0.95), (0.20, 0.21, 0.23), (0.62, 0.64, 0.67)

    def rod(start: str, end: str, radius: float, rgb: Shade = white) -> str:
        return f'<geom type="capsule" fromto="{start} {end}" size="{radius}" {_seen(rgb, _ARM)}/>'

    def disc(start: str, end: str, radius: float, rgb: Shade = dark) -> str:
        return f'<geom type="cylinder" fromto="{start} {end}" size="{radius}" {_seen(rgb, _ARM)}/>'

    def feels(start: str, end: str, radius: float) -> str:
        inside = f'mass="0" group="{_UNSEEN}" {_colliding(_LINK)}'
        return f'<geom type="capsule" fromto="{start} {end}" size="{radius}" {inside}/>'

    def joint(number: int, mass: float, at: str = "0 0 0") -> str:
        low, high, inertia = LOWEST[number - 1], HIGHEST[number - 1], 0.012 * mass
        return (
            f'<inertial mass="{mass}" pos="{at}" diaginertia="{inertia} {inertia} {inertia}"/>'
            f'<joint name="joint{number}" axis="0 0 1" range="{low} {high}" armature="0.1"/>'
        )

    back, forth = 'quat="1 -1 0 0" gravcomp="1"', 'quat="1 1 0 0" gravcomp="1"'
    return f"""
    <body name="foot">
      {disc("0 0 0", "0 0 0.02", BASE, grey)}{rod("0 0 0.05", "0 0 0.14", 0.075)}{rod("-0.07 0 0.04", "0 0 0.04", 0.06)}
      <body name="link1" pos="0 0 {FRANKA_D1}" gravcomp="1">{joint(1, 3.0)}
        {rod("0 0 -0.18", "0 0 -0.03", 0.062)}{rod("0 -0.06 0", "0 0.06 0", 0.060)}
        {disc("0 0.085 0", "0 0.125 0", 0.055)}{disc("0 -0.085 0", "0 -0.125 0", 0.055)}
        <body name="link2" {back}>{joint(2, 3.2, "0 -0.05 0")}
          {rod("0 0 0", f"0 {-D3 * 0.55} 0", 0.062)}{disc("0 -0.20 0", "0 -0.215 0", 0.063)}
          <body name="link3" pos="0 {-D3} 0" {forth}>{joint(3, 3.0, "0.04 0 -0.05")}
            {rod("0 0 -0.09", "0 0 -0.03", 0.060)}{rod("0 0 -0.01", f"{A4} 0 0", 0.052)}
            <body name="link4" pos="{A4} 0 0" {forth}>{joint(4, 2.6, "-0.04 0.05 0")}
              {rod("0 0 -0.05", "0 0 0.05", 0.052)}{disc("0 0 0.075", "0 0 0.105", 0.046)}
              {disc("0 0 -0.075", "0 0 -0.105", 0.046)}{rod("0 0 0", f"{-A4} 0.07 0", 0.050)}
              <body name="link5" pos="{-A4} {FRANKA_D5} 0" {back}>{joint(5, 2.4, "0 0 -0.15")}
                {rod("0 0 -0.30", "0 0 -0.20", 0.054)}{rod("0 0.04 -0.20", "0 0.05 -0.03", 0.042)}
                {rod("0 0 -0.22", "0 0.02 -0.06", 0.040)}{disc("0 0 -0.222", "0 0 -0.236", 0.0555)}
                <body name="feels5">{feels("0 0 -0.26", "0 0.02 -0.04", 0.052)}</body>
                <body name="link6" {forth}>{joint(6, 1.4, "0.04 0 0")}
                  {rod("0 0 -0.04", "0 0 0.04", 0.048)}{rod("0 0 0", f"{A7} 0 0", 0.042)}
                  {disc("0 0 0.06", "0 0 0.088", 0.042)}
                  <body name="feels6">{feels("0 0 -0.04", "0 0 0.04", 0.048)}{feels("0 0 0", f"{A7} 0 0", 0.044)}</body>
                  <body name="link7" pos="{A7} 0 0" {forth}>{joint(7, 0.9, "0 0 0.06")}
                    {rod("0 0 -0.03", "0 0 0.05", 0.044)}{disc("0 0 0.06", f"0 0 {FLANGE}", 0.040, grey)}
                    {_hand(dark, white, grey)}
                  </body>
                </body>
              </body>
            </body>
          </body>
        </body>
      </body>
    </body>"""


def _hand(dark: Shade, white: Shade, grey: Shade) -> str:
    """The hand: its y axis is the one along which the fingers slide."""
    palm = TCP - _PALM
    touch = f'group="{_UNSEEN}" {_colliding(_TOUCH)}'
    long = (_PALM + _TIP) / 2
    middle = palm + long

    def finger(name: str, sign: int) -> str:
        return (
            f'<body name="{name}" pos="0 {sign * _FINGER} {middle}" gravcomp="1">'
            f'<joint name="{name}" type="slide" axis="0 {sign} 0" range="0 {OPENS / 2}" armature="0.02"/>'
            f'<geom name="{name}" type="box" size="0.010 {_FINGER} {long}" mass="0.06" {touch}/>'
            f'<body><geom type="box" size="0.010 {_FINGER} {long * 0.7}" pos="0 0 {long * 0.3}" {_seen(grey, _ARM)}/>'
            f'<geom type="box" size="0.0104 0.002 {long * 0.35}" pos="0 {-sign * (_FINGER - 0.0018)} {long * 0.64}" '
            f"{_seen((0.1, 0.1, 0.11), _ARM)}/>"
            f'<geom type="box" size="0.011 0.011 {long * 0.4}" pos="0 {sign * 0.006} {-long * 0.6}" '
            f"{_seen(dark, _ARM)}/>"
            "</body></body>"
        )

    return (
        f'<body name="hand" pos="0 0 {FLANGE}" euler="0 0 {-math.pi / 4}" gravcomp="1">'
        f'<geom name="palm" type="box" size="0.030 0.098 {palm / 2}" pos="0 0 {palm / 2}" mass="0.6" {touch}/>'
        f'<body><geom type="box" size="0.028 0.092 {palm * 0.38}" pos="0 0 {palm * 0.62}" {_seen(white, _ARM)}/>'
        f'<geom type="capsule" fromto="0 -0.07 {palm * 0.5} 0 0.07 {palm * 0.5}" size="0.030" {_seen(white, _ARM)}/>'
        f'<geom type="box" size="0.015 0.085 0.002" pos="0 0 {palm + 0.001}" {_seen(dark, _ARM)}/></body>'
        f"{finger('left', -1)}{finger('right', 1)}</body>"
    )


def franka_actuators() -> str:
    """One position servo per joint and finger. The arm's have no force limit, because clipped damping chatters."""
    joints = "".join(
        f'<position joint="joint{i + 1}" kp="{kp}" kv="{kv}"/>'
        for i, (kp, kv) in enumerate(zip(STIFFNESS, DAMPING, strict=True))
    )
    fingers = "".join(f'<position joint="{name}" kp="600" kv="30" forcerange="-12 12"/>' for name in ("left", "right"))
    return joints + fingers

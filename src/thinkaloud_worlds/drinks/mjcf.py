"""The counter as MJCF: what stands on it, and the hand.

Colliding shapes are simple and invisible (group 5). Visible shapes do not collide, and have bodies of their own:
MuJoCo's ray casting misses shapes that do not collide when they share a body with shapes that do. Glass is group 2.
Fingers and palm collide with things; things collide with each other and with fixed shapes; fingers do not collide with
fixed shapes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.drinks.inverse_kinematics import PALM
from thinkaloud_worlds.drinks.layout import (
    BIN,
    BIN_FLOOR,
    BIN_HALF,
    BIN_TOP,
    COUNTER_FLOOR_Z,
    COUNTER_X,
    COUNTER_Y,
    CUP_FOOT,
    CUP_RIM,
    DRINK_CUP_HEIGHT,
    DRINK_CUP_WALL,
    FORMS,
    SHELF,
    SHELF_DEEP,
    TUB_HEIGHT,
    TUB_RADIUS,
    WING_X,
    WING_Y,
    WORK,
    VesselForm,
)
from thinkaloud_worlds.simulated_time import turned_mesh

OPEN_FINGERS, _FINGER = 0.075, 0.006  # from the middle to a finger when the hand is open; half of a finger's thickness
THING, _FIXED, _TOUCH = (2, 7), (1, 0), (4, 0)
"""What collides with what: contype and conaffinity of things, of fixed shapes, and of fingers and palm."""
NESTED_BITS = (0, 4)  # a cup in the stack collides only with the fingers
LAYERS = 4  # how many layers of different colour a cup can show
UNSEEN, GLASS = 5, 2

Rgba = tuple[float, float, float, float]


def _colliding(bits: tuple[int, int]) -> str:
    """The contact bits as attributes."""
    return f'contype="{bits[0]}" conaffinity="{bits[1]}"'


def _seen(rgba: Rgba, group: int = 0) -> str:
    """The attributes of a shape that is seen but does not collide."""
    colour = " ".join(f"{value:.3f}" for value in rgba)
    return f'contype="0" conaffinity="0" mass="0" group="{group}" rgba="{colour}"'


def counter_meshes() -> str:
    """The surfaces of revolution: cup, bottle, jar, tub and bowl of a ladle."""
    inner = DRINK_CUP_WALL
    cup = [(0.001, 0.0), (CUP_FOOT, 0.0), (CUP_RIM, DRINK_CUP_HEIGHT), (CUP_RIM - inner, DRINK_CUP_HEIGHT)]
    cup += [(CUP_FOOT - inner, 2 * inner), (0.001, 2 * inner)]
    bottle = [(0.001, 0.0), (0.032, 0.0), (0.035, 0.004), (0.035, 0.125), (0.031, 0.142), (0.016, 0.162)]
    bottle += [(0.013, 0.170), (0.013, 0.186), (0.0155, 0.187), (0.0155, 0.2), (0.011, 0.2), (0.001, 0.19)]
    jar = [(0.001, 0.0), (0.032, 0.0), (0.035, 0.004), (0.035, 0.092), (0.031, 0.1), (0.031, 0.11), (0.028, 0.11)]
    jar += [(0.028, 0.098), (0.001, 0.0975)]
    r, h = TUB_RADIUS, TUB_HEIGHT
    tub = [(0.001, 0.0), (r - 0.006, 0.0), (r, h), (r - 0.003, h), (r - 0.009, 0.004), (0.001, 0.004)]
    bowl = [(0.001, 0.0), (0.014, 0.004), (0.022, 0.014), (0.024, 0.026), (0.022, 0.026), (0.02, 0.015), (0.001, 0.005)]
    profiles = {"cup": cup, "bottle": bottle, "jar": jar, "tub": tub, "bowl": bowl}
    return "".join(turned_mesh(name, profile) for name, profile in profiles.items())


def cup(index: int, glass: Rgba) -> str:
    """A cup with room for layers of colour."""
    half = DRINK_CUP_HEIGHT / 2 - 0.004
    layers = "".join(
        f'<geom name="layer{index}_{i}" type="cylinder" size="{CUP_RIM} {half}" pos="0 0 {DRINK_CUP_HEIGHT / 2}" '
        f"{_seen((1, 1, 1, 1), UNSEEN)}/>"
        for i in range(LAYERS)
    )
    look = f'<geom type="mesh" mesh="cup" {_seen(glass, GLASS)}/>'
    return _free(f"cup{index}", FORMS["cup"], f"<body>{look}</body><body>{layers}</body>")


def container(name: str, kind: str, rgba: Rgba) -> str:
    """A bottle or jar, with its contents."""
    form = FORMS[kind]
    full = 0.125 if kind == "bottle" else 0.088
    inside = (
        f'<geom name="inside_{name}" type="cylinder" size="{form.radius - 0.003} {full / 2}" '
        f'pos="0 0 {full / 2 + 0.004}" {_seen(rgba)}/>'
    )
    glass: Rgba = (0.88, 0.94, 0.97, 0.22) if kind == "bottle" else (0.93, 0.95, 0.95, 0.25)
    look = f'<geom type="mesh" mesh="{kind}" {_seen(glass, GLASS)}/>'
    band = f'<geom type="cylinder" size="{form.radius + 0.0006} 0.014" pos="0 0 0.034" {_seen((0.96, 0.94, 0.88, 1))}/>'
    return _free(name, form, f"<body>{look}</body><body>{inside}{band}</body>")


def ladle(name: str, rgba: Rgba) -> str:
    """A ladle with an upright handle, and a heap that shows when there is something in it."""
    form, steel = FORMS["ladle"], _seen((0.72, 0.74, 0.77, 1))
    rod = f'<geom type="capsule" fromto="-0.022 0 0.026 -0.004 0 0.07" size="0.0035" {steel}/>'
    rod += f'<geom type="capsule" fromto="-0.004 0 0.07 0 0 {form.height - 0.06}" size="0.0035" {steel}/>'
    rod += (
        f'<geom type="capsule" fromto="0 0 {form.height - 0.06} 0 0 {form.height - 0.01}" size="0.009" '
        f"{_seen((0.24, 0.25, 0.28, 1))}/>"
    )
    heap = f'<geom name="heap_{name}" type="ellipsoid" size="0.021 0.021 0.012" pos="0 0 0.024" {_seen(rgba, UNSEEN)}/>'
    return _free(name, form, f'<body><geom type="mesh" mesh="bowl" {steel}/>{rod}{heap}</body>')


def stirrer() -> str:
    """A rod to stir with."""
    form, wood = FORMS["stirrer"], _seen((0.62, 0.45, 0.29, 1))
    rod = f'<geom type="capsule" fromto="0 0 0.005 0 0 0.17" size="0.004" {wood}/>'
    top = f'fromto="0 0 0.17 0 0 {form.height - 0.009}" size="0.009"'
    rod += f'<geom type="capsule" {top} {_seen((0.24, 0.25, 0.28, 1))}/>'
    return _free("stirrer", form, f"<body>{rod}</body>")


def _free(name: str, form: VesselForm, look: str) -> str:
    half = form.height / 2
    return (
        f'<body name="{name}"><freejoint name="free_{name}"/>'
        f'<geom name="hull_{name}" type="cylinder" size="{form.radius} {half}" pos="0 0 {half}" mass="{form.mass}" '
        f'priority="1" friction="0.3 0.01 0.0003" group="{UNSEEN}" {_colliding(THING)}/>'
        f"{look}</body>"
    )


def tub(name: str, at: Xy, rgba: Rgba) -> str:
    """An open tub, part of the shelf, with its contents."""
    pale: Rgba = (0.93, 0.92, 0.88, 1)
    return (
        f'<body pos="{at[0]} {at[1]} {SHELF}" name="tub_{name}"><geom type="mesh" mesh="tub" {_seen(pale)}/>'
        f'<geom name="inside_{name}" type="cylinder" size="{TUB_RADIUS - 0.005} 0.024" pos="0 0 0.03" {_seen(rgba)}/>'
        "</body>"
    )


def holder(at: Xy) -> str:
    """The holder of the stirrer."""
    return (
        f'<body name="holder" pos="{at[0]} {at[1]} {SHELF}">'
        f'<geom type="mesh" mesh="tub" {_seen((0.42, 0.47, 0.5, 1))}/>'
        f'<geom type="cylinder" size="{TUB_RADIUS - 0.005} 0.02" pos="0 0 0.022" {_seen((0.3, 0.33, 0.36, 1))}/></body>'
    )


def stream() -> str:
    """The stream that runs out of a container."""
    look = _seen((1, 1, 1, 1), UNSEEN)
    return f'<body name="stream"><geom name="stream" type="cylinder" size="0.0035 0.3" {look}/></body>'


def counter_furniture(places: Sequence[Xy]) -> str:
    """The floor, the counter, the shelf and the bin."""
    (left, right), (front, back) = COUNTER_X, COUNTER_Y
    x, y, thick = (left + right) / 2, (front + back) / 2, 0.02
    solid, wood = _colliding(_FIXED), "0.80 0.71 0.58 1"
    deep = -COUNTER_FLOOR_Z - 2 * thick
    parts = [
        f'<geom name="floor" type="plane" size="4 4 0.1" pos="0 0 {COUNTER_FLOOR_Z}" rgba="0.78 0.79 0.80 1" {solid}/>',
        f'<geom name="counter" type="box" size="{(right - left) / 2} {(back - front) / 2} {thick}" '
        f'pos="{x} {y} {-thick}" rgba="{wood}" {solid}/>',
        f'<geom type="box" size="{(right - left) / 2 - 0.05} {(back - front) / 2 - 0.05} {deep / 2}" '
        f'pos="{x} {y} {(COUNTER_FLOOR_Z - 2 * thick) / 2}" {_seen((0.62, 0.66, 0.68, 1), 4)}/>',
        f'<geom type="cylinder" size="0.055 0.001" pos="{WORK[0]} {WORK[1]} 0.001" {_seen((0.86, 0.80, 0.70, 1))}/>',
        f'<geom name="wing" type="box" size="{(WING_X[1] - WING_X[0]) / 2} {(WING_Y[1] - WING_Y[0]) / 2} {thick}" '
        f'pos="{sum(WING_X) / 2} {sum(WING_Y) / 2} {-thick}" rgba="{wood}" {solid}/>',
    ]
    for px, py in places:
        turn = math.atan2(py, px)
        parts.append(
            f'<geom type="box" size="{SHELF_DEEP} 0.066 0.008" pos="{px} {py} {SHELF - 0.008}" euler="0 0 {turn}" '
            f'rgba="0.55 0.42 0.31 1" {solid}/>'
            f'<geom type="box" size="{SHELF_DEEP - 0.03} 0.012 {SHELF / 2 - 0.008}" '
            f'pos="{px} {py} {SHELF / 2 - 0.008}" euler="0 0 {turn}" {_seen((0.46, 0.35, 0.26, 1))}/>'
        )
    return "".join(parts) + _bin()


def _bin() -> str:
    x, y = BIN
    solid, grey = _colliding(_FIXED), "0.36 0.40 0.42 1"
    middle, half = (BIN_TOP + BIN_FLOOR) / 2, (BIN_TOP - BIN_FLOOR) / 2
    sides = [(sx * (BIN_HALF + 0.006), 0.0, 0.006, BIN_HALF + 0.012) for sx in (-1, 1)]
    sides += [(0.0, sy * (BIN_HALF + 0.006), BIN_HALF + 0.012, 0.006) for sy in (-1, 1)]
    walls = "".join(
        f'<geom type="box" size="{wide} {deep} {half}" pos="{x + dx} {y + dy} {middle}" rgba="{grey}" {solid}/>'
        for dx, dy, wide, deep in sides
    )
    under = (BIN_FLOOR - COUNTER_FLOOR_Z) / 2
    return walls + (
        f'<geom type="box" size="{BIN_HALF + 0.012} {BIN_HALF + 0.012} {under}" pos="{x} {y} {BIN_FLOOR - under}" '
        f'rgba="0.28 0.31 0.33 1" {solid}/>'
    )


def spots(places: Sequence[Xy]) -> str:
    """Marks on the counter where finished cups go."""
    return "".join(
        f'<geom type="cylinder" size="0.045 0.001" pos="{x} {y} 0.001" {_seen((0.72, 0.78, 0.70, 1))}/>'
        for x, y in places
    )


def hand() -> str:
    """A palm and two sliding fingers; the arm's tool axis is y."""
    dark, grey, pad = (0.2, 0.21, 0.24, 1), (0.55, 0.57, 0.6, 1), (0.1, 0.1, 0.11, 1)
    touch = f'group="{UNSEEN}" {_colliding(_TOUCH)}'
    length = 0.036
    middle = PALM + length - 0.002

    def finger(name: str, sign: int) -> str:
        at = sign * (OPEN_FINGERS + _FINGER)
        return (
            f'<body name="{name}" pos="{at} {middle} 0" gravcomp="1">'
            f'<joint name="{name}" type="slide" axis="{-sign} 0 0" range="0 {OPEN_FINGERS - 0.002}" armature="0.02"/>'
            f'<geom name="{name}" type="box" size="{_FINGER} {length} 0.011" mass="0.06" {touch}/>'
            f'<body><geom type="box" size="{_FINGER} {length} 0.011" {_seen(grey, 3)}/>'
            f'<geom type="box" size="0.0015 {length * 0.6} 0.0112" pos="{-sign * 0.0048} {length * 0.38} 0" '
            f"{_seen(pad, 3)}/>"
            f'<geom type="box" size="0.011 0.012 0.015" pos="{sign * 0.002} {-length} 0" {_seen(dark, 3)}/>'
            "</body></body>"
        )

    return (
        '<body name="palm" gravcomp="1">'
        f'<geom name="palm" type="box" size="0.034 0.006 0.018" pos="0 {PALM - 0.006} 0" mass="0.15" {touch}/>'
        f'<body><geom type="box" size="0.09 0.012 0.016" pos="0 {PALM - 0.016} 0" {_seen(dark, 3)}/>'
        f'<geom type="box" size="0.036 0.02 0.028" pos="0 {PALM - 0.034} 0" {_seen(grey, 3)}/>'
        f'<geom type="box" size="0.03 0.003 0.014" pos="0 {PALM - 0.003} 0" {_seen(pad, 3)}/></body>'
        f"{finger('left', -1)}{finger('right', 1)}</body>"
    )

"""The kitchen around the machine as MJCF: a sink, the machine under the counter, and room for what is finished.

One frame for all of it: x to the right and y away from the robot, z up, 0 at the floor. Each place has its own frame,
too, with the same directions and 0 in the middle of its surface. Shapes are named after what they are made of.
"""

from __future__ import annotations

from collections.abc import Mapping

from thinkaloud.worlds.geometry import Rgb, Xy
from thinkaloud_worlds.dishwasher.arrangement import Spot
from thinkaloud_worlds.dishwasher.scene import FRONT, MachineScene
from thinkaloud_worlds.kitchen.furniture import WALLS, Shapes

TOP, _BACK = 0.90, 0.72  # the height of the counter, and how deep it is
_SINK_FLOOR = 0.78
_LEFT, _RIGHT, _HALF = -1.66, 1.66, 0.45  # the ends of the counter, and half of the machine's width
_LOWEST, _HIGHEST = 0.14, 0.78
_IN, _OUT = 0.09, 0.56  # where a rack's front is when it is in, and how far it comes out
_RACK = (0.40, 0.44)  # half of its width, and its depth
LAMP = (0.34, -0.014, 0.825)
"""The lamp of the machine, which is lit while it runs."""
_STEEL: Rgb = (172, 176, 182)
_DARK: Rgb = (44, 46, 50)
_PLASTIC: Rgb = (226, 228, 230)
_LIT: Rgb = (40, 230, 90)


def spots_of(scene: MachineScene) -> dict[str, Spot]:
    """The places of things, and the front of the machine; racks as they are when they are out."""
    found = {
        scene.start_place: Spot((-1.06, 0.34, _SINK_FLOOR), (0.92, 0.52), (0.0, -0.20, 1.05)),
        scene.finished: Spot((1.06, 0.34, TOP), (0.92, 0.52), (0.0, -0.30, 1.0)),
        FRONT: Spot((0.0, -0.3, TOP), (0.0, 0.0), (0.0, -1.45, 0.55), (0.0, 0.1, -0.35)),
    }
    for number, name in enumerate(scene.compartments):
        y = _IN - _OUT + _RACK[1] / 2
        found[name] = Spot((0.0, y, rack_floor(scene, number)), (0.74, 0.38), (0.0, -0.34, 0.95))
    return found


def rack_floor(scene: MachineScene, number: int) -> float:
    """How high a rack is; the first one is the uppermost."""
    count = len(scene.compartments)
    return _LOWEST + (count - 1 - number) * (_HIGHEST - _LOWEST - 0.02) / count


def machine_mjcf(
    scene: MachineScene, inside: Mapping[str, str], out: Mapping[str, bool], *, is_open: bool, running: bool
) -> str:
    """All of it. `inside` is what lies at each place, in its frame; `out` tells which racks are out."""
    parts = [_room(), _units(), _machine(is_open=is_open, running=running)]
    spots = spots_of(scene)
    for place in (scene.start_place, scene.finished):
        x, y, z = spots[place].origin
        parts.append(f'<body pos="{x} {y} {z}">{inside.get(place, "")}</body>')
    for name in scene.compartments if is_open else ():
        x, y, z = spots[name].origin
        y += 0.0 if out.get(name) else _OUT
        parts.append(f'<body pos="{x} {y} {z}">{_rack(name)}{inside.get(name, "")}</body>')
    return f"<mujoco><worldbody>{''.join(parts)}</worldbody></mujoco>"


DOOR: tuple[Xy, Xy, Xy] = ((-0.35, 0.35), (-0.022, 0.03), (0.25, 0.68))
"""Where the door is seen when it is closed."""
RACKS_OUT: tuple[Xy, Xy, Xy] = ((-0.38, 0.38), (-0.52, -0.06), (0.13, 0.78))
"""Where racks are seen when they are out."""


def _room() -> str:
    make, wall = Shapes("room"), f'group="{WALLS}"'
    return "".join(
        (
            make.box("floor", (-2.6, 2.6), (-2.6, 0.8), (-0.02, 0.0)),
            make.box("wall", (-2.6, 2.6), (_BACK + 0.02, _BACK + 0.06), (0.0, 2.4), more=wall),
            make.box("", (-1.5, -0.6), (_BACK, _BACK + 0.02), (1.25, 1.95), (206, 226, 242), wall),
        )
    )


def _units() -> str:
    """The counter with a sink in its left part, and cupboards under it."""
    make = Shapes("unit")
    x0, x1, y0, y1 = -1.56, -0.56, 0.05, 0.63
    parts = [
        make.box("top", (_LEFT, x0), (-0.03, _BACK), (TOP - 0.04, TOP)),
        make.box("top", (x1, _RIGHT), (-0.03, _BACK), (TOP - 0.04, TOP)),
        make.box("top", (x0, x1), (-0.03, y0), (TOP - 0.04, TOP)),
        make.box("top", (x0, x1), (y1, _BACK), (TOP - 0.04, TOP)),
        make.box("", (x0, x1), (y0, y1), (_SINK_FLOOR - 0.01, _SINK_FLOOR), _STEEL),
        make.box("", (x0 - 0.012, x0), (y0, y1), (_SINK_FLOOR, TOP + 0.002), _STEEL),
        make.box("", (x1, x1 + 0.012), (y0, y1), (_SINK_FLOOR, TOP + 0.002), _STEEL),
        make.box("", (x0, x1), (y0 - 0.012, y0), (_SINK_FLOOR, TOP + 0.002), _STEEL),
        make.box("", (x0, x1), (y1, y1 + 0.012), (_SINK_FLOOR, TOP + 0.002), _STEEL),
        make.shape("", f'type="cylinder" size="0.03 0.0006" pos="-1.06 0.58 {_SINK_FLOOR}"', _DARK),
        make.shape("", f'type="capsule" size="0.013" fromto="-1.06 0.67 {TOP} -1.06 0.67 {TOP + 0.26}"', _STEEL),
        make.shape("", f'type="capsule" size="0.012" fromto="-1.06 0.67 {TOP + 0.26} -1.06 0.56 {TOP + 0.25}"', _STEEL),
        make.box("", (_LEFT, _RIGHT), (0.06, _BACK), (0.0, 0.1), _DARK),
    ]
    for left, right in ((_LEFT, -1.06), (-1.06, -_HALF), (_HALF, 1.06), (1.06, _RIGHT)):
        parts.append(make.box("front", (left + 0.006, right - 0.006), (0.0, 0.66), (0.1, _SINK_FLOOR - 0.02)))
        parts.append(make.box("", (right - 0.10, right - 0.08), (-0.03, 0.0), (0.42, 0.62), _STEEL))
    mat = make.box("", (0.58, 1.54), (0.06, 0.62), (TOP, TOP + 0.0012), (150, 172, 182))
    return "".join(parts) + mat


def _machine(*, is_open: bool, running: bool) -> str:
    """The machine without its racks: walls, a strip with its lamp and buttons, and the door."""
    make, wide = Shapes("machine"), _HALF - 0.01
    parts = [
        make.box("", (-wide, -wide + 0.02), (0.04, 0.66), (0.08, TOP - 0.04), _STEEL),
        make.box("", (wide - 0.02, wide), (0.04, 0.66), (0.08, TOP - 0.04), _STEEL),
        make.box("", (-wide, wide), (0.64, 0.66), (0.08, TOP - 0.04), _STEEL),
        make.box("", (-wide, wide), (0.04, 0.66), (0.08, 0.10), _STEEL),
        make.box("", (-wide, wide), (-0.012, 0.06), (_HIGHEST, TOP - 0.04), (196, 199, 203)),
        make.shape("", f'type="sphere" size="0.022" pos="{LAMP[0]} {LAMP[1]} {LAMP[2]}"', _LIT if running else _DARK),
    ]
    for x in (-0.30, -0.24, -0.18):
        parts.append(make.shape("", f'type="sphere" size="0.01" pos="{x} -0.012 0.825"', _DARK))
    if is_open:
        parts.append(make.box("", (-wide, wide), (-0.66, 0.0), (0.085, 0.105), _PLASTIC))
        parts.append(make.box("", (-wide + 0.05, wide - 0.05), (-0.62, -0.05), (0.105, 0.107), _STEEL))
        parts.append(make.box("", (0.12, 0.28), (-0.32, -0.22), (0.107, 0.112), _DARK))
    else:
        parts.append(make.box("", (-wide, wide), (-0.01, 0.03), (0.1, _HIGHEST - 0.004), _PLASTIC))
        parts.append(make.box("", (-0.25, 0.25), (-0.05, -0.03), (0.70, 0.72), _STEEL))
    return "".join(parts)


def _rack(name: str) -> str:
    """A basket: its floor of thin bars over a tray, and a low rim, in the frame of its place."""
    make, (wide, deep) = Shapes(f"rack {name}".replace('"', "")), _RACK
    half, grey = deep / 2, (150, 154, 160)
    parts = [make.box("", (-wide, wide), (-half, half), (-0.012, -0.006), (214, 217, 220))]
    for at in range(-4, 5):
        parts.append(make.box("", (0.09 * at - 0.003, 0.09 * at + 0.003), (-half, half), (-0.006, 0.0), grey))
    for x in (-wide, wide - 0.008):
        parts.append(make.box("", (x, x + 0.008), (-half, half), (-0.01, 0.03), grey))
    for y in (-half, half - 0.008):
        parts.append(make.box("", (-wide, wide), (y, y + 0.008), (-0.01, 0.03), grey))
    parts.append(make.box("", (-0.09, 0.09), (-half - 0.02, -half), (0.012, 0.03), _DARK))
    return "".join(parts)

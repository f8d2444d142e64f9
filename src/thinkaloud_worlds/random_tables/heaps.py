"""Heaps: things that are dropped one after another and come to rest on each other, by physics.

Nothing acts on a heap afterwards: what is kept is where each thing came to lie, and how.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import mujoco
import numpy as np

from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.random_tables.forms import parts_of
from thinkaloud_worlds.random_tables.things import DrawnThing
from thinkaloud_worlds.tabletop.layout import TABLE_TOP

_STEP, _EACH, _AFTER = 0.004, 30, 120
_SPREAD, _ABOVE, _UPRIGHT = 0.04, 0.05, 0.5
_SLOWER = 0.99  # at each step, so that what rolls comes to rest
_FEEL = 'condim="6" friction="0.9 0.02 0.004"'


def drop(
    rng: np.random.Generator, things: Sequence[DrawnThing], under: Sequence[DrawnThing], at: Xy
) -> list[DrawnThing]:
    """Drop things around a point, onto what is there already; return those that stay on the table, as they lie."""
    model = mujoco.MjModel.from_xml_string(_mjcf(things, under))
    data = mujoco.MjData(model)
    bodies = [model.body(f"thing{len(under) + number}").id for number in range(len(things))]
    highest = 0.0
    for number, (thing, body) in enumerate(zip(things, bodies, strict=True)):
        angle, far = rng.uniform(0, 2 * math.pi), _SPREAD * math.sqrt(rng.uniform())
        turn = rng.normal(size=4) * ((1, 0, 0, 1) if rng.uniform() < _UPRIGHT else (1, 1, 1, 1))
        half = math.hypot(thing.across, thing.height) / 2
        z = highest + _ABOVE + half
        model.body_gravcomp[body] = 0.0
        place = data.qpos[7 * number : 7 * number + 7]
        place[:3] = at[0] + far * math.cos(angle), at[1] + far * math.sin(angle), z
        place[3:] = turn / np.linalg.norm(turn)
        _let_fall(model, data, _EACH)
        on_table = [
            data.xipos[each][2] for each in bodies[: number + 1] if TABLE_TOP.distance(*data.xipos[each][:2]) == 0
        ]
        highest = min(max(on_table, default=0.0), 0.15)
    _let_fall(model, data, _AFTER)
    found = list[DrawnThing]()
    for number, thing in enumerate(things):
        x, y, z, a, b, c, d = (float(value) for value in data.qpos[7 * number : 7 * number + 7])
        if math.isfinite(x + y + z) and TABLE_TOP.distance(x, y) == 0 and z > 0:
            found.append(replace(thing, at=(x, y, z), turn=(a, b, c, d)))
    return found


def _let_fall(model: mujoco.MjModel, data: mujoco.MjData, steps: int) -> None:
    for _ in range(steps):
        mujoco.mj_step(model, data)
        data.qvel *= _SLOWER


def _mjcf(things: Sequence[DrawnThing], under: Sequence[DrawnThing]) -> str:
    """The table, what is on it, and the things that wait beside it, where nothing pulls them down."""
    x, y = TABLE_TOP.centre
    parts = [thing.mjcf(number) for number, thing in enumerate(under)]
    for number, thing in enumerate(things):
        shapes = parts_of(thing.kind, thing.across, thing.height, straight=thing.straight)
        inner = "".join(f"<geom {_FEEL} {shape}/>" for shape in shapes)
        middle = f'<body pos="0 0 {-thing.height / 2}">{inner}</body>'
        parts.append(
            f'<body name="thing{len(under) + number}" pos="{3 + number} 0 3" gravcomp="1"><freejoint/>'
            f'<inertial pos="0 0 0" mass="0.05" diaginertia="3e-5 3e-5 3e-5"/>{middle}</body>'
        )
    return (
        f'<mujoco><option timestep="{_STEP}" integrator="implicitfast"/><worldbody>'
        f'<geom type="box" size="0.5 0.5 0.02" pos="{x} {y} -0.02"/>{"".join(parts)}</worldbody></mujoco>'
    )

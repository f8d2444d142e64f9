"""The arm: a UR5e of capsules with a suction cup that always points down, and its exact inverse kinematics.

Link lengths are the published Denavit-Hartenberg parameters of the UR5e. Only the cup and its stem collide; the links
are only drawn. Not covered: reaching sideways, and collisions of the links with the scene.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from thinkaloud.errors import SkillError
from thinkaloud.worlds.geometry import Xyz

D1, A2, A3, D4, D5, D6 = 0.1625, 0.425, 0.3922, 0.1333, 0.0997, 0.0996
_SHOULDER, _ELBOW = 0.138, -0.131  # sideways offsets of upper arm and forearm; with the wrist's they add up to D4
_STEM = 0.10  # from the flange to the tip of the cup
_CUP = 0.01  # radius
UR5E_JOINTS = 6
_STIFFNESS = (4000.0, 4000.0, 4000.0, 1500.0, 1500.0, 1500.0)
_DAMPING = (400.0, 400.0, 300.0, 60.0, 60.0, 60.0)
UR5E_LEAD = np.array(_DAMPING) / np.array(
    _STIFFNESS
)  # seconds by which commands run ahead, so that the arm does not lag
UR5E_TOP_SPEED = math.pi  # of every joint, in rad/s, from the data sheet

Joints = NDArray[np.float64]


def ur5e_joints_at(tip: Xyz) -> Joints:
    """The joint angles (elbow up) that bring the cup's tip to a point. Raises SkillError if it is out of reach."""
    x, y, z = tip
    along = math.sqrt(max(x * x + y * y - D4 * D4, 0.0))
    out = along - D5
    up = z + _STEM + D6 - D1
    span = math.hypot(out, up)
    if not abs(A2 - A3) + 0.03 < span < A2 + A3 - 1e-3 or x * x + y * y <= D4 * D4:
        raise SkillError(f"The arm does not reach ({x:.2f}, {y:.2f}) at a height of {z:.2f} m.")
    pan = math.atan2(y, x) - math.atan2(D4, along)
    inner = math.acos((span * span + A2 * A2 - A3 * A3) / (2 * span * A2))
    upper = math.atan2(up, out) + inner
    fore = math.atan2(up - A2 * math.sin(upper), out - A2 * math.cos(upper))
    lift, elbow = -upper, upper - fore
    # The last joint undoes the pan, so what hangs from the cup keeps its direction.
    return np.array([pan, lift, elbow, -math.pi / 2 - lift - elbow, -math.pi / 2, pan + math.pi / 2])


def tip_of(joints: Joints) -> Xyz:
    """Where the tip of the cup is at these joint angles, if the cup points down."""
    pan, lift, elbow = (float(angle) for angle in joints[:3])
    out = A2 * math.cos(lift) + A3 * math.cos(lift + elbow) + D5
    up = -A2 * math.sin(lift) - A3 * math.sin(lift + elbow)
    return (
        out * math.cos(pan) - D4 * math.sin(pan),
        out * math.sin(pan) + D4 * math.cos(pan),
        up + D1 - D6 - _STEM,
    )


def xml(tool: str | None = None) -> str:
    """The arm as MJCF: the base body with everything attached to it; `tool` replaces the sucker.

    The sucker collides, so it is a body of its own: MuJoCo's ray casting misses shapes that do not collide when they
    share a body with shapes that do.
    """
    light, dark, blue = "0.86 0.87 0.89 1", "0.33 0.35 0.39 1", "0.45 0.66 0.84 1"

    def link(geometry: str, colour: str = light) -> str:
        return f'<geom {geometry} rgba="{colour}" contype="0" conaffinity="0" group="3"/>'

    def rod(start: str, end: str, radius: float, colour: str = light) -> str:
        return link(f'type="capsule" fromto="{start} {end}" size="{radius}"', colour)

    def joint(name: str, axis: str) -> str:
        return f'<joint name="{name}" axis="{axis}" range="-6.2832 6.2832" armature="0.1"/>'

    def mass(kilograms: float, at: str = "0 0 0") -> str:
        inertia = 0.01 * kilograms
        return f'<inertial mass="{kilograms}" pos="{at}" diaginertia="{inertia} {inertia} {inertia}"/>'

    quarter = 'quat="0.7071067811865476 0 0.7071067811865476 0"'
    return f"""
    <body name="base">
      {link('type="cylinder" fromto="0 0 -0.6 0 0 0.0" size="0.09"', dark)}
      {link('type="cylinder" fromto="0 0 0 0 0 0.09" size="0.072"')}
      <body name="shoulder" pos="0 0 {D1}" gravcomp="1">{mass(3.7)}{joint("pan", "0 0 1")}
        {rod("0 0 -0.06", "0 0 0.0", 0.062)}{rod("0 0 0", f"0 {_SHOULDER} 0", 0.058)}
        {link(f'type="cylinder" fromto="0 {_SHOULDER + 0.045} 0 0 {_SHOULDER + 0.066} 0" size="0.05"', blue)}
        <body name="upper" pos="0 {_SHOULDER} 0" {quarter} gravcomp="1">{mass(8.0, "0 0 0.2")}{joint("lift", "0 1 0")}
          {rod("0 0 0", f"0 0 {A2}", 0.048)}{rod(f"0 0 {A2}", f"0 {_ELBOW + 0.02} {A2}", 0.05)}
          {link(f'type="cylinder" fromto="0 0.04 {A2} 0 0.058 {A2}" size="0.044"', blue)}
          <body name="forearm" pos="0 {_ELBOW} {A2}" gravcomp="1">{mass(2.8, "0 0 0.2")}{joint("elbow", "0 1 0")}
            {rod("0 0 0", f"0 0 {A3}", 0.04)}
            <body name="wrist1" pos="0 0 {A3}" {quarter} gravcomp="1">{mass(1.3)}{joint("wrist1", "0 1 0")}
              {rod("0 0 0", f"0 {D4 - _SHOULDER - _ELBOW} 0", 0.037)}
              <body name="wrist2" pos="0 {D4 - _SHOULDER - _ELBOW} 0" gravcomp="1">{mass(1.3)}{joint("wrist2", "0 0 1")}
                {rod("0 0 -0.01", f"0 0 {D5}", 0.036)}
                {link('type="cylinder" fromto="0 0 -0.052 0 0 -0.036" size="0.034"', blue)}
                <body name="hand" pos="0 0 {D5}" gravcomp="1">{mass(0.5)}{joint("wrist3", "0 1 0")}
                  {rod("0 0 0", "0 0.06 0", 0.034)}
                  {link(f'type="cylinder" fromto="0 0.05 0 0 {D6} 0" size="0.03"', dark)}
                  {_sucker() if tool is None else tool}
                </body>
              </body>
            </body>
          </body>
        </body>
      </body>
    </body>"""


def _sucker() -> str:
    """The default tool: a suction cup on a stem."""
    tip, touch = D6 + _STEM, 'contype="1" conaffinity="1" group="3"'
    return f"""<body name="sucker" gravcomp="1">
                    <geom name="stem" type="capsule" fromto="0 {D6} 0 0 {tip - 0.03} 0" size="0.008"
                     mass="0.05" rgba="0.33 0.35 0.39 1" {touch}/>
                    <geom name="cup" type="capsule" fromto="0 {tip - 0.024} 0 0 {tip - _CUP} 0" size="{_CUP}"
                     mass="0.05" rgba="0.16 0.16 0.18 1" {touch} solref="0.01 1"/>
                    <site name="tip" pos="0 {tip} 0" size="0.002" group="5"/>
                  </body>"""


def ur5e_actuators() -> str:
    """One position servo per joint, without a force limit, because clipped damping chatters when the arm brakes."""
    names = ("pan", "lift", "elbow", "wrist1", "wrist2", "wrist3")
    return "".join(
        f'<position joint="{name}" kp="{kp}" kv="{kv}"/>'
        for name, kp, kv in zip(names, _STIFFNESS, _DAMPING, strict=True)
    )


def path(start: Xyz, end: Xyz, speed: float, tick: float) -> list[tuple[Joints, Joints]]:
    """Joint angles and speeds, one pair per control tick, along a straight line with a gentle start and end.

    No faster than `speed` (metres per second at the tip), and no joint faster than it may turn.
    """
    length = math.dist(start, end)
    if length < 1e-6:
        return []
    a, b = np.array(start), np.array(end)
    coarse = np.array([ur5e_joints_at(_point(a + (b - a) * s)) for s in np.linspace(0.0, 1.0, 9)])
    steepest = float(np.abs(np.diff(coarse, axis=0)).max()) * 8
    seconds = max(1.875 * length / speed, 1.875 * steepest / UR5E_TOP_SPEED, 3 * tick)
    count = math.ceil(seconds / tick)
    angles = [ur5e_joints_at(_point(a + (b - a) * _ease(i / count))) for i in range(count + 1)]
    return [(angles[i], (angles[i] - angles[i - 1]) / tick) for i in range(1, count + 1)]


def _ease(s: float) -> float:
    return s * s * s * (10 - 15 * s + 6 * s * s)


def _point(values: NDArray[np.float64]) -> Xyz:
    return float(values[0]), float(values[1]), float(values[2])

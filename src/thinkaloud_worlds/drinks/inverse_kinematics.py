"""Inverse kinematics: the hand stays level and points away from the base; only its roll is free, and that pours.

The links are those of `tabletop.ur5e_arm`; the wrist is turned over, so that the forearm stays above the hand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinkaloud.errors import SkillError
from thinkaloud_worlds.simulated_time import TICK
from thinkaloud_worlds.tabletop.ur5e_arm import A2, A3, D1, D4, D5, D6, UR5E_TOP_SPEED, Joints

PALM = D6 + 0.060  # from the wrist to the front of the palm
_REACH = PALM + 0.045  # to the point between the fingers
_ROLL = math.pi  # angle of the last joint at which the fingers are side by side


@dataclass(frozen=True, slots=True)
class DrinksAim:
    """Where the point between the fingers should be; or a point of the held thing, this far ahead and to the side."""

    x: float
    y: float
    z: float
    roll: float = 0.0
    ahead: float = 0.0
    side: float = 0.0  # positive to the left, as the arm sees it


def drinks_joints_at(aim: DrinksAim) -> Joints:
    """The joint angles for a pose. Raises SkillError if the arm does not reach it."""
    across, lateral = math.hypot(aim.x, aim.y), D4 + aim.side
    along = math.sqrt(max(across * across - lateral * lateral, 0.0))
    out, up = along - aim.ahead - _REACH, aim.z + D5 - D1
    span = math.hypot(out, up)
    if not abs(A2 - A3) + 0.03 < span < A2 + A3 - 1e-3 or out < 0.05:
        raise SkillError(f"The arm does not reach ({aim.x:.2f}, {aim.y:.2f}) at a height of {aim.z:.2f} m.")
    bearing = math.atan2(aim.x, -aim.y) - math.pi / 2  # jumps only behind the arm
    pan = bearing - math.atan2(lateral, along)
    upper = math.atan2(up, out) + math.acos((span * span + A2 * A2 - A3 * A3) / (2 * span * A2))
    fore = math.atan2(up - A2 * math.sin(upper), out - A2 * math.cos(upper))
    lift, elbow = -upper, upper - fore
    return np.array([pan, lift, elbow, -lift - elbow, math.pi / 2, _ROLL + aim.roll])


def drinks_aim_of(joints: NDArray[np.float64]) -> DrinksAim:
    """Where the point between the fingers is at these joint angles, if the hand is level."""
    pan, lift, elbow = (float(angle) for angle in joints[:3])
    out = A2 * math.cos(lift) + A3 * math.cos(lift + elbow) + _REACH
    up = -A2 * math.sin(lift) - A3 * math.sin(lift + elbow)
    x = out * math.cos(pan) - D4 * math.sin(pan)
    y = out * math.sin(pan) + D4 * math.cos(pan)
    return DrinksAim(x, y, up + D1 - D5, float(joints[5]) - _ROLL)


def heading(aim: DrinksAim) -> tuple[float, float]:
    """Which way the hand points."""
    pan = float(drinks_joints_at(aim)[0])
    return math.cos(pan), math.sin(pan)


def sweep(start: Joints, end: Joints) -> list[tuple[Joints, Joints]]:
    """Joint angles and speeds, one pair per control tick; all joints start and stop gently, together."""
    far = float(np.abs(end - start).max())
    count = max(math.ceil(1.875 * far / (0.9 * UR5E_TOP_SPEED) / TICK), 6)
    angles = [start + (end - start) * _ease(i / count) for i in range(count + 1)]
    return [(angles[i], (angles[i] - angles[i - 1]) / TICK) for i in range(1, count + 1)]


def _ease(s: float) -> float:
    """Ease from 0 to 1, with a gentle start and end."""
    return s * s * s * (10 - 15 * s + 6 * s * s)


def line(start: DrinksAim, end: DrinksAim, speed: float) -> list[tuple[Joints, Joints]]:
    """As `sweep`, along a straight line, within `speed` (metres per second) and the joints' limits."""
    last = drinks_joints_at(end)
    there = drinks_aim_of(last)
    a, b = (np.array([aim.x, aim.y, aim.z, aim.roll]) for aim in (start, there))
    length = float(np.linalg.norm((b - a)[:3]))
    steepest = float(np.abs(last - drinks_joints_at(start)).max())
    count = math.ceil(max(1.875 * length / speed, 2.2 * steepest / UR5E_TOP_SPEED, 3 * TICK) / TICK)
    angles = [
        drinks_joints_at(DrinksAim(*(float(v) for v in a + (b - a) * _ease(i / count)))) for i in range(count + 1)
    ]
    return [(angles[i], (angles[i] - angles[i - 1]) / TICK) for i in range(1, count + 1)]

"""The arm: a Franka of capsules whose hand always points down, and its exact inverse kinematics.

Link lengths are the published Denavit-Hartenberg parameters of the Franka Research 3, limits those of its data sheet.
Joints 3 and 5 stay at zero, so that shoulder, elbow and wrist lie in one upright plane; the last joint turns the hand.
Hand, fingers, wrist and forearm can collide; the other links are only drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinkaloud.errors import SkillError
from thinkaloud_worlds.simulated_time import TICK

FRANKA_D1, D3, FRANKA_D5, A4, A7, FLANGE, TCP = 0.333, 0.316, 0.384, 0.0825, 0.088, 0.107, 0.1034
_UPPER, _FORE = math.hypot(D3, A4), math.hypot(FRANKA_D5, A4)
_DOWN = FLANGE + TCP  # from the wrist to the point between the fingers
FRANKA_JOINTS = 7
LOWEST = np.array([-2.7437, -1.7837, -2.9007, -3.0421, -2.8065, 0.5445, -3.0159])
HIGHEST = np.array([2.7437, 1.7837, 2.9007, -0.1518, 2.8065, 4.5169, 3.0159])
FRANKA_TOP_SPEED = np.array([2.62, 2.62, 2.62, 2.62, 5.26, 4.18, 5.26])
STIFFNESS = (5000.0, 5000.0, 4000.0, 4000.0, 1500.0, 1500.0, 1000.0)
DAMPING = (500.0, 500.0, 400.0, 350.0, 80.0, 80.0, 50.0)
FRANKA_LEAD = np.array(DAMPING) / np.array(
    STIFFNESS
)  # seconds by which commands run ahead, so that the arm does not lag
_STRAIGHT = (
    2 * math.pi - math.atan2(D3, A4) - math.atan2(FRANKA_D5, A4)
)  # the angle at the elbow where joint 4 is at zero
_LEAN = math.atan2(A4, D3)
_QUARTER = 3 * math.pi / 4  # angle of the last joint at which the fingers close along the direction of the arm

FrankaJoints = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FrankaAim:
    """Where the point between the fingers is to be, and the direction along which they close (an angle to x)."""

    x: float
    y: float
    z: float
    turn: float = 0.0

    @property
    def far(self) -> float:
        """The distance from the arm's axis."""
        return math.hypot(self.x, self.y)


READY = FrankaAim(0.307, 0.0, 0.487, math.pi / 2)


def find_reachable(aims: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which of these points (x, y and z in each row) the hand can reach, whichever way it is turned."""
    return np.asarray(_solved(np.column_stack([aims[:, :3], np.zeros(len(aims))]))[1])


def _joints_along(aims: NDArray[np.float64]) -> FrankaJoints:
    """The joint angles for each row of x, y, z and turn. Raises SkillError if the arm does not reach one."""
    joints, fine = _solved(aims)
    joints[:, 6] = aims[:, 3] * -1.0 + joints[:, 0] + _QUARTER
    fine &= (joints[:, 6] >= LOWEST[6]) & (joints[:, 6] <= HIGHEST[6])
    if not fine.all():
        x, y, z = (float(v) for v in aims[int(np.argmin(fine)), :3])
        raise SkillError(out_of_reach(x, y, z))
    return joints


def _solved(aims: NDArray[np.float64]) -> tuple[FrankaJoints, NDArray[np.bool_]]:
    out = np.hypot(aims[:, 0], aims[:, 1]) - A7
    up = aims[:, 2] + _DOWN - FRANKA_D1
    span2 = out * out + up * up
    span = np.sqrt(span2)
    with np.errstate(invalid="ignore", divide="ignore"):
        inner = np.arccos((_UPPER**2 + _FORE**2 - span2) / (2 * _UPPER * _FORE))
        above = np.arccos((_UPPER**2 + span2 - _FORE**2) / (2 * _UPPER * span))
        elevation = np.arctan2(up, out) + above  # angle of the line from shoulder to elbow
    joints = np.zeros((len(aims), FRANKA_JOINTS))
    joints[:, 0] = np.arctan2(aims[:, 1], aims[:, 0])
    joints[:, 1] = math.pi / 2 - elevation - _LEAN
    joints[:, 3] = inner - _STRAIGHT
    joints[:, 5] = joints[:, 1] - joints[:, 3]
    with np.errstate(invalid="ignore"):
        fine = ((joints >= LOWEST) & (joints <= HIGHEST)).all(axis=1) & (out > 0.03)
    return joints, fine


def out_of_reach(x: float, y: float, z: float) -> str:
    """The message that a point is out of reach, and why."""
    near = math.hypot(x, y) < 0.4
    why = "it is too near to its base" if near else "it is too far away"
    x, y = round(x, 2) + 0.0, round(y, 2) + 0.0
    return f"The arm does not reach ({x:.2f}, {y:.2f}) at a height of {z:.2f} m: {why}."


def franka_joints_at(aim: FrankaAim) -> FrankaJoints:
    """The joint angles for a pose. Raises SkillError if the arm does not reach it."""
    return np.asarray(_joints_along(np.array([[aim.x, aim.y, aim.z, aim.turn]]))[0])


def franka_aim_of(joints: FrankaJoints) -> FrankaAim:
    """Where the point between the fingers is at these joint angles, if the hand points down."""
    pan, lift, elbow = float(joints[0]), float(joints[1]), float(joints[3])
    fold = lift - elbow
    out = D3 * math.sin(lift) + A4 * math.cos(lift) - A4 * math.cos(fold) + FRANKA_D5 * math.sin(fold) + A7
    up = (
        FRANKA_D1 + D3 * math.cos(lift) - A4 * math.sin(lift) + A4 * math.sin(fold) + FRANKA_D5 * math.cos(fold) - _DOWN
    )
    return FrankaAim(out * math.cos(pan), out * math.sin(pan), up, pan + _QUARTER - float(joints[6]))


def turn_to_middle(x: float, y: float, turn: float) -> float:
    """The same closing direction, turned by half a turn if that keeps the last joint nearer to its middle."""
    last = math.atan2(y, x) + _QUARTER - turn
    return turn + math.pi * round(last / math.pi)


def _ease(s: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ease from 0 to 1, with a gentle start and end."""
    return s * s * s * (10 - 15 * s + 6 * s * s)


def path_along(corners: NDArray[np.float64], speed: float) -> tuple[FrankaJoints, FrankaJoints]:
    """Joint angles and speeds, a row per control tick, along a line of points (rows of x, y, z, turn).

    No faster than `speed` (metres per second), and no joint faster than it may turn.
    """
    steps = np.linalg.norm(np.diff(corners[:, :3], axis=0), axis=1)
    done = np.concatenate([[0.0], np.cumsum(steps)])
    length = float(done[-1])
    if length < 1e-6:
        done, length = np.linspace(0.0, 1.0, len(corners)), 0.0
    coarse = _between(corners, done, np.linspace(0.0, 1.0, 25))
    steepest = float((np.abs(np.diff(_joints_along(coarse), axis=0)) / FRANKA_TOP_SPEED).max()) * 24
    count = math.ceil(max(1.875 * length / speed, 1.875 * steepest / 0.9, 3 * TICK) / TICK)
    angles = _joints_along(_between(corners, done, _ease(np.linspace(0.0, 1.0, count + 1))))
    return angles[1:], np.diff(angles, axis=0) / TICK


def _between(corners: NDArray[np.float64], done: NDArray[np.float64], at: NDArray[np.float64]) -> NDArray[np.float64]:
    at = at * done[-1]
    return np.column_stack([np.interp(at, done, corners[:, i]) for i in range(4)])

"""A simple controller for FrankaKitchen's arm, ours: the hand goes to a handle, grips it, and follows its joint.

It reads MuJoCo's model: where the handle is, around what it turns, and the hand's Jacobian. Velocities come from damped
least squares, with what the motors need against gravity. It plans no path around things, and knows no forces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
_FORWARD = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
"""The hand's axes when its fingers point at the furniture and open sideways."""
_ARM, _OPEN, _SHUT = 7, 1.0, -1.0
_GAIN, _DAMPING, _POSTURE, _FASTEST_TURN, _PERIOD, _RANGE = 6.0, 0.005, 0.3, 1.5, 0.08, 2.0
_REST = 25
"""Steps that the hand stays where it is at the end, so that what it did can be seen to last."""


@dataclass(frozen=True)
class Handle:
    """What to grip, the joint that it is to move, and how far; `turn`: how much the hand turns with it."""

    site: str
    joint: str
    goal: float
    turn: float = 0.0
    inset: float = 0.0


HANDLES = {
    "bottom burner": Handle("knob2_site", "knob_Joint_2", -0.88, turn=1.0),
    "top burner": Handle("knob4_site", "knob_Joint_4", -0.92, turn=1.0, inset=-0.03),
    "light": Handle("light_site", "light_switch", -0.69),
    "sliding cabinet": Handle("slide_site", "slide_cabinet", 0.37),
    "hinged cabinet": Handle("hinge_site2", "right_hinge_cabinet", 1.45, turn=0.6),
}


class Hand:
    """The arm's hand: where it is, and the action that moves it."""

    def __init__(self, model: Any, data: Any) -> None:
        self.model, self.data = model, data
        self._site, self._posture = model.site("end_effector").id, data.qpos[:_ARM].copy()

    @property
    def place(self) -> Vector:
        """Where it is."""
        return np.array(self.data.site_xpos[self._site])

    def towards(
        self, target: Vector, axes: Vector | None, grip: float, speed: float = 0.6, turning: float = 0.5
    ) -> Any:
        """The action that moves the hand there, and turns it to these axes."""
        move, turn = np.zeros((3, self.model.nv)), np.zeros((3, self.model.nv))
        mujoco.mj_jacSite(self.model, self.data, move, turn, self._site)
        wanted, jacobian = _at_most((target - self.place) * _GAIN, speed), move[:, :_ARM]
        if axes is not None:
            off = axes @ np.array(self.data.site_xmat[self._site]).reshape(3, 3).T
            skew = np.array([off[2, 1] - off[1, 2], off[0, 2] - off[2, 0], off[1, 0] - off[0, 1]]) / 2
            wanted = np.concatenate([wanted, turning * _at_most(skew * _GAIN, _FASTEST_TURN)])
            jacobian = np.vstack([jacobian, turning * turn[:, :_ARM]])
        inverse = jacobian.T @ np.linalg.inv(jacobian @ jacobian.T + _DAMPING * np.eye(len(wanted)))
        spare = np.eye(_ARM) - inverse @ jacobian
        velocity = inverse @ wanted + spare @ (_POSTURE * (self._posture - self.data.qpos[:_ARM]))
        return self._action(velocity, grip)

    def _action(self, velocity: Vector, grip: float) -> Any:
        """Joint velocities as an action: the motors are springs, and need more against gravity and damping."""
        load = self.model.dof_damping[:_ARM] * velocity + self.data.qfrc_bias[:_ARM]
        ahead = velocity * _PERIOD + load / self.model.actuator_gainprm[:_ARM, 0]
        action = np.full(_ARM + 2, grip)
        action[:_ARM] = np.clip(ahead / _PERIOD / _RANGE, -1.0, 1.0)
        return action

    def go(
        self,
        target: Vector,
        axes: Vector | None,
        grip: float,
        most: int,
        near: float,
        *,
        speed: float = 0.6,
        turning: float = 0.5,
    ) -> Iterator[Any]:
        """Actions until the hand is near a place."""
        for taken in range(most):
            if taken > 2 and np.linalg.norm(target - self.place) < near:
                return
            yield self.towards(target, axes, grip, speed, turning)

    def rest(self, steps: int, grip: float) -> Iterator[Any]:
        """Actions that hold the hand where it is."""
        here = self.place
        for _ in range(steps):
            yield self.towards(here, None, grip)


def move_handle(model: Any, data: Any, handle: Handle) -> Iterator[Any]:
    """Grip a handle, follow its joint to the goal, let go and retreat."""
    hand, site, joint = Hand(model, data), model.site(handle.site).id, model.joint(handle.joint)

    def grip_at() -> Vector:
        return np.array(data.site_xpos[site])

    start, there = hand.place, grip_at()
    yield from hand.go(np.array([start[0], min(start[1], 0.25), start[2]]), _FORWARD, _OPEN, 15, 0.05)
    before = there + np.array([0.0, -0.17, 0.0])
    yield from hand.go(np.array([before[0], min(0.3, before[1]), before[2]]), _FORWARD, _OPEN, 60, 0.04)
    yield from hand.go(before, _FORWARD, _OPEN, 40, 0.03)
    on = there + np.array([0.0, handle.inset, 0.0])
    yield from hand.go(on, _FORWARD, _OPEN, 40, 0.012, speed=0.3)
    for _ in range(8):
        yield hand.towards(on, _FORWARD, _SHUT)
    yield from _follow(hand, handle, joint, grip_at)
    yield from hand.rest(6, _OPEN)
    yield from hand.go(hand.place + np.array([0.0, -0.15, 0.0]), None, _OPEN, 25, 0.03)
    yield from hand.rest(_REST, _OPEN)


def _follow(hand: Hand, handle: Handle, joint: Any, grip_at: Callable[[], Vector]) -> Iterator[Any]:
    """Lead the gripped handle along its joint."""
    data = hand.data
    first = at = float(data.qpos[joint.qposadr[0]])
    for _ in range(120):
        if abs(at - handle.goal) < 0.2:
            return
        way, axis = np.sign(handle.goal - at), np.array(data.xaxis[joint.id])
        along = axis * way
        if hand.model.jnt_type[joint.id] == int(mujoco.mjtJoint.mjJNT_HINGE):
            arc = np.cross(axis, grip_at() - data.xanchor[joint.id]) * way
            along = arc / length if (length := float(np.linalg.norm(arc))) > 1e-3 else np.zeros(3)
        axes = _FORWARD
        if handle.turn:
            axes = _about(axis, handle.turn * (at - first + 0.4 * way)) @ _FORWARD
        yield hand.towards(grip_at() + 0.08 * along, axes, _SHUT, 0.5)
        at = float(data.qpos[joint.qposadr[0]])


def push_kettle(model: Any, data: Any) -> Iterator[Any]:
    """Push the kettle to the back with the closed hand, fingers down."""
    hand, axes = Hand(model, data), _about(np.array([1.0, 0.0, 0.0]), -1.2) @ _FORWARD

    def kettle() -> Vector:
        return np.array(data.body("kettle").xpos)

    start, there, aside = hand.place, kettle(), -0.09
    yield from hand.go(np.array([start[0], min(start[1], 0.1), start[2]]), axes, _SHUT, 15, 0.05, turning=0.15)
    yield from hand.go(np.array([there[0] + aside, there[1] - 0.2, 1.98]), axes, _SHUT, 50, 0.03, turning=0.15)
    yield from hand.go(np.array([there[0] + aside, there[1] - 0.16, 1.8]), axes, _SHUT, 50, 0.03, turning=0.15)
    for _ in range(80):
        if kettle()[1] > 0.72:
            break
        ahead = np.array([kettle()[0] + aside, hand.place[1] + 0.12, 1.8])
        yield hand.towards(ahead, axes, _SHUT, 0.35, 0.1)
    yield from hand.go(hand.place + np.array([0.0, -0.1, 0.15]), axes, _SHUT, 25, 0.04, turning=0.15)
    yield from hand.rest(_REST, _OPEN)


def _at_most(vector: Vector, length: float) -> Vector:
    return vector * min(1.0, length / max(float(np.linalg.norm(vector)), 1e-9))


def _about(axis: Vector, angle: float) -> Vector:
    """The rotation about an axis."""
    found, turn = np.zeros(9), np.zeros(4)
    mujoco.mju_axisAngle2Quat(turn, np.asarray(axis, dtype=float), angle)
    mujoco.mju_quat2Mat(found, turn)
    return found.reshape(3, 3)

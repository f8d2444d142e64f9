"""The physics of the table: a MuJoCo model that checks at every step what the arm touches.

A thing that both fingers press on can be held: it is welded to the hand, so that it does not slip. A thing at rest
sleeps, and costs nothing until it is touched. The state is complete: two tables of the same scene that are given the
same state continue identically, to the bit.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from thinkaloud.errors import SkillError
from thinkaloud.worlds.geometry import Xyz
from thinkaloud_worlds.franka import mjcf as bodies
from thinkaloud_worlds.franka.box_geometry import ObjectBox
from thinkaloud_worlds.franka.franka_arm import (
    FRANKA_JOINTS,
    FRANKA_LEAD,
    READY,
    FrankaAim,
    FrankaJoints,
    franka_aim_of,
    franka_joints_at,
)
from thinkaloud_worlds.franka.layout import FRANKA_FLOOR_Z, OPENS
from thinkaloud_worlds.franka.scene import FrankaScene
from thinkaloud_worlds.mujoco_shapes import MujocoBodies, topple
from thinkaloud_worlds.mujoco_sleep import restore_sleep
from thinkaloud_worlds.simulated_time import STEP, STEPS_PER_TICK

_ARM, THE_HAND, THE_TABLE = "the arm", "the hand", "the table"
_STEEP = 0.7  # a contact supports something if the vertical part of its normal is at least this
_STATE = mujoco.mjtState.mjSTATE_INTEGRATION


@dataclass(frozen=True, slots=True)
class Touch:
    """A contact: what the arm moves, what that touches, and whether the one stands on the other."""

    moving: str
    other: str
    standing: bool


class Table:
    """The table with everything on it, and the arm."""

    def __init__(self, scene: FrankaScene) -> None:
        self.scene, self.things = scene, scene.placed()
        self.names = tuple(self.things)
        self.model: Any = copy.copy(_compiled(scene))  # it stores grips, and what collides
        self.data: Any = mujoco.MjData(self.model)
        self._scratch: Any = mujoco.MjData(self.model)
        self._size = mujoco.mj_stateSize(self.model, _STATE)
        self.bodies = {name: self.model.body(f"thing{i}").id for i, name in enumerate(self.names)}
        self._qpos = {n: int(self.model.joint(f"free{i}").qposadr[0]) for i, n in enumerate(self.names)}
        self._dof = {n: int(self.model.joint(f"free{i}").dofadr[0]) for i, n in enumerate(self.names)}
        self._welds = {name: i for i, name in enumerate(self.names)}
        self._hand = self.model.body("hand").id
        self._fingers = tuple(self.model.geom(name).id for name in ("left", "right"))
        self._party = [self._named(geom) for geom in range(self.model.ngeom)]
        self._hulls = {
            name: [g for g in range(self.model.ngeom) if self._party[g] == name and self.model.geom_group[g] == 5]
            for name in self.names
        }
        whose = {body: name for name, body in self.bodies.items()}
        self.drawn = MujocoBodies(self.model, self.posed, whose, ("mount", "foot"))
        self._measured: tuple[bytes, dict[str, ObjectBox]] | None = None
        self.begin()

    def _named(self, geom: int) -> str:
        """The name of what a shape belongs to."""
        root = int(self.model.body_rootid[self.model.geom_bodyid[geom]])
        name = self.model.body(root).name
        if name.startswith("thing"):
            return self.names[int(name[5:])]
        if name == "mount":
            return _ARM
        if name != "foot":
            return THE_TABLE
        return THE_HAND if self.model.geom(geom).name in ("left", "right", "palm") else _ARM

    def begin(self) -> None:
        """Put everything where the scene has it, and the arm at home."""
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:FRANKA_JOINTS] = self.data.ctrl[:FRANKA_JOINTS] = franka_joints_at(READY)
        self.data.qpos[FRANKA_JOINTS : FRANKA_JOINTS + 2] = self.data.ctrl[FRANKA_JOINTS:] = OPENS / 2
        for name, placed in self.things.items():
            box = placed.box
            self._set(name, (box.x, box.y, box.z + 1e-4), math.radians(placed.yaw))
        self._settle()
        self.data.time = 0.0

    def _set(self, name: str, at: Xyz, yaw: float) -> None:
        address, dof = self._qpos[name], self._dof[name]
        turn = (math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2))
        self.data.qpos[address : address + 7] = (*at, *turn)
        self.data.qvel[dof : dof + 6] = 0.0

    def _settle(self) -> None:
        self._collide()
        mujoco.mj_forward(self.model, self.data)
        for _ in range(20):  # until everything is asleep
            self.tick()

    def put(self, name: str, x: float, y: float, bottom: float = 0.0) -> None:
        """Put a thing somewhere at once, in its original orientation; for things that come and go."""
        placed = self.things[name]
        now = self.data.time
        self._wake()
        self._set(name, (x, y, bottom + placed.kind.size[2] / 2 + 1e-4), math.radians(placed.yaw))
        self._settle()
        self.data.time = now

    def put_on_top(self, name: str, x: float, y: float) -> None:
        """Put a thing at once on whatever is highest at a point; the hand lets go of it first."""
        if self.held == name:
            self.release()
        boxes = [self.box(other) for other in self.names if other != name]
        under = [b for b in boxes if abs(x - b.x) <= b.length / 2 and abs(y - b.y) <= b.width / 2]
        self.put(name, x, y, max((b.z + b.height / 2 for b in under), default=0.0))

    def topple(self, name: str) -> None:
        """Make a thing fall over."""
        if self.held == name:
            self.release()
        now = self.data.time
        self._wake()
        topple(self.model, self.data, self.bodies[name], self.things[name].kind.size[2])
        self._settle()
        self.data.time = now

    def set_aside(self, name: str) -> None:
        """Put a thing on the floor behind the arm, out of sight."""
        self.put(name, -1.6 - 0.45 * self.names.index(name), 0.0, FRANKA_FLOOR_Z)

    def _wake(self) -> None:
        values = np.empty(self._size)
        mujoco.mj_getState(self.model, self.data, values, _STATE)
        mujoco.mj_resetData(self.model, self.data)
        mujoco.mj_setState(self.model, self.data, values, _STATE)

    # Motion -----------------------------------------------------------------------------------------------------------

    def tick(self, joints: FrankaJoints | None = None, speeds: FrankaJoints | None = None) -> None:
        """Run one control tick, with or without new commands for the arm, without watching for contacts."""
        if joints is not None:
            self.data.ctrl[:FRANKA_JOINTS] = joints if speeds is None else joints + FRANKA_LEAD * speeds
        mujoco.mj_step(self.model, self.data, nstep=STEPS_PER_TICK)

    def watched_tick(self, joints: FrankaJoints, speeds: FrankaJoints | None, meant: Collection[str]) -> Touch | None:
        """Run one control tick; stop at the first step at which the arm touches something it should not."""
        self.data.ctrl[:FRANKA_JOINTS] = joints if speeds is None else joints + FRANKA_LEAD * speeds
        for _ in range(STEPS_PER_TICK):
            mujoco.mj_step(self.model, self.data)
            if self.data.ncon:
                for touch in self.touches():
                    if touch.other not in meant:
                        return touch
        return None

    def touches(self) -> list[Touch]:
        """The contacts of the arm, the hand and what it holds."""
        contact, held = self.data.contact, self.held
        found = []
        for (a, b), frame in zip(contact.geom[contact.dist <= 0], contact.frame[contact.dist <= 0], strict=True):
            first, second = self._party[a], self._party[b]
            for one, other in ((first, second), (second, first)):
                if one in (_ARM, THE_HAND, held) and other not in (_ARM, THE_HAND, held):
                    found.append(Touch(one, other, abs(float(frame[2])) > _STEEP))
        return found

    def hold(self) -> None:
        """Stop the arm where it is, with its hand pointing down."""
        try:
            self.data.ctrl[:FRANKA_JOINTS] = franka_joints_at(self.actual())
        except SkillError:  # just beyond its reach
            self.data.ctrl[:FRANKA_JOINTS] = self.data.qpos[:FRANKA_JOINTS]

    def commanded(self) -> FrankaAim:
        """The hand's commanded place."""
        return franka_aim_of(self.data.ctrl[:FRANKA_JOINTS])

    def actual(self) -> FrankaAim:
        """Where the hand is."""
        return franka_aim_of(self.data.qpos[:FRANKA_JOINTS])

    def fingers(self, gap: float) -> None:
        """Move each finger to this distance from the middle of the hand."""
        self.data.ctrl[FRANKA_JOINTS:] = min(max(gap, 0.0), OPENS / 2)

    def gap(self) -> float:
        """The distance of each finger from the middle of the hand."""
        return float(self.data.qpos[FRANKA_JOINTS : FRANKA_JOINTS + 2].mean())

    # Where things are -------------------------------------------------------------------------------------------------

    def position(self, name: str) -> Xyz:
        """The centre of a thing."""
        at = self._qpos[name]
        x, y, z = self.data.qpos[at : at + 3]
        return float(x), float(y), float(z)

    def rotation(self, name: str) -> NDArray[np.float64]:
        """The rotation of a thing, as a matrix."""
        at, matrix = self._qpos[name], np.empty(9)
        mujoco.mju_quat2Mat(matrix, self.data.qpos[at + 3 : at + 7])
        return matrix.reshape(3, 3)

    def yaw(self, name: str) -> float:
        """How far a thing is turned about the vertical."""
        matrix = self.rotation(name)
        return math.atan2(float(matrix[1, 0]), float(matrix[0, 0]))

    def tilt(self, name: str) -> float:
        """The cosine of a thing's tilt: 1 if it is upright."""
        return float(self.rotation(name)[2, 2])

    def box(self, name: str) -> ObjectBox:
        """The box of a thing as it lies."""
        matrix, kind = self.rotation(name), self.things[name].kind
        half = np.array(kind.size) / 2
        if kind.shape == "ball":
            reach = np.sqrt(((matrix * half) ** 2).sum(axis=1))
        elif kind.round:
            axis = matrix[:, 2]
            reach = half[0] * np.sqrt(np.maximum(1 - axis**2, 0)) + half[2] * np.abs(axis)
        else:
            reach = np.abs(matrix) @ half
        length, width, height = (2 * float(side) for side in reach)
        return ObjectBox(*self.position(name), length, width, height)

    def boxes(self) -> dict[str, ObjectBox]:
        """The box of each thing, measured once as long as nothing moves."""
        now = self.data.qpos.tobytes()
        if self._measured is None or self._measured[0] != now:
            self._measured = now, {name: self.box(name) for name in self.names}
        return self._measured[1]

    def still(self) -> bool:
        """Whether nothing moves except the arm."""
        speeds = self.data.qvel[FRANKA_JOINTS + 2 :].reshape(-1, 6)
        return bool((np.abs(speeds) < (0.01, 0.01, 0.01, 0.2, 0.2, 0.2)).all())

    def posed(self) -> Any:
        """Where everything is, for pictures. Includes sleeping bodies, whose parts MuJoCo does not update."""
        mujoco.mj_resetData(self.model, self._scratch)
        self._scratch.qpos[:] = self.data.qpos
        mujoco.mj_kinematics(self.model, self._scratch)
        return self._scratch

    # Touch and grip ---------------------------------------------------------------------------------------------------

    def between_fingers(self) -> str | None:
        """The thing that both fingers touch."""
        left, right = set[str](), set[str]()
        for a, b in self.data.contact.geom[self.data.contact.dist <= 0.0005]:
            for finger, found in zip(self._fingers, (left, right), strict=True):
                if finger in (a, b):
                    found.add(self._party[b if a == finger else a])
        both = left & right & {*self.names}
        return min(both) if both else None

    @property
    def held(self) -> str | None:
        """What is in the hand."""
        active = self.data.eq_active
        return next((name for name, weld in self._welds.items() if active[weld]), None)

    def grip(self, name: str) -> None:
        """Hold a thing exactly as it is now."""
        mujoco.mj_kinematics(self.model, self.data)
        first, second = self._hand, self.bodies[name]
        back, offset, turn = np.zeros(4), np.zeros(3), np.zeros(4)
        mujoco.mju_negQuat(back, self.data.xquat[first])
        mujoco.mju_rotVecQuat(offset, self.data.xpos[second] - self.data.xpos[first], back)
        mujoco.mju_mulQuat(turn, back, self.data.xquat[second])
        self.model.eq_data[self._welds[name], :11] = np.concatenate([np.zeros(3), offset, turn, [1.0]])
        self.data.eq_active[self._welds[name]] = 1
        self._collide()

    def release(self) -> None:
        """Let go."""
        self.data.eq_active[:] = 0
        self._collide()

    def _collide(self) -> None:
        """Set which shapes collide: a held thing does not collide with the hand."""
        held = self.held
        for name, hulls in self._hulls.items():
            bits = bodies.HELD_CONTACTS if name == held else bodies.THING_CONTACTS
            for hull in hulls:
                self.model.geom_contype[hull], self.model.geom_conaffinity[hull] = bits

    # State ------------------------------------------------------------------------------------------------------------

    def state(self) -> tuple[bytes, bytes, bytes]:
        """Everything that changes while it runs: motion, grips, and which bodies sleep."""
        values = np.empty(self._size)
        mujoco.mj_getState(self.model, self.data, values, _STATE)
        return values.tobytes(), self.model.eq_data.tobytes(), self.data.tree_asleep.tobytes()

    def set_state(self, state: bytes, welds: bytes, asleep: bytes) -> None:
        """Restore a state. Raises ValueError if it does not belong to this scene."""
        sizes = {len(state) - 8 * self._size, len(welds) - self.model.eq_data.nbytes}
        if sizes != {0} or len(asleep) != self.data.tree_asleep.nbytes:
            raise ValueError("The snapshot is damaged: its state does not fit its scene.")
        values, sleeping = np.frombuffer(state), np.frombuffer(asleep, dtype=self.data.tree_asleep.dtype)
        self.model.eq_data[:] = np.frombuffer(welds).reshape(self.model.eq_data.shape)
        mujoco.mj_resetData(self.model, self.data)  # clears everything from before, even which bodies were awake
        mujoco.mj_setState(self.model, self.data, values, _STATE)
        self._collide()
        mujoco.mj_forward(self.model, self.data)
        mujoco.mj_setState(self.model, self.data, values, _STATE)  # forward() may have touched the warm start
        restore_sleep(self.model, self.data, sleeping)


@lru_cache(maxsize=8)
def _compiled(scene: FrankaScene) -> Any:
    """The model that all tables of one scene begin with; to be copied, not changed."""
    return mujoco.MjModel.from_xml_string(_xml(scene))


def _xml(scene: FrankaScene) -> str:
    things = tuple(scene.placed().values())
    parts = "".join(bodies.thing(i, each) for i, each in enumerate(things))
    welds = "".join(
        f'<weld body1="hand" body2="thing{i}" active="false" solref="0.008 1"/>' for i in range(len(things))
    )
    return f"""
    <mujoco><compiler angle="radian"/>
      <option timestep="{STEP}" integrator="implicitfast" cone="elliptic" impratio="5" iterations="30">
        <flag sleep="enable"/></option>
      <default><geom friction="0.6 0.02 0.0005" solref="0.01 1"/></default>
      <asset>{bodies.thing_meshes(things)}</asset>
      <worldbody>{bodies.franka_furniture()}{bodies.arm()}{parts}</worldbody>
      <actuator>{bodies.franka_actuators()}</actuator>
      <equality>{welds}</equality>
    </mujoco>"""

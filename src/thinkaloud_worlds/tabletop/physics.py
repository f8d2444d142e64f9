"""The physics: a scene as a MuJoCo model, with a suction cup that holds whatever it touches.

The state is complete: two models of the same scene that are given the same state continue identically, to the bit.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import mujoco
import numpy as np

from thinkaloud.worlds.geometry import Xyz
from thinkaloud_worlds.mujoco_shapes import MujocoBodies
from thinkaloud_worlds.simulated_time import STEP, STEPS_PER_TICK
from thinkaloud_worlds.tabletop import mjcf as shapes
from thinkaloud_worlds.tabletop import ur5e_arm as arm
from thinkaloud_worlds.tabletop.layout import FLOOR_Z, TABLE_THICKNESS, TABLE_TOP
from thinkaloud_worlds.tabletop.object_kinds import CONTAINERS, MOVABLE
from thinkaloud_worlds.tabletop.scene import Scene

_HOME: Xyz = (0.0, -0.34, 0.3)
_STEEP = 0.7  # a contact supports something if the vertical part of its normal is at least this
_STATE = mujoco.mjtState.mjSTATE_INTEGRATION


class Physics:
    """A table, an arm and the objects of a scene; if `fixed`, bowls and boxes are screwed to the table."""

    def __init__(self, scene: Scene, *, fixed: bool = False) -> None:
        self.scene = scene
        plan = _plan(scene, fixed)
        self.model: Any = copy.copy(plan.model)  # it stores how things hang from the cup
        self.pictures = plan.pictures
        self.data: Any = mujoco.MjData(self.model)
        self._probe: Any = mujoco.MjData(self.model)
        self._size = mujoco.mj_stateSize(self.model, _STATE)
        self.names = tuple(thing.name for thing in scene.objects)
        first = self.model.body("thing0").id
        self.bodies = {name: first + i for i, name in enumerate(self.names)}
        self.things = {thing.name: thing for thing in scene.objects}
        free = {i: name for i, name in enumerate(self.names) if not (fixed and self.things[name].kind in CONTAINERS)}
        self._address = {name: int(self.model.joint(f"free{i}").qposadr[0]) for i, name in free.items()}
        self.free = tuple(free.values())
        self._welds = {thing.name: i for i, thing in enumerate(t for t in scene.objects if t.kind in MOVABLE)}
        self._cup, self._hand = self.model.geom("cup").id, self.model.body("sucker").id
        self._tip = self.model.site("tip").id
        self.owner = self.model.geom_bodyid.copy()  # of each geom
        self.drawn = MujocoBodies(
            self.model, lambda: self.data, {body: name for name, body in self.bodies.items()}, ("base",)
        )
        self.begin()

    def begin(self) -> None:
        """Put everything where the scene has it, and the arm at home."""
        mujoco.mj_resetData(self.model, self.data)
        joints = arm.ur5e_joints_at(_HOME)
        self.data.qpos[: arm.UR5E_JOINTS] = joints
        self.data.ctrl[:] = joints
        mujoco.mj_forward(self.model, self.data)

    # Motion -----------------------------------------------------------------------------------------------------------

    def tick(self, joints: arm.Joints | None = None, speeds: arm.Joints | None = None) -> None:
        """Run one control tick, with or without new commands for the arm."""
        if joints is not None:
            self.data.ctrl[:] = joints if speeds is None else joints + arm.UR5E_LEAD * speeds
        mujoco.mj_step(self.model, self.data, nstep=STEPS_PER_TICK)

    def hold(self) -> None:
        """Stop the arm where it is."""
        self.data.ctrl[:] = self.data.qpos[: arm.UR5E_JOINTS]

    @property
    def still(self) -> bool:
        """Whether nothing on the table moves."""
        moving = self.data.qvel[arm.UR5E_JOINTS :].reshape(-1, 6)
        high = np.array([self.position(name)[2] > FLOOR_Z / 2 for name in self._address], dtype=bool)
        return not np.any(np.abs(moving[high]) > (0.01, 0.01, 0.01, 0.2, 0.2, 0.2))

    # Where things are -------------------------------------------------------------------------------------------------

    def position(self, name: str) -> Xyz:
        """The centre of a block or a toy, or of the base of anything else."""
        at = self._address.get(name)
        x, y, z = (self.model.body_pos[self.bodies[name]] if at is None else self.data.qpos[at : at + 3]).tolist()
        return x, y, z

    def commanded(self) -> Xyz:
        """The commanded place of the cup's tip: exact even while the arm still moves."""
        return arm.tip_of(self.data.ctrl)

    def tip(self) -> Xyz:
        """Where the tip of the cup is."""
        mujoco.mj_kinematics(self.model, self.data)
        x, y, z = self.data.site_xpos[self._tip]
        return float(x), float(y), float(z)

    # Touch and suction ------------------------------------------------------------------------------------------------

    def touched(self) -> tuple[str | None, bool]:
        """The block that the cup sits on squarely, if any; and whether it touches anything at all."""
        if not (self.data.contact.geom == self._cup).any():
            return None, False
        best, depth, any_touch = None, 0.0, False
        for contact in self.data.contact:
            if self._cup not in (contact.geom1, contact.geom2) or contact.dist > 0:
                continue
            any_touch = True
            other = self.owner[contact.geom2 if contact.geom1 == self._cup else contact.geom1]
            name = next((n for n in self._welds if self.bodies[n] == other), None)
            if name is not None and abs(contact.frame[2]) > 0.85 and contact.dist < depth:
                best, depth = name, contact.dist
        return best, any_touch

    def pressed(self, held: str | None = None) -> float:
        """The force, in newtons, with which the cup or what it holds presses on what is below."""
        own = {self._hand} if held is None else {self.bodies[held]}
        found, force = 0.0, np.zeros(6)
        for number, contact in enumerate(self.data.contact):
            pair = {int(self.owner[contact.geom1]), int(self.owner[contact.geom2])}
            if pair & own and pair != own and not (held is not None and self._hand in pair):
                mujoco.mj_contactForce(self.model, self.data, number, force)
                found += abs(force[0] * contact.frame[2])
        return float(found)

    def rests(self, name: str) -> bool:
        """Whether an object touches anything except the cup."""
        pairs = self.owner[self.data.contact.geom[self.data.contact.dist <= 0]]
        own, hand = (pairs == self.bodies[name]).any(axis=1), (pairs == self._hand).any(axis=1)
        return bool((own & ~hand).any())

    def stacked(self) -> list[tuple[int, int]]:
        """Which body rests on which: the upper and the lower one of every contact that pushes up or down."""
        probe = self._probe  # the query depends only on positions, and changes nothing
        probe.qpos[:] = self.data.qpos
        mujoco.mj_kinematics(self.model, probe)
        mujoco.mj_comPos(self.model, probe)
        mujoco.mj_collision(self.model, probe)
        contact = probe.contact
        steep = (np.abs(contact.frame[:, 2]) > _STEEP) & (contact.dist <= 0)
        pairs, up = self.owner[contact.geom[steep]], contact.frame[steep, 2] > 0  # normals point away from the first
        return [(int(b), int(a)) if rising else (int(a), int(b)) for (a, b), rising in zip(pairs, up, strict=True)]

    def height(self, name: str) -> float:
        """How far a thing reaches below the cup that holds it."""
        return self.things[name].height

    def turn(self, name: str) -> float:
        """A thing's rotation about the vertical, in radians."""
        matrix = np.zeros(9)
        mujoco.mju_quat2Mat(matrix, self.data.qpos[self._address[name] + 3 : self._address[name] + 7])
        return math.atan2(matrix[3], matrix[0])

    def put(self, name: str, at: Xyz, turn: Sequence[float] | None = None) -> None:
        """Move a thing at once: it stands still, upright and straight, with its underside at a point.

        `turn`, a quaternion, turns it about its middle.
        """
        first, body = self._address[name], self.bodies[name]
        x, y, z = at
        self.data.qpos[first : first + 7] = (x, y, z + self.things[name].middle, *(turn or (1.0, 0.0, 0.0, 0.0)))
        speed = int(self.model.body_dofadr[body])
        self.data.qvel[speed : speed + 6] = 0.0
        mujoco.mj_forward(self.model, self.data)

    @property
    def held(self) -> str | None:
        """What hangs from the cup."""
        active = self.data.eq_active
        return next((name for name, weld in self._welds.items() if active[weld]), None) if active.any() else None

    def suck(self, name: str) -> None:
        """Hold an object exactly as it is now, relative to the cup."""
        mujoco.mj_kinematics(self.model, self.data)
        hand, body, weld = self._hand, self.bodies[name], self._welds[name]
        back = np.zeros(4)
        mujoco.mju_negQuat(back, self.data.xquat[hand])
        offset, turn = np.zeros(3), np.zeros(4)
        mujoco.mju_rotVecQuat(offset, self.data.xpos[body] - self.data.xpos[hand], back)
        mujoco.mju_mulQuat(turn, back, self.data.xquat[body])
        self.model.eq_data[weld, :11] = np.concatenate([np.zeros(3), offset, turn, [1.0]])
        self.data.eq_active[weld] = 1

    def draw_in(self, name: str, share: float) -> None:
        """Draw the held thing towards the middle of the tool by this share of the way, as closing jaws do."""
        self.model.eq_data[self._welds[name], [3, 5]] *= 1 - share  # the tool points along its second axis

    def release(self) -> None:
        """Let go."""
        self.data.eq_active[:] = 0

    # State ------------------------------------------------------------------------------------------------------------

    def state(self) -> tuple[bytes, bytes]:
        """Everything that changes while it runs."""
        values = np.empty(self._size)
        mujoco.mj_getState(self.model, self.data, values, _STATE)
        return values.tobytes(), self.model.eq_data.tobytes()

    def set_state(self, state: bytes, welds: bytes) -> None:
        """Restore a state. Raises ValueError if it does not belong to this scene."""
        values, eq_data = np.frombuffer(state), np.frombuffer(welds)
        if values.size != self._size or eq_data.size != self.model.eq_data.size:
            raise ValueError("The snapshot is damaged: its state does not fit its scene.")
        self.model.eq_data[:] = eq_data.reshape(self.model.eq_data.shape)
        mujoco.mj_setState(self.model, self.data, values, _STATE)
        mujoco.mj_forward(self.model, self.data)
        mujoco.mj_setState(self.model, self.data, values, _STATE)  # forward() may have touched the warm start


@dataclass(frozen=True)
class _Plan:
    """What all tables of one scene share, such as twins, new episodes and restored tables."""

    model: Any
    pictures: dict[bytes, Any] = field(default_factory=dict)
    """The camera's recent pictures, by where things were."""


@lru_cache(maxsize=8)
def _plan(scene: Scene, fixed: bool) -> _Plan:
    return _Plan(mujoco.MjModel.from_xml_string(_xml(scene, fixed)))


def _xml(scene: Scene, fixed: bool) -> str:
    (x, y), thick = TABLE_TOP.centre, TABLE_THICKNESS / 2
    half = (TABLE_TOP.x[1] - TABLE_TOP.x[0]) / 2
    placed = scene.placed().values()
    things = "".join(
        shapes.body(i, thing, (x, y, z), fixed and thing.kind in CONTAINERS)
        for i, (thing, x, y, z) in enumerate(placed)
    )
    held = (i for i, thing in enumerate(scene.objects) if thing.kind in MOVABLE)
    welds = "".join(f'<weld body1="sucker" body2="thing{i}" active="false" solref="0.01 1"/>' for i in held)
    legs = "".join(
        f'<geom type="box" size="0.02 0.02 {(-FLOOR_Z - TABLE_THICKNESS) / 2}" contype="0" conaffinity="0" group="4" '
        f'rgba="0.36 0.30 0.26 1" pos="{x + sx * (half - 0.03)} {y + sy * (half - 0.03)} '
        f'{(FLOOR_Z - TABLE_THICKNESS) / 2}"/>'
        for sx in (-1, 1)
        for sy in (-1, 1)
    )
    return f"""
    <mujoco><compiler angle="radian"/>
      <option timestep="{STEP}" integrator="implicitfast" cone="elliptic" impratio="5" iterations="30"/>
      <default><geom friction="0.8 0.02 0.0005" solref="0.01 1"/></default>
      <worldbody>
        <geom name="floor" type="plane" size="4 4 0.1" pos="0 0 {FLOOR_Z}" rgba="0.78 0.79 0.80 1" group="4"/>
        <geom name="table" type="box" size="{half} {half} {thick}" pos="{x} {y} {-thick}" rgba="0.80 0.71 0.58 1"/>
        {legs}{arm.xml()}{things}
      </worldbody>
      <actuator>{arm.ur5e_actuators()}</actuator>
      <equality>{welds}</equality>
    </mujoco>"""

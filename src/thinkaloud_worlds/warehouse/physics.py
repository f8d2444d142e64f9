"""The physics of the hall: a MuJoCo model that checks at every step what the robot touches.

The robot has three joints (x, y, heading), each kept at a speed by a servo of limited force: what it runs into stops
it. Late things appear at their time, but never nearer than `SPARES` to the robot: people who put things down do see it.
The state is complete: two halls of the same scene that are given the same state continue identically, to the bit.
"""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from thinkaloud_worlds.mujoco_shapes import MujocoBodies
from thinkaloud_worlds.ray_casting import cast_rays
from thinkaloud_worlds.warehouse.floor_geometry import EYE, HEIGHT, LENGTH, ROUND, VIEW, WIDTH, Grid, Rect, RobotPose
from thinkaloud_worlds.warehouse.landmarks import KINDS
from thinkaloud_worlds.warehouse.scene import HallScene, Late

_STEP = 0.01
_STEPS_PER_TICK = 4
DRIVE_TICK = _STEP * _STEPS_PER_TICK
SPARES = 0.8  # the least distance from the robot's circle to a thing that is put down
_MASS = 60.0
_AWAY = -20.0  # where late things wait, below the floor
_MAPPED = "a wall or a shelf"
_STATE = mujoco.mjtState.mjSTATE_INTEGRATION
_ALL = np.ones(6, dtype=np.uint8)
_AHEAD = np.radians(np.arange(-VIEW / 2, VIEW / 2 + 0.1, 2.0))
_ROUND = np.radians(np.arange(-180.0, 180.0, 2.0))


class Hall:
    """The hall with everything in it, and the robot."""

    def __init__(self, scene: HallScene) -> None:
        self.scene, self.things = scene, scene.unexpected()
        self.names = tuple(self.things)
        self.model: Any = mujoco.MjModel.from_xml_string(_xml(scene))
        self.data: Any = mujoco.MjData(self.model)
        self._size = mujoco.mj_stateSize(self.model, _STATE)
        self._robot = self.model.body("robot").id
        self._thing = np.full(self.model.ngeom, -1)
        for i in range(len(self.names)):
            self._thing[self.model.geom(f"thing{i}").id] = i
        self._late = {name: i for i, (name, each) in enumerate(self.things.items()) if isinstance(each, Late)}
        self._mocap = {n: int(self.model.body(f"late{i}").mocapid[0]) for n, i in self._late.items()}
        named = {self.model.geom(f"thing{i}").id: name for i, name in enumerate(self.names)}
        kinds = {geom: self.things[name].kind for geom, name in named.items()}
        colours = {geom: KINDS[kind].colour for geom, kind in kinds.items() if kind in KINDS}
        self.drawn = MujocoBodies(self.model, lambda: self.data, {}, ("robot",), geoms=named, colours=colours)
        self.touching: tuple[str, ...] = ()
        self.collisions: tuple[str, ...] = ()
        x, y, degrees = scene.start
        self.data.qpos[:] = (x, y, math.remainder(math.radians(degrees), math.tau))
        mujoco.mj_forward(self.model, self.data)
        self._put_down()

    # Where things are -------------------------------------------------------------------------------------------------

    @property
    def pose(self) -> RobotPose:
        """Where the robot is."""
        x, y, heading = (float(value) for value in self.data.qpos)
        return RobotPose(x, y, math.remainder(heading, math.tau))

    @property
    def speed(self) -> float:
        """The robot's speed, including turning."""
        x, y, turn = (float(value) for value in self.data.qvel)
        return math.hypot(x, y, ROUND * turn)

    def present(self, name: str) -> bool:
        """Whether something that is not on the map is there by now."""
        return name not in self._late or float(self.data.mocap_pos[self._mocap[name], 2]) > 0

    # Motion -----------------------------------------------------------------------------------------------------------

    def tick(self, forward: float = 0.0, turning: float = 0.0) -> None:
        """Run one control tick at these driving and turning speeds; every new contact is counted."""
        for _ in range(_STEPS_PER_TICK):
            heading = float(self.data.qpos[2])
            self.data.ctrl[:] = (forward * math.cos(heading), forward * math.sin(heading), turning)
            mujoco.mj_step(self.model, self.data)
            if self.data.ncon or self.touching:
                self._touch()
        self._put_down()

    def _touch(self) -> None:
        contact = self.data.contact
        pairs = contact.geom[contact.dist <= 0]
        indices = {int(self._thing[geoms].max()) for geoms in pairs}
        now = tuple(sorted(_MAPPED if i < 0 else self.names[i] for i in indices))
        fresh = [name for name in now if name not in self.touching]
        x, y = self.pose.xy
        self.collisions += tuple(f"The robot ran into {_the(name)} at ({x:.1f}, {y:.1f})." for name in fresh)
        self.touching = now

    def _put_down(self) -> None:
        pose, now = self.pose, float(self.data.time)
        for name in self._late:
            if self.present(name):
                continue
            thing = self.things[name]
            assert isinstance(thing, Late)
            gap = thing.rect.gap(pose.x, pose.y)
            due = now >= thing.after if thing.after is not None else gap <= float(thing.near or 0) + ROUND
            if due and gap >= SPARES + ROUND:
                self.data.mocap_pos[self._mocap[name], 2] = _height(thing.kind) / 2

    # Sensing ----------------------------------------------------------------------------------------------------------

    def scan(self, *, all_round: bool = False) -> tuple[Grid, Grid, NDArray[np.int32]]:
        """What the scanner sees: directions from ahead, distances (inf for nothing), and which thing (-1: mapped)."""
        mujoco.mj_kinematics(self.model, self.data)
        pose = self.pose
        angles = _ROUND if all_round else _AHEAD
        turned = angles + pose.heading
        rays = np.stack([np.cos(turned), np.sin(turned), np.zeros(len(turned))], axis=1)
        geoms, distances, _ = cast_rays(self.model, self.data, np.array([pose.x, pose.y, EYE]), rays, _ALL, self._robot)
        met = np.where(geoms >= 0, distances, np.inf)
        return angles, met, np.where(geoms >= 0, self._thing[geoms], -1).astype(np.int32)

    # State ------------------------------------------------------------------------------------------------------------

    def state(self) -> bytes:
        """Everything that moves."""
        values = np.empty(self._size)
        mujoco.mj_getState(self.model, self.data, values, _STATE)
        return values.tobytes()

    def check_state(self, state: bytes) -> None:
        """Raise ValueError if it is not a state of this scene."""
        if len(state) != 8 * self._size or not np.isfinite(np.frombuffer(state)).all():
            raise ValueError("The snapshot is damaged: its state does not fit its scene.")

    def set_state(self, state: bytes) -> None:
        """Restore a state. Raises ValueError if it does not belong to this scene."""
        self.check_state(state)
        values = np.frombuffer(state)
        mujoco.mj_resetData(self.model, self.data)
        mujoco.mj_setState(self.model, self.data, values, _STATE)
        mujoco.mj_forward(self.model, self.data)
        mujoco.mj_setState(self.model, self.data, values, _STATE)  # forward() may have touched the warm start


def _the(name: str) -> str:
    return name if name == _MAPPED else f"the {name}"


def _height(kind: str) -> float:
    return KINDS[kind].height if kind in KINDS else 0.6


def _box(name: str, rect: Rect, height: float, at: tuple[float, float] | None = None) -> str:
    x, y = (rect.x, rect.y) if at is None else at
    z = height / 2 if at is None else 0.0
    size = f"{rect.length / 2:.6g} {rect.width / 2:.6g} {height / 2:.6g}"
    return f'<geom name="{name}" type="box" pos="{x:.6g} {y:.6g} {z:.6g}" size="{size}" contype="1"/>'


def _xml(scene: HallScene) -> str:
    fixed = "".join(_box(f"known{i}", rect, 2.0) for i, rect in enumerate(scene.known()))
    things = ""
    for i, each in enumerate(scene.unexpected().values()):
        height = _height(each.kind)
        if isinstance(each, Late):
            geom = _box(f"thing{i}", each.rect, height, at=(0.0, 0.0))
            things += f'<body name="late{i}" mocap="true" pos="{each.x:.6g} {each.y:.6g} {_AWAY}">{geom}</body>'
        else:
            things += _box(f"thing{i}", each.rect, height)
    return f"""
    <mujoco><compiler angle="radian"/>
      <option timestep="{_STEP}" integrator="implicitfast"/>
      <default><geom contype="0" conaffinity="0"/></default>
      <worldbody>{fixed}{things}
        <body name="robot">
          <joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/>
          <joint name="heading" type="hinge" axis="0 0 1"/>
          <geom name="robot" type="box" pos="0 0 {HEIGHT / 2 + 0.02}" size="{LENGTH / 2} {WIDTH / 2} {HEIGHT / 2}"
                mass="{_MASS}" conaffinity="1"/>
        </body>
      </worldbody>
      <actuator>
        <velocity joint="x" kv="3000" forcerange="-250 250"/><velocity joint="y" kv="3000" forcerange="-250 250"/>
        <velocity joint="heading" kv="200" forcerange="-60 60"/>
      </actuator>
    </mujoco>"""

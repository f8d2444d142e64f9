"""The physics of the counter: a MuJoCo model with a two-fingered hand that feels what it touches.

A thing that both fingers press on can be held: it is welded to the hand, so that it does not slip. Cups in the stack
and ladles in their tubs are welded in place until they are taken. A thing at rest sleeps, and costs nothing until it is
touched. The state is complete: two counters of the same scene that are given the same state continue identically, to
the bit.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import mujoco
import numpy as np

from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.drinks import mjcf as bodies
from thinkaloud_worlds.drinks.colours import colour_for
from thinkaloud_worlds.drinks.inverse_kinematics import DrinksAim, drinks_aim_of, drinks_joints_at
from thinkaloud_worlds.drinks.layout import FINISHED, FORMS, NESTED, SHELF, STACK, VesselForm, stations
from thinkaloud_worlds.drinks.mjcf import NESTED_BITS, OPEN_FINGERS, THING
from thinkaloud_worlds.drinks.scene import CounterScene
from thinkaloud_worlds.mujoco_shapes import MujocoBodies
from thinkaloud_worlds.mujoco_sleep import restore_sleep
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.simulated_time import STEP, STEPS_PER_TICK
from thinkaloud_worlds.tabletop import ur5e_arm as arm

_HOME = DrinksAim(0.0, -0.46, 0.34)
_STATE = mujoco.mjtState.mjSTATE_INTEGRATION


@dataclass(frozen=True, slots=True)
class CounterThing:
    """Something that the hand can hold: its name, its body, its form, and what it is for."""

    name: str
    body: str
    kind: str
    ingredient: str = ""

    @property
    def form(self) -> VesselForm:
        """How it is held and how it pours."""
        return FORMS[self.kind]

    @property
    def docked(self) -> bool:
        """Whether it has a dock: a stack, a tub or a holder."""
        return self.kind in ("cup", "ladle", "stirrer")


class CounterPhysics:
    """The counter with everything on it, and the arm."""

    def __init__(self, scene: CounterScene) -> None:
        self.scene = scene
        self.things = _things(scene)
        self.cups = tuple(name for name, thing in self.things.items() if thing.kind == "cup")
        self.stations = stations(len(scene.ingredients) + 1)
        self.model: Any = copy.copy(_compiled(scene))  # it stores grips, places and what is drawn
        self.data: Any = mujoco.MjData(self.model)
        self._scratch: Any = mujoco.MjData(self.model)
        self._size = mujoco.mj_stateSize(self.model, _STATE)
        self._body = {name: self.model.body(thing.body).id for name, thing in self.things.items()}
        self._hull = {name: self.model.geom(f"hull_{thing.body}").id for name, thing in self.things.items()}
        self._owner = {geom: name for name, geom in self._hull.items()}
        self._qpos = {n: int(self.model.joint(f"free_{t.body}").qposadr[0]) for n, t in self.things.items()}
        self._dof = {n: int(self.model.joint(f"free_{t.body}").dofadr[0]) for n, t in self.things.items()}
        self._grips = {name: i for i, name in enumerate(self.things)}
        self._docks = {n: len(self.things) + i for i, n in enumerate(n for n, t in self.things.items() if t.docked)}
        self._feelers = tuple(self.model.geom(name).id for name in ("left", "right", "palm"))
        self._hand = self.model.body("palm").id
        self._tubs = {n: self.model.body(f"tub_{t.body}").id for n, t in self.things.items() if t.kind == "ladle"}
        self.homes: dict[str, Xy] = {}
        self.drawn = MujocoBodies(self.model, self.posed, {b: n for n, b in self._body.items()}, ("base",))
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Put everything in its place and the arm at home; the seed decides which ingredient stands where."""
        rng = generator(seed, 0xD21)
        names = [each.name for each in self.scene.ingredients]
        order = [names[int(i)] for i in rng.permutation(len(names))]
        order.insert(len(self.stations) // 2, "stirrer")
        self.homes = dict(zip(order, self.stations, strict=True))
        self._place_tubs()
        mujoco.mj_resetData(self.model, self.data)
        joints = drinks_joints_at(_HOME)
        self.data.qpos[: arm.UR5E_JOINTS] = self.data.ctrl[: arm.UR5E_JOINTS] = joints
        for name in self.things:
            at = self._qpos[name]
            self.data.qpos[at : at + 7] = (*self._begins(name), 1.0, 0.0, 0.0, 0.0)
        mujoco.mj_kinematics(self.model, self.data)
        for name in self._docks:
            self.dock(name)
        mujoco.mj_forward(self.model, self.data)
        for _ in range(15):  # until everything is asleep
            self.tick()
        self.data.time = 0.0

    def _begins(self, name: str) -> tuple[float, float, float]:
        if name in self.cups:
            return (*STACK, (len(self.cups) - 1 - self.cups.index(name)) * NESTED)
        return (*self.homes[name], self.home_height(name))

    def home_height(self, name: str) -> float:
        """The height of a container in its place: a ladle lies in its tub."""
        return SHELF + (0.03 if self.things[name].kind == "ladle" else 0.02 if name == "stirrer" else 0.0)

    def _place_tubs(self) -> None:
        for name, body in self._tubs.items():
            self.model.body_pos[body] = (*self.homes[name], SHELF)
        self.model.body_pos[self.model.body("holder").id] = (*self.homes["stirrer"], SHELF)

    # Motion -----------------------------------------------------------------------------------------------------------

    def tick(self, joints: arm.Joints | None = None, speeds: arm.Joints | None = None) -> None:
        """Run one control tick, with or without new commands for the arm."""
        if joints is not None:
            self.data.ctrl[: arm.UR5E_JOINTS] = joints if speeds is None else joints + arm.UR5E_LEAD * speeds
        mujoco.mj_step(self.model, self.data, nstep=STEPS_PER_TICK)

    def hold(self) -> None:
        """Stop the arm where it is; the hand stays level."""
        self.data.ctrl[: arm.UR5E_JOINTS] = drinks_joints_at(self.actual())

    def commanded(self) -> DrinksAim:
        """The hand's commanded place."""
        return drinks_aim_of(self.data.ctrl[: arm.UR5E_JOINTS])

    def actual(self) -> DrinksAim:
        """Where the hand is."""
        return drinks_aim_of(self.data.qpos[: arm.UR5E_JOINTS])

    def fingers(self, left: float, right: float) -> None:
        """Move the fingers to these distances from the middle of the hand."""
        self.data.ctrl[arm.UR5E_JOINTS :] = OPEN_FINGERS - left, OPEN_FINGERS - right

    def gaps(self) -> tuple[float, float]:
        """The distances of the fingers from the middle of the hand."""
        left, right = self.data.qpos[arm.UR5E_JOINTS : arm.UR5E_JOINTS + 2]
        return OPEN_FINGERS - float(left), OPEN_FINGERS - float(right)

    # Where things are -------------------------------------------------------------------------------------------------

    def position(self, name: str) -> tuple[float, float, float]:
        """The middle of a thing's underside."""
        at = self._qpos[name]
        x, y, z = self.data.qpos[at : at + 3]
        return float(x), float(y), float(z)

    def upright(self, name: str) -> float:
        """The cosine of a thing's tilt: 1 if it is upright."""
        _, x, y, _ = self.data.qpos[self._qpos[name] + 3 : self._qpos[name] + 7]
        return float(1 - 2 * (x * x + y * y))

    def lip(self, name: str) -> tuple[float, float, float]:
        """The point of a thing's rim over which its contents run: the lowest one, if it is tilted."""
        at, axis = self._qpos[name], np.zeros(3)
        mujoco.mju_rotVecQuat(axis, np.array([0.0, 0.0, 1.0]), self.data.qpos[at + 3 : at + 7])
        across, height = self.things[name].form.lip
        point = self.data.qpos[at : at + 3] + height * axis
        down = axis[2] * axis - (0.0, 0.0, 1.0)
        steep = float(np.linalg.norm(down))
        x, y, z = point + across / steep * down if steep > 0.05 else point
        return float(x), float(y), float(z)

    def still(self, name: str) -> bool:
        """Whether a thing is at rest."""
        at = self._dof[name]
        return bool((np.abs(self.data.qvel[at : at + 6]) < (0.01, 0.01, 0.01, 0.2, 0.2, 0.2)).all())

    def posed(self) -> Any:
        """Where everything is, for pictures. Includes sleeping bodies, whose parts MuJoCo does not update."""
        mujoco.mj_resetData(self.model, self._scratch)
        self._scratch.qpos[:] = self.data.qpos
        mujoco.mj_kinematics(self.model, self._scratch)
        return self._scratch

    # Touch and grip ---------------------------------------------------------------------------------------------------

    def touched(self) -> tuple[str | None, str | None, str | None]:
        """What the left finger, the right finger and the palm touch."""
        found: list[str | None] = [None, None, None]
        count = self.data.ncon
        if count:
            geoms, near = self.data.contact.geom, self.data.contact.dist <= 0.0005
            for a, b in geoms[near]:
                for i, feeler in enumerate(self._feelers):
                    if feeler in (a, b):
                        found[i] = self._owner.get(int(b if a == feeler else a), found[i])
        return found[0], found[1], found[2]

    def rests(self, name: str) -> bool:
        """Whether a thing touches anything except the hand."""
        hull = self._hull[name]
        for a, b in self.data.contact.geom[self.data.contact.dist <= 0]:
            if hull in (a, b) and not {int(a), int(b)} & {*self._feelers}:
                return True
        return False

    @property
    def held(self) -> str | None:
        """What is in the hand."""
        return next((name for name, weld in self._grips.items() if self.data.eq_active[weld]), None)

    def grip(self, name: str) -> None:
        """Hold a thing exactly as it is now; its dock releases it."""
        if name in self._docks:
            self.data.eq_active[self._docks[name]] = 0
        self._weld(self._grips[name], self._hand, self._body[name])
        self._collide()

    def release(self) -> None:
        """Let go."""
        for weld in self._grips.values():
            self.data.eq_active[weld] = 0

    def dock(self, name: str) -> None:
        """Fix a thing in its dock, exactly where it is now."""
        self._weld(self._docks[name], 0, self._body[name])
        self._collide()

    def docked(self, name: str) -> bool:
        """Whether a thing is in its dock: a cup in the stack, a ladle in its tub."""
        return name in self._docks and bool(self.data.eq_active[self._docks[name]])

    def _weld(self, weld: int, first: int, second: int) -> None:
        mujoco.mj_kinematics(self.model, self.data)
        back, offset, turn = np.zeros(4), np.zeros(3), np.zeros(4)
        mujoco.mju_negQuat(back, self.data.xquat[first])
        mujoco.mju_rotVecQuat(offset, self.data.xpos[second] - self.data.xpos[first], back)
        mujoco.mju_mulQuat(turn, back, self.data.xquat[second])
        self.model.eq_data[weld, :11] = np.concatenate([np.zeros(3), offset, turn, [1.0]])
        self.data.eq_active[weld] = 1

    def _collide(self) -> None:
        """Set which shapes collide: the top cup of the stack, and a thing in a tub, collide only with the fingers."""
        top = next((name for name in self.cups if self.docked(name)), None)
        for name in self._docks:
            nested = self.docked(name) or self.things[name].kind != "cup"
            bits = THING if not nested else (0, 0) if name in self.cups and name != top else NESTED_BITS
            hull = self._hull[name]
            self.model.geom_contype[hull], self.model.geom_conaffinity[hull] = bits

    # State ------------------------------------------------------------------------------------------------------------

    def state(self) -> tuple[bytes, bytes, bytes]:
        """Everything that changes while it runs: motion, grips, and which bodies sleep."""
        values = np.empty(self._size)
        mujoco.mj_getState(self.model, self.data, values, _STATE)
        return values.tobytes(), self.model.eq_data.tobytes(), self.data.tree_asleep.tobytes()

    def set_state(self, state: bytes, welds: bytes, asleep: bytes, homes: dict[str, Xy]) -> None:
        """Restore a state. Raises ValueError if it does not belong to this scene."""
        sizes = {len(state) - 8 * self._size, len(welds) - self.model.eq_data.nbytes}
        if sizes != {0} or len(asleep) != self.data.tree_asleep.nbytes or {*homes} != {*self.homes}:
            raise ValueError("The snapshot is damaged: its state does not fit its scene.")
        values, sleeping = np.frombuffer(state), np.frombuffer(asleep, dtype=self.data.tree_asleep.dtype)
        self.model.eq_data[:] = np.frombuffer(welds).reshape(self.model.eq_data.shape)
        self.homes = homes
        self._place_tubs()
        mujoco.mj_resetData(self.model, self.data)  # clears everything from before, even which bodies were awake
        mujoco.mj_setState(self.model, self.data, values, _STATE)
        self._collide()
        mujoco.mj_forward(self.model, self.data)
        mujoco.mj_setState(self.model, self.data, values, _STATE)  # forward() may have touched the warm start
        restore_sleep(self.model, self.data, sleeping)


def _things(scene: CounterScene) -> dict[str, CounterThing]:
    """What the hand can hold, by name."""
    things = [CounterThing(f"{scene.vessel} {i + 1}", f"cup{i}", "cup") for i in range(scene.vessels)]
    for i, each in enumerate(scene.ingredients):
        things.append(CounterThing(each.name, f"thing{i}", "ladle" if each.scooped else each.container, each.name))
    return {thing.name: thing for thing in (*things, CounterThing("stirrer", "stirrer", "stirrer"))}


@lru_cache(maxsize=8)
def _compiled(scene: CounterScene) -> Any:
    """The model that all counters of one scene begin with; to be copied, not changed."""
    return mujoco.MjModel.from_xml_string(_xml(scene))


def _xml(scene: CounterScene) -> str:
    things, places, parts = _things(scene), stations(len(scene.ingredients) + 1), []
    for thing in things.values():
        colour = (*colour_for(thing.ingredient), 1.0)
        if thing.kind == "cup":
            parts.append(bodies.cup(int(thing.body[3:]), (0.80, 0.90, 0.95, 0.5)))
        elif thing.kind == "ladle":
            parts.append(bodies.ladle(thing.body, colour) + bodies.tub(thing.body, places[0], colour))
        elif thing.kind == "stirrer":
            parts.append(bodies.stirrer() + bodies.holder(places[0]))
        else:
            parts.append(bodies.container(thing.body, thing.kind, colour))
    welds = "".join(
        f'<weld body1="palm" body2="{t.body}" active="false" solref="0.008 1"/>' for t in things.values()
    ) + "".join(
        f'<weld body1="world" body2="{t.body}" active="false" solref="0.008 1"/>' for t in things.values() if t.docked
    )
    fingers = "".join(f'<position joint="{name}" kp="500" kv="25" forcerange="-7 7"/>' for name in ("left", "right"))
    return f"""
    <mujoco><compiler angle="radian"/>
      <option timestep="{STEP}" integrator="implicitfast" cone="elliptic" impratio="5" iterations="30">
        <flag sleep="enable"/></option>
      <default><geom friction="0.6 0.02 0.0005" solref="0.01 1"/></default>
      <asset>{bodies.counter_meshes()}</asset>
      <worldbody>{bodies.counter_furniture(places)}{bodies.spots(FINISHED)}{bodies.stream()}{arm.xml(bodies.hand())}{"".join(parts)}</worldbody>
      <actuator>{arm.ur5e_actuators()}{fingers}</actuator>
      <equality>{welds}</equality>
    </mujoco>"""

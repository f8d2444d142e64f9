"""The clutter of the sorting task: toys heaped up on a plate so that the camera cannot see all of them.

The paper: "Due to occlusions and reduced object detection performance in clutter, some objects may not be detected in
the initial clutter" (appendix B.2). Two toys lie in the middle, two beside them and two on top; which, the seed says.
Such a heap is put up again, another way, until at least two of the toys are hidden and nothing rolls any more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import mujoco
import numpy as np
from numpy.typing import NDArray

from thinkaloud.worlds.geometry import Xyz
from thinkaloud_worlds.ray_casting import cast_rays, unit
from thinkaloud_worlds.real_table.wrist_camera import SHOWN, pose_by_joints
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.tabletop import ur5e_arm as arm
from thinkaloud_worlds.tabletop.physics import Physics
from thinkaloud_worlds.tabletop.scene import Scene, Thing

HIDDEN = 2
"""How many toys the camera cannot see at the start, at least."""
SHARE = 0.25
"""A toy is hidden if the camera sees a smaller share of it than this."""
_SALT, _HEAPS = 0x4EA9, 200
_FLOOR, _GAP, _LOOSE = 0.006, 0.001, 0.004
_GENTLY, _SETTLING = 25, 30  # ticks while the toys are let down, and until they lie still
_RAYS = 64


def heap_up(physics: Physics, seed: int) -> None:
    """Heap up the toys on their plate, so that at least two of them are hidden to the camera where the arm is."""
    physics.set_state(*_heaped(physics.scene, tuple(physics.data.qpos[: arm.UR5E_JOINTS].tolist()), seed))


@lru_cache(maxsize=32)
def _heaped(scene: Scene, joints: tuple[float, ...], seed: int) -> tuple[bytes, bytes]:
    """The state with the toys heaped up; the last heap that was tried, if none hides enough."""
    physics, rng = Physics(scene), generator(seed, _SALT)
    physics.data.qpos[: arm.UR5E_JOINTS] = joints
    physics.data.ctrl[:] = joints
    toys = [thing for thing in scene.objects if thing.on and thing.kind in ("fruit", "bottle")]
    for _ in range(_HEAPS if toys else 0):
        _place(physics, [toys[int(at)] for at in rng.permutation(len(toys))], rng)
        if len(hidden_things(physics, toys)) < HIDDEN:  # letting them down takes longer than looking
            continue
        _let_down(physics)
        lie = physics.still and all(_lies_on(physics, toy) for toy in toys)
        if lie and len(hidden_things(physics, toys)) >= HIDDEN:
            break
    return physics.state()


def hidden_things(physics: Physics, things: Sequence[Thing]) -> list[str]:
    """Return the names of the things that the camera at the wrist hardly sees or does not see, by the true state."""
    mujoco.mj_kinematics(physics.model, physics.data)
    _, eye = pose_by_joints(physics.data.qpos[: arm.UR5E_JOINTS])
    return [thing.name for thing in things if _visible_share(physics, thing, eye) < SHARE]


def _visible_share(physics: Physics, thing: Thing, eye: NDArray[np.float64]) -> float:
    """The share of rays to a thing's outline that nothing else stops."""
    towards = np.array(physics.position(thing.name)) - eye
    upright = physics.data.xmat[physics.bodies[thing.name]].reshape(3, 3)[:, 2]
    side = unit(np.cross(towards, upright)[None])[0]
    long, wide = np.cross(side, unit(towards[None])[0]) * thing.across / 2, side * thing.across / 2
    if thing.kind == "bottle":
        long = upright * thing.height / 2
    number = np.arange(_RAYS) + 0.5
    far, turn = 0.95 * np.sqrt(number / _RAYS), number * math.pi * (3 - math.sqrt(5))  # evenly over the outline
    rays = towards + (far * np.cos(turn))[:, None] * long + (far * np.sin(turn))[:, None] * wide
    shapes, _, _ = cast_rays(physics.model, physics.data, eye, unit(rays), SHOWN)
    return float(np.mean(np.where(shapes >= 0, physics.owner[shapes], -1) == physics.bodies[thing.name]))


def _place(physics: Physics, toys: Sequence[Thing], rng: np.random.Generator) -> None:
    """Put two toys side by side in the middle of their plate, two along both sides of them, and the others on top."""
    below, beside, above = toys[:2], toys[2:4], toys[4:]
    px, py, _ = physics.position(toys[0].on)
    yaw = float(rng.uniform(0, 2 * math.pi))
    along, across = _lying(yaw), _lying(yaw + math.pi / 2)

    def put(toy: Thing, x: float, y: float, height: float, turn: NDArray[np.float64]) -> None:
        x, y = x + rng.uniform(-_LOOSE, _LOOSE), y + rng.uniform(-_LOOSE, _LOOSE)
        at: Xyz = (
            px + x * math.cos(yaw) - y * math.sin(yaw),
            py + x * math.sin(yaw) + y * math.cos(yaw),
            height + _thick(toy) / 2 - toy.middle,
        )
        physics.put(toy.name, at, tuple(turn) if toy.kind == "bottle" else None)

    places = -below[0].across / 2, below[1].across / 2
    for toy, place in zip(below, places, strict=True):
        put(toy, 0.0, place, _FLOOR, across)
    for toy, side in zip(beside, (-1, 1), strict=True):
        wide = (max(each.across for each in below) + toy.across) / 2 + _GAP
        put(toy, side * wide, 0.0, _FLOOR, along)
    top = _FLOOR + max(map(_thick, (*below, *beside))) + 2 * _GAP
    for toy, place in zip(above, places, strict=True):
        put(toy, 0.0, 1.1 * place, top, across)


def _lying(yaw: float) -> NDArray[np.float64]:
    """The turn of a bottle that lies, with its neck in this direction."""
    half = math.sqrt(0.5)
    turn = np.zeros(4)
    mujoco.mju_mulQuat(turn, np.array([math.cos(yaw / 2), 0, 0, math.sin(yaw / 2)]), np.array([half, half, 0, 0]))
    return turn


def _thick(toy: Thing) -> float:
    """How high a toy is as it lies."""
    return toy.across if toy.kind == "bottle" else toy.height


def _let_down(physics: Physics) -> None:
    """Let the toys down slowly, as by hand, then let go."""
    for _ in range(_GENTLY):
        physics.tick()
        physics.data.qvel[arm.UR5E_JOINTS :] = 0.0
    for _ in range(_SETTLING):
        physics.tick()


def _lies_on(physics: Physics, thing: Thing) -> bool:
    x, y, z = physics.position(thing.name)
    px, py, _ = physics.position(thing.on)
    return math.hypot(x - px, y - py) < physics.things[thing.on].across / 2 and z > 0

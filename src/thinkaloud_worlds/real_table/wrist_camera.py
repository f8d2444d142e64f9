"""The camera at the wrist: what it sees, and where it is.

The robot works out where the camera is from its joint angles and from how the camera is mounted, as with any
hand-mounted camera. The tool and what hangs from it appear at the lower edge of the picture.
"""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from thinkaloud.worlds.geometry import Xyz
from thinkaloud_worlds.camera_pictures import Camera, Photograph, photograph
from thinkaloud_worlds.tabletop import ur5e_arm as arm
from thinkaloud_worlds.tabletop.physics import Physics

CAMERA = Camera(320, 240, 255.0)
LOOK: Xyz = (0.0, -0.575, 0.56)
"""The robot's lookout: where the tip of the cup is while the whole table is in view."""
_MOUNT = np.array([0.0, 0.05, -0.075])
"""Where the camera is in the frame of the hand."""
_IN_HAND = np.array([[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
"""The camera's orientation: its right, down and forward in the frame of the hand."""
_FROM_TIP = np.array([0.0, 0.075, 0.1496])
_DOWN = np.array([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]])
SHOWN = np.array([1, 1, 0, 1, 1, 0], dtype=np.uint8)
"""The groups of shapes that are in its picture."""


def take_wrist_picture(physics: Physics) -> Photograph:
    """What the camera sees from its true pose. The view states the pose that the joints give."""
    mujoco.mj_kinematics(physics.model, physics.data)
    hand = physics.model.body("hand").id
    turn = physics.data.xmat[hand].reshape(3, 3)
    taken = photograph(
        physics.model, physics.data, CAMERA, turn @ _IN_HAND, physics.data.xpos[hand] + turn @ _MOUNT, SHOWN
    )
    rotation, position = pose_by_joints(physics.data.qpos[: arm.UR5E_JOINTS])
    view = taken.view
    told = type(view)(view.rgb, view.depth, view.intrinsics, rotation, position)
    return Photograph(told, taken.geoms)


def pose_by_joints(joints: arm.Joints) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The camera's pose by forward kinematics; the cup always points down."""
    return _DOWN, np.array(arm.tip_of(joints)) + _FROM_TIP

"""The bodies of a MuJoCo model as shapes: which thing each belongs to, how it looks, and where it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import mujoco
import numpy as np

from thinkaloud.worlds.drawing import Pose, Role, Shape, ShapeForm
from thinkaloud.worlds.geometry import Rgb

_FORMS: dict[int, ShapeForm] = {
    int(mujoco.mjtGeom.mjGEOM_PLANE): "plane",
    int(mujoco.mjtGeom.mjGEOM_SPHERE): "sphere",
    int(mujoco.mjtGeom.mjGEOM_CAPSULE): "capsule",
    int(mujoco.mjtGeom.mjGEOM_ELLIPSOID): "ellipsoid",
    int(mujoco.mjtGeom.mjGEOM_CYLINDER): "cylinder",
    int(mujoco.mjtGeom.mjGEOM_BOX): "box",
    int(mujoco.mjtGeom.mjGEOM_MESH): "mesh",
}
_UNSEEN = 5
"""The group of shapes that only collide."""


class MujocoBodies:
    """Everything visible in a model. `things` are the names of bodies; `robot` names the bodies of the robot itself.

    `geoms` names shapes without a body of their own; `colours` overrides the model's colours.
    """

    def __init__(
        self,
        model: Any,
        posed: Callable[[], Any],
        things: Mapping[int, str],
        robot: tuple[str, ...],
        *,
        geoms: Mapping[int, str] | None = None,
        colours: Mapping[int, Rgb] | None = None,
    ) -> None:
        self._model, self._posed = model, posed
        self._things, self._robot = things, robot
        self._geoms, self._colours = geoms or {}, colours or {}
        self._shown = np.flatnonzero(model.geom_group != _UNSEEN)

    def shapes(self) -> tuple[Shape, ...]:
        """What the shapes look like. `poses` follows this order from now on."""
        self._shown = np.flatnonzero(self._model.geom_group != _UNSEEN)
        return tuple(self._shape(int(geom)) for geom in self._shown)

    def poses(self) -> tuple[Pose, ...]:
        """Where the shapes are now."""
        data = self._posed()
        places, turns = data.geom_xpos, data.geom_xmat
        quat, found = np.empty(4), []
        for geom in self._shown:
            mujoco.mju_mat2Quat(quat, turns[geom])
            found.append(tuple(round(float(value), 4) for value in (*places[geom], *quat)))
        return tuple(found)

    def _shape(self, geom: int) -> Shape:
        model = self._model
        form = _FORMS[int(model.geom_type[geom])]
        name, role = self._owner(geom)
        red, green, blue, alpha = (float(value) for value in model.geom_rgba[geom])
        r, g, b = self._colours.get(geom, (round(255 * red), round(255 * green), round(255 * blue)))
        vertices: tuple[tuple[float, float, float], ...] = ()
        faces: tuple[tuple[int, int, int], ...] = ()
        if form == "mesh":
            mesh = int(model.geom_dataid[geom])
            at, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
            rows = model.mesh_vert[at : at + count].round(5).tolist()
            vertices = tuple((x, y, z) for x, y, z in rows)
            at, count = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
            faces = tuple((a, b, c) for a, b, c in model.mesh_face[at : at + count].tolist())
        size = _size(form, [float(value) for value in model.geom_size[geom]])
        return Shape(name, role, form, size, f"#{r:02x}{g:02x}{b:02x}", round(alpha, 3), vertices, faces)

    def _owner(self, geom: int) -> tuple[str, Role]:
        model = self._model
        if geom in self._geoms:
            return self._geoms[geom], "thing"
        root = int(model.body_rootid[model.geom_bodyid[geom]])
        if root in self._things:
            return self._things[root], "thing"
        if model.body(root).name in self._robot:
            return "robot", "robot"
        return model.geom(geom).name or model.body(root).name, "fixed"


def topple(model: Any, data: Any, body: int, height: float) -> None:
    """Lean a free body of this height so far that it falls, and give it a push."""
    joint = int(model.body_jntadr[body])
    at, speed = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
    tilt, turned = np.empty(4), np.empty(4)
    mujoco.mju_axisAngle2Quat(tilt, np.array([1.0, 0.0, 0.0]), math.radians(70))
    mujoco.mju_mulQuat(turned, tilt, data.qpos[at + 3 : at + 7])
    data.qpos[at + 3 : at + 7] = turned
    data.qpos[at + 2] += height / 2
    data.qvel[speed : speed + 6] = (0.0, -0.3, 0.0, 2.0, 0.0, 0.0)
    mujoco.mj_forward(model, data)


def _size(form: ShapeForm, size: list[float]) -> tuple[float, ...]:
    match form:
        case "box":
            found = [2 * side for side in size]
        case "sphere":
            found = size[:1]
        case "cylinder" | "capsule":
            found = [size[0], 2 * size[1]]
        case "plane":
            found = [2 * side for side in size[:2]]
        case "mesh":
            found = []
        case _:
            found = size
    return tuple(round(side, 5) for side in found)

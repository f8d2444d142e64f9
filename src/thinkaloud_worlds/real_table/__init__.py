"""Inner Monologue's real table (section 4.2), simulated: an arm that knows only what its wrist camera sees.

In reading order:

    scene          three blocks, two of them stacked, or fruits and bottles in clutter on one of three plates
    wrist_camera   the camera at the wrist: what it sees, and where it is according to the arm's joints
    heap           the clutter, heaped up until some of it is hidden
    pick_place     from boxes to points to motions (appendix A.2)
    world          what is seen and remembered, one skill, one relation
"""

from __future__ import annotations

from thinkaloud_worlds.real_table.world import RealTable
from thinkaloud_worlds.tabletop.scene_files import read_scene

__all__ = ["RealTable", "open_real_table"]


def open_real_table(scene: str | None) -> RealTable:
    """Open the world with a scene, or with one drawn from the seed: even seeds stack, odd ones sort."""
    return RealTable(read_scene(scene) if scene else None)

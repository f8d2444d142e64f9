"""Inner Monologue's real table (section 4.2), simulated: an arm with a camera at its wrist, which is all that it knows.

In reading order:

    scene          three blocks of which two are stacked, or fruits and bottles in clutter on one of three plates
    wrist          the camera at the wrist: what it sees, and where it is by the arm's joints
    pick_place     from boxes to points to motions (appendix A.2)
    world          what is seen and remembered, one skill, one relation
"""

from __future__ import annotations

from thinkaloud_worlds.real_table.world import RealTable
from thinkaloud_worlds.tabletop.scene_files import read_scene

__all__ = ["RealTable", "open_real_table"]


def open_real_table(scene: str | None) -> RealTable:
    """The world with a scene, or with one that the seed draws: even seeds stack, odd ones sort."""
    return RealTable(read_scene(scene) if scene else None)

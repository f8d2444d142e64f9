"""The tabletop world."""

from __future__ import annotations

from thinkaloud.worlds.tabletop.scene import Scene, Thing
from thinkaloud.worlds.tabletop.scenefile import load_scene, read_scene
from thinkaloud.worlds.tabletop.world import Tabletop

__all__ = ["Scene", "Tabletop", "Thing", "load_scene", "read_scene"]

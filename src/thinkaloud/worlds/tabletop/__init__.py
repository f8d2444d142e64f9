"""The tabletop worlds: one of blocks, bowls and places, and four with rules of their own and things that are hidden."""

from __future__ import annotations

from thinkaloud.worlds.tabletop.domains import DomainWorld, scene_of
from thinkaloud.worlds.tabletop.scene import Scene, Thing
from thinkaloud.worlds.tabletop.scenefile import load_scene, read_scene
from thinkaloud.worlds.tabletop.world import Tabletop

__all__ = ["DomainWorld", "Scene", "Tabletop", "Thing", "load_scene", "read_scene", "scene_of"]

"""The tabletop worlds: blocks, bowls and places; and four domains with their own rules and hidden attributes."""

from __future__ import annotations

from functools import partial

from thinkaloud_worlds.tabletop.around_world import Around
from thinkaloud_worlds.tabletop.blocks_and_bowls import Tabletop
from thinkaloud_worlds.tabletop.scene import Scene, Thing
from thinkaloud_worlds.tabletop.scene_files import load_scene, read_scene
from thinkaloud_worlds.tabletop.statler_worlds import DOMAIN_WORLDS, DomainWorld, scene_of

__all__ = ["DomainWorld", "Scene", "Tabletop", "Thing", "load_scene", "read_scene", "scene_of"]


def open_tabletop(scene: str | None) -> Tabletop:
    """Open the world with a scene, or with one drawn from the seed."""
    return Tabletop(read_scene(scene) if scene else None)


def open_around(scene: str | None) -> Around:
    """Open the world with a scene, or with one drawn from the seed."""
    return Around(read_scene(scene) if scene else None)


def _open_domain(name: str, scene: str | None) -> DomainWorld:
    return DOMAIN_WORLDS[name](read_scene(scene) if scene else None)


open_pick_and_place = partial(_open_domain, "pick_and_place")
open_disinfection = partial(_open_domain, "disinfection")
open_weight = partial(_open_domain, "weight")
open_cups = partial(_open_domain, "cups")

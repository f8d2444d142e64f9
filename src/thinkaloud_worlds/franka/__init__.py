"""The franka world: household things on a table, and an arm that grasps and moves them."""

from __future__ import annotations

from thinkaloud.worlds import World
from thinkaloud_worlds.franka.box_geometry import free_place
from thinkaloud_worlds.franka.catalogue import CATALOGUE, FrankaKind
from thinkaloud_worlds.franka.reachability import reaches
from thinkaloud_worlds.franka.scene import FrankaScene, Item, OwnKind, read_franka_scene
from thinkaloud_worlds.franka.world import Franka

__all__ = [
    "CATALOGUE",
    "Franka",
    "FrankaKind",
    "FrankaScene",
    "Item",
    "OwnKind",
    "free_place",
    "open_franka",
    "reaches",
    "read_franka_scene",
]


def open_franka(scene: str | None) -> World:
    """Open the world from a scene's text, or with things drawn from the seed. Late things arrive on a second look."""
    if scene is None:
        return Franka()
    read = read_franka_scene(scene)
    world = Franka(read)
    if not read.late:
        return world
    from thinkaloud_worlds.late_arrivals import Arriving

    placed = read.placed()
    in_turn = sorted(dict.fromkeys(read.late), key=lambda name: placed[name].bottom)  # supports come first
    return Arriving(world, in_turn)

"""The warehouse: a hall with shelves and landmarks, and a robot that drives from one to the other."""

from __future__ import annotations

from thinkaloud.worlds import World
from thinkaloud_worlds.warehouse.landmarks import KINDS, LANDMARKS
from thinkaloud_worlds.warehouse.random_halls import draw_hall
from thinkaloud_worlds.warehouse.scene import Block, HallScene, Landmark, Late, Obstacle, read_hall_scene
from thinkaloud_worlds.warehouse.world import Arrival, Warehouse

__all__ = [
    "KINDS",
    "LANDMARKS",
    "Arrival",
    "Block",
    "HallScene",
    "Landmark",
    "Late",
    "Obstacle",
    "Warehouse",
    "draw_hall",
    "open_warehouse",
    "read_hall_scene",
]


def open_warehouse(scene: str | None) -> World:
    """Open the world from a scene's text, or with a hall drawn from the seed."""
    return Warehouse(read_hall_scene(scene) if scene else None)

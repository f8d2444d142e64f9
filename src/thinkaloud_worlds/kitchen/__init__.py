"""The kitchen: a robot on wheels with one arm, five locations, drawers, and household items (Inner Monologue, 4.3)."""

from thinkaloud_worlds.kitchen.catalogue import DRAWERS, ITEMS, LOCATIONS
from thinkaloud_worlds.kitchen.scene import Disturbs, KitchenScene, PlacedItem, draw_kitchen, read_kitchen_scene
from thinkaloud_worlds.kitchen.world import Kitchen, open_kitchen

__all__ = [
    "DRAWERS",
    "ITEMS",
    "LOCATIONS",
    "Disturbs",
    "Kitchen",
    "KitchenScene",
    "PlacedItem",
    "draw_kitchen",
    "open_kitchen",
    "read_kitchen_scene",
]

"""The drinks world: a counter with cups and ingredients, and an arm that mixes drinks."""

from __future__ import annotations

from thinkaloud_worlds.drinks.scene import CounterScene, Ingredient, Places, read_counter_scene
from thinkaloud_worlds.drinks.world import Drinks

__all__ = ["CounterScene", "Drinks", "Ingredient", "Places", "open_drinks", "read_counter_scene"]


def open_drinks(scene: str | None) -> Drinks:
    """Open the world from a scene's text, or with the seven ingredients of the paper."""
    return Drinks(read_counter_scene(scene) if scene else None)

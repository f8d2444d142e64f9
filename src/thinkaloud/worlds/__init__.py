"""Worlds: what a robot acts in. One contract; simulations and real robots alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from thinkaloud.plugins import Registry
from thinkaloud.worlds.contract import World as World

WorldOpener = Callable[[str | None], World]


def _checked(name: str, found: Any) -> WorldOpener:
    if not callable(found):
        raise ValueError(f"expected a function that takes a scene and returns a world, not a {type(found).__name__}")
    opener: WorldOpener = found
    return opener


WORLDS: Registry[WorldOpener] = Registry("world", {"by_hand": "thinkaloud.worlds.by_hand:open_by_hand"}, _checked)
"""Worlds by name: each is a function of a scene's text, or of None if the seed should draw the scene.

Packages announce theirs under `thinkaloud.worlds`, as the bundled `thinkaloud_worlds` does.
"""

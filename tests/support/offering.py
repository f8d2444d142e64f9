"""Which worlds offer an ability: each world is opened once for all test files that ask."""

from __future__ import annotations

from functools import cache

from thinkaloud.robots import open_world
from thinkaloud.worlds import WORLDS, World
from thinkaloud.worlds.contract import find_ability


@cache
def _opened(name: str) -> World:
    return open_world(name)


def worlds_offering(ability: type) -> list[str]:
    """Return the names of the worlds with an ability, in the order of the list of worlds."""
    return [name for name in WORLDS if find_ability(_opened(name), ability) is not None]

"""Worlds: what a robot acts in. One contract; simulations and real robots alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from thinkaloud.errors import BadSettings, UnknownName
from thinkaloud.worlds.contract import World as World


def _tabletop(scene: str | None) -> World:
    from thinkaloud.worlds.tabletop import Scene, Tabletop

    return Tabletop(Scene.from_json(scene) if scene else None)


def _domain(name: str, scene: str | None) -> World:
    from thinkaloud.worlds.tabletop import read_scene
    from thinkaloud.worlds.tabletop.domains import DOMAIN_WORLDS

    return DOMAIN_WORLDS[name](read_scene(scene) if scene else None)


def _around(scene: str | None) -> World:
    from thinkaloud.worlds.tabletop import read_scene
    from thinkaloud.worlds.tabletop.around import Around

    return Around(read_scene(scene) if scene else None)


def _drinks(scene: str | None) -> World:
    from thinkaloud.worlds.drinks import open_drinks

    return open_drinks(scene)


def _dishwasher(scene: str | None) -> World:
    from thinkaloud.worlds.dishwasher import open_dishwasher_world

    return open_dishwasher_world(scene)


def _franka(scene: str | None) -> World:
    from thinkaloud.worlds.franka import open_franka

    return open_franka(scene)


def _warehouse(scene: str | None) -> World:
    from thinkaloud.worlds.warehouse import open_warehouse

    return open_warehouse(scene)


def _household(scene: str | None) -> World:
    from thinkaloud.worlds.household import open_household

    return open_household(scene)


def _by_hand(scene: str | None) -> World:
    from thinkaloud.worlds.by_hand import open_by_hand

    return open_by_hand(scene)


DOMAINS = ("pick_and_place", "disinfection", "weight", "cups")
TABLES = ("tabletop", *DOMAINS, "around")
"""The worlds whose scenes are files about things on a table."""
WORLDS: dict[str, Callable[[str | None], World]] = {
    "tabletop": _tabletop,
    **{name: partial(_domain, name) for name in DOMAINS},
    "around": _around,
    "drinks": _drinks,
    "dishwasher": _dishwasher,
    "franka": _franka,
    "warehouse": _warehouse,
    "household": _household,
    "by_hand": _by_hand,
}
"""Worlds by name: each is made from the text of a scene, or from None where the seed draws one."""


def open_world(name: str, *, scene: str | None = None, disturbance: str = "none") -> World:
    """A world by its name, with a scene (as `Scene.to_json` writes it) and noise (as `parse_disturbance` reads it)."""
    if name not in WORLDS:
        raise UnknownName("world", name, WORLDS)
    world = WORLDS[name](scene)
    if disturbance in ("", "none"):
        return world
    from thinkaloud.worlds.disturbed import Disturbed, Sensing, parse_disturbance

    noise = parse_disturbance(disturbance)
    if not isinstance(world, Sensing):
        raise BadSettings(f"The world {name!r} has no senses that could be disturbed; leave the disturbance out.")
    return Disturbed(world, noise)

"""The pictures of the machine's kitchen: what the robot's camera sees at each place, by ray casting.

The robot looks at one place at a time, with its arm out of the picture, and pulls out the rack that it looks at. The
kitchen is built as MuJoCo bodies from the machine's state, and not before somebody takes a picture of it.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from thinkaloud_worlds.dishwasher.arrangement import arrange_dishes
from thinkaloud_worlds.dishwasher.furniture import machine_mjcf, spots_of
from thinkaloud_worlds.dishwasher.scene import FRONT
from thinkaloud_worlds.dishwasher.true_state import Process
from thinkaloud_worlds.kitchen.arrangement import Lying
from thinkaloud_worlds.random_tables.pictures import TablePicture
from thinkaloud_worlds.staged_pictures import Decor, Shot, draw_decor, photograph_staged


@lru_cache(maxsize=8)
def _decor(seed: int) -> Decor:
    return draw_decor(seed)


def dishes_at(process: Process, place: str) -> list[Lying]:
    """What lies at a place, also where the door is in front of it."""
    return arrange_dishes(process.scene, process.seed, process.known.places, spots_of(process.scene), place)


def dishes_shown(process: Process, place: str) -> list[Lying]:
    """What lies at a place that can be looked at, in the order of its numbers in a picture."""
    shut = place in process.scene.compartments and not process.known.open
    return [] if shut or place == FRONT else dishes_at(process, place)


def photograph_dishes(process: Process, place: str, *, whole: bool = False) -> TablePicture:
    """What the camera sees at a place, with the truth about it."""
    scene, known = process.scene, process.known
    spot, things = spots_of(scene)[place], dishes_shown(process, place)
    inside = {place: "".join(each.mjcf(number) for number, each in enumerate(things))}
    if place == FRONT:
        shown = [name for name in scene.compartments if known.open]
        others, count = {name: dishes_at(process, name) for name in shown}, 0
        for name, lying in others.items():
            inside[name] = "".join(each.mjcf(count + number) for number, each in enumerate(lying))
            count += len(lying)
    pulled = [name for name in scene.compartments if known.out and place in (FRONT, name)]
    mjcf = machine_mjcf(scene, inside, dict.fromkeys(pulled, True), is_open=known.open, running=known.running)
    shot = Shot(place, spot.eye, spot.aim)
    return photograph_staged(mjcf, len(things), _decor(process.seed), shot, (np.eye(3), spot.origin), whole=whole)

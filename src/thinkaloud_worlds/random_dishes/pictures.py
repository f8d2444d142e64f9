"""Pictures of random dishes: as the robot at the machine takes them, with a camera that errs as on random tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from thinkaloud_worlds.dishwasher.furniture import machine_mjcf, spots_of
from thinkaloud_worlds.random_dishes.draw import DrawnDishes
from thinkaloud_worlds.random_tables.pictures import TablePicture
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.staged_pictures import draw_decor, photograph_staged

_SALT = 0x51E7


def photograph_random_dishes(
    dishes: DrawnDishes, width: int = 160, height: int = 120, *, whole: bool = True
) -> TablePicture:
    """Take the picture of random dishes. Without `whole`, what is covered is not worked out, which is faster."""
    decor = draw_decor(dishes.seed, kept_back=dishes.style == "kept_back")
    shot = replace(dishes.shot, width=width, height=height, focal=dishes.shot.focal * width)
    inside = {dishes.place: "".join(each.mjcf(number) for number, each in enumerate(dishes.things))}
    mjcf = machine_mjcf(dishes.machine, inside, {dishes.place: True}, is_open=dishes.is_open, running=False)
    frame = np.eye(3), spots_of(dishes.machine)[dishes.place].origin
    errors = generator(dishes.seed, _SALT)
    return photograph_staged(mjcf, len(dishes.things), decor, shot, frame, whole=whole, errors=errors)

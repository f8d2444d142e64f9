"""Pictures of random kitchens: as the kitchen's robot takes them, with a camera that errs as on random tables."""

from __future__ import annotations

from dataclasses import replace

from thinkaloud_worlds.kitchen.camera import photograph_kitchen
from thinkaloud_worlds.random_kitchens.draw import DrawnKitchen
from thinkaloud_worlds.random_tables.pictures import TablePicture
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.staged_pictures import draw_decor

_SALT = 0x2F1D


def photograph_random_kitchen(
    kitchen: DrawnKitchen, width: int = 160, height: int = 120, *, whole: bool = True
) -> TablePicture:
    """Take the picture of a random kitchen. Without `whole`, what is covered is not worked out, which is faster."""
    decor = draw_decor(kitchen.seed, kept_back=kitchen.style == "kept_back")
    shot = replace(kitchen.shot, width=width, height=height, focal=kitchen.shot.focal * width)
    errors = generator(kitchen.seed, _SALT)
    return photograph_kitchen(decor, kitchen.things, kitchen.opened, shot, whole=whole, errors=errors)

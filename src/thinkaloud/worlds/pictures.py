"""A world as a picture: what the robot's eye sees with boxes round what it finds, or what people see."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING

from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Pictured, find_ability
from thinkaloud.worlds.interventions import Box, Eyed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WIDE, _HIGH = 320, 240
_ENLARGED = 3
_LINE, _HALO = (20, 60, 140), (255, 255, 255)


def picture_world(world: World, *, boxes: bool) -> bytes | None:
    """What the robot's eye sees, with a box round each thing that it finds; else the world as people see it, if so."""
    eyed = find_ability(world, Eyed) if boxes else None
    if eyed is not None:
        picture, found = eyed.camera_picture()
        return _png(picture, found, _ENLARGED)
    pictured = find_ability(world, Pictured)
    return None if pictured is None else _png(pictured.render(_WIDE, _HIGH), {}, 1)


def _png(picture: NDArray[np.uint8], boxes: Mapping[str, Box], larger: int) -> bytes:
    from PIL import Image, ImageDraw, ImageFont

    image = Image.fromarray(picture)
    image = image.resize((image.width * larger, image.height * larger))
    drawing, font = ImageDraw.Draw(image), ImageFont.load_default(13)
    for name, box in boxes.items():
        left, top, right, bottom = (larger * side for side in box)
        drawing.rectangle((left - 2, top - 2, right + larger + 1, bottom + larger + 1), outline=_LINE, width=2)
        drawing.text((left, max(top - 18, 0)), name, fill=_LINE, font=font, stroke_width=2, stroke_fill=_HALO)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()

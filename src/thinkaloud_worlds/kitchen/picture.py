"""A picture of the kitchen from above, for people: where things really are, and where the robot is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from thinkaloud.worlds.geometry import Rgb, Xy
from thinkaloud_worlds.kitchen.catalogue import CABINET, DRAWERS, LOCATIONS, SIZE
from thinkaloud_worlds.kitchen.true_state import KitchenRoom

_FLOOR, _WOOD, _INK, _ROBOT = (238, 234, 224), (206, 180, 144), (40, 42, 48), (56, 104, 178)
_HALF: Xy = (0.72, 0.5)
"""Half the length and width of a location, in metres."""


def kitchen_picture(room: KitchenRoom, width: int, height: int) -> NDArray[np.uint8]:
    """Draw the kitchen."""
    image = Image.new("RGB", (width, height), _FLOOR)
    draw, scale = ImageDraw.Draw(image), min(width / SIZE[0], height / SIZE[1])
    font, line = ImageFont.load_default(max(height // 32, 6)), max(height // 26, 7)

    def box(middle: Xy, half: Xy, colour: Rgb) -> tuple[float, float]:
        left, top = ((m - h) * scale for m, h in zip(middle, half, strict=True))
        draw.rectangle((left, top, left + 2 * half[0] * scale, top + 2 * half[1] * scale), fill=colour, outline=_INK)
        return left + 2, top + 1

    def lines(at: tuple[float, float], texts: list[str]) -> None:
        for number, text in enumerate(texts):
            draw.text((at[0], at[1] + number * line), text, fill=_INK, font=font)

    for name, xy in LOCATIONS.items():
        lying = [item for item, where in room.places.items() if where == name]
        inside = _drawer_lines(room) if name == CABINET else []
        lines(box(xy, _HALF, _WOOD), [name.upper(), *lying, *inside])
    x, y = (value * scale for value in room.xy)
    radius = 0.16 * scale
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=_ROBOT, outline=_INK)
    if room.held:
        lines((x + radius, y), [room.held])
    return np.asarray(image)


def _drawer_lines(room: KitchenRoom) -> list[str]:
    told = []
    for drawer in DRAWERS:
        inside = [item for item, where in room.places.items() if where == drawer]
        told.append(f"{drawer} {'open' if drawer in room.open else 'closed'}{': ' * bool(inside)}{', '.join(inside)}")
    return told

"""The colours of ingredients: known words have a fixed colour; every other word gets one of its own."""

from __future__ import annotations

import re
import zlib

from thinkaloud.worlds.geometry import Shade
from thinkaloud_worlds.tabletop.layout import MORE_COLOURS, colour_of

_KNOWN: dict[str, tuple[int, int, int]] = {
    "milk": (250, 249, 243),
    "boba": (52, 36, 32),
    "strawberry": (214, 56, 74),
    "mango": (250, 172, 40),
    "matcha": (122, 158, 64),
    "taro": (168, 138, 190),
    "blueberry": (64, 72, 140),
    "water": (190, 220, 235),
    "tea": (150, 86, 40),
    "coffee": (78, 50, 36),
    "chocolate": (92, 56, 36),
    "honey": (226, 158, 36),
    "cream": (252, 244, 222),
    "sugar": (250, 250, 250),
    "oat": (222, 200, 160),
}


def colour_for(name: str) -> Shade:
    """The colour of an ingredient, from 0 to 1."""
    words = re.findall(r"[a-z]+", name.lower())
    found = next((_KNOWN[word] for word in words if word in _KNOWN), None)
    found = found or next((rgb for word in words if (rgb := colour_of(word)) is not None), None)
    if found is None:
        shades = list(MORE_COLOURS.values())
        found = shades[zlib.crc32(name.lower().encode()) % len(shades)]
    return found[0] / 255, found[1] / 255, found[2] / 255

"""The words that describe things on random tables, and which of them are true of a thing.

A word is true of a thing, false, or open: nobody would be corrected for calling a crimson block red. What is open
neither teaches nor counts.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache

from thinkaloud.worlds.geometry import Rgb
from thinkaloud_worlds.tabletop.layout import COLOURS, MORE_COLOURS

TRUE, FALSE, OPEN = 1, 0, -1

COLOUR_WORDS: dict[str, Rgb] = {
    word: rgb for word, rgb in {**COLOURS, **MORE_COLOURS}.items() if word not in ("plum", "mustard")
}
"""Plum and mustard are things here."""
PATTERN_WORDS = ("plain", "striped", "spotted")
KIND_WORDS = (
    "block",
    "cube",
    "brick",
    "box",
    "can",
    "cylinder",
    "ball",
    "bowl",
    "plate",
    "dish",
    "cup",
    "mug",
    "bottle",
    "fruit",
    "apple",
    "plum",
    "strawberry",
    "lemon",
    "banana",
    "pear",
    "carrot",
    "pen",
    "book",
    "ring",
    "ketchup",
    "mustard",
    "soft drink",
    "thing",
)
VOCABULARY: tuple[str, ...] = tuple(dict.fromkeys((*COLOUR_WORDS, *PATTERN_WORDS, *KIND_WORDS)))
"""All words about random tables."""
KITCHEN_WORDS = (
    *("7up", "coke", "energy bar", "grapefruit soda", "jalapeno chips", "kettle chips", "lime soda"),
    *("multigrain chips", "redbull", "rice chips", "sponge", "tea", "water", "chips", "soda", "bag"),
)
"""What else is in kitchens. Names of goods are words of their own: no other words tell what is on them."""
DISH_WORDS = ("fork", "knife", "spoon")
"""What else is among dishes. Unlike goods, these have colours of their own."""
EYES_WORDS: tuple[str, ...] = (*VOCABULARY, *KITCHEN_WORDS, *DISH_WORDS)
"""All words, in the order of the detector's table."""

SAME_WORDS = {"object": "thing", "item": "thing", "tin": "can", "grey": "gray", "dotted": "spotted", "gold": "golden"}
"""Other words for words of the vocabulary."""
_COMBINED = {
    *("block", "brick", "box", "can", "ball", "bowl", "plate", "mug", "bottle", "pen", "book", "ring"),
    *DISH_WORDS,
}
_SAME_KIND = {"cube": "block", "cylinder": "can", "cup": "mug"}
_ALIKE = 40.0  # nearer colours, in CIELAB, may be called by each other's names


def fits(truths: Mapping[str, int], words: Sequence[str]) -> int:
    """Return whether all these words are true of a thing: TRUE, FALSE or OPEN. A missing word is false."""
    found = {truths.get(word, FALSE) for word in words}
    return FALSE if FALSE in found else OPEN if OPEN in found else TRUE


def is_kept_back(words: Sequence[str]) -> bool:
    """Whether words combine a colour and a kind of thing that training never shows together: one pair in six."""
    colours = [word for word in words if word in COLOUR_WORDS]
    kinds = {_SAME_KIND.get(word, word) for word in words} & _COMBINED
    return any(zlib.crc32(f"{colour} {kind}".encode()) % 6 == 0 for colour in colours for kind in kinds)


def colour_truths(word: str, rgb: Rgb) -> dict[str, int]:
    """Return which colour words are true of a colour that was drawn as `word`, and which are open."""
    lab = lab_of(rgb)
    near = {name: OPEN for name, other in COLOUR_WORDS.items() if math.dist(lab, lab_of(other)) < _ALIKE}
    return {**near, word: TRUE}


@lru_cache(maxsize=4096)
def lab_of(rgb: Rgb) -> tuple[float, float, float]:
    """Return a colour in CIELAB, where distances are about as large as they look."""
    linear = [(c / 255 + 0.055) ** 2.4 / 1.055**2.4 if c > 10 else c / 255 / 12.92 for c in rgb]
    rows = ((0.4124, 0.3576, 0.1805, 0.9505), (0.2126, 0.7152, 0.0722, 1.0), (0.0193, 0.1192, 0.9505, 1.089))
    x, y, z = (sum(a * b for a, b in zip(row[:3], linear, strict=True)) / row[3] for row in rows)
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)

"""Pictures in which there is nothing to find, or nothing can be seen: what eyes must not make things up from.

Nine kinds in turn: dark, noise in colour, torn depth, no depth (these four have to be refused); white, a single colour,
stripes, a chequered surface, and a bare table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from thinkaloud.worlds.vision import View
from thinkaloud_worlds.random_tables import draw_table, photograph_drawn
from thinkaloud_worlds.random_tables.phrases import random_words

KINDS = ("dark", "noise", "torn", "flat", "white", "one colour", "striped", "chequered", "bare")
REFUSED = KINDS[:4]
"""Of these, eyes should say that they see nothing at all."""
_WIDTH, _HEIGHT, _PHRASES = 320, 240, 10


@dataclass(frozen=True, eq=False)
class BadPicture:
    """A picture, what is wrong with it, and phrases that fit nothing in it."""

    kind: str
    view: View
    phrases: dict[str, tuple[str, ...]]


def draw_bad(seed: int, number: int) -> BadPicture:
    """Draw such a picture from a seed; numbers in a row give all kinds in turn."""
    rng, kind = np.random.default_rng([seed, 0xBAD]), KINDS[number % len(KINDS)]
    table = replace(draw_table(seed, "plain"), things=())
    view = photograph_drawn(table, _WIDTH, _HEIGHT, whole=False).view
    phrases = {" ".join(words): words for words in (random_words(rng) for _ in range(_PHRASES))}
    if kind == "torn":
        near = rng.uniform(0.2, 1.5)
        depth = rng.uniform(near, near * rng.uniform(1.3, 4.0), view.depth.shape)
        return BadPicture(kind, replace(view, depth=depth.astype(np.float32)), phrases)
    if kind == "flat":
        return BadPicture(kind, replace(view, depth=np.zeros_like(view.depth)), phrases)
    return BadPicture(kind, replace(view, rgb=_painted(kind, view.rgb, rng)), phrases)


def _painted(kind: str, rgb: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    rows, columns = np.mgrid[0 : rgb.shape[0], 0 : rgb.shape[1]]
    first, second = rng.integers(0, 256, (2, 3), np.uint8)
    turn, period = rng.uniform(0, math.pi), rng.uniform(8, 60)
    along = np.floor((columns * math.cos(turn) + rows * math.sin(turn)) / period)
    across = np.floor((rows * math.cos(turn) - columns * math.sin(turn)) / period)
    match kind:
        case "dark":
            return np.zeros_like(rgb)
        case "white":
            return np.full_like(rgb, 255)
        case "one colour":
            return np.full_like(rgb, first)
        case "noise":
            return rng.integers(0, 256, rgb.shape, np.uint8)
        case "striped":
            return np.asarray(np.where((along % 2 > 0)[..., None], first, second))
        case "chequered":
            return np.asarray(np.where(((along + across) % 2 > 0)[..., None], first, second))
        case _:
            return rgb

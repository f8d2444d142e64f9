"""What the kitchen is made of: tops, fronts, walls and floors of wood, stone, tiles or paint, drawn from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from thinkaloud_worlds.ray_casting import Image

Finish = Literal["paint", "wood", "stone", "tiles", "chequered"]
"""`chequered` is kept back: only pictures that measure show it."""
_Colour = tuple[int, int, int]

_WOOD: tuple[_Colour, ...] = ((198, 156, 110), (164, 114, 72), (224, 194, 154), (112, 76, 50), (182, 138, 92))
_STONE: tuple[_Colour, ...] = ((206, 203, 196), (96, 96, 100), (156, 150, 142), (52, 54, 58), (188, 178, 164))
_PAINT: tuple[_Colour, ...] = ((240, 238, 230), (226, 232, 234), (216, 226, 212), (238, 226, 204), (188, 202, 210))
_FRONT: tuple[_Colour, ...] = ((242, 242, 238), (204, 208, 210), (124, 144, 154), (98, 118, 102), (66, 76, 96))
_CHOICES: dict[str, tuple[tuple[Finish, tuple[_Colour, ...]], ...]] = {
    "top": (("stone", _STONE), ("wood", _WOOD), ("paint", _STONE)),
    "table": (("wood", _WOOD), ("wood", _WOOD), ("paint", _PAINT)),
    "desk": (("wood", _WOOD), ("paint", _PAINT)),
    "front": (("paint", _FRONT), ("paint", _FRONT), ("wood", _WOOD)),
    "wall": (("tiles", _PAINT), ("paint", _PAINT)),
    "floor": (("wood", _WOOD), ("tiles", _STONE)),
    "bin": (("paint", ((90, 94, 98), (190, 194, 196), (60, 110, 80))),),
    "liner": (("paint", ((232, 232, 230), (60, 62, 66), (150, 170, 190))),),
}
"""What each part of a kitchen can be of."""
_SIZES: dict[Finish, tuple[float, float]] = {
    "paint": (1.0, 1.0),
    "wood": (0.08, 0.16),
    "stone": (0.004, 0.010),
    "tiles": (0.09, 0.22),
    "chequered": (0.03, 0.08),
}


@dataclass(frozen=True, slots=True)
class Material:
    """A finish, its two colours (0 to 1), and the size of its pattern in metres."""

    finish: Finish
    base: tuple[float, float, float]
    other: tuple[float, float, float]
    size: float

    def colours(self, u: NDArray[np.float64], v: NDArray[np.float64]) -> Image:
        """The colours at points of a surface; along `u` runs the grain."""
        base, other = np.array(self.base), np.array(self.other)
        match self.finish:
            case "wood":
                plank = np.floor(v / self.size)
                tone = _noise(plank, plank * 0) * 0.5
                grain = np.sin(60 * v / self.size + 4 * np.sin(5 * u + 7 * plank)) * 0.18 + 0.2
                seam = (np.abs(v / self.size - plank - 0.5) > 0.485) * 0.8
                share = np.clip(tone + grain + seam, 0, 1)
            case "stone":
                share = _noise(np.floor(u / self.size), np.floor(v / self.size)) * 0.6
                share += 0.3 * _noise(np.floor(u / self.size / 3), np.floor(v / self.size / 3))
            case "tiles":
                row = np.floor(v / self.size * 2)
                along = u / self.size + 0.5 * (row % 2)
                gap = (np.abs(along - np.floor(along) - 0.5) > 0.475) | (np.abs(v / self.size * 2 - row - 0.5) > 0.45)
                share = gap * 0.85 + 0.12 * _noise(np.floor(along), row)
            case "chequered":
                share = (np.floor(u / self.size) + np.floor(v / self.size)) % 2
            case _:
                share = np.zeros(len(u))
        return np.asarray(base + (other - base) * np.asarray(share, dtype=float)[:, None])


def _noise(u: NDArray[np.float64], v: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same number from 0 to 1 for the same whole numbers."""
    value = np.sin(u * 12.9898 + v * 78.233) * 43758.5453
    return np.asarray(value - np.floor(value))


def draw_materials(rng: np.random.Generator, *, kept_back: bool = False) -> dict[str, Material]:
    """Draw what everything is made of; with `kept_back`, tops and tables have the pattern that training never shows."""
    return {part: _material(rng, part, choices, kept_back) for part, choices in _CHOICES.items()}


def _material(
    rng: np.random.Generator, part: str, choices: Sequence[tuple[Finish, tuple[_Colour, ...]]], kept_back: bool
) -> Material:
    finish, colours = choices[int(rng.integers(len(choices)))]
    if kept_back and part in ("top", "table", "desk"):
        finish = "chequered"
    base = np.clip(np.array(colours[int(rng.integers(len(colours)))]) / 255 + rng.normal(0, 0.03, 3), 0.02, 0.98)
    darker = 0.62 if finish == "wood" else 0.55 if finish == "stone" else 0.8
    other = np.clip(base * rng.uniform(darker, darker + 0.2) + rng.normal(0, 0.02, 3), 0.02, 0.98)
    size = float(rng.uniform(*_SIZES[finish]))
    return Material(finish, _three(base), _three(other), size)


def _three(values: NDArray[np.float64]) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])

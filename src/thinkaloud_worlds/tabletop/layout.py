"""Where things are: the table, its nine named places, and the colours.

The arm's base is the origin, the table top is z = 0. In the picture from above, x grows to the right and y grows to the
top, so the "top side" is the one nearest to the arm. All lengths are in metres.
"""

from __future__ import annotations

from dataclasses import dataclass

from PIL import ImageColor

from thinkaloud.worlds.geometry import Rgb

_TABLE_X = (-0.3, 0.3)
_TABLE_Y = (-0.8, -0.2)
TABLE_THICKNESS = 0.04
FLOOR_Z = -0.6


COLOURS: dict[str, Rgb] = {
    "red": (226, 72, 74),
    "orange": (242, 142, 43),
    "yellow": (237, 201, 72),
    "green": (89, 161, 79),
    "cyan": (92, 196, 200),
    "blue": (58, 110, 190),
    "purple": (150, 92, 176),
    "pink": (255, 157, 180),
    "brown": (134, 88, 62),
    "gray": (125, 120, 118),
}
"""The ten colours of the tabletop world. The set and its order determine the scenes that seeds draw."""

MORE_COLOURS: dict[str, Rgb] = {
    "white": (245, 245, 242),
    "black": (38, 38, 42),
    "teal": (20, 128, 128),
    "golden": (218, 165, 32),
    "tan": (210, 180, 140),
    "bronze": (176, 117, 52),
    "silver": (192, 196, 202),
    "magenta": (214, 40, 160),
    "lime": (160, 224, 40),
    "navy": (28, 40, 110),
    "olive": (128, 128, 40),
    "maroon": (128, 24, 40),
    "violet": (196, 130, 238),
    "beige": (236, 224, 190),
    "ivory": (252, 248, 226),
    "turquoise": (64, 214, 198),
    "coral": (255, 127, 90),
    "crimson": (220, 20, 60),
    "indigo": (76, 20, 130),
    "lavender": (206, 198, 246),
    "peach": (255, 206, 164),
    "mint": (170, 240, 200),
    "rose": (230, 90, 140),
    "mustard": (205, 160, 40),
    "amber": (250, 190, 20),
    "charcoal": (70, 72, 78),
    "plum": (142, 69, 133),
    "salmon": (250, 138, 116),
}
"""More colours, which the other worlds also draw from."""


def colour_of(name: str) -> Rgb | None:
    """The colour for a name or #rrggbb: one of the ten first, then CSS, then the others; None if unknown."""
    wanted = name.strip().lower()
    if wanted in COLOURS:
        return COLOURS[wanted]
    try:
        red, green, blue = ImageColor.getrgb(wanted)[:3]
    except ValueError:
        return MORE_COLOURS.get(wanted)
    return red, green, blue


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle of the table."""

    x: tuple[float, float]
    y: tuple[float, float]

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle."""
        return (self.x[0] + self.x[1]) / 2, (self.y[0] + self.y[1]) / 2

    def distance(self, x: float, y: float) -> float:
        """How far a point is from it; 0 inside."""
        dx = max(self.x[0] - x, 0.0, x - self.x[1])
        dy = max(self.y[0] - y, 0.0, y - self.y[1])
        return float((dx * dx + dy * dy) ** 0.5)

    def inset(self, margin: float) -> Region:
        """The rectangle reduced by a margin on every side."""
        return Region((self.x[0] + margin, self.x[1] - margin), (self.y[0] + margin, self.y[1] - margin))

    def clipped(self, other: Region) -> Region:
        """The intersection of two rectangles."""
        return Region(
            (max(self.x[0], other.x[0]), min(self.x[1], other.x[1])),
            (max(self.y[0], other.y[0]), min(self.y[1], other.y[1])),
        )


TABLE_TOP = Region(_TABLE_X, _TABLE_Y)
SAFE = 0.06
"""A thing that falls beside a block this far from the edge stays on the table."""
VERY_EDGE = 0.045
"""No place has its middle this near to the edge."""


def from_edge(x: float, y: float) -> float:
    """How far a point of the table is from its edge."""
    return min(x - _TABLE_X[0], _TABLE_X[1] - x, y - _TABLE_Y[0], _TABLE_Y[1] - y)


def _region(x: float, y: float, wide: float = 0.1, deep: float = 0.1) -> Region:
    return Region((x - wide / 2, x + wide / 2), (y - deep / 2, y + deep / 2))


_WEST, _EAST, _SOUTH, _NORTH = -0.25, 0.25, -0.75, -0.25  # 5 cm inside the edges

PLACES: dict[str, Region] = {
    "top side": _region(0.0, _NORTH, wide=0.24),
    "bottom side": _region(0.0, _SOUTH, wide=0.24),
    "left side": _region(_WEST, -0.5, deep=0.24),
    "right side": _region(_EAST, -0.5, deep=0.24),
    "top left corner": _region(_WEST, _NORTH),
    "top right corner": _region(_EAST, _NORTH),
    "bottom left corner": _region(_WEST, _SOUTH),
    "bottom right corner": _region(_EAST, _SOUTH),
    "middle": _region(0.0, -0.5),
}

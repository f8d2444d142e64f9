"""The catalogue of household things: their shapes, sizes, weights and colours, and what they are for.

A bottle has a body and a neck; a ball is flattened below, so that it does not roll. Sizes are length (along x), width
(along y) and height, in metres, for a thing that is not turned.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from thinkaloud_worlds.franka.layout import ORDINARY, WIDEST_GRASP, Size

SHAPES = ("box", "cylinder", "bottle", "ball", "tray", "plate", "bowl", "basket")
_RECEPTACLES = ("tray", "plate", "bowl", "basket")
_HOLLOW = ("bowl", "basket")
"""Receptacles that things lie in, not on."""
_ROUND = ("cylinder", "bottle", "ball", "plate", "bowl")
WALL, HOLLOW_FLOOR = 0.008, 0.010  # the thickness of a hollow thing's wall and floor


@dataclass(frozen=True, slots=True)
class FrankaKind:
    """A kind of thing."""

    name: str
    shape: str
    size: Size
    mass: float
    colour: str
    tags: tuple[str, ...] = ()

    @property
    def tall(self) -> bool:
        """Whether it is so tall that things cannot be carried over it."""
        return self.size[2] > ORDINARY

    @property
    def receptacle(self) -> bool:
        """Whether it is meant to hold other things."""
        return self.shape in _RECEPTACLES

    @property
    def hollow(self) -> bool:
        """Whether things are put in it, rather than on it."""
        return self.shape in _HOLLOW

    @property
    def round(self) -> bool:
        """Whether it looks the same from all sides."""
        return self.shape in _ROUND

    @property
    def across(self) -> float:
        """How wide it is where the fingers close on it."""
        return neck(self.size) if self.shape == "bottle" else min(self.size[:2])

    @property
    def graspable(self) -> bool:
        """Whether it fits between the fingers."""
        return not self.receptacle and self.across <= WIDEST_GRASP

    @property
    def floor(self) -> float:
        """The height above its underside at which things stand on it or in it."""
        return HOLLOW_FLOOR if self.hollow else self.size[2]

    @property
    def grip(self) -> float:
        """The height above its underside at which the hand grips it."""
        return max(self.size[2] - 0.035, self.size[2] / 2)


def neck(size: Size) -> float:
    """How wide the neck of a bottle is."""
    return max(0.42 * min(size[:2]), 0.024)


def _kinds(shape: str, tags: str, *rows: tuple[str, float, float, float, float, str]) -> Iterable[FrankaKind]:
    for name, length, width, height, mass, colour in rows:
        yield FrankaKind(name, shape, (length, width, height), mass, colour, tuple(tags.split()))


def _round(shape: str, tags: str, *rows: tuple[str, float, float, float, str]) -> Iterable[FrankaKind]:
    return _kinds(shape, tags, *((name, across, across, height, mass, c) for name, across, height, mass, c in rows))


_ALL = (
    *_kinds(
        "box",
        "food",
        ("cracker box", 0.06, 0.16, 0.20, 0.35, "#c0392b"),
        ("cereal box", 0.06, 0.15, 0.20, 0.30, "#e2a52b"),
        ("sugar box", 0.045, 0.09, 0.175, 0.45, "#f2e9c9"),
        ("pudding box", 0.035, 0.11, 0.09, 0.15, "#8a5a3c"),
        ("gelatin box", 0.03, 0.085, 0.07, 0.10, "#d6336c"),
        ("potted meat can", 0.055, 0.095, 0.08, 0.35, "#2f5597"),
        ("chocolate bar", 0.05, 0.13, 0.03, 0.10, "#5b3a29"),
        ("piece of butter", 0.06, 0.10, 0.04, 0.25, "#f4e285"),
        ("banana", 0.04, 0.17, 0.04, 0.12, "#f1d335"),
        ("carrot", 0.034, 0.16, 0.034, 0.08, "#ec7a1c"),
        ("cucumber", 0.045, 0.18, 0.045, 0.20, "#3f7d3a"),
        ("loaf of bread", 0.068, 0.15, 0.08, 0.30, "#b9824a"),
    ),
    *_kinds(
        "box",
        "drink",
        ("juice box", 0.05, 0.065, 0.13, 0.25, "#ef8e2e"),
        ("milk carton", 0.065, 0.065, 0.19, 0.55, "#e9f0f7"),
        ("tea box", 0.06, 0.13, 0.08, 0.10, "#3d7a5a"),
    ),
    *_kinds(
        "box",
        "cleaning",
        ("sponge", 0.06, 0.10, 0.035, 0.03, "#e8d23c"),
        ("bar of soap", 0.055, 0.085, 0.03, 0.10, "#cfe6dc"),
        ("scrub brush", 0.05, 0.15, 0.045, 0.12, "#3b8fc2"),
    ),
    *_kinds(
        "box",
        "tool",
        ("hammer", 0.045, 0.20, 0.045, 0.45, "#8c3b2e"),
        ("screwdriver", 0.034, 0.18, 0.034, 0.12, "#e0b000"),
        ("wrench", 0.045, 0.17, 0.03, 0.25, "#9aa3ab"),
        ("tape measure", 0.045, 0.065, 0.06, 0.20, "#f0c419"),
        ("stapler", 0.04, 0.13, 0.055, 0.20, "#3a3f47"),
        ("pair of scissors", 0.05, 0.16, 0.03, 0.08, "#d04848"),
        ("remote control", 0.05, 0.16, 0.03, 0.12, "#2f3237"),
    ),
    *_kinds(
        "box",
        "toy",
        ("toy car", 0.055, 0.11, 0.045, 0.10, "#d7263d"),
        ("toy brick", 0.04, 0.08, 0.03, 0.03, "#1f6fc4"),
        ("puzzle cube", 0.057, 0.057, 0.057, 0.09, "#2b9a57"),
        ("wooden block", 0.05, 0.10, 0.05, 0.15, "#c69c6d"),
        ("letter block", 0.05, 0.05, 0.05, 0.06, "#7a5bd0"),
        ("book", 0.03, 0.13, 0.19, 0.30, "#35507a"),
    ),
    *_round(
        "cylinder",
        "food",
        ("soup can", 0.066, 0.10, 0.35, "#c8352f"),
        ("tomato can", 0.066, 0.10, 0.36, "#b8402a"),
        ("tuna can", 0.07, 0.035, 0.17, "#2c6fb3"),
        ("corn can", 0.066, 0.09, 0.32, "#5d9c3f"),
        ("chips can", 0.068, 0.20, 0.20, "#d33a2c"),
        ("jam jar", 0.062, 0.09, 0.30, "#8e1f3f"),
        ("honey jar", 0.064, 0.10, 0.35, "#d9952a"),
        ("pickle jar", 0.068, 0.12, 0.40, "#6f8f3a"),
        ("yogurt cup", 0.062, 0.08, 0.16, "#f0f3f6"),
        ("spice jar", 0.044, 0.10, 0.12, "#a4562a"),
    ),
    *_round(
        "cylinder",
        "drink",
        ("soda can", 0.062, 0.12, 0.34, "#c81f2d"),
        ("coffee can", 0.07, 0.13, 0.40, "#4a3324"),
    ),
    *_round(
        "cylinder",
        "kitchenware",
        ("cup", 0.064, 0.08, 0.12, "#4f86c6"),
        ("mug", 0.068, 0.09, 0.25, "#d2553d"),
        ("glass", 0.062, 0.12, 0.20, "#b9dbe6"),
        ("salt shaker", 0.044, 0.09, 0.10, "#dfe3e8"),
        ("pepper mill", 0.05, 0.16, 0.18, "#6d4a2f"),
        ("candle", 0.05, 0.09, 0.15, "#efe2c2"),
    ),
    *_round(
        "cylinder",
        "tool",
        ("flashlight", 0.04, 0.15, 0.15, "#30343a"),
        ("roll of tape", 0.066, 0.03, 0.06, "#c9a36a"),
        ("glue stick", 0.03, 0.10, 0.04, "#f4f4f0"),
    ),
    *_round(
        "bottle",
        "food",
        ("mustard bottle", 0.062, 0.19, 0.40, "#e5b91f"),
        ("ketchup bottle", 0.062, 0.19, 0.40, "#c62828"),
        ("hot sauce bottle", 0.048, 0.16, 0.20, "#d8432a"),
        ("syrup bottle", 0.062, 0.18, 0.35, "#7a3f1c"),
    ),
    *_round(
        "bottle",
        "drink",
        ("water bottle", 0.064, 0.20, 0.45, "#7fc4e8"),
        ("milk bottle", 0.068, 0.20, 0.50, "#f3f5f4"),
        ("lemonade bottle", 0.062, 0.20, 0.45, "#f2e36b"),
    ),
    *_round(
        "bottle",
        "cleaning",
        ("dish soap", 0.064, 0.20, 0.40, "#3fae6a"),
        ("shampoo bottle", 0.06, 0.18, 0.35, "#7d5fc0"),
        ("spray bottle", 0.068, 0.20, 0.40, "#2e9ac4"),
    ),
    *_round("bottle", "cleaning tall", ("bleach bottle", 0.084, 0.29, 0.70, "#e9eef2")),
    *_round(
        "bottle",
        "drink tall",
        ("wine bottle", 0.076, 0.31, 0.80, "#2f5d3a"),
        ("champagne bottle", 0.084, 0.32, 0.90, "#264a35"),
    ),
    *_round("bottle", "food tall", ("olive oil bottle", 0.07, 0.28, 0.60, "#a7a43a")),
    *_round(
        "cylinder",
        "kitchenware tall",
        ("vase", 0.07, 0.30, 0.60, "#5f8f9b"),
        ("thermos", 0.07, 0.29, 0.50, "#a33b3b"),
    ),
    *_round(
        "ball",
        "food fruit",
        ("apple", 0.068, 0.066, 0.15, "#c9302c"),
        ("orange", 0.068, 0.066, 0.16, "#f28c1f"),
        ("lemon", 0.052, 0.052, 0.09, "#f4dc3a"),
        ("lime", 0.048, 0.048, 0.07, "#7cb83c"),
        ("peach", 0.062, 0.06, 0.13, "#f2a06a"),
        ("pear", 0.062, 0.08, 0.15, "#c5cf4d"),
        ("plum", 0.048, 0.048, 0.07, "#5f2a5e"),
        ("kiwi", 0.048, 0.05, 0.08, "#7d6a3a"),
        ("strawberry", 0.04, 0.04, 0.03, "#d81f3a"),
    ),
    *_round(
        "ball",
        "food vegetable",
        ("tomato", 0.066, 0.058, 0.14, "#d9382b"),
        ("onion", 0.066, 0.062, 0.14, "#c89a5b"),
        ("potato", 0.06, 0.055, 0.15, "#b08d5b"),
        ("avocado", 0.06, 0.08, 0.17, "#3f5b34"),
    ),
    *_round(
        "ball",
        "toy ball",
        ("tennis ball", 0.064, 0.064, 0.06, "#c8e03a"),
        ("golf ball", 0.042, 0.042, 0.05, "#f4f5f2"),
    ),
    *_kinds("tray", "kitchenware receptacle", ("tray", 0.26, 0.36, 0.016, 0.9, "#8a6a4c")),
    *_kinds("basket", "receptacle", ("basket", 0.24, 0.26, 0.08, 0.8, "#b98d58")),
    *_round("plate", "kitchenware receptacle", ("plate", 0.22, 0.016, 0.5, "#eef1f3")),
    *_round("bowl", "kitchenware receptacle", ("bowl", 0.19, 0.06, 0.6, "#4c7fb0")),
)
CATALOGUE: dict[str, FrankaKind] = {kind.name: kind for kind in _ALL}
"""Kinds by name."""

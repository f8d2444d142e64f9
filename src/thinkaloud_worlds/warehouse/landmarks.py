"""Names for the places in a hall, and the kinds of obstacles."""

from __future__ import annotations

from typing import NamedTuple

LANDMARKS = (
    "loading dock", "charging station", "packing table", "press", "gate", "lathe", "paint booth", "tool crib",
    "conveyor", "sorting line", "weighing station", "assembly cell", "welding bay", "cold store", "returns desk",
    "labelling station", "quality desk", "office", "workshop", "wrapping machine", "recycling corner", "scrap bin",
    "battery room", "spare parts counter", "inbound dock", "outbound dock", "pallet rack", "mezzanine lift",
    "fire door", "first aid post", "canteen", "washing station", "drill", "milling machine", "saw", "robot cell",
    "inspection bench", "shipping desk", "mail room", "customs cage", "dispatch point", "pick station", "kitting area",
    "print shop", "test bench", "boiler room", "compressor", "water tap", "freight lift", "roller door",
)  # fmt: skip


class LandmarkKind(NamedTuple):
    """A kind of obstacle: its sides, its height and its colour."""

    length: float
    width: float
    height: float
    colour: tuple[int, int, int]


KINDS = {
    "pallet": LandmarkKind(1.20, 0.80, 0.15, (194, 152, 96)),
    "box": LandmarkKind(0.50, 0.40, 0.40, (201, 166, 107)),
    "crate": LandmarkKind(0.80, 0.60, 0.60, (168, 120, 70)),
    "parked forklift": LandmarkKind(1.80, 1.00, 2.00, (226, 158, 30)),
    "trolley": LandmarkKind(0.90, 0.55, 1.00, (92, 124, 160)),
    "oil drum": LandmarkKind(0.60, 0.60, 0.90, (52, 92, 140)),
    "barrier": LandmarkKind(1.70, 0.20, 1.00, (208, 64, 48)),
    "ladder": LandmarkKind(1.10, 0.50, 1.80, (176, 180, 184)),
    "waste container": LandmarkKind(1.10, 0.90, 1.10, (76, 120, 72)),
    "cable reel": LandmarkKind(0.70, 0.70, 0.60, (150, 108, 66)),
    "bag of cement": LandmarkKind(0.60, 0.40, 0.20, (172, 170, 160)),
    "cleaning machine": LandmarkKind(1.00, 0.70, 1.10, (70, 150, 150)),
}

"""Pictures of kitchens for `detectors`: what the kitchen's robot sees where it stands, and what is really there.

All fifteen items are in the kitchen, most of them where the robot stands: at the counter, the table, or the cabinet
with its drawers open. A find is right only if its box overlaps by half what is visible of the thing. Things of which
less than a quarter is visible are not counted, neither found nor missed.

    recall     of things of which at least a quarter is visible
    clear      of those of which at least three quarters are
    covered    of the others
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from thinkaloud.worlds.vision import Appearance, PixelBox, Sight, View, overlap
from thinkaloud_worlds.kitchen import DRAWERS, ITEMS, Kitchen, KitchenScene, PlacedItem
from thinkaloud_worlds.kitchen.catalogue import CABINET

_PLACES = ("counter", "table", CABINET)
_HERE, _IN_DRAWER = 0.6, 0.3
_ENOUGH, _CLEAR, _SAME = 0.25, 0.75, 0.5


@dataclass(frozen=True, eq=False)
class KitchenPicture:
    """A picture, what may be in it, and of each item that is: the box and the share of what is visible."""

    view: View
    catalogue: tuple[Appearance, ...]
    shown: dict[str, tuple[PixelBox, float]]

    def visible(self) -> set[str]:
        """The names of what should be found."""
        return {name for name, (_, share) in self.shown.items() if share >= _ENOUGH}

    def count(self, sight: Sight) -> dict[str, float]:
        """Count what was found rightly, said, to be found and asked for, by how much of it is visible."""
        scores = dict.fromkeys(
            ("right", "said", "visible", "agreed", "asked", "right_clear", "clear", "right_covered", "covered"), 0.0
        )
        for look in self.catalogue:
            boxes = [each.box for each in sight.sightings if each.name == look.name]
            box, share = self.shown.get(look.name, (None, 0.0))
            if box is not None and share < _ENOUGH:
                continue
            right = box is not None and any(overlap(each, box) >= _SAME for each in boxes)
            scores["said"] += len(boxes)
            scores["right"] += right
            scores["visible"] += box is not None
            scores["agreed"] += right if box is not None else not boxes
            scores["asked"] += 1
            if box is not None:
                kind = "clear" if share >= _CLEAR else "covered"
                scores[kind] += 1
                scores[f"right_{kind}"] += right
        return scores


def draw_crowded(seed: int) -> KitchenScene:
    """Draw a kitchen with all items, most of them at one place, where the robot stands."""
    rng = np.random.default_rng([seed & (2**63 - 1), 0xC0])
    here = _PLACES[seed % len(_PLACES)]
    others = [place for place in (*_PLACES, "trash", "user") if place != here]
    items = list[PlacedItem]()
    for name in ITEMS:
        at = here if rng.uniform() < _HERE else others[int(rng.integers(len(others)))]
        if at == CABINET and rng.uniform() < _IN_DRAWER:
            at = DRAWERS[int(rng.integers(len(DRAWERS)))]
        items.append(PlacedItem(name, at))
    return KitchenScene(tuple(items), here, DRAWERS if rng.uniform() < 0.75 else ())


def picture_kitchen(seed: int, names: Sequence[str] = ()) -> KitchenPicture:
    """Take the picture of a crowded kitchen; with `names`, only these are in the catalogue."""
    world = Kitchen(draw_crowded(seed))
    world.reset(seed)
    picture, shown = world.photograph()
    boxes = {name: (box, picture.visible(n)) for n, name in enumerate(shown) if (box := picture.box(n)) is not None}
    catalogue = tuple(each for each in world.appearances() if not names or each.name in names)
    return KitchenPicture(picture.view, catalogue, boxes)

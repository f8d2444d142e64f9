"""Pictures of staged worlds for `detectors`: what the robot of a kitchen sees, and what is really there.

In a kitchen, all fifteen items are there, most of them where the robot stands: at the counter, the table, or the
cabinet with its drawers open. At the dishwasher, all eighteen things are in the sink, on the racks or at the finished
location, and the robot looks at one of these places. A find is right only if its box overlaps by half what is visible
of a thing with that name. Things of which less than a quarter is visible are not counted, neither found nor missed.

    recall     of things of which at least a quarter is visible
    clear      of those of which at least three quarters are
    covered    of the others
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from thinkaloud.worlds.vision import Appearance, PixelBox, Sight, View, overlap
from thinkaloud_worlds.dishwasher import Dishwasher
from thinkaloud_worlds.dishwasher.scene import kind_without_number
from thinkaloud_worlds.kitchen import DRAWERS, ITEMS, Kitchen, KitchenScene, PlacedItem
from thinkaloud_worlds.kitchen.catalogue import CABINET

_PLACES = ("counter", "table", CABINET)
_HERE, _IN_DRAWER = 0.6, 0.3
_AT_SINK, _ON_RACK = 0.4, 0.8
_ENOUGH, _CLEAR, _SAME = 0.25, 0.75, 0.5


@dataclass(frozen=True, eq=False)
class StagedPicture:
    """A picture, what may be in it, and of each thing that is: its name, its box and the share of what is visible."""

    view: View
    catalogue: tuple[Appearance, ...]
    shown: tuple[tuple[str, PixelBox, float], ...]

    def visible(self) -> set[str]:
        """The names of what should be found."""
        return {name for name, _, share in self.shown if share >= _ENOUGH}

    def count(self, sight: Sight) -> dict[str, float]:
        """Count what was found rightly, said, to be found and asked for, by how much of it is visible."""
        scores = dict.fromkeys(
            ("right", "said", "visible", "agreed", "asked", "right_clear", "clear", "right_covered", "covered"), 0.0
        )
        for look in self.catalogue:
            boxes = [each.box for each in sight.sightings if each.name == look.name]
            there = [(box, share) for name, box, share in self.shown if name == look.name]
            counted = [(box, share) for box, share in there if share >= _ENOUGH]
            if there and not counted:
                continue
            scores["said"] += len(boxes)
            scores["visible"] += len(counted)
            scores["asked"] += max(len(counted), 1)
            scores["agreed"] += 0 if counted or boxes else 1
            for box, share in counted:
                found = next((number for number, each in enumerate(boxes) if overlap(each, box) >= _SAME), None)
                kind = "clear" if share >= _CLEAR else "covered"
                scores[kind] += 1
                if found is not None:
                    del boxes[found]
                    for score in ("right", "agreed", f"right_{kind}"):
                        scores[score] += 1
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


def picture_kitchen(seed: int, names: Sequence[str] = ()) -> StagedPicture:
    """Take the picture of a crowded kitchen; with `names`, only these are in the catalogue."""
    world = Kitchen(draw_crowded(seed))
    world.reset(seed)
    picture, shown = world.photograph()
    boxes = [(name, box, picture.visible(n)) for n, name in enumerate(shown) if (box := picture.box(n)) is not None]
    catalogue = tuple(each for each in world.appearances() if not names or each.name in names)
    return StagedPicture(picture.view, catalogue, tuple(boxes))


def picture_dishes(seed: int, names: Sequence[str] = ()) -> StagedPicture:
    """Take the picture of one place at a dishwasher that is open; with `names`, only these kinds are asked for.

    Four in ten things are in the sink, the others on racks or finished; one in five on a rack where it does not belong.
    """
    rng = np.random.default_rng([seed & (2**63 - 1), 0xD1])
    world = Dishwasher()
    world.reset(seed)
    scene, known = world.scene, world.process.known
    known.open = known.out = True
    for name in scene.names:
        if rng.uniform() >= _AT_SINK:
            places = (scene.finished, scene.belongs(name))
            known.places[name] = places[int(rng.integers(2))]
            if known.places[name] in scene.compartments and rng.uniform() >= _ON_RACK:
                known.places[name] = scene.compartments[int(rng.integers(len(scene.compartments)))]
    looked_at = (scene.start_place, *scene.compartments, scene.finished)
    picture, shown = world.photograph(looked_at[seed % len(looked_at)])
    boxes = [
        (kind_without_number(name), box, picture.visible(n))
        for n, name in enumerate(shown)
        if (box := picture.box(n)) is not None
    ]
    catalogue = tuple(each for each in world.appearances() if not names or each.name in names)
    return StagedPicture(picture.view, catalogue, tuple(boxes))


STAGED: dict[str, Callable[[int], StagedPicture]] = {"kitchen": picture_kitchen, "dishwasher": picture_dishes}
"""The staged worlds that are pictured, by the names of their tasks."""

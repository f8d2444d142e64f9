"""What the robot of the kitchen sees through its camera, and where it last saw things.

The robot knows where it stands and where its furniture is. So a box with a depth tells at which place a thing lies, or
in which drawer, and the depth tells which drawers are open. A hand feels whether it holds something, and takes that for
the thing that it was sent for. A thing that is not seen is assumed to be where it was, unless the camera looks right
through that point.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from thinkaloud.worlds.geometry import Xyz
from thinkaloud.worlds.vision import Appearance, Eyes, Sight, View
from thinkaloud_worlds.kitchen.arrangement import Lying, arrange, hand_at
from thinkaloud_worlds.kitchen.camera import photograph_kitchen, usual_shot
from thinkaloud_worlds.kitchen.catalogue import CABINET, DRAWERS, LOCATIONS
from thinkaloud_worlds.kitchen.furniture import DRAWER_BOXES, PLACES, frame_of
from thinkaloud_worlds.kitchen.item_forms import form_of
from thinkaloud_worlds.kitchen.true_state import HAND, KitchenRoom
from thinkaloud_worlds.random_tables.pictures import TablePicture
from thinkaloud_worlds.staged_pictures import Decor, draw_decor

_BESIDE = 0.14  # metres around the area for things: what is seen farther away does not lie here
_HIGHEST, _LOWEST = 0.45, -0.05
_IN_HAND = 0.16  # what is seen this near to the hand is what it holds
_REACH = 0.09  # the hand closes on what is this near to the point that it was sent to
_THROUGH = 0.06  # a point is looked through if what the camera sees there is this much farther away
_FRONT = 40  # pixels of the front of an open drawer


@lru_cache(maxsize=8)
def _decor(seed: int) -> Decor:
    return draw_decor(seed)


def picture_of(room: KitchenRoom, *, whole: bool = False) -> TablePicture:
    """What the camera sees now, with the truth about it, in the order of `things_in`."""
    here, off = _stands(room)
    return photograph_kitchen(_decor(room.seed), things_in(room), room.open, usual_shot(here, off), whole=whole)


def things_in(room: KitchenRoom) -> list[Lying]:
    """All items as they really lie."""
    here, off = _stands(room)
    listed = [each.name for each in room.scene.items]
    names = [*listed, *(name for name in room.places if name not in listed)]
    return arrange(room.seed, names, room.places, room.open, here, off)


def appearances_in(room: KitchenRoom) -> tuple[Appearance, ...]:
    """What every item that may be here looks like."""
    found = list[Appearance]()
    for name in room.scene.names:
        form = form_of(name)
        is_round = form.shape in ("can", "bottle", "fruit", "cup")
        found.append(Appearance(name, form.rgb, form.across, form.height, form.shape == "cup", is_round))
    return tuple(found)


def _stands(room: KitchenRoom) -> tuple[str, tuple[float, float]]:
    """The place that the robot looks at, and how far from its usual stand it is, in the place's frame."""
    here = room.place or min(LOCATIONS, key=lambda name: math.dist(LOCATIONS[name], room.xy))
    if room.place:
        return here, (0.0, 0.0)
    axes, _ = frame_of(here)
    x, y, _ = axes.T @ np.array([room.xy[0] - LOCATIONS[here][0], room.xy[1] - LOCATIONS[here][1], 0.0])
    return here, (float(x), float(y))


class KitchenSight:
    """What is seen and remembered, through the eyes alone. `taking` is what the hand was last sent for."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._latest: tuple[object, View, Sight] | None = None
        self.taking = ""
        self.points: dict[str, tuple[str, Xyz]] = {}
        """Where each thing was last seen: at which place, and the point in its frame."""

    def begin(self) -> None:
        """Start with nothing seen yet."""
        self._latest, self.taking, self.points = None, "", {}

    def look(self, room: KitchenRoom) -> tuple[View, Sight]:
        """Take a picture, unless nothing has changed, and find things in it."""
        now = (room.seed, room.xy, tuple(room.places.items()), frozenset(room.open))
        if self._latest is None or self._latest[0] != now:
            view = picture_of(room).view
            self._latest = now, view, self._eyes.look(view, appearances_in(room))
        return self._latest[1:]

    def seen(self, room: KitchenRoom) -> Mapping[str, str]:
        """Where each thing in view is. Between two places, the robot sees only what it holds."""
        found = dict[str, str]()
        if here := room.place:
            sight = self.look(room)[1]
            for name in sight.names:
                sighting = sight.get(name)
                point = None if sighting is None else sighting.point
                if where := self._where(room, here, point):
                    found[name] = where
                    if point is not None:
                        self.points[name] = here, point
        if room.held and (felt := self.felt(room)):
            found[felt] = HAND
        return {name: found[name] for name in room.scene.names if name in found}

    def _where(self, room: KitchenRoom, here: str, point: Xyz | None) -> str:
        """The place or the drawer of a point; empty if it is in the hand, or at no place where things lie."""
        if point is None:
            return here
        if room.held and math.dist(point, hand_at(here, (0.0, 0.0))) < _IN_HAND:
            return ""
        if here == CABINET and point[2] < _LOWEST:
            return next((name for name in DRAWERS if _is_in(name, point)), "")
        (x, y), (wide, deep) = PLACES[here].middle, PLACES[here].room
        near = abs(point[0] - x) <= wide / 2 + _BESIDE and abs(point[1] - y) <= deep / 2 + _BESIDE
        return here if near and _LOWEST <= point[2] <= _HIGHEST else ""

    def felt(self, room: KitchenRoom) -> str:
        """What the robot takes for the thing in its hand; empty if it feels nothing."""
        return (self.taking or room.held) if room.held else ""

    def require(self, room: KitchenRoom, item: str) -> None:
        """Raise SkillError if a thing is not seen well enough to go for it."""
        self.look(room)[1].find(item)

    def reach_for(self, room: KitchenRoom, item: str) -> str:
        """What the hand closes on where this item is seen: the thing that really is there, or nothing."""
        sighting = self.look(room)[1].get(item)
        self.taking = item
        if sighting is None or sighting.point is None:
            return ""
        point, within = sighting.point, room.within_reach()
        near = [
            (math.dist(point, each.middle()), each.name)
            for each in things_in(room)
            if each.place == room.place and room.places[each.name] in within and not each.held
        ]
        distance, name = min(near, default=(math.inf, ""))
        return name if distance < _REACH else ""

    def opened(self, room: KitchenRoom) -> Mapping[str, bool]:
        """Which drawers are open: those with a front where it is when they are pulled out."""
        return _opened_in(self.look(room)[0])

    def is_gone(self, room: KitchenRoom, item: str, where: str) -> bool:
        """Whether the camera sees that an item is no longer where it was: it looks right through that point."""
        place, point = self.points.get(item, ("", (0.0, 0.0, 0.0)))
        if not room.place or place != room.place or (where in DRAWERS and not self.opened(room)[where]):
            return False
        view = self.look(room)[0]
        right, down, ahead = view.rotation.T @ (np.array(point) - view.position)
        if ahead <= 0:
            return False
        at = view.intrinsics
        column, row = round(at.fx * right / ahead + at.cx), round(at.fy * down / ahead + at.cy)
        if not (0 <= row < view.depth.shape[0] and 0 <= column < view.depth.shape[1]):
            return False
        return bool(view.depth[row, column] > ahead + _THROUGH)


@lru_cache(maxsize=4)  # one picture answers many questions
def _opened_in(view: View) -> Mapping[str, bool]:
    points = view.points().reshape(-1, 3)
    found = dict[str, bool]()
    for name, box in DRAWER_BOXES.items():
        front = box.y[0] - box.opens
        low, high = (box.x[0], front - 0.05, box.z[0]), (box.x[1], front + 0.02, box.z[1])
        with np.errstate(invalid="ignore"):
            there = ((points > np.array(low)) & (points < np.array(high))).all(axis=1)
        found[name] = int(there.sum()) >= _FRONT
    return MappingProxyType(found)


def _is_in(drawer: str, point: Xyz) -> bool:
    """Whether a point is inside a drawer that is open."""
    box = DRAWER_BOXES[drawer]
    low, high = box.y[0] - box.opens - 0.03, box.y[1]
    return low <= point[1] <= high and box.z[0] - 0.03 <= point[2] <= box.z[1] + 0.05

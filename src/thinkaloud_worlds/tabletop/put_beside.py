"""Taking things and putting them beside others: the hand of the world `around`, and how far apart things stand.

The hand draws what it takes to its middle, as closing jaws do. It then no longer matters how far off the middle it
took a thing; but an inaccurate arm puts the thing down just as inaccurately.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from thinkaloud.errors import DidNotWork, SkillError
from thinkaloud.worlds.geometry import Xyz
from thinkaloud_worlds.tabletop.camera import NO_THING, PIXEL, Picture, pixel_at
from thinkaloud_worlds.tabletop.layout import TABLE_TOP
from thinkaloud_worlds.tabletop.object_kinds import CONTAINERS
from thinkaloud_worlds.tabletop.physics import Physics
from thinkaloud_worlds.tabletop.pick_and_place import LOW, Primitive
from thinkaloud_worlds.tabletop.primitive_motions import highest_seen
from thinkaloud_worlds.tabletop.scene import Thing
from thinkaloud_worlds.tabletop.senses import Senses

CLOSE = 0.05  # the largest gap between the edges of things that are close to each other
_GAP = 0.03  # the gap at which a thing is put close to another
_SIDES = 24  # directions around a thing in which another may be put
_CLOSING = 8  # ticks in which it draws a thing to its middle
_ROOM, _EDGE = 0.012, 0.015  # from other things, and from the edge of the table
_SQUARE = ("box", "block")
_CORNERS = 24  # of the polygon that approximates a circle


class TabletopHand(Primitive):
    """Picks things up where they were last seen, and puts them down close to others."""

    tool = "hand"

    def __init__(self, physics: Physics, senses: Senses, seen: Mapping[str, Xyz]) -> None:
        super().__init__(physics, senses)
        self._seen = dict(seen)
        self._target: Xyz = (0.0, 0.0, 0.0)

    async def pick_up(self, thing: str) -> None:
        """Take a thing. Raises SkillError if the hand does not get it."""
        await self._braking(self._pick_up(thing))

    async def _pick_up(self, thing: str) -> None:
        held = await self._take(self.senses.picture(), self._seen[thing], thing)
        await self._settle()
        if held != thing:
            got = f"took hold of the {held} instead" if held else "closed on nothing"
            raise DidNotWork(f"The hand {got} where the {thing} was seen.")

    async def place(self, thing: str, target: str) -> str:
        """Put the held thing down close to another thing."""
        return await self._braking(self._place_beside(thing, target))

    async def _place_beside(self, thing: str, target: str) -> str:
        picture = self.senses.picture()
        wanted = self._spot(picture, thing, target)
        held, goal, how = await self._put(picture, wanted, self.senses.aim(wanted), thing, thing, target)
        if held != thing:
            raise DidNotWork(f"The {thing} had to be picked up once more, and the hand did not get it.")
        return f"Put the {thing} down at ({goal[0]:.2f}, {goal[1]:.2f}), beside the {target}{how}."

    async def put_down(self, held: str) -> None:
        """Put the held thing down where there is room."""
        await self._braking(self._put_aside(self.senses.picture(), held))

    async def _grasp(self, sent: Xyz, slow_from: float, end: float) -> str | None:
        name = await super()._grasp(sent, slow_from, end)
        if name is not None:
            for left in range(_CLOSING, 0, -1):
                self.physics.draw_in(name, 1 / left)
                await self._wait(1)
        return name

    def _spot(self, picture: Picture, object: str, target: str) -> Xyz:
        """A spot beside the target, on the side with most room; the target was seen before or is located now."""
        at = self._seen.pop(target, None) or self._seen_at(picture, target)
        self._target = at
        things = self.physics.things
        away = half_of(things[object]) + half_of(things[target]) + _GAP
        others = np.argwhere((picture.ids != NO_THING) & (picture.ids != picture.names.index(target)))
        need, inside = things[object].radius + _ROOM, TABLE_TOP.inset(things[object].radius + _EDGE)
        here = self.physics.tip()
        found: list[tuple[float, Xyz]] = []
        for side in range(_SIDES):
            turn = 2 * math.pi * side / _SIDES
            x, y = at[0] + away * math.cos(turn), at[1] + away * math.sin(turn)
            room = float(np.hypot(*(others - pixel_at(x, y)).T).min(initial=math.inf)) * PIXEL
            if room >= need and inside.distance(x, y) == 0:
                found.append((min(room, 0.15) - 0.2 * math.dist(here[:2], (x, y)), (x, y, 0.0)))
        if not found:
            raise SkillError(f"There is no room for the {object} around the {target}: take something away from there.")
        return max(found)[1]

    def _top(self, picture: Picture, at: Xyz, held: str) -> float:
        """Also clear the thing it is put beside: an inaccurate arm may come down on it."""
        return highest_seen(picture, at, self.physics.things[held].radius + 2 * _GAP)

    def _bears(self, picture: Picture, at: Xyz, held: str) -> float:
        """It rests on the table only."""
        return at[2]

    def _sidestep(self, wanted: Xyz) -> Xyz:
        """Aim farther from the thing it is put beside."""
        dx, dy = wanted[0] - self._target[0], wanted[1] - self._target[1]
        far = _GAP / 2 / math.hypot(dx, dy)
        return wanted[0] + far * dx, wanted[1] + far * dy, wanted[2]

    def _beside(self, picture: Picture, object: str, target: str, wanted: Xyz, seen: Xyz) -> str | None:
        """What is wrong, unless it stands on the table, close to the target."""
        things = self.physics.things
        if seen[2] > things[object].height + LOW:
            return f"The {object} lies on something."
        try:
            x, y, _ = self._seen_at(picture, target)
        except SkillError:
            return None
        gap = math.hypot(seen[0] - x, seen[1] - y) - half_of(things[object]) - half_of(things[target])
        if gap <= CLOSE - 0.005:
            return None
        return f"The {object} stands {gap * 100:.0f} cm away from the {target}, which is not close."


def gap_between(physics: Physics, one: str, other: str) -> float:
    """The true distance between the outlines of two things, seen from above; 0 if they touch or overlap."""
    a, b = _outline(physics, one), _outline(physics, other)
    if _overlap(a, b):
        return 0.0
    return min(_nearest(a, b), _nearest(b, a))


def half_of(thing: Thing) -> float:
    """The approximate distance from the middle to the edge; how a box is turned matters little."""
    return thing.across / 2 * (1.15 if thing.kind in _SQUARE else 1.0)


def _outline(physics: Physics, name: str) -> NDArray[np.float64]:
    thing, (x, y, _) = physics.things[name], physics.position(name)
    square = thing.kind in (*_SQUARE, "disinfector") or (thing.kind == "toy" and thing.form.shape in ("box", "cube"))
    turn = 0.0 if not square or thing.kind in CONTAINERS else physics.turn(name)
    count, first = (4, turn + math.pi / 4) if square else (_CORNERS, 0.0)
    radius = thing.across / 2 * (math.sqrt(2) if square else 1.0)
    turns = first + 2 * math.pi * np.arange(count) / count
    return np.stack([x + radius * np.cos(turns), y + radius * np.sin(turns)], axis=1)


def _overlap(a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
    """Whether two convex outlines overlap: no line along a side separates them."""
    for outline in (a, b):
        sides = np.roll(outline, -1, axis=0) - outline
        for normal in np.stack([-sides[:, 1], sides[:, 0]], axis=1):
            first, second = a @ normal, b @ normal
            if first.max() < second.min() or second.max() < first.min():
                return False
    return True


def _nearest(corners: NDArray[np.float64], outline: NDArray[np.float64]) -> float:
    """The smallest distance from any corner to any side of the outline."""
    sides = np.roll(outline, -1, axis=0) - outline
    along = np.einsum("ijk,jk->ij", corners[:, None] - outline, sides) / (sides**2).sum(axis=1)
    feet = outline + np.clip(along, 0, 1)[..., None] * sides
    return float(np.linalg.norm(corners[:, None] - feet, axis=-1).min())

"""Puts things down on the table at sites, with the primitive or the hand, at a point found in the picture."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from thinkaloud.errors import SkillError
from thinkaloud.worlds.geometry import Xy, Xyz
from thinkaloud_worlds.tabletop.camera import NO_THING, PIXEL, Picture, pixel_at
from thinkaloud_worlds.tabletop.contact_relations import supports_of
from thinkaloud_worlds.tabletop.object_kinds import CONTAINERS
from thinkaloud_worlds.tabletop.physics import Physics
from thinkaloud_worlds.tabletop.pick_and_place import LOW, Primitive
from thinkaloud_worlds.tabletop.primitive_motions import highest_seen
from thinkaloud_worlds.tabletop.put_beside import TabletopHand, half_of
from thinkaloud_worlds.tabletop.reference_points import RoomAround, Site, choose_spot
from thinkaloud_worlds.tabletop.senses import Senses

_MARGINS = ((0.012, 0.015), (0.004, 0.0))  # from other things and from the edge: preferred, and required
_BESIDE = 0.06  # a thing that is put down clears whatever is this near
_STEP = 0.015  # how much farther away to try after it touched its neighbour


def shown_of(physics: Physics, name: str) -> str:
    """What is seen from above where a thing is: itself, or what is on top; a container shows around its contents."""
    thing = physics.things.get(name)
    seen = [name]
    while thing is not None and thing.kind not in CONTAINERS:
        above = [other for other, below in supports_of(physics).items() if below == seen[-1] and other not in seen]
        if not above:
            break
        seen.append(above[0])
    return seen[-1]


class Sited(Primitive):
    """Puts things down at a site, where the picture shows room."""

    site: Site

    def find_spot(self, object: str) -> Xyz:
        """Where to put a thing, by a look at the table now. Raises SkillError if there is no room."""
        return self._spot(self.senses.picture(), object, self.site.words)

    def _spot(self, picture: Picture, object: str, target: str) -> Xyz:
        things = self.physics.things
        seen: dict[str, Xy] = {name: self._seen_flat(picture, name) for name in self.site.anchors}
        radius = things[object].radius
        margins = [(radius + room, radius + edge) for room, edge in _MARGINS]
        room = self._room(picture, object)
        x, y = choose_spot(
            self.site, things[object], things, seen.__getitem__, room, margins, self.physics.position(object)[:2]
        )
        return x, y, 0.0

    def _seen_flat(self, picture: Picture, name: str) -> Xy:
        return self._seen_at(picture, shown_of(self.physics, name))[:2]

    def _room(self, picture: Picture, object: str) -> RoomAround:
        """The distance from points to what is seen on the table; the site itself allows for its reference things."""
        passed = {shown_of(self.physics, name) for name in self.site.anchors}
        if object not in supports_of(self.physics):  # what it stands on is hidden under it
            passed.add(object)
        blocked = (picture.ids != NO_THING) & ~np.isin(picture.ids, [picture.names.index(name) for name in passed])
        pixels = np.argwhere(blocked)
        owners = picture.ids[blocked]

        def room(spot: Xy) -> tuple[float, str]:
            if not len(pixels):
                return math.inf, ""
            away = np.hypot(*(pixels - pixel_at(*spot)).T) * PIXEL
            nearest = int(away.argmin())
            return float(away[nearest]), picture.names[owners[nearest]]

        return room

    def _top(self, picture: Picture, at: Xyz, held: str) -> float:
        """Also clear the thing it is put beside: an inaccurate arm may come down on it."""
        return highest_seen(picture, at, self.physics.things[held].radius + _BESIDE)

    def _bears(self, picture: Picture, at: Xyz, held: str) -> float:
        """It rests on the table only."""
        return at[2]

    def _sidestep(self, wanted: Xyz) -> Xyz:
        """Aim farther from the thing it is put beside."""
        if len(self.site.anchors) != 1:
            return wanted
        x, y, _ = self.physics.position(self.site.anchors[0])
        far = _STEP / max(math.dist((x, y), wanted[:2]), 1e-6)
        return wanted[0] + far * (wanted[0] - x), wanted[1] + far * (wanted[1] - y), wanted[2]

    def _beside(self, picture: Picture, object: str, target: str, wanted: Xyz, seen: Xyz) -> str | None:
        """What is wrong, unless it stands on the table, at the site."""
        things = self.physics.things
        if seen[2] > things[object].height + LOW:
            return f"The {object} lies on something."
        try:
            at = {name: self._seen_flat(picture, name) for name in self.site.anchors}
        except SkillError:
            return None
        met = self.site.is_met(things[object], things, seen[:2], at.__getitem__)
        return None if met else f"The {object} is not {self.site.words}."


class Placing(Sited):
    """One call of picking a thing up and putting it down at a site."""

    def __init__(
        self, physics: Physics, senses: Senses, site: Site, noticed: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(physics, senses)
        self.site, self._tell = site, noticed

    def _noticed(self) -> None:
        self._tell()

    async def place_at(self, object: str) -> str:
        """Run the call; return what was done."""
        report = await self.run(object, self.site.words)
        return report.replace(f" for the {self.site.words}", f", {self.site.words}")


class PlacingHand(Sited, TabletopHand):
    """The hand of the world `around`, which puts down the held thing at a site."""

    def __init__(self, physics: Physics, senses: Senses, site: Site) -> None:
        super().__init__(physics, senses, {})
        self.site = site

    async def place_at(self, object: str) -> str:
        """Put down the held thing; return what was done."""
        report = await self.place(object, self.site.words)
        return report.replace(f" beside the {self.site.words}", f" {self.site.words}")


def why_no_room(physics: Physics, object: str, site: Site, *, fixed: bool = False) -> str | None:
    """Why a thing cannot be put at a site as things really stand; None if it can.

    With `fixed`, only fixed things count: movable ones are assumed to be out of the way by then.
    """
    things, borne = physics.things, supports_of(physics)
    passed = {object, physics.held, *site.anchors, *borne}
    others = [name for name in things if name not in passed and (not fixed or things[name].kind in CONTAINERS)]

    def room(spot: Xy) -> tuple[float, str]:
        away = [(math.dist(spot, physics.position(name)[:2]) - half_of(things[name]), name) for name in others]
        return min(away, default=(math.inf, ""))

    def at(name: str) -> Xy:
        return physics.position(name)[:2]

    half = half_of(things[object])
    try:
        choose_spot(site, things[object], things, at, room, [(half, half)], at(object))
    except SkillError as error:
        return str(error)
    return None

"""Pick and place: one scripted motion that relies on where the senses say things are.

It reports what the arm did and felt, but does not judge whether that was a success. If mending is allowed, it corrects
what it notices itself: the cup closed on nothing or on the wrong thing, or a thing was lost on the way, touched
something too early, or missed its place.
"""

from __future__ import annotations

import math
from collections.abc import Coroutine
from typing import Any, TypeVar

from thinkaloud.episode.ticks import safe_point
from thinkaloud.errors import SkillError
from thinkaloud.skills.self_repair import may_fix, may_repair
from thinkaloud.worlds.geometry import Xy, Xyz
from thinkaloud_worlds.tabletop import ur5e_arm as arm
from thinkaloud_worlds.tabletop.camera import Picture
from thinkaloud_worlds.tabletop.free_space import free_spot
from thinkaloud_worlds.tabletop.layout import PLACES, TABLE_TOP
from thinkaloud_worlds.tabletop.object_kinds import CONTAINERS
from thinkaloud_worlds.tabletop.physics import Physics
from thinkaloud_worlds.tabletop.primitive_motions import CLEARANCE, Motions, highest_seen
from thinkaloud_worlds.tabletop.senses import Senses

_FEELING = 0.55  # how far from the middle the cup feels for a thing, in widths of the thing
_FEELS = (0, 180, 60, 240, 120, 300)  # in these directions (degrees), one after another
_SHALLOW = 0.012  # how far below its top the cup still feels for a thing
_EARLY = 0.015  # contact this far above where a thing is to rest is premature
_FROM_RIM = 0.01  # a thing nearer to a container's rim than this is on the rim or beside it
_OFF_PLACE, _OFF_THING = 0.02, 0.03  # farther from a place, or from a thing's middle, a thing missed it
LOW = 0.012  # a thing this much lower than where it was to rest has fallen

_T = TypeVar("_T")


class Primitive(Motions):
    """One call of pick-and-place."""

    tool = "cup"

    def __init__(self, physics: Physics, senses: Senses) -> None:
        super().__init__(physics, senses)
        self._shift: Xy = (0.0, 0.0)
        """The offset at which the arm has to aim to reach a point, as far as it has felt that."""
        self._misses: list[Xy] = []
        """How far things would have missed without any correction."""
        self._got: Xyz = (0.0, 0.0, 0.0)
        """Where the arm was aiming when the cup last took hold."""

    async def run(self, object: str, target: str) -> str:
        """Run the call. If interrupted, the arm stops where it is and never drops what it holds."""
        return await self._braking(self._run(object, target))

    async def _braking(self, motion: Coroutine[Any, Any, _T]) -> _T:
        """Run a motion; if it is interrupted, the arm holds still."""
        try:
            return await motion
        except SkillError:
            raise
        except BaseException:  # a stop, a new request, or the end of the task that runs this
            self._brake()
            raise

    async def _run(self, object: str, target: str) -> str:
        picture = self.senses.picture()
        held = self.physics.held
        if held not in (None, object):
            safe_point()
            await self._put_aside(picture, str(held))
            picture, held = self.senses.picture(), None
        start = None if held else self._seen_at(picture, object)
        wanted = self._spot(picture, object, target)
        goal = self.senses.aim(wanted)
        if start is not None:
            self._check_reach(start, goal, self.physics.height(object))
            held = await self._take(picture, start, object)
        held, goal, how = await self._put(picture, wanted, goal, held, object, target)
        if held is None:
            await self._settle()
            return f"Picked up nothing: the {self.tool} did not get hold of the {object}."
        where = f"at ({goal[0]:.2f}, {goal[1]:.2f}) for the {target}"
        if held != object:
            return f"Picked up the {held} instead of the {object}, and put it down {where}{how}."
        return f"Picked up the {object} and put it down {where}{how}."

    async def _put(
        self, picture: Picture, wanted: Xyz, goal: Xyz, held: str | None, object: str, target: str
    ) -> tuple[str | None, Xyz, str]:
        """Put down the held thing, again if needed and allowed; return what was held, its goal, and the report."""
        while held is not None:
            how = await self._place(picture, goal, held, wanted)
            await self._settle()
            lying = self._to_fetch(object, target, wanted, lost=how is None) if held == object else None
            if lying is None:
                return held, goal, how or ""
            held = await self._take(*lying)
            picture = self.senses.picture()  # the held thing no longer hides its target
            wanted = self._spot(picture, object, target)
            goal = self.senses.aim(wanted)
        return None, goal, ""

    def _seen_at(self, picture: Picture, name: str) -> Xyz:
        """The top of a thing, as seen."""
        return self.senses.point(picture, self.senses.pixel(picture, name))

    def _spot(self, picture: Picture, object: str, target: str) -> Xyz:
        """Where the underside of the object is to rest."""
        return self.senses.point(picture, self.senses.pixel(picture, target, moving=object))

    async def _pick(self, picture: Picture, at: Xyz) -> str | None:
        sent = self._sent(at)
        await self._above(sent, self._travel_height(picture, 0.0))
        safe_point()  # nothing is in the air yet
        name = await self._grasp(sent, highest_seen(picture, at, 0.02) + CLEARANCE, at[2] - 0.03)
        await self._rise(self._travel_height(picture, self._hanging(name)))
        return name

    async def _grasp(self, sent: Xyz, slow_from: float, end: float) -> str | None:
        """Go down and suck; return what is held then."""
        name = await self._descend(sent, slow_from, end)
        if name is not None:
            safe_point()
            self.physics.suck(name)
            self._got = sent[0], sent[1], self.physics.commanded()[2]
            await self._wait(3)
        return name

    async def _place(self, picture: Picture, at: Xyz, held: str, wanted: Xyz | None = None) -> str | None:
        """Put a thing down and report how; None if it was lost on the way and will be fetched."""
        hanging = self._hanging(held)
        sent = self._sent(at, self._correction())
        await self._above(sent, self._travel_height(picture, hanging))
        if self.physics.held is None and may_fix(
            f"The {held} fell off the {self.tool} on the way.", "Look where it lies and pick it up again.", looked=True
        ):
            return None
        top, rest = self._top(picture, at, held), at[2] + hanging
        touched = await self._lower(sent, top + hanging + CLEARANCE, rest - 0.03, held)
        if touched and wanted is not None:
            early = self.physics.commanded()[2] - hanging - self._bears(picture, wanted, held)
            if early > _EARLY and may_fix(
                f"The {held} touched something {early * 100:.0f} cm above its place.",
                "Lift it, aim again and lower it again.",
            ):
                sent = self._sent(self.senses.aim(self._sidestep(wanted)), self._correction())
                await self._above(sent, top + hanging + 2 * CLEARANCE)
                touched = await self._lower(sent, top + hanging + CLEARANCE, rest - 0.03, held)
        self.physics.release()
        await self._wait(2)
        self._noticed()
        await self._rise(self._travel_height(picture, hanging))
        return "" if touched else ", dropping it from the air"

    def _sidestep(self, wanted: Xyz) -> Xyz:
        """Where to aim after premature contact."""
        return wanted

    def _top(self, picture: Picture, at: Xyz, held: str) -> float:
        """The height that a thing put down at a point has to clear."""
        return highest_seen(picture, at, self._hanging(held) * 0.8)

    def _bears(self, picture: Picture, at: Xyz, held: str) -> float:
        """The height of what it may come to rest on there."""
        return self._top(picture, at, held)

    async def _put_aside(self, picture: Picture, held: str) -> None:
        """Put down what an interrupted call left hanging, at a free spot out of the way."""
        spot = self._aside(picture, held)
        await self._rise(self._travel_height(picture, self._hanging(held)))
        await self._place(picture, spot, held)
        await self._settle()

    def _aside(self, picture: Picture, held: str) -> Xyz:
        x, y, _ = self.physics.tip()
        pixel = free_spot(picture, TABLE_TOP.inset(0.05), held, self.physics.height(held), near=(x, y))
        return self.senses.point(picture, pixel)

    def _check_reach(self, start: Xyz, goal: Xyz, hanging: float) -> None:
        """Raise SkillError before anything moves if a point is out of reach."""
        arm.ur5e_joints_at(start)
        arm.ur5e_joints_at((goal[0], goal[1], goal[2] + hanging + CLEARANCE))

    # Corrections ------------------------------------------------------------------------------------------------------

    async def _take(self, picture: Picture, start: Xyz, object: str) -> str | None:
        """Pick a thing up; if that fails and mending is allowed, look again and feel for it."""
        held = await self._pick(picture, start)
        while held != object:
            if held is None:
                problem = f"The {self.tool} closed on nothing where the {object} was seen."
                remedy = "Look again and feel for it round that spot."
            else:
                problem = f"The {self.tool} took hold of the {held} instead of the {object}."
                remedy = f"Put the {held} back, look again and feel for the {object}."
            if not may_fix(problem, remedy, looked=True):
                break
            if held is not None:
                await self._put_back(held)
            held = await self._feel_for(object, held)
        return held

    async def _put_back(self, held: str) -> None:
        """Set a thing down where it was taken from."""
        await self._lower(self._got, self._got[2] + CLEARANCE, self._got[2] - 0.01, held)
        self.physics.release()
        await self._wait(2)
        self._noticed()
        await self._rise(self._got[2] + 2 * CLEARANCE)

    async def _feel_for(self, object: str, wrong: str | None) -> str | None:
        """Look, then try on and around a thing until the cup holds something; return what it holds."""
        picture = self.senses.picture()
        at = self._seen_at(picture, object)
        spots = [
            self._sent(at),
            *(self._sent(at, step) for step in _steps(_FEELING * self.physics.things[object].across)),
        ]
        if wrong is not None:
            x, y, _ = self._seen_at(picture, wrong)
            spots.sort(key=lambda spot: -math.hypot(spot[0] - x, spot[1] - y))
        near = highest_seen(picture, at, 0.06) + CLEARANCE
        await self._above(spots[0], self._travel_height(picture, 0.0))
        found = None
        for spot in spots:
            safe_point()
            found = await self._grasp(spot, near, at[2] - _SHALLOW)
            if found is not None:
                break
            await self._rise(near)
        if found == object:
            self._shift = self._got[0] - at[0], self._got[1] - at[1]
        await self._rise(self._travel_height(picture, self._hanging(found)))
        return found

    def _to_fetch(self, object: str, target: str, wanted: Xyz, *, lost: bool) -> tuple[Picture, Xyz, str] | None:
        """What to pick up and place again, as seen now; None if it lies right or cannot be fetched."""
        if not lost and not may_repair():
            return None
        picture = self.senses.picture()
        try:
            seen = self._seen_at(picture, object)
        except SkillError:
            if lost:
                raise
            return None  # under something, or fallen off the table: nothing to do about it here
        if lost:
            return picture, seen, object
        problem = self._beside(picture, object, target, wanted, seen)
        remedy = "Pick it up and place it again, farther to the other side."
        if problem is None or not may_fix(problem, remedy, looked=True):
            return None
        fell = abs(seen[2] - wanted[2] - self.physics.height(object)) >= LOW
        if not fell:  # where a thing fell tells nothing about the arm
            x, y = self._correction()
            self._misses.append((seen[0] - wanted[0] - x, seen[1] - wanted[1] - y))
        return picture, seen, object

    def _beside(self, picture: Picture, object: str, target: str, wanted: Xyz, seen: Xyz) -> str | None:
        """What is wrong with where a thing lies now, as seen from above; None if it is right."""
        thing = self.physics.things.get(target)
        if target in PLACES:
            away, most = PLACES[target].distance(seen[0], seen[1]), _OFF_PLACE
        elif thing is not None and thing.kind in CONTAINERS:  # anywhere in it is right
            away, most = math.dist(seen[:2], self._seen_at(picture, target)[:2]), thing.across / 2 - _FROM_RIM
        else:
            away, most = math.hypot(seen[0] - wanted[0], seen[1] - wanted[1]), _OFF_THING
            if seen[2] < wanted[2] + self.physics.height(object) - LOW:
                return f"The {object} lies beside the {target}."
        if away <= most:
            return None
        return f"The {object} lies {away * 100:.0f} cm beside where it was to be on the {target}."

    def _sent(self, at: Xyz, more: Xy = (0.0, 0.0)) -> Xyz:
        """Where the arm has to aim to reach a point."""
        return at[0] + self._shift[0] + more[0], at[1] + self._shift[1] + more[1], at[2]

    def _correction(self) -> Xy:
        """How far to aim to the other side, given the misses so far; a single miss may be chance, and counts half."""
        count = len(self._misses)
        if not count:
            return 0.0, 0.0
        x, y = (sum(values) / (count + 1) for values in zip(*self._misses, strict=True))
        return -x, -y


def _steps(radius: float) -> list[Xy]:
    """Offsets around a point, ordered so that each is far from the one before."""
    return [(radius * math.cos(math.radians(turn)), radius * math.sin(math.radians(turn))) for turn in _FEELS]

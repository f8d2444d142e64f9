"""The kitchen world: a mobile manipulator among household items (Inner Monologue, Sec. 4.3; SayCan's kitchen).

The robot sees what lies where it stands, in open drawers too, and remembers where it saw the rest (`robot_beliefs`).
With `see_with` it sees only what eyes find in its camera's picture (`sight`), and takes what really is there.
The true state is for judges (`true_state`). Its skills are policies: they fail at the rates of the scene, and do not
notice it themselves. People interfere as the scene says. A twin knows no more than the robot does: things are where
they were last seen, things never seen are found at once, nothing fails, and nobody comes.

Not covered: what is in the way of what, how much fits into a drawer, and what spills.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from thinkaloud.clock import Clock
from thinkaloud.episode.ticks import safe_point, tick
from thinkaloud.errors import BadScene, DidNotWork, SkillError
from thinkaloud.skills import Relation, Skill, relations_of, skill, skills_of
from thinkaloud.worlds.contract import Briefing
from thinkaloud.worlds.drawing import Place
from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.kitchen.catalogue import CABINET, DRAWERS, LOCATIONS, USER
from thinkaloud_worlds.kitchen.extended import ExtendedKitchen
from thinkaloud_worlds.kitchen.picture import kitchen_picture
from thinkaloud_worlds.kitchen.robot_beliefs import Beliefs, Drawer, ItemName, Location
from thinkaloud_worlds.kitchen.scene import KitchenScene, draw_kitchen, read_kitchen_scene
from thinkaloud_worlds.kitchen.skill_arguments import declared_parts
from thinkaloud_worlds.kitchen.true_state import HAND, KitchenRoom, SavedKitchen

if TYPE_CHECKING:
    from thinkaloud.worlds.interventions import Box
    from thinkaloud.worlds.vision import Appearance, Eyes, View
    from thinkaloud_worlds.kitchen.sight import KitchenSight
    from thinkaloud_worlds.random_tables.pictures import TablePicture

_TICK = 0.5  # seconds
_SPEED = 0.5  # metres per second
_LOOKS, _GRASPS, _PUTS, _PULLS = 1.0, 6.0, 4.0, 8.0  # seconds that each takes
_OVER = "The motion is over."  # all that a policy can report about itself


class _Clock:
    def __init__(self, world: Kitchen) -> None:
        self._world = world

    def now(self) -> float:
        return self._world.room.now

    async def sleep(self, seconds: float) -> None:
        self._world.room.go_on(max(seconds, 0.0))
        await asyncio.sleep(0)


class Kitchen(Beliefs):
    """A kitchen with five locations and drawers, and a robot that fetches and carries; from a scene, or a seed.

    world = Kitchen()
    world.reset(7)
    print(world.observe().objects, list(world.skills))
    """

    name = "kitchen"
    in_place = (
        *("pick_up", "put_down", "put_in", "open_drawer", "close_drawer"),
        *("drop", "store", "place", "throw_away", "open", "close"),
    )
    briefing = Briefing(
        about="A robot on wheels with one arm in an office kitchen: a counter, a cabinet with drawers, a table, a "
        "trash can, and the user. It sees only what lies where it stands, and has one hand.",
        paper="saycan:feedback=object+success",
        examples=("Open the top drawer.",),
    )

    def __init__(self, scene: KitchenScene | None = None) -> None:
        if scene is not None:
            scene.check()
        self._given = scene
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)
        self.clock: Clock = _Clock(self)
        self._supposes = False
        self._sight: KitchenSight | None = None
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begin a new episode."""
        if self._sight is not None:
            self._sight.begin()
        self.room = KitchenRoom.of(self._given or draw_kitchen(seed), seed, self._sight)
        self.room.look()

    def extended(self) -> ExtendedKitchen:
        """This same kitchen, with its extended skills."""
        return ExtendedKitchen(self)

    # Skills -----------------------------------------------------------------------------------------------------------

    @skill("Find the {item}.", **declared_parts("find"))
    async def find(self, item: ItemName) -> str:
        """Drive about until an item is seen, beginning where it was seen last, and stop in front of it.

        Args:
            item: what to look for.
        """
        tour = self._tour(self._item(item))
        if not self._begin("find", item=item):
            await self._work("find", _LOOKS, item)
            return _OVER
        if self.room.supposed and item not in self.room.known:
            self.room.places[item] = tour[0]
        for location in tour:
            await self._drive("find", location, item)
            await self._work("find", _LOOKS, item)
            if item in self.room.in_view():
                return _OVER
        raise DidNotWork(f"The {item} is nowhere to be seen: not at the {', not at the '.join(tour)}.")

    @skill("Go to the {location}.", **declared_parts("go_to"))
    async def go_to(self, location: Location) -> str:
        """Drive to a location, with whatever is in the hand.

        Args:
            location: where to drive to.
        """
        self._location(location)
        if self._begin("go_to"):
            await self._drive("go_to", location)
        return _OVER

    @skill("Pick up the {item}.", **declared_parts("pick_up"))
    async def pick_up(self, item: ItemName) -> str:
        """Take an item that is in view into the hand, which has to be empty.

        Args:
            item: what to pick up.
        """
        lucky = self._begin("pick_up", item=item)
        if self._sight is not None:
            self._sight.require(self.room, item)
        await self._work("pick_up", _GRASPS, item)
        if lucky and not self.room.knocked and not self.room.held:
            self.room.take(item)
        return self._over()

    @skill("Put down the {item}.", **declared_parts("put_down"))
    async def put_down(self, item: ItemName) -> str:
        """Put down the item in the hand, where the robot stands.

        Args:
            item: what the robot holds.
        """
        lucky = self._begin("put_down", item=item)
        await self._work("put_down", _PUTS, item)
        if lucky:
            self.room.drop(self.room.really(item))
        return self._over()

    @skill("Put the {item} in the {drawer}.", **declared_parts("put_in"))
    async def put_in(self, item: ItemName, drawer: Drawer) -> str:
        """Put the item in the hand into a drawer, which has to be open and within reach.

        Args:
            item: what the robot holds.
            drawer: the drawer.
        """
        lucky = self._begin("put_in", item=item, drawer=drawer)
        await self._work("put_in", _PUTS, item, drawer)
        put = self.room.really(item)
        if lucky and self.room.places.get(put) == HAND and drawer in self.room.open:
            self.room.places[put] = drawer
        return self._over()

    @skill("Bring it to you.", **declared_parts("bring_it_to_you"))
    async def bring_it_to_you(self) -> str:
        """Drive to the user with what is in the hand."""
        if self._begin("bring_it_to_you"):
            await self._drive("bring_it_to_you", USER, self.room.held)
        return _OVER

    @skill("Open the {drawer}.", **declared_parts("open_drawer"))
    async def open_drawer(self, drawer: Drawer) -> str:
        """Pull a drawer open; the hand has to be empty, and the robot at the drawer cabinet.

        Args:
            drawer: the drawer.
        """
        return await self._pull("open_drawer", drawer)

    @skill("Close the {drawer}.", **declared_parts("close_drawer"))
    async def close_drawer(self, drawer: Drawer) -> str:
        """Push a drawer closed; the hand has to be empty, and the robot at the drawer cabinet.

        Args:
            drawer: the drawer.
        """
        return await self._pull("close_drawer", drawer)

    async def put_at(self, item: str, location: str) -> str:
        """Put down the held item at the location where the robot stands; the same motion as `put_down`."""
        if self.room.place != self._location(location):
            raise SkillError(f"The robot is not at the {location}.")
        return await self.put_down(item)

    async def _pull(self, skill: str, drawer: str) -> str:
        lucky = self._begin(skill, drawer=drawer)
        opens = skill == "open_drawer"
        if lucky:
            await self._work(skill, _PULLS, drawer=drawer, meanwhile=lambda: self._set_open(drawer, opens))
        else:
            await self._work(skill, _PULLS, drawer=drawer)
        return self._over()

    def _set_open(self, drawer: str, is_open: bool) -> None:
        (self.room.open.add if is_open else self.room.open.discard)(drawer)

    def _begin(self, skill: str, item: str = "", drawer: str = "") -> bool:
        """Whether a skill that starts now will succeed. Raises SkillError if it cannot even start."""
        given = {"item": self._item(item)} if item else {}
        given |= {"drawer": self._drawer(drawer)} if drawer else {}
        if self._supposes and not self.room.supposed:
            self.room.suppose()
        for precondition in self.skills[skill].preconditions if given or skill == "bring_it_to_you" else ():
            if problem := precondition(self.observe(), **given):
                raise SkillError(problem)
        return self.room.works(skill)

    def _over(self) -> str:
        self.room.look()
        return _OVER

    async def _work(
        self, skill: str, seconds: float, item: str = "", drawer: str = "", meanwhile: Callable[[], None] | None = None
    ) -> None:
        """Work for this long. Halfway, `meanwhile` happens, and then the people who wait for that skill come."""
        ticks = math.ceil(seconds / _TICK)
        for number in range(ticks):
            safe_point()
            self.room.go_on(_TICK)
            if number == ticks // 2:
                if meanwhile is not None:
                    meanwhile()
                self.room.people_during(skill, item, drawer)
            await tick()
        self.room.look()

    async def _drive(self, skill: str, location: str, item: str = "") -> None:
        room, goal = self.room, LOCATIONS[location]
        while (left := math.dist(room.xy, goal)) > 1e-9:
            safe_point()
            share = min(_SPEED * _TICK / left, 1.0)
            room.xy = goal if share == 1.0 else _between(room.xy, goal, share)
            room.go_on(_TICK)
            if share == 1.0 and skill != "find":
                room.people_during(skill, item or room.held, "")
            await tick()
        room.look()

    def _tour(self, item: str) -> list[str]:
        """Where to look for an item: where it was last seen, then everywhere, always going to the nearest next."""
        known = self.room.known.get(item, "")
        first = CABINET if known in DRAWERS else known
        xy, left, tour = self.room.xy, [*LOCATIONS], list[str]()
        while left:
            nearest = first if first in left else min(left, key=lambda name: math.dist(LOCATIONS[name], xy))
            left.remove(nearest)
            tour.append(nearest)
            xy = LOCATIONS[nearest]
        return tour

    # Pictures ---------------------------------------------------------------------------------------------------------

    def plan_drawn(self) -> tuple[Place, ...]:
        """The locations, with what was last seen at each, and the robot."""
        room = self.room
        known = {
            place: tuple(i for i, where in room.known.items() if where == place) for place in (*LOCATIONS, *DRAWERS)
        }
        inside = tuple(item for drawer in DRAWERS for item in known[drawer])
        places = [
            Place(name, *xy, "location", things=known[name] + inside * (name == CABINET))
            for name, xy in LOCATIONS.items()
        ]
        return (*places, Place("robot", *room.xy, "robot", robot=True, things=(room.felt,) if room.felt else ()))

    def render(self, width: int = 480, height: int = 360) -> NDArray[np.uint8]:
        """A picture of the kitchen from above, as it really is, for people."""
        return kitchen_picture(self.room, width, height)

    # Through a camera -------------------------------------------------------------------------------------------------

    def photograph(self) -> tuple[TablePicture, list[str]]:
        """What the robot's camera sees, with the truth about it, and the items by their numbers there; for judges."""
        from thinkaloud_worlds.kitchen.sight import picture_of, things_in

        return picture_of(self.room, whole=True), [each.name for each in things_in(self.room)]

    def view(self) -> View:
        """What the camera of the robot sees. Heights count from the surface in front of it."""
        from thinkaloud_worlds.kitchen.sight import picture_of

        return picture_of(self.room).view

    def seen_here(self) -> tuple[str, NDArray[np.uint8], NDArray[np.float64]]:
        """Where the robot stands, its camera's picture there, and the heights above the surface in front of it."""
        view = self.view()
        return self.room.place, view.rgb, view.points()[..., 2]

    def appearances(self) -> tuple[Appearance, ...]:
        """Every item that the robot has learnt to handle, and those that the scene adds."""
        from thinkaloud_worlds.kitchen.sight import appearances_in

        return appearances_in(self.room)

    def see_with(self, eyes: Eyes) -> None:
        """Rely on these eyes alone."""
        from thinkaloud_worlds.kitchen.sight import KitchenSight

        self._sight = self.room.sight = KitchenSight(eyes)
        self.room.forget()

    def camera_picture(self) -> tuple[NDArray[np.uint8], Mapping[str, Box]]:
        """The picture of the robot's camera, and where in it the robot finds each item."""
        if self._sight is not None:
            view, sight = self._sight.look(self.room)
            return view.rgb, {each.name: each.box for each in sight.sightings}
        picture, names = self.photograph()
        boxes = {name: picture.box(number) for number, name in enumerate(names)}
        return picture.view.rgb, {name: box for name, box in boxes.items() if box is not None}

    # State ------------------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Return everything needed to restore this exact state."""
        return msgspec.msgpack.encode(self.room.saved(self.name))

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if `snapshot` is not a snapshot of this world."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=SavedKitchen)
            if saved.world != self.name:
                raise ValueError(f"This is a snapshot of the world {saved.world!r}, not of {self.name!r}.")
            scene = read_kitchen_scene(saved.scene)
        except (msgspec.MsgspecError, BadScene):
            raise ValueError("This is not a snapshot of a kitchen.") from None
        if self._given is not None and scene != self._given:
            raise ValueError("This is a snapshot of another kitchen; open the world with the scene it was taken in.")
        if self._sight is not None:
            self._sight.begin()
        self.room = KitchenRoom.from_saved(scene, saved, self._sight)

    def twin(self) -> Kitchen:
        """A copy of this world in its present state, in which things happen as the robot expects."""
        twin = Kitchen(self._given)
        twin.restore(self.snapshot())
        twin._supposes = True
        if self._sight is not None:  # it looks with no eyes, so nothing may be there that the robot has not seen
            twin.room.suppose()
        return twin


def _between(one: Xy, other: Xy, share: float) -> Xy:
    x, y = (round(a + (b - a) * share, 6) for a, b in zip(one, other, strict=True))
    return x, y


def open_kitchen(scene: str | None) -> Kitchen:
    """Open the world from a scene's text, or with a kitchen drawn from the seed."""
    return Kitchen(read_kitchen_scene(scene) if scene else None)

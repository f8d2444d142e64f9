"""The warehouse: a hall with shelves and landmarks, and a robot that drives from one to the other (HiCRISP).

The robot knows walls, shelves and landmarks from the start. Everything else goes on its map when its scanner finds it,
and stays there. The robot brakes in front of whatever turns out to stand on its path. If mending is allowed, it finds
another path by itself; otherwise it reports what is in the way, and the next drive takes that into account. A map with
two signs mixed up takes the robot to the wrong place; there it reads the sign and corrects its map.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Annotated

import msgspec
import numpy as np
from numpy.typing import NDArray

from thinkaloud.clock import Clock
from thinkaloud.episode.ticks import tick
from thinkaloud.errors import BadScene, DidNotWork, SkillError, UnknownName
from thinkaloud.records import Arguments, Condition, Observation, WorldState
from thinkaloud.skills import Kind, Relation, Skill, condition_holds, relation, relations_of, skill, skills_of
from thinkaloud.skills.self_repair import may_fix
from thinkaloud.skills.signatures import capitalised
from thinkaloud.worlds.contract import Briefing
from thinkaloud.worlds.drawing import Place as Plotted
from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.mujoco_shapes import MujocoBodies
from thinkaloud_worlds.simulated_time import SimulatedClock
from thinkaloud_worlds.warehouse.driving import Blocked, Driver
from thinkaloud_worlds.warehouse.floor_geometry import (
    AT_LANDMARK,
    RANGE,
    RobotPose,
    outer_walls,
    render_place,
    with_article,
)
from thinkaloud_worlds.warehouse.physics import DRIVE_TICK, Hall
from thinkaloud_worlds.warehouse.picture import hall_picture
from thinkaloud_worlds.warehouse.random_halls import draw_hall
from thinkaloud_worlds.warehouse.robot_map import Chart, Met
from thinkaloud_worlds.warehouse.routing import breach, route
from thinkaloud_worlds.warehouse.scene import HallScene, read_hall_scene

_REPLANS = 60  # at most, in one drive; each follows a new discovery
_WAITS = 2.0  # seconds
LandmarkName = Annotated[str, Kind("landmark")]


class Arrival(msgspec.Struct, array_like=True, frozen=True):
    """The end of a drive: where the robot meant to go, and where it really was ("" for no landmark)."""

    aim: str
    reached: str


class _Saved(msgspec.Struct, array_like=True, frozen=True):
    world: str
    scene: str
    state: bytes
    met: tuple[Met, ...]
    believed: dict[str, Xy]
    arrivals: tuple[Arrival, ...]
    path: tuple[Xy, ...]
    collisions: tuple[str, ...]
    touching: tuple[str, ...]


def _arrives(landmark: str) -> tuple[tuple[str, Arguments], ...]:
    return (("at", {"landmark": landmark}),)


def _leaves(landmark: str = "") -> tuple[tuple[str, Arguments], ...]:
    return (("at", {}),)


def _arrived(self: Warehouse, state: WorldState, landmark: str) -> WorldState:
    seen = {str(r.arguments["landmark"]) for r in state.relations if r.relation == "visited"} | {landmark}
    return self._told_relations(state, landmark, seen)


def _backed(self: Warehouse, state: WorldState) -> WorldState:
    return replace(state, relations=tuple(r for r in state.relations if r.relation != "at"))


def _same(state: WorldState) -> WorldState:
    return state


class Warehouse:
    """A hall with landmarks, and a robot that drives to them; from a scene, or drawn from the seed (HiCRISP).

    world = Warehouse()
    world.reset(7)
    print(world.observe().vocabulary["landmark"])
    """

    name = "warehouse"
    briefing = Briefing(
        about="A robot on wheels in a warehouse. Its map shows walls, shelves and the landmarks; other things may "
        f"stand in the way, and it sees them from {RANGE:g} m away. Places are (x, y) in metres "
        "from a corner of the hall.",
        paper="hicrisp",
        examples=("Drive to every landmark.",),
    )

    def __init__(self, scene: HallScene | None = None) -> None:
        if scene is not None:
            scene.check()
        self._given = scene
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)
        self.clock: Clock = SimulatedClock(lambda: self.hall.data.time, lambda: self._advance(0.0, 0.0), DRIVE_TICK)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begin a new episode."""
        self._use(self._given or draw_hall(seed))

    def _use(self, scene: HallScene) -> None:
        self.hall = Hall(scene)
        self._scene = scene.to_json()
        self.chart = Chart(scene.size, scene.known())
        self.places, self.believed = scene.places(), scene.believed()
        self.arrivals: tuple[Arrival, ...] = ()
        self.path: tuple[Xy, ...] = ()
        if (here := self.where()) is not None:
            self.arrivals = (Arrival(here, here),)
        self.chart.take(self.pose, self.hall.scan())

    @property
    def scene(self) -> HallScene:
        """The scene that this episode started with."""
        return self.hall.scene

    def _advance(self, forward: float, turning: float) -> None:
        self.hall.tick(forward, turning)
        self.chart.take(self.pose, self.hall.scan())

    # True state -------------------------------------------------------------------------------------------------------

    @property
    def pose(self) -> RobotPose:
        """Where the robot is."""
        return self.hall.pose

    def where(self) -> str | None:
        """The landmark where the robot is, according to the sign there."""
        near = [name for name, place in self.places.items() if math.dist(place, self.pose.xy) <= AT_LANDMARK]
        return near[0] if near else None

    @property
    def visits(self) -> tuple[str, ...]:
        """The landmarks where the robot stopped, in order."""
        return tuple(each.reached for each in self.arrivals if each.reached)

    @property
    def collisions(self) -> tuple[str, ...]:
        """The robot's collisions, as sentences."""
        return self.hall.collisions

    def obstacles(self) -> dict[str, Xy]:
        """What the robot has found that was not on its map, and where."""
        return {self.hall.names[thing]: place for thing, place in self.chart.found().items()}

    def _named(self, landmark: str) -> str:
        if landmark not in self.places:
            raise UnknownName("landmark", landmark, self.places)
        return landmark

    @relation("The robot is at the {landmark}.")
    def at(self, landmark: LandmarkName) -> bool:
        """Whether the robot is at a landmark.

        Args:
            landmark: the landmark.
        """
        return self.where() == self._named(landmark)

    @relation("The robot has been at the {landmark}.")
    def visited(self, landmark: LandmarkName) -> bool:
        """Whether the robot has stopped at a landmark.

        Args:
            landmark: the landmark.
        """
        return self._named(landmark) in self.visits

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the world now, by its true state."""
        return condition_holds(condition, self.relations)

    # Seeing -----------------------------------------------------------------------------------------------------------

    def observe(self) -> Observation:
        """The landmarks, what was found on the way, and where the robot is."""
        found, here = self.obstacles(), self.where()
        names = (*self.places, *found)
        facts = [] if here else [f"The robot stands at {render_place(*self.pose.xy)}"]
        facts += [
            f"{capitalised(with_article(self._kind(name)))} stands at {render_place(*place)}"
            for name, place in found.items()
        ]
        state = self._told_relations(WorldState(names, facts=tuple(facts)), here, {*self.visits})
        return Observation(names, {"landmark": tuple(self.places)}, state=state)

    def _told_relations(self, state: WorldState, here: str | None, seen: set[str]) -> WorldState:
        told = [self.relations["at"].condition({"landmark": here})] if here else []
        told += [self.relations["visited"].condition({"landmark": name}) for name in self.places if name in seen]
        return replace(state, relations=tuple(told))

    def _kind(self, name: str) -> str:
        return self.hall.things[name].kind

    def bodies_drawn(self) -> MujocoBodies:
        """The hall and the robot, for drawing."""
        return self.hall.drawn

    def plan_drawn(self) -> tuple[Plotted, ...]:
        """Walls and shelves, which have no names; the landmarks, labelled by their signs; and the robot."""
        x, y, _ = self.pose
        scene = self.hall.scene
        standing = {"rack": [each.rect for each in scene.shelves]}
        standing["wall"] = [*outer_walls(*scene.size), *(each.rect for each in scene.walls)]
        solid = [
            Plotted("", each.x, each.y, kind, size=(each.length, each.width))
            for kind, rects in standing.items()
            for each in rects
        ]
        signs = [Plotted(name, *at, "landmark") for name, at in self.hall.scene.places().items()]
        return (*solid, *signs, Plotted("robot", x, y, "robot", robot=True))

    def render(self, width: int = 480, height: int = 320) -> NDArray[np.uint8]:
        """A picture of the hall from above, with what the robot knows of it."""
        return hall_picture(self.hall, self.chart, self.path, self.believed, width, height)

    # Skills -----------------------------------------------------------------------------------------------------------

    @skill(says="Drive to the {landmark}.", effects=_arrives, remembers=_arrived, ends=_leaves)
    async def drive_to(self, landmark: LandmarkName) -> str:
        """Drive to a landmark and stop there; the path goes round all that has been seen so far.

        Args:
            landmark: where to drive to.
        """
        goal, before = self.believed[self._named(landmark)], len(self.arrivals)

        def advance(forward: float, turning: float) -> None:
            """From here on, an interrupted drive counts as arrived."""
            self._advance(forward, turning)
            if (
                len(self.arrivals) == before
                and self.where() == landmark
                and math.dist(goal, self.pose.xy) <= AT_LANDMARK
            ):
                self.arrivals += (Arrival(landmark, landmark),)

        driver = Driver(self.hall, self.chart, advance)
        await self._held(driver, lambda: self._drive(driver, landmark, goal))
        here = self.where()
        self.arrivals = (*self.arrivals[:before], Arrival(landmark, here or ""))
        self._read_sign(here)
        return f"The robot has arrived at the {landmark}."

    @skill(says="Look around.", remembers=_same)
    async def look_around(self) -> str:
        """Turn once on the spot; all that is within the range of the scanner gets onto the map."""
        driver, before = self._driver(), {*self.obstacles()}
        await self._held(driver, driver.turn_once)
        new = [(name, place) for name, place in self.obstacles().items() if name not in before]
        told = ", ".join(f"{with_article(self._kind(name))} at {render_place(*place)}" for name, place in new)
        return f"The robot has found {told}." if told else "There is nothing new within sight."

    @skill(says="Back up a little.", remembers=_backed, ends=_leaves)
    async def back_up(self) -> str:
        """Drive back a little, straight, to have room to turn."""
        start, driver = self.pose, self._driver()
        await self._held(driver, driver.back)
        return f"The robot has backed up by {math.dist(start.xy, self.pose.xy):.1f} m."

    @skill(says="Wait a moment.", remembers=_same)
    async def wait(self) -> str:
        """Stand still for two seconds."""
        for _ in range(round(_WAITS / DRIVE_TICK)):
            self._advance(0.0, 0.0)
            await tick()
        return "The robot has waited."

    def _driver(self) -> Driver:
        return Driver(self.hall, self.chart, self._advance)

    async def _held(self, driver: Driver, drive: Callable[[], Awaitable[None]]) -> None:
        try:
            await drive()
        finally:
            driver.stop()

    async def _drive(self, driver: Driver, landmark: str, goal: Xy) -> None:
        allowed = set[int]()
        if (close := driver.too_close()) is not None:
            if not may_fix(close, "Back up a little."):
                raise DidNotWork(close)
            await driver.back()
        for _ in range(_REPLANS):
            self.path = self._path(landmark, goal)
            blocked = await driver.follow(self.path)
            if blocked is None:
                return
            problem, close = self._in_the_way(blocked), driver.too_close()
            remedy = "Back up and drive round it." if close else "Drive round it."
            if blocked.thing not in allowed and not may_fix(problem, remedy):
                raise DidNotWork(problem)
            allowed.add(blocked.thing)
            if close:
                await driver.back()
        raise DidNotWork(f"The robot found no way to the {landmark} after {_REPLANS} detours.")

    def _path(self, landmark: str, goal: Xy) -> tuple[Xy, ...]:
        path = route(self.chart, self.pose.xy, goal)
        if path is None:
            raise SkillError(f"There is no way to the {landmark}: {self._closed(goal)}")
        return path

    def _closed(self, goal: Xy) -> str:
        """What blocks the way: the first thing that would have to be removed."""
        path = breach(self.chart, self.pose.xy, goal)
        if path is None:
            return "walls and shelves close it off."
        on_it = self._driver().first_on(path)
        if on_it is None:
            return "the robot is hemmed in where it stands."
        name = self.hall.names[on_it.thing]
        return f"{with_article(self._kind(name))} stands at {render_place(*on_it.at)}, and nothing leads round it."

    def _in_the_way(self, blocked: Blocked) -> str:
        kind = capitalised(with_article(self._kind(self.hall.names[blocked.thing])))
        return f"{kind} stands in the way at {render_place(*blocked.at)}, {blocked.ahead:.1f} m ahead."

    def _read_sign(self, here: str | None) -> None:
        """Read the sign at a place; if the map shows that landmark elsewhere, swap the two on the map."""
        if here is None or self.believed[here] == self.places[here]:
            return
        mistaken = next((name for name, place in self.believed.items() if place == self.places[here]), None)
        if mistaken is not None:
            self.believed[mistaken] = self.believed[here]
        self.believed[here] = self.places[here]

    # State ------------------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Return everything needed to restore this exact state."""
        hall = self.hall
        known = (self.chart.points(), self.believed, self.arrivals, self.path)
        saved = _Saved(self.name, self._scene, hall.state(), *known, hall.collisions, hall.touching)
        return msgspec.msgpack.encode(saved)

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if `snapshot` is not a snapshot of this world."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=_Saved)
            if saved.world != self.name:
                raise ValueError(f"This is a snapshot of the world {saved.world!r}, not of {self.name!r}.")
            hall = self.hall if saved.scene == self._scene else Hall(read_hall_scene(saved.scene))
        except (msgspec.MsgspecError, BadScene):
            raise ValueError("This is not a snapshot of a warehouse.") from None
        hall.check_state(saved.state)
        self._check(saved, hall)
        if hall is not self.hall:
            self._use(hall.scene)
        self.hall.set_state(saved.state)
        self.hall.collisions, self.hall.touching = saved.collisions, saved.touching
        self.chart.forget()
        for each in saved.met:
            self.chart.note(each)
        self.believed = {name: saved.believed[name] for name in self.places}
        self.arrivals, self.path = saved.arrivals, saved.path

    @staticmethod
    def _check(saved: _Saved, hall: Hall) -> None:
        """Raise ValueError if the saved knowledge does not fit this hall."""
        places = hall.scene.places()
        fits = {*saved.believed} == {*places} and {*saved.believed.values()} == {*places.values()}
        fits &= all(0 <= thing < len(hall.names) for _, _, thing in saved.met)
        fits &= len({met[:2] for met in saved.met}) == len(saved.met)
        fits &= all(each.aim in places and each.reached in (*places, "") for each in saved.arrivals)
        fits &= all(math.isfinite(value) for point in saved.path for value in point)
        if not fits:
            raise ValueError("The snapshot is damaged: its map does not fit its scene.")

    def twin(self) -> Warehouse:
        """A copy of this world in its present state, for trying things out."""
        twin = Warehouse(self.scene)
        twin._given = self._given
        twin.restore(self.snapshot())
        return twin

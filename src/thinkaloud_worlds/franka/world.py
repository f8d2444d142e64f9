"""The franka world: household things on a table, and an arm that grasps and moves them (MultiTalk).

Things, arm and fingers are bodies of one MuJoCo model. The arm is watched at every step: if it, or what it carries,
touches something it should not, it stops, and the skill reports what collided with what. One camera looks across the
table at a slant; a rescan looks from all sides. With `see_with` the robot knows the table only through a camera above
it. Not covered: things that have fallen over are taken as they lie, and not set upright.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec
import numpy as np
from numpy.typing import NDArray

from thinkaloud.clock import Clock
from thinkaloud.errors import BadInput, BadScene, SkillError
from thinkaloud.records import Condition, Observation, WorldState
from thinkaloud.skills import Relation, Skill, condition_holds, relations_of, skill, skills_of
from thinkaloud.worlds.contract import Briefing
from thinkaloud.worlds.geometry import Xy, Xyz
from thinkaloud.worlds.interventions import Box as Rectangle
from thinkaloud.worlds.vision import Appearance, Eyes, View
from thinkaloud_worlds.franka import camera
from thinkaloud_worlds.franka.box_geometry import ObjectBox, attributes_of, relations_among, room
from thinkaloud_worlds.franka.camera_memory import TableSight
from thinkaloud_worlds.franka.catalogue import CATALOGUE, FrankaKind
from thinkaloud_worlds.franka.declared_effects import TableMemory
from thinkaloud_worlds.franka.extended import ExtendedFranka
from thinkaloud_worlds.franka.gripper import FrankaHand
from thinkaloud_worlds.franka.layout import OPENS, TABLE_X, TABLE_Y
from thinkaloud_worlds.franka.overhead_camera import appearances_in, photograph_from_above, photographed
from thinkaloud_worlds.franka.physics import Table
from thinkaloud_worlds.franka.picture import table_picture
from thinkaloud_worlds.franka.relations import UPRIGHT, FrankaTruth
from thinkaloud_worlds.franka.scene import FrankaScene, read_franka_scene
from thinkaloud_worlds.mujoco_shapes import MujocoBodies
from thinkaloud_worlds.simulated_time import TICK, SimulatedClock

_MOVED = 0.02  # a thing this far from where it was seen is no longer there


class _Saved(msgspec.Struct, array_like=True, frozen=True):
    world: str
    scene: str
    known: dict[str, ObjectBox]
    collisions: tuple[str, ...]
    start: dict[str, Xyz]
    state: bytes
    welds: bytes
    asleep: bytes
    sighted: dict[str, tuple[str, ObjectBox]] = {}
    taking: str = ""


def _hand_empty(self: Franka, observation: Observation, x: float, y: float, z: float) -> str | None:
    return self.memory.cannot_grasp(observation, x, y, z)


def _something_there(self: Franka, observation: Observation, x: float, y: float, z: float) -> str | None:
    return self.memory.unwise_to_grasp(observation, x, y)


def _hand_full(self: Franka, observation: Observation, x: float, y: float, z: float) -> str | None:
    return self.memory.cannot_move(observation, x, y, z)


def _room_there(self: Franka, observation: Observation, x: float, y: float, z: float) -> str | None:
    return self.memory.unwise_to_move(observation, x, y, z)


def _put_down(self: Franka, observation: Observation) -> str | None:
    return self.memory.cannot_go_home(observation)


def _grasped(self: Franka, state: WorldState, x: float, y: float, z: float) -> WorldState:
    return self.memory.after_grasp(state, x, y)


def _moved(self: Franka, state: WorldState, x: float, y: float, z: float) -> WorldState:
    return self.memory.after_move(state, x, y, z)


def _same(state: WorldState) -> WorldState:
    return state


class Franka:
    """A table with household things, and an arm that moves by coordinates; from a scene, or drawn from the seed.

    world = Franka()
    world.reset(7)
    print(world.observe().objects)
    """

    name = "franka"
    briefing = Briefing(
        about="The base of the arm is at (0, 0). On the table "
        f"x goes from {TABLE_X[0]} to {TABLE_X[1]} and y from {TABLE_Y[0]} to {TABLE_Y[1]}; its top is at z = 0. "
        f"The hand opens {OPENS}. Every object is told with its length, width and height, and its centre.",
        paper="multitalk",
    )

    def __init__(self, scene: FrankaScene | None = None) -> None:
        if scene is not None:
            scene.check()
        self._given = scene
        self._sight: TableSight | None = None
        self.skills: Mapping[str, Skill] = skills_of(self)
        self._truth = FrankaTruth(lambda: self.table)
        self.relations: Mapping[str, Relation] = relations_of(self._truth)
        self.clock: Clock = SimulatedClock(lambda: self.table.data.time, lambda: self.table.tick(), TICK)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begin a new episode."""
        self._use(Table(self._given or FrankaScene.random(seed)))
        self._known: dict[str, ObjectBox] = {}
        self.collisions: tuple[str, ...] = ()
        self._start = {name: self.table.position(name) for name in self.table.names}
        if self._sight is not None:
            self._sight.begin()
        self._look()

    def _use(self, table: Table) -> None:
        self.table = table
        self._scene = table.scene.to_json()
        self._looked: tuple[bytes, frozenset[str]] | None = None
        self._name({name: placed.kind for name, placed in table.things.items()})

    def _name(self, kinds: Mapping[str, FrankaKind]) -> None:
        """Set the things that there are; what is known of them beforehand follows from their kinds."""
        self.receptacles = tuple(name for name, kind in kinds.items() if kind.receptacle)
        self.hollow = frozenset(name for name, kind in kinds.items() if kind.hollow)
        self._kinds = tuple(dict.fromkeys([*CATALOGUE, *(kind.name for kind in kinds.values())]))
        floors = {name: kinds[name].floor for name in self.receptacles}
        self.memory = TableMemory(
            self.relations, floors, self.hollow, {name: kind.across for name, kind in kinds.items()}
        )

    @property
    def scene(self) -> FrankaScene:
        """The scene that this episode started with."""
        return self.table.scene

    # Seeing -----------------------------------------------------------------------------------------------------------

    def observe(self) -> Observation:
        """What the camera sees now, and what it saw before."""
        return self._told(self._look())

    def rescan(self) -> Observation:
        """Look from all sides and from above; the robot remembers what it finds."""
        return self._told(self._look(camera.ALL_VIEWS))

    def view(self) -> View:
        """What a camera above the table sees."""
        return photograph_from_above(self.table).view

    def appearances(self) -> tuple[Appearance, ...]:
        """All kinds of things, and the names that the scene adds."""
        return appearances_in(self.scene)

    def see_with(self, eyes: Eyes) -> None:
        """Rely on these eyes alone. The world then no longer offers anything based on the true state."""
        self._sight = TableSight(eyes, lambda: self.table)
        self.twin = None  # type: ignore[method-assign, assignment]
        self.relations = {name: self._sight.seen_by(each) for name, each in self.relations.items()}
        self._look()

    def camera_picture(self) -> tuple[NDArray[np.uint8], Mapping[str, Rectangle]]:
        """The picture from above, and where the robot finds each thing in it."""
        return photographed(self.table) if self._sight is None else self._sight.picture()

    def _look(self, points: tuple[Xyz, ...] = (camera.USUAL_VIEW,)) -> frozenset[str]:
        if self._sight is not None:
            seen = self._sight.look(closely=points == camera.ALL_VIEWS)
            self._known = self._sight.known
            self._name(self._sight.kinds())
            return seen
        table, held = self.table, self.table.held
        found = self._seen() if points == (camera.USUAL_VIEW,) else camera.find_visible(table, points)
        for name, box in [*self._known.items()]:
            gone = name not in found and name != held and math.dist(table.position(name), box[:3]) > _MOVED
            if gone and camera.is_box_empty(table, box, points):
                del self._known[name]
        for name in found if held is None else (*found, held):
            self._known[name] = table.box(name)
        return found if held is None else found | {held}

    def _seen(self) -> frozenset[str]:
        """What the usual camera sees; cached while nothing moves."""
        key = self.table.data.qpos[9:].tobytes() + str(self.table.held).encode()
        if self._looked is None or self._looked[0] != key:
            self._looked = (key, camera.find_visible(self.table))
        return self._looked[1]

    def _told(self, found: frozenset[str]) -> Observation:
        known = tuple(name for name in (self._known if self._sight else self.table.names) if name in self._known)
        seen = tuple(name for name in known if name in found)
        boxes = {name: self._known[name].rounded() for name in known}
        related = relations_among(boxes, self.in_hand, self.hollow)
        relations = tuple(self.relations[name].condition(given) for name, given in related)
        state = WorldState(known, relations, {name: attributes_of(box) for name, box in boxes.items()})
        vocabulary = {
            "object": known,
            "receptacle": tuple(name for name in known if name in self.receptacles),
            "kind": self._kinds,
        }
        return Observation(seen, vocabulary, tuple(name for name in known if name not in found), state=state)

    def bodies_drawn(self) -> MujocoBodies:
        """The table, the arm and the things, for drawing."""
        return self.table.drawn

    def movable(self) -> tuple[str, ...]:
        """Everything that stands on the table."""
        return self.table.names

    def spot_of(self, name: str) -> Xy:
        """Where a thing is."""
        return self.position(name)[:2]

    def move_by_hand(self, name: str, x: float, y: float) -> None:
        """Put a thing at a point, on whatever is highest there."""
        if not (TABLE_X[0] <= x <= TABLE_X[1] and TABLE_Y[0] <= y <= TABLE_Y[1]):
            raise BadInput(f"({x:g}, {y:g}) is not on the table: x from {TABLE_X[0]}, y from {TABLE_Y[0]}.")
        self.table.put_on_top(name, x, y)

    def knock_over(self, name: str) -> None:
        """Make a thing fall over."""
        self.table.topple(name)

    def render(self, width: int = 320, height: int = 240) -> NDArray[np.uint8]:
        """A picture of the table and the arm, for people."""
        return table_picture(self.table, width, height)

    def boxes(self) -> dict[str, ObjectBox]:
        """The box of each thing: as seen, if the robot knows the world by a camera alone, else the true one."""
        if self._sight is not None:
            self._look()
            return dict(self._known)
        return self.table.boxes()

    @property
    def in_hand(self) -> str | None:
        """What the hand holds, as far as the robot knows."""
        return self.table.held if self._sight is None else self._sight.held

    # True state -------------------------------------------------------------------------------------------------------

    def position(self, name: str) -> Xyz:
        """The true centre of a thing."""
        return self.table.position(self._truth.named(name))

    def start(self, name: str) -> Xyz:
        """Where the centre of a thing was when the episode began."""
        return self._start[self._truth.named(name)]

    def upright(self, name: str) -> bool:
        """Whether a thing stands as it should."""
        return self.table.tilt(self._truth.named(name)) > UPRIGHT

    @property
    def held(self) -> str | None:
        """What is in the hand."""
        return self.table.held

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true now: by what is seen, if the robot has only a camera, else by the true state."""
        return condition_holds(condition, self.relations)

    # Skills -----------------------------------------------------------------------------------------------------------

    @skill(
        says="Grasp the object at ({x}, {y}, {z}).",
        preconditions=(_hand_empty,),
        cautions=(_something_there,),
        remembers=_grasped,
    )
    async def grasp(self, x: float, y: float, z: float = 0.0) -> str:
        """Grasp the object at a point of the table and lift it.

        Args:
            x: the x coordinate of the object, in metres.
            y: the y coordinate of the object, in metres.
            z: its height above the table, in metres; may be left out.
        """
        self._refuse(self.memory.cannot_grasp(self.observe(), x, y, z))
        hand = FrankaHand(self.table, self._collided)
        return await self._done(hand, x, y, z, putting=False)

    @skill(says="Move it to ({x}, {y}, {z}).", preconditions=(_hand_full,), cautions=(_room_there,), remembers=_moved)
    async def move(self, x: float, y: float, z: float = 0.0) -> str:
        """Move the object in the hand to a point of the table and put it down there.

        Args:
            x: the x coordinate to move it to, in metres.
            y: the y coordinate to move it to, in metres.
            z: the height of its centre, in metres; may be left out, unless it goes onto something.
        """
        self._refuse(self.memory.cannot_move(self.observe(), x, y, z))
        hand = FrankaHand(self.table, self._collided)
        return await self._done(hand, x, y, z, putting=True)

    @skill(says="Go home.", preconditions=(_put_down,), remembers=_same, last=True)
    async def home(self) -> str:
        """Return the arm to its rest posture when all is done; nothing can be done after that."""
        self._refuse(self.memory.cannot_go_home(self.observe()))
        hand = FrankaHand(self.table, self._collided)
        return await hand.run(hand.home)

    async def _done(self, hand: FrankaHand, x: float, y: float, z: float, *, putting: bool) -> str:
        if self._sight is not None:
            taken_for = self.memory.found_at(self.observe().state or WorldState(), x, y) or ""
            return await self._sight.act(hand, (x, y, z), taken_for, putting=putting)
        held = self.held
        try:
            return await hand.run(lambda: hand.put(x, y, z) if putting else hand.take(x, y, z))
        finally:
            for name in {held, self.held} - {None}:  # the hand knows where it took it from and left it
                self._known[str(name)] = self.table.box(str(name))

    def _collided(self, words: str) -> None:
        self.collisions = (*self.collisions, words)

    def _refuse(self, problem: str | None) -> None:
        if problem:
            raise SkillError(problem)

    def extended(self) -> ExtendedFranka:
        """This same world, with skills that put things on, beside and between others by name, and with measures."""
        return ExtendedFranka(self)

    # Adding and removing things ---------------------------------------------------------------------------------------

    def set_aside(self, name: str) -> None:
        """Take a thing off the table, and forget it."""
        self.table.set_aside(self._truth.named(name))
        self._known.pop(name, None)

    def put_back(self, name: str) -> None:
        """Put a thing where the scene has it, or as near to that as there is room."""
        placed = self.table.things[self._truth.named(name)]
        others = {other: self.table.box(other) for other in self.table.names if other != name}
        on = next((item.on for item in self.scene.objects if item.name == name), "")
        mine = placed.box
        taken = [box for other, box in others.items() if other != on and box.bottom > -0.1]
        at: tuple[float, float] | None = (placed.x, placed.y)
        if on:
            dx, dy = (a - b for a, b in zip(self.position(on)[:2], self._start[on][:2], strict=True))
            self.table.put(name, placed.x + dx, placed.y + dy, placed.bottom)
        else:
            if any(mine.gap(box) <= 0 for box in taken):
                at = room(taken, (mine.length, mine.width, mine.height), (placed.x, placed.y))
            if at is not None:
                self.table.put(name, *at)
        self._start[name] = self.table.position(name)

    # State ------------------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Return everything needed to restore this exact state."""
        known = {name: self._known[name] for name in self.table.names if name in self._known and not self._sight}
        sighted = (self._sight.saved(), self._sight.taking) if self._sight else ({}, "")
        saved = _Saved(self.name, self._scene, known, self.collisions, self._start, *self.table.state(), *sighted)
        return msgspec.msgpack.encode(saved)

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if `snapshot` is not a snapshot of this world."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=_Saved)
            if saved.world != self.name:
                raise ValueError(f"This is a snapshot of the world {saved.world!r}, not of {self.name!r}.")
            table = self.table if saved.scene == self._scene else Table(read_franka_scene(saved.scene))
        except (msgspec.MsgspecError, BadScene):
            raise ValueError("This is not a snapshot of a franka world.") from None
        table.set_state(saved.state, saved.welds, saved.asleep)
        if table is not self.table:
            self._use(table)
        self._known, self.collisions, self._start = dict(saved.known), saved.collisions, dict(saved.start)
        self._looked = None
        if self._sight is not None:
            self._sight.remember(saved.sighted, saved.taking)
            self._known = self._sight.known
            self._name(self._sight.kinds())

    def twin(self) -> Franka:
        """A copy of this world in its present state, for trying things out."""
        twin = Franka(self.scene)
        twin._given = self._given
        twin.restore(self.snapshot())
        return twin

"""The tabletop world: blocks, bowls, nine places, and an arm that picks and places (Inner Monologue, section 4.1)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from thinkaloud.clock import Clock
from thinkaloud.errors import BadInput, BadScene, SkillError, UnknownName
from thinkaloud.records import Arguments, Condition, Observation
from thinkaloud.skills import Kind, Relation, Skill, condition_holds, relation, relations_of, skill, skills_of
from thinkaloud.worlds.contract import Briefing
from thinkaloud.worlds.drawn import Place
from thinkaloud.worlds.geometry import Xy, Xyz
from thinkaloud.worlds.meddling import Box
from thinkaloud.worlds.mujoco_bodies import MujocoBodies, topple
from thinkaloud.worlds.simulated import TICK, SimulatedClock
from thinkaloud.worlds.tabletop.camera import PIXELS, look_across, look_down, pixel_at, point_at
from thinkaloud.worlds.tabletop.further import FurtherTable
from thinkaloud.worlds.tabletop.kinds import CONTAINERS, MOVABLE
from thinkaloud.worlds.tabletop.layout import PLACES, SAFE, VERY_EDGE, from_edge
from thinkaloud.worlds.tabletop.measure import supports_of
from thinkaloud.worlds.tabletop.physics import Physics
from thinkaloud.worlds.tabletop.placing import Placing
from thinkaloud.worlds.tabletop.primitive import Primitive
from thinkaloud.worlds.tabletop.scene import Count, Scene
from thinkaloud.worlds.tabletop.senses import CameraSenses, Senses, visible
from thinkaloud.worlds.tabletop.sites import Site
from thinkaloud.worlds.tabletop.spots import free_spot

_NEAR = 0.04  # the paper's success detector: nearer than this, in the plane
_RADIUS = 0.03  # of a block, all around
_AWAY = (3.0, 3.0)  # where a thing is while it is carried by hand
_ROOM = 0.12  # round a block, and it could not be better


class _Saved(msgspec.Struct, array_like=True, frozen=True):
    world: str
    scene: str
    seen: tuple[str, ...]
    state: bytes
    welds: bytes


def _puts(object: str, target: str) -> tuple[tuple[str, Arguments], ...]:
    return (("on", {"object": object, "target": target}),)


def _bare(object: str, target: str) -> tuple[tuple[str, Arguments], ...]:
    return (("not on", {"target": object}),)


def _topples(object: str, target: str) -> tuple[tuple[str, Arguments], ...]:
    return (("on", {"target": object}),)


def _near_the_edge(self: TableWorld, observation: Observation, object: str, target: str) -> str | None:
    """Why what is put there may well end up on the floor, by where the target is, or the free spot on it."""
    if target in self.blocks:
        x, y, _ = self.position(target)
        return f"What falls beside the {target} falls off the table." if from_edge(x, y) < SAFE else None
    if target in PLACES:
        spot = point_at(free_spot(look_down(self.physics), PLACES[target], object, _RADIUS))
        return f"What is left free of the {target} is at the very edge." if from_edge(*spot) < VERY_EDGE else None
    return None


def _with_room(self: TableWorld, observation: Observation, object: str, target: str) -> float:
    """How much room there is round a block, for what falls beside it; elsewhere what is put down stays."""
    if target not in self.blocks:
        return 1.0
    x, y, _ = self.position(target)
    others = [name for name in observation.objects if name not in (object, target)]
    gaps = [math.dist((x, y), self.position(other)[:2]) for other in others]
    return max(0.0, min(from_edge(x, y), *gaps, _ROOM) / _ROOM)


class TableWorld:
    """A table with an arm: all that worlds on it have in common but for their skills."""

    name = "table"

    def __init__(self, scene: Scene | None = None) -> None:
        self._given = scene
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)
        self.clock: Clock = SimulatedClock(lambda: self.physics.data.time, lambda: self.physics.tick(), TICK)
        self.senses: Senses = CameraSenses(lambda: self.physics)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begin a new episode."""
        self._use(self._built(self._given or self._drawn(seed)))
        self._seen: tuple[str, ...] = ()
        self._look()

    def _drawn(self, seed: int) -> Scene:
        return Scene.random(seed)

    def _built(self, scene: Scene) -> Physics:
        return Physics(scene)

    def _use(self, physics: Physics) -> None:
        self.physics = physics
        self._scene = physics.scene.to_json()
        self.blocks = tuple(thing.name for thing in physics.scene.objects if thing.kind in MOVABLE)
        self.bowls = tuple(thing.name for thing in physics.scene.objects if thing.kind in CONTAINERS)
        self.places = tuple(PLACES)

    @property
    def scene(self) -> Scene:
        """How this episode began."""
        return self.physics.scene

    def observe(self) -> Observation:
        """What the camera above the table sees, and what it saw before and sees no longer."""
        objects = self._look()
        hidden = tuple(name for name in self.physics.names if name in self._seen and name not in objects)
        blocks = tuple(name for name in self.blocks if name in self._seen)
        things = (*blocks, *(name for name in self.bowls if name in self._seen))
        vocabulary = {
            "object": blocks,
            "target": (*things, *self.places),
            "object in view": tuple(name for name in blocks if name in objects),
            "target in view": (*(name for name in things if name in objects), *self.places),
        }
        return Observation(objects, vocabulary, hidden)

    def _look(self) -> tuple[str, ...]:
        """What is seen, which is remembered; what hangs from the cup is seen, too."""
        found = {*visible(look_down(self.physics)), self.physics.held}
        objects = tuple(name for name in self.physics.names if name in found)
        self._seen = tuple(name for name in self.physics.names if name in found or name in self._seen)
        return objects

    def position(self, name: str) -> Xyz:
        """Where a block's centre or a bowl's base really is, or the middle of a place."""
        if name in PLACES:
            x, y = PLACES[name].centre
            return x, y, 0.0
        self._known(name, (*self.blocks, *self.bowls, *PLACES))
        return self.physics.position(name)

    def render(self, width: int = 320, height: int = 240) -> NDArray[np.uint8]:
        """A picture of the table and the arm, for people."""
        return look_across(self.physics, width, height)

    def bodies_drawn(self) -> MujocoBodies:
        """Table, arm and things, to be drawn."""
        return self.physics.drawn

    def movable(self) -> tuple[str, ...]:
        """Whatever stands on the table and is not screwed to it."""
        return self.physics.free

    def spot_of(self, name: str) -> Xy:
        """Where a thing or a place is."""
        return self.position(name)[:2]

    def move_by_hand(self, name: str, x: float, y: float) -> None:
        """Have a thing stand there, on what is highest there; taken from the arm, if it holds it."""
        if from_edge(x, y) < 0:
            raise BadInput(f"({x:g}, {y:g}) is not on the table.")
        if self.physics.held == name:
            self.physics.release()
        self.physics.put(name, (*_AWAY, -0.3))
        row, column = (min(max(round(at), 0), PIXELS - 1) for at in pixel_at(x, y))
        high = float(look_down(self.physics).height[row, column])
        self.physics.put(name, (x, y, max(high, 0.0) + 0.002))

    def knock_over(self, name: str) -> None:
        """Have a thing fall over."""
        if self.physics.held == name:
            self.physics.release()
        topple(self.physics.model, self.physics.data, self.physics.bodies[name], self.physics.height(name))

    def camera_picture(self) -> tuple[NDArray[np.uint8], Mapping[str, Box]]:
        """The picture from above, and where each thing is in it."""
        picture = look_down(self.physics)
        found = {name: picture.box(name) for name in visible(picture)}
        return np.asarray(picture.rgb.clip(0, 255), dtype=np.uint8), found

    def plan_drawn(self) -> tuple[Place, ...]:
        """The parts of the table that have a name."""
        return tuple(Place(name, *place.centre, "part of the table") for name, place in PLACES.items())

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the world, really and now."""
        return condition_holds(condition, self.relations)

    def _known(self, name: str, names: tuple[str, ...]) -> None:
        if name not in names:
            raise UnknownName("object", name, names)

    async def place_at(self, object: str, site: Site) -> str:
        """Put a thing on the table at a site; SkillError where there is no room, or something is on the thing."""
        self._known(object, self.blocks)
        on_it = next((name for name, below in supports_of(self.physics).items() if below == object), None)
        if on_it is not None:
            raise SkillError(f"The {on_it} is on the {object}: put it somewhere else first.")
        return await Placing(self.physics, self.senses, site).place_at(object)

    def further(self) -> FurtherTable:
        """This very world, with places that are spoken of by what is there, and with measures."""
        return FurtherTable(self)

    # State ------------------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Everything needed to be in this very state again."""
        state, welds = self.physics.state()
        return msgspec.msgpack.encode(_Saved(self.name, self._scene, self._seen, state, welds))

    def restore(self, snapshot: bytes) -> None:
        """Be in that state again. Raises ValueError for what is no snapshot of this world."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=_Saved)
            if saved.world != self.name:
                raise ValueError(f"This is a snapshot of the world {saved.world!r}, not of {self.name!r}.")
            same = saved.scene == self._scene
            physics = self.physics if same else self._built(Scene.from_json(saved.scene))
        except (msgspec.MsgspecError, BadScene):
            raise ValueError("This is no snapshot of a tabletop world.") from None
        physics.set_state(saved.state, saved.welds)
        self._use(physics)
        self._seen = saved.seen

    def twin(self) -> Self:
        """A copy of this world, in this very state, in which things can be tried."""
        other = self._another()
        other.restore(self.snapshot())
        other._given = self._given
        return other

    def _another(self) -> Self:
        return type(self)(self.scene)


class Tabletop(TableWorld):
    """A table with blocks and bowls. With a scene, every episode begins with it; without, the seed draws one.

    world = Tabletop()
    world.reset(7)
    print(world.observe().objects)
    """

    name = "tabletop"

    def __init__(self, scene: Scene | None = None, *, blocks: Count = (2, 4), bowls: Count = (1, 3)) -> None:
        self._counts = blocks, bowls
        super().__init__(scene)

    @property
    def briefing(self) -> Briefing:
        """All there is to know can be seen; the preset is that of the paper whose table this is."""
        return Briefing(preset="inner_monologue")

    def _drawn(self, seed: int) -> Scene:
        return Scene.random(seed, *self._counts)

    @skill(
        says="Pick the {object} and place it on the {target}.",
        distinct=("object", "target"),
        effects=_puts,
        affordance=_with_room,
        cautions=(_near_the_edge,),
        needs=_bare,
        ends=_topples,
    )
    async def pick_and_place(
        self, object: Annotated[str, Kind("object in view")], target: Annotated[str, Kind("target in view")]
    ) -> str:
        """Pick up an object and place it on another object, in a bowl, or on a part of the table.

        Args:
            object: what to pick up.
            target: the block, bowl or place to put it on.
        """
        self._known(object, self.blocks)
        self._known(target, (*self.blocks, *self.bowls, *self.places))
        return await Primitive(self.physics, self.senses).run(object, target)

    @relation(
        says="{object} is on the {target}.", distinct=("object", "target"), otherwise="{object} stays where it is."
    )
    def on(self, object: Annotated[str, Kind("object")], target: Annotated[str, Kind("target")]) -> bool:
        """Whether an object is within 4 cm of the target in the plane and, unless that is a place, above it.

        Args:
            object: what is on something.
            target: the block, bowl or place that it is on.
        """
        self._known(object, self.blocks)
        self._known(target, (*self.blocks, *self.bowls, *self.places))
        if self.physics.held == object:
            return False
        x, y, z = self.physics.position(object)
        if target in PLACES:
            return z > 0 and PLACES[target].distance(x, y) < _NEAR
        tx, ty, tz = self.physics.position(target)
        return math.hypot(x - tx, y - ty) < _NEAR and z > tz + 0.001

    def twin(self) -> Self:
        """A copy of this world, in this very state, in which things can be tried."""
        other = super().twin()
        other._counts = self._counts
        return other

"""A table with an arm: everything its worlds share except their skills."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from thinkaloud.clock import Clock
from thinkaloud.errors import BadInput, BadScene, SkillError, UnknownName
from thinkaloud.records import Condition, Observation
from thinkaloud.skills import Relation, Skill, condition_holds, relations_of, skills_of
from thinkaloud.worlds.contract import World
from thinkaloud.worlds.disturbance import Disturbance
from thinkaloud.worlds.drawing import Place
from thinkaloud.worlds.geometry import Xy, Xyz
from thinkaloud.worlds.interventions import Box
from thinkaloud_worlds.mujoco_shapes import MujocoBodies, topple
from thinkaloud_worlds.simulated_time import TICK, SimulatedClock
from thinkaloud_worlds.tabletop.camera import PIXELS, Picture, look_across, look_down, pixel_at
from thinkaloud_worlds.tabletop.contact_relations import supports_of
from thinkaloud_worlds.tabletop.extended import ExtendedTable
from thinkaloud_worlds.tabletop.layout import PLACES, from_edge
from thinkaloud_worlds.tabletop.object_kinds import CONTAINERS, MOVABLE
from thinkaloud_worlds.tabletop.physics import Physics
from thinkaloud_worlds.tabletop.place_at_point import Placing
from thinkaloud_worlds.tabletop.pointed_pixels import PointedPixels
from thinkaloud_worlds.tabletop.reference_points import Site
from thinkaloud_worlds.tabletop.scene import Scene
from thinkaloud_worlds.tabletop.senses import CameraSenses, Senses, visible
from thinkaloud_worlds.tabletop.sensor_noise import Disturbed

_AWAY = (3.0, 3.0)  # where a thing is while it is carried by hand


class _Saved(msgspec.Struct, array_like=True, frozen=True):
    world: str
    scene: str
    seen: tuple[str, ...]
    state: bytes
    welds: bytes
    sighted: tuple[tuple[str, tuple[float, ...]], ...] = ()
    taking: str = ""


class TableWorld:
    """A table with an arm: everything its worlds share except their skills."""

    name = "table"

    def __init__(self, scene: Scene | None = None) -> None:
        self._given = scene
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)
        self.clock: Clock = SimulatedClock(lambda: self.physics.data.time, lambda: self.physics.tick(), TICK)
        self._camera = CameraSenses(lambda: self.physics, lambda: self.picture())
        self.senses: Senses = self._camera
        self.reset(0)

    def with_noise(self, disturbance: Disturbance) -> World:
        """The same world, seen and acted on through noise."""
        return Disturbed(self, disturbance)

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
        """The scene that this episode started with."""
        return self.physics.scene

    def observe(self) -> Observation:
        """What the camera above the table sees now, and what it saw before."""
        objects = self._look()
        hidden = tuple(name for name in self.physics.names if name in self._seen and name not in objects)
        blocks = tuple(name for name in self.blocks if name in self._seen)
        things = (*blocks, *(name for name in self.bowls if name in self._seen))
        return Observation(objects, self._vocabulary(blocks, things, objects), hidden)

    def _vocabulary(
        self, blocks: tuple[str, ...], things: tuple[str, ...], in_view: tuple[str, ...]
    ) -> dict[str, tuple[str, ...]]:
        return {
            "object": blocks,
            "target": (*things, *self.places),
            "object in view": tuple(name for name in blocks if name in in_view),
            "target in view": (*(name for name in things if name in in_view), *self.places),
        }

    def picture(self) -> Picture:
        """The table from above, as the robot sees it."""
        return look_down(self.physics)

    def believed(self, name: str) -> Xyz:
        """Where the robot believes a thing is."""
        return self.position(name)

    def _look(self) -> tuple[str, ...]:
        """Look, and remember what is seen, including what hangs from the cup."""
        found = {*visible(look_down(self.physics)), self.physics.held}
        objects = tuple(name for name in self.physics.names if name in found)
        self._seen = tuple(name for name in self.physics.names if name in found or name in self._seen)
        return objects

    def position(self, name: str) -> Xyz:
        """The true position of a block's centre or a bowl's base, or the middle of a place."""
        if name in PLACES:
            x, y = PLACES[name].centre
            return x, y, 0.0
        self._known(name, (*self.blocks, *self.bowls, *PLACES))
        return self.physics.position(name)

    def render(self, width: int = 320, height: int = 240) -> NDArray[np.uint8]:
        """A picture of the table and the arm, for people."""
        return look_across(self.physics, width, height)

    def bodies_drawn(self) -> MujocoBodies:
        """The table, the arm and the things, for drawing."""
        return self.physics.drawn

    def movable(self) -> tuple[str, ...]:
        """Everything that stands on the table and is not screwed to it."""
        return self.physics.free

    def spot_of(self, name: str) -> Xy:
        """Where a thing or a place is."""
        return self.position(name)[:2]

    def move_by_hand(self, name: str, x: float, y: float) -> None:
        """Put a thing at a point, on whatever is highest there; the arm lets go of it first."""
        if from_edge(x, y) < 0:
            raise BadInput(f"({x:g}, {y:g}) is not on the table.")
        if self.physics.held == name:
            self.physics.release()
        self.physics.put(name, (*_AWAY, -0.3))
        row, column = (min(max(round(at), 0), PIXELS - 1) for at in pixel_at(x, y))
        high = float(look_down(self.physics).height[row, column])
        self.physics.put(name, (x, y, max(high, 0.0) + 0.002))

    def knock_over(self, name: str) -> None:
        """Make a thing fall over."""
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
        """Whether a condition is true of the world now, by its true state."""
        return condition_holds(condition, self.relations)

    def _known(self, name: str, names: tuple[str, ...]) -> None:
        if name not in names:
            raise UnknownName("object", name, names)

    async def place_at(self, object: str, site: Site) -> str:
        """Put a thing on the table at a site. Raises SkillError if there is no room or something is on the thing."""
        self._known(object, self.blocks)
        on_it = next((name for name, below in supports_of(self.physics).items() if below == object), None)
        if on_it is not None:
            raise SkillError(f"The {on_it} is on the {object}: put it somewhere else first.")
        return await Placing(self.physics, self.senses, site).place_at(object)

    def extended(self) -> ExtendedTable:
        """This same world, with places named by what stands there, and with measures."""
        return ExtendedTable(self)

    # State ------------------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Return everything needed to restore this exact state."""
        state, welds = self.physics.state()
        return msgspec.msgpack.encode(_Saved(self.name, self._scene, self._seen, state, welds, *self._kept()))

    def _kept(self) -> tuple[tuple[tuple[str, tuple[float, ...]], ...], str]:
        """What the robot remembers of what it saw, and what it last went for."""
        return (), ""

    def _remember(self, sighted: tuple[tuple[str, tuple[float, ...]], ...], taking: str) -> None:
        """Restore what was remembered."""

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if `snapshot` is not a snapshot of this world."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=_Saved)
            if saved.world != self.name:
                raise ValueError(f"This is a snapshot of the world {saved.world!r}, not of {self.name!r}.")
            same = saved.scene == self._scene
            physics = self.physics if same else self._built(Scene.from_json(saved.scene))
        except (msgspec.MsgspecError, BadScene):
            raise ValueError("This is not a snapshot of a tabletop world.") from None
        physics.set_state(saved.state, saved.welds)
        self._use(physics)
        self._seen = saved.seen
        self._remember(saved.sighted, saved.taking)

    def twin(self) -> Self:
        """A copy of this world in its present state, for trying things out."""
        other = self._another()
        if isinstance(self._camera.find, PointedPixels):
            other._camera.find = self._camera.find
        other.restore(self.snapshot())
        other._given = self._given
        return other

    def _another(self) -> Self:
        return type(self)(self.scene)

"""The tabletop world: blocks, bowls, nine places, and an arm that picks and places (Inner Monologue, section 4.1).

By default the robot sees the table as it is, as in the paper's simulation; with `see_with` it sees through a camera.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Self

import numpy as np
from numpy.typing import NDArray

from thinkaloud.records import Arguments, Condition, Observation
from thinkaloud.skills import Kind, relation, skill
from thinkaloud.worlds.contract import Briefing
from thinkaloud.worlds.geometry import Xyz
from thinkaloud.worlds.hands import Hands
from thinkaloud.worlds.interventions import Box
from thinkaloud.worlds.vision import Appearance, Eyes, Memory, View
from thinkaloud_worlds.tabletop.camera import Picture, point_at
from thinkaloud_worlds.tabletop.free_space import free_spot
from thinkaloud_worlds.tabletop.layout import PLACES, SAFE, VERY_EDGE, from_edge
from thinkaloud_worlds.tabletop.pick_and_place import Primitive
from thinkaloud_worlds.tabletop.pointed_pixels import PointedPixels, known_heights
from thinkaloud_worlds.tabletop.scene import Count, Scene
from thinkaloud_worlds.tabletop.table_eyes import TableEyes, appearances_of, photograph_table
from thinkaloud_worlds.tabletop.table_world import TableWorld

_NEAR = 0.04  # the paper's success detector: nearer than this, in the plane
_RADIUS = 0.03  # of a block
_ROOM = 0.12  # more room than this around a block is no better


def _puts(object: str, target: str) -> tuple[tuple[str, Arguments], ...]:
    return (("on", {"object": object, "target": target}),)


def _bare(object: str, target: str) -> tuple[tuple[str, Arguments], ...]:
    return (("not on", {"target": object}),)


def _topples(object: str, target: str) -> tuple[tuple[str, Arguments], ...]:
    return (("on", {"target": object}),)


def _near_the_edge(self: TableWorld, observation: Observation, object: str, target: str) -> str | None:
    """Why a thing put there may end up on the floor, judged by where the target or its free spot is."""
    if target in self.blocks:
        x, y, _ = self.believed(target)
        return f"What falls beside the {target} falls off the table." if from_edge(x, y) < SAFE else None
    if target in PLACES:
        spot = point_at(free_spot(self.picture(), PLACES[target], object, _RADIUS))
        return f"What is left free of the {target} is at the very edge." if from_edge(*spot) < VERY_EDGE else None
    return None


def _with_room(self: TableWorld, observation: Observation, object: str, target: str) -> float:
    """How much room a block leaves for a thing that falls beside it; elsewhere things stay where they are put."""
    if target not in self.blocks:
        return 1.0
    x, y, _ = self.believed(target)
    others = [name for name in observation.objects if name not in (object, target)]
    gaps = [math.dist((x, y), self.believed(other)[:2]) for other in others]
    return max(0.0, min(from_edge(x, y), *gaps, _ROOM) / _ROOM)


class Tabletop(TableWorld):
    """A table with blocks and bowls. Every episode starts with the given scene, or with one drawn from the seed.

    world = Tabletop()
    world.reset(7)
    print(world.observe().objects)
    """

    name = "tabletop"

    def __init__(self, scene: Scene | None = None, *, blocks: Count = (2, 4), bowls: Count = (1, 3)) -> None:
        self._counts = blocks, bowls
        self._sight: TableEyes | None = None
        super().__init__(scene)

    @property
    def briefing(self) -> Briefing:
        """The briefing: everything is visible, and the preset is the one of the paper that this table comes from."""
        return Briefing(paper="inner_monologue", examples=("Put all the blocks in the bottom left corner.",))

    def _drawn(self, seed: int) -> Scene:
        return Scene.random(seed, *self._counts)

    # Through a camera -------------------------------------------------------------------------------------------------

    def view(self) -> View:
        """What a camera above the table sees."""
        return photograph_table(self.physics).view

    def appearances(self) -> tuple[Appearance, ...]:
        """Blocks and bowls of all colours, and the names that the scene adds."""
        return appearances_of(self.scene.objects)

    def see_with(self, eyes: Eyes) -> None:
        """Rely on these eyes alone. The world then no longer offers anything based on the true state."""
        self._sight = TableEyes(eyes, lambda: self.physics)
        self.twin = self.extended = None  # type: ignore[method-assign, assignment]
        self._seen = ()
        self._look()

    def pick_with(self, hands: Hands) -> None:
        """Pick and place where these hands point. What is reported and checked stays as it is."""
        self._camera.find = PointedPixels(hands)

    def from_above(self) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """The table from straight above, as the robot sees it."""
        picture = self.picture()
        return np.asarray(picture.rgb.clip(0, 255), np.uint8), known_heights(picture)

    def reset(self, seed: int) -> None:
        """Begin a new episode."""
        if self._sight is not None:
            self._sight.begin()
        super().reset(seed)

    def picture(self) -> Picture:
        """The table from above, as the robot sees it."""
        return super().picture() if self._sight is None else self._sight.picture()

    def believed(self, name: str) -> Xyz:
        """Where the robot believes a thing is."""
        seen = None if self._sight is None or name in PLACES else self._sight.point(name)
        return self.position(name) if self._sight is None or name in PLACES else seen or (0.0, 0.0, 0.0)

    def _look(self) -> tuple[str, ...]:
        if self._sight is None:
            return super()._look()
        found = self._sight.seen()
        self._seen = tuple(dict.fromkeys((*self._sight.memory.points, *found)))
        return found

    def observe(self) -> Observation:
        """What is seen now, and what was seen before."""
        if self._sight is None:
            return super().observe()
        found, hollow = self._look(), {each.name for each in self.appearances() if each.hollow}
        hidden = tuple(name for name in self._seen if name not in found)
        blocks = tuple(name for name in self._seen if name not in hollow)
        things = (*blocks, *(name for name in self._seen if name in hollow))
        return Observation(found, self._vocabulary(blocks, things, found), hidden)

    def camera_picture(self) -> tuple[NDArray[np.uint8], Mapping[str, Box]]:
        """The picture from above, and where the robot finds each thing in it."""
        if self._sight is None:
            return super().camera_picture()
        view, sight = self._sight.look()
        return view.rgb, {each.name: each.box for each in sight.sightings}

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true: by what is seen, if the robot sees through a camera, else by the true state."""
        if self._sight is None or condition.relation != "on":
            return super().holds(condition)
        given = {name: str(value) for name, value in condition.arguments.items()}
        for name in given.values():
            self._known(name, (*(each.name for each in self.appearances()), *PLACES))
        return self._sight.on(given["object"], given["target"], _NEAR)

    def _kept(self) -> tuple[tuple[tuple[str, tuple[float, ...]], ...], str]:
        return ((), "") if self._sight is None else (self._sight.memory.saved(), self._sight.taking)

    def _remember(self, sighted: tuple[tuple[str, tuple[float, ...]], ...], taking: str) -> None:
        if self._sight is not None:
            self._sight.begin()
            self._sight.memory, self._sight.taking = Memory.restored(sighted), taking

    async def _by_sight(self, object: str, target: str) -> str:
        """Pick and place by what is seen. The report says what the arm did, because it cannot tell what it holds."""
        assert self._sight is not None
        for name in (object, target):
            if name not in PLACES and not self._sight.is_held(name):
                self._sight.require(name)
        if object not in self.physics.things or target not in (*self.physics.things, *PLACES):
            return f"Picked up nothing: the cup did not get hold of the {object}."
        self._sight.taking = object
        report = await Primitive(self.physics, self.senses).run(object, target)
        return report if report.startswith("Picked up nothing") else f"Put down what was taken for the {object}."

    # Skills and relations ---------------------------------------------------------------------------------------------

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
        if self._sight is not None:
            return await self._by_sight(object, target)
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
        """A copy of this world in its present state, for trying things out."""
        other = super().twin()
        other._counts = self._counts
        return other

"""The world: a table that the robot knows only through its wrist camera, with one skill and one relation.

The skill computes its points from boxes. The relation is the paper's success detector: a thing is where it was put if
the middle of its box is within 3 cm of that point, or within 10 cm on a plate. The truth is for judges (`truly_on`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated

import msgspec
import numpy as np
from numpy.typing import NDArray

from thinkaloud.errors import BadScene
from thinkaloud.records import Arguments, Observation, WorldState
from thinkaloud.skills import Kind, relation, skill
from thinkaloud.worlds.contract import Briefing
from thinkaloud.worlds.geometry import Xy, Xyz
from thinkaloud.worlds.hands import Hands
from thinkaloud.worlds.interventions import Box
from thinkaloud.worlds.vision import NOTHING_SEEN, Appearance, Eyes, Memory, Sight, View, open_eyes
from thinkaloud_worlds.camera_pictures import Photograph
from thinkaloud_worlds.real_table.extended import ExtendedRealTable
from thinkaloud_worlds.real_table.heap import heap_up
from thinkaloud_worlds.real_table.pick_place import AimNoise, PickPlace, free_point_in, free_point_on, is_looking, noisy
from thinkaloud_worlds.real_table.scene import Task, appearances, draw_real_table
from thinkaloud_worlds.real_table.wrist_camera import LOOK, take_wrist_picture
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.tabletop import ur5e_arm as arm
from thinkaloud_worlds.tabletop.layout import PLACES
from thinkaloud_worlds.tabletop.physics import Physics
from thinkaloud_worlds.tabletop.pointed_pixels import known_heights, point_in_view, seen_from_above
from thinkaloud_worlds.tabletop.scene import Scene
from thinkaloud_worlds.tabletop.table_world import TableWorld

_NEAR, _NEAR_ON_PLATE, _NEAR_PLACE = 0.03, 0.10, 0.04
_SIGMA, _SIGMA_SORTING = 0.015, 0.007
_SALT = 0xA12
_OFF_PLATE = 0.018
"""The lowest the cup goes if there are plates; lower, it would pick up a plate."""
_HIGHER = 0.015


class _Saved(msgspec.Struct, array_like=True, frozen=True):
    world: str
    scene: str
    seed: int
    calls: int
    taking: str
    seen: tuple[tuple[str, tuple[float, ...]], ...]
    meant: tuple[tuple[str, str, float, float], ...]
    state: bytes
    welds: bytes
    overview: tuple[str, ...] = ()


def _puts(object: str, target: str) -> tuple[tuple[str, Arguments], ...]:
    return (("on", {"object": object, "target": target}),)


class RealTable(TableWorld):
    """Blocks, or fruits and bottles on plates, seen from the wrist. `steady` turns off the noise of the pick.

    Without a scene, the seed draws one: for the given task, or for the two tasks in turn.
    """

    name = "real_table"
    twin = None  # type: ignore[assignment]  # the robot does not know the state that a copy would need
    with_noise = None  # type: ignore[assignment]  # its eyes and its pick have noise of their own

    def __init__(self, scene: Scene | None = None, *, task: Task | None = None, steady: bool = False) -> None:
        self._task, self._steady = task, steady
        self._eyes: Eyes | None = None
        self._hands: Hands | None = None
        super().__init__(scene)

    @property
    def briefing(self) -> Briefing:
        """The paper's own preset, and how it writes steps here."""
        return Briefing(paper="inner_monologue:feedback=object+success", calls=True)

    def reset(self, seed: int) -> None:
        """Begin a new episode, with the arm at its lookout."""
        self._use(Physics(self._given or draw_real_table(seed, self._task)))
        joints = arm.ur5e_joints_at(LOOK)
        self.physics.data.qpos[: arm.UR5E_JOINTS] = joints
        self.physics.data.ctrl[:] = joints
        if self._given is None:
            heap_up(self.physics, seed)
        for _ in range(10):
            self.physics.tick()
        self.physics.data.time = 0.0
        self._seed, self._calls, self._taking = seed & (2**63 - 1), 0, ""
        self._memory, self._meant = NOTHING_SEEN, dict[str, tuple[str, Xy]]()
        self._overview: tuple[str, ...] = ()
        self._latest: tuple[bytes, View, Sight] | None = None

    # Seeing -----------------------------------------------------------------------------------------------------------

    def _use(self, physics: Physics) -> None:
        super()._use(physics)
        self._looks = appearances(physics.scene)

    def photograph(self) -> Photograph:
        """What the camera at the wrist sees, with the truth about it; for judges."""
        return take_wrist_picture(self.physics)

    def view(self) -> View:
        """What the camera at the wrist sees."""
        return self.photograph().view

    def appearances(self) -> tuple[Appearance, ...]:
        """Everything that may be on this table, and the names that the scene adds."""
        return self._looks

    def see_with(self, eyes: Eyes) -> None:
        """See with other eyes than `camera`."""
        self._eyes, self._latest, self._memory, self._overview = eyes, None, NOTHING_SEEN, ()

    def pick_with(self, hands: Hands) -> None:
        """Pick and place where these hands point, instead of by boxes."""
        self._hands = hands

    def from_above(self) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """What the camera at the wrist sees of the table, from straight above."""
        picture = seen_from_above(self.view())
        return np.asarray(picture.rgb.clip(0, 255), np.uint8), known_heights(picture)

    def _sight(self) -> tuple[View, Sight]:
        """Look, and remember what is seen."""
        if self._eyes is None:
            self._eyes = open_eyes("camera")
        now = self.physics.data.qpos.tobytes()
        if self._latest is None or self._latest[0] != now:
            view = self.view()
            self._latest = now, view, self._eyes.look(view, self.appearances())
        self._memory = self._memory.after(self._latest[2])
        if is_looking(self.physics):
            self._overview = self._latest[2].names
        return self._latest[1:]

    def observe(self) -> Observation:
        """What is in view, what was in view before, and what has been put on plates."""
        _, sight = self._sight()
        known, flat = tuple(self._memory.points), self._hollow()
        objects = tuple(name for name in known if name not in flat)
        things = (*objects, *(name for name in known if name in flat))
        vocabulary = self._vocabulary(objects, things, (*self._in_reach(sight), *self._held_names()))
        if not flat & {*known}:
            return Observation(sight.names, vocabulary, self._memory.hidden(sight))
        moved = [(name, target) for name, (target, _) in self._meant.items() if target in flat]
        put = [self.relations["on"].condition({"object": name, "target": target}) for name, target in moved]
        state = WorldState(known, tuple(condition for condition in put if self.holds(condition)))
        return Observation(sight.names, vocabulary, self._memory.hidden(sight), state=state)

    def _in_reach(self, sight: Sight) -> tuple[str, ...]:
        """What the arm can go for. Away from its lookout, also what was in view from there: it looks again first."""
        return sight.names if is_looking(self.physics) else (*sight.names, *self._overview)

    def _held_names(self) -> tuple[str, ...]:
        """What the cup holds: if it feels something, that is taken to be the thing it was sent for."""
        return (self._taking,) if self.physics.held is not None and self._taking else ()

    def _hollow(self) -> set[str]:
        return {each.name for each in self.appearances() if each.hollow}

    def camera_picture(self) -> tuple[NDArray[np.uint8], Mapping[str, Box]]:
        """The picture from the wrist, and where the robot finds each thing in it."""
        view, sight = self._sight()
        return view.rgb, {each.name: each.box for each in sight.sightings}

    # Acting -----------------------------------------------------------------------------------------------------------

    @skill(says="Pick the {object} and place it on the {target}.", distinct=("object", "target"), effects=_puts)
    async def pick_place(
        self, object: Annotated[str, Kind("object in view")], target: Annotated[str, Kind("target in view")]
    ) -> str:
        """Pick up an object and place it on another object, on a plate, or on a part of the table.

        Args:
            object: what to pick up.
            target: the block, plate or place to put it on.
        """
        names = tuple(each.name for each in self.appearances())
        self._known(object, names)
        self._known(target, (*names, *PLACES))
        aim = self._next_aim()
        hand = PickPlace(self.physics)
        holding = object in self._held_names()
        if self.physics.held is not None and not holding:
            await hand.place((*self.physics.commanded()[:2], 0.0), self._height(self._taking))
        await hand.look()
        view, sight = self._sight()
        if self._hands is None:
            start = None if holding else sight.find(object)[1]
            goal = self._goal(view, sight, object, target)
        else:
            pick, goal = point_in_view(self._hands, view, object, target)
            start = None if holding else pick
        self._taking = object
        if start is not None and not await hand.pick(aim(start), self._lowest()):
            await hand.look()
            return f"Picked up nothing: the cup did not get hold of the {object}."
        self._meant[object] = target, goal[:2]
        await hand.place(goal, self._height(object))
        return f"Put down what was taken for the {object} at ({goal[0]:.2f}, {goal[1]:.2f})."

    def _goal(self, view: View, sight: Sight, object: str, target: str) -> Xyz:
        """The point where a thing is to rest."""
        if target in PLACES:
            points = [point[:2] for name, point in self._memory.points.items() if point and name != object]
            return free_point_on(PLACES[target], points)
        found, point = sight.find(target)
        if target not in self._hollow():
            return point
        return free_point_in(view, sight, found.box, (object, target))

    def _next_aim(self) -> AimNoise:
        """The noise of this call; each call has its own."""
        sigma = _SIGMA_SORTING if self._hollow() else _SIGMA
        rng = generator(self._seed, _SALT, self._calls)
        self._calls += 1
        return (lambda at: at) if self._steady else noisy(rng, sigma)

    def _lowest(self) -> float:
        return _OFF_PLATE if self._hollow() else -0.004

    def _height(self, name: str) -> float:
        return next((each.height for each in self.appearances() if each.name == name), 0.04)

    # Checking ---------------------------------------------------------------------------------------------------------

    @relation(
        says="{object} is on the {target}.", distinct=("object", "target"), otherwise="{object} stays where it is."
    )
    def on(self, object: Annotated[str, Kind("object")], target: Annotated[str, Kind("target")]) -> bool:
        """Whether an object is seen where it was put on the target; what is hidden is where it was last seen.

        Args:
            object: what is on something.
            target: the block, plate or place that it is on.
        """
        names = tuple(each.name for each in self.appearances())
        self._known(object, names)
        self._known(target, (*names, *PLACES))
        _, sight = self._sight()
        at = self._memory.points.get(object)
        if at is None or object in self._held_names():
            return False
        flat = target in self._hollow()
        meant, where = self._meant.get(object, ("", (0.0, 0.0)))
        if meant == target:
            near = _NEAR_ON_PLATE if flat else _NEAR
            return math.dist(at[:2], where) < near and (object in sight.names or not flat)
        if target in PLACES:
            return PLACES[target].distance(at[0], at[1]) < _NEAR_PLACE
        base = self._memory.points.get(target)
        if base is None:
            return False
        if flat:
            return math.dist(at[:2], base[:2]) < _NEAR_ON_PLATE
        return math.dist(at[:2], base[:2]) < _NEAR and at[2] > base[2] + _HIGHER

    def extended(self) -> ExtendedRealTable:  # type: ignore[override]
        """This same table, which can also tell what is empty."""
        return ExtendedRealTable(self)

    def truly_on(self, object: str, target: str) -> bool:
        """Whether a thing really is on another; for judges."""
        x, y, z = self.physics.position(object)
        tx, ty, tz = self.physics.position(target)
        thing, base = self.physics.things[object], self.physics.things[target]
        if base.kind == "plate":
            return math.hypot(x - tx, y - ty) < base.across / 2 and -0.01 < z - thing.middle < 0.03
        return math.hypot(x - tx, y - ty) < base.across / 2 and 0.5 < (z - tz) / base.height < 1.5

    # State ------------------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Return everything needed to restore this exact state."""
        meant = tuple((name, target, *at) for name, (target, at) in self._meant.items())
        kept = (self._seed, self._calls, self._taking, self._memory.saved(), meant)
        return msgspec.msgpack.encode(_Saved(self.name, self._scene, *kept, *self.physics.state(), self._overview))

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if `snapshot` is not a snapshot of this world."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=_Saved)
            if saved.world != self.name:
                raise ValueError(f"This is a snapshot of the world {saved.world!r}, not of {self.name!r}.")
            same = saved.scene == self._scene
            physics = self.physics if same else Physics(Scene.from_json(saved.scene))
        except (msgspec.MsgspecError, BadScene):
            raise ValueError("This is not a snapshot of a real table.") from None
        physics.set_state(saved.state, saved.welds)
        self._use(physics)
        self._seed, self._calls, self._taking = saved.seed, saved.calls, saved.taking
        self._memory, self._latest, self._overview = Memory.restored(saved.seen), None, saved.overview
        self._meant = {name: (target, (x, y)) for name, target, x, y in saved.meant}

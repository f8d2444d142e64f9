"""The world `around`: boxes and cylinders, and a hand that puts one close to another (HiCRISP, Fig. 4).

The robot knows where a thing is only after it has located it, and must locate it again once it has moved it.
"""

from __future__ import annotations

import math
from typing import Annotated

import msgspec
import numpy as np

from thinkaloud.episode.ticks import tick
from thinkaloud.errors import BadScene, SkillError
from thinkaloud.records import Arguments, Condition, Observation, WorldState
from thinkaloud.skills import Kind, relation, skill
from thinkaloud.worlds.contract import Briefing
from thinkaloud.worlds.geometry import Xyz
from thinkaloud_worlds.tabletop.extended import ExtendedAround
from thinkaloud_worlds.tabletop.layout import COLOURS, TABLE_TOP
from thinkaloud_worlds.tabletop.object_kinds import SIZES, STANDING
from thinkaloud_worlds.tabletop.physics import Physics
from thinkaloud_worlds.tabletop.place_at_point import Placing, PlacingHand
from thinkaloud_worlds.tabletop.put_beside import CLOSE, TabletopHand, gap_between
from thinkaloud_worlds.tabletop.reference_points import Site
from thinkaloud_worlds.tabletop.scene import Scene, Thing
from thinkaloud_worlds.tabletop.table_world import TableWorld

_APART = 0.19  # between the middles of things in a drawn scene: leaves room for a third one in between
_LOOKING = 15  # ticks
_UPRIGHT = 0.01  # the underside of a standing thing is at most this high above the table

_SALT = 0xA20D


class _Saved(msgspec.Struct, array_like=True, frozen=True):
    around: str
    located: dict[str, Xyz]
    inner: bytes


def _locates(thing: str) -> tuple[tuple[str, Arguments], ...]:
    return (("located", {"thing": thing}),)


def _picks_up(thing: str) -> tuple[tuple[str, Arguments], ...]:
    return (("held", {"thing": thing}),)


def _places(thing: str, target: str) -> tuple[tuple[str, Arguments], ...]:
    return (("close", {"thing": thing, "target": target}),)


def _frees() -> tuple[tuple[str, Arguments], ...]:
    return (("hand_empty", {}),)


def _not_in_hand(thing: str) -> tuple[tuple[str, Arguments], ...]:
    return (("not held", {"thing": thing}),)


def _free_and_located(thing: str) -> tuple[tuple[str, Arguments], ...]:
    return (("not held", {}), ("located", {"thing": thing}))


def _takes_away(thing: str) -> tuple[tuple[str, Arguments], ...]:
    near: tuple[tuple[str, Arguments], ...] = (("close", {"thing": thing}), ("close", {"target": thing}))
    return (("hand_empty", {}), ("located", {"thing": thing}), *near)


def _held_and_located(thing: str, target: str) -> tuple[tuple[str, Arguments], ...]:
    return (("held", {"thing": thing}), ("located", {"thing": target}))


def _lets_go(thing: str, target: str) -> tuple[tuple[str, Arguments], ...]:
    return (("held", {"thing": thing}),)


def _hand_full() -> tuple[tuple[str, Arguments], ...]:
    return (("not hand_empty", {}),)


def _lets_go_of_all() -> tuple[tuple[str, Arguments], ...]:
    return (("held", {}),)


def _can_pick_up(self: Around, observation: Observation, thing: str) -> str | None:
    held = self.physics.held
    if held not in (None, thing):
        return f"The hand holds the {held}: put it down first."
    if held is None and thing not in self._located:
        return f"The robot does not know where the {thing} is: locate it first."
    return None


def _can_place(self: Around, observation: Observation, thing: str, target: str) -> str | None:
    if self.physics.held != thing:
        return f"The robot does not hold the {thing}: pick it up first."
    if target not in self._located:
        return f"The robot does not know where the {target} is: locate it first."
    return None


async def _ready_to_pick_up(self: Around, problem: str, thing: str) -> str:
    if self.physics.held not in (None, thing):
        return await self.put_down()
    return await self.locate(thing)


async def _ready_to_place(self: Around, problem: str, thing: str, target: str) -> str:
    if self.physics.held == thing:
        return await self.locate(target)
    if _can_pick_up(self, self.observe(), thing):
        return await _ready_to_pick_up(self, problem, thing)
    return await self.pick_up(thing)


class Around(TableWorld):
    """Boxes and cylinders on a table, and a hand that places one around another: close to it, not on it (HiCRISP)."""

    name = "around"
    briefing = Briefing(paper="hicrisp")

    def __init__(self, scene: Scene | None = None) -> None:
        self._located: dict[str, Xyz] = {}
        super().__init__(scene)

    def reset(self, seed: int) -> None:
        """Begin a new episode."""
        self._located = {}
        super().reset(seed)

    def _drawn(self, seed: int) -> Scene:
        return draw_around(seed)

    def _built(self, scene: Scene) -> Physics:
        for thing in scene.objects:
            if thing.kind not in STANDING:
                raise BadScene(f"{thing.name} is a {thing.kind}; this world has only boxes and cylinders.")
        return super()._built(scene)

    def observe(self) -> Observation:
        """What the camera sees, where the robot knows things to be, and what is close to what."""
        objects = self._look()
        hidden = tuple(name for name in self.physics.names if name in self._seen and name not in objects)
        state = WorldState(objects, tuple(self._so(objects)))
        return Observation(objects, {"thing": self._seen, "thing in view": objects}, hidden, state=state)

    def _so(self, objects: tuple[str, ...]) -> list[Condition]:
        """The conditions that are true of the things in view."""
        held, close = self.relations["held"], self.relations["close"]
        found = [held.condition({"thing": name}) for name in objects if name == self.physics.held]
        found += [self.relations["located"].condition({"thing": name}) for name in objects if name in self._located]
        for i, one in enumerate(objects):
            for other in objects[i + 1 :]:
                if self.close(one, other):
                    found.append(close.condition({"thing": one, "target": other}))
        return found

    # Skills -----------------------------------------------------------------------------------------------------------

    @skill(says="Locate the {thing}.", effects=_locates, needs=_not_in_hand)
    async def locate(self, thing: Annotated[str, Kind("thing")]) -> str:
        """Look for a thing, and keep in mind where it is.

        Args:
            thing: what to look for.
        """
        self._known(thing, self.physics.names)
        if self.physics.held == thing:
            raise SkillError(f"The {thing} is in the hand: put it down before you look where it is.")
        for _ in range(_LOOKING):
            self.physics.tick()
            await tick()
        picture = self.senses.picture()
        at = self.senses.point(picture, self.senses.pixel(picture, thing))
        self._located = {**self._located, thing: at}
        return f"The {thing} is at ({at[0]:.2f}, {at[1]:.2f})."

    @skill(
        says="Pick up the {thing}.",
        effects=_picks_up,
        preconditions=(_can_pick_up,),
        fix=_ready_to_pick_up,
        needs=_free_and_located,
        ends=_takes_away,
    )
    async def pick_up(self, thing: Annotated[str, Kind("thing")]) -> str:
        """Take a thing into the hand, where it was located.

        Args:
            thing: what to pick up.
        """
        self._known(thing, self.physics.names)
        self._refuse(_can_pick_up(self, Observation((), {}), thing))
        if self.physics.held == thing:
            return f"The hand holds the {thing} already."
        try:
            await TabletopHand(self.physics, self.senses, self._located).pick_up(thing)
        except SkillError:
            self._forget(thing)  # it is not where the robot thought
            raise
        finally:
            if self.physics.held:
                self._forget(thing, self.physics.held)
        return f"Picked up the {thing}."

    @skill(
        says="Place the {thing} around the {target}.",
        distinct=("thing", "target"),
        effects=_places,
        preconditions=(_can_place,),
        fix=_ready_to_place,
        needs=_held_and_located,
        ends=_lets_go,
    )
    async def place_around(self, thing: Annotated[str, Kind("thing")], target: Annotated[str, Kind("thing")]) -> str:
        """Put down the thing in the hand around another: on the table, close to it, not touching it.

        Args:
            thing: what the hand holds.
            target: what to put it close to.
        """
        for name in (thing, target):
            self._known(name, self.physics.names)
        self._refuse(_can_place(self, Observation((), {}), thing, target))
        return await TabletopHand(self.physics, self.senses, self._located).place(thing, target)

    @skill(says="Put down what is in the hand.", effects=_frees, needs=_hand_full, ends=_lets_go_of_all)
    async def put_down(self) -> str:
        """Put what the hand holds on the table, anywhere there is room."""
        held = self.physics.held
        if held is None:
            raise SkillError("The hand is empty: there is nothing to put down.")
        await TabletopHand(self.physics, self.senses, self._located).put_down(held)
        return f"Put down the {held}."

    async def place_at(self, object: str, site: Site) -> str:
        """Locate a thing, pick it up and put it down at a site."""
        self._known(object, self.physics.names)
        held = self.physics.held
        if held not in (None, object):
            await self.put_down()
        if held != object:
            choose = Placing(self.physics, self.senses, site)
            choose.find_spot(object)  # raises before anything moves if there is no room
            await self.locate(object)
            await self.pick_up(object)
        return await PlacingHand(self.physics, self.senses, site).place_at(object)

    def extended(self) -> ExtendedAround:
        """This same world, with places named by what stands there, and with measures."""
        return ExtendedAround(self)

    def _refuse(self, problem: str | None) -> None:
        if problem:
            raise SkillError(problem)

    def _forget(self, *names: str) -> None:
        """Forget where these things are; the robot has to locate them again."""
        self._located = {name: at for name, at in self._located.items() if name not in names}

    # Relations --------------------------------------------------------------------------------------------------------

    @relation(says="The {thing} is close to the {target}.", distinct=("thing", "target"))
    def close(self, thing: Annotated[str, Kind("thing")], target: Annotated[str, Kind("thing")]) -> bool:
        """Whether two things stand on the table, one beside the other, with at most 5 cm between their edges.

        Args:
            thing: the one.
            target: the other.
        """
        for name in (thing, target):
            self._known(name, self.physics.names)
            if self.physics.held == name or not self._stands(name):
                return False
        return gap_between(self.physics, thing, target) <= CLOSE

    @relation(says="The robot holds the {thing}.")
    def held(self, thing: Annotated[str, Kind("thing")]) -> bool:
        """Whether a thing is in the hand.

        Args:
            thing: what may be held.
        """
        self._known(thing, self.physics.names)
        return self.physics.held == thing

    @relation(says="The robot knows where the {thing} is.")
    def located(self, thing: Annotated[str, Kind("thing")]) -> bool:
        """Whether a thing has been located, and not been moved since.

        Args:
            thing: what may have been located.
        """
        self._known(thing, self.physics.names)
        return thing in self._located

    @relation(says="The hand is empty.")
    def hand_empty(self) -> bool:
        """Whether the hand holds nothing."""
        return self.physics.held is None

    def _stands(self, name: str) -> bool:
        return abs(self.physics.position(name)[2] - self.physics.things[name].middle) < _UPRIGHT

    # State ------------------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Return everything needed to restore this exact state."""
        return msgspec.msgpack.encode(_Saved(self.name, self._located, super().snapshot()))

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if `snapshot` is not a snapshot of this world."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=_Saved)
        except msgspec.MsgspecError:
            raise ValueError(f"This is not a snapshot of the world {self.name!r}.") from None
        if saved.around != self.name or not all(math.isfinite(v) for at in saved.located.values() for v in at):
            raise ValueError(f"This is not a snapshot of the world {self.name!r}, or it is damaged.")
        super().restore(saved.inner)
        self._located = {name: at for name, at in saved.located.items() if name in self.physics.names}


def draw_around(seed: int) -> Scene:
    """Draw one or two boxes and one or two cylinders of different colours and sizes, with room in between."""
    rng = np.random.default_rng([seed & (2**64 - 1), _SALT])
    kinds = [kind for kind in STANDING for _ in range(int(rng.integers(1, 3)))]
    colours = {kind: [str(colour) for colour in rng.permutation([*COLOURS])] for kind in STANDING}
    while True:
        spots: list[tuple[float, float]] = []
        for _ in range(200):
            x, y = (round(float(rng.uniform(*side)), 4) for side in (TABLE_TOP.inset(0.09).x, TABLE_TOP.inset(0.09).y))
            if all(math.dist((x, y), other) >= _APART for other in spots):
                spots.append((x, y))
            if len(spots) == len(kinds):
                return Scene(
                    tuple(_drawn_thing(rng, k, colours[k].pop(), at) for k, at in zip(kinds, spots, strict=True))
                )


def _drawn_thing(rng: np.random.Generator, kind: str, colour: str, at: tuple[float, float]) -> Thing:
    _, smallest, largest = SIZES[kind]
    size = round(float(rng.uniform(smallest, largest)), 3)
    yaw = round(float(rng.uniform(-45, 45)), 1) if kind == "box" else 0.0
    return Thing(f"{colour} {kind}", kind, at[0], at[1], colour, yaw, size)

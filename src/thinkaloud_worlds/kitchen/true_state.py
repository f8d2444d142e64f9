"""The true state of a kitchen, and what the robot has seen of it.

The robot sees what lies where it stands. If it has been given eyes, it sees what they find in its camera's picture.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import msgspec

from thinkaloud.worlds.geometry import Xy, Xyz
from thinkaloud_worlds.kitchen.catalogue import CABINET, DRAWERS, LOCATIONS
from thinkaloud_worlds.kitchen.scene import Disturbs, KitchenScene
from thinkaloud_worlds.seeds import generator

HAND, GONE = "hand", "gone"
"""The place of an item that the robot holds, and of one that a person took away."""
_AT = 0.05  # the robot is at a location within this many metres
_SALT = 0xFA11


class SavedKitchen(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """The complete state, for a snapshot."""

    world: str
    scene: str
    seed: int
    now: float
    calls: int
    xy: Xy
    places: dict[str, str]
    open: tuple[str, ...]
    known: dict[str, str]
    known_open: dict[str, bool]
    come: tuple[int, ...]
    seen: tuple[str, ...]
    supposed: bool
    taking: str = ""
    points: dict[str, tuple[str, Xyz]] = {}


class Perceives(Protocol):
    """What is seen through a camera, instead of the truth (`sight`)."""

    taking: str
    points: dict[str, tuple[str, Xyz]]

    def seen(self, room: KitchenRoom) -> Mapping[str, str]:
        """Where each item that is in view is."""
        ...

    def opened(self, room: KitchenRoom) -> Mapping[str, bool]:
        """Which drawers are open."""
        ...

    def is_gone(self, room: KitchenRoom, item: str, where: str) -> bool:
        """Whether an item is visibly no longer where it was."""
        ...

    def felt(self, room: KitchenRoom) -> str:
        """What the robot takes for the thing in its hand; empty if it feels nothing."""
        ...

    def reach_for(self, room: KitchenRoom, item: str) -> str:
        """What the hand really closes on where an item is seen; empty if nothing is there."""
        ...


@dataclass
class KitchenRoom:
    """The kitchen over time. `known` is where each item was last seen; `known_open` tells which drawers were open."""

    scene: KitchenScene
    seed: int
    now: float = 0.0
    calls: int = 0
    """How many skills have started; each has its own chance of failing."""
    xy: Xy = (0.0, 0.0)
    places: dict[str, str] = field(default_factory=dict)
    """Where every item really is: a location, a drawer, the hand, or gone."""
    open: set[str] = field(default_factory=set)
    known: dict[str, str] = field(default_factory=dict)
    known_open: dict[str, bool] = field(default_factory=dict)
    come: list[int] = field(default_factory=list)
    """The numbers of the people of the scene who have come and gone."""
    seen: list[str] = field(default_factory=list)
    """Every item that was ever in view."""
    supposed: bool = False
    """Whether this is a copy for trying things out, in which things are where the robot last saw them."""
    knocked: bool = False
    """Whether a person has knocked against the arm during the current skill."""
    sight: Perceives | None = field(default=None, repr=False, compare=False)
    """What the robot sees with; None means that it sees the truth."""

    @classmethod
    def of(cls, scene: KitchenScene, seed: int, sight: Perceives | None = None) -> KitchenRoom:
        """Start a new episode, before the first look."""
        room = cls(scene, seed, xy=LOCATIONS[scene.start], open={*scene.open}, sight=sight)
        room.places = {each.name: each.at for each in scene.items}
        return room

    # True state -------------------------------------------------------------------------------------------------------

    @property
    def place(self) -> str:
        """The location at which the robot stands; empty on the way between two."""
        return next((name for name, xy in LOCATIONS.items() if math.dist(xy, self.xy) <= _AT), "")

    @property
    def held(self) -> str:
        """The item in the hand; empty if there is none."""
        return next((item for item, where in self.places.items() if where == HAND), "")

    @property
    def felt(self) -> str:
        """What the robot takes for the item in its hand; empty if it holds nothing."""
        return self.held if self.sight is None else self.sight.felt(self)

    def within_reach(self) -> tuple[str, ...]:
        """The places from which the hand can take things here: this location, and its open drawers."""
        here = self.place
        drawers = [drawer for drawer in DRAWERS if drawer in self.open] if here == CABINET else []
        return (*([here] if here else ()), *drawers)

    def in_view(self) -> tuple[str, ...]:
        """The items that are seen from here: in the hand, lying here, or in an open drawer here."""
        return tuple(self._seen())

    def _seen(self) -> Mapping[str, str]:
        if self.sight is not None:
            return self.sight.seen(self)
        visible = (HAND, *self.within_reach())
        return {item: where for item, where in self.places.items() if where in visible}

    def look(self) -> None:
        """Note what is in view; forget the place of an item that was believed to be here and is not."""
        view = self._seen()
        for item, where in [*self.known.items()]:
            if item not in view and self._is_gone(item, where):
                del self.known[item]
        self.known |= view
        self.seen += [item for item in view if item not in self.seen]
        if self.place == CABINET:
            true = {drawer: drawer in self.open for drawer in DRAWERS}
            self.known_open = true if self.sight is None else {**self.sight.opened(self)}

    def _is_gone(self, item: str, where: str) -> bool:
        if where == HAND or self.sight is None:
            return where in (HAND, *self.within_reach())
        return self.sight.is_gone(self, item, where)

    def forget(self) -> None:
        """Forget everything that was seen, and look."""
        self.known, self.known_open, self.seen = {}, {}, []
        self.look()

    # Events -----------------------------------------------------------------------------------------------------------

    def suppose(self) -> None:
        """Assume that things are where the robot last saw them; what it never saw may be anywhere."""
        self.places = dict(self.known)
        self.open = {drawer for drawer, is_open in self.known_open.items() if is_open}
        self.supposed = True

    def works(self, skill: str) -> bool:
        """Whether the skill that starts now will succeed, as far as chance decides."""
        self.calls += 1
        self.knocked = False
        rate = 0.0 if self.supposed else self.scene.rates.get(skill, 0.0)
        return float(generator(self.seed, self.calls, _SALT).random()) >= rate

    def people_during(self, skill: str, item: str, drawer: str) -> None:
        """Let the people who wait for this skill come now."""
        for number, person in self._waiting():
            if person.during == skill:
                self._comes(number, person, person.item or item, person.drawer or drawer)

    def go_on(self, seconds: float) -> None:
        """Let time pass; people come at their times."""
        self.now = round(self.now + seconds, 6)
        for number, person in self._waiting():
            if person.after is not None and self.now >= person.after:
                self._comes(number, person, person.item, person.drawer)

    def _waiting(self) -> list[tuple[int, Disturbs]]:
        people = () if self.supposed else enumerate(self.scene.people)
        return [(number, person) for number, person in people if number not in self.come]

    def _comes(self, number: int, person: Disturbs, item: str, drawer: str) -> None:
        """Carry out what a person does; a person with nothing to do yet comes again."""
        there = item in self.places and self.places[item] != GONE
        match person.does:
            case "opens" | "closes" if drawer in DRAWERS:
                (self.open.add if person.does == "opens" else self.open.discard)(drawer)
            case "takes" if there:
                self.places[item] = GONE
            case "moves" if there:
                self.places[item] = person.to
            case "knocks" if there:
                self.drop(item)
                self.knocked = True
            case _:
                return
        self.come.append(number)
        self.look()

    def take(self, item: str) -> None:
        """Close the hand where an item is seen."""
        found = (item if item in self.in_view() else "") if self.sight is None else self.sight.reach_for(self, item)
        if found:
            self.places[found] = HAND

    def really(self, item: str) -> str:
        """The item that the robot takes for this one, if it holds it."""
        return self.held if item == self.felt else item

    def drop(self, item: str) -> None:
        """Drop the held item where the robot stands; on the way between two locations, at the nearest one."""
        if self.places.get(item) == HAND:
            self.places[item] = self.place or min(LOCATIONS, key=lambda name: math.dist(LOCATIONS[name], self.xy))

    # Snapshots --------------------------------------------------------------------------------------------------------

    def saved(self, world: str) -> SavedKitchen:
        """The complete state as data."""
        return SavedKitchen(
            world,
            self.scene.to_json(),
            self.seed,
            self.now,
            self.calls,
            self.xy,
            self.places,
            tuple(sorted(self.open)),
            self.known,
            self.known_open,
            tuple(self.come),
            tuple(self.seen),
            self.supposed,
            "" if self.sight is None else self.sight.taking,
            {} if self.sight is None else self.sight.points,
        )

    @classmethod
    def from_saved(cls, scene: KitchenScene, saved: SavedKitchen, sight: Perceives | None = None) -> KitchenRoom:
        """Restore the room. Raises ValueError if the data is impossible."""
        wheres = {*LOCATIONS, *DRAWERS, HAND, GONE}
        fits = {*saved.places.values(), *saved.known.values()} <= wheres and {*saved.open} <= {*DRAWERS}
        fits &= {*saved.places, *saved.known, *saved.seen} <= {*scene.names} and {*saved.known_open} <= {*DRAWERS}
        fits &= all(map(math.isfinite, (*saved.xy, saved.now))) and saved.now >= 0
        fits &= [*saved.places.values()].count(HAND) <= 1
        if not fits:
            raise ValueError("The snapshot is damaged: it describes an impossible kitchen.")
        if sight is not None:
            sight.taking, sight.points = saved.taking, {**saved.points}
        return cls(
            scene,
            saved.seed,
            saved.now,
            saved.calls,
            saved.xy,
            dict(saved.places),
            {*saved.open},
            dict(saved.known),
            dict(saved.known_open),
            list(saved.come),
            list(saved.seen),
            saved.supposed,
            sight=sight,
        )

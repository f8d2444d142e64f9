"""The true state of a kitchen, and what the robot has seen of it: it sees what lies where it stands."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import msgspec

from thinkaloud.worlds.geometry import Xy
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

    @classmethod
    def of(cls, scene: KitchenScene, seed: int) -> KitchenRoom:
        """Start a new episode."""
        room = cls(scene, seed, xy=LOCATIONS[scene.start], open={*scene.open})
        room.places = {each.name: each.at for each in scene.items}
        room.look()
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

    def in_view(self) -> tuple[str, ...]:
        """The items that can be seen from here: in the hand, lying here, or in an open drawer here."""
        return tuple(item for item, where in self.places.items() if where in self._visible())

    def _visible(self) -> tuple[str, ...]:
        here = self.place
        drawers = [drawer for drawer in DRAWERS if drawer in self.open] if here == CABINET else []
        return (HAND, *([here] if here else ()), *drawers)

    def look(self) -> None:
        """Note what is in view; forget the place of an item that was believed to be here and is not."""
        visible, view = self._visible(), self.in_view()
        gone = [item for item, where in self.known.items() if where in visible and item not in view]
        for item in gone:
            del self.known[item]
        self.known |= {item: self.places[item] for item in view}
        self.seen += [item for item in view if item not in self.seen]
        if self.place == CABINET:
            self.known_open = {drawer: drawer in self.open for drawer in DRAWERS}

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
        )

    @classmethod
    def from_saved(cls, scene: KitchenScene, saved: SavedKitchen) -> KitchenRoom:
        """Restore the room. Raises ValueError if the data is impossible."""
        wheres = {*LOCATIONS, *DRAWERS, HAND, GONE}
        fits = {*saved.places.values(), *saved.known.values()} <= wheres and {*saved.open} <= {*DRAWERS}
        fits &= {*saved.places, *saved.known, *saved.seen} <= {*scene.names} and {*saved.known_open} <= {*DRAWERS}
        fits &= all(map(math.isfinite, (*saved.xy, saved.now))) and saved.now >= 0
        fits &= [*saved.places.values()].count(HAND) <= 1
        if not fits:
            raise ValueError("The snapshot is damaged: it describes an impossible kitchen.")
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
        )

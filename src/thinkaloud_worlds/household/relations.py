"""The relations of the household world."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated

from thinkaloud.errors import UnknownName
from thinkaloud.skills import Kind, relation
from thinkaloud_worlds.household.engine import HomeState
from thinkaloud_worlds.household.home_graph import HomeGraph

ThingName = Annotated[str, Kind("thing")]
RoomName = Annotated[str, Kind("room")]
Portable = Annotated[str, Kind("portable")]
Openable = Annotated[str, Kind("openable")]
Device = Annotated[str, Kind("device")]
Plugged = Annotated[str, Kind("pluggable")]
Surface = Annotated[str, Kind("surface")]
Container = Annotated[str, Kind("container")]


class HomeTruth(ABC):
    """Relations over the true state of a home, seen or not."""

    @property
    @abstractmethod
    def home(self) -> HomeGraph:
        """The home as it was at the start."""

    @property
    @abstractmethod
    def state(self) -> HomeState:
        """The home as it is now."""

    def id_of(self, name: str) -> int:
        """The node for a name. Raises UnknownName if there is none."""
        if name not in self.home.ids:
            raise UnknownName("thing", name, self.home.ids)
        return self.home.ids[name]

    def _in_state(self, name: str, state: str) -> bool:
        return state in self.state.states(self.id_of(name))

    @relation(says="The robot is close to the {thing}.")
    def close_to(self, thing: ThingName) -> bool:
        """Whether the robot is close enough to a thing to act on it.

        Args:
            thing: what it is close to.
        """
        return self.state.is_close(self.id_of(thing))

    @relation(says="The robot holds the {thing}.")
    def holding(self, thing: Portable) -> bool:
        """Whether a thing is in one of the robot's hands.

        Args:
            thing: what is held.
        """
        return self.id_of(thing) in self.state.held()

    @relation(says="The robot is in the {room}.")
    def in_room(self, room: RoomName) -> bool:
        """Whether the robot is in a room.

        Args:
            room: the room.
        """
        return self.state.room_of(self.state.character) == self.id_of(room)

    @relation(says="The {thing} is open.")
    def opened(self, thing: Openable) -> bool:
        """Whether a thing is open.

        Args:
            thing: what is open.
        """
        return self._in_state(thing, "OPEN")

    @relation(says="The {thing} is closed.")
    def closed(self, thing: Openable) -> bool:
        """Whether a thing is closed.

        Args:
            thing: what is closed.
        """
        return self._in_state(thing, "CLOSED")

    @relation(says="The {thing} is switched on.")
    def switched_on(self, thing: Device) -> bool:
        """Whether a device is on.

        Args:
            thing: the device.
        """
        return self._in_state(thing, "ON")

    @relation(says="The {thing} is switched off.")
    def switched_off(self, thing: Device) -> bool:
        """Whether a device is off.

        Args:
            thing: the device.
        """
        return self._in_state(thing, "OFF")

    @relation(says="The {thing} is on the {target}.", distinct=("thing", "target"))
    def on_top(self, thing: Portable, target: Surface) -> bool:
        """Whether a thing is on another.

        Args:
            thing: what is on it.
            target: what it is on.
        """
        return self.state.related(self.id_of(thing), "ON", self.id_of(target))

    @relation(says="The {thing} is in the {target}.", distinct=("thing", "target"))
    def inside(self, thing: Portable, target: Container) -> bool:
        """Whether a thing is in another.

        Args:
            thing: what is in it.
            target: what it is in.
        """
        return self.state.related(self.id_of(thing), "INSIDE", self.id_of(target))

    @relation(says="The robot sits on the {thing}.")
    def sitting_on(self, thing: Annotated[str, Kind("seat")]) -> bool:
        """Whether the robot sits on something.

        Args:
            thing: what it sits on.
        """
        robot = self.state.character
        return "SITTING" in self.state.states(robot) and self.state.related(robot, "ON", self.id_of(thing))

    @relation(says="The robot lies on the {thing}.")
    def lying_on(self, thing: Annotated[str, Kind("lieable")]) -> bool:
        """Whether the robot lies on something.

        Args:
            thing: what it lies on.
        """
        robot = self.state.character
        return "LYING" in self.state.states(robot) and self.state.related(robot, "ON", self.id_of(thing))

    @relation(says="The robot stands.")
    def standing(self) -> bool:
        """Whether the robot neither sits nor lies."""
        return not self.state.states(self.state.character) & {"SITTING", "LYING"}

    @relation(says="The {thing} is clean.")
    def clean(self, thing: ThingName) -> bool:
        """Whether a thing is clean.

        Args:
            thing: what is clean.
        """
        return self._in_state(thing, "CLEAN")

    @relation(says="The {thing} is dirty.")
    def dirty(self, thing: ThingName) -> bool:
        """Whether a thing is dirty.

        Args:
            thing: what is dirty.
        """
        return self._in_state(thing, "DIRTY")

    @relation(says="The {thing} is plugged in.")
    def plugged_in(self, thing: Plugged) -> bool:
        """Whether a device is plugged in.

        Args:
            thing: the device.
        """
        return self._in_state(thing, "PLUGGED_IN")

    @relation(says="The {thing} is unplugged.")
    def plugged_out(self, thing: Plugged) -> bool:
        """Whether a device is unplugged.

        Args:
            thing: the device.
        """
        return self._in_state(thing, "PLUGGED_OUT")

    @relation(says="The robot wears the {thing}.")
    def wearing(self, thing: Annotated[str, Kind("garment")]) -> bool:
        """Whether the robot wears something.

        Args:
            thing: what it wears.
        """
        return self.state.related(self.id_of(thing), "ON", self.state.character)

    @relation(says="The robot faces the {thing}.")
    def facing(self, thing: ThingName) -> bool:
        """Whether the robot faces a thing.

        Args:
            thing: what it faces.
        """
        return self.state.is_facing(self.id_of(thing))

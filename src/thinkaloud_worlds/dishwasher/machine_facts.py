"""What can be asked of the machine and its things: the relations of the world, of the true state or of what is seen."""

from __future__ import annotations

from collections import Counter

from thinkaloud.errors import UnknownName
from thinkaloud_worlds.dishwasher.known_state import IN_HAND, Known
from thinkaloud_worlds.dishwasher.scene import MachineScene, kind_without_number


class MachineFacts:
    """The relations. Whoever inherits them says by which state they go, and what counts as ready."""

    scene: MachineScene

    def _known(self) -> Known:
        raise NotImplementedError

    def _is_ready(self, name: str) -> bool:
        raise NotImplementedError

    def _inside(self, known: Known) -> list[str]:
        return [name for name, place in known.places.items() if place in self.scene.compartments]

    def items_at(self, place: str) -> Counter[str]:
        """How many of each kind are at the start place, the finished place or a compartment."""
        self._named("place", place, (self.scene.start_place, self.scene.finished, *self.scene.compartments))
        return Counter(kind_without_number(name) for name, where in self._known().places.items() if where == place)

    def loaded_now(self) -> dict[str, str]:
        """What is in the machine, and in which compartment."""
        known = self._known()
        return {name: known.places[name] for name in self._inside(known)}

    def at(self, object: str, location: str) -> bool:
        """Whether a thing is at the start place or at the finished place."""
        self._named("location", location, (self.scene.start_place, self.scene.finished))
        return self._place(object) == location

    def loaded(self, object: str, compartment: str) -> bool:
        """Whether a thing is on a compartment."""
        self._named(self.scene.compartment, compartment, self.scene.compartments)
        return self._place(object) == compartment

    def held(self, object: str) -> bool:
        """Whether a thing is in the gripper."""
        return self._place(object) == IN_HAND

    def prepared(self, object: str) -> bool:
        """Whether a thing was prepared."""
        return bool(self._place(object) is not None and object in self._known().prepared)

    def washed(self, object: str) -> bool:
        """Whether a thing has been through a cycle since it was put in."""
        return bool(self._place(object) is not None and object in self._known().washed)

    def ready(self, object: str) -> bool:
        """Whether a thing is really as it should be, checked or not."""
        return bool(self._place(object) is not None and self._is_ready(object))

    def is_open(self) -> bool:
        """Whether the door is open."""
        return self._known().open

    def is_closed(self) -> bool:
        """Whether the door is closed."""
        return not self._known().open

    def out(self) -> bool:
        """Whether the compartments are pulled out."""
        return self._known().out

    def running(self) -> bool:
        """Whether a cycle is running."""
        return self._known().running

    def idle(self) -> bool:
        """Whether no cycle is running."""
        return not self._known().running

    def has_additive(self, additive: str) -> bool:
        """Whether this is in the dispenser."""
        self._named(self.scene.additive, additive, self.scene.additives)
        return self._known().additive == additive

    def hand_holds(self, kind: str) -> bool:
        """Whether one of a kind is in the gripper."""
        self._named(self.scene.item, kind, self.scene.kinds)
        return kind_without_number(self._known().held) == kind

    def hand_empty(self) -> bool:
        """Whether nothing is in the gripper."""
        return not self._known().held

    def held_prepared(self) -> bool:
        """Whether what is in the gripper was prepared."""
        return self._known().held in self._known().prepared

    def some_loaded(self, kind: str, compartment: str) -> bool:
        """Whether one of a kind is on a compartment."""
        self._named(self.scene.item, kind, self.scene.kinds)
        self._named(self.scene.compartment, compartment, self.scene.compartments)
        return self.items_at(compartment)[kind] > 0

    def all_ready(self) -> bool:
        """Whether everything in the machine is as it should be."""
        return all(self._is_ready(name) for name in self.loaded_now())

    def all_returned(self) -> bool:
        """Whether nothing that is as it should be is left in the machine."""
        return not any(self._is_ready(name) for name in self.loaded_now())

    def _place(self, name: str) -> str | None:
        self._named("object", name, self.scene.names)
        return self._known().places.get(name)

    def _named(self, kind: str, name: str, names: tuple[str, ...]) -> None:
        if name not in names:
            raise UnknownName(kind, name, names)

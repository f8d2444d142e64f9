"""What the kitchen robot believes: what is in view now, and where it last saw the rest.

`holds` uses these beliefs, so it never reveals what the robot has not seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from thinkaloud.errors import UnknownName
from thinkaloud.records import Condition, Observation, WorldState
from thinkaloud.skills import Kind, Relation, condition_holds, relation
from thinkaloud_worlds.kitchen.catalogue import CABINET, DRAWERS, LOCATIONS
from thinkaloud_worlds.kitchen.true_state import HAND, KitchenRoom

ItemName = Annotated[str, Kind("item")]
Location = Annotated[str, Kind("location")]
Drawer = Annotated[str, Kind("drawer")]


class Beliefs:
    """The relations of the kitchen, and what the robot observes of them."""

    room: KitchenRoom
    relations: Mapping[str, Relation]

    def observe(self) -> Observation:
        """What is in view, and what was seen before; any item can be named, whether it is here or not."""
        room, view = self.room, self.room.in_view()
        drawers = DRAWERS if room.place == CABINET else ()
        known = tuple(dict.fromkeys((*view, *room.known)))
        state = WorldState((*known, *LOCATIONS, *DRAWERS), tuple(self._told()))
        vocabulary = {"item": room.scene.names, "location": tuple(LOCATIONS), "drawer": DRAWERS}
        hidden = tuple(item for item in room.seen if item not in view)
        return Observation((*view, *drawers), vocabulary, hidden, state=state)

    def _told(self) -> Iterator[Condition]:
        room, relations = self.room, self.relations
        if room.place:
            yield relations["at"].condition({"location": room.place})
        yield (
            relations["holding"].condition({"item": room.felt}) if room.felt else relations["hand_empty"].condition({})
        )
        for item in room.in_view():
            if item != room.felt:
                yield relations["in_view"].condition({"item": item})
        for item, where in room.known.items():
            if where in LOCATIONS:
                yield relations["item_at"].condition({"item": item, "location": where})
            elif where in DRAWERS:
                yield relations["inside"].condition({"item": item, "drawer": where})
        for drawer, is_open in room.known_open.items():
            yield relations["opened" if is_open else "closed"].condition({"drawer": drawer})

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true: by what is in view, and for the rest by what was last seen."""
        return condition_holds(condition, self.relations)

    def _item(self, item: str) -> str:
        if item not in self.room.scene.names:
            raise UnknownName("item", item, self.room.scene.names)
        return item

    def _location(self, location: str) -> str:
        if location not in LOCATIONS:
            raise UnknownName("location", location, LOCATIONS)
        return location

    def _drawer(self, drawer: str) -> str:
        if drawer not in DRAWERS:
            raise UnknownName("drawer", drawer, DRAWERS)
        return drawer

    @relation("The robot is at the {location}.")
    def at(self, location: Location) -> bool:
        """Whether the robot stands at a location.

        Args:
            location: the location.
        """
        return self.room.place == self._location(location)

    @relation("The robot holds the {item}.")
    def holding(self, item: ItemName) -> bool:
        """Whether an item is in the robot's hand.

        Args:
            item: the item.
        """
        return self.room.known.get(self._item(item)) == HAND

    @relation("The hand of the robot is empty.")
    def hand_empty(self) -> bool:
        """Whether nothing is in the robot's hand."""
        return not self.room.felt

    @relation("{item} is in view.")
    def in_view(self, item: ItemName) -> bool:
        """Whether the robot stands where it sees an item that it could pick up.

        Args:
            item: the item.
        """
        return self._item(item) in self.room.in_view() and item != self.room.felt

    @relation(
        "{item} is at the {location}.",
        otherwise="{item} stays where it is.",
        sight=lambda location: (("at", {"location": location}),),
    )
    def item_at(self, item: ItemName, location: Location) -> bool:
        """Whether an item lies at a location, as it was seen last.

        Args:
            item: the item.
            location: the location.
        """
        return self.room.known.get(self._item(item)) == self._location(location)

    @relation(
        "{item} is in the {drawer}.",
        sight=lambda drawer: (("at", {"location": CABINET}), ("opened", {"drawer": drawer})),
    )
    def inside(self, item: ItemName, drawer: Drawer) -> bool:
        """Whether an item is in a drawer, as it was seen last.

        Args:
            item: the item.
            drawer: the drawer.
        """
        return self.room.known.get(self._item(item)) == self._drawer(drawer)

    @relation("The {drawer} is open.")
    def opened(self, drawer: Drawer) -> bool:
        """Whether a drawer is open, as it was seen last.

        Args:
            drawer: the drawer.
        """
        return self.room.known_open.get(self._drawer(drawer)) is True

    @relation("The {drawer} is closed.")
    def closed(self, drawer: Drawer) -> bool:
        """Whether a drawer is closed, as it was seen last.

        Args:
            drawer: the drawer.
        """
        return self.room.known_open.get(self._drawer(drawer)) is False

"""Skills that state their outcome: the paper's motions, each named with what it acts on and where that ends up.

`Put down the coke` leaves it wherever the robot happens to stand, and `Bring it to you` does not say what. A goal such
as "the coke is at the trash" names both. So here every skill names everything it acts on, and where that ends up. The
motions are the paper's: they fail at the same rates, and people interfere with them. What must come first is declared.
"""

from __future__ import annotations

from collections.abc import Mapping

from thinkaloud.skills import Skill, skill
from thinkaloud.worlds.contract import World
from thinkaloud_worlds.extended import ExtendedWorld
from thinkaloud_worlds.kitchen.catalogue import TRASH, USER
from thinkaloud_worlds.kitchen.robot_beliefs import Drawer, ItemName, Location
from thinkaloud_worlds.kitchen.skill_arguments import declared_parts

_SAID_OTHERWISE = ("bring_it_to_you", "open_drawer", "close_drawer", "put_down", "put_in")
"""The paper's skills that have another name here, or that name what they act on."""


class ExtendedKitchen(ExtendedWorld):
    """The same kitchen, with skills that bring, throw away or place a thing in one step."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.skills: Mapping[str, Skill] = {
            name: each for name, each in self.skills.items() if name not in _SAID_OTHERWISE
        }

    @skill("Bring the {item} to you.", **declared_parts("bring"))
    async def bring(self, item: ItemName) -> str:
        """Bring an item to the person who asks for it.

        Args:
            item: what the person gets.
        """
        await self.world.bring_it_to_you()
        report: str = await self.world.put_at(item, USER)
        return report

    @skill("Throw the {item} away.", **declared_parts("throw_away"))
    async def throw_away(self, item: ItemName) -> str:
        """Throw an item away: it goes into the trash.

        Args:
            item: what is no longer wanted.
        """
        report: str = await self.world.put_at(item, TRASH)
        return report

    @skill("Place the {item} on the {location}.", **declared_parts("put_at"))
    async def place(self, item: ItemName, location: Location) -> str:
        """Put an item on a location.

        Args:
            item: what is put there.
            location: where it is put down.
        """
        report: str = await self.world.put_at(item, location)
        return report

    @skill("Put the {item} in the {drawer}.", **declared_parts("put_in"))
    async def store(self, item: ItemName, drawer: Drawer) -> str:
        """Put an item into a drawer.

        Args:
            item: what is put into it.
            drawer: the drawer.
        """
        report: str = await self.world.put_in(item, drawer)
        return report

    @skill("Pick up the {item}.", **declared_parts("pick_up"))
    async def pick_up(self, item: ItemName) -> str:
        """Take an item into the hand.

        Args:
            item: what to pick up.
        """
        report: str = await self.world.pick_up(item)
        return report

    @skill("Drop the {item}.", **declared_parts("put_down"))
    async def drop(self, item: ItemName) -> str:
        """Put down what is in the hand.

        Args:
            item: what the robot holds.
        """
        report: str = await self.world.put_down(item)
        return report

    @skill("Open the {drawer}.", **declared_parts("open_drawer"))
    async def open(self, drawer: Drawer) -> str:
        """Open a drawer.

        Args:
            drawer: the drawer.
        """
        report: str = await self.world.open_drawer(drawer)
        return report

    @skill("Close the {drawer}.", **declared_parts("close_drawer"))
    async def close(self, drawer: Drawer) -> str:
        """Close a drawer.

        Args:
            drawer: the drawer.
        """
        report: str = await self.world.close_drawer(drawer)
        return report

    @skill("Find the {item}.", **declared_parts("find"))
    async def find(self, item: ItemName) -> str:
        """Look for an item.

        Args:
            item: what to look for.
        """
        report: str = await self.world.find(item)
        return report

    @skill("Go to the {location}.", **declared_parts("go_to"))
    async def go_to(self, location: Location) -> str:
        """Drive to a location.

        Args:
            location: where to drive to.
        """
        report: str = await self.world.go_to(location)
        return report

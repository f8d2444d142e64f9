"""What the robot of the kitchen can do besides the paper's skills: the same motions, said with where they end.

`Put down the coke` ends wherever the robot happens to stand; a goal such as "the coke is at the trash" has to name it.
"""

from __future__ import annotations

from thinkaloud.skills import skill
from thinkaloud.worlds.further import FurtherWorld
from thinkaloud.worlds.kitchen.beliefs import Item, Location
from thinkaloud.worlds.kitchen.parts import parts_of


class FurtherKitchen(FurtherWorld):
    """The same kitchen, where a thing can be put down at a place, or brought to the user, in one sentence."""

    @skill("Put the {item} down at the {location}.", **parts_of("put_at"))
    async def put_at(self, item: Item, location: Location) -> str:
        """Put down the item in the hand at the location where the robot stands; the trash is a location, too.

        Args:
            item: what the robot holds.
            location: where it is put down.
        """
        report: str = await self.world.put_at(item, location)
        return report

    @skill("Bring the {item} to the user.", **parts_of("bring_to_user"))
    async def bring_to_user(self, item: Item) -> str:
        """Drive to the user with the item in the hand, and put it down there.

        Args:
            item: what the robot holds.
        """
        await self.world.bring_it_to_you()
        report: str = await self.world.put_at(item, "user")
        return report

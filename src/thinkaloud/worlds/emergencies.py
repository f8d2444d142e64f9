"""How a robot calls for help: by its builder's hook, or else by the skill that is marked with `emergency=True`."""

from __future__ import annotations

import asyncio
import inspect

from thinkaloud.skills import Skill
from thinkaloud.worlds.contract import CallsForHelp, World, find_ability

CALL_TOO = "I can't tell whether anybody comes. Please call for help, too."
"""What people should do, unless the robot's builder tells them."""


def emergency_skill(world: World) -> Skill | None:
    """The skill that calls for help, if the builder marked one."""
    return next((each for each in world.skills.values() if each.emergency), None)


def can_call_for_help(world: World) -> bool:
    """Whether there is a way to call for help."""
    return find_ability(world, CallsForHelp) is not None or emergency_skill(world) is not None


async def call_for_help(world: World, matter: str) -> str:
    """Call for help, at once and unchecked; returns what the person is told: the builder's own words, or what was done,
    and that nobody knows whether anybody heard it. What the builder's code raises is raised.

    A world that cannot call raises LookupError.
    """
    robot, own = find_ability(world, CallsForHelp), emergency_skill(world)
    if robot is not None:
        told = await asyncio.to_thread(robot.on_emergency, matter)
        return str((await told if inspect.isawaitable(told) else told) or CALL_TOO)
    if own is None:
        raise LookupError("This robot has no way to call for help.")
    await own.run({})
    return f"I did this: {own.signature.tell({})} {CALL_TOO}"

"""A robot, a model and a request: the shortest program that makes something move.

    python examples/words_to_motion.py

The model here reads its answers from a list, and never asks anything. Replace it with `open_model("embedded")` for a
model that thinks, and leave out the preset: then it asks when it is unsure.
"""

from __future__ import annotations

import asyncio

from thinkaloud import Agent, End, Scripted
from thinkaloud_worlds.tabletop import Tabletop


def main() -> End:
    """Put a block into a bowl, and print every event on the way."""
    world = Tabletop(blocks=1, bowls=1)
    block, bowl = world.blocks[0], world.bowls[0]
    answers = [f'pick_and_place("{block}", "{bowl}")']  # the request, as a program over the robot's own skills
    told = [lambda event: print(f"{event.at:6.2f}s  {event.record}")]
    agent = Agent(world, Scripted(answers), "thinkaloud:confirm=never", listeners=told)
    return asyncio.run(agent.run(f"Put the {block} in the {bowl}."))


if __name__ == "__main__":
    main()

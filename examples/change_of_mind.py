"""A person changes their mind while the arm moves, and then wants it to stop.

    python examples/change_of_mind.py

A new request takes over where stopping does no harm: before the cup holds a block, or after it has put it down. `stop`
takes effect at the next control tick, wherever the arm is. The model here reads its answers from a list, and never asks
anything.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from thinkaloud import Agent, End, Scripted
from thinkaloud.cli.terminal import Terminal, console
from thinkaloud_worlds.tabletop import Tabletop, load_scene

SCENE = Path(__file__).parent / "scenes" / "two_colours.toml"
ANSWERS = ['pick_and_place("red block", "green bowl")', 'pick_and_place("blue block", "blue bowl")']


def main() -> End:
    """Make one request, another one half a second into the motion, and then stop."""
    world = Tabletop(load_scene(SCENE))
    agent = Agent(world, Scripted(ANSWERS), "thinkaloud:confirm=never", listeners=[Terminal(console())])
    to_say = [(0.3, "No, put the blue block in the blue bowl."), (2.0, "Stop!")]

    def person() -> None:
        """Speak at the right moments; in a real program this is a terminal, a web page or a microphone."""
        if to_say and world.clock.now() >= to_say[0][0]:
            agent.say(to_say.pop(0)[1])

    agent.loop.ticking.append(person)
    return asyncio.run(agent.run("Put the red block in the green bowl."))


if __name__ == "__main__":
    main()
